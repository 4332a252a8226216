//! Where definitions end that have lost their closer, judged by indentation.

use super::super::arrange::arrange;
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
    arrange(items);
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
    let next = items
        .get(item.end as usize)
        .map(|next| match next.lines.start > item.decl_line {
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
    let text = &source.text()[item.bytes.start as usize..limit as usize];
    item.bytes.start + text.trim_ascii_end().len() as u32
}

fn end_at(item: &mut Item, end: u32, source: &Source) {
    item.bytes.end = end;
    item.lines.end = source.line_at(end.max(item.bytes.start + 1) - 1);
    if let Some(body) = &mut item.body {
        *body = body.start.min(end)..body.end.min(end);
    }
}

fn column(source: &Source, item: &Item) -> usize {
    let line = source.line(item.lines.start);
    line.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}
