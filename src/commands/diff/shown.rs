//! The answer: all changes in the view asked for, or within a budget all files in the finest view that fits and single ones
//! finer, those first whose changes others see.

use std::io::{self, Write};

use crate::cli::{self, Budgeting};
use crate::commands::again::again;
use crate::commands::is_stdin;
use crate::commands::shares::{Answer, Asked, Several, Shown, Thing, Way, share};
use crate::render::diff::{Comparison, FileDiff, Form, Line, Rung, Told, breaks, facts};
use crate::render::{Declared, Totals};
use crate::view::LeftOut;

/// What a view tells of a file, as a part of what that is worth.
fn told(rung: Rung) -> u64 {
    match rung {
        Rung::Hunks => 12,
        Rung::Signatures => 10,
        Rung::Names => 6,
        Rung::Counts => 3,
        Rung::Total => 0,
    }
}

/// What is printed of a comparison, and how.
pub struct Job<'a> {
    pub comparison: &'a Comparison<'a>,
    /// None for JSON.
    pub form: Option<Form>,
    pub budgeting: &'a Budgeting,
    /// The finest view there is to be.
    start: Rung,
    /// Whether a flag that is no `--view` says so.
    by_letters: bool,
    /// The view typed.
    requested: Option<&'static str>,
    /// Whether the same can be compared again.
    again: bool,
}

impl<'a> Job<'a> {
    pub fn new(
        comparison: &'a Comparison<'a>,
        arguments: &'a cli::Diff,
        form: Option<Form>,
    ) -> Job<'a> {
        let asked = &arguments.form;
        let typed = match asked.view {
            _ if asked.patch => Some(Rung::Hunks),
            _ if asked.stat => Some(Rung::Counts),
            view => view,
        };
        let mut words = arguments.versions.iter();
        Job {
            comparison,
            form,
            budgeting: &arguments.budgeting,
            start: typed.unwrap_or(Rung::Signatures),
            by_letters: asked.patch || asked.stat,
            requested: typed.map(Rung::name),
            again: !words.any(|word| is_stdin(word.as_ref())),
        }
    }

    pub fn view(&self) -> &'static str {
        self.start.name()
    }

    /// Whether it shows all that was asked for.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<bool> {
        if let Some(budget) = self.budgeting.tokens() {
            return self.fit(out, budget);
        }
        match self.form {
            Some(form) => form.write(out, self.comparison, self.start)?,
            None if self.start == Rung::Total && !self.comparison.single => {
                let line =
                    |out: &mut Vec<u8>, declared: &Declared| self.end(out, Rung::Total, declared);
                out.write_all(&self.declared().settle(line)?)?;
            }
            None => {
                for file in self.comparison.shown() {
                    out.write_all(&self.line(file, self.start, None)?)?;
                }
            }
        }
        Ok(true)
    }

    fn declared(&self) -> Declared {
        Declared::whole(self.requested, self.budgeting.counting.tokenizer)
    }

    /// A file as a line of JSON that speaks of itself.
    fn line(&self, file: &FileDiff<'_>, rung: Rung, budget: Option<usize>) -> io::Result<Vec<u8>> {
        let line = Line::new(self.comparison, file, rung)?;
        let mut declared = Declared {
            budget,
            degraded: rung > self.start,
            ..self.declared()
        };
        declared.settle(|out, declared| line.write(out, declared))
    }

    /// The line behind all files.
    fn end(&self, out: &mut Vec<u8>, rung: Rung, declared: &Declared) -> io::Result<()> {
        let changes = self.comparison.shown().map(|file| file.changes.len());
        let totals = Totals::of_changes(changes.sum(), Some(self.comparison.shown().count()));
        declared.end(out, totals, rung.name(), declared.elided().collect())
    }

    fn fit(&self, out: &mut dyn Write, budget: usize) -> io::Result<bool> {
        // Of nothing, all views are alike.
        let coarsest = match self.comparison.shown().next() {
            Some(_) => Rung::Total,
            None => self.start,
        };
        let rungs = Rung::ALL.into_iter();
        let rungs: Vec<Rung> = rungs
            .filter(|rung| (self.start..=coarsest).contains(rung))
            .collect();
        let mut files = Files {
            job: self,
            names: rungs.iter().map(|rung| rung.name()).collect(),
            rungs,
            files: vec![],
            things: vec![],
        };
        for file in self.comparison.shown() {
            files.push(file, budget)?;
        }
        let asked = Asked {
            budgeting: self.budgeting,
            requested: self.requested,
            start: 0,
            budget,
            strict: self.budgeting.strict,
        };
        let Answer { bytes, kept } = share(&files, &asked)?;
        out.write_all(&bytes)?;
        Ok(kept)
    }
}

/// A file with changes, in all ways it can be shown.
struct File<'a> {
    diff: &'a FileDiff<'a>,
    told: Told,
    /// As printed, finest first, without the last.
    blocks: Vec<Vec<u8>>,
}

/// Files that share a budget.
struct Files<'a> {
    job: &'a Job<'a>,
    rungs: Vec<Rung>,
    names: Vec<&'static str>,
    files: Vec<File<'a>>,
    things: Vec<Thing>,
}

impl<'a> Files<'a> {
    fn push(&mut self, diff: &'a FileDiff<'a>, budget: usize) -> io::Result<()> {
        let Job {
            comparison, form, ..
        } = self.job;
        let tokenizer = self.job.budgeting.counting.tokenizer;
        let mut blocks = vec![];
        for &rung in self.rungs.iter().filter(|rung| **rung != Rung::Total) {
            let mut block = vec![];
            match form {
                Some(form) => form.block(&mut block, comparison, diff, rung)?,
                None => block = self.job.line(diff, rung, Some(budget))?,
            }
            blocks.push(block);
        }
        let total = Way {
            rung: blocks.len(),
            tokens: 0,
            told: 0,
        };
        let finer = blocks.iter().enumerate().rev().map(|(rung, block)| Way {
            rung,
            tokens: tokenizer.count(block),
            told: told(self.rungs[rung]),
        });
        self.things.push(Thing {
            worth: worth(comparison, diff),
            ways: [total].into_iter().chain(finer).collect(),
        });
        self.files.push(File {
            diff,
            told: comparison.told(diff),
            blocks,
        });
        Ok(())
    }

    /// The view of a way of a file.
    fn view(&self, file: usize, way: usize) -> Rung {
        self.rungs[self.things[file].ways[way].rung]
    }

    /// Two files that were named are answered on one line.
    fn lines(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let comparison = self.job.comparison;
        if let ([file], true) = (self.files.as_slice(), comparison.single) {
            let rung = self.view(0, shown.ways[0]);
            return Line::new(comparison, file.diff, rung)?.write(out, declared);
        }
        for (at, (file, &way)) in self.files.iter().zip(shown.ways).enumerate() {
            let block = file.blocks.get(self.things[at].ways[way].rung);
            out.write_all(block.map(Vec::as_slice).unwrap_or_default())?;
        }
        self.job.end(out, self.rungs[shown.rung], declared)
    }
}

/// What breaks others is read first, then what they see.
fn worth(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> u64 {
    let pairs = comparison.pairs;
    let seen = match () {
        () if file.changes.iter().any(|one| breaks(pairs, one).is_some()) => 4,
        () if file.changes.iter().any(|one| facts(pairs, one).exported) => 2,
        () => 1,
    };
    8 * seen * (1 + u64::from((1 + file.changes.len()).ilog2()))
}

impl Several for Files<'_> {
    fn ladder(&self) -> &[&'static str] {
        &self.names
    }

    fn things(&self) -> &[Thing] {
        &self.things
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        let had_hunks = self.rungs[0] == Rung::Hunks;
        let what = ["hunks", "signatures", "definitions", "notes", "files"];
        let mut all = what.map(|what| LeftOut { what, count: 0 });
        for (at, (file, &way)) in self.files.iter().zip(ways).enumerate() {
            let view = self.view(at, way);
            if view == self.rungs[0] {
                continue;
            }
            // What is left out with a definition or a file is not counted by itself.
            let hunks = if had_hunks { file.told.hunks } else { 0 };
            let counts = match view {
                Rung::Hunks => [0; 5],
                Rung::Signatures => [hunks, 0, 0, 0, 0],
                Rung::Names => [hunks, file.told.signatures, 0, 0, 0],
                Rung::Counts => [0, 0, file.told.definitions, file.told.notes, 0],
                Rung::Total => [0, 0, 0, 0, 1],
            };
            for (left, count) in all.iter_mut().zip(counts) {
                left.count += count;
            }
        }
        all.into_iter().filter(|left| left.count > 0).collect()
    }

    fn command(&self) -> Option<String> {
        // Their letters know no --view beside them.
        let view = match self.job.by_letters {
            true => String::new(),
            false => format!("--view {}", self.names[0]),
        };
        self.job.again.then(|| again(&view))
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let Some(form) = self.job.form else {
            return self.lines(out, shown, declared);
        };
        let comparison = self.job.comparison;
        let facts = declared.facts(self.names[shown.rung]);
        form.head(out, comparison, Some(&facts))?;
        let files = self.files.iter().zip(shown.ways).enumerate();
        let files = files.map(|(at, (file, &way))| {
            let rung = self.things[at].ways[way].rung;
            (self.rungs[rung], file.blocks.get(rung))
        });
        let blocks = files.filter_map(|(rung, block)| Some((rung, block?.as_slice())));
        form.blocks(out, blocks)?;
        match &declared.command {
            Some(command) => form.command(out, command),
            None => Ok(()),
        }
    }
}
