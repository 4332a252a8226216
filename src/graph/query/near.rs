//! One step along the graph: who calls a definition, what it calls.

use rusqlite::{Connection, Result, params};

use super::find::{COLUMNS, Def};
use crate::graph::eval::Grade;
use crate::graph::facts::flag;

/// A call or use between a definition that was asked for and another one.
#[derive(Debug, Clone)]
pub struct Step {
    /// The other end.
    pub def: Def,
    /// The end that was asked for, or what stands for it.
    pub of: i64,
    /// Line of the call, in the file of the caller.
    pub line: u32,
    pub grade: Grade,
    /// A use, not a call.
    pub used: bool,
    /// The call goes to a member of a base that this one stands for.
    pub over: bool,
    pub dead: bool,
}

/// What counts as an answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope {
    pub tests: bool,
    pub guesses: bool,
    /// Uses, too.
    pub uses: bool,
}

impl Scope {
    /// Everything.
    pub const ALL: Scope = Scope {
        tests: true,
        guesses: true,
        uses: true,
    };

    /// Whether a step is one of those asked for.
    pub fn counts(self, step: &Step) -> bool {
        self.passes(step).is_none()
    }

    /// Why a step is none of those asked for.
    fn passes(self, step: &Step) -> Option<Passed> {
        match () {
            () if !self.tests && step.def.is_test() => Some(Passed::Test),
            () if !self.guesses && step.grade == Grade::Guess => Some(Passed::Guess),
            () if !self.uses && step.used => Some(Passed::Use),
            () => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passed {
    Test,
    Guess,
    Use,
}

/// How many steps were not asked for, each counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hidden {
    pub tests: usize,
    pub guesses: usize,
    pub uses: usize,
}

/// Leaves those asked for, and counts the others.
pub fn asked_for(steps: Vec<Step>, scope: Scope) -> (Vec<Step>, Hidden) {
    let mut hidden = Hidden::default();
    let mut kept = vec![];
    for step in steps {
        match scope.passes(&step) {
            None => kept.push(step),
            Some(Passed::Test) => hidden.tests += 1,
            Some(Passed::Guess) => hidden.guesses += 1,
            Some(Passed::Use) => hidden.uses += 1,
        }
    }
    (kept, hidden)
}

/// What stands for definitions where they are called: themselves, and the constructors of types.
pub fn stands_for(db: &Connection, defs: &[Def]) -> Result<Vec<i64>> {
    let mut ids: Vec<i64> = defs.iter().map(|def| def.id).collect();
    let mut statement = db.prepare_cached("SELECT id FROM def WHERE parent = ?1 AND flags & ?2")?;
    for def in defs.iter().filter(|def| def.kind.is_type()) {
        let rows = statement.query_map(params![def.id, flag::CONSTRUCTOR], |row| row.get(0))?;
        ids.extend(rows.collect::<Result<Vec<i64>>>()?);
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Callers of definitions, in the order of their paths and lines.
pub fn callers(db: &Connection, ids: &[i64], scope: Scope) -> Result<Vec<Step>> {
    let sql = format!(
        "SELECT edge.line, edge.grade, edge.sort, edge.dead, {COLUMNS} FROM edge
         JOIN def ON def.id = edge.src JOIN file ON file.id = def.file WHERE edge.dst = ?1"
    );
    let mut steps = steps(db, &sql, ids, false, scope)?;
    let mut statement = db.prepare_cached("SELECT sup FROM over WHERE sub = ?1")?;
    for id in ids {
        let sups: Vec<i64> = statement
            .query_map([id], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let sups: Vec<i64> = sups.into_iter().filter(|sup| !ids.contains(sup)).collect();
        for mut step in self::steps(db, &sql, &sups, true, scope)? {
            step.of = *id;
            steps.push(step);
        }
    }
    Ok(ordered(steps))
}

/// What definitions call, in the order of the lines.
pub fn callees(db: &Connection, ids: &[i64], scope: Scope) -> Result<Vec<Step>> {
    let sql = format!(
        "SELECT edge.line, edge.grade, edge.sort, edge.dead, {COLUMNS} FROM edge
         JOIN def ON def.id = edge.dst JOIN file ON file.id = def.file WHERE edge.src = ?1"
    );
    let mut steps = steps(db, &sql, ids, false, scope)?;
    steps.sort_by(|one, other| {
        (one.line, &one.def.path, one.def.line).cmp(&(other.line, &other.def.path, other.def.line))
    });
    Ok(steps)
}

fn steps(db: &Connection, sql: &str, ids: &[i64], over: bool, scope: Scope) -> Result<Vec<Step>> {
    let mut statement = db.prepare_cached(sql)?;
    let mut steps = vec![];
    for &id in ids {
        let rows = statement.query_map([id], |row| {
            Ok(Step {
                line: row.get(0)?,
                grade: Grade::from(row.get(1)?),
                used: row.get::<_, u8>(2)? != 0,
                dead: row.get(3)?,
                def: Def::read(row, 4)?,
                of: id,
                over,
            })
        })?;
        for step in rows {
            let step = step?;
            if scope.counts(&step) {
                steps.push(step);
            }
        }
    }
    Ok(steps)
}

fn ordered(mut steps: Vec<Step>) -> Vec<Step> {
    let key = |step: &Step| {
        (
            step.def.path.clone(),
            step.line,
            step.def.line,
            step.over,
            step.grade,
        )
    };
    steps.sort_by_key(key);
    steps.dedup_by(|one, other| {
        one.def.id == other.def.id && one.line == other.line && one.used == other.used
    });
    steps
}

/// How many calls of a name were not resolved, by how they are written.
pub fn unresolved(db: &Connection, name: &str, scope: Scope) -> Result<Vec<(u8, u32)>> {
    let sql = "SELECT site.shape, def.flags, file.flags FROM site JOIN def ON def.id = site.src JOIN file ON file.id = def.file WHERE site.name = ?1";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([name])?;
    let mut counts: Vec<(u8, u32)> = vec![];
    while let Some(row) = rows.next()? {
        let (shape, flags, sorts): (u8, u32, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if !scope.tests
            && (flags & u32::from(flag::TEST) != 0 || sorts & crate::graph::sorts::TEST != 0)
        {
            continue;
        }
        match counts.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, count)) => *count += 1,
            None => counts.push((shape, 1)),
        }
    }
    counts.sort_by_key(|(shape, count)| (std::cmp::Reverse(*count), *shape));
    Ok(counts)
}

/// How many calls in definitions were not resolved.
pub fn unresolved_in(db: &Connection, ids: &[i64]) -> Result<usize> {
    let mut statement = db.prepare_cached("SELECT count(*) FROM site WHERE src = ?1")?;
    let mut count = 0;
    for id in ids {
        count += statement.query_row([id], |row| row.get::<_, i64>(0))? as usize;
    }
    Ok(count)
}

/// How many of the files of definitions could not be read whole.
pub fn damaged(db: &Connection, defs: &[Def]) -> Result<usize> {
    let mut files: Vec<i64> = defs.iter().map(|def| def.file).collect();
    files.sort_unstable();
    files.dedup();
    let mut statement = db.prepare_cached("SELECT damaged FROM file WHERE id = ?1")?;
    let mut count = 0;
    for file in files {
        count += usize::from(statement.query_row([file], |row| row.get::<_, bool>(0))?);
    }
    Ok(count)
}
