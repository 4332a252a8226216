//! From bytes to an [`Outline`]: parse within limits, extract, mend what is broken. Pure: no files, no output.

mod arrange;
mod brackets;
mod data;
pub mod diff;
pub mod doc;
mod extract;
pub mod folds;
pub mod leaves;
mod memory;
mod parse;
pub mod path;
mod repair;
mod scan;
mod signature;

pub use parse::{Limits, Reading, parse, within};

use crate::lang::conflicts::{conflicts, without_markers};
use crate::lang::{Grammar, Language, Reader};
use crate::model::{Lines, Outline, Problem, ProblemKind};
use crate::source::{Encoding, Source};
use leaves::Leaves;

/// The outline of a file. Never fails: what could not be read stands in `problems`.
pub fn outline(source: &Source, language: &Language, limits: &Limits) -> Outline {
    let outline = match &language.reader {
        Reader::Scanner(scan) => scanned(scan(source)),
        Reader::Grammar(grammar) => {
            within(source, limits, |limits| parsed(source, grammar, limits).0)
                .unwrap_or_else(|(kind, message)| past_the_limit(source, grammar, kind, message))
        }
    };
    finished(outline, source)
}

/// The outline, and the tokens of the definitions that these lines lie in; none of formats without a grammar.
pub fn outline_with_leaves(
    source: &Source,
    language: &Language,
    limits: &Limits,
    lines: &[Lines],
) -> (Outline, Leaves) {
    let (outline, leaves) = match &language.reader {
        Reader::Scanner(scan) => (scanned(scan(source)), Leaves::default()),
        Reader::Grammar(grammar) => within(source, limits, |limits| {
            let (outline, reading) = parsed(source, grammar, limits);
            let leaves = leaves::leaves(&reading.tree, grammar, source, &outline, lines);
            (outline, leaves)
        })
        .unwrap_or_else(|(kind, message)| {
            let outline = past_the_limit(source, grammar, kind, message);
            (outline, Leaves::default())
        }),
    };
    (finished(outline, source), leaves)
}

/// What is said of every file, however it was read.
fn finished(mut outline: Outline, source: &Source) -> Outline {
    data::mark(&mut outline);
    outline.lines = source.lines();
    if source.encoding() != Encoding::Bytes {
        let message = "UTF-16, read as UTF-8".to_string();
        outline.problems.push(Problem {
            kind: ProblemKind::Encoding,
            lines: Lines { start: 1, end: 1 },
            message,
        });
    }
    outline
}

/// Where a file does not parse, conflict markers may be why: then both sides are read, one behind the other.
/// The tree is that of the file as it stands.
fn parsed(source: &Source, grammar: &Grammar, limits: &Limits) -> (Outline, Box<Reading>) {
    let (reading, outline) = read(source, grammar, limits);
    let whole = !reading.tree.root_node().has_error() && reading.left_out.is_empty();
    let markers = match whole || !limits.again {
        true => vec![],
        false => conflicts(source.text()),
    };
    if markers.is_empty() {
        let outline = mended(source, grammar, limits, &reading, outline);
        return (outline, reading);
    }
    let outline = without_markers(source, markers, b' ', |source| {
        let (reading, outline) = read(source, grammar, limits);
        mended(source, grammar, limits, &reading, outline)
    });
    (outline, reading)
}

fn mended(
    source: &Source,
    grammar: &Grammar,
    limits: &Limits,
    reading: &Reading,
    outline: Outline,
) -> Outline {
    match reading.tree.root_node().has_error() {
        true => repair::outline(source, grammar, limits, reading, outline),
        false => outline,
    }
}

/// Parses and extracts a text.
fn read(source: &Source, grammar: &Grammar, limits: &Limits) -> (Box<Reading>, Outline) {
    let reading = parse(source, grammar, limits);
    let outline = extract::extract(&reading, grammar, source);
    (reading, outline)
}

/// Scanners give whole comments; what is kept of one is its first sentence.
fn scanned(mut outline: Outline) -> Outline {
    for item in &mut outline.items {
        item.doc = item
            .doc
            .take()
            .and_then(|text| doc::first_sentence(text.lines()));
    }
    outline
}

/// What is known of a file that could not be parsed: why, and what its lines look like.
fn past_the_limit(
    source: &Source,
    grammar: &Grammar,
    kind: ProblemKind,
    mut message: String,
) -> Outline {
    let mut outline = Outline::default();
    let more = scan::scan(source, grammar, &mut outline);
    if more > 0 {
        message += &format!("; {more} more lines look like definitions");
    }
    let lines = Lines {
        start: 1,
        end: source.lines().max(1),
    };
    outline.problems.push(Problem {
        kind,
        lines,
        message,
    });
    outline
}
