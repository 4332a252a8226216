//! From bytes to an [`Outline`]: parse within limits, extract, mend what is broken. Pure: no files, no output.

mod arrange;
mod brackets;
pub mod doc;
mod extract;
mod parse;
pub mod path;
mod repair;
mod signature;

use parse::Reading;
pub use parse::{Limits, Parsed, parse};

use crate::lang::{Grammar, Language, Reader};
use crate::model::{Lines, Outline, Problem, ProblemKind};
use crate::source::{Encoding, Source};

/// The outline of a file. Never fails: what could not be read stands in `problems`.
pub fn outline(source: &Source, language: &Language, limits: &Limits) -> Outline {
    let mut outline = match &language.reader {
        Reader::Scanner(scan) => scanned(scan(source)),
        Reader::Grammar(grammar) => match read(source, grammar, limits) {
            Ok((reading, outline)) if reading.tree.root_node().has_error() => {
                repair::outline(source, grammar, limits, &reading, outline)
            }
            Ok((_, outline)) => outline,
            Err(message) => past_the_limit(source, message),
        },
    };
    repair::mark_data(&mut outline);
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

/// Parses and extracts a text. The message of an error says which limit was hit.
fn read(
    source: &Source,
    grammar: &Grammar,
    limits: &Limits,
) -> Result<(Box<Reading>, Outline), String> {
    match parse(source, grammar, limits) {
        Parsed::Tree(reading) => {
            let outline = extract::extract(&reading, grammar, source);
            Ok((reading, outline))
        }
        Parsed::Limit(message) => Err(message),
    }
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

fn past_the_limit(source: &Source, message: String) -> Outline {
    let lines = Lines {
        start: 1,
        end: source.lines().max(1),
    };
    Outline {
        problems: vec![Problem {
            kind: ProblemKind::Limit,
            lines,
            message,
        }],
        ..Outline::default()
    }
}
