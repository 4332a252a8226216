//! Rows of files, definitions, edges: written whole for a file at a time. The caller holds the transaction.

use std::collections::HashMap;

use rusqlite::{Connection, Result, params};

use crate::graph::facts::Facts;
use crate::graph::link::Linked;
use crate::graph::value::Ref;
use crate::graph::world::Key;
use crate::model::Kind;

/// `def.local` of a file's own code.
pub const MODULE: i64 = -1;

/// What the graph keeps of a file besides its facts.
#[derive(Debug, Clone, Default)]
pub struct FileRow {
    pub path: String,
    pub role: Role,
    pub stamp: i64,
    pub hash: Vec<u8>,
    pub language: Option<&'static str>,
    pub home: String,
    pub pkg: Option<i64>,
    pub flags: u32,
    pub lines: u32,
    /// Something in it may be missing.
    pub damaged: bool,
}

/// What a file is to the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Source,
    /// A source that is passed over: generated, or somebody else's.
    Skipped,
    /// Says what packages there are.
    Manifest,
    /// Says what is ignored, or what files are.
    Rule,
}

impl Role {
    pub fn from(number: i64) -> Role {
        match number {
            0 => Role::Source,
            1 => Role::Skipped,
            2 => Role::Manifest,
            _ => Role::Rule,
        }
    }
}

/// Writes what is known of a file without its definitions; gives its id, the one it had if it was known.
pub fn file(db: &Connection, row: &FileRow) -> Result<i64> {
    let mut statement = db.prepare_cached(
        "INSERT INTO file(path, role, stamp, hash, language, home, pkg, flags, lines, damaged)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT(path) DO UPDATE SET role = ?2, stamp = ?3, hash = ?4, language = ?5, home = ?6, pkg = ?7, flags = ?8,
           lines = ?9, damaged = ?10
         RETURNING id",
    )?;
    let values = params![
        row.path,
        row.role as i64,
        row.stamp,
        row.hash,
        row.language,
        row.home,
        row.pkg,
        row.flags,
        row.lines,
        row.damaged
    ];
    statement.query_row(values, |row| row.get(0))
}

/// Writes a file's definitions: ids by their index, the file's own last. Those that were known keep their ids.
pub fn definitions(
    db: &Connection,
    file: i64,
    facts: &Facts,
    mut known: Known,
) -> Result<Vec<i64>> {
    let mut seen: HashMap<(u8, &str), u32> = HashMap::new();
    let mut ids = vec![];
    for (def, local) in facts.defs.iter().zip(0i64..) {
        let qual = facts.name(def.qual);
        let ordinal = seen.entry((def.kind as u8, qual)).or_insert(0);
        let id = known.remove(&(def.kind as u8, qual.to_string(), *ordinal));
        *ordinal += 1;
        let (least, most) = def.arity();
        let mut statement = db.prepare_cached(
            "INSERT OR REPLACE INTO def(id, file, local, parent, kind, name, qual, line, start, stop, flags, least, most)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?;
        let parent = def
            .parent
            .and_then(|parent| ids.get(parent as usize).copied());
        let name = facts.name(def.name);
        statement.execute(params![
            id,
            file,
            local,
            parent,
            def.kind as u8,
            name,
            qual,
            def.line,
            def.lines.start,
            def.lines.end,
            def.flags,
            least,
            most
        ])?;
        let id = match id {
            Some(id) => id,
            None => {
                let id = db.last_insert_rowid();
                index_name(db, id, name)?;
                id
            }
        };
        ids.push(id);
    }
    let id = known.remove(&(Kind::Module as u8, "<module>".to_string(), 0));
    let mut statement = db.prepare_cached(
        "INSERT OR REPLACE INTO def(id, file, local, parent, kind, name, qual, line, start, stop, flags, least, most)
         VALUES (?1, ?2, ?3, NULL, ?4, '<module>', '<module>', 1, 1, 1, 0, 0, 0)",
    )?;
    statement.execute(params![id, file, MODULE, Kind::Module as u8])?;
    ids.push(id.unwrap_or_else(|| db.last_insert_rowid()));
    known.into_values().try_for_each(|id| forget(db, id))?;
    Ok(ids)
}

/// Ids of a file's definitions by kind, name and ordinal.
pub type Known = HashMap<(u8, String, u32), i64>;

/// The ids of a file's definitions as they were.
pub fn known(db: &Connection, file: i64) -> Result<Known> {
    let mut statement =
        db.prepare_cached("SELECT id, kind, qual, local FROM def WHERE file = ?1 ORDER BY local")?;
    let mut rows = statement.query([file])?;
    let mut known = Known::new();
    let mut seen: HashMap<(u8, String), u32> = HashMap::new();
    while let Some(row) = rows.next()? {
        let key: (u8, String) = (row.get(1)?, row.get(2)?);
        let ordinal = seen.entry(key.clone()).or_insert(0);
        known.insert((key.0, key.1, *ordinal), row.get(0)?);
        *ordinal += 1;
    }
    Ok(known)
}

fn forget(db: &Connection, def: i64) -> Result<()> {
    for sql in [
        "DELETE FROM edge WHERE dst = ?1",
        "DELETE FROM edge WHERE src = ?1",
        "DELETE FROM over WHERE sup = ?1",
        "DELETE FROM over WHERE sub = ?1",
        "DELETE FROM site WHERE src = ?1",
        "DELETE FROM word WHERE rowid = ?1",
        "DELETE FROM def WHERE id = ?1",
    ] {
        db.prepare_cached(sql)?.execute([def])?;
    }
    Ok(())
}

fn index_name(db: &Connection, id: i64, name: &str) -> Result<()> {
    let mut statement = db.prepare_cached("INSERT INTO word(rowid, name) VALUES (?1, ?2)")?;
    statement.execute(params![id, words(name)]).map(|_| ())
}

/// A name and its parts: `parseURLQuery_v2` is found by `parse`, `url`, `query`, `v2` and the whole.
pub fn words(name: &str) -> String {
    let mut words = name.to_string();
    let signs: Vec<char> = name.chars().collect();
    for (index, &sign) in signs.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| signs[before]);
        let begins = match before {
            None => true,
            Some(before) => {
                let acronym_ends = before.is_uppercase()
                    && signs.get(index + 1).is_some_and(|next| next.is_lowercase());
                sign.is_uppercase() && (!before.is_uppercase() || acronym_ends)
                    || sign.is_alphanumeric() != before.is_alphanumeric()
            }
        };
        if begins {
            words.push(' ');
        }
        words.push(sign);
    }
    words
}

/// Writes the facts of a file and what it provides; gives the keys that came or went.
pub fn detail(
    db: &Connection,
    file: i64,
    facts: &Facts,
    surface: u64,
    provides: &[Key],
) -> Result<Vec<Key>> {
    let old = keys(db, "SELECT provides FROM detail WHERE file = ?1", file)?;
    let old_surface: Option<i64> = db
        .prepare_cached("SELECT surface FROM detail WHERE file = ?1")?
        .query_map([file], |row| row.get(0))?
        .next()
        .transpose()?;
    let blob = postcard::to_allocvec(facts).expect("plain data can be written");
    let mut statement = db.prepare_cached(
        "INSERT INTO detail VALUES (?1, ?2, ?3, ?4, x'')
         ON CONFLICT(file) DO UPDATE SET facts = ?2, surface = ?3, provides = ?4",
    )?;
    statement.execute(params![file, blob, surface as i64, packed(provides)])?;
    let mut changed = exchange(db, "provide", file, &old, provides)?;
    if old_surface != Some(surface as i64) {
        changed.extend(provides);
    }
    Ok(changed)
}

/// Rows of a table of keys brought from the old ones to the new; gives those that differ.
fn exchange(db: &Connection, table: &str, file: i64, old: &[Key], new: &[Key]) -> Result<Vec<Key>> {
    let mut changed = vec![];
    let mut delete =
        db.prepare_cached(&format!("DELETE FROM {table} WHERE key = ?1 AND file = ?2"))?;
    for key in old.iter().filter(|key| new.binary_search(key).is_err()) {
        delete.execute(params![key.0 as i64, file])?;
        changed.push(*key);
    }
    let mut insert =
        db.prepare_cached(&format!("INSERT OR IGNORE INTO {table} VALUES (?1, ?2)"))?;
    for key in new.iter().filter(|key| old.binary_search(key).is_err()) {
        insert.execute(params![key.0 as i64, file])?;
        changed.push(*key);
    }
    Ok(changed)
}

/// Forgets what a file was linked to; gives the keys that it looked up.
pub fn unlink(db: &Connection, file: i64, own: &[i64]) -> Result<Vec<Key>> {
    for table in [
        "DELETE FROM edge WHERE src = ?1",
        "DELETE FROM site WHERE src = ?1",
        "DELETE FROM over WHERE sub = ?1",
    ] {
        let mut statement = db.prepare_cached(table)?;
        for def in own {
            statement.execute([def])?;
        }
    }
    keys(db, "SELECT needs FROM detail WHERE file = ?1", file)
}

/// Writes what a file was linked to. `ids` finds the rows of definitions; `needed` are the keys that it looked up before.
pub fn links(
    db: &Connection,
    file: i64,
    own: &[i64],
    linked: &Linked,
    needed: &[Key],
    mut id: impl FnMut(Ref) -> Result<Option<i64>>,
) -> Result<()> {
    let source = |from: Option<u32>| {
        from.and_then(|from| own.get(from as usize))
            .or(own.last())
            .copied()
    };
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO edge VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for edge in &linked.edges {
        if let Some(to) = id(edge.to)? {
            insert.execute(params![
                to,
                source(edge.from),
                edge.line,
                edge.sort as u8,
                edge.grade as u8,
                edge.dead
            ])?;
        }
    }
    let mut insert = db.prepare_cached("INSERT INTO site VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for site in &linked.sites {
        insert.execute(params![
            source(site.from),
            site.line,
            site.name,
            site.shape as u8,
            site.args
        ])?;
    }
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO over VALUES (?1, ?2)")?;
    for &(sub, sup) in &linked.overrides {
        if let Some(sup) = id(sup)? {
            insert.execute(params![sup, own[sub as usize]])?;
        }
    }
    exchange(db, "need", file, needed, &linked.needs)?;
    let mut statement = db.prepare_cached("UPDATE detail SET needs = ?2 WHERE file = ?1")?;
    statement
        .execute(params![file, packed(&linked.needs)])
        .map(|_| ())
}

/// Removes all of a file; gives the keys it provided.
pub fn remove(db: &Connection, file: i64) -> Result<Vec<Key>> {
    let provided = keys(db, "SELECT provides FROM detail WHERE file = ?1", file)?;
    let needed = keys(db, "SELECT needs FROM detail WHERE file = ?1", file)?;
    exchange(db, "provide", file, &provided, &[])?;
    exchange(db, "need", file, &needed, &[])?;
    let defs: Vec<i64> = db
        .prepare_cached("SELECT id FROM def WHERE file = ?1")?
        .query_map([file], |row| row.get(0))?
        .collect::<Result<_>>()?;
    defs.into_iter().try_for_each(|def| forget(db, def))?;
    db.prepare_cached("DELETE FROM detail WHERE file = ?1")?
        .execute([file])?;
    db.prepare_cached("DELETE FROM file WHERE id = ?1")?
        .execute([file])?;
    Ok(provided)
}

fn packed(keys: &[Key]) -> Vec<u8> {
    keys.iter()
        .flat_map(|key| key.0.to_le_bytes()[..6].to_vec())
        .collect()
}

fn keys(db: &Connection, sql: &str, file: i64) -> Result<Vec<Key>> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([file])?;
    let Some(row) = rows.next()? else {
        return Ok(vec![]);
    };
    let bytes: Vec<u8> = row.get(0)?;
    let key = |bytes: &[u8]| {
        let mut whole = [0; 8];
        whole[..6].copy_from_slice(bytes);
        Key(u64::from_le_bytes(whole))
    };
    Ok(bytes.chunks_exact(6).map(key).collect())
}
