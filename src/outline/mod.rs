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
use imara_diff::Hunk;
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
    let leaves = |reading: &Reading, grammar: &Grammar, outline: &Outline| {
        leaves::leaves(&reading.tree, grammar, source, outline, lines)
    };
    let (outline, leaves) = outline_and(source, language, limits, leaves);
    (outline, leaves.unwrap_or_default())
}

/// The outline, and what `more` reads from the same tree; None of it for formats without a grammar and where a limit was hit.
pub fn outline_and<T: Send>(
    source: &Source,
    language: &Language,
    limits: &Limits,
    more: impl Fn(&Reading, &Grammar, &Outline) -> T + Sync,
) -> (Outline, Option<T>) {
    let (outline, more) = match &language.reader {
        Reader::Scanner(scan) => (scanned(scan(source)), None),
        Reader::Grammar(grammar) => within(source, limits, |limits| {
            let (outline, reading) = parsed(source, grammar, limits);
            let more = more(&reading, grammar, &outline);
            (outline, Some(more))
        })
        .unwrap_or_else(|(kind, message)| {
            let outline = past_the_limit(source, grammar, kind, message);
            (outline, None)
        }),
    };
    (finished(outline, source), more)
}

/// A version of a file, and its lines whose tokens are asked for.
pub struct Version<'a> {
    pub source: &'a Source,
    pub lines: &'a [Lines],
}

/// The same of two versions of a file that differ in `hunks`. Most of the later one is not parsed: that takes its share of
/// the time, a third of all.
pub fn both_with_leaves(
    versions: [Version<'_>; 2],
    hunks: &[Hunk],
    language: &Language,
    limits: &Limits,
) -> [(Outline, Leaves); 2] {
    let [old, new] = &versions;
    let alone =
        |version: &Version| outline_with_leaves(version.source, language, limits, version.lines);
    let fits = new.source.text().len() as u64 <= limits.max_bytes;
    let (Reader::Grammar(grammar), true) = (&language.reader, fits) else {
        return versions.each_ref().map(alone);
    };
    let both = within(old.source, limits, |limits| {
        let (outline, reading) = parsed(old.source, grammar, limits);
        let leaves = leaves::leaves(&reading.tree, grammar, old.source, &outline, old.lines);
        let later = parse::parse_later(&reading, [old.source, new.source], hunks, grammar);
        let later = later.map(|reading| {
            let outline = extract::extract(&reading, grammar, new.source);
            let leaves = leaves::leaves(&reading.tree, grammar, new.source, &outline, new.lines);
            (outline, leaves)
        });
        ((outline, leaves), later)
    });
    // Past a limit, each version gets what it gets by itself.
    let Ok(((outline, leaves), later)) = both else {
        return versions.each_ref().map(alone);
    };
    let later = later.map(|(outline, leaves)| (finished(outline, new.source), leaves));
    [
        (finished(outline, old.source), leaves),
        later.unwrap_or_else(|| alone(new)),
    ]
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
