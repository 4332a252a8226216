//! Matches within a budget: all files in the finest view that fits, then single ones finer.

use std::io::{self, Write};

use anyhow::Result;

use super::job::{Job, Kept, Priced};
use super::{Tally, flags};
use crate::cli;
use crate::commands::again::again;
use crate::commands::shares::{Answer, Asked, Several, Shown, Thing, Way, share};
use crate::render::search::{found, head, json, json_total};
use crate::render::{Declared, Totals, visible};
use crate::search::View;
use crate::view::LeftOut;

/// What a view tells of a file, as a part of what that is worth.
fn told(view: View) -> u64 {
    match view {
        View::Context => 12,
        View::Lines => 10,
        View::Places => 6,
        View::Counts | View::Paths => 3,
        View::Total => 0,
    }
}

/// The views from one on, finest first, that a budget steps down.
pub fn ladder(start: View) -> Vec<View> {
    let views = [View::Context, View::Lines, View::Places, View::Counts];
    let finer = views.into_iter().filter(|view| *view >= start);
    let paths = Some(View::Paths).filter(|view| *view == start);
    finer.chain(paths).chain([View::Total]).collect()
}

/// A file with matches, in all ways it can be shown.
pub struct File {
    pub matches: usize,
    /// Lines beside them.
    pub context: usize,
    /// Whether some match names a definition where it is defined.
    pub defines: bool,
    /// How often other files refer to a definition with a match, at most.
    pub references: u32,
    /// Whether it can be read again.
    pub is_file: bool,
    /// In the order of [`ladder`], without the last.
    pub ways: Vec<Priced>,
    /// What it is rendered from, as long as there is no other file.
    pub kept: Option<Kept>,
}

/// Files that share a budget.
pub struct Files<'a> {
    job: &'a Job<'a>,
    arguments: &'a cli::Search,
    patterns: &'a [String],
    tally: &'a Tally,
    files: Vec<File>,
    views: Vec<View>,
    names: Vec<&'static str>,
    things: Vec<Thing>,
    /// Whether the same can be searched again.
    again: bool,
}

/// Writes the answer; whether it is all that was asked for.
pub fn print(
    out: &mut dyn Write,
    job: &Job<'_>,
    arguments: &cli::Search,
    patterns: &[String],
    tally: &Tally,
    files: Vec<File>,
    budget: usize,
) -> Result<bool> {
    let views = ladder(job.view);
    let things = files.iter().map(|file| thing(file, &views)).collect();
    let files = Files {
        job,
        arguments,
        patterns,
        tally,
        names: views.iter().map(|view| view.name()).collect(),
        views,
        things,
        again: files.iter().all(|file| file.is_file),
        files,
    };
    let asked = Asked {
        budgeting: &arguments.budgeting,
        requested: job.requested,
        start: 0,
        budget,
        strict: arguments.budgeting.strict,
    };
    let Answer { bytes, kept } = share(&files, &asked)?;
    out.write_all(&bytes)?;
    Ok(kept)
}

fn thing(file: &File, views: &[View]) -> Thing {
    let total = Way {
        rung: views.len() - 1,
        tokens: 0,
        told: 0,
    };
    let priced = file.ways.iter().enumerate().rev();
    let finer = priced.map(|(rung, way)| Way {
        rung,
        tokens: way.tokens,
        told: told(views[rung]),
    });
    let bits = file.matches.max(1).ilog2() + (1 + file.references).ilog2();
    let bits = u64::from(bits);
    // What is looked for is most often where it is defined.
    let defines = if file.defines { 4 } else { 1 };
    Thing {
        worth: 8 * (1 + bits) * defines,
        ways: [total].into_iter().chain(finer).collect(),
    }
}

impl Files<'_> {
    /// The rung of a way of a file.
    fn rung(&self, file: usize, way: usize) -> usize {
        self.things[file].ways[way].rung
    }

    fn totals(&self) -> Totals {
        Totals::of_matches(self.tally.matches, self.tally.files)
    }

    fn text(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let view = self.views[shown.rung];
        let found = found(self.tally.matches, "match", self.tally.files);
        let flags = flags(self.arguments, declared.facts(view.name()));
        head(out, self.patterns, &found, &flags)?;
        let mut before = view;
        for (file, &way) in shown.ways.iter().enumerate() {
            let rung = self.rung(file, way);
            let Some(Priced {
                bytes: Some(bytes), ..
            }) = self.files[file].ways.get(rung)
            else {
                continue;
            };
            // Lines of one file's matches and the count of the next must not look like one.
            let view = self.views[rung];
            if before.is_located() && !view.is_located() && !out.ends_with(b")\n") {
                writeln!(out)?;
            }
            before = view;
            out.write_all(bytes)?;
        }
        match &declared.command {
            Some(command) => writeln!(out, "... {}", visible(command)),
            None => Ok(()),
        }
    }
}

impl Several for Files<'_> {
    fn ladder(&self) -> &[&'static str] {
        &self.names
    }

    fn things(&self) -> &[Thing] {
        &self.things
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        let start = self.views[0];
        let what = ["context lines", "matching lines", "places", "files"];
        let mut all = what.map(|what| LeftOut { what, count: 0 });
        for (at, (file, &way)) in self.files.iter().zip(ways).enumerate() {
            let view = self.views[self.rung(at, way)];
            let counts = [
                (start == View::Context && view > start, file.context),
                (start <= View::Lines && view > View::Lines, file.matches),
                (start == View::Places && view > start, file.matches),
                (start < View::Total && view == View::Total, 1),
            ];
            for (left, (is_left_out, count)) in all.iter_mut().zip(counts) {
                left.count += if is_left_out { count } else { 0 };
            }
        }
        all.into_iter().filter(|left| left.count > 0).collect()
    }

    fn is_ranked(&self) -> bool {
        self.job.references.is_some()
    }

    fn command(&self) -> Option<String> {
        // Their letters know no --view beside them.
        let by_letters = self.arguments.view.is_none() && self.job.requested.is_some();
        let view = match by_letters {
            true => String::new(),
            false => format!("--view {}", self.names[0]),
        };
        self.again.then(|| again(&view))
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let is_all = shown.ways.iter().all(|&way| way == 0);
        match self.files.as_slice() {
            _ if !self.job.json => self.text(out, shown, declared),
            _ if is_all => json_total(out, self.totals(), declared),
            [
                File {
                    kept: Some(kept), ..
                },
            ] => {
                let view = self.views[self.rung(0, shown.ways[0])];
                json(out, &kept.shown(), view, declared)
            }
            files => {
                for (at, file) in files.iter().enumerate() {
                    let way = file.ways.get(self.rung(at, shown.ways[at]));
                    let bytes = way.and_then(|way| way.bytes.as_deref());
                    out.write_all(bytes.unwrap_or_default())?;
                }
                declared.end(
                    out,
                    self.totals(),
                    self.names[shown.rung],
                    declared.elided().collect(),
                )
            }
        }
    }

    fn is_at_hand(&self, ways: &[usize]) -> bool {
        let mut files = self.files.iter().zip(ways).enumerate();
        files.all(|(at, (file, &way))| {
            let way = file.ways.get(self.rung(at, way));
            way.is_none_or(|way| way.bytes.is_some())
        })
    }
}
