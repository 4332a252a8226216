//! What changed written into a graph, and all that depends on it linked again. The caller holds the transaction.

use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::Connection;

use super::read::Read;
use super::{Options, Report, finish, package, restamp};
use crate::graph::fresh::Changes;
use crate::graph::link::{self, link};
use crate::graph::packages::Packages;
use crate::graph::store::shelf::Stored;
use crate::graph::store::write::{self, FileRow};
use crate::graph::surface::surface;
use crate::graph::world::{Key, World};

/// Writes what changed, and links it and what depends on it.
pub fn apply(
    db: &Connection,
    root: &Path,
    changed: Vec<Read>,
    same: &[FileRow],
    changes: &Changes,
    packages: &Packages,
    options: &Options,
) -> Result<Report> {
    let mut keys: Vec<Key> = vec![];
    for &id in &changes.gone {
        keys.extend(write::remove(db, id)?);
    }
    let mut dirty = vec![];
    let read = changed.len();
    for read in changed {
        keys.extend(replace(db, read, packages, &mut dirty)?);
    }
    restamp(db, same)?;
    dirty.extend(dependents(db, &keys)?);
    dirty.sort_unstable();
    dirty.dedup();
    link_again(db, &dirty, packages)?;
    finish(db, root, changes, options)?;
    Ok(Report {
        read,
        ..Report::default()
    })
}

/// Writes one file that changed; gives the keys that did.
fn replace(
    db: &Connection,
    read: Read,
    packages: &Packages,
    dirty: &mut Vec<i64>,
) -> Result<Vec<Key>> {
    let mut row = read.row;
    let Some((rules, facts)) = read.source else {
        // It may have been a source until now.
        let known: Option<i64> = db
            .prepare_cached("SELECT id FROM file WHERE path = ?1")?
            .query_map([&row.path], |row| row.get(0))?
            .next()
            .transpose()?;
        let keys = known.map_or(Ok(vec![]), |id| write::remove(db, id))?;
        write::file(db, &row)?;
        return Ok(keys);
    };
    row.home = (rules.home)(&row.path, &facts, packages);
    row.pkg = package(packages, &row.path);
    let provides = link::provides(&row.path, &row.home, rules, &facts);
    let id = write::file(db, &row)?;
    write::definitions(db, id, &facts, write::known(db, id)?)?;
    dirty.push(id);
    Ok(write::detail(db, id, &facts, surface(&facts), &provides)?)
}

/// Files whose links looked up one of these keys.
pub fn dependents(db: &Connection, keys: &[Key]) -> Result<Vec<i64>> {
    let mut statement = db.prepare_cached("SELECT file FROM need WHERE key = ?1")?;
    let mut files = vec![];
    for key in keys {
        let rows = statement.query_map([key.0 as i64], |row| row.get(0))?;
        files.extend(rows.collect::<rusqlite::Result<Vec<i64>>>()?);
    }
    Ok(files)
}

fn link_again(db: &Connection, dirty: &[i64], packages: &Packages) -> Result<()> {
    let (stored, files) = Stored::new(db)?;
    let world = World {
        packages,
        files: &files,
        shelf: &stored,
    };
    for &id in dirty {
        let Some(file) = stored.file(id) else {
            continue;
        };
        let linked = link(&world, file);
        stored.check()?;
        let mut statement =
            db.prepare_cached("SELECT id FROM def WHERE file = ?1 ORDER BY local = -1, local")?;
        let own: Vec<i64> = statement
            .query_map([id], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let needed = write::unlink(db, id, &own)?;
        let row = |def| stored.def(def);
        write::links(db, id, &own, &linked, &needed, row).context("links of a file")?;
    }
    Ok(())
}
