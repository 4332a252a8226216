//! Definitions that nothing in the tree reaches, as far as it can be told. Left out is what may be reached without a trace:
//! entries of programs, tests, what a decorator may have registered, members that stand for those of a base in the tree or out
//! of it, what some file imports, names that the language itself calls.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Result, params};

use super::find::{COLUMNS, Def};
use super::packs::holds;
use crate::graph::eval::{Eval, Grade};
use crate::graph::facts::flag;
use crate::graph::packages::Packages;
use crate::graph::sorts;
use crate::graph::store::shelf::Stored;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key, World};
use crate::model::{Kind, KindClass};

/// How sure it is that nothing reaches a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Nothing in the tree names it.
    Unreached,
    /// Only tests do.
    Tests,
    /// Calls that were not resolved may.
    Unclear,
}

impl Tier {
    pub const ALL: [Tier; 3] = [Tier::Unreached, Tier::Tests, Tier::Unclear];

    pub fn name(self) -> &'static str {
        match self {
            Tier::Unreached => "unreached",
            Tier::Tests => "tests-only",
            Tier::Unclear => "unclear",
        }
    }
}

/// A definition that nothing was seen to reach.
#[derive(Debug, Clone)]
pub struct Unused {
    pub def: Def,
    pub tier: Tier,
    /// Edges from tests.
    pub tests: usize,
    /// Calls of that name that were not resolved.
    pub unresolved: usize,
    /// Its file could not be read whole.
    pub damaged: bool,
}

/// What is looked for.
pub struct Wanted<'a> {
    /// A file or folder, from the root of the index; empty for all.
    pub within: &'a str,
    /// What only its own file sees, too.
    pub private: bool,
}

/// A definition with what tells whether it is reached.
struct Candidate {
    def: Def,
    local: u32,
    parent: Option<i64>,
    damaged: bool,
}

/// In the order of paths and lines.
///
/// # Errors
/// What SQLite says.
pub fn unused(db: &Connection, packages: &Packages, wanted: &Wanted<'_>) -> Result<Vec<Unused>> {
    let mut found = vec![];
    for candidate in candidates(db, wanted)? {
        let Some(tests) = only_tests(db, &candidate.def)? else {
            continue;
        };
        found.push((candidate, tests));
    }
    let listed: HashSet<i64> = found.iter().map(|(one, _)| one.def.id).collect();
    // What is in something that nothing reaches goes without saying.
    found.retain(|(one, _)| one.parent.is_none_or(|parent| !listed.contains(&parent)));
    let held = Held::new(db, packages)?;
    let mut unused = vec![];
    for (candidate, tests) in found {
        if held.holds(&candidate)? {
            continue;
        }
        unused.push(judged(db, candidate, tests)?);
    }
    held.stored.check()?;
    Ok(unused)
}

fn candidates(db: &Connection, wanted: &Wanted<'_>) -> Result<Vec<Candidate>> {
    let passed = flag::ENTRY
        | flag::TEST
        | flag::OVERRIDE
        | flag::DEAD
        | flag::DECLARATION
        | flag::CONSTRUCTOR;
    let sql = format!(
        "SELECT {COLUMNS}, def.local, def.parent, file.damaged FROM def JOIN file ON file.id = def.file
         WHERE file.role = 0 AND def.local >= 0 AND NOT def.flags & ?1 AND NOT file.flags & ?2 AND (?3 OR def.flags & ?4)
           AND NOT EXISTS (SELECT 1 FROM over WHERE sub = def.id OR sup = def.id)
         ORDER BY file.path, def.local"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map(
        params![passed, sorts::TEST, wanted.private, flag::EXPORTED],
        |row| {
            Ok(Candidate {
                def: Def::read(row, 0)?,
                local: row.get(12)?,
                parent: row.get(13)?,
                damaged: row.get(14)?,
            })
        },
    )?;
    let asked = |one: &Candidate| {
        let def = &one.def;
        let runs = matches!(def.kind.class(), KindClass::Callable | KindClass::Type)
            || def.kind == Kind::Macro;
        let called_by_language = def.name.starts_with("__") && def.name.ends_with("__");
        let within = def.path == wanted.within || holds(wanted.within, &def.path);
        runs && within && !called_by_language && def.name != "main" && def.kind != Kind::Impl
    };
    let all: Vec<Candidate> = rows.collect::<Result<_>>()?;
    Ok(all.into_iter().filter(asked).collect())
}

/// How many tests reach a definition or what is in it; none where something else does.
fn only_tests(db: &Connection, def: &Def) -> Result<Option<usize>> {
    let mut statement = db.prepare_cached(
        "SELECT src.file, src.line, src.flags, file.flags, edge.grade FROM def AS own JOIN edge ON edge.dst = own.id
         JOIN def AS src ON src.id = edge.src JOIN file ON file.id = src.file
         WHERE own.id = ?1 OR own.file = ?2 AND own.start >= ?3 AND own.stop <= ?4 AND own.local > ?5",
    )?;
    let local: i64 = db
        .prepare_cached("SELECT local FROM def WHERE id = ?1")?
        .query_row([def.id], |row| row.get(0))?;
    // What is in a function is reached from there alone.
    let members = if def.kind.is_type() { local } else { i64::MAX };
    let mut rows = statement.query(params![
        def.id,
        def.file,
        def.lines.start,
        def.lines.end,
        members
    ])?;
    let mut tests = 0;
    while let Some(row) = rows.next()? {
        let (file, line): (i64, u32) = (row.get(0)?, row.get(1)?);
        let inside = file == def.file && (def.lines.start..=def.lines.end).contains(&line);
        let guess = Grade::from(row.get(4)?) == Grade::Guess;
        if inside || guess {
            continue;
        }
        let test =
            row.get::<_, u32>(2)? & u32::from(flag::TEST) | row.get::<_, u32>(3)? & sorts::TEST;
        if test == 0 {
            return Ok(None);
        }
        tests += 1;
    }
    Ok(Some(tests))
}

fn judged(db: &Connection, candidate: Candidate, tests: usize) -> Result<Unused> {
    let def = candidate.def;
    let unresolved: i64 = db
        .prepare_cached("SELECT count(*) FROM site WHERE name = ?1")?
        .query_row([&def.name], |row| row.get(0))?;
    let tier = match () {
        () if unresolved > 0 || candidate.damaged => Tier::Unclear,
        () if tests > 0 => Tier::Tests,
        () => Tier::Unreached,
    };
    Ok(Unused {
        def,
        tier,
        tests,
        unresolved: unresolved as usize,
        damaged: candidate.damaged,
    })
}

/// What edges do not show: imports, and members that bases outside of the tree may call.
struct Held<'a> {
    stored: Stored<'a>,
    files: crate::graph::world::Files,
    packages: &'a Packages,
    db: &'a Connection,
    imports: std::cell::RefCell<HashMap<FileId, HashSet<Ref>>>,
}

impl<'a> Held<'a> {
    fn new(db: &'a Connection, packages: &'a Packages) -> Result<Held<'a>> {
        let (stored, files) = Stored::new(db)?;
        Ok(Held {
            stored,
            files,
            packages,
            db,
            imports: std::cell::RefCell::default(),
        })
    }

    fn holds(&self, candidate: &Candidate) -> Result<bool> {
        let Some(file) = self.stored.file(candidate.def.file) else {
            return Ok(false);
        };
        let own = Ref {
            file,
            def: candidate.local,
        };
        Ok(self.by_base(own) || self.by_import(own, &candidate.def.path)?)
    }

    fn world(&self) -> World<'_> {
        World {
            packages: self.packages,
            files: &self.files,
            shelf: &self.stored,
        }
    }

    /// A method of a type with a base that is not in the tree may be what that calls.
    fn by_base(&self, own: Ref) -> bool {
        let world = self.world();
        let facts = world.facts(own.file);
        let Some(parent) = facts.def(own.def).parent else {
            return false;
        };
        let class = facts.def(parent);
        if !class.kind.is_type() || class.bases.len == 0 {
            return false;
        }
        let mut eval = Eval::new(&world, own.file);
        let of = Value::inst(Ref {
            file: own.file,
            def: parent,
        });
        let bases = eval.ancestors(&of);
        bases.iter().any(|base| !matches!(base, Value::Inst(..)))
    }

    /// Whether another file imports it by its name: that may be what a package shows to others.
    fn by_import(&self, own: Ref, path: &str) -> Result<bool> {
        let key = Key::file(path);
        let mut statement = self
            .db
            .prepare_cached("SELECT file FROM need JOIN file AS one ON one.id = need.file WHERE key = ?1 AND NOT one.flags & ?2")?;
        let rows: Vec<i64> = statement
            .query_map(params![key.0 as i64, sorts::TEST], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let files = rows.into_iter().filter_map(|id| self.stored.file(id));
        Ok(files
            .filter(|&file| file != own.file)
            .any(|file| self.imports_of(file, own)))
    }

    fn imports_of(&self, file: FileId, own: Ref) -> bool {
        let mut known = self.imports.borrow_mut();
        let imported = known.entry(file).or_insert_with(|| {
            let world = self.world();
            let facts = world.facts(file);
            let mut eval = Eval::new(&world, file);
            let mut defs = HashSet::new();
            for id in 0..facts.imports.len() as u32 {
                eval.refresh();
                for part in eval.imported(file, id).parts() {
                    match part {
                        Value::Def(def) => drop(defs.insert(*def)),
                        Value::Overloads(all, _) => defs.extend(all.iter().copied()),
                        _ => {}
                    }
                }
            }
            defs
        });
        imported.contains(&own)
    }
}
