//! What was found within a budget: all matches in the finest view that fits, then single ones finer.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;

use super::Holder;
use super::shown::{
    COUNTS, DOCS, FOLDED, FULL, LADDER, MEMBERS, Match, POINTER, Printing, SCHEMA, SIGNATURE,
    block, is_block, line_tokens, matches, name,
};
use crate::commands::again::again;
use crate::commands::references::References;
use crate::commands::shares::{Asked, Several, Shown, Thing, Way, share};
use crate::render::excerpt::Detail;
use crate::render::{Declared, Totals, plural, visible};
use crate::view::{LeftOut, worths};

/// Prints the matches of all questions within a budget. Answers whether it is all that was asked for.
///
/// # Errors
/// Those of the writer.
pub fn print(
    out: &mut dyn Write,
    answers: &[&[Holder]],
    spelled: &[&str],
    budget: usize,
    printing: Printing<'_>,
) -> Result<bool> {
    let budgeting = &printing.arguments.budgeting;
    let tokenizer = budgeting.counting.tokenizer;
    let view = printing.arguments.view();
    let matches = matches(answers, &printing, Some(tokenizer));
    let start = start(view.map_or(FULL, |view| view as usize), &matches);
    let several = matches.len() > 1;
    let places: Vec<PathBuf> = matches
        .iter()
        .map(|found| found.holder.opened.path.clone())
        .collect();
    let references = References::around(&places, &printing.arguments.reading).filter(|_| several);
    let mut printed = Printed {
        printing,
        matches,
        things: vec![],
        start,
        spelled: spelled.join(", "),
        budget,
        fits: Cell::new(true),
        rungs: RefCell::default(),
        references,
    };
    printed.things = printed
        .matches
        .iter()
        .map(|found| printed.thing(found))
        .collect();
    let asked = Asked {
        budgeting,
        requested: view.map(name),
        start,
        budget,
        strict: budgeting.strict,
    };
    let answer = share(&printed, &asked)?;
    out.write_all(&answer.bytes)?;
    let shown = printed.matches.iter().zip(printed.rungs.take());
    let whole = shown.filter(|(found, rung)| *rung == FULL && found.given.is_none());
    whole.for_each(|(found, _)| found.note(&printing));
    Ok(answer.kept)
}

/// The finest rung there is to be: where nothing has the one asked for, the one that shows the same.
fn start(asked: usize, matches: &[Match<'_>]) -> usize {
    let any = |has: fn(&Match<'_>) -> bool| matches.iter().any(has);
    match asked {
        FOLDED if !any(|found| !found.folds.is_empty()) => FULL,
        MEMBERS if !any(|found| found.item().end > found.id + 1) => start(DOCS, matches),
        DOCS if !any(|found| found.item().doc.is_some()) => SIGNATURE,
        rung => rung,
    }
}

/// Matches that share a budget.
struct Printed<'a> {
    printing: Printing<'a>,
    matches: Vec<Match<'a>>,
    things: Vec<Thing>,
    start: usize,
    /// What was asked for, as typed.
    spelled: String,
    budget: usize,
    fits: Cell<bool>,
    /// Of what was written last.
    rungs: RefCell<Vec<usize>>,
    references: Option<References>,
}

impl Printed<'_> {
    /// The ways to show a match, and what each costs.
    fn thing(&self, found: &Match<'_>) -> Thing {
        let tokenizer = self.printing.arguments.budgeting.counting.tokenizer;
        let count = |rung: usize, most: usize| {
            let mut out = vec![];
            self.one(&mut out, found, rung, most)
                .expect("a Vec takes every byte");
            tokenizer.count(&out)
        };
        let way = |rung: usize, tokens: usize, told: u64| Way { rung, tokens, told };
        let mut ways = vec![];
        if self.matches.len() > 1 {
            ways.push(way(COUNTS, 0, 0));
        }
        ways.push(way(POINTER, count(POINTER, 0), 200));
        if found.given.is_some() {
            return Thing { worth: 1, ways };
        }
        ways.push(way(SIGNATURE, count(SIGNATURE, 0), 800));
        if found.item().doc.is_some() {
            ways.push(way(DOCS, count(DOCS, 0), 1000));
        }
        if found.item().end > found.id + 1 {
            ways.push(way(MEMBERS, count(MEMBERS, 0), 1200));
        }
        if !found.folds.is_empty() {
            let folded = count(FOLDED, found.folds.len());
            ways.extend(unfolding(found, folded, &self.printing));
        }
        ways.push(way(FULL, count(FULL, 0), 2500));
        let (outline, source) = (&found.holder.outline, &found.holder.opened.source);
        let others = self.references.as_ref();
        let others = others.and_then(|others| others.of(&found.holder.opened.path));
        let worth = worths(outline, source.text(), &|_| false, others.as_ref())[found.id as usize];
        let halved = if found.item().declaration {
            worth / 2
        } else {
            worth
        };
        // What is nearer to what was asked for goes first.
        let depth = found.reached().map_or(0, |reached| reached.depth);
        let near = 10u64.pow(3u32.saturating_sub(depth));
        let near = if self.printing.arguments.expand.is_some() {
            near
        } else {
            1
        };
        Thing {
            worth: halved.max(1) * near,
            ways,
        }
    }

    /// How many folds a way leaves folded: those behind it unfold the rest, one each.
    fn folded(&self, thing: usize, way: usize) -> usize {
        let ways = &self.things[thing].ways;
        let rung = ways[way].rung;
        ways[way..].iter().filter(|way| way.rung == rung).count()
    }

    /// One match among others, as text or as a line of JSON.
    fn one(
        &self,
        out: &mut Vec<u8>,
        found: &Match<'_>,
        rung: usize,
        most: usize,
    ) -> io::Result<()> {
        let excerpt = found.excerpt(found.detail(rung, most), &self.printing);
        if !self.printing.json {
            return block(out, &excerpt, rung, self.printing.options);
        }
        let arguments = self.printing.arguments;
        let mut declared = Declared {
            budget: Some(self.budget),
            degraded: rung > self.start,
            fits: self.fits.get(),
            ..Declared::whole(
                arguments.view().map(name),
                arguments.budgeting.counting.tokenizer,
            )
        };
        let line = declared.settle(|out, declared| excerpt.json(out, SCHEMA, declared))?;
        out.write_all(&line)
    }

    fn totals(&self) -> Totals {
        let mut paths: Vec<_> = self
            .matches
            .iter()
            .map(|found| &found.holder.opened.path)
            .collect();
        paths.sort();
        paths.dedup();
        Totals::of_matches(self.matches.len(), paths.len())
    }

    /// The only match there is: what is declared stands with it.
    fn alone(&self, out: &mut Vec<u8>, way: usize, declared: &Declared) -> io::Result<()> {
        let found = &self.matches[0];
        let detail = found.detail(self.things[0].ways[way].rung, self.folded(0, way));
        let excerpt = found.excerpt(detail, &self.printing);
        match self.printing.json {
            true => excerpt.json(out, SCHEMA, declared),
            false => excerpt.text(out, self.printing.options, Some(declared)),
        }
    }

    fn text(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let totals = self.totals();
        let (matches, files) = (totals.matches.unwrap_or(0), totals.files.unwrap_or(0));
        let facts = declared.facts(LADDER[shown.rung]);
        let (matches, files) = (plural(matches, "match"), plural(files, "file"));
        let line = format!("## symbol {} ({matches} in {files}, {facts})", self.spelled);
        writeln!(out, "{}", visible(&line))?;
        let mut is_first = true;
        for (at, &way) in shown.ways.iter().enumerate() {
            let rung = self.things[at].ways[way].rung;
            if rung == COUNTS {
                continue;
            }
            if is_block(rung) || !is_first && is_block(self.before(shown, at)) {
                writeln!(out)?;
            }
            is_first = false;
            self.one(out, &self.matches[at], rung, self.folded(at, way))?;
        }
        match &declared.command {
            Some(command) => writeln!(out, "... {}", visible(command)),
            None => Ok(()),
        }
    }

    /// The rung of what is shown in front of a match.
    fn before(&self, shown: &Shown<'_>, at: usize) -> usize {
        let rung = |at: usize| self.things[at].ways[shown.ways[at]].rung;
        let mut before = (0..at).rev().map(rung);
        before.find(|&rung| rung != COUNTS).unwrap_or(COUNTS)
    }
}

impl Several for Printed<'_> {
    fn ladder(&self) -> &[&'static str] {
        &LADDER
    }

    fn things(&self) -> &[Thing] {
        &self.things
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        let mut all = ["bodies", "lines", "definitions"].map(|what| LeftOut { what, count: 0 });
        for (at, &way) in ways.iter().enumerate() {
            let rung = self.things[at].ways[way].rung;
            if rung <= self.start || self.matches[at].given.is_some() {
                continue;
            }
            let found = &self.matches[at];
            let left = match rung {
                COUNTS => LeftOut {
                    what: "definitions",
                    count: 1,
                },
                _ => {
                    let detail = found.detail(rung, self.folded(at, way));
                    found.excerpt(detail, &self.printing).left_out()
                }
            };
            let same = all.iter_mut().find(|known| known.what == left.what);
            same.expect("excerpts leave out bodies or lines").count += left.count;
        }
        all.into_iter().filter(|left| left.count > 0).collect()
    }

    fn is_ranked(&self) -> bool {
        self.references.is_some()
    }

    fn command(&self) -> Option<String> {
        match self.matches.as_slice() {
            [one] => one.excerpt(Detail::Text, &self.printing).own_command(),
            all => {
                let readable = all.iter().all(|found| found.is_file(&self.printing));
                readable.then(|| again(&format!("--view {}", LADDER[self.start])))
            }
        }
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        self.fits.set(declared.fits);
        let rungs = shown.ways.iter().enumerate();
        let rungs = rungs.map(|(at, &way)| self.things[at].ways[way].rung);
        self.rungs.replace(rungs.collect());
        if self.matches.len() == 1 {
            return self.alone(out, shown.ways[0], declared);
        }
        if !self.printing.json {
            return self.text(out, shown, declared);
        }
        for (at, &way) in shown.ways.iter().enumerate() {
            let rung = self.things[at].ways[way].rung;
            if rung < COUNTS {
                self.one(out, &self.matches[at], rung, self.folded(at, way))?;
            }
        }
        declared.end(
            out,
            self.totals(),
            LADDER[shown.rung],
            declared.elided().collect(),
        )
    }
}

/// From all folds, which cost `tokens`, to none but the longest: the shortest are unfolded first.
fn unfolding(found: &Match<'_>, tokens: usize, printing: &Printing<'_>) -> Vec<Way> {
    let tokenizer = printing.arguments.budgeting.counting.tokenizer;
    let whole = found.excerpt(Detail::Text, printing);
    let mut folds: Vec<_> = found.folds.iter().enumerate().collect();
    folds.sort_by_key(|(at, fold)| (fold.tokens, std::cmp::Reverse(*at)));
    let (mut tokens, count) = (tokens, folds.len());
    let mut ways = vec![];
    for (done, (_, fold)) in folds.into_iter().enumerate() {
        ways.push(Way {
            rung: FOLDED,
            tokens,
            told: 1400 + 1100 * done as u64 / count as u64,
        });
        let line = line_tokens(fold, &whole, tokenizer);
        tokens += fold.tokens.saturating_sub(line);
    }
    ways
}
