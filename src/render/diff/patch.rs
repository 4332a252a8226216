//! The changed lines of one definition, as a unified diff has them, without those of definitions inside that are listed by
//! themselves.

use std::io::{self, Write};
use std::ops::Range;

use super::{Comparison, Definition, Moment};
use crate::evidence::{Hunk, hunks as differences, line_keys_of};
use crate::model::Lines;
use crate::outline::diff::Change;
use crate::render::visible;

/// Unchanged lines shown around changed ones.
const CONTEXT: u32 = 3;

/// The hunks of one definition, in lines from 0 of both files.
pub fn of(comparison: &Comparison<'_>, change: &Change) -> Vec<Hunk> {
    let old = comparison.definition(Moment::Before, change.before);
    let new = comparison.definition(Moment::After, change.after);
    let span = |one: Definition<'_>| one.item.lines.start - 1..one.item.lines.end;
    match (old, new) {
        (Some(old), Some(new)) => {
            let (was, is) = (span(old), span(new));
            let keys = |one: Definition<'_>| line_keys_of(&one.side.source, one.item.lines);
            let found = differences(&keys(old), &keys(new)).into_iter();
            let found = found.map(|hunk| Hunk {
                before: hunk.before.start + was.start..hunk.before.end + was.start,
                after: hunk.after.start + is.start..hunk.after.end + is.start,
            });
            found
                .filter(|hunk| !in_member(comparison, change, hunk))
                .collect()
        }
        (Some(old), None) => vec![Hunk {
            before: span(old),
            after: 0..0,
        }],
        (None, Some(new)) => vec![Hunk {
            before: 0..0,
            after: span(new),
        }],
        (None, None) => vec![],
    }
}

/// Whether a hunk lies in definitions inside of the changed one: they are listed, or did not change.
fn in_member(comparison: &Comparison<'_>, change: &Change, hunk: &Hunk) -> bool {
    let inside = |moment, node, range: &Range<u32>| {
        if range.is_empty() {
            return true;
        }
        let Some(one) = comparison.definition(moment, node) else {
            return true;
        };
        let lines = Lines {
            start: range.start + 1,
            end: range.end,
        };
        let mut children = one.side.outline.children(Some(one.node.item));
        children.any(|child| one.side.item(child).lines.covers(lines))
    };
    inside(Moment::Before, change.before, &hunk.before)
        && inside(Moment::After, change.after, &hunk.after)
}

/// The changed lines of one definition, flush left: empty where none are its own.
///
/// # Errors
/// Those of the writer.
pub fn lines(comparison: &Comparison<'_>, change: &Change) -> io::Result<String> {
    let mut out = vec![];
    write(&mut out, comparison, change, of(comparison, change))?;
    let text = String::from_utf8_lossy(&out);
    let lines = text.split_inclusive('\n');
    Ok(lines
        .map(|line| line.strip_prefix(INDENT).unwrap_or(line))
        .collect())
}

/// In front of each line, below that of the definition.
const INDENT: &str = "  ";

/// Hunks with what stands around them.
pub fn write(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    change: &Change,
    hunks: Vec<Hunk>,
) -> io::Result<()> {
    let old = comparison.definition(Moment::Before, change.before);
    let new = comparison.definition(Moment::After, change.after);
    let mut found = hunks.into_iter().peekable();
    while let Some(first) = found.next() {
        let mut group = vec![first];
        while let Some(next) = found.next_if(|next| {
            let last = &group[group.len() - 1];
            next.before.start - last.before.end <= 2 * CONTEXT
        }) {
            group.push(next);
        }
        write_group(out, old, new, &group)?;
    }
    Ok(())
}

/// Some hunks near each other, with what stands around them in the definition.
fn write_group(
    out: &mut dyn Write,
    old: Option<Definition<'_>>,
    new: Option<Definition<'_>>,
    group: &[Hunk],
) -> io::Result<()> {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let room = |one: Option<Definition<'_>>, range: &Range<u32>| {
        one.map_or((0, 0), |one| {
            let front = range.start.saturating_sub(one.item.lines.start - 1);
            (front, one.item.lines.end.saturating_sub(range.end))
        })
    };
    let both = old.is_some() && new.is_some();
    let context = if both { CONTEXT } else { 0 };
    let front = context
        .min(room(old, &first.before).0)
        .min(room(new, &first.after).0);
    let back = context
        .min(room(old, &last.before).1)
        .min(room(new, &last.after).1);
    let (from, until) = (
        first.before.start - front.min(first.before.start),
        last.before.end + back,
    );
    let (start, end) = (
        first.after.start - front.min(first.after.start),
        last.after.end + back,
    );
    let header = format!("@@ -{} +{} @@", place(&(from..until)), place(&(start..end)));
    writeln!(out, "{INDENT}{header}")?;
    let mut print =
        |sign: char, one: Option<Definition<'_>>, range: Range<u32>| -> io::Result<()> {
            let Some(one) = one else { return Ok(()) };
            for line in range {
                let text = String::from_utf8_lossy(one.side.source.line(line + 1));
                writeln!(out, "{INDENT}{sign}{}", visible(&text))?;
            }
            Ok(())
        };
    let mut at = from;
    for hunk in group {
        print(' ', old.filter(|_| both), at..hunk.before.start)?;
        print('-', old, hunk.before.clone())?;
        print('+', new, hunk.after.clone())?;
        at = hunk.before.end;
    }
    print(' ', old.filter(|_| both), at..until)
}

/// `17,8`, as unified diffs count.
fn place(range: &Range<u32>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        len => format!("{},{len}", range.start + 1),
    }
}
