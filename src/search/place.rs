//! Which definition a match stands in. Where several share a line, the bytes decide.

use crate::model::{ItemId, Kind, Lines, Outline};
use crate::source::Source;

use super::Match;

/// Puts each match, in order, into the innermost definition around all of its lines. One walk along the items: a file may
/// have as many of these as matches.
pub fn place(outline: &Outline, source: &Source, matches: &mut [Match]) {
    let items = &outline.items;
    let (mut next, mut open) = (0, vec![]);
    for matched in matches {
        let Lines { start, end } = matched.lines;
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
        matched.within = innermost(outline, &around, anchor(source, matched));
    }
}

/// Where a match begins, or the text of its line, if that is later.
fn anchor(source: &Source, matched: &Match) -> u32 {
    let Match {
        lines, submatches, ..
    } = matched;
    let line = source.line(lines.start);
    let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace());
    let text = source.line_start(lines.start) + blank.count() as u32;
    submatches
        .first()
        .map_or(text, |first| first.start.max(text))
}

/// The innermost of the items around some lines, in their order, from the top down; `byte` is where the match begins.
fn innermost(outline: &Outline, mut around: &[ItemId], byte: u32) -> Option<ItemId> {
    let item = |id: ItemId| &outline.items[id as usize];
    let mut found = None;
    loop {
        let level = siblings(outline, around);
        let holding = level.iter().rfind(|&&id| item(id).bytes.contains(&byte));
        let in_front = || level.iter().rfind(|&&id| item(id).bytes.start <= byte);
        // `type` of `type X struct` belongs to X, but in front of a member on the line where its type begins is the type.
        let behind = || {
            let start = |id: ItemId| item(id).lines.start;
            let first = level.first()?;
            found
                .is_none_or(|parent| start(parent) != start(*first))
                .then_some(first)
        };
        let next = match outline.table {
            // The columns of a table share the line of their names.
            Some(_) => holding,
            None => holding.or_else(in_front).or_else(behind),
        };
        let Some(&next) = next else { return found };
        let first = around.partition_point(|&id| id <= next);
        let last = around.partition_point(|&id| id < item(next).end);
        (found, around) = (Some(next), &around[first..last]);
    }
}

/// The outermost of some items, given in their order. Passes over what lies inside of them, which may be as deep as a file
/// is long.
fn siblings(outline: &Outline, mut around: &[ItemId]) -> Vec<ItemId> {
    let mut siblings = vec![];
    while let Some(&id) = around.first() {
        siblings.push(id);
        let end = outline.items[id as usize].end;
        around = &around[around.partition_point(|&other| other < end)..];
    }
    siblings
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
