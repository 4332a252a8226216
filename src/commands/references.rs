//! What the index of calls knows of how often definitions are referred to, for verbs that rank by it. Where there is no index,
//! or it cannot be brought up to date at once, or the user wants none of it, nothing changes.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::Connection;

use super::threads_of;
use crate::cache::Folder;
use crate::cli::Reading;
use crate::graph::paths::relative;
use crate::graph::query::rank;
use crate::graph::store;
use crate::graph::update::{self, Options};
use crate::outline::Limits;

/// `off`: no answer is ranked by the index.
const SWITCH: &str = "AST_OUTLINE_RANKING";
/// Changed files that are read before an answer; behind more than that the index is not asked.
const MOST: usize = 50;

/// An index that is up to date. Shared by all threads.
pub struct References {
    root: PathBuf,
    db: Mutex<Connection>,
}

impl References {
    /// The nearest index above the first path.
    pub fn around(given: &[PathBuf], reading: &Reading) -> Option<References> {
        let named = reading.cache_dir.as_ref();
        let elsewhere = named.is_some_and(|folder| !folder.as_os_str().is_empty());
        let off = std::env::var_os(SWITCH).is_some_and(|value| value == "off");
        if reading.no_cache || elsewhere || off {
            return None;
        }
        let path = std::fs::canonicalize(given.first()?).ok()?;
        let indexed = |root: &&Path| store::path(&Folder::in_root(root)).is_file();
        let root = path.ancestors().find(indexed)?.to_path_buf();
        let options = Options {
            others: None,
            threads: threads_of(None),
            vendored: false,
            most: Some(MOST),
            limits: Limits::default(),
        };
        let (db, report) = update::open(&root, &Folder::in_root(&root), &options).ok()?;
        let db = Mutex::new(db);
        report.left.is_none().then_some(References { root, db })
    }

    /// How often each definition of a file is referred to from others, by its place in the outline; none where the index
    /// does not know the file.
    pub fn of(&self, path: &Path) -> Option<HashMap<u32, u32>> {
        let path = self.inside(path)?;
        let db = self.db.lock().expect("no thread panics with the lock held");
        rank::references(&db, &path).ok()?
    }

    /// The path from the root.
    fn inside(&self, path: &Path) -> Option<String> {
        let real = std::fs::canonicalize(path).ok()?;
        Some(relative(&self.root, &real))
    }

    /// The files that may have a name with one of these words in it; none where the words are not of that sort.
    pub fn holders(&self, words: &[String]) -> Option<Holders<'_>> {
        let plain = |word: &String| {
            word.chars()
                .all(|sign| sign.is_alphanumeric() || sign == '_')
                && word.chars().any(char::is_alphanumeric)
        };
        if !words.iter().all(plain) {
            return None;
        }
        let db = self.db.lock().expect("no thread panics with the lock held");
        let mut known = rank::sources(&db).ok()?;
        for word in words {
            for holder in rank::holders(&db, word).ok()? {
                known.remove(&holder);
            }
        }
        Some(Holders {
            references: self,
            others: known,
        })
    }
}

/// Files that may have a name.
pub struct Holders<'a> {
    references: &'a References,
    /// Sources that have none.
    others: HashSet<String>,
}

impl Holders<'_> {
    /// Whether a file need not be read.
    pub fn rule_out(&self, path: &Path) -> bool {
        let inside = self.references.inside(path);
        inside.is_some_and(|inside| self.others.contains(&inside))
    }
}
