//! What broken code does to a list of items: ends that run over later definitions are pulled back, definitions are marked
//! `truncated` or `damaged`, data models are told apart. Costs nothing on files that parse without error.

use super::extract::arrange;
use crate::lang::Grammar;
use crate::model::{Item, ItemId, Kind, Lines, Outline, ProblemKind, Trust};
use crate::source::Source;

/// Settles ranges and marks once all items of a file are known.
pub fn settle(outline: &mut Outline, source: &Source, grammar: &Grammar) {
    mark_data(outline);
    if outline.problems.is_empty() {
        return;
    }
    pull_back(&mut outline.items, source, grammar);
    mark_damage(outline);
}

/// A truncated item ends before the next definition at its own or an outer level, judged by indentation: what the parser
/// put inside for want of a closer becomes its sibling.
fn pull_back(items: &mut Vec<Item>, source: &Source, grammar: &Grammar) {
    let mut id = 0;
    while id < items.len() {
        if items[id].trust == Trust::Truncated {
            let indent = column(source, &items[id]);
            let inner = id + 1..items[id].end as usize;
            let out = inner.into_iter().find(|&inner| {
                items[inner].lines.start > items[id].lines.start
                    && column(source, &items[inner]) <= indent
            });
            if let Some(first) = out {
                release(items, id, first, grammar);
            }
            let limit = items[id + 1..]
                .iter()
                .find(|item| !descends(items, item, id as ItemId))
                .map(|item| item.lines.start);
            close_before(&mut items[id], limit, source);
        }
        id += 1;
    }
    arrange(items);
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
    for at in first..end {
        let outside = items[at]
            .parent
            .is_some_and(|parent| (parent as usize) < first && parent as usize >= id);
        if let Some(rest) = items[at].qualname.strip_prefix(&old_scope) {
            let rest = rest.strip_prefix(grammar.separator).unwrap_or(rest);
            items[at].qualname = (grammar.hooks.join)(&scope, rest, grammar.separator);
        }
        if outside {
            items[at].parent = parent;
            if items[at].kind == Kind::Function && in_type {
                items[at].kind = Kind::Method;
            }
        }
    }
    items[id].end = first as ItemId;
}

fn descends(items: &[Item], item: &Item, of: ItemId) -> bool {
    let mut parent = item.parent;
    while let Some(id) = parent.filter(|&id| id > of) {
        parent = items[id as usize].parent;
    }
    parent == Some(of)
}

/// Ends an item at the last line with text before `limit`.
fn close_before(item: &mut Item, limit: Option<u32>, source: &Source) {
    let mut end = limit
        .map_or(source.lines(), |limit| limit - 1)
        .max(item.lines.start);
    while end > item.lines.start && source.line(end).trim_ascii().is_empty() {
        end -= 1;
    }
    item.lines = Lines {
        start: item.lines.start,
        end,
    };
    let line_end = source.line_start(end) + source.line(end).len() as u32;
    item.bytes.end = line_end.max(item.bytes.start);
    if let Some(body) = &mut item.body {
        body.end = body.end.min(line_end).max(body.start);
    }
}

fn column(source: &Source, item: &Item) -> usize {
    let line = source.line(item.lines.start);
    line.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// The innermost definition around an error is damaged, unless it is truncated already.
fn mark_damage(outline: &mut Outline) {
    let lines: Vec<u32> = outline
        .problems
        .iter()
        .filter(|p| p.kind == ProblemKind::Syntax)
        .map(|p| p.lines.start)
        .collect();
    for line in lines {
        if let Some(id) = outline.enclosing(line) {
            let item = &mut outline.items[id as usize];
            if item.trust == Trust::Whole {
                item.trust = Trust::Damaged;
            }
        }
    }
}

/// A data model has at least 3 fields and at most 1 method for 5 fields; constructors, accessors and their like do not count.
fn mark_data(outline: &mut Outline) {
    for id in 0..outline.items.len() {
        if !outline.items[id].kind.is_type() {
            continue;
        }
        let (mut fields, mut methods) = (0, 0);
        for child in outline.children(Some(id as ItemId)) {
            match &outline.items[child as usize] {
                item if matches!(item.kind, Kind::Field | Kind::Property | Kind::EnumMember)
                    && item.params.is_empty() =>
                {
                    fields += 1
                }
                item if item.kind == Kind::Method && !is_boilerplate(&item.name) => methods += 1,
                _ => {}
            }
        }
        outline.items[id].data = fields >= 3 && methods * 5 <= fields;
    }
}

/// Methods that every data model has.
fn is_boilerplate(name: &str) -> bool {
    let accessor = ["get", "set", "is", "with"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
    });
    accessor
        || name.starts_with('~')
        || name.starts_with("__") && name.ends_with("__")
        || matches!(
            name,
            "equals"
                | "hashCode"
                | "toString"
                | "compareTo"
                | "clone"
                | "String"
                | "fmt"
                | "eq"
                | "hash"
                | "toJSON"
                | "operator=="
                | "operator!="
        )
}
