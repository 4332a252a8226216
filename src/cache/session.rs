//! What was shown in a session: of each definition the hash of its text and where it stood, one a line, in a file for each
//! session. A line that cannot be read is one that was not shown.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Folder;
use crate::model::Lines;

/// How files of sessions begin.
pub(super) const SESSION: &str = "session-";
/// Sessions that nothing was shown in for so long are forgotten.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);
/// A definition, by its file, name and text.
type Key = String;

/// A session, with what was shown in it before this run.
pub struct Session {
    folder: Folder,
    path: PathBuf,
    known: HashMap<Key, Lines>,
    /// Lines that this run adds.
    new: RefCell<String>,
}

impl Session {
    /// The session of a name.
    pub fn new(folder: Folder, id: &str) -> Session {
        forget_old(&folder);
        let name = &blake3::hash(id.as_bytes()).to_hex()[..16];
        let path = folder.path.join(format!("{SESSION}{name}"));
        let text = match folder.is_link() {
            true => String::new(),
            false => fs::read_to_string(&path).unwrap_or_default(),
        };
        Session {
            folder,
            path,
            known: text.lines().filter_map(read).collect(),
            new: RefCell::default(),
        }
    }

    /// Where a text stood when it was shown, if it was.
    pub fn shown(&self, path: &Path, name: &str, text: &[u8]) -> Option<Lines> {
        self.known.get(&key(path, name, text)).copied()
    }

    /// Notes a text that is shown now.
    pub fn show(&self, path: &Path, name: &str, text: &[u8], lines: Lines) {
        let line = format!("{} {} {}\n", key(path, name, text), lines.start, lines.end);
        self.new.borrow_mut().push_str(&line);
    }

    /// Writes what was noted, once it was printed. What cannot be written is shown again.
    pub fn save(&self) {
        let new = self.new.take();
        if new.is_empty() || self.folder.make().is_err() {
            return;
        }
        if let Ok(mut file) = self.folder.append(&self.path) {
            let _ = file.write_all(new.as_bytes());
        }
    }
}

fn key(path: &Path, name: &str, text: &[u8]) -> Key {
    let mut hash = blake3::Hasher::new();
    for part in [path.to_string_lossy().as_bytes(), name.as_bytes(), text] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().to_hex()[..32].to_string()
}

fn read(line: &str) -> Option<(Key, Lines)> {
    let mut words = line.split(' ');
    let key = words.next().filter(|key| key.len() == 32)?.to_string();
    let (start, end) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((key, Lines { start, end }))
}

fn forget_old(folder: &Folder) {
    for (path, _) in folder.files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let age = || fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok();
        if name.starts_with(SESSION) && age().is_some_and(|age| age > FORGOTTEN) {
            // Another run may have been faster.
            let _ = fs::remove_file(&path);
        }
    }
}
