//! What a plan leaves out of what was asked for, counted.

use super::{Level, Plan, View};
use crate::model::{Item, Kind, Lines, Outline};

/// Things of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// In the plural: `bodies`, `docs`, ...
    pub what: &'static str,
    pub count: usize,
}

/// What `plan` leaves out of what the plan `asked` shows. With `most`, all that it can once single definitions are shown finer.
pub fn left_out(
    outline: &Outline,
    plan: &Plan,
    asked: &Plan,
    imports: bool,
    most: bool,
) -> Vec<LeftOut> {
    let shown_at = |id: usize| plan.levels[id];
    let wanted = |least: Level| {
        let all = 0..outline.items.len();
        let counts = move |id| most || least == Level::Name || plan.shows(id);
        all.filter(move |&id| asked.levels[id] >= least && counts(id))
    };
    let mut left = vec![];
    let mut add = |what, count| {
        if count > 0 {
            left.push(LeftOut { what, count });
        }
    };
    if asked.view == View::Summary && plan.view != View::Summary {
        add("summaries", 1);
    }
    if asked.view == View::Full && plan.view != View::Full {
        let (what, count) = text_left_out(outline, plan);
        add(what, count);
    }
    let hidden = wanted(Level::Name).filter(|&id| shown_at(id) == Level::Hidden);
    let definitions = match outline.items.first().map(|item| item.kind) {
        Some(Kind::Heading) => "headings",
        Some(Kind::Key) => "keys",
        Some(Kind::Column) => "columns",
        _ => "definitions",
    };
    add(definitions, hidden.count());
    let named = wanted(Level::Signature).filter(|&id| shown_at(id) <= Level::Name);
    add("signatures", named.count());
    let documented = |&id: &usize| outline.items[id].doc.is_some() && shown_at(id) < Level::Docs;
    add("docs", wanted(Level::Docs).filter(documented).count());
    let lists_imports = imports && asked.imports && !plan.imports;
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

/// Bodies where there are any, else lines: also where every body is shown, but not what stands around them.
fn text_left_out(outline: &Outline, plan: &Plan) -> (&'static str, usize) {
    let lines = |lines: Lines| lines.count();
    let excerpts: u32 = plan.excerpts.iter().copied().map(lines).sum();
    let items = || outline.items.iter().enumerate();
    let outermost = |item: &Item| {
        let parent = item.parent.map(|parent| &outline.items[parent as usize]);
        parent.is_none_or(|parent| !parent.kind.is_callable())
    };
    let has_body = |item: &Item| item.kind.is_callable() && !item.declaration && outermost(item);
    let bodies = items().filter(|(id, item)| has_body(item) && plan.levels[*id] < Level::Whole);
    let bodies = bodies.count();
    if bodies > 0 {
        return ("bodies", bodies);
    }
    let whole = items()
        .filter(|(id, _)| plan.levels[*id] == Level::Whole && !plan.shows_within(outline, *id));
    let shown: u32 = whole.map(|(_, item)| lines(item.lines)).sum();
    let left = outline.lines.saturating_sub(shown + excerpts);
    ("lines", left as usize)
}
