//! The outline of a file that does not parse: closers that are missing are put into a copy, quotes and closers that
//! belong to nothing are taken out, and the copy is kept if it parses better. What was hurt is marked, lines and bytes are
//! those of the file. Files that parse without error never come here.

use std::collections::HashSet;

use super::arrange::arrange;
use super::brackets::{Edit, mend};
use super::parse::{self, Reading, cost};
use super::{Limits, read};
use crate::lang::{Grammar, lex};
use crate::model::{Item, ItemId, Kind, Lines, Outline, Problem, ProblemKind, Trust};
use crate::source::Source;

/// What edits count beside what [`cost`] finds: to move a closer is no better than one place that does not parse.
fn effort(edits: &[Edit]) -> usize {
    let each = edits.iter().map(|edit| match edit {
        Edit::Insert { .. } | Edit::Conflict { .. } => 1,
        Edit::Blank { .. } => 7,
    });
    each.sum()
}

/// Edits beyond which a rewritten text is not mended: real damage takes one to four.
const MOST_EDITS: usize = 6;

/// The best outline of `source`, which `first` has read with errors.
pub fn outline(
    source: &Source,
    grammar: &Grammar,
    limits: &Limits,
    first: &Reading,
    outline: Outline,
) -> Outline {
    let text = first.parsed.as_deref().unwrap_or(source.text());
    let marks = lex::marks(text, grammar.lexis);
    let unedited = cost(&first.tree);
    let mut best = (unedited, outline);
    let mut tried = vec![];
    for eager in ["", "([", "([{"] {
        let edits = mend(text, &marks, grammar.lexis, eager);
        // Many edits to what a preprocessor has been at are its branches and macros, not somebody's typing.
        let hopeless = grammar.hooks.rewrite.is_some() && edits.len() > MOST_EDITS;
        if best.0 == 0 || edits.is_empty() || edits == tried || hopeless || !limits.again {
            continue;
        }
        // One parse tells whether the edits help; most that do not are macros, which no bracket mends. Edits that leave
        // the cost as it is can let more macros be read.
        if parse::cost_of(&apply(text, &edits), grammar) > best.0 {
            tried = edits;
            continue;
        }
        let copy = source.with_text(apply(source.text(), &edits));
        let (reading, mut outline) = read(&copy, grammar, limits);
        let cost = cost(&reading.tree);
        if cost < best.0 && cost + effort(&edits) < unedited {
            map_back(&mut outline, source, &copy, &edits);
            best = (cost, outline);
        }
        tried = edits;
    }
    let mut outline = best.1;
    pull_back(&mut outline.items, source, grammar);
    sort_problems(&mut outline.problems);
    mark_damage(&mut outline);
    outline
}

/// In source order; what is said of a line is said once.
fn sort_problems(problems: &mut Vec<Problem>) {
    problems.sort_by_key(|problem| (problem.lines.start, problem.lines.end));
    let mut said = HashSet::new();
    problems.retain(|Problem { lines, message, .. }| {
        said.insert((lines.start, lines.end, message.clone()))
    });
}

fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&text[at..edit.place()]);
        at = edit.place();
        let blank = match edit {
            Edit::Insert { closers, .. } => {
                out.extend_from_slice(closers.as_bytes());
                0
            }
            Edit::Blank { .. } => 1,
            Edit::Conflict { len, .. } => *len,
        };
        out.resize(out.len() + blank, b' ');
        at += blank;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Gives items the bytes of the file and marks those whose closers were put in.
fn map_back(outline: &mut Outline, source: &Source, copy: &Source, edits: &[Edit]) {
    let (mut inserts, mut grown) = (vec![], 0);
    for edit in edits {
        let (at, message) = match edit {
            Edit::Insert { at, closers } => {
                inserts.push(Inserted {
                    at: *at + grown,
                    len: closers.len(),
                    before: grown,
                });
                grown += closers.len();
                (
                    at.saturating_sub(1),
                    format!("`{closers}` is missing behind this line"),
                )
            }
            Edit::Blank { at } => (
                *at,
                format!("`{}` belongs to nothing", char::from(source.text()[*at])),
            ),
            Edit::Conflict { at, .. } => (*at, "conflict marker".to_string()),
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

/// A truncated item ends before the next definition at its own or an outer level, judged by indentation: what the parser
/// put inside for want of a closer becomes its sibling. Nothing ends behind what it stands in.
fn pull_back(items: &mut Vec<Item>, source: &Source, grammar: &Grammar) {
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

/// The innermost definition around an error is damaged, unless it is truncated already.
fn mark_damage(outline: &mut Outline) {
    let problems = outline.problems.iter();
    let mut lines: Vec<u32> = problems
        .filter(|problem| problem.kind == ProblemKind::Syntax)
        .map(|problem| problem.lines.start)
        .collect();
    lines.dedup();
    let mut innermost: Vec<Option<ItemId>> = vec![None; lines.len()];
    // Outer definitions come first; of siblings on one line, the first is taken.
    for (id, item) in outline.items.iter().enumerate() {
        let from = lines.partition_point(|&line| line < item.lines.start);
        let until = lines.partition_point(|&line| line <= item.lines.end);
        let around = innermost[from..until].iter_mut();
        around
            .filter(|around| **around == item.parent)
            .for_each(|around| *around = Some(id as ItemId));
    }
    for id in innermost.into_iter().flatten() {
        let item = &mut outline.items[id as usize];
        if item.trust == Trust::Whole {
            item.trust = Trust::Damaged;
        }
    }
}

/// A data model has at least 3 fields and at most 1 method for 5 fields; constructors, accessors and their like do not count.
pub fn mark_data(outline: &mut Outline) {
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
