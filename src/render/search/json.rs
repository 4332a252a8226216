//! The public JSON of matches: one object a file, or one of all files in the view `total`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;

use super::Found;
use crate::model::{Lines, Outline};
use crate::render::declared::JsonDeclared;
use crate::render::{Declared, Elided, Evidence, Totals};
use crate::search::{ContextLine, Match, View};
use crate::source::Source;

pub(super) const SCHEMA: &str = "ast-outline.search/1";

#[derive(Serialize)]
struct JsonFound<'a> {
    schema: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    source_version: String,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<JsonMatch<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<JsonLine<'a>>,
    elided: Vec<Elided>,
    evidence: Vec<Evidence>,
    next: Vec<&'a str>,
}

#[derive(Serialize)]
struct Counts {
    matches: usize,
    submatches: usize,
}

#[derive(Serialize)]
struct JsonTotal<'a> {
    schema: &'static str,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    matches: usize,
    files: usize,
    elided: Vec<Elided>,
    evidence: [Evidence; 0],
    next: Vec<&'a str>,
}

#[derive(Serialize)]
struct JsonMatch<'a> {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    column: u32,
    start_byte: u64,
    end_byte: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    within: Option<Within<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    submatches: Vec<Submatch<'a>>,
}

#[derive(Serialize)]
struct Within<'a> {
    kind: &'static str,
    qualname: &'a str,
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct Submatch<'a> {
    text: Cow<'a, str>,
    start_byte: u64,
    end_byte: u64,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    line: u32,
    text: Cow<'a, str>,
}

/// One file, on one line.
pub fn json(
    out: &mut dyn Write,
    found: &Found<'_>,
    view: View,
    declared: &Declared,
) -> io::Result<()> {
    let (source, matches) = (found.source, found.matches);
    let list = matches.list.iter().filter(|_| view.is_located());
    let pointers = list
        .clone()
        .filter_map(|matched| found.pointer(matched.lines));
    let counted = view <= View::Counts;
    let answer = JsonFound {
        schema: SCHEMA,
        path: &found.path,
        path_bytes: found.path_bytes,
        language: found.language.map(|language| language.name),
        source_version: source.version().to_string(),
        view: view.name(),
        declared: declared.json(),
        totals: Totals {
            matches: counted.then_some(found.count),
            ..Totals::of_lines(source.lines())
        },
        lines: source.lines(),
        counts: counted.then(|| Counts {
            matches: matches.list.len(),
            submatches: matches.count_submatches(),
        }),
        more: (counted && matches.more).then_some(true),
        complete: found
            .outline
            .filter(|_| view.is_located())
            .map(Outline::complete),
        evidence: evidence(pointers),
        matches: view.is_located().then(|| {
            list.map(|matched| json_match(found, matched, view))
                .collect()
        }),
        context: matches
            .context
            .iter()
            .filter(|_| view == View::Context)
            .map(|line| context(source, line))
            .collect(),
        elided: declared.elided().collect(),
        next: declared.command.as_deref().into_iter().collect(),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

/// All there is to say of a search in the view `total`.
pub fn json_total(out: &mut dyn Write, totals: Totals, declared: &Declared) -> io::Result<()> {
    let answer = JsonTotal {
        schema: SCHEMA,
        view: View::Total.name(),
        declared: declared.json(),
        totals,
        matches: totals.matches.unwrap_or(0),
        files: totals.files.unwrap_or(0),
        elided: declared.elided().collect(),
        evidence: [],
        next: declared.command.as_deref().into_iter().collect(),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

pub(super) fn evidence(pointers: impl IntoIterator<Item = String>) -> Vec<Evidence> {
    let pointers = pointers.into_iter();
    pointers.map(|pointer| Evidence { pointer }).collect()
}

fn context<'a>(source: &'a Source, line: &ContextLine) -> JsonLine<'a> {
    JsonLine {
        line: line.line,
        text: String::from_utf8_lossy(source.line(line.line)),
    }
}

/// A match, with its text but in [`View::Places`].
fn json_match<'a>(found: &Found<'a>, matched: &Match, view: View) -> JsonMatch<'a> {
    let source = found.source;
    let Lines { start, end } = matched.lines;
    let line = source.line_start(start);
    let ends = source.line_start(end) + source.line(end).len() as u32;
    let whole = line..ends;
    let first = matched.submatches.first().unwrap_or(&whole);
    let shown = view < View::Places;
    let text = shown.then(|| source.str(line as usize..ends as usize));
    let submatch = |part: &Range<u32>| Submatch {
        text: source.str(part.start as usize..part.end as usize),
        start_byte: source.original_offset(part.start),
        end_byte: source.original_offset(part.end),
    };
    let submatches = matched.submatches.iter().filter(|_| shown);
    JsonMatch {
        line: start,
        end_line: (end > start).then_some(end),
        column: first.start - line + 1,
        start_byte: source.original_offset(first.start),
        end_byte: source.original_offset(first.end),
        lossy: matches!(text, Some(Cow::Owned(_))),
        text,
        within: within(found, matched),
        submatches: submatches.map(submatch).collect(),
    }
}

fn within<'a>(found: &Found<'a>, matched: &Match) -> Option<Within<'a>> {
    let item = &found.outline?.items[matched.within? as usize];
    Some(Within {
        kind: item.kind.name(),
        qualname: &item.qualname,
        start_line: item.lines.start,
        end_line: item.lines.end,
    })
}
