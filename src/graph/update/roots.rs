//! The roots that a graph is of: the one it lies in, and others whose code is linked with it. They are kept in the graph as
//! paths from the first, so that every later question looks at all of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;

use super::Options;
use crate::cache::Folder;
use crate::graph::paths::relative;
use crate::graph::sorts::Attributes;
use crate::graph::store;

/// What the graph calls its other roots: one a line.
const OTHERS: &str = "roots";

/// All roots, the first one first; absolute.
pub struct Roots(Vec<PathBuf>);

impl Roots {
    fn of(root: &Path, others: &str) -> Roots {
        let others = others.lines().map(|other| root.join(other));
        Roots([root.to_path_buf()].into_iter().chain(others).collect())
    }

    /// Those of a graph that is there.
    pub fn known(db: &Connection, root: &Path) -> Result<Roots> {
        let others: Option<String> = store::meta(db, OTHERS)?;
        Ok(Roots::of(root, &others.unwrap_or_default()))
    }

    /// Those of a graph that is to be made: those asked for, else those it had.
    pub fn wanted(root: &Path, folder: &Folder, options: &Options) -> Roots {
        let asked = options.others.as_deref().map(|others| listed(root, others));
        let others = asked.or_else(|| store::kept(folder, OTHERS));
        Roots::of(root, &others.unwrap_or_default())
    }

    pub fn all(&self) -> &[PathBuf] {
        &self.0
    }

    /// Notes them in a graph.
    pub fn keep(&self, db: &Connection) -> rusqlite::Result<()> {
        let (root, others) = self.0.split_first().expect("there is a first root");
        store::set_meta(db, OTHERS, listed(root, others))
    }

    /// What the `.gitattributes` of each says.
    pub fn attributes(&self) -> AllAttributes {
        let root = &self.0[0];
        let read = |one: &PathBuf| {
            let text = fs::read_to_string(one.join(".gitattributes")).ok()?;
            Some((relative(root, one), Attributes::read(&text)))
        };
        AllAttributes(self.0.iter().filter_map(read).collect())
    }
}

/// Whether it is asked for other roots than a graph has.
pub fn differ(db: &Connection, root: &Path, options: &Options) -> Result<bool> {
    let Some(asked) = &options.others else {
        return Ok(false);
    };
    let known: Option<String> = store::meta(db, OTHERS)?;
    Ok(known.unwrap_or_default() != listed(root, asked))
}

/// Paths from the first root, one a line.
fn listed(root: &Path, others: &[PathBuf]) -> String {
    let mut others: Vec<String> = others.iter().map(|other| relative(root, other)).collect();
    others.retain(|other| !other.is_empty());
    others.sort_unstable();
    others.dedup();
    others.join("\n")
}

/// By root, as paths are from the first one.
pub struct AllAttributes(Vec<(String, Attributes)>);

impl AllAttributes {
    /// What is said of a file.
    pub fn of(&self, path: &str) -> u32 {
        let inside = |root: &str| match root {
            "" => Some(path).filter(|path| !path.starts_with("../")),
            root => path.strip_prefix(root)?.strip_prefix('/'),
        };
        let each = self.0.iter();
        let flags = each.filter_map(|(root, said)| Some(said.of(inside(root)?)));
        flags.fold(0, |all, flags| all | flags)
    }
}
