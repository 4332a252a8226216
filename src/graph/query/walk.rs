//! Shortest ways along calls: breadth first, each definition once, so that cycles end and the nearest comes first.

use std::collections::{HashMap, VecDeque};

use rusqlite::{Connection, Result};

use super::find;
use super::near::{self, Scope, Step};
use super::reach::Way;
use crate::graph::eval::Grade;

/// Definitions that are looked at, at most: more than the largest trees that were tried have.
const MOST: usize = 1_000_000;

/// Ways from some definitions outwards.
pub struct Walk {
    /// How each definition was come to, and from where.
    came: HashMap<i64, Option<(i64, Step)>>,
    /// In the order they were come to.
    pub order: Vec<i64>,
}

impl Walk {
    /// Goes on until `stop` says so of a definition.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn new(
        db: &Connection,
        from: &[i64],
        way: Way,
        scope: Scope,
        mut stop: impl FnMut(i64) -> bool,
    ) -> Result<Walk> {
        let mut walk = Walk {
            came: from.iter().map(|id| (*id, None)).collect(),
            order: vec![],
        };
        let mut queue: VecDeque<i64> = from.iter().copied().collect();
        while let Some(id) = queue.pop_front() {
            for step in neighbours(db, id, way, scope)? {
                let next = step.def.id;
                if walk.came.contains_key(&next) || walk.came.len() > MOST {
                    continue;
                }
                walk.came.insert(next, Some((id, step)));
                walk.order.push(next);
                if stop(next) {
                    return Ok(walk);
                }
                queue.push_back(next);
            }
        }
        Ok(walk)
    }

    /// The steps to a definition, from the beginning on; none where it was not come to.
    pub fn to(&self, id: i64) -> Option<Vec<Step>> {
        let mut steps = vec![];
        let mut next = id;
        while let Some((from, step)) = self.came.get(&next)? {
            steps.push(step.clone());
            next = *from;
        }
        steps.reverse();
        Some(steps)
    }
}

fn neighbours(db: &Connection, id: i64, way: Way, scope: Scope) -> Result<Vec<Step>> {
    match way {
        Way::In => near::callers(db, &[id], scope),
        Way::Out => {
            let mut steps = near::callees(db, &[id], scope)?;
            let mut subs = vec![];
            for step in &steps {
                subs.extend(standing_for(db, step)?);
            }
            steps.extend(subs);
            Ok(steps)
        }
    }
}

/// Members that may run where one of a base is called.
fn standing_for(db: &Connection, step: &Step) -> Result<Vec<Step>> {
    let mut statement = db.prepare_cached(
        "SELECT sub FROM over JOIN def ON def.id = sub JOIN file ON file.id = def.file WHERE sup = ?1
         ORDER BY file.path, def.line",
    )?;
    let subs: Vec<i64> = statement
        .query_map([step.def.id], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let to = |sub: i64| {
        Ok(Step {
            def: find::by_id(db, sub)?,
            grade: Grade::Possible,
            over: true,
            ..step.clone()
        })
    };
    subs.into_iter().map(to).collect()
}
