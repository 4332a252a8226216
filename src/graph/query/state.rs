//! What the graph is: how much is in it, from when, what was passed over.

use rusqlite::{Connection, Result};

use crate::graph::eval::Grade;
use crate::graph::sorts;
use crate::graph::store;

/// The graph in numbers.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub files: u64,
    pub lines: u64,
    pub symbols: u64,
    /// Calls, from the surest grade on.
    pub calls: Vec<(Grade, u64)>,
    pub uses: u64,
    pub unresolved: u64,
    /// Lines of each language, most first.
    pub languages: Vec<(String, u64)>,
    pub packages: u64,
    pub tests: u64,
    pub generated: u64,
    pub vendored: u64,
    /// Files in which something may be missing.
    pub damaged: u64,
    /// The commit that was checked out when the graph was written.
    pub indexed_head: Option<String>,
    /// Seconds since 1970.
    pub indexed_at: i64,
    /// Files that changed since and are not in it.
    pub stale: usize,
    /// Bytes of the database.
    pub size: u64,
}

/// What every answer says of the graph: cheap.
pub fn state(db: &Connection, stale: usize) -> Result<State> {
    Ok(State {
        indexed_head: store::meta(db, "head")?,
        indexed_at: store::meta(db, "indexed_at")?.unwrap_or(0),
        stale,
        ..State::default()
    })
}

/// All of it.
pub fn counted(db: &Connection, state: State) -> Result<State> {
    let number = |sql: &str| -> Result<u64> {
        db.query_row(sql, [], |row| row.get::<_, i64>(0))
            .map(|number| number as u64)
    };
    let files_with = |flag: u32| {
        number(&format!(
            "SELECT count(*) FROM file WHERE role < 2 AND flags & {flag}"
        ))
    };
    let mut calls = vec![];
    for &grade in Grade::ALL {
        calls.push((
            grade,
            number(&format!(
                "SELECT count(*) FROM edge WHERE sort = 0 AND grade = {}",
                grade as u8
            ))?,
        ));
    }
    let mut statement = db.prepare(
        "SELECT language, sum(lines) FROM file WHERE role = 0 GROUP BY language ORDER BY 2 DESC, 1",
    )?;
    let languages =
        statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    Ok(State {
        files: number("SELECT count(*) FROM file WHERE role = 0")?,
        lines: number("SELECT coalesce(sum(lines), 0) FROM file WHERE role = 0")?,
        symbols: symbols(db)?,
        calls,
        uses: number("SELECT count(*) FROM edge WHERE sort = 1")?,
        unresolved: number("SELECT count(*) FROM site")?,
        languages: languages.collect::<Result<_>>()?,
        packages: number("SELECT count(*) FROM pkg")?,
        tests: files_with(sorts::TEST)?,
        generated: files_with(sorts::GENERATED)?,
        vendored: files_with(sorts::VENDORED)?,
        damaged: number("SELECT count(*) FROM file WHERE damaged")?,
        size: number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?,
        ..state
    })
}

/// Definitions in the graph.
pub fn symbols(db: &Connection) -> Result<u64> {
    db.query_row("SELECT count(*) FROM def WHERE local >= 0", [], |row| {
        row.get::<_, i64>(0)
    })
    .map(|number| number as u64)
}
