//! Packages of the tree by their paths: which one a file belongs to, as its manifests name it.

use rusqlite::{Connection, Result};

/// A package that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// From the root of the index; empty for the root itself.
    pub root: String,
    pub name: String,
}

/// Innermost first.
#[derive(Debug, Default)]
pub struct Packs(Vec<Pack>);

impl Packs {
    /// # Errors
    /// What SQLite says.
    pub fn read(db: &Connection) -> Result<Packs> {
        let mut statement = db.prepare_cached(
            "SELECT DISTINCT root, name FROM pkg WHERE name != '' ORDER BY length(root) DESC, root, id",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(Pack {
                root: row.get(0)?,
                name: row.get(1)?,
            })
        })?;
        let mut packs: Vec<Pack> = rows.collect::<Result<_>>()?;
        packs.dedup_by(|one, other| one.root == other.root);
        Ok(Packs(packs))
    }

    /// The innermost package around a path; none where no manifest names one.
    pub fn of(&self, path: &str) -> Option<&Pack> {
        self.0.iter().find(|pack| holds(&pack.root, path))
    }

    /// What a path belongs to, for people: a package's name, else the folder.
    pub fn label<'p>(&'p self, path: &'p str) -> &'p str {
        match self.of(path) {
            Some(pack) => &pack.name,
            None => path.rsplit_once('/').map_or(".", |(folder, _)| folder),
        }
    }

    /// The package of a name.
    pub fn named(&self, name: &str) -> Option<&Pack> {
        self.0.iter().find(|pack| pack.name == name)
    }

    /// Whether two paths belong to different packages.
    pub fn apart(&self, one: &str, other: &str) -> bool {
        self.of(one) != self.of(other)
    }
}

/// Whether a path lies in a folder, both from the root of the index.
pub fn holds(folder: &str, path: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
}
