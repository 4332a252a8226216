//! From bytes to an [`Outline`]: parse within limits, extract, mend what is broken. Pure: no files, no output.

pub mod doc;
mod extract;
mod parse;
pub mod path;
mod repair;
mod signature;

pub use parse::{Limits, Parsed, parse};

use crate::lang::{Language, Reader};
use crate::model::{Lines, Outline, Problem, ProblemKind};
use crate::source::{Encoding, Source};

/// The outline of a file. Never fails: what could not be read stands in `problems`.
pub fn outline(source: &Source, language: &Language, limits: &Limits) -> Outline {
    let mut outline = match &language.reader {
        Reader::Scanner(scan) => scan(source),
        Reader::Grammar(grammar) => match parse(source, grammar, limits) {
            Parsed::Tree(reading) => {
                let (mut outline, misread) = extract::extract(&reading, grammar, source);
                if misread || reading.tree.root_node().has_error() {
                    let better = parse::parse_rewritten(source, grammar, limits, &reading);
                    if let Some(reading) = better {
                        (outline, _) = extract::extract(&reading, grammar, source);
                    }
                }
                repair::settle(&mut outline, source, grammar);
                outline
            }
            Parsed::Limit(message) => past_the_limit(source, message),
        },
    };
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
