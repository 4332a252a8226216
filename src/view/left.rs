//! What a plan leaves out of what was asked for, counted.

use super::{Level, Plan, View};
use crate::model::{Item, Outline};

/// Things of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// In the plural: `bodies`, `docs`, ...
    pub what: &'static str,
    pub count: usize,
}

/// What `plan` leaves out of the view `asked`, as [`whole`](Plan) a plan of the same filter shows it.
pub fn left_out(outline: &Outline, plan: &Plan, asked: &Plan, imports: bool) -> Vec<LeftOut> {
    let shown_at = |id: usize| plan.levels[id];
    let wanted = |least: Level| {
        let all = 0..outline.items.len();
        all.filter(move |&id| asked.levels[id] >= least && (least == Level::Name || plan.shows(id)))
    };
    let mut left = vec![];
    let mut add = |what, count| {
        if count > 0 {
            left.push(LeftOut { what, count });
        }
    };
    if asked.view == View::Full && plan.view != View::Full {
        let (what, count) = text_left_out(outline, plan);
        add(what, count);
    }
    let hidden = wanted(Level::Name).filter(|&id| shown_at(id) == Level::Hidden);
    add("definitions", hidden.count());
    let named = wanted(Level::Signature).filter(|&id| shown_at(id) == Level::Name);
    add("signatures", named.count());
    let documented = |&id: &usize| outline.items[id].doc.is_some() && shown_at(id) < Level::Docs;
    add("docs", wanted(Level::Docs).filter(documented).count());
    let lists_imports = imports && asked.view <= View::Signatures && plan.view > View::Signatures;
    add(
        "imports",
        if lists_imports {
            outline.imports.len()
        } else {
            0
        },
    );
    left
}

/// Bodies where there are any, else lines.
fn text_left_out(outline: &Outline, plan: &Plan) -> (&'static str, usize) {
    let items = || outline.items.iter().enumerate();
    let outermost = |item: &Item| {
        let parent = item.parent.map(|parent| &outline.items[parent as usize]);
        parent.is_none_or(|parent| !parent.kind.is_callable())
    };
    let has_body = |item: &Item| item.kind.is_callable() && !item.declaration && outermost(item);
    if items().any(|(_, item)| has_body(item)) {
        let bodies = items().filter(|(id, item)| has_body(item) && plan.levels[*id] < Level::Whole);
        return ("bodies", bodies.count());
    }
    let whole = items()
        .filter(|(id, _)| plan.levels[*id] == Level::Whole && !plan.shows_within(outline, *id));
    let lines: u32 = whole.map(|(_, item)| item.lines.count()).sum();
    ("lines", outline.lines.saturating_sub(lines) as usize)
}
