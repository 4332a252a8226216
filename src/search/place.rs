//! Which definition a match stands in. Where several share a line, the bytes decide.

use crate::model::{ItemId, Kind, Lines, Outline};
use crate::source::Source;

use super::Hit;

/// Puts each match, in order, into the innermost definition around all of its lines. One walk along the items: a file may
/// have as many of these as matches.
pub fn place(outline: &Outline, source: &Source, hits: &mut [Hit]) {
    let items = &outline.items;
    let (mut next, mut open) = (0, vec![]);
    for hit in hits {
        let Lines { start, end } = hit.lines;
        while items
            .get(next)
            .is_some_and(|item| item.lines.start <= start)
        {
            open.push(next as ItemId);
            next += 1;
        }
        open.retain(|&id| items[id as usize].lines.end >= start);
        let around = open.iter().copied();
        let around = around.filter(|&id| items[id as usize].lines.end >= end);
        let around: Vec<ItemId> = around.collect();
        hit.within = innermost(outline, &around, anchor(source, hit));
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

/// The innermost of the items around some lines, from the top down; `byte` is where the match begins.
fn innermost(outline: &Outline, around: &[ItemId], byte: u32) -> Option<ItemId> {
    let item = |id: ItemId| &outline.items[id as usize];
    let mut found = None;
    loop {
        let level = || {
            around
                .iter()
                .copied()
                .filter(|&id| item(id).parent == found)
        };
        let holding = level().rfind(|&id| item(id).bytes.contains(&byte));
        let in_front = || level().rfind(|&id| item(id).bytes.start <= byte);
        // `type` of `type X struct` belongs to X, but in front of a member on the line where its type begins is the type.
        let behind = || {
            let begins_here = |id: ItemId, line| item(id).lines.start == line;
            level()
                .next()
                .filter(|&id| found.is_none_or(|parent| !begins_here(parent, item(id).lines.start)))
        };
        let next = match outline.table {
            // The columns of a table share the line of their names.
            Some(_) => holding,
            None => holding.or_else(in_front).or_else(behind),
        };
        match next {
            Some(id) => found = Some(id),
            None => return found,
        }
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
