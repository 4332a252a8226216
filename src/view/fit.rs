//! The plan that fits a budget: the finest view that does, then single definitions shown finer, by what they are worth for
//! what they cost. Knows neither formats nor tokens: what a plan costs is told by a measure.

use super::thin::thinned;
use super::{Level, Plan, View};
use crate::model::{Item, ItemId, Lines, Outline};

/// Bytes a token of source has at most, over more than a few lines: it has 3 to 5.
const MOST_BYTES: usize = 8;

/// What answers cost, in tokens of the format they are printed in.
pub trait Measure {
    /// The whole answer.
    fn whole(&self, plan: &Plan) -> usize;

    /// The same with all it may have to say once some definitions are shown finer.
    fn reserved(&self, plan: &Plan) -> usize;

    /// The part of it that one definition takes, without what is inside of it, if shown at `level`.
    fn part(&self, plan: &Plan, id: ItemId, level: Level) -> usize;

    /// Lines as they stand.
    fn text(&self, lines: Lines) -> usize;
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Tokens of the whole answer.
    pub budget: usize,
    /// The finest view there is to be.
    pub start: View,
    /// The most that is shown of single definitions.
    pub finest: Level,
}

/// What came of it.
pub struct Fitted {
    pub plan: Plan,
    /// False where the coarsest view is over the budget too.
    pub fits: bool,
}

/// One way to show something finer than it would be, with what that costs and is worth more than the way before.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub cost: u64,
    pub worth: u64,
}

/// The best plan within a budget. `worths` are those of the items, `rungs` the plans of the views from the finest on with
/// what each costs.
pub fn fit(
    outline: &Outline,
    rungs: Vec<(Plan, usize)>,
    asked: Asked,
    worths: &[u64],
    measure: &dyn Measure,
) -> Fitted {
    let wanted = |plan: &Plan| plan.view >= asked.start;
    let best = rungs
        .iter()
        .position(|(plan, tokens)| wanted(plan) && *tokens <= asked.budget);
    let place = best.unwrap_or(rungs.len() - 1);
    let degraded = rungs[..place].iter().any(|(plan, _)| wanted(plan));
    let over = if best.is_some() { place } else { 0 };
    let over = rungs[..over].iter().map(|(plan, _)| plan);
    if let Some(plan) = thinned(outline, over, asked, worths, measure) {
        return Fitted { plan, fits: true };
    }
    let mut rungs = rungs;
    let (mut plan, tokens) = rungs.swap_remove(place);
    if best.is_some() && plan.view == View::Ends {
        lengthen(&mut plan, tokens, asked.budget, measure);
    } else if best.is_some() && degraded && plan.view != View::Counts {
        promote(&mut plan, outline, asked, worths, measure);
    }
    Fitted {
        plan,
        fits: best.is_some(),
    }
}

/// Shows more lines at both ends of a text, in turn, while there is room for the next.
fn lengthen(plan: &mut Plan, tokens: usize, budget: usize, measure: &dyn Measure) {
    let [head, tail] = plan.excerpts.as_mut_slice() else {
        return;
    };
    let mut left = budget - tokens;
    while head.end + 1 < tail.start {
        let at_head = head.count() <= tail.count();
        let line = if at_head {
            head.end + 1
        } else {
            tail.start - 1
        };
        let cost = measure.text(Lines {
            start: line,
            end: line,
        });
        if cost > left {
            break;
        }
        left -= cost;
        match at_head {
            true => head.end = line,
            false => tail.start = line,
        }
    }
    // Costs are those of single lines; the whole can be more.
    while measure.whole(plan) > budget && plan.excerpts[0].end > 1 {
        plan.excerpts[0].end -= 1;
    }
}

/// Shows definitions finer while there is room.
fn promote(
    plan: &mut Plan,
    outline: &Outline,
    asked: Asked,
    worths: &[u64],
    measure: &dyn Measure,
) {
    let Some(room) = asked.budget.checked_sub(measure.reserved(plan)) else {
        return;
    };
    let ids = units(outline, |id| plan.shows(id) || is_next(outline, plan, id));
    let ways: Vec<Vec<(Level, Choice)>> = ids
        .iter()
        .map(|&id| ways(plan, outline, id, (asked.finest, room), worths, measure))
        .collect();
    let choices: Vec<Vec<Choice>> = ways
        .iter()
        .map(|ways| ways.iter().map(|(_, choice)| *choice).collect())
        .collect();
    let mut taken = spend(&choices, room as u64);
    let base = plan.levels.clone();
    loop {
        plan.levels.clone_from(&base);
        for (&(object, way), ways) in taken.iter().map(|step| (step, &ways[step.0])) {
            plan.show(outline, ids[object], ways[way].0);
        }
        // Costs are those of parts; where the whole is more than its parts, the last steps are taken back.
        if measure.whole(plan) <= asked.budget || taken.pop().is_none() {
            return;
        }
    }
}

/// What is shown finer or not as one: not what stands in a callable or in a data model.
pub fn units(outline: &Outline, shows: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut units = vec![];
    let mut id = 0;
    while id < outline.items.len() {
        let item = &outline.items[id];
        let shown = shows(id);
        if shown {
            units.push(id);
        }
        id = match item.kind.is_callable() || item.data || !shown {
            true => item.end as usize,
            false => id + 1,
        };
    }
    units
}

/// Whether a definition is hidden in the view of the top level, and its type is not.
fn is_next(outline: &Outline, plan: &Plan, id: usize) -> bool {
    let item = &outline.items[id];
    let parent = item.parent.map(|parent| parent as usize);
    plan.view == View::Top
        && !item.kind.is_value()
        && parent.is_some_and(|parent| plan.shows(parent) && !outline.items[parent].data)
}

/// The ways to show a definition finer than a plan does, as far as there may be `room` for them.
fn ways(
    plan: &Plan,
    outline: &Outline,
    id: usize,
    (finest, room): (Level, usize),
    worths: &[u64],
    measure: &dyn Measure,
) -> Vec<(Level, Choice)> {
    let item = &outline.items[id];
    let part = |id: usize, level| measure.part(plan, id as ItemId, level);
    let finer =
        |level: &Level| *level > plan.levels[id] && *level <= finest && can_be(item, id, *level);
    let mut ways: Vec<(Level, Choice)> = vec![];
    let (mut spent, mut told) = (0, 0);
    for level in Level::ALL.into_iter().filter(finer) {
        let reach = plan.reach(outline, id, level);
        let now: usize = reach.clone().map(|id| part(id, plan.levels[id])).sum();
        // To count what cannot fit would take as long as to count the file.
        if level == Level::Whole && item.bytes.len() / MOST_BYTES > room + now {
            break;
        }
        let then: usize = match level {
            Level::Whole => part(id, level),
            _ => reach.clone().map(|id| part(id, level)).sum(),
        };
        let more = |id: usize| worths[id] * level.worth().saturating_sub(plan.levels[id].worth());
        let worth: u64 = reach.map(more).sum();
        let choice = Choice {
            cost: (then.saturating_sub(now) as u64)
                .saturating_sub(spent)
                .max(1),
            worth: worth.saturating_sub(told),
        };
        (spent, told) = (spent + choice.cost, told + choice.worth);
        ways.push((level, choice));
    }
    ways
}

/// Whether a level says more of a definition than the one before.
fn can_be(item: &Item, id: usize, level: Level) -> bool {
    match level {
        Level::Docs => item.doc.is_some() || item.data,
        // A type can be as large as its file; its methods are read one by one. Of what has one line, the signature is that.
        Level::Whole => {
            let leaf = item.end as usize == id + 1 && item.lines.count() > 1;
            item.kind.is_callable() || item.data || leaf
        }
        _ => true,
    }
}

/// One step: from way to way of one object.
struct Step {
    object: usize,
    from: usize,
    to: usize,
    cost: u64,
    worth: u64,
}

/// Spends a budget on objects that can each be had in finer and finer ways: steps, over one way or several, are taken by
/// falling worth for their cost, and one that does not fit is passed over, not the end. Answers which way of which object was
/// taken, in that order; of one object, the last counts.
///
/// With a larger budget the total worth never falls: the first step that is taken now and was not before costs more than
/// what was left then, so all that was taken in its place costs less, and is worth less for its cost. Nor does it matter
/// whether ways that cost more than the budget are among the choices.
pub fn spend(objects: &[Vec<Choice>], budget: u64) -> Vec<(usize, usize)> {
    let each = objects.iter().enumerate();
    let mut steps: Vec<Step> = each
        .flat_map(|(object, choices)| steps(object, choices))
        .collect();
    steps.sort_by(|a, b| {
        let (first, second) = (a.worth * b.cost, b.worth * a.cost);
        second.cmp(&first).then(a.object.cmp(&b.object))
    });
    let mut left = budget;
    let mut at = vec![0; objects.len()];
    let mut taken = vec![];
    for step in steps {
        if at[step.object] == step.from && step.cost <= left {
            at[step.object] = step.to;
            left -= step.cost;
            taken.push((step.object, step.to - 1));
        }
    }
    taken
}

/// The steps of one object, from each way to each finer one.
fn steps(object: usize, choices: &[Choice]) -> impl Iterator<Item = Step> {
    (0..choices.len()).flat_map(move |from| {
        let finer = choices[from..].iter().enumerate();
        finer.scan((0, 0), move |(cost, worth), (way, choice)| {
            (*cost, *worth) = (*cost + choice.cost, *worth + choice.worth);
            Some(Step {
                object,
                from,
                to: from + way + 1,
                cost: *cost,
                worth: *worth,
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like none in particular, the same each time.
    fn noise(seed: u64) -> u64 {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed >> 33
    }

    #[test]
    fn more_budget_is_never_worth_less() {
        for round in 0..50 {
            let objects: Vec<Vec<Choice>> = (0..12)
                .map(|object| {
                    let ways = noise(round * 97 + object) % 4;
                    let choice = |way| Choice {
                        cost: 1 + noise(round * 1000 + object * 10 + way) % 40,
                        worth: 1 + noise(round * 2000 + object * 17 + way) % 90,
                    };
                    (0..ways).map(choice).collect()
                })
                .collect();
            let mut last = 0;
            for budget in 0..1500 {
                let taken = spend(&objects, budget);
                let mut at = [0; 12];
                taken.iter().for_each(|&(object, way)| at[object] = way + 1);
                let had = |what: fn(&Choice) -> u64| -> u64 {
                    let each = objects.iter().zip(at);
                    each.flat_map(|(ways, at)| &ways[..at]).map(what).sum()
                };
                assert!(had(|choice| choice.cost) <= budget);
                let worth = had(|choice| choice.worth);
                assert!(worth >= last, "{round} {budget}: {worth} after {last}");
                last = worth;
            }
            let all: u64 = objects.iter().flatten().map(|choice| choice.worth).sum();
            assert_eq!(last, all, "nothing is left out where all fits");
        }
    }

    #[test]
    fn what_does_not_fit_is_passed_over() {
        let choice = |cost, worth| vec![Choice { cost, worth }];
        let objects = [choice(10, 100), choice(90, 500), choice(5, 10)];
        assert_eq!(spend(&objects, 20), [(0, 0), (2, 0)]);
    }
}
