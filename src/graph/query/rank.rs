//! How often definitions are called and used from other files, and which of them a word is in the name of: what answers of
//! other verbs are ranked by. Tests and guesses do not count.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, Result};

use crate::graph::facts::flag;
use crate::graph::sorts;
use crate::graph::store::write::words;

/// Calls and uses of the definitions of a file, from other files, by their place in its outline; none where the file is no
/// source of the graph. What nobody refers to is left out.
pub fn references(db: &Connection, path: &str) -> Result<Option<HashMap<u32, u32>>> {
    let file: Option<i64> = db
        .prepare_cached("SELECT id FROM file WHERE path = ?1 AND role = 0")?
        .query_row([path], |row| row.get(0))
        .optional()?;
    let Some(file) = file else { return Ok(None) };
    let sql = format!(
        "SELECT def.local, count(*) FROM def JOIN edge ON edge.dst = def.id JOIN def src ON src.id = edge.src
         JOIN file other ON other.id = src.file
         WHERE def.file = ?1 AND def.local >= 0 AND src.file <> ?1 AND edge.grade < 4
           AND NOT src.flags & {} AND NOT other.flags & {} GROUP BY def.local",
        flag::TEST,
        sorts::TEST
    );
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect::<Result<_>>().map(Some)
}

/// Sources of the graph.
pub fn sources(db: &Connection) -> Result<HashSet<String>> {
    let mut statement = db.prepare_cached("SELECT path FROM file WHERE role = 0")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

/// Sources with a definition whose name, or a part of it, begins with a word: `mail` in `sendMail` and `send_mail`.
pub fn holders(db: &Connection, word: &str) -> Result<HashSet<String>> {
    let mut statement = db.prepare_cached(
        "SELECT DISTINCT file.path FROM word JOIN def ON def.id = word.rowid JOIN file ON file.id = def.file
         WHERE word MATCH ?1",
    )?;
    let rows = statement.query_map([query(word)], |row| row.get(0))?;
    rows.collect()
}

/// A word as the index of names is asked for it: as it stands, or in its parts, the last of which may go on.
fn query(word: &str) -> String {
    let parts = words(word);
    let parts = parts.split(|sign: char| !sign.is_alphanumeric());
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let whole = word
        .chars()
        .all(char::is_alphanumeric)
        .then(|| format!("\"{word}\"*"));
    // The name itself stands in front of its parts.
    parts.drain(..parts.len() / 2);
    let last = parts.pop().map(|last| format!("\"{last}\"*"));
    let parts = parts.into_iter().map(|part| format!("\"{part}\""));
    let parts: Vec<String> = parts.chain(last).collect();
    let parts = Some(format!("({})", parts.join(" AND ")));
    let either: Vec<String> = whole.into_iter().chain(parts).collect();
    either.join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn words_are_asked_for_whole_and_in_parts() {
        for (word, asked) in [
            ("mail", r#""mail"* OR ("mail"*)"#),
            ("mailTo", r#""mailTo"* OR ("mail" AND "To"*)"#),
            ("send_mail", r#"("send" AND "mail"*)"#),
        ] {
            assert_eq!(query(word), asked);
        }
    }
}
