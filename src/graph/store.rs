//! The graph on disk: one SQLite file in the cache folder. Opens it, tells whether it can be used, makes a new one; rows are
//! `write`'s and `shelf`'s. Nothing here decides what has to be read again.
//!
//! A new graph is written beside the old one's place without a journal, and put there whole: a reader sees none or all of it,
//! and a killed writer leaves a file that the next one sweeps. From then on it is WAL: an update is one transaction.

pub mod shelf;
pub mod write;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use crate::cache::{Folder, fingerprint};

/// Name in the cache folder.
pub const GRAPH: &str = "graph.db";
const SCHEMA: &str = include_str!("store/schema.sql");
/// Made once the rows are there: half the time of keeping them while rows come.
const INDEXES: &str = include_str!("store/indexes.sql");

/// How the file begins that a graph is made in.
const WRITING: &str = "writing-graph-";

/// How long a second writer waits for the first.
const PATIENCE: Duration = Duration::from_secs(5);

/// What lies where the graph should be.
pub enum Opened {
    Nothing,
    /// It cannot be used: why.
    Useless(&'static str),
    Graph(Connection),
}

/// The graph's file.
pub fn path(folder: &Folder) -> PathBuf {
    folder.path.join(GRAPH)
}

/// Opens the graph to be read, and written if it can be.
///
/// # Errors
/// What SQLite says, but for files that are no graph.
pub fn open(folder: &Folder) -> rusqlite::Result<Opened> {
    let path = path(folder);
    if folder.is_link() || !path.is_file() {
        return Ok(Opened::Nothing);
    }
    match connect(&path).and_then(|db| Ok((meta::<Vec<u8>>(&db, "fingerprint")?, db))) {
        Ok((Some(known), db)) if known == fingerprint() => Ok(Opened::Graph(db)),
        Ok(_) => Ok(Opened::Useless("written by another version")),
        Err(error) if is_broken(&error) => Ok(Opened::Useless("damaged")),
        Err(error) => Err(error),
    }
}

/// What a graph says of itself that is about to be made anew, as far as it can be read.
pub fn kept(folder: &Folder, key: &str) -> Option<String> {
    let path = path(folder);
    if folder.is_link() || !path.is_file() {
        return None;
    }
    meta(&connect(&path).ok()?, key).ok()?
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(path, flags)?;
    prepare(&db)?;
    let readable = db.query_row("SELECT count(*) FROM meta", [], |row| row.get::<_, i64>(0));
    match readable {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if matches!(error.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly) =>
        {
            immutable(path)
        }
        Err(error) => Err(error),
        Ok(_) => Ok(db),
    }
}

/// For folders that cannot be written to: without locks, as nobody else writes there either.
fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let name = path
        .to_string_lossy()
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
}

fn prepare(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(PATIENCE)?;
    db.set_prepared_statement_cache_capacity(64);
    db.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 268435456; PRAGMA temp_store = MEMORY;",
    )
}

/// Whether an error says that the file is no graph, or no longer.
pub fn is_broken(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(error, message) => {
            let lacks = message.as_deref().is_some_and(|text| {
                text.starts_with("no such table") || text.contains("malformed")
            });
            matches!(
                error.code,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase
            ) || lacks
        }
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..) => {
            true
        }
        _ => false,
    }
}

/// Whether an error says that there is no place, or no right, to write.
pub fn cannot_write(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::CannotOpen
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
        )
    )
}

/// Makes a graph in a file of its own, to be put in its place by [`place`].
///
/// # Errors
/// Where the folder cannot be made or the file not be written.
pub fn create(folder: &Folder) -> anyhow::Result<(PathBuf, Connection)> {
    folder.make()?;
    folder.sweep();
    let (path, file) = folder.create(&format!("{WRITING}{}", std::process::id()))?;
    drop(file);
    let db = Connection::open(&path)?;
    db.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;")?;
    in_memory_or_not(&db)?;
    Ok((path, db))
}

/// A graph for one question, where none can be written.
///
/// # Errors
/// What SQLite says.
pub fn temporary() -> rusqlite::Result<Connection> {
    let db = Connection::open_in_memory()?;
    in_memory_or_not(&db)?;
    Ok(db)
}

/// Whether somebody makes a graph, or died over it not long ago.
pub fn is_being_made(folder: &Folder) -> bool {
    folder.sweep();
    let mut names = folder
        .files()
        .into_iter()
        .filter_map(|(path, _)| path.file_name().map(|name| name.to_owned()));
    names.any(|name| name.to_string_lossy().starts_with(WRITING))
}

fn in_memory_or_not(db: &Connection) -> rusqlite::Result<()> {
    db.set_prepared_statement_cache_capacity(64);
    db.execute_batch(SCHEMA)?;
    set_meta(db, "fingerprint", fingerprint().to_vec())
}

/// Ends the making of a graph: what finds its rows.
///
/// # Errors
/// What SQLite says.
pub fn index(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(INDEXES)
}

/// Puts a graph that was made into its place, and opens it there. Where another writer was first, theirs stays.
///
/// # Errors
/// Where it cannot be put there.
pub fn place(folder: &Folder, made: &Path, db: Connection) -> anyhow::Result<Connection> {
    db.execute_batch("PRAGMA journal_mode = WAL;")?;
    db.close().map_err(|(_, error)| error)?;
    let target = path(folder);
    match fs::hard_link(made, &target) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(made, &target)?,
        _ => fs::remove_file(made)?,
    }
    Ok(connect(&target)?)
}

/// Removes a graph that is of no use, with what SQLite keeps beside it.
///
/// # Errors
/// Where it cannot be removed.
pub fn remove(folder: &Folder) -> io::Result<()> {
    // What is kept beside it first: replayed into another file it would do harm.
    for name in ["graph.db-wal", "graph.db-shm", GRAPH] {
        match fs::remove_file(folder.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// What the graph says of itself.
///
/// # Errors
/// What SQLite says.
pub fn meta<T: rusqlite::types::FromSql>(
    db: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let mut statement = db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    let found = statement.query_row([key], |row| row.get(0)).optional()?;
    Ok(found.flatten())
}

/// Sets what the graph says of itself.
///
/// # Errors
/// What SQLite says.
pub fn set_meta(db: &Connection, key: &str, value: impl rusqlite::ToSql) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
    statement.execute(rusqlite::params![key, value]).map(|_| ())
}
