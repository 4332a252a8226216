//! Where a broken text lacks a closer or has one too many, judged by brackets and indentation together.
//! Proposes edits to a copy of the text; whether they make things better is for the caller to measure. Trusts the
//! indentation: text without any gives no edits but at its end.

mod line;
mod local;
mod mender;
mod open;

use std::ops::Range;

use crate::lang::lex::{Lexis, Mark, MarkKind};
pub use local::all_match;
use mender::Mender;

/// A change to a copy of the text. Line numbers stay what they are: nothing inserted or removed is a line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Text that is missing in front of byte `at`: closers, an opener, the end of a head.
    Insert { at: usize, text: String },
    /// Text that is not to be read.
    Blank { at: usize, len: usize, why: Why },
}

/// Why text is not to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A closer or a quote that belongs to nothing.
    Stray,
    /// A version control system has put it there.
    Conflict,
    /// It does not parse.
    Broken,
}

impl Edit {
    pub fn place(&self) -> usize {
        match self {
            Edit::Insert { at, .. } | Edit::Blank { at, .. } => *at,
        }
    }
}

/// How to take what can be taken in several ways.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// A line at the column of one of these openers stands outside of it, if nothing inside was seen before.
    pub eager: &'static str,
    pub orphans: Orphans,
    /// What parentheses left open ends with their line; else with what is indented under it.
    pub tight: bool,
}

/// What to do about a brace that closes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orphans {
    /// Its opener stood at the end of the last line at its column.
    Open,
    /// It is one too many.
    Drop,
    /// What it closes is not to be read.
    Hide,
}

/// A text with all that is known of its brackets and lines, however what is broken is taken.
pub struct Layout<'a> {
    text: &'a [u8],
    marks: &'a [Mark],
    lexis: &'a Lexis,
    whole: Vec<Range<usize>>,
}

impl<'a> Layout<'a> {
    pub fn new(text: &'a [u8], marks: &'a [Mark], lexis: &'a Lexis) -> Layout<'a> {
        Layout {
            text,
            marks,
            lexis,
            whole: local::whole(text, marks, lexis),
        }
    }

    /// The edits that make brackets and indentation agree, in order.
    pub fn mend(&self, manner: Manner) -> Vec<Edit> {
        let Layout {
            text,
            marks,
            lexis,
            whole,
        } = self;
        let mut mender = Mender::new(text, lexis, manner);
        let skips = lexis.heads.is_empty();
        let mut next = whole.iter().peekable();
        for &Mark { at, kind } in *marks {
            while next.next_if(|stretch| stretch.end <= at).is_some() {}
            // Of a whole stretch, only where it begins matters.
            let inside = next.peek().is_some_and(|stretch| stretch.start < at);
            let begins = next.peek().is_some_and(|stretch| stretch.start == at);
            match kind {
                MarkKind::Line { .. } | MarkKind::Close(_) if inside && skips => {}
                MarkKind::Open(_) if (inside || begins) && skips => {}
                MarkKind::Line { after } => mender.line(at, after),
                MarkKind::Open(byte) => mender.open(at, byte),
                MarkKind::Close(byte) => mender.close(at, byte),
                MarkKind::Stray => mender.blank(at, 1, Why::Stray),
                MarkKind::Conflict { len } => mender.blank(at, len, Why::Conflict),
                MarkKind::Comment => mender.put(at, lexis.block_comment.map_or("", |(_, end)| end)),
                MarkKind::End => mender.end(at),
            }
        }
        let mut edits = mender.edits;
        settle(&mut edits);
        if !skips {
            // Heads are looked at wherever they are, brackets not in whole stretches.
            edits.retain(|edit| match edit {
                Edit::Insert { at, text } if text.starts_with([')', ']', '}']) => {
                    let next = whole.partition_point(|stretch| stretch.end <= *at);
                    whole.get(next).is_none_or(|stretch| stretch.start >= *at)
                }
                _ => true,
            });
        }
        edits
    }
}

/// Puts edits in order: what is put in at a place stands before what is taken out there, and nothing is done twice or to
/// text that is taken out.
pub fn settle(edits: &mut Vec<Edit>) {
    edits.sort_by_key(|edit| (edit.place(), !matches!(edit, Edit::Insert { .. })));
    let mut taken = 0;
    edits.retain_mut(|edit| match edit {
        Edit::Insert { at, .. } => *at >= taken,
        Edit::Blank { at, len, .. } => {
            let (start, end) = (taken.max(*at), *at + *len);
            (*at, *len) = (start, end.saturating_sub(start));
            taken = taken.max(end);
            *len > 0
        }
    });
}

/// The edits with one more.
pub fn with(edits: &[Edit], more: Edit) -> Vec<Edit> {
    let mut edits = edits.to_vec();
    edits.push(more);
    settle(&mut edits);
    edits
}

/// Column of a byte; a tab goes to the next multiple of eight.
fn column(text: &[u8], at: usize) -> usize {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n');
    let start = start.map_or(0, |at| at + 1);
    text[start..at].iter().fold(0, |column, &byte| match byte {
        b'\t' => column / 8 * 8 + 8,
        _ => column + 1,
    })
}

fn is_closer(byte: u8) -> bool {
    matches!(byte, b')' | b']' | b'}')
}

pub fn closer_of(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
