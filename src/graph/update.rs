//! The graph brought up to date: made anew, or only what changed and what depends on it linked again. The result is the same
//! either way; a test replays histories to hold us to it.
//!
//! One update is one immediate transaction: who reads meanwhile sees the graph before it. What two writers find at once is
//! written once: the second sees that the generation is another, and looks again.

mod apply;
mod fill;
mod read;
mod roots;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;
use rusqlite::{Connection, TransactionBehavior, params};

use self::apply::apply;
pub(super) use self::apply::dependents;
use self::read::Read;
use self::roots::Roots;
use super::fresh::{self, Changes};
use super::packages::Packages;
use super::store::write::{FileRow, Role};
use super::store::{self, Opened};
use crate::cache::Folder;
use crate::git::Repository;
use crate::outline::Limits;

/// Updates that another writer may be ahead of us with.
const ATTEMPTS: u32 = 5;

/// What is asked of an update.
#[derive(Debug, Clone)]
pub struct Options {
    /// Roots besides the one the graph lies in, absolute; none for those it has.
    pub others: Option<Vec<PathBuf>>,
    pub threads: usize,
    /// Index what others wrote and what was generated, too.
    pub vendored: bool,
    /// Leave the graph as it is where more files than this have changed.
    pub most: Option<usize>,
    pub limits: Limits,
}

/// What an update did.
#[derive(Debug, Default)]
pub struct Report {
    /// Files read.
    pub read: usize,
    /// The graph was made anew: why.
    pub made: Option<&'static str>,
    /// Files that changed and were left, with why.
    pub left: Option<(usize, &'static str)>,
}

/// The graph of a tree, up to date. Where it cannot be written, one is made for this question alone.
///
/// # Errors
/// Where the tree cannot be walked; where only so many files may be read, and that is not enough.
pub fn open(root: &Path, folder: &Folder, options: &Options) -> Result<(Connection, Report)> {
    let (why, mut writable) = match store::open(folder) {
        Ok(Opened::Graph(db)) if roots::differ(&db, root, options)? => ("other roots", true),
        Ok(Opened::Graph(mut db)) => match brought(&mut db, root, options) {
            Ok(Some(report)) => return Ok((db, report)),
            Ok(None) => ("packages changed", true),
            Err(error) => failed(error)?,
        },
        Ok(Opened::Nothing) => ("none was there", true),
        Ok(Opened::Useless(why)) => (why, true),
        Err(error) => failed(error.into())?,
    };
    if options.most.is_some() {
        anyhow::bail!("no index: {why}");
    }
    let roots = Roots::wanted(root, folder, options);
    writable &= store::remove(folder).is_ok();
    if writable {
        match make(&roots, Some(folder), options, why) {
            Err(error) if error.downcast_ref().is_some_and(store::cannot_write) => {}
            Err(error) if error.is::<std::io::Error>() => {}
            made => return made,
        }
    }
    make(&roots, None, options, "it cannot be written")
}

/// Why a graph that cannot be asked has to be made anew, and whether it can be written.
fn failed(error: anyhow::Error) -> Result<(&'static str, bool)> {
    match error.downcast_ref() {
        Some(error) if store::is_broken(error) => Ok(("damaged", true)),
        Some(error) if store::cannot_write(error) => Ok(("it cannot be written", false)),
        _ => Err(error),
    }
}

/// Makes the graph anew: in a folder, or in memory.
fn make(
    roots: &Roots,
    folder: Option<&Folder>,
    options: &Options,
    why: &'static str,
) -> Result<(Connection, Report)> {
    let survey = fresh::survey(&roots.all()[0], roots.all(), false)?;
    let written = |mut db: Connection| {
        let report = fill::fill(&mut db, roots, survey, options)?;
        let made = Some(why);
        Ok::<_, anyhow::Error>((db, Report { made, ..report }))
    };
    let Some(folder) = folder else {
        return written(store::temporary()?);
    };
    let (path, db) = store::create(folder)?;
    let placed =
        written(db).and_then(|(db, report)| Ok((store::place(folder, &path, db)?, report)));
    placed.inspect_err(|_| discard(&path))
}

fn discard(path: &Path) {
    // What is left lying there is swept by the next writer.
    let _ = fs::remove_file(path);
}

/// What every update ends with: the folders listed, the commit, the time, the generation.
fn finish(db: &Connection, root: &Path, changes: &Changes, options: &Options) -> Result<()> {
    write_folders(db, changes)?;
    let head = Repository::around(root).and_then(|repository| repository.head());
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    store::set_meta(db, "head", head)?;
    store::set_meta(db, "indexed_at", now.as_secs() as i64)?;
    store::set_meta(db, "vendored", options.vendored)?;
    store::set_meta(db, "generation", generation(db)? + 1)?;
    Ok(())
}

fn write_folders(db: &Connection, changes: &Changes) -> rusqlite::Result<()> {
    for (path, stamp) in &changes.folders {
        match stamp {
            Some(stamp) => db
                .prepare_cached("INSERT OR REPLACE INTO folder VALUES (?1, ?2)")?
                .execute(params![path, stamp])?,
            None => db
                .prepare_cached("DELETE FROM folder WHERE path = ?1")?
                .execute([path])?,
        };
    }
    Ok(())
}

fn generation(db: &Connection) -> rusqlite::Result<i64> {
    Ok(store::meta(db, "generation")?.unwrap_or(0))
}

fn write_packages(db: &Connection, packages: &Packages) -> Result<()> {
    for (package, id) in packages.all.iter().zip(1i64..) {
        let mut statement = db.prepare_cached("INSERT INTO pkg VALUES (?1, ?2, ?3, ?4)")?;
        statement.execute(params![id, package.root, package.name, package.manifest])?;
    }
    store::set_meta(db, "packages", packages.hash())?;
    Ok(())
}

/// The innermost package that a path lies in.
fn package(packages: &Packages, path: &str) -> Option<i64> {
    let found = packages
        .all
        .iter()
        .position(|package| package.holds(path))?;
    Some(found as i64 + 1)
}

/// Brings a graph up to date; none where it must be made anew.
fn brought(db: &mut Connection, root: &Path, options: &Options) -> Result<Option<Report>> {
    if store::meta::<bool>(db, "vendored")? == Some(!options.vendored) && options.vendored {
        return Ok(None);
    }
    for _ in 0..ATTEMPTS {
        let before = generation(db)?;
        let roots = Roots::known(db, root)?;
        let changes = fresh::changes(db, roots.all())?;
        let count = changes.files.len() + changes.gone.len();
        if options.most.is_some_and(|most| count > most) {
            return Ok(Some(left(count, "too many to read at once")));
        }
        let (same, changed) = told_apart(db, read_again(&roots, &changes, options)?)?;
        let manifests = changed.iter().any(|read| read.row.role == Role::Manifest)
            || any_manifest(db, &changes.gone)?;
        let packages = packages(db, root)?;
        if manifests && store::meta::<i64>(db, "packages")? != Some(packages.hash()) {
            return Ok(None);
        }
        if changed.is_empty() && changes.gone.is_empty() {
            settle(db, &same, &changes);
            return Ok(Some(Report::default()));
        }
        let Some(transaction) = begin(db, before)? else {
            continue;
        };
        let report = apply(
            &transaction,
            root,
            changed,
            &same,
            &changes,
            &packages,
            options,
        )?;
        transaction.commit()?;
        return Ok(Some(report));
    }
    Ok(Some(left(1, "another writer is ahead")))
}

fn left(count: usize, why: &'static str) -> Report {
    Report {
        left: Some((count, why)),
        ..Report::default()
    }
}

/// A transaction that writes; none where another writer has been there since.
fn begin(db: &mut Connection, before: i64) -> Result<Option<rusqlite::Transaction<'_>>> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    Ok((generation(&transaction)? == before).then_some(transaction))
}

fn read_again(roots: &Roots, changes: &Changes, options: &Options) -> Result<Vec<Read>> {
    let (root, attributes) = (&roots.all()[0], roots.attributes());
    let work = |seen| read::read(root, seen, &attributes, options);
    let mut files = vec![];
    read::each(changes.files.iter(), options.threads, work, |read| {
        files.extend(read);
        Ok(())
    })?;
    Ok(files)
}

/// Files that were read though nothing changed but their times, and the others.
fn told_apart(db: &Connection, files: Vec<Read>) -> Result<(Vec<FileRow>, Vec<Read>)> {
    let (mut same, mut changed) = (vec![], vec![]);
    let mut statement = db.prepare_cached("SELECT hash, flags FROM file WHERE path = ?1")?;
    for read in files {
        let mut rows = statement.query([&read.row.path])?;
        let known: Option<(Vec<u8>, u32)> = rows
            .next()?
            .map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?)))
            .transpose()?;
        match known == Some((read.row.hash.clone(), read.row.flags)) {
            true => same.push(read.row),
            false => changed.push(read),
        }
    }
    Ok((same, changed))
}

fn any_manifest(db: &Connection, gone: &[i64]) -> rusqlite::Result<bool> {
    let mut statement = db.prepare_cached("SELECT 1 FROM file WHERE id = ?1 AND role = 2")?;
    for id in gone {
        if statement.exists([id])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The packages as the manifests on disk have them.
pub fn packages(db: &Connection, root: &Path) -> Result<Packages> {
    let mut statement = db.prepare_cached("SELECT path FROM file WHERE role = 2 ORDER BY path")?;
    let paths: Vec<String> = statement
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let manifests = read::manifests(root, paths.into_iter());
    Ok(Packages::read(&manifests))
}

/// Notes that times changed and nothing else, if that can be written: it only saves reading.
fn settle(db: &Connection, same: &[FileRow], changes: &Changes) {
    let worth = same.iter().any(|row| row.stamp != 0)
        || changes.folders.iter().any(|(_, stamp)| *stamp != Some(0));
    if !worth {
        return;
    }
    let write = || -> rusqlite::Result<()> {
        db.execute_batch("BEGIN IMMEDIATE")?;
        restamp(db, same)?;
        write_folders(db, changes)?;
        db.execute_batch("COMMIT")
    };
    if write().is_err() && !db.is_autocommit() {
        let _ = db.execute_batch("ROLLBACK");
    }
}

fn restamp(db: &Connection, same: &[FileRow]) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached("UPDATE file SET stamp = ?2 WHERE path = ?1")?;
    for row in same {
        statement.execute(params![row.path, row.stamp])?;
    }
    Ok(())
}
