//! Where definitions end that have lost their closer, judged by indentation.

use super::super::arrange::arrange_by;
use crate::lang::Grammar;
use crate::model::{Item, ItemId, Kind, Trust};
use crate::source::Source;

/// A truncated item ends before the next definition at its own or an outer level, judged by indentation: what the parser
/// put inside for want of a closer becomes its sibling. Nothing ends behind what it stands in.
pub fn pull_back(items: &mut Vec<Item>, source: &Source, grammar: &Grammar) {
    for id in 0..items.len() {
        if items[id].trust == Trust::Truncated {
            if let Some(first) = first_outside(items, id, source) {
                release(items, id, first, grammar);
            }
            let end = last_byte(items, id, source);
            end_at(&mut items[id], end, source);
        }
        let parent = items[id].parent.map(|parent| &items[parent as usize]);
        if let Some(end) = parent.map(|parent| parent.bytes.end)
            && items[id].bytes.end > end
        {
            items[id].trust = Trust::Truncated;
            end_at(&mut items[id], end, source);
        }
    }
    arrange_by(items, |item| item.bytes.start);
    hold_together(items, source);
}

/// What was inferred piece by piece can contradict itself: siblings end before the next begins, unless that is part of them,
/// nothing ends behind what it stands in, and each holds at least its own name. What shares the range of a declaration that
/// is now elsewhere begins with its name.
fn hold_together(items: &mut [Item], source: &Source) {
    // The last item of each level; what stands in it may still have moved its end.
    let mut last: Vec<Option<usize>> = vec![None; items.len() + 1];
    for id in 0..items.len() {
        let line = items[id].decl_line;
        let name = source.line_start(line) + column_of(source, line) as u32;
        let level = items[id].parent.map_or(0, |parent| parent as usize + 1);
        let before = last[level].map_or(0..0, |before| items[before].bytes.clone());
        let bytes = items[id].bytes.clone();
        if before.start < bytes.start && bytes.start < before.end && before.end < bytes.end {
            begin_at(
                &mut items[id],
                name.max(before.end).min(bytes.end - 1),
                source,
            );
        }
        let around = items[id]
            .parent
            .map(|parent| items[parent as usize].bytes.start);
        if let Some(start) = around.filter(|&start| items[id].bytes.start < start) {
            begin_at(&mut items[id], start, source);
        }
        keep_inside(items, id, name, source);
        last[level] = Some(id);
    }
}

/// Ends an item before its next sibling and inside of what it stands in, but not before its name.
fn keep_inside(items: &mut [Item], id: usize, name: u32, source: &Source) {
    let item = &items[id];
    let (parent, bytes) = (item.parent, item.bytes.clone());
    let next = items
        .get(item.end as usize)
        .filter(|next| next.parent == parent);
    let overlap = next
        .map(|next| next.bytes.clone())
        .filter(|next| bytes.start < next.start && next.start < bytes.end && bytes.end < next.end);
    let around = parent.map_or(bytes.end, |parent| items[parent as usize].bytes.end);
    let limit = overlap.map_or(around, |next| around.min(next.start));
    let least = name.max(bytes.start) + 1;
    if bytes.end > limit || bytes.end < least {
        let end = trimmed(source, bytes.start, bytes.end.min(limit)).max(least);
        let end = end.min(source.text().len() as u32);
        end_at(&mut items[id], end, source);
        let mut outer = parent;
        while let Some(around) = outer.map(|outer| &mut items[outer as usize])
            && around.bytes.end < end
        {
            outer = around.parent;
            end_at(around, end, source);
        }
    }
}

/// The end of a text without the white space it ends with.
fn trimmed(source: &Source, start: u32, end: u32) -> u32 {
    let text = &source.text()[start as usize..end.max(start) as usize];
    start + text.trim_ascii_end().len() as u32
}

/// The first item of a subtree that the indentation puts outside of it.
fn first_outside(items: &[Item], id: usize, source: &Source) -> Option<usize> {
    let indent = column(source, &items[id]);
    let behind = |inner: &usize| items[*inner].lines.start > items[id].decl_line;
    let mut inner = (id + 1..items[id].end as usize).filter(behind);
    let outside = |inner: &usize| column(source, &items[*inner]) <= indent;
    match items[id].kind {
        // What stands in a namespace is often not indented: then indentation says nothing.
        Kind::Namespace => {
            let first = inner.next().filter(|first| !outside(first));
            first.and_then(|_| inner.find(outside))
        }
        _ => inner.find(outside),
    }
}

/// Makes the items from `first` on, inside the subtree of `id`, siblings of `id`.
fn release(items: &mut [Item], id: usize, first: usize, grammar: &Grammar) {
    let (parent, end, old_scope) = (
        items[id].parent,
        items[id].end as usize,
        items[id].qualname.clone(),
    );
    let scope = parent.map_or(String::new(), |parent| {
        items[parent as usize].qualname.clone()
    });
    let in_type = parent.is_some_and(|parent| items[parent as usize].kind.is_type());
    for item in &mut items[first..end] {
        let outside = item
            .parent
            .is_some_and(|parent| (id..first).contains(&(parent as usize)));
        if let Some(rest) = item.qualname.strip_prefix(&old_scope) {
            let rest = rest.strip_prefix(grammar.separator).unwrap_or(rest);
            item.qualname = (grammar.hooks.join)(&scope, rest, grammar.separator);
        }
        if outside {
            item.parent = parent;
            if item.kind == Kind::Function && in_type {
                item.kind = Kind::Method;
            }
        }
    }
    for item in &mut items[id..first] {
        item.end = item.end.min(first as ItemId);
    }
}

/// Where a definition without a closer ends: behind the last text before the next one or the closer of what is around.
fn last_byte(items: &[Item], id: usize, source: &Source) -> u32 {
    let item = &items[id];
    let last = items[id..item.end as usize].iter().map(|own| own.decl_line);
    let last = last.max().unwrap_or(item.decl_line);
    let next = items
        .get(item.end as usize)
        .map(|next| match next.lines.start > last {
            true => source.line_start(next.lines.start),
            false => next.bytes.start.max(item.bytes.end),
        });
    let outer = item.parent.map(|parent| &items[parent as usize]);
    let closer = outer.map(|outer| {
        let last = source.line_start(outer.lines.end);
        let leads = matches!(
            source.line(outer.lines.end).trim_ascii_start(),
            [b'}' | b')' | b']', ..]
        );
        match outer.trust != Trust::Truncated && leads && outer.lines.end > item.decl_line {
            true => last,
            false => outer.bytes.end,
        }
    });
    let limit = next.into_iter().chain(closer).min();
    let limit = limit
        .unwrap_or(source.text().len() as u32)
        .max(item.bytes.start);
    trimmed(source, item.bytes.start, limit)
}

fn begin_at(item: &mut Item, start: u32, source: &Source) {
    item.bytes.start = start;
    item.lines.start = source.line_at(start);
    item.decl_line = item.decl_line.max(item.lines.start);
}

fn end_at(item: &mut Item, end: u32, source: &Source) {
    item.bytes.end = end;
    item.lines.end = source.line_at(end.max(item.bytes.start + 1) - 1);
    if let Some(body) = &mut item.body {
        *body = body.start.min(end)..body.end.min(end);
    }
    item.rest = item.rest.start.min(end)..item.rest.end.min(end);
}

fn column(source: &Source, item: &Item) -> usize {
    column_of(source, item.lines.start)
}

fn column_of(source: &Source, line: u32) -> usize {
    let line = source.line(line);
    let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace());
    blank.count()
}
