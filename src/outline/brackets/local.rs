//! Stretches of text that were not hurt: set apart by their indentation, and their brackets match within. They are left
//! alone, however they are indented, so that one deviation from the usual layout far from the damage spoils nothing.

use std::ops::Range;

use super::line::{Label, label};
use super::{column, is_closer};
use crate::lang::lex::{Lexis, Mark, MarkKind};

/// A line and all that is indented deeper, with the closers at its own column.
struct Stretch {
    start: usize,
    column: usize,
    /// Open brackets of each sort at its start, and the fewest since.
    depth: [i32; 3],
    lowest: [i32; 3],
    /// How many whole stretches were known at its start.
    known: usize,
    /// A closer stands at its column: it ends with that line, unless more is opened there.
    closed: bool,
}

/// The outermost whole stretches, in order: from the first byte of code of each to behind its last.
pub fn whole(text: &[u8], marks: &[Mark], lexis: &Lexis) -> Vec<Range<usize>> {
    let mut whole = vec![];
    let mut open: Vec<Stretch> = vec![];
    let mut depth = [0; 3];
    for mark in marks {
        match mark.kind {
            MarkKind::Line { after } => {
                let column = column(text, mark.at);
                let closes = is_closer(text[mark.at]);
                let opened = after > 0 && matches!(text[after - 1], b'(' | b'[' | b'{');
                let goes_on = |stretch: &Stretch| {
                    let own = closes && (!stretch.closed || opened);
                    stretch.column < column || stretch.column == column && own
                };
                end(&mut open, goes_on, after, depth, &mut whole);
                let own = open.last_mut().filter(|stretch| stretch.column == column);
                if let Some(stretch) = own {
                    stretch.closed = true;
                } else if !closes {
                    open.push(Stretch {
                        start: mark.at,
                        column,
                        depth,
                        lowest: depth,
                        known: whole.len(),
                        closed: is_label(text, mark.at, lexis),
                    });
                }
            }
            MarkKind::Open(byte) => depth[sort_of(byte)] += 1,
            MarkKind::Close(byte) => {
                let sort = sort_of(byte);
                depth[sort] -= 1;
                if let Some(stretch) = open.last_mut() {
                    stretch.lowest[sort] = stretch.lowest[sort].min(depth[sort]);
                }
            }
            MarkKind::End => end(&mut open, |_| false, mark.at, depth, &mut whole),
            MarkKind::Stray | MarkKind::Conflict { .. } | MarkKind::Comment => {}
        }
    }
    whole
}

/// Whether a line is but a label: the closer at its column is that of the block around it.
fn is_label(text: &[u8], first: usize, lexis: &Lexis) -> bool {
    let line = text[first..].split(|&byte| byte == b'\n').next();
    let opens = line.is_some_and(|line| line.trim_ascii_end().ends_with(b"{"));
    !opens && !matches!(label(text, first, lexis), Label::None)
}

/// Whether all brackets match, by their numbers.
pub fn all_match(marks: &[Mark]) -> bool {
    let mut depth = [0; 3];
    let never_short = marks.iter().all(|mark| match mark.kind {
        MarkKind::Open(byte) => {
            depth[sort_of(byte)] += 1;
            true
        }
        MarkKind::Close(byte) => {
            depth[sort_of(byte)] -= 1;
            depth[sort_of(byte)] >= 0
        }
        MarkKind::Stray | MarkKind::Conflict { .. } | MarkKind::Comment => false,
        MarkKind::Line { .. } | MarkKind::End => true,
    });
    never_short && depth == [0; 3]
}

/// Ends the innermost stretches up to one that goes on.
fn end(
    open: &mut Vec<Stretch>,
    goes_on: impl Fn(&Stretch) -> bool,
    at: usize,
    depth: [i32; 3],
    whole: &mut Vec<Range<usize>>,
) {
    while let Some(stretch) = open.pop_if(|stretch| !goes_on(stretch)) {
        if let Some(outer) = open.last_mut() {
            for (outer, inner) in outer.lowest.iter_mut().zip(stretch.lowest) {
                *outer = inner.min(*outer);
            }
        }
        if stretch.depth == depth && stretch.lowest == depth {
            whole.truncate(stretch.known);
            whole.push(stretch.start..at);
        }
    }
}

fn sort_of(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}
