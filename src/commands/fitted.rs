//! An outline as it is answered: within a budget if there is one, and with what it says of itself.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;

use super::shares::Answer;
use crate::exit::{Failure, Messages};
use crate::model::{ItemId, Lines};
use crate::render::{Declared, File, json, region_command, text};
use crate::tokens::Tokenizer;
use crate::view::{
    Asked, Filter, Fitted, Level, Measure, Plan, Shape, View, fit, left_out, worths,
};

/// What is asked of each file.
pub struct Wish<'a> {
    /// The most tokens the answer may take.
    pub budget: Option<usize>,
    /// Sizes rather than less than was asked for.
    pub strict: bool,
    pub tokenizer: Tokenizer,
    /// The view typed; none for `auto`.
    pub requested: Option<View>,
    /// The finest view there is to be.
    pub start: View,
    /// The most that is shown of single definitions within a budget.
    pub finest: Level,
    pub json: bool,
    pub text: &'a text::Options,
    /// The schema of the answer in JSON.
    pub schema: &'static str,
    /// The command that prints all that is asked for; none where the text cannot be had again.
    pub command: Option<String>,
    /// The version that changes are told from, where only those are asked for, and whether there are any.
    pub since: Option<(&'a str, bool)>,
    /// Whether the summary that is asked for is stale.
    pub generated: Option<bool>,
    /// How often other files refer to definitions, where the index knows.
    pub references: Option<HashMap<u32, u32>>,
}

/// Renders one file.
pub fn answer(
    file: &File<'_>,
    filter: &Filter,
    wish: &Wish<'_>,
    shape: Shape<'_>,
) -> io::Result<Answer> {
    let whole = shape.plan(file.outline, wish.start, filter);
    let Some(budget) = wish.budget else {
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
    let rungs = printed.climb(filter, shape);
    let text = file.source.map_or(&[][..], |source| source.text());
    let others = wish.references.as_ref();
    let worths = worths(file.outline, text, &|id| shape.asks_for(id), others);
    let asked = Asked {
        budget,
        start: wish.start,
        finest: wish.finest,
    };
    let Fitted { mut plan, mut fits } = fit(file.outline, rungs, asked, &worths, &printed);
    let kept = fits && plan.view == wish.start || !wish.strict;
    if !kept {
        plan = shape.plan(file.outline, View::Counts, filter);
        fits = printed.whole(&plan) <= budget;
    }
    let bytes = printed.print(&plan, fits)?;
    Ok(Answer { bytes, kept })
}

/// Says that `--strict` was not kept to.
pub fn refuse(messages: &Messages, view: &str) {
    let failure = Failure::not_found(
        "does-not-fit",
        format!("view {view} does not fit the budget"),
    );
    messages.miss(&failure.hint("without --strict, the best that fits is printed"));
}

impl Wish<'_> {
    pub fn declared(&self) -> Declared {
        let requested = self.requested.map(View::name);
        Declared {
            since: self.since.map(|(version, any)| (version.to_string(), any)),
            generated: self.generated,
            ranked: self.references.is_some(),
            ..Declared::whole(requested, self.tokenizer)
        }
    }

    fn write(
        &self,
        out: &mut Vec<u8>,
        file: &File<'_>,
        plan: &Plan,
        declared: &Declared,
    ) -> io::Result<()> {
        match self.json {
            true => json::outline(out, self.schema, (file, plan), self.text.imports, declared),
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
    fn climb(&self, filter: &Filter, shape: Shape<'_>) -> Vec<(Plan, usize)> {
        let views = shape.views().iter();
        *self.ladder.borrow_mut() = views.map(|view| (view.name(), 0)).collect();
        let mut rungs = vec![];
        for (place, &view) in shape.views().iter().enumerate() {
            let plan = shape.plan(self.file.outline, view, filter);
            let mut tokens = self.whole(&plan);
            if place == 0 && self.wish.budget.is_some_and(|budget| tokens <= budget) {
                // It is to be printed, and named its own size as 0.
                self.ladder
                    .borrow_mut()
                    .iter_mut()
                    .for_each(|known| known.1 = tokens);
                tokens = self.whole(&plan);
            }
            for (_, known) in &mut self.ladder.borrow_mut()[place..] {
                *known = tokens;
            }
            rungs.push((plan, tokens));
        }
        rungs
    }

    fn print(&self, plan: &Plan, fits: bool) -> io::Result<Vec<u8>> {
        let mut declared = self.declared(plan, fits, false);
        declared.settle(|out, declared| self.wish.write(out, self.file, plan, declared))
    }

    fn tokens(&self, plan: &Plan, most: bool) -> usize {
        let mut declared = self.declared(plan, true, most);
        let write = |out: &mut Vec<u8>, declared: &Declared| {
            self.wish.write(out, self.file, plan, declared)
        };
        declared.weigh(write).expect("a Vec takes every byte");
        declared.tokens
    }

    /// What an answer says of itself. With `most`, all that it may have to say once some definitions are shown finer.
    fn declared(&self, plan: &Plan, fits: bool, most: bool) -> Declared {
        let (wish, file) = (self.wish, self.file);
        let imports = wish.text.imports;
        let mut declared = Declared {
            budget: wish.budget,
            fits,
            degraded: plan.view > wish.start,
            menu: wish.strict,
            generated: wish.generated.filter(|_| plan.view == View::Summary),
            ladder: self.ladder.borrow().clone(),
            left_out: left_out(file.outline, plan, &self.whole, imports, most),
            command: wish.command.clone(),
            ..wish.declared()
        };
        if declared.left_out.is_empty() {
            declared.command = None;
        } else if let (View::Ends, [head, tail]) = (plan.view, plan.excerpts.as_slice()) {
            let between = Lines {
                start: head.end + 1,
                end: tail.start - 1,
            };
            declared.command = declared
                .command
                .map(|_| region_command(&file.path, between));
        }
        declared
    }
}

impl Measure for Printed<'_> {
    fn whole(&self, plan: &Plan) -> usize {
        self.tokens(plan, false)
    }

    fn reserved(&self, plan: &Plan) -> usize {
        self.tokens(plan, true)
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
        self.wish.tokenizer.count(&out)
    }

    fn text(&self, lines: Lines) -> usize {
        let text = self
            .file
            .source
            .map_or(&[][..], |source| source.slice(lines));
        let tokenizer = self.wish.tokenizer;
        match self.wish.json {
            true => tokenizer
                .count(&serde_json::to_vec(&String::from_utf8_lossy(text)).unwrap_or_default()),
            false => tokenizer.count(text),
        }
    }
}

#[cfg(test)]
mod tests;
