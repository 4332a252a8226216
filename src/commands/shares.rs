//! Several things under one budget: all of them at the finest rung of a ladder that fits, then single ones finer by what they
//! are worth for what they cost. What they are, and how they are printed, is for the verbs.

use std::io;

use crate::cli::Budgeting;
use crate::render::Declared;
use crate::view::{Choice, LeftOut, spend};

/// One thing, and all the ways it can be shown, coarsest first. There is one at least.
pub struct Thing {
    pub worth: u64,
    pub ways: Vec<Way>,
}

/// One way to show a thing.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Index in the ladder: 0 is the finest.
    pub rung: usize,
    /// What it costs.
    pub tokens: usize,
    /// What it tells, as a part of what the thing is worth; more than the way before.
    pub told: u64,
}

/// What is shown of each thing.
pub struct Shown<'a> {
    /// The rung all of them have at least.
    pub rung: usize,
    /// Index of the way of each.
    pub ways: &'a [usize],
}

/// An answer about several things.
pub trait Several {
    /// Names of the rungs, finest first.
    fn ladder(&self) -> &[&'static str];

    fn things(&self) -> &[Thing];

    /// Whether there is a rung: one that some thing has, all of them where there is nothing.
    fn has_rung(&self, rung: usize) -> bool {
        let mut ways = self.things().iter().flat_map(|thing| &thing.ways);
        self.things().is_empty() || ways.any(|way| way.rung == rung)
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut>;

    /// What prints all that is left out.
    fn command(&self) -> Option<String>;

    /// # Errors
    /// Those of the writer.
    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()>;

    /// Whether what things are worth depends on how often other files refer to them.
    fn is_ranked(&self) -> bool {
        false
    }

    /// Whether the text of these ways is at hand; that of ways over the budget need not be, if the coarsest cost nothing.
    fn is_at_hand(&self, _ways: &[usize]) -> bool {
        true
    }
}

/// The answer, and whether it shows all that was asked for.
pub struct Answer {
    pub bytes: Vec<u8>,
    pub kept: bool,
}

/// What is asked for.
pub struct Asked<'a> {
    pub budgeting: &'a Budgeting,
    /// The view typed; none for `auto`.
    pub requested: Option<&'static str>,
    /// The finest rung there is to be.
    pub start: usize,
    pub budget: usize,
    /// Rather the coarsest than less than was asked for.
    pub strict: bool,
}

/// The best answer within a budget; with `strict` the coarsest, where it would not be all that was asked for.
///
/// # Errors
/// Those of the writer.
pub fn share(several: &dyn Several, asked: &Asked<'_>) -> io::Result<Answer> {
    let mut sharing = Sharing {
        several,
        asked,
        ladder: vec![],
    };
    let rungs = sharing.climb()?;
    let fits = |&&(rung, tokens): &&(usize, usize)| rung >= asked.start && tokens <= asked.budget;
    let best = rungs.iter().find(fits).copied();
    let kept = best.is_some_and(|(rung, _)| rung == asked.start) || !asked.strict;
    let coarsest = *rungs.last().expect("a ladder has a rung");
    let (rung, tokens) = best.filter(|_| kept).unwrap_or(coarsest);
    let mut ways = sharing.uniform(rung);
    let fits = tokens <= asked.budget;
    if fits && kept && rung > asked.start {
        sharing.promote(&mut ways, rung, tokens)?;
    }
    let bytes = sharing.settled(rung, &ways, fits)?;
    Ok(Answer { bytes, kept })
}

/// Times a final text is written until the ladder says of it what it costs.
const ROUNDS: usize = 3;

/// Times the budget from where on an answer is not written to be counted: a rung may be all matches of a large tree.
const FAR_OVER: usize = 16;

struct Sharing<'a> {
    several: &'a dyn Several,
    asked: &'a Asked<'a>,
    /// What each rung costs, as far as it is known.
    ladder: Vec<(&'static str, usize)>,
}

impl Sharing<'_> {
    /// The rungs there are, and what they cost, finest first.
    fn climb(&mut self) -> io::Result<Vec<(usize, usize)>> {
        let names = self.several.ladder();
        let present = (0..names.len()).filter(|&rung| self.several.has_rung(rung));
        let present: Vec<usize> = present.collect();
        self.ladder = present.iter().map(|&rung| (names[rung], 0)).collect();
        let mut rungs = vec![];
        // What is not known yet must not be shorter than what will be written there.
        self.ladder
            .iter_mut()
            .for_each(|(_, tokens)| *tokens = usize::MAX);
        for (place, &rung) in present.iter().enumerate() {
            let ways = self.uniform(rung);
            let mut tokens = self.measure(rung, &ways)?;
            if place == 0 {
                self.ladder
                    .iter_mut()
                    .for_each(|(_, known)| *known = tokens);
                tokens = self.measure(rung, &ways)?;
            }
            for (_, known) in &mut self.ladder[place..] {
                *known = tokens;
            }
            rungs.push((rung, tokens));
        }
        // Where a coarser rung costs more, the finer ones were counted with too short a number for it.
        if rungs.windows(2).any(|two| two[0].1 < two[1].1) {
            for (place, (rung, tokens)) in rungs.iter_mut().enumerate() {
                *tokens = self.measure(*rung, &self.uniform(*rung))?;
                self.ladder[place].1 = *tokens;
            }
        }
        Ok(rungs)
    }

    /// The way of each thing that a rung means: where a thing has none, the next coarser one.
    fn uniform(&self, rung: usize) -> Vec<usize> {
        let way = |thing: &Thing| {
            let exact = thing.ways.iter().position(|way| way.rung == rung);
            let coarser = thing.ways.iter().rposition(|way| way.rung > rung);
            exact.or(coarser).unwrap_or(0)
        };
        self.several.things().iter().map(way).collect()
    }

    /// What the answer costs: by its parts, where it is far over the budget, or not all of it is at hand.
    fn measure(&self, rung: usize, ways: &[usize]) -> io::Result<usize> {
        let each = self.several.things().iter().zip(ways);
        let parts: usize = each.map(|(thing, &way)| thing.ways[way].tokens).sum();
        if self.several.is_at_hand(ways) && parts / FAR_OVER <= self.asked.budget {
            return Ok(self.print(rung, ways, true)?.1);
        }
        let none = vec![0; ways.len()];
        Ok(self.print(rung, &none, true)?.1 + parts)
    }

    fn print(&self, rung: usize, ways: &[usize], fits: bool) -> io::Result<(Vec<u8>, usize)> {
        let left_out = self.several.left_out(ways);
        let mut declared = Declared {
            budget: Some(self.asked.budget),
            fits,
            degraded: rung > self.asked.start,
            menu: self.asked.strict,
            ranked: self.several.is_ranked(),
            ladder: self.ladder.clone(),
            command: self.several.command().filter(|_| !left_out.is_empty()),
            left_out,
            ..Declared::whole(
                self.asked.requested,
                self.asked.budgeting.counting.tokenizer,
            )
        };
        let shown = Shown { rung, ways };
        let bytes = declared.settle(|out, declared| self.several.write(out, &shown, declared))?;
        Ok((bytes, declared.tokens))
    }

    /// The final text, with what it costs itself in the ladder, if it shows no more than its rung.
    fn settled(&mut self, rung: usize, ways: &[usize], fits: bool) -> io::Result<Vec<u8>> {
        let (mut bytes, mut tokens) = self.print(rung, ways, fits)?;
        let (name, is_uniform) = (self.several.ladder()[rung], self.uniform(rung) == ways);
        for _ in 0..ROUNDS {
            let mut known = self.ladder.iter_mut().filter(|_| is_uniform);
            match known.find(|(known, _)| *known == name) {
                Some((_, known)) if *known != tokens => *known = tokens,
                _ => break,
            }
            (bytes, tokens) = self.print(rung, ways, fits)?;
        }
        Ok(bytes)
    }

    /// Shows single things finer while there is room.
    fn promote(&self, ways: &mut [usize], rung: usize, tokens: usize) -> io::Result<()> {
        let things = self.several.things().iter().zip(ways.iter());
        let choices: Vec<Vec<Choice>> = things
            .map(|(thing, &base)| {
                let steps = thing.ways[base..].windows(2);
                let steps = steps.take_while(|step| step[1].rung >= self.asked.start);
                steps.map(|step| choice(thing.worth, step)).collect()
            })
            .collect();
        let mut taken = spend(&choices, (self.asked.budget - tokens) as u64);
        let base = ways.to_vec();
        loop {
            ways.copy_from_slice(&base);
            for &(thing, step) in &taken {
                ways[thing] = base[thing] + step + 1;
            }
            // Costs are those of parts; where the whole is more than its parts, the last steps are taken back.
            let fits = || Ok::<_, io::Error>(self.print(rung, ways, true)?.1 <= self.asked.budget);
            if taken.is_empty() || fits()? {
                return Ok(());
            }
            taken.pop();
        }
    }
}

/// What a finer way costs and tells more.
fn choice(worth: u64, step: &[Way]) -> Choice {
    let cost = step[1].tokens.saturating_sub(step[0].tokens).max(1);
    Choice {
        cost: cost as u64,
        worth: worth * step[1].told.saturating_sub(step[0].told).max(1),
    }
}
