//! The public JSON of matches: one object a file.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;

use super::Found;
use crate::model::{Lines, Outline};
use crate::render::Evidence;
use crate::search::Hit;

/// How much is said of the matches in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// That there are some.
    Paths,
    /// How many.
    Counts,
    All,
}

#[derive(Serialize)]
struct JsonFound<'a> {
    schema: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    source_version: String,
    lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<JsonHit<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<JsonLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Counts {
    matches: usize,
    submatches: usize,
}

#[derive(Serialize)]
struct JsonHit<'a> {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    column: u32,
    start_byte: u64,
    end_byte: u64,
    text: Cow<'a, str>,
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

/// One file, on one line; `pointers` are those of its matches.
pub fn json(
    out: &mut dyn Write,
    found: &Found<'_>,
    detail: Detail,
    pointers: Vec<String>,
) -> io::Result<()> {
    let (source, hits) = (found.source, found.hits);
    let all = detail == Detail::All;
    let answer = JsonFound {
        schema: "ast-outline.search/1",
        path: &found.path,
        path_bytes: found.path_bytes,
        language: found.language.map(|language| language.name),
        source_version: source.version().to_string(),
        lines: source.lines(),
        counts: (detail != Detail::Paths).then(|| Counts {
            matches: hits.list.len(),
            submatches: hits.parts(),
        }),
        more: (detail != Detail::Paths && hits.more).then_some(true),
        complete: found.outline.filter(|_| all).map(Outline::complete),
        matches: all.then(|| hits.list.iter().map(|hit| json_hit(found, hit)).collect()),
        context: hits
            .beside
            .iter()
            .filter(|_| all)
            .map(|beside| JsonLine {
                line: beside.line,
                text: String::from_utf8_lossy(source.line(beside.line)),
            })
            .collect(),
        evidence: evidence(pointers),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

pub(super) fn evidence(pointers: impl IntoIterator<Item = String>) -> Vec<Evidence> {
    let pointers = pointers.into_iter();
    pointers.map(|pointer| Evidence { pointer }).collect()
}

fn json_hit<'a>(found: &Found<'a>, hit: &Hit) -> JsonHit<'a> {
    let source = found.source;
    let Lines { start, end } = hit.lines;
    let line = source.line_start(start);
    let ends = source.line_start(end) + source.line(end).len() as u32;
    let whole = line..ends;
    let first = hit.parts.first().unwrap_or(&whole);
    let text = source.str(line as usize..ends as usize);
    let within = found.outline.zip(hit.within).map(|(outline, id)| {
        let item = &outline.items[id as usize];
        Within {
            kind: item.kind.name(),
            qualname: &item.qualname,
            start_line: item.lines.start,
            end_line: item.lines.end,
        }
    });
    let submatch = |part: &Range<u32>| Submatch {
        text: source.str(part.start as usize..part.end as usize),
        start_byte: source.original_offset(part.start),
        end_byte: source.original_offset(part.end),
    };
    JsonHit {
        line: start,
        end_line: (end > start).then_some(end),
        column: first.start - line + 1,
        start_byte: source.original_offset(first.start),
        end_byte: source.original_offset(first.end),
        lossy: matches!(text, Cow::Owned(_)),
        text,
        within,
        submatches: hit.parts.iter().map(submatch).collect(),
    }
}
