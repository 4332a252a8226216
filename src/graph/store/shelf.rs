//! The graph as the evaluator sees it: facts and keys out of the store, as they are asked for.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::{Connection, Result, params};

use crate::graph::facts::Facts;
use crate::graph::resolve::{self, Rules};
use crate::graph::world::{Entry, FileId, Files, Key, Shelf};
use crate::lang::Language;

/// Files by their place among the paths, and the rows they have.
pub struct Stored<'c> {
    db: &'c Connection,
    ids: Vec<i64>,
    files: HashMap<i64, FileId>,
    /// The first thing that could not be read.
    failed: RefCell<Option<rusqlite::Error>>,
}

impl<'c> Stored<'c> {
    /// All sources of the graph, in the order of their paths.
    pub fn new(db: &'c Connection) -> Result<(Stored<'c>, Files)> {
        let mut statement = db.prepare_cached(
            "SELECT id, path, language, home FROM file WHERE role = 0 ORDER BY path",
        )?;
        let mut rows = statement.query([])?;
        let (mut ids, mut entries) = (vec![], vec![]);
        while let Some(row) = rows.next()? {
            let language: String = row.get(2)?;
            let Some(rules) = rules(&language) else {
                continue;
            };
            ids.push(row.get(0)?);
            entries.push(Entry {
                path: row.get(1)?,
                rules,
                home: row.get(3)?,
                facts: None,
            });
        }
        let files = ids.iter().copied().zip(0..).collect();
        let stored = Stored {
            db,
            ids,
            files,
            failed: RefCell::default(),
        };
        Ok((stored, Files::new(entries)))
    }

    /// The row of a file.
    pub fn id(&self, file: FileId) -> i64 {
        self.ids[file as usize]
    }

    /// The file of a row.
    pub fn file(&self, id: i64) -> Option<FileId> {
        self.files.get(&id).copied()
    }

    /// Whether all that was asked for could be read.
    ///
    /// # Errors
    /// The first that could not.
    pub fn check(&self) -> Result<()> {
        let failed = self.failed.take();
        failed.map_or(Ok(()), Err)
    }

    /// A value, or its default where it could not be read; [`Stored::check`] tells.
    fn noted<T: Default>(&self, read: Result<T>) -> T {
        read.unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    /// The row of a definition.
    pub fn def(&self, def: crate::graph::value::Ref) -> Result<Option<i64>> {
        let db = self.db;
        let mut statement =
            db.prepare_cached("SELECT id FROM def WHERE file = ?1 AND local = ?2")?;
        let mut rows = statement.query(params![self.id(def.file), def.def])?;
        rows.next()?.map(|row| row.get(0)).transpose()
    }
}

fn rules(language: &str) -> Option<&'static Rules> {
    resolve::rules(Language::by_name(language)?)
}

impl Shelf for Stored<'_> {
    fn facts(&self, file: FileId) -> Facts {
        let db = self.db;
        let read = || -> Result<Vec<u8>> {
            let mut statement = db.prepare_cached("SELECT facts FROM detail WHERE file = ?1")?;
            statement.query_row([self.id(file)], |row| row.get(0))
        };
        let broken = |_| {
            rusqlite::Error::InvalidColumnType(0, "facts".to_string(), rusqlite::types::Type::Blob)
        };
        let facts = read().and_then(|blob| postcard::from_bytes(&blob).map_err(broken));
        self.noted(facts)
    }

    fn find(&self, key: Key) -> Vec<FileId> {
        let db = self.db;
        let read = || -> Result<Vec<i64>> {
            let mut statement = db.prepare_cached("SELECT file FROM provide WHERE key = ?1")?;
            let rows = statement.query_map([key.0 as i64], |row| row.get(0))?;
            rows.collect()
        };
        let mut files: Vec<FileId> = self
            .noted(read())
            .into_iter()
            .filter_map(|id| self.file(id))
            .collect();
        files.sort_unstable();
        files
    }
}
