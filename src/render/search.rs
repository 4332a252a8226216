//! Matches of a search, each view of them, and names like a pattern, as text and as JSON.

mod json;
mod lines;
mod names;
mod places;

use std::borrow::Cow;
use std::io::{self, Write};

use super::{plural, visible};
use crate::evidence::short_hash;
use crate::git::Identity;
use crate::lang::Language;
use crate::model::{Item, Lines, Outline};
use crate::search::{Matches, View};
use crate::source::Source;

pub use json::{json, json_total};
pub use names::Named;

/// The matches of one file.
pub struct Found<'a> {
    pub path: Cow<'a, str>,
    pub path_bytes: Option<&'a [u8]>,
    /// None for a format we do not know: then there is no outline either.
    pub language: Option<&'static Language>,
    pub source: &'a Source,
    pub outline: Option<&'a Outline>,
    pub matches: &'a Matches,
    /// How many they are, as [`View::Counts`] says.
    pub count: usize,
    /// To make pointers with, where these are asked for.
    pub identity: Option<&'a Identity>,
}

/// `## search "smtp" (5 matches in 2 files, view lines, -i)`
pub fn head(
    out: &mut dyn Write,
    patterns: &[String],
    found: &str,
    flags: &[String],
) -> io::Result<()> {
    let patterns: Vec<String> = patterns.iter().map(|text| format!("\"{text}\"")).collect();
    let facts: Vec<&str> = [found]
        .into_iter()
        .chain(flags.iter().map(String::as_str))
        .collect();
    let line = format!("## search {} ({})", patterns.join(" or "), facts.join(", "));
    writeln!(out, "{}", visible(&line))
}

/// `5 matches in 2 files`
pub fn found(count: usize, what: &str, files: usize) -> String {
    format!("{} in {}", plural(count, what), plural(files, "file"))
}

/// What a view shows of one file: nothing in [`View::Total`].
pub fn text(out: &mut dyn Write, found: &Found<'_>, view: View, color: bool) -> io::Result<()> {
    match view {
        View::Context | View::Lines => {
            header(out, found, color)?;
            lines::lines(out, found, view, color)
        }
        View::Places => {
            header(out, found, color)?;
            places::places(out, found)
        }
        View::Counts => writeln!(out, "{}:{}", visible(&found.path), found.count),
        View::Paths => writeln!(out, "{}", visible(&found.path)),
        View::Total => Ok(()),
    }
}

/// `## src/a.py (python, 28 lines, 2 matches, version 8c2524491398)`
fn header(out: &mut dyn Write, found: &Found<'_>, color: bool) -> io::Result<()> {
    let mut facts = vec![];
    facts.extend(found.language.map(|language| language.name.to_string()));
    facts.push(plural(found.source.lines() as usize, "line"));
    let count = plural(found.matches.list.len(), "match");
    facts.push(match found.matches.more {
        true => format!("{count} and more"),
        false => count,
    });
    facts.push(format!("version {}", found.source.version()));
    if found.outline.is_some_and(|outline| !outline.complete()) {
        facts.push("incomplete".to_string());
    }
    let whole = Lines {
        start: 1,
        end: found.source.lines().max(1),
    };
    let pointer = found.pointer(whole);
    facts.extend(pointer.map(|pointer| format!("evidence {pointer}")));
    let line = format!("## {} ({})", found.path, facts.join(", "));
    match color {
        true => writeln!(out, "\x1b[1m{}\x1b[0m", visible(&line)),
        false => writeln!(out, "{}", visible(&line)),
    }
}

impl Found<'_> {
    fn pointer(&self, lines: Lines) -> Option<String> {
        let identity = self.identity?;
        let pointer = identity.pointer(lines, short_hash(self.source, lines));
        Some(pointer.to_string())
    }

    /// The end of a line about a definition: a pointer to it, where these are asked for.
    fn evidence(&self, item: &Item) -> String {
        let pointer = self.pointer(item.lines);
        pointer.map_or(String::new(), |pointer| format!("  evidence {pointer}"))
    }
}
