//! What the rest of a tree wants of one file: the few facts that are worth standing in front of its text. Counts leave out
//! tests and guesses, as those of `callers` do. Knows no wording.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, Result};

use crate::graph::eval::Grade;
use crate::graph::facts::flag;
use crate::graph::sorts;
use crate::model::Kind;

/// A file of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub id: i64,
    pub path: String,
    /// The module it is, or lies in; its path where files are modules.
    pub module: String,
    /// Name of its package.
    pub package: Option<String>,
    pub stamp: i64,
    pub hash: Vec<u8>,
    pub test: bool,
}

/// What the rest of the tree wants of a file.
#[derive(Debug, Default)]
pub struct Brief {
    /// Types and what can be called.
    pub symbols: usize,
    /// Those called from other files, most called first.
    pub called: Vec<Called>,
    /// Other modules that call or use something of it, with how often, most first.
    pub dependents: Vec<(String, u32)>,
    /// Exported, and nothing that was found reaches them.
    pub unused: Vec<String>,
    /// Calls that were not resolved, of names defined here.
    pub unresolved: u32,
}

/// A definition with the calls of it from other files.
#[derive(Debug)]
pub struct Called {
    pub qual: String,
    /// Those from other packages first, then by path and line.
    pub calls: Vec<Site>,
}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// False of calls from another package, which stand first.
    pub near: bool,
    pub path: String,
    pub line: u32,
}

impl Called {
    pub fn crosses(&self) -> bool {
        self.calls.iter().any(|site| !site.near)
    }
}

impl Brief {
    pub fn crosses(&self) -> bool {
        self.called.iter().any(Called::crosses)
    }

    /// Nothing that somebody about to read it would want to know.
    pub fn is_empty(&self) -> bool {
        self.called.is_empty() && self.dependents.is_empty() && self.unused.is_empty()
    }
}

const FILE: &str = "SELECT file.id, path, home, pkg.name, stamp, hash, flags FROM file LEFT JOIN pkg ON pkg.id = file.pkg";

/// The source of a path from the root.
pub fn file(db: &Connection, path: &str) -> Result<Option<File>> {
    let sql = format!("{FILE} WHERE path = ?1 AND role = 0");
    db.prepare_cached(&sql)?
        .query_row([path], read_file)
        .optional()
}

/// The name of a package, if it has one.
pub fn package(db: &Connection, id: Option<i64>) -> Result<Option<String>> {
    let mut statement = db.prepare_cached("SELECT name FROM pkg WHERE id = ?1 AND name <> ''")?;
    statement.query_row([id], |row| row.get(0)).optional()
}

fn read_file(row: &rusqlite::Row<'_>) -> Result<File> {
    let package: Option<String> = row.get(3)?;
    let (path, home): (String, Option<String>) = (row.get(1)?, row.get(2)?);
    let home = home.filter(|home| !home.is_empty());
    Ok(File {
        id: row.get(0)?,
        module: home.unwrap_or_else(|| path.clone()),
        path,
        package: package.filter(|name| !name.is_empty()),
        stamp: row.get(4)?,
        hash: row.get(5)?,
        test: row.get::<_, u32>(6)? & sorts::TEST != 0,
    })
}

/// A definition of the file.
struct Own {
    id: i64,
    parent: Option<i64>,
    kind: Kind,
    name: String,
    qual: String,
    flags: u32,
}

impl Own {
    fn is(&self, flags: u16) -> bool {
        self.flags & u32::from(flags) != 0
    }

    fn counts(&self) -> bool {
        let kind = self.kind.is_type() || self.kind.is_callable() || self.kind == Kind::Macro;
        kind && !self.is(flag::CONSTRUCTOR)
    }
}

/// What is to be said of a file.
///
/// # Errors
/// What SQLite says.
pub fn brief(db: &Connection, file: &File) -> Result<Brief> {
    let own = definitions(db, file.id)?;
    let incoming = incoming(db, file, &own)?;
    let counted = |def: &&Own| def.counts() || incoming.calls.contains_key(&def.qual);
    let symbols: HashSet<&str> = own.iter().filter(counted).map(|def| &*def.qual).collect();
    let symbols = symbols.len();
    let mut dependents: Vec<(String, u32)> = incoming.dependents.into_iter().collect();
    dependents.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
    let unused = match file.test {
        true => vec![],
        false => unused(db, &own, &incoming.reached)?,
    };
    Ok(Brief {
        symbols,
        called: ordered(&own, incoming.calls),
        dependents,
        unused,
        unresolved: unresolved(db, file)?,
    })
}

fn definitions(db: &Connection, file: i64) -> Result<Vec<Own>> {
    let mut statement = db.prepare_cached(
        "SELECT id, parent, kind, name, qual, flags FROM def WHERE file = ?1 AND local >= 0 ORDER BY local",
    )?;
    let rows = statement.query_map([file], |row| {
        Ok(Own {
            id: row.get(0)?,
            parent: row.get(1)?,
            kind: super::kind(row.get(2)?),
            name: row.get(3)?,
            qual: row.get(4)?,
            flags: row.get(5)?,
        })
    })?;
    rows.collect()
}

/// What reaches the definitions of a file.
#[derive(Default)]
struct Incoming {
    /// Calls from other files, by the name of what is called: of constructors, that of their type.
    calls: HashMap<String, Vec<Site>>,
    dependents: BTreeMap<String, u32>,
    /// Definitions that something calls or uses, from wherever, however surely.
    reached: HashSet<i64>,
}

fn incoming(db: &Connection, file: &File, own: &[Own]) -> Result<Incoming> {
    let mut statement = db.prepare_cached(
        "SELECT edge.dst, edge.src, edge.line, edge.sort, edge.grade, src.file, src.flags FROM def
         JOIN edge ON edge.dst = def.id JOIN def src ON src.id = edge.src WHERE def.file = ?1",
    )?;
    let names: HashMap<i64, &str> = own.iter().map(|def| (def.id, named(def, own))).collect();
    let mut others = Others {
        db,
        known: HashMap::new(),
    };
    let mut incoming = Incoming::default();
    let mut rows = statement.query([file.id])?;
    while let Some(row) = rows.next()? {
        let (to, from): (i64, i64) = (row.get(0)?, row.get(1)?);
        if to != from {
            incoming.reached.insert(to);
        }
        let (caller, flags): (i64, u32) = (row.get(5)?, row.get(6)?);
        let guess = Grade::from(row.get(4)?) == Grade::Guess;
        if caller == file.id || guess || flags & u32::from(flag::TEST) != 0 {
            continue;
        }
        let caller = others.file(caller)?;
        if caller.test {
            continue;
        }
        if caller.module != file.module {
            *incoming
                .dependents
                .entry(caller.module.clone())
                .or_default() += 1;
        }
        let (Some(name), 0) = (names.get(&to), row.get::<_, u8>(3)?) else {
            continue;
        };
        let site = Site {
            near: !crosses(file, caller),
            path: caller.path.clone(),
            line: row.get(2)?,
        };
        let calls = incoming.calls.entry((*name).to_string());
        calls.or_default().push(site);
    }
    Ok(incoming)
}

/// The name that calls of a definition are counted under.
fn named<'a>(def: &'a Own, own: &'a [Own]) -> &'a str {
    let made = def.parent.filter(|_| def.is(flag::CONSTRUCTOR));
    let made = made.and_then(|made| own.iter().find(|def| def.id == made));
    &made.unwrap_or(def).qual
}

fn crosses(file: &File, caller: &File) -> bool {
    let both = file.package.as_ref().zip(caller.package.as_ref());
    both.is_some_and(|(one, other)| one != other)
}

/// Files that call, each read once.
struct Others<'c> {
    db: &'c Connection,
    known: HashMap<i64, File>,
}

impl Others<'_> {
    fn file(&mut self, id: i64) -> Result<&File> {
        use std::collections::hash_map::Entry;
        match self.known.entry(id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let sql = format!("{FILE} WHERE file.id = ?1");
                let read = self.db.prepare_cached(&sql)?.query_row([id], read_file)?;
                Ok(free.insert(read))
            }
        }
    }
}

fn ordered(own: &[Own], mut calls: HashMap<String, Vec<Site>>) -> Vec<Called> {
    let mut called = vec![];
    for def in own {
        if let Some((qual, mut calls)) = calls.remove_entry(&def.qual) {
            calls.sort();
            calls.dedup();
            called.push(Called { qual, calls });
        }
    }
    called.sort_by_key(|called| std::cmp::Reverse(called.calls.len()));
    called
}

/// What is exported, can be called, and is neither reached nor held by something that the graph does not see: an entry, a
/// member that stands for another or is stood for, a name of which calls were not resolved, a name the language calls itself.
fn unused(db: &Connection, own: &[Own], reached: &HashSet<i64>) -> Result<Vec<String>> {
    let passed = flag::ENTRY
        | flag::TEST
        | flag::OVERRIDE
        | flag::DECLARATION
        | flag::DEAD
        | flag::CONSTRUCTOR;
    let mut names = vec![];
    let mut over = db.prepare_cached("SELECT 1 FROM over WHERE sub = ?1 OR sup = ?1")?;
    let mut site = db.prepare_cached("SELECT 1 FROM site WHERE name = ?1")?;
    let reached_name: HashSet<&str> = own
        .iter()
        .filter(|def| reached.contains(&def.id))
        .map(|def| &*def.qual)
        .collect();
    for def in own {
        let own_name = def.name.starts_with("__") && def.name.ends_with("__");
        let wanted = def.is(flag::EXPORTED) && def.kind.is_callable() && !def.is(passed);
        if !wanted || own_name || def.name == "main" || reached_name.contains(&*def.qual) {
            continue;
        }
        if !over.exists([def.id])? && !site.exists([&def.name])? {
            names.push(def.qual.clone());
        }
    }
    names.dedup();
    Ok(names)
}

fn unresolved(db: &Connection, file: &File) -> Result<u32> {
    db.prepare_cached(
        "SELECT count(*) FROM site JOIN def src ON src.id = site.src JOIN file other ON other.id = src.file
         WHERE site.name IN (SELECT name FROM def WHERE file = ?1 AND local >= 0) AND src.file <> ?1
           AND NOT src.flags & ?2 AND NOT other.flags & ?3",
    )?
    .query_row(rusqlite::params![file.id, flag::TEST, sorts::TEST], |row| row.get(0))
}
