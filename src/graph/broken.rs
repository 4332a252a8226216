//! Call sites, uses and imports that a change left behind: they reached a definition that is gone, bears another name, or takes
//! other arguments. Found through the old side: each file that looks at what changed is linked against the tree as it was and
//! against that of today, expression by expression, so that a site is known by what it meant and not by its spelling.

mod left;
mod verdict;

use std::collections::HashMap;

use anyhow::Result;
use rusqlite::Connection;

use super::eval::{Eval, Grade, Targets};
use super::facts::*;
use super::packages::Packages;
use super::past::{Changed, Past, Places};
use super::query::find::{self, Def};
use super::store::shelf::Stored;
use super::update::dependents;
use super::value::{Ref, Value};
use super::world::{FileId, Files, World};
use verdict::Verdict;

/// A definition that is not what it was.
#[derive(Debug, Clone)]
pub struct Lost {
    /// Index of its file among those that changed.
    pub file: usize,
    pub def: DefId,
    /// What it is today: path and index; none where it is gone.
    pub now: Option<(String, DefId)>,
    /// It takes or gives something else.
    pub signature: bool,
}

/// A place that named it.
#[derive(Debug, Clone)]
pub struct Site {
    /// Index of what was lost.
    pub lost: usize,
    /// The definition around it, in the tree of today.
    pub from: Def,
    pub line: u32,
    pub sort: Sort,
    pub grade: Grade,
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Call,
    Import,
    Use,
}

/// What is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Nothing of that name is reached from there any more.
    Gone,
    /// It is given so many arguments, and takes at least and at most so many.
    Arguments { given: u32, least: u32, most: u32 },
    /// It is given an argument by a name that no parameter has any more.
    Parameter(String),
    /// A call of that name that could not be resolved, now or then.
    Unresolved,
    /// It fits as far as numbers and names go; types may differ.
    Fits,
}

/// All that linking against two trees needs.
struct Search<'a> {
    db: &'a Connection,
    stored: &'a Stored<'a>,
    lost: &'a [Lost],
    today: World<'a>,
    then: World<'a>,
    places: &'a Places,
    /// What was lost, by where the old tree has it: as it was, and as it is in the files that changed.
    watched: HashMap<Ref, usize>,
    /// What it is today.
    became: HashMap<usize, Ref>,
}

/// Finds what changes left behind, in the order of paths and lines.
///
/// # Errors
/// What SQLite says.
pub fn broken(
    db: &Connection,
    packages: &Packages,
    changed: Vec<Changed>,
    lost: &[Lost],
) -> Result<Vec<Site>> {
    let (stored, today) = Stored::new(db)?;
    let (past, files, places) = Past::new(&stored, &today, changed, packages);
    let mut search = Search {
        db,
        stored: &stored,
        lost,
        today: World {
            packages,
            files: &today,
            shelf: &stored,
        },
        then: World {
            packages,
            files: &files,
            shelf: &past,
        },
        places: &places,
        watched: HashMap::new(),
        became: HashMap::new(),
    };
    search.watch(&today);
    let mut sites = vec![];
    for file in search.candidates()? {
        search.look(file, &mut sites)?;
    }
    stored.check()?;
    left::unresolved(&search, &mut sites)?;
    sites.sort_by(|one, other| {
        let key = |site: &Site| (site.lost, site.from.path.clone(), site.line, site.sort);
        key(one).cmp(&key(other))
    });
    sites.dedup_by(|one, kept| {
        let same = (one.lost, one.from.id, one.line) == (kept.lost, kept.from.id, kept.line);
        // Where an import is a use, too, the import is enough.
        same && (one.sort == kept.sort || (kept.sort, one.sort) == (Sort::Import, Sort::Use))
    });
    Ok(sites)
}

impl Search<'_> {
    fn watch(&mut self, today: &Files) {
        let by_path: HashMap<&str, FileId> = (0..today.len() as FileId)
            .map(|id| (&*today.entry(id).path, id))
            .collect();
        for (index, lost) in self.lost.iter().enumerate() {
            if let Some(file) = self.places.old[lost.file] {
                let def = lost.def;
                self.watched.insert(Ref { file, def }, index);
            }
            let Some((path, def)) = &lost.now else {
                continue;
            };
            let Some(&file) = by_path.get(&**path) else {
                continue;
            };
            self.became.insert(index, Ref { file, def: *def });
            if let Some(&file) = self.places.now.get(&file) {
                self.watched.insert(Ref { file, def: *def }, index);
            }
        }
    }

    /// Files that may have named what changed: those that changed, and all that look up a key of theirs.
    fn candidates(&self) -> Result<Vec<FileId>> {
        let mut rows = dependents(self.db, &self.places.keys)?;
        rows.extend(self.places.changed.iter().map(|&id| self.stored.id(id)));
        let mut files: Vec<FileId> = rows
            .into_iter()
            .filter_map(|row| self.stored.file(row))
            .collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// All sites of one file.
    fn look(&self, file: FileId, sites: &mut Vec<Site>) -> Result<()> {
        let Some(&place) = self.places.now.get(&file) else {
            return Ok(());
        };
        let mut then = Eval::new(&self.then, place);
        let mut today = Eval::new(&self.today, file);
        let facts = self.today.facts(file);
        for call in &facts.calls {
            then.refresh();
            today.refresh();
            let Targets::Known(old) = then.targets(place, call.expr) else {
                continue;
            };
            let Some(lost) = self.lost_of(&mut then, &old) else {
                continue;
            };
            let verdict = Verdict::of_call(self, lost, file, call.expr, &mut then, &mut today);
            let grade = match old.len() {
                1 => then.grade(place, call.expr),
                _ => Grade::Possible,
            };
            self.site(
                file,
                (call.from, call.line, Sort::Call),
                (lost, grade, verdict.0),
                sites,
            )?;
        }
        for used in &facts.uses {
            then.refresh();
            today.refresh();
            let old = named(&mut then, place, used.what);
            let Some(lost) = self.lost_of(&mut then, &old) else {
                continue;
            };
            let new = named(&mut today, file, used.what);
            let verdict = Verdict::of_name(self, lost, &new, &mut today);
            self.site(
                file,
                (used.from, used.line, Sort::Use),
                (lost, Grade::Exact, verdict.0),
                sites,
            )?;
        }
        for (import, id) in facts.imports.iter().zip(0..) {
            then.refresh();
            today.refresh();
            let old = definitions(&then.imported(place, id));
            let Some(lost) = self.lost_of(&mut then, &old) else {
                continue;
            };
            let new = definitions(&today.imported(file, id));
            let verdict = Verdict::of_name(self, lost, &new, &mut today);
            self.site(
                file,
                (None, import.line, Sort::Import),
                (lost, Grade::Exact, verdict.0),
                sites,
            )?;
        }
        left::inside(self, file, &mut then, &mut today, sites)
    }

    /// What of these was lost.
    fn lost_of(&self, then: &mut Eval<'_>, defs: &[Ref]) -> Option<usize> {
        let mut watched = defs.iter().filter_map(|def| {
            let body = then.body(*def);
            self.watched.get(&body).or(self.watched.get(def))
        });
        watched.next().copied()
    }

    fn site(
        &self,
        file: FileId,
        (from, line, sort): (Option<DefId>, u32, Sort),
        (lost, grade, why): (usize, Grade, Option<Why>),
        sites: &mut Vec<Site>,
    ) -> Result<()> {
        let Some(why) = why else { return Ok(()) };
        sites.push(Site {
            lost,
            from: self.around(file, from)?,
            line,
            sort,
            grade,
            why,
        });
        Ok(())
    }

    /// The definition around a site, as the graph has it.
    fn around(&self, file: FileId, from: Option<DefId>) -> Result<Def> {
        let local = from.map_or(super::store::write::MODULE, i64::from);
        let mut statement = self
            .db
            .prepare_cached("SELECT id FROM def WHERE file = ?1 AND local = ?2")?;
        let id = statement.query_row([self.stored.id(file), local], |row| row.get(0))?;
        Ok(find::by_id(self.db, id)?)
    }
}

/// The definitions that a name reaches.
fn named(eval: &mut Eval<'_>, file: FileId, used: Used) -> Vec<Ref> {
    let value = match used {
        Used::Expr(expr) => eval.eval(file, expr),
        Used::Type(ty) => eval.type_in_use(file, ty),
        Used::Name(name) => {
            let space = super::resolve::Space::Value;
            eval.lookup(file, FILE, name, u32::MAX, space)
        }
    };
    match (used, value) {
        (Used::Type(_), Value::Inst(def, _)) => vec![def],
        (_, value) => definitions(&value),
    }
}

/// The definitions that a value is.
fn definitions(value: &Value) -> Vec<Ref> {
    let parts = value.parts().iter();
    let of_part = |part: &Value| match part {
        Value::Def(def) | Value::Method(def, _) => vec![*def],
        Value::Overloads(defs, _) => defs.to_vec(),
        Value::Type(of) => match &**of {
            Value::Inst(def, _) => vec![*def],
            _ => vec![],
        },
        _ => vec![],
    };
    parts.flat_map(of_part).collect()
}
