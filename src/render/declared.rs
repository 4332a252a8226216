//! What an answer says of itself: how much it shows of what was asked for, and what that costs. Counts the final text exactly.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::Totals;
use super::header::plural;
use crate::tokens::Tokenizer;
use crate::view::LeftOut;

/// Said of every answer in JSON, and in text wherever there is a budget.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The view asked for; none for `auto`.
    pub requested: Option<&'static str>,
    pub budget: Option<usize>,
    pub tokenizer: Tokenizer,
    /// Of the whole answer.
    pub tokens: usize,
    pub fits: bool,
    /// A coarser view than the one asked for, or the finest there is, is shown.
    pub degraded: bool,
    /// Sizes are what the answer is about: text has them in the coarsest view, too.
    pub menu: bool,
    /// Tokens of the answer in each view, finest first; empty without a budget.
    pub ladder: Vec<(&'static str, usize)>,
    pub left_out: Vec<LeftOut>,
    /// The command that prints what was left out.
    pub command: Option<String>,
    /// The version that changes are told from, where only those are asked for, and whether there are any.
    pub since: Option<(String, bool)>,
    /// Of a summary: whether it is about another text than the file has now.
    pub generated: Option<bool>,
    /// What is shown finer, or first, is so by how often other files refer to it.
    pub ranked: bool,
}

/// The same in JSON.
#[derive(Serialize)]
pub struct JsonDeclared {
    requested: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<usize>,
    tokens: usize,
    tokenizer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_error: Option<[f32; 2]>,
    fits: bool,
    degraded: bool,
    truncated: bool,
    generated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranked_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<Ladder>,
}

/// Finest first, which a map of `serde_json` would not keep.
struct Ladder(Vec<(&'static str, usize)>);

impl Serialize for Ladder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// One thing that was left out, or several of a sort.
#[derive(Debug, Serialize)]
pub struct Elided {
    pub what: &'static str,
    pub count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The last line of an answer in several: what all of them are together.
#[derive(Serialize)]
struct End {
    schema: &'static str,
    files: usize,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    elided: Vec<Elided>,
    next: Vec<String>,
}

impl Elided {
    pub fn new(what: &'static str, count: usize) -> Elided {
        Elided {
            what,
            count,
            path: None,
            definitions: None,
            qualname: None,
            start_line: None,
            end_line: None,
            tokens: None,
            command: None,
        }
    }
}

impl Declared {
    /// Of an answer that shows all that was asked for.
    pub fn whole(requested: Option<&'static str>, tokenizer: Tokenizer) -> Declared {
        Declared {
            requested,
            budget: None,
            tokenizer,
            tokens: 0,
            fits: true,
            degraded: false,
            menu: false,
            ladder: vec![],
            left_out: vec![],
            command: None,
            since: None,
            generated: None,
            ranked: false,
        }
    }

    /// `view names (docs 790), 612 of 5213 tokens (o200k), budget 700, 3 bodies left out`
    pub fn facts(&self, view: &'static str) -> String {
        let more = match (self.generated, &self.since) {
            (Some(true), _) => ", generated, stale".to_string(),
            (Some(false), _) => ", generated".to_string(),
            (None, Some((version, true))) => format!(" since {version}"),
            (None, Some((version, false))) => format!(", unchanged since {version}"),
            (None, None) => String::new(),
        };
        let said_view = format!("view {view}{more}");
        let Some(budget) = self.budget else {
            return said_view;
        };
        let rungs = || self.ladder.iter();
        let place = rungs().position(|(name, _)| *name == view);
        let start = rungs().position(|(name, _)| Some(*name) == self.requested);
        let finer = self.ladder.get(start.unwrap_or(0)..place.unwrap_or(0));
        let finer = finer.unwrap_or_default().iter();
        let coarsest = place.is_some_and(|place| place + 1 == self.ladder.len());
        let sizes = self.degraded && (self.menu || !coarsest);
        let finer: Vec<String> = finer
            .filter(|(name, _)| *name != "full" && sizes)
            .map(|(name, tokens)| format!("{name} {tokens}"))
            .collect();
        let finer = match finer.is_empty() {
            true => String::new(),
            false => format!(" ({})", finer.join(", ")),
        };
        let of = rungs().next().map_or(self.tokens, |(_, tokens)| *tokens);
        let (tokens, tokenizer) = (self.tokens, self.tokenizer);
        let mut facts =
            format!("{said_view}{finer}, {tokens} of {of} tokens ({tokenizer}), budget {budget}");
        if !self.fits {
            facts += ", DOES NOT FIT";
        }
        if self.ranked {
            facts += ", ranked by references";
        }
        let left: Vec<String> = self.left_out.iter().map(|left| plural_of(*left)).collect();
        if !left.is_empty() {
            facts += &format!(", {} left out", left.join(", "));
        }
        facts
    }

    pub fn json(&self) -> JsonDeclared {
        JsonDeclared {
            requested: self.requested.unwrap_or("auto"),
            since: self.since.as_ref().map(|(version, _)| version.clone()),
            budget: self.budget,
            tokens: self.tokens,
            tokenizer: self.tokenizer.name(),
            tokens_error: self.tokenizer.error().map(|band| [band.low, band.high]),
            fits: self.fits,
            degraded: self.degraded,
            truncated: false,
            generated: self.generated.is_some(),
            stale: self.generated,
            ranked_by: self.ranked.then_some("references"),
            ladder: (!self.ladder.is_empty()).then(|| Ladder(self.ladder.clone())),
        }
    }

    /// The line behind the answers about several files, which `declared` speaks of together.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(
        &self,
        out: &mut dyn Write,
        totals: Totals,
        view: &'static str,
        elided: Vec<Elided>,
    ) -> io::Result<()> {
        let commands = elided.iter().filter_map(|elided| elided.command.clone());
        let mut next: Vec<String> = commands.collect();
        next.dedup();
        let end = End {
            schema: "ast-outline.end/1",
            files: totals.files.unwrap_or(0),
            view,
            declared: self.json(),
            totals,
            next,
            elided,
        };
        serde_json::to_writer(&mut *out, &end)?;
        writeln!(out)
    }

    /// What was left out, each with the command that prints it.
    pub fn elided(&self) -> impl Iterator<Item = Elided> {
        self.left_out.iter().map(|left| Elided {
            command: self.command.clone(),
            ..Elided::new(left.what, left.count)
        })
    }

    /// An answer that says how many tokens it takes, itself included.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn settle(
        &mut self,
        write: impl Fn(&mut Vec<u8>, &Declared) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        self.weigh(&write)?;
        let mut out = vec![];
        write(&mut out, self)?;
        Ok(out)
    }

    /// Counts the answer that `write` makes of this, the number itself included.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn weigh(
        &mut self,
        write: impl Fn(&mut Vec<u8>, &Declared) -> io::Result<()>,
    ) -> io::Result<()> {
        let count = |declared: &Declared| {
            let mut out = vec![];
            write(&mut out, declared).map(|()| declared.tokenizer.count(&out))
        };
        self.tokens = 0;
        let mut tokens = count(self)?;
        if self.tokenizer.error().is_none() {
            // The number itself takes a token for each three digits, and nothing around it takes fewer or more.
            let others = tokens - digits(0);
            while others + digits(tokens) != tokens {
                tokens = others + digits(tokens);
            }
            self.tokens = tokens;
            return Ok(());
        }
        // An estimate may round to and fro: then it says the more.
        for _ in 0..ROUNDS {
            if tokens <= self.tokens {
                break;
            }
            self.tokens = tokens;
            tokens = count(self)?;
        }
        Ok(())
    }
}

/// Times an estimated answer is counted, at most.
const ROUNDS: usize = 4;

/// The tokens of a number, by an exact tokenizer.
fn digits(number: usize) -> usize {
    number.to_string().len().div_ceil(3)
}

/// `1 body`, `3 bodies`.
fn plural_of(left: LeftOut) -> String {
    let one = match left.what.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => left.what.trim_end_matches('s').to_string(),
    };
    plural(left.count, &one)
}
