//! An outline as it is answered: within a budget if there is one, and with what it says of itself.

use std::cell::RefCell;
use std::io;

use crate::cli::Budgeting;
use crate::exit::{Failure, Messages};
use crate::model::{Item, ItemId};
use crate::render::{Declared, File, json, text};
use crate::view::{Asked, Filter, Fitted, Level, Measure, Plan, View, fit, left_out, worths};

/// What is asked of each file.
pub struct Wish<'a> {
    pub budgeting: &'a Budgeting,
    /// The view typed; none for `auto`.
    pub requested: Option<View>,
    /// The finest view there is to be.
    pub start: View,
    /// The most that is shown of single definitions within a budget.
    pub finest: Level,
    pub json: bool,
    pub text: &'a text::Options,
    /// The command that prints all that is asked for; none where the text cannot be had again.
    pub command: Option<String>,
}

/// The answer about one file, and whether it is all that was asked for.
pub struct Answer {
    pub bytes: Vec<u8>,
    pub kept: bool,
}

/// Renders one file. `asked` tells the definitions that were asked for.
pub fn answer(
    file: &File<'_>,
    filter: &Filter,
    wish: &Wish<'_>,
    asked: &dyn Fn(&Item) -> bool,
) -> io::Result<Answer> {
    let whole = Plan::new(file.outline, wish.start, filter);
    let Some(budget) = wish.budgeting.tokens() else {
        let mut declared = wish.declared();
        let bytes = match wish.json {
            true => declared.settle(|out, declared| wish.write(out, file, &whole, declared))?,
            false => {
                let mut out = vec![];
                wish.write(&mut out, file, &whole, &declared)?;
                out
            }
        };
        return Ok(Answer { bytes, kept: true });
    };
    let printed = Printed {
        file,
        wish,
        whole,
        ladder: RefCell::default(),
        places: text::Places::new(file.outline, wish.start),
    };
    let rungs = printed.climb(filter);
    let text = file.source.map_or(&[][..], |source| source.text());
    let worths = worths(file.outline, text, asked);
    let asked = Asked {
        budget,
        start: wish.start,
        finest: wish.finest,
    };
    let Fitted { mut plan, mut fits } = fit(file.outline, rungs, asked, &worths, &printed);
    let kept = fits && plan.view == wish.start || !wish.budgeting.strict;
    if !kept {
        plan = Plan::new(file.outline, View::Counts, filter);
        fits = printed.whole(&plan) <= budget;
    }
    let (bytes, _) = printed.print(&plan, fits)?;
    Ok(Answer { bytes, kept })
}

/// Says that `--strict` was not kept to.
pub fn refuse(messages: &Messages, view: View) {
    let failure = Failure::not_found(
        "does-not-fit",
        format!("view {} does not fit the budget", view.name()),
    );
    messages.note(&failure.hint("without --strict, the best that fits is printed"));
}

impl Wish<'_> {
    fn declared(&self) -> Declared {
        let requested = self.requested.map(View::name);
        Declared::whole(requested, self.budgeting.counting.tokenizer)
    }

    fn write(
        &self,
        out: &mut Vec<u8>,
        file: &File<'_>,
        plan: &Plan,
        declared: &Declared,
    ) -> io::Result<()> {
        match self.json {
            true => json::outline(out, file, plan, self.text.imports, declared),
            false => text::outline(out, file, plan, self.text, declared),
        }
    }
}

/// What answers about a file cost as they are printed.
struct Printed<'a> {
    file: &'a File<'a>,
    wish: &'a Wish<'a>,
    /// All that is asked for.
    whole: Plan,
    /// What each view costs, as far as it is known.
    ladder: RefCell<Vec<(&'static str, usize)>>,
    places: text::Places,
}

impl Printed<'_> {
    /// The plans of all views and what they cost, finest first. Those that are not known yet cost no more than the last.
    fn climb(&self, filter: &Filter) -> Vec<(Plan, usize)> {
        let plans = Plan::ladder(self.file.outline, filter);
        let names = plans.iter().map(|plan| (plan.view.name(), 0));
        *self.ladder.borrow_mut() = names.collect();
        let mut rungs = vec![];
        for (place, plan) in plans.into_iter().enumerate() {
            let tokens = self.whole(&plan);
            for (_, known) in &mut self.ladder.borrow_mut()[place..] {
                *known = tokens;
            }
            rungs.push((plan, tokens));
        }
        rungs
    }

    fn print(&self, plan: &Plan, fits: bool) -> io::Result<(Vec<u8>, usize)> {
        let (wish, file) = (self.wish, self.file);
        let imports = wish.text.imports;
        let mut declared = Declared {
            budget: wish.budgeting.tokens(),
            fits,
            degraded: plan.view > wish.start,
            ladder: self.ladder.borrow().clone(),
            left_out: left_out(file.outline, plan, &self.whole, imports),
            command: wish.command.clone(),
            ..wish.declared()
        };
        if declared.left_out.is_empty() {
            declared.command = None;
        }
        let bytes = declared.settle(|out, declared| wish.write(out, file, plan, declared))?;
        Ok((bytes, declared.tokens))
    }
}

impl Measure for Printed<'_> {
    fn whole(&self, plan: &Plan) -> usize {
        let printed = self.print(plan, true);
        printed.expect("a Vec takes every byte").1
    }

    fn part(&self, plan: &Plan, id: ItemId, level: Level) -> usize {
        if level == Level::Hidden {
            return 0;
        }
        let mut out = vec![];
        let written = match self.wish.json {
            true => json::part(&mut out, self.file, id, level),
            false => text::part(&mut out, self.file, plan, &self.places, id, level),
        };
        written.expect("a Vec takes every byte");
        self.wish.budgeting.counting.tokenizer.count(&out)
    }
}
