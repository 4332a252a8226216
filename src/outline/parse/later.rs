//! Parses a version of a file from the tree of another: of two versions only one has to be read whole.

use std::iter::once;
use std::mem::ManuallyDrop;
use std::ops::Range;

use imara_diff::Hunk;
use tree_sitter::{InputEdit, Point, Tree};

use super::{Reading, parser, run_from};
use crate::lang::Grammar;
use crate::source::Source;

/// Parses a later version of a file from the tree of an earlier one, of which all is taken over that did not change. Only
/// where neither has errors: how a parser gets over one depends on the way it came there.
pub fn parse_later(
    reading: &Reading,
    [old, new]: [&Source; 2],
    hunks: &[Hunk],
    grammar: &Grammar,
) -> Option<Reading> {
    let rewrite = grammar.hooks.rewrite.map(|rewrite| rewrite(new.text()));
    let (parsed, shown, attached) = match rewrite {
        Some(rewrite) => (
            Some(rewrite.parsed),
            Some(new.with_text(rewrite.shown)),
            rewrite.attached,
        ),
        None => (None, None, vec![]),
    };
    let text = parsed.as_deref().unwrap_or(new.text());
    let before = reading.parsed.as_deref().unwrap_or(old.text());
    let whole = reading.left_out.is_empty() && !reading.tree.root_node().has_error();
    if !whole || !same_between([old, new], [before, text], hunks) {
        return None;
    }
    let mut tree = Tree::clone(&reading.tree);
    for hunk in hunks.iter().rev() {
        tree.edit(&edit(old, new, hunk));
    }
    let tree = run_from(&mut parser(grammar), text, Some(&tree));
    (!tree.root_node().has_error()).then_some(Reading {
        tree: ManuallyDrop::new(tree),
        parsed,
        shown,
        attached,
        left_out: vec![],
    })
}

/// Whether two texts are the same but for the lines that differ: line ends may, too, and what a hook has rewritten.
fn same_between(sources: [&Source; 2], texts: [&[u8]; 2], hunks: &[Hunk]) -> bool {
    let places = |source: &Source, side: fn(&Hunk) -> &Range<u32>| -> Vec<usize> {
        let ends = hunks
            .iter()
            .flat_map(|hunk| [side(hunk).start, side(hunk).end]);
        let inner = ends.map(|line| place(source, line).0);
        let mut places: Vec<usize> = once(0).chain(inner).collect();
        places.push(source.text().len());
        places
    };
    let [old, new] = sources;
    let (before, after) = (
        places(old, |hunk| &hunk.before),
        places(new, |hunk| &hunk.after),
    );
    let mut gaps = before.chunks(2).zip(after.chunks(2));
    let part = |text: usize, ends: &[usize]| texts[text].get(ends[0]..ends[1]);
    gaps.all(|(one, other)| part(0, one).is_some_and(|text| part(1, other) == Some(text)))
}

/// A hunk as an edit of the earlier version. The last must be made first: then those in front of it are where they were.
fn edit(old: &Source, new: &Source, hunk: &Hunk) -> InputEdit {
    let (start, old_end) = (place(old, hunk.before.start), place(old, hunk.before.end));
    let (new_start, new_end) = (place(new, hunk.after.start), place(new, hunk.after.end));
    InputEdit {
        start_byte: start.0,
        old_end_byte: old_end.0,
        new_end_byte: start.0 + new_end.0 - new_start.0,
        start_position: start.1,
        old_end_position: old_end.1,
        new_end_position: Point {
            row: start.1.row + new_end.1.row - new_start.1.row,
            ..new_end.1
        },
    }
}

/// Where a line begins that has so many in front of it; the last one may have no end.
fn place(source: &Source, lines: u32) -> (usize, Point) {
    let byte = source.line_start(lines + 1) as usize;
    let (row, column) = match source.text()[..byte].last() {
        None | Some(b'\n') => (lines as usize, 0),
        Some(_) => (lines as usize - 1, byte - source.line_start(lines) as usize),
    };
    (byte, Point { row, column })
}

#[cfg(test)]
mod tests;
