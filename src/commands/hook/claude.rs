//! `hook claude`: before a file is read or edited, what the rest of the tree wants of it; before a name is searched for, where
//! it is defined and how many call it. Reads one index as it is: nothing is walked, parsed or written.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::cache::Folder;
use crate::commands::graph::{brief, shown_from};
use crate::graph::fresh;
use crate::graph::paths::relative;
use crate::graph::query::brief as facts;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Scope};
use crate::graph::store::{self, Opened};
use crate::render::graph::brief::Briefing;
use crate::render::graph::named::{Known, Meaning};

/// An event is small; what is longer carries a text that is written.
const MOST_BYTES: u64 = 8 << 20;
/// A name of more definitions than this says little.
const MOST_MEANINGS: usize = 20;

/// What is said before a tool is used; other events are none of ours.
#[derive(Deserialize)]
struct Event {
    hook_event_name: String,
    tool_name: String,
    tool_input: Input,
    cwd: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Input {
    file_path: Option<PathBuf>,
    pattern: Option<String>,
    path: Option<PathBuf>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    hook_specific_output: Output,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    hook_event_name: &'static str,
    additional_context: String,
}

/// The answer to the event on stdin; none where there is nothing to say.
pub fn answer(edit: bool) -> Option<String> {
    let mut bytes = vec![];
    let mut stdin = std::io::stdin().lock().take(MOST_BYTES);
    stdin.read_to_end(&mut bytes).ok()?;
    let event: Event = serde_json::from_slice(&bytes).ok()?;
    if event.hook_event_name != "PreToolUse" {
        return None;
    }
    let here = event.cwd.clone().or_else(|| std::env::current_dir().ok())?;
    let input = &event.tool_input;
    let text = match event.tool_name.as_str() {
        "Read" => of_file(&here, input.file_path.as_deref()?),
        "Edit" | "MultiEdit" | "Write" if edit => of_file(&here, input.file_path.as_deref()?),
        "Grep" => of_pattern(&here, input.path.as_deref(), input.pattern.as_deref()?),
        _ => return None,
    };
    let additional_context = text.ok()??;
    let answer = Answer {
        hook_specific_output: Output {
            hook_event_name: "PreToolUse",
            additional_context,
        },
    };
    serde_json::to_string(&answer).ok()
}

/// The nearest index above a folder, to be asked as it is.
fn index(folder: &Path) -> Result<Option<(PathBuf, Connection)>> {
    for root in folder.ancestors() {
        let folder = Folder::in_root(root);
        if !store::path(&folder).is_file() {
            continue;
        }
        return Ok(match store::open(&folder)? {
            Opened::Graph(db) => Some((root.to_path_buf(), db)),
            Opened::Nothing | Opened::Useless(_) => None,
        });
    }
    Ok(None)
}

fn of_file(here: &Path, path: &Path) -> Result<Option<String>> {
    let path = std::fs::canonicalize(here.join(path))?;
    // It may lie in one of several roots that another one has the index of.
    let roots = [Some(here), path.parent()];
    for folder in roots.into_iter().flatten() {
        let Some((root, db)) = index(folder)? else {
            continue;
        };
        let Some(file) = facts::file(&db, &relative(&root, &path))? else {
            continue;
        };
        let brief = facts::brief(&db, &file)?;
        let briefing = Briefing {
            file: &file,
            brief: &brief,
            stale: brief::stale(&db, &root, &file, &brief)?,
            shown: &shown_from(&root, here),
        };
        return Ok(Some(briefing.text()).filter(|text| !text.is_empty()));
    }
    Ok(None)
}

fn of_pattern(here: &Path, path: Option<&Path>, pattern: &str) -> Result<Option<String>> {
    let Some(name) = name(pattern) else {
        return Ok(None);
    };
    let place = std::fs::canonicalize(path.map_or(here.to_path_buf(), |path| here.join(path)))?;
    let folder = if place.is_file() {
        place.parent().unwrap_or(&place)
    } else {
        &place
    };
    let Some((root, db)) = index(folder)? else {
        return Ok(None);
    };
    let groups = find::find(&db, name)?;
    if groups.is_empty() || groups.len() > MOST_MEANINGS {
        return Ok(None);
    }
    let mut meanings = vec![];
    for group in groups {
        meanings.push(meaning(&db, group)?);
    }
    meanings.sort_by_key(|meaning| std::cmp::Reverse(meaning.calls));
    let known = Known {
        name: meanings[0].def.name.clone(),
        unresolved: near::unresolved(&db, &meanings[0].def.name, Scope::default())?
            .iter()
            .map(|(_, count)| count)
            .sum(),
        stale: stale(&db, &root, &meanings)?,
        meanings,
        shown: &shown_from(&root, here),
    };
    Ok(Some(known.text()).filter(|text| !text.is_empty()))
}

/// The name that a pattern looks for, if it is one: words that introduce definitions, edges of words and an opening bracket
/// do not change which.
fn name(pattern: &str) -> Option<&str> {
    let pattern = pattern.trim().trim_start_matches('^').trim_end_matches('$');
    let pattern = pattern.trim_start_matches("\\b").trim_end_matches("\\b");
    let pattern = ["\\(", "("]
        .iter()
        .find_map(|end| pattern.strip_suffix(end))
        .unwrap_or(pattern);
    let pattern = pattern.rsplit([' ']).next()?;
    let pattern = pattern.trim_start_matches("\\s+").trim_start_matches("\\b");
    let plain = |c: char| c.is_alphanumeric() || "_$.:".contains(c);
    let named = pattern.chars().any(char::is_alphabetic) && pattern.chars().count() > 2;
    (named && pattern.chars().all(plain)).then_some(pattern)
}

/// Definitions that are one thing, with the calls of it.
fn meaning(db: &Connection, defs: Vec<Def>) -> Result<Meaning> {
    // Types are used rather than called.
    let used = defs.iter().any(|def| def.kind.is_type());
    let scope = Scope {
        uses: used,
        ..Scope::default()
    };
    let calls = near::callers(db, &near::stands_for(db, &defs)?, scope)?;
    let mut files: Vec<i64> = calls.iter().map(|step| step.def.file).collect();
    files.sort_unstable();
    files.dedup();
    // The body, where there are heads of it, too.
    let body = defs
        .iter()
        .position(|def| !def.is(crate::graph::facts::flag::DECLARATION));
    let def = defs[body.unwrap_or(0)].clone();
    let own = facts::package(db, def.pkg)?;
    let mut crosses = false;
    for step in calls.iter().filter(|step| step.def.pkg != def.pkg) {
        let other = facts::package(db, step.def.pkg)?;
        crosses |= own
            .as_ref()
            .zip(other.as_ref())
            .is_some_and(|(own, other)| own != other);
    }
    Ok(Meaning {
        calls: calls.len(),
        files: files.len(),
        crosses,
        used,
        def,
    })
}

fn stale(db: &Connection, root: &Path, meanings: &[Meaning]) -> Result<Option<&'static str>> {
    for meaning in meanings.iter().take(3) {
        let file = facts::file(db, &meaning.def.path)?;
        let current =
            |file: &facts::File| fresh::is_current(&root.join(&file.path), file.stamp, &file.hash);
        if file.is_some_and(|file| !current(&file)) {
            return Ok(Some("stale: edited since it was indexed"));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn patterns_that_are_names() {
        for (pattern, found) in [
            ("save", Some("save")),
            ("Store.save", Some("Store.save")),
            (r"\bsave\b", Some("save")),
            (r"def save\(", Some("save")),
            ("fn save(", Some("save")),
            (r"^class\s+Store", None),
            ("save|load", None),
            ("TODO:? .*", None),
            ("if", None),
            ("", None),
            ("::", None),
        ] {
            assert_eq!(name(pattern), found, "{pattern}");
        }
    }
}
