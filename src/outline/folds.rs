//! Which lines of a definition can be left out and still show all that is defined in it: the bodies of the definitions inside.

use crate::model::{Item, ItemId, KindClass, Lines, Outline};
use crate::source::Source;

/// The bodies inside of a definition, outermost ones, in order; those of one line are none.
pub fn folds(outline: &Outline, source: &Source, id: ItemId) -> Vec<(ItemId, Lines)> {
    let around = &outline.items[id as usize];
    let holding = holds_callables(outline, id);
    let mut folds: Vec<(ItemId, Lines)> = vec![];
    let mut next = id + 1;
    while next < around.end {
        let item = &outline.items[next as usize];
        let is_one = item.kind.is_callable() || item.kind.class() == KindClass::Entry;
        if !is_one && holding[(next - id) as usize] {
            next += 1;
            continue;
        }
        let behind = folds
            .last()
            .map_or(around.lines.start, |(_, last)| last.end);
        // Several names of one declaration share its lines.
        let body = body(source, item).filter(|body| body.start > behind);
        folds.extend(body.map(|body| (next, body)));
        next = item.end;
    }
    folds
}

/// Of a definition and each one inside of it, in order, whether there is a callable in it.
fn holds_callables(outline: &Outline, id: ItemId) -> Vec<bool> {
    let items = &outline.items[id as usize..outline.items[id as usize].end as usize];
    let mut holding = vec![false; items.len()];
    for (at, item) in items.iter().enumerate().rev() {
        let holds = holding[at] || item.kind.is_callable();
        if let Some(parent) = item.parent.filter(|&parent| holds && parent >= id) {
            holding[(parent - id) as usize] = true;
        }
    }
    holding
}

/// The lines behind the head of a definition, without the one that closes it.
fn body(source: &Source, item: &Item) -> Option<Lines> {
    let start = match &item.body {
        Some(body) => {
            let line = source.line_at(body.start);
            let before = &source.text()[source.line_start(line) as usize..body.start as usize];
            let opens = source.text().get(body.start as usize) == Some(&b'{');
            let begins = before.iter().all(u8::is_ascii_whitespace);
            if begins && !opens { line } else { line + 1 }
        }
        None if item.kind.is_callable() => return None,
        None => item.decl_line + 1,
    };
    let closer = source.line(item.lines.end).trim_ascii_start();
    let closes = matches!(closer.first(), Some(b'}' | b')' | b']'));
    let end = item.lines.end - u32::from(closes);
    (start < end && start > item.lines.start).then_some(Lines { start, end })
}
