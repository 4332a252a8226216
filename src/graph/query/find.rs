//! Definitions by the names users type: `save`, `Store.save`, `src/store.py::Store.save`, `src/store.py:41`.

use std::path::Path;

use rusqlite::{Connection, Result, Row, params};

use crate::model::{Item, Kind, Lines, Outline};
use crate::outline::path::{Fit, ItemPath};

/// A definition with its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Def {
    pub id: i64,
    pub file: i64,
    pub path: String,
    pub kind: Kind,
    pub name: String,
    pub qual: String,
    /// Line of the name.
    pub line: u32,
    pub lines: Lines,
    /// Bits of [`flag`](crate::graph::facts::flag).
    pub flags: u32,
    /// Bits of [`sorts`](crate::graph::sorts).
    pub sorts: u32,
    pub pkg: Option<i64>,
}

/// What [`Def::read`] takes, from `def` joined with `file`.
pub const COLUMNS: &str = "def.id, def.file, file.path, def.kind, def.name, def.qual, def.line, def.start, def.stop, def.flags, file.flags, file.pkg";

impl Def {
    /// From the columns of [`COLUMNS`], the first of which is at an index.
    pub fn read(row: &Row<'_>, at: usize) -> Result<Def> {
        Ok(Def {
            id: row.get(at)?,
            file: row.get(at + 1)?,
            path: row.get(at + 2)?,
            kind: super::kind(row.get(at + 3)?),
            name: row.get(at + 4)?,
            qual: row.get(at + 5)?,
            line: row.get(at + 6)?,
            lines: Lines {
                start: row.get(at + 7)?,
                end: row.get(at + 8)?,
            },
            flags: row.get(at + 9)?,
            sorts: row.get(at + 10)?,
            pkg: row.get(at + 11)?,
        })
    }

    pub fn is(&self, flag: u16) -> bool {
        self.flags & u32::from(flag) != 0
    }

    /// Code that tests: by its file, or by what the language says of it.
    pub fn is_test(&self) -> bool {
        self.sorts & crate::graph::sorts::TEST != 0 || self.is(crate::graph::facts::flag::TEST)
    }

    /// A file's own code, outside of all definitions.
    pub fn is_module(&self) -> bool {
        self.qual == "<module>"
    }
}

/// The definition at a place of a file's outline; none where the file is no source of the graph.
pub fn at(db: &Connection, path: &str, local: u32) -> Result<Option<Def>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM def JOIN file ON file.id = def.file WHERE file.path = ?1 AND file.role = 0 AND def.local = ?2"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params![path, local])?;
    rows.next()?.map(|row| Def::read(row, 0)).transpose()
}

/// The place of a definition in its file's outline.
pub fn local(db: &Connection, id: i64) -> Result<u32> {
    db.prepare_cached("SELECT local FROM def WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
}

/// The definition of an id.
pub fn by_id(db: &Connection, id: i64) -> Result<Def> {
    let sql =
        format!("SELECT {COLUMNS} FROM def JOIN file ON file.id = def.file WHERE def.id = ?1");
    db.prepare_cached(&sql)?
        .query_row([id], |row| Def::read(row, 0))
}

/// What a name means: groups of definitions that are one thing (overloads, a prototype and its body), in the order of their
/// paths. More than one group: the name is ambiguous.
pub fn find(db: &Connection, typed: &str) -> Result<Vec<Vec<Def>>> {
    if let Some(found) = by_line(db, typed)? {
        return Ok(vec![vec![found]]);
    }
    if let Some((path, name)) = typed.split_once("::")
        && let files = files(db, path)?
        && !files.is_empty()
    {
        let found = named(db, name)?.into_iter();
        let found = found.filter(|def| files.contains(&def.file)).collect();
        return Ok(grouped(found));
    }
    Ok(grouped(named(db, typed)?))
}

/// `path:line`: the innermost definition around a line.
fn by_line(db: &Connection, typed: &str) -> Result<Option<Def>> {
    let Some((path, line)) = typed.rsplit_once(':') else {
        return Ok(None);
    };
    let Ok(line) = line.parse::<u32>() else {
        return Ok(None);
    };
    let [file] = files(db, path)?[..] else {
        return Ok(None);
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM def JOIN file ON file.id = def.file
         WHERE def.file = ?1 AND (def.local < 0 OR def.start <= ?2 AND def.stop >= ?2) ORDER BY def.local < 0, def.stop - def.start, def.local DESC LIMIT 1"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params![file, line])?;
    rows.next()?.map(|row| Def::read(row, 0)).transpose()
}

/// Files whose path is, or ends with, what was typed.
pub fn files(db: &Connection, typed: &str) -> Result<Vec<i64>> {
    let typed = typed.trim_start_matches("./");
    let exact = "SELECT id FROM file WHERE path = ?1 AND role = 0";
    let ids = |sql: &str, text: &str| -> Result<Vec<i64>> {
        db.prepare_cached(sql)?
            .query_map([text], |row| row.get(0))?
            .collect()
    };
    let found = ids(exact, typed)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let escaped = typed
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    ids(
        "SELECT id FROM file WHERE path LIKE '%/' || ?1 ESCAPE '\\' AND role = 0",
        &escaped,
    )
}

/// The flags of a source that is not in the graph; none where it is not known at all.
pub fn passed_over(db: &Connection, path: &str) -> Result<Option<u32>> {
    let mut statement = db.prepare_cached("SELECT flags FROM file WHERE path = ?1 AND role = 1")?;
    let mut rows = statement.query([path])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Definitions that fit a name best.
fn named(db: &Connection, typed: &str) -> Result<Vec<Def>> {
    let path = ItemPath::parse(typed);
    let sql = format!(
        "SELECT {COLUMNS} FROM def JOIN file ON file.id = def.file WHERE def.name = ?1 AND def.local >= 0 ORDER BY file.path, def.local"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut names = vec![path.last_name(), typed];
    names.dedup();
    let mut found: Vec<Def> = vec![];
    for name in names {
        let rows = statement.query_map([name], |row| Def::read(row, 0))?;
        found.extend(rows.collect::<Result<Vec<Def>>>()?);
    }
    let fits: Vec<(Fit, Def)> = found
        .into_iter()
        .filter_map(|def| Some((fit(&path, &def)?, def)))
        .collect();
    let best = fits.iter().map(|(fit, _)| *fit).min();
    Ok(fits
        .into_iter()
        .filter(|(fit, _)| Some(*fit) == best || *fit <= Fit::Suffix && best <= Some(Fit::Suffix))
        .map(|(_, def)| def)
        .collect())
}

/// How well a definition fits: asked of the one authority on names, as the only one of an outline.
fn fit(path: &ItemPath, def: &Def) -> Option<Fit> {
    let mut item = Item::new(def.kind, def.name.clone(), def.lines, 0..0);
    item.qualname = def.qual.clone();
    item.end = 1;
    let outline = Outline {
        items: vec![item],
        ..Outline::default()
    };
    path.find(&outline, Path::new(&def.path))
        .map(|hits| hits.fit)
}

/// Definitions that are one thing side by side: of one name in one file, or heads of what has a body elsewhere.
fn grouped(found: Vec<Def>) -> Vec<Vec<Def>> {
    let mut groups: Vec<Vec<Def>> = vec![];
    for def in found {
        let declaration = def.is(crate::graph::facts::flag::DECLARATION);
        let same = |group: &&mut Vec<Def>| {
            let first = &group[0];
            let apart = first.file != def.file;
            let head = declaration || first.is(crate::graph::facts::flag::DECLARATION);
            first.qual == def.qual && (!apart || head && first.kind == def.kind)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(def),
            None => groups.push(vec![def]),
        }
    }
    groups
}

/// Names near one that is not there, by their parts, best first.
pub fn suggestions(db: &Connection, typed: &str, most: usize) -> Result<Vec<String>> {
    let path = ItemPath::parse(typed);
    let words = crate::graph::store::write::words(path.last_name());
    let query: Vec<String> = words
        .split_whitespace()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    if query.is_empty() {
        return Ok(vec![]);
    }
    let sql = "SELECT DISTINCT def.qual FROM word JOIN def ON def.id = word.rowid WHERE word MATCH ?1 ORDER BY rank LIMIT ?2";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![query.join(" OR "), most as i64], |row| row.get(0))?;
    rows.collect()
}
