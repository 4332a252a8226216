//! Edits to a copy of a text, and the way back: what was found in the copy gets the bytes of the file. Line numbers stay what
//! they are, since nothing that is inserted or taken out is a line end.

use super::super::brackets::{Edit, Why};
use crate::model::{Item, Lines, Outline, Problem, ProblemKind, Trust};
use crate::source::Source;

/// The text with all edits made, which are in order.
pub fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&text[at..edit.place()]);
        at = edit.place();
        match edit {
            Edit::Insert { text, .. } => out.extend_from_slice(text.as_bytes()),
            Edit::Blank { len, .. } => {
                let blank = text[at..at + len].iter();
                out.extend(blank.map(|byte| match byte {
                    b'\n' | b'\r' => *byte,
                    _ => b' ',
                }));
                at += len;
            }
        }
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Gives items the bytes of the file and marks those whose closers were put in.
pub fn map_back(outline: &mut Outline, source: &Source, copy: &Source, edits: &[Edit]) {
    let (mut inserts, mut grown) = (vec![], 0);
    for edit in edits {
        let (at, message) = match edit {
            Edit::Insert { at, text } => {
                inserts.push(Inserted {
                    at: *at + grown,
                    len: text.len(),
                    before: grown,
                });
                grown += text.len();
                (at.saturating_sub(1), missing(text))
            }
            Edit::Blank { at, why, .. } => (*at, said_of(source.text()[*at], *why)),
        };
        let line = source.line_at(at as u32);
        let lines = Lines {
            start: line,
            end: line,
        };
        outline.problems.push(Problem {
            kind: ProblemKind::Syntax,
            lines,
            message,
        });
    }
    let original = |byte: u32| match insert_before(&inserts, byte) {
        Some(insert) => {
            let own = insert.len.min(byte as usize - insert.at);
            byte - (insert.before + own) as u32
        }
        None => byte,
    };
    for item in &mut outline.items {
        if is_closed_by(item, copy, &inserts) {
            item.trust = Trust::Truncated;
        }
        item.bytes = original(item.bytes.start)..original(item.bytes.end);
        item.body = item
            .body
            .take()
            .map(|body| original(body.start)..original(body.end));
        item.rest = original(item.rest.start)..original(item.rest.end);
    }
}

/// What is said of text that was put in; a thousand closers need not be spelled out.
fn missing(text: &str) -> String {
    const SHOWN: usize = 20;
    let text = text.trim_start();
    // What ends a declaration in front of a closer is nothing that somebody would write there.
    let closer = text.strip_prefix(';').filter(|text| text.starts_with(')'));
    let text = closer.unwrap_or(text);
    let (shown, more) = match text.get(..SHOWN) {
        Some(start) if text.len() > SHOWN => (start, "..."),
        _ => (text, ""),
    };
    format!("`{shown}{more}` is missing behind this line")
}

/// What is said of text that was not read, which begins with `byte`.
fn said_of(byte: u8, why: Why) -> String {
    match why {
        Why::Stray => format!("`{}` belongs to nothing", char::from(byte)),
        Why::Conflict => "conflict marker".to_string(),
        Why::Broken => "left out: does not parse".to_string(),
    }
}

/// Closers in a copy that are not in the file.
struct Inserted {
    at: usize,
    len: usize,
    /// Bytes inserted before.
    before: usize,
}

/// The last text that was inserted in front of a byte of the copy.
fn insert_before(inserts: &[Inserted], byte: u32) -> Option<&Inserted> {
    let next = inserts.partition_point(|insert| insert.at < byte as usize);
    inserts[..next].last()
}

/// Whether one of the closers that were put in is the item's own: that of its body, or of the value it is.
fn is_closed_by(item: &Item, copy: &Source, inserts: &[Inserted]) -> bool {
    let inserted = |end: u32| {
        insert_before(inserts, end).is_some_and(|insert| end as usize <= insert.at + insert.len)
    };
    match &item.body {
        Some(body) => {
            matches!(
                copy.text().get(body.start as usize),
                Some(b'{' | b'(' | b'[')
            ) && inserted(body.end)
        }
        None => (item.kind.is_value() || item.declaration) && inserted(item.bytes.end),
    }
}
