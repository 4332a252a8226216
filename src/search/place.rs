//! Which definition a match stands in. Where several share a line, the bytes decide.

use crate::model::{ItemId, Kind, Lines, Outline};
use crate::source::Source;

use super::Hit;

/// Puts each match, in order, into the innermost definition around all of its lines. One walk along the items: a file may
/// have as many of these as matches.
pub fn place(outline: &Outline, source: &Source, hits: &mut [Hit]) {
    let items = &outline.items;
    let mut next = 0;
    for hit in hits {
        let byte = anchor(source, hit);
        while items.get(next).is_some_and(|item| item.bytes.start <= byte) {
            next += 1;
        }
        hit.within = match outline.table {
            // The columns of a table share the line of their names.
            Some(_) => next
                .checked_sub(1)
                .filter(|&id| items[id].bytes.contains(&byte))
                .map(|id| id as ItemId),
            None => around(outline, next, hit.lines),
        };
    }
}

/// Where a match begins, or the text of its line, if that is later.
fn anchor(source: &Source, hit: &Hit) -> u32 {
    let start = source.line_start(hit.lines.start);
    let line = source.line(hit.lines.start);
    let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace());
    let text = start + blank.count() as u32;
    hit.parts.first().map_or(text, |part| part.start.max(text))
}

/// The innermost item around `lines`: the last of those that begin before the match, `next` being the first that does not, or
/// what that stands in; else the first behind it on its line (`type` of `type X struct`, say).
fn around(outline: &Outline, next: usize, lines: Lines) -> Option<ItemId> {
    let items = &outline.items;
    let mut found = next.checked_sub(1).map(|id| id as ItemId);
    while let Some(id) = found.filter(|&id| !items[id as usize].lines.covers(lines)) {
        found = items[id as usize].parent;
    }
    let begins_here = found.is_some_and(|id| items[id as usize].lines.start == lines.start);
    let behind = items.get(next).filter(|item| {
        item.lines.start == lines.start && item.lines.covers(lines) && item.parent == found
    });
    match behind {
        Some(_) if !begins_here => Some(next as ItemId),
        _ => found,
    }
}

/// Whether a definition or one around it is of one of these kinds.
pub fn is_of_kind(outline: &Outline, within: Option<ItemId>, kinds: &[Kind]) -> bool {
    let mut around = within;
    while let Some(id) = around {
        let item = &outline.items[id as usize];
        if kinds.contains(&item.kind) {
            return true;
        }
        around = item.parent;
    }
    false
}
