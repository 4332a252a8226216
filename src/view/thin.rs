//! A view that is over the budget, with only as many of its definitions as there is room for: those of most worth. Where a
//! file is flat, the next coarser view is no smaller, and without this the answer would fall from nearly all names to none.

use std::cmp::Reverse;

use super::{Asked, Level, Measure, Plan, View};
use crate::model::Outline;

/// The best of the plans that are over the budget, thinned: a list with at least half of its names, or what there is room for
/// of the top level.
pub fn thinned<'p>(
    outline: &Outline,
    over: impl Iterator<Item = &'p Plan>,
    asked: Asked,
    worths: &[u64],
    measure: &dyn Measure,
) -> Option<Plan> {
    over.filter(|plan| plan.view >= asked.start)
        .find_map(|plan| {
            let least = match plan.view {
                View::List => plan.count_shown() / 2,
                View::Top => 1,
                _ => return None,
            };
            plan.thinned(outline, least, asked.budget, worths, measure)
        })
}

impl Plan {
    /// This plan without what is worth least, if at least `least` of its definitions are left.
    fn thinned(
        &self,
        outline: &Outline,
        least: usize,
        budget: usize,
        worths: &[u64],
        measure: &dyn Measure,
    ) -> Option<Plan> {
        let shown = (0..outline.items.len()).filter(|&id| self.shows(id));
        let mut ids: Vec<usize> = shown.collect();
        // Equals stay in the order of the source.
        ids.sort_by_key(|&id| Reverse(worths[id]));
        let fits = |count: usize| measure.whole(&self.with_only(outline, &ids[..count])) <= budget;
        // A larger budget never finds fewer: where the search first takes another turn, it is to more.
        let (mut most, mut over) = (0, ids.len());
        while over - most > 1 {
            let middle = most.midpoint(over);
            match fits(middle) {
                true => most = middle,
                false => over = middle,
            }
        }
        (most >= least.max(1)).then(|| self.with_only(outline, &ids[..most]))
    }

    /// Hides all but some definitions and what they stand in.
    fn with_only(&self, outline: &Outline, ids: &[usize]) -> Plan {
        let mut levels = vec![Level::Hidden; outline.items.len()];
        for &id in ids {
            let mut around = Some(id);
            while let Some(id) = around.filter(|&id| levels[id] == Level::Hidden) {
                levels[id] = self.levels[id];
                around = outline.items[id].parent.map(|parent| parent as usize);
            }
        }
        Plan {
            view: self.view,
            levels,
            omitted: vec![],
            excerpts: vec![],
            imports: self.imports,
        }
    }
}
