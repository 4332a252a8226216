//! Questions to the graph: rows as plain data. Knows no verb's wording.

pub mod across;
pub mod brief;
pub mod find;
pub mod near;
pub mod packs;
pub mod rank;
pub mod reach;
pub mod state;
pub mod unused;
pub mod walk;

use anyhow::Result;
use rusqlite::Connection;

use super::eval::Grade;
use super::facts::flag;
use super::sorts;
use crate::model::Kind;

/// A call, its ends named `path::qualname`.
pub struct EdgeRow {
    pub caller: String,
    pub callee: String,
    pub line: u32,
    pub grade: Grade,
    pub caller_kind: Kind,
    pub callee_kind: Kind,
    pub caller_line: u32,
    pub callee_line: u32,
    /// The caller is test code.
    pub test: bool,
    /// Behind a condition that is never true, or for another platform.
    pub dead: bool,
}

/// Every call of the graph, in an order that does not depend on how the graph came to be.
///
/// # Errors
/// What SQLite says, or the receiver.
pub fn edges(db: &Connection, mut receive: impl FnMut(EdgeRow) -> Result<()>) -> Result<()> {
    let mut statement = db.prepare(
        "SELECT caller_file.path || '::' || caller.qual, callee_file.path || '::' || callee.qual, edge.line, edge.grade,
           caller.kind, callee.kind, caller.line, callee.line, caller.flags, caller_file.flags, edge.dead
         FROM edge JOIN def caller ON caller.id = edge.src JOIN file caller_file ON caller_file.id = caller.file
           JOIN def callee ON callee.id = edge.dst JOIN file callee_file ON callee_file.id = callee.file
         WHERE edge.sort = 0
         ORDER BY 1, edge.line, 2, caller.line, callee.line, edge.grade",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        receive(EdgeRow {
            caller: row.get(0)?,
            callee: row.get(1)?,
            line: row.get(2)?,
            grade: Grade::from(row.get(3)?),
            caller_kind: kind(row.get(4)?),
            callee_kind: kind(row.get(5)?),
            caller_line: row.get(6)?,
            callee_line: row.get(7)?,
            dead: row.get(10)?,
            test: row.get::<_, u32>(8)? & u32::from(flag::TEST) != 0
                || row.get::<_, u32>(9)? & sorts::TEST != 0,
        })?;
    }
    Ok(())
}

/// The kind that a row has by its number.
pub fn kind(number: u8) -> Kind {
    Kind::ALL
        .get(usize::from(number))
        .copied()
        .unwrap_or(Kind::Variable)
}
