//! Edges that leave a set of files, or come into it: what files and packages depend on.

use std::collections::HashSet;

use rusqlite::{Connection, Result};

use super::find::{self, COLUMNS, Def};
use super::near::Step;
use super::packs::holds;
use super::reach::Way;
use crate::graph::eval::Grade;

/// Every edge across the border of some files: the far end, and where the call stands (in the file of the caller).
///
/// # Errors
/// What SQLite says.
pub fn across(db: &Connection, files: &HashSet<i64>, way: Way) -> Result<Vec<(Step, Def)>> {
    let (near, far) = match way {
        Way::Out => ("src", "dst"),
        Way::In => ("dst", "src"),
    };
    let sql = format!(
        "SELECT edge.line, edge.grade, edge.sort, edge.dead, edge.{near}, {COLUMNS} FROM def AS own
         JOIN edge ON edge.{near} = own.id JOIN def ON def.id = edge.{far} JOIN file ON file.id = def.file
         WHERE own.file = ?1"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut ordered: Vec<i64> = files.iter().copied().collect();
    ordered.sort_unstable();
    let mut found = vec![];
    for file in ordered {
        let rows = statement.query_map([file], |row| {
            Ok(Step {
                line: row.get(0)?,
                grade: Grade::from(row.get(1)?),
                used: row.get::<_, u8>(2)? != 0,
                dead: row.get(3)?,
                of: row.get(4)?,
                def: Def::read(row, 5)?,
                over: false,
            })
        })?;
        for step in rows {
            let step = step?;
            if !files.contains(&step.def.file) {
                let own = find::by_id(db, step.of)?;
                found.push((step, own));
            }
        }
    }
    let key = |(step, own): &(Step, Def)| {
        let caller = if way == Way::Out { own } else { &step.def };
        (
            step.def.path.clone(),
            caller.path.clone(),
            step.line,
            step.def.line,
        )
    };
    found.sort_by_key(key);
    Ok(found)
}

/// Files of the graph at a path, or below it.
///
/// # Errors
/// What SQLite says.
pub fn files_within(db: &Connection, path: &str) -> Result<Vec<i64>> {
    let mut statement =
        db.prepare_cached("SELECT id, path FROM file WHERE role = 0 ORDER BY path")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let all: Vec<(i64, String)> = rows.collect::<Result<_>>()?;
    let within = all
        .into_iter()
        .filter(|(_, one)| one == path || holds(path, one));
    Ok(within.map(|(id, _)| id).collect())
}
