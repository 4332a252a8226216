//! Regions within a budget: exactly the lines that were named, or what could be had instead. Never some of them.

use crate::render::command;
use std::io::{self, Write};

use crate::cli::Budgeting;
use crate::commands::again::again;
use crate::commands::shares::{Answer, Asked, Several, Shown, Thing, Way, share};
use crate::model::{ItemId, Lines, Outline};
use crate::render::excerpt::{Detail, Excerpt, Options, Size};
use crate::render::{Declared, Totals, argument, plural, visible};
use crate::view::LeftOut;

use super::SCHEMA;

/// What regions are shown as, finest first.
const LADDER: [&str; 2] = ["full", "sizes"];
/// Definitions offered for lines that do not fit.
const MOST_SIZES: usize = 10;

/// How regions are printed.
pub struct Printing<'a> {
    pub budgeting: &'a Budgeting,
    pub budget: usize,
    pub json: bool,
    pub options: &'a Options,
}

impl Printing<'_> {
    /// Degrading is refused, whether by `--strict` or not: these lines were named.
    fn share(&self, several: &dyn Several) -> io::Result<Answer> {
        let asked = Asked {
            budgeting: self.budgeting,
            requested: Some(LADDER[0]),
            start: 0,
            budget: self.budget,
            strict: true,
        };
        share(several, &asked)
    }

    fn count(&self, bytes: &[u8]) -> usize {
        self.budgeting.counting.tokenizer.count(bytes)
    }
}

/// The ways to show a region that costs so much.
fn thing(sizes: usize, full: usize) -> Thing {
    let way = |rung, tokens, told| Way { rung, tokens, told };
    Thing {
        worth: 1,
        ways: vec![way(1, sizes, 1), way(0, full, 2)],
    }
}

/// The only region asked for.
struct One<'a> {
    excerpt: &'a Excerpt<'a>,
    sizes: Excerpt<'a>,
    things: [Thing; 1],
    printing: &'a Printing<'a>,
}

/// The answer of a run that asks for one region.
pub fn one(
    excerpt: &Excerpt<'_>,
    outline: &Outline,
    printing: &Printing<'_>,
) -> io::Result<Answer> {
    let one = One {
        excerpt,
        sizes: offered(excerpt, outline, printing),
        things: [thing(1, 2)],
        printing,
    };
    printing.share(&one)
}

impl Several for One<'_> {
    fn ladder(&self) -> &[&'static str] {
        &LADDER
    }

    fn things(&self) -> &[Thing] {
        &self.things
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        left_out(ways, [self.excerpt.lines])
    }

    fn command(&self) -> Option<String> {
        self.excerpt.own_command()
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let excerpt = match shown.rung {
            0 => self.excerpt,
            _ => &self.sizes,
        };
        match self.printing.json {
            true => excerpt.json(out, SCHEMA, declared),
            false => excerpt.text(out, self.printing.options, Some(declared)),
        }
    }
}

fn left_out(ways: &[usize], lines: impl IntoIterator<Item = Lines>) -> Vec<LeftOut> {
    let missing = ways.iter().zip(lines).filter(|(way, _)| **way == 0);
    let count: u32 = missing.map(|(_, lines)| lines.count()).sum();
    let left = LeftOut {
        what: "lines",
        count: count as usize,
    };
    Some(left)
        .filter(|left| left.count > 0)
        .into_iter()
        .collect()
}

/// The same region, with what could be had instead of it.
fn offered<'a>(
    excerpt: &Excerpt<'a>,
    outline: &'a Outline,
    printing: &Printing<'_>,
) -> Excerpt<'a> {
    let source = excerpt.source;
    let path = excerpt.path.to_string_lossy();
    let size = |id: ItemId| {
        let item = &outline.items[id as usize];
        let inside = Some(item.lines).filter(|lines| excerpt.lines.covers(*lines));
        let (budget, line) = (printing.budget, item.decl_line);
        let around = || {
            let place = argument(&format!("{path}:{line}"));
            command(&format!("symbol --budget {budget} {place}"))
        };
        Size {
            item,
            tokens: printing.count(source.slice(item.lines)),
            command: match inside {
                Some(lines) => excerpt.command(lines),
                None => excerpt.is_file.then(around),
            },
        }
    };
    // By its line `symbol` finds the innermost definition.
    let is_found = |id: &ItemId| {
        let line = outline.items[*id as usize].decl_line;
        let lines = Lines {
            start: line,
            end: line,
        };
        outline.enclosing(lines) == Some(*id)
    };
    let around = outline.enclosing(excerpt.lines).filter(is_found);
    let around = around.filter(|&id| outline.items[id as usize].lines != excerpt.lines);
    let inside = inside(outline, excerpt.lines);
    let more = inside.len().saturating_sub(MOST_SIZES);
    let all = around
        .into_iter()
        .chain(inside.into_iter().take(MOST_SIZES));
    excerpt.with(Detail::Sizes(all.map(size).collect(), more))
}

/// The outermost definitions in some lines; of a single one, those in it.
fn inside(outline: &Outline, lines: Lines) -> Vec<ItemId> {
    let within = |parent: Option<ItemId>, lines: Lines| -> Vec<ItemId> {
        let mut found = vec![];
        let mut levels = vec![outline.children(parent)];
        while let Some(level) = levels.last_mut() {
            match level.next() {
                None => drop(levels.pop()),
                Some(id) if lines.covers(outline.items[id as usize].lines) => found.push(id),
                Some(id) if overlap(outline.items[id as usize].lines, lines) => {
                    levels.push(outline.children(Some(id)));
                }
                Some(_) => {}
            }
        }
        found
    };
    let mut found = within(None, lines);
    while let [one] = found.as_slice() {
        let inner = within(Some(*one), lines);
        if inner.is_empty() {
            break;
        }
        found = inner;
    }
    found
}

fn overlap(one: Lines, other: Lines) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Several regions, as they come.
#[derive(Default)]
pub struct Many {
    /// Of each region all lines, and what could be had instead.
    texts: Vec<[Vec<u8>; 2]>,
    lines: Vec<Lines>,
    paths: Vec<String>,
    things: Vec<Thing>,
}

impl Many {
    /// # Errors
    /// Those of the writer.
    pub fn add(
        &mut self,
        excerpt: &Excerpt<'_>,
        outline: &Outline,
        printing: &Printing<'_>,
    ) -> io::Result<()> {
        let sizes = offered(excerpt, outline, printing);
        let mut texts = [vec![], vec![]];
        for (rung, excerpt) in [excerpt, &sizes].into_iter().enumerate() {
            let tokenizer = printing.budgeting.counting.tokenizer;
            let mut declared = Declared {
                budget: Some(printing.budget),
                degraded: rung > 0,
                ..Declared::whole(Some(LADDER[0]), tokenizer)
            };
            texts[rung] = match printing.json {
                true => declared.settle(|out, declared| excerpt.json(out, SCHEMA, declared))?,
                false => {
                    let mut out = vec![];
                    excerpt.text(&mut out, printing.options, None)?;
                    out
                }
            };
        }
        let [full, sizes] = [&texts[0], &texts[1]].map(|text| printing.count(text));
        self.things.push(thing(sizes, full));
        self.texts.push(texts);
        self.lines.push(excerpt.lines);
        self.paths.push(excerpt.path.to_string_lossy().into_owned());
        Ok(())
    }

    /// # Errors
    /// Those of the writer.
    pub fn answer(&self, printing: &Printing<'_>) -> io::Result<Answer> {
        let all = All {
            many: self,
            printing,
        };
        printing.share(&all)
    }

    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    fn totals(&self) -> Totals {
        let mut paths: Vec<&String> = self.paths.iter().collect();
        paths.sort();
        paths.dedup();
        Totals::of_matches(self.things.len(), paths.len())
    }
}

struct All<'a> {
    many: &'a Many,
    printing: &'a Printing<'a>,
}

impl Several for All<'_> {
    fn ladder(&self) -> &[&'static str] {
        &LADDER
    }

    fn things(&self) -> &[Thing] {
        &self.many.things
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        left_out(ways, self.many.lines.iter().copied())
    }

    fn command(&self) -> Option<String> {
        Some(again(""))
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let (json, totals) = (self.printing.json, self.many.totals());
        let view = LADDER[shown.rung];
        if !json {
            let (regions, files) = (totals.matches.unwrap_or(0), totals.files.unwrap_or(0));
            let (regions, files) = (plural(regions, "region"), plural(files, "file"));
            writeln!(out, "## {regions} in {files} ({})", declared.facts(view))?;
        }
        for texts in &self.many.texts {
            if !json {
                writeln!(out)?;
            }
            out.write_all(&texts[shown.rung])?;
        }
        match &declared.command {
            _ if json => declared.end(out, totals, view, declared.elided().collect()),
            Some(command) => writeln!(out, "... {}", visible(command)),
            None => Ok(()),
        }
    }
}
