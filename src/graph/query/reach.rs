//! What depends on definitions, and what they depend on, by the least number of steps: one recursive query finds the
//! definitions, then the edges between one depth and the next are read.

use std::collections::HashMap;

use rusqlite::{Connection, Result, params};

use super::find::{self, Def};
use super::near::{self, Scope, Step};
use crate::graph::eval::Grade;
use crate::graph::facts::flag;
use crate::graph::sorts;

/// Members that stand for one of a base, at most: more are counted.
pub const MOST_OVERRIDES: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To those who call.
    In,
    /// To what is called.
    Out,
}

/// An edge between two depths.
#[derive(Debug, Clone)]
pub struct Reached {
    /// From 1 on.
    pub depth: u32,
    pub step: Step,
    /// The far end stands for the near one, or the other way round: no call is written.
    pub stands: bool,
}

#[derive(Debug, Default)]
pub struct Reach {
    /// By depth, then in the order of paths and lines.
    pub sites: Vec<Reached>,
    /// Overriding members that were not followed.
    pub capped: usize,
}

/// Everything within some steps.
///
/// # Errors
/// What SQLite says.
pub fn reach(db: &Connection, ids: &[i64], way: Way, depth: u32, scope: Scope) -> Result<Reach> {
    let levels = levels(db, ids, way, depth, scope)?;
    let mut order: Vec<(u32, i64)> = levels.iter().map(|(id, depth)| (*depth, *id)).collect();
    order.sort_unstable();
    let mut reach = Reach::default();
    for (level, id) in order.into_iter().filter(|(level, _)| *level < depth) {
        let steps = match way {
            Way::In => near::callers(db, &[id], scope)?,
            Way::Out => near::callees(db, &[id], scope)?,
        };
        let next = |step: &Step| levels.get(&step.def.id) == Some(&(level + 1));
        let steps = steps.into_iter().filter(next);
        reach.sites.extend(steps.map(|step| Reached {
            depth: level + 1,
            step,
            stands: false,
        }));
        let (overrides, more) = overriding(db, id, scope)?;
        reach.capped += more;
        let overrides = overrides.into_iter().filter(next);
        reach.sites.extend(overrides.map(|step| Reached {
            depth: level + 1,
            step,
            stands: true,
        }));
    }
    reach.sites.sort_by(|one, other| {
        let key = |site: &Reached| {
            (
                site.depth,
                site.step.def.path.clone(),
                site.step.line,
                site.step.def.line,
            )
        };
        key(one).cmp(&key(other))
    });
    Ok(reach)
}

/// The least depth of each definition that is reached.
fn levels(
    db: &Connection,
    ids: &[i64],
    way: Way,
    depth: u32,
    scope: Scope,
) -> Result<HashMap<i64, u32>> {
    let (far, near) = match way {
        Way::In => ("src", "dst"),
        Way::Out => ("dst", "src"),
    };
    let counts = format!(
        "reach.depth < ?2 AND edge.grade <= ?3 AND (?4 OR edge.sort = 0) AND (?5 OR NOT EXISTS (
           SELECT 1 FROM def JOIN file ON file.id = def.file
           WHERE def.id = edge.{far} AND (def.flags & {} OR file.flags & {})))",
        flag::TEST,
        sorts::TEST
    );
    // Who calls the member of a base may run the one that stands for it.
    let by_base = match way {
        Way::In => format!(
            "UNION SELECT edge.src, reach.depth + 1 FROM reach JOIN over ON over.sub = reach.id
             JOIN edge ON edge.dst = over.sup WHERE {counts}"
        ),
        Way::Out => String::new(),
    };
    let sql = format!(
        "WITH RECURSIVE reach(id, depth) AS (
           SELECT value, 0 FROM json_each(?1)
           UNION SELECT edge.{far}, reach.depth + 1 FROM reach JOIN edge ON edge.{near} = reach.id WHERE {counts}
           {by_base}
           UNION SELECT over.sub, reach.depth + 1 FROM reach JOIN over ON over.sup = reach.id
             WHERE reach.depth < ?2 AND over.sub IN (
               SELECT sub FROM over AS one JOIN def ON def.id = one.sub JOIN file ON file.id = def.file
               WHERE one.sup = reach.id ORDER BY file.path, def.line LIMIT {MOST_OVERRIDES}))
         SELECT id, min(depth) FROM reach GROUP BY id"
    );
    let grade = match scope.guesses {
        true => Grade::Guess,
        false => Grade::Possible,
    };
    let list = format!("{ids:?}");
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map(
        params![list, depth, grade as u8, scope.uses, scope.tests],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    rows.collect()
}

/// Members that stand for one of a base, as steps to them, and how many more there are.
fn overriding(db: &Connection, id: i64, scope: Scope) -> Result<(Vec<Step>, usize)> {
    let mut statement = db.prepare_cached(
        "SELECT sub FROM over JOIN def ON def.id = sub JOIN file ON file.id = def.file WHERE sup = ?1
         ORDER BY file.path, def.line",
    )?;
    let subs: Vec<i64> = statement
        .query_map([id], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let more = subs.len().saturating_sub(MOST_OVERRIDES);
    let mut steps = vec![];
    for sub in subs.into_iter().take(MOST_OVERRIDES) {
        let def = find::by_id(db, sub)?;
        if scope.tests || !def.is_test() {
            steps.push(Step {
                line: def.line,
                def,
                of: id,
                grade: Grade::Possible,
                used: false,
                over: true,
                dead: false,
            });
        }
    }
    Ok((steps, more))
}

/// Definitions inside of others, these included: what a change of them changes.
///
/// # Errors
/// What SQLite says.
pub fn with_members(db: &Connection, defs: &[Def]) -> Result<Vec<i64>> {
    let ids: Vec<i64> = defs.iter().map(|def| def.id).collect();
    let mut statement = db.prepare_cached(
        "WITH RECURSIVE inside(id) AS (
           SELECT value FROM json_each(?1) UNION SELECT def.id FROM inside JOIN def ON def.parent = inside.id)
         SELECT id FROM inside ORDER BY id",
    )?;
    statement
        .query_map([format!("{ids:?}")], |row| row.get(0))?
        .collect()
}

/// All that a file defines, its own code included.
///
/// # Errors
/// What SQLite says.
pub fn of_file(db: &Connection, file: i64) -> Result<Vec<i64>> {
    db.prepare_cached("SELECT id FROM def WHERE file = ?1 ORDER BY id")?
        .query_map([file], |row| row.get(0))?
        .collect()
}
