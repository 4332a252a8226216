//! The markers that version control leaves in a file with conflicts: which lines they are, and how to read around them.
//! Knows no language; whether a text is one where such lines mean something is for the caller to say.

use std::ops::Range;

use memchr::memmem;

use super::scan::{lines_of, problem};
use crate::model::{Outline, ProblemKind, Trust};
use crate::source::Source;

/// The lines that version control has put around the two sides of a conflict. A line of `=` between no others is none:
/// documents underline their headings so.
pub fn conflicts(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut seen = 0;
    if memmem::find(text, b"<<<<<<< ").is_none() && memmem::find(text, b">>>>>>> ").is_none() {
        return found;
    }
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let marker = line.trim_ascii_end();
        let (is, next) = match marker {
            [b'<', rest @ ..] => (rest.starts_with(b"<<<<<< "), 1),
            [b'|', rest @ ..] => (seen == 1 && rest.starts_with(b"||||||"), 1),
            [b'=', rest @ ..] => (seen == 1 && rest == b"======", 2),
            [b'>', rest @ ..] => (rest.starts_with(b">>>>>> "), 0),
            _ => (false, 0),
        };
        if is {
            seen = next;
            found.push(at..at + marker.len());
        }
        at += line.len();
    }
    found
}

/// Reads a text with `blank` bytes in place of the markers, so that both sides of a conflict are read.
pub fn without_markers(
    source: &Source,
    markers: Vec<Range<usize>>,
    blank: u8,
    read: impl Fn(&Source) -> Outline,
) -> Outline {
    if markers.is_empty() {
        return read(source);
    }
    let mut text = source.text().to_vec();
    for marker in &markers {
        text[marker.clone()].fill(blank);
    }
    let mut outline = read(&source.with_text(text));
    for marker in markers {
        let lines = lines_of(source, &marker);
        problem(&mut outline, ProblemKind::Syntax, lines, "conflict marker");
        let around = outline.enclosing(lines).map(|id| id as usize);
        if let Some(id) = around.filter(|&id| outline.items[id].trust == Trust::Whole) {
            outline.items[id].trust = Trust::Damaged;
        }
    }
    outline.problems.sort_by_key(|problem| problem.lines.start);
    outline
}
