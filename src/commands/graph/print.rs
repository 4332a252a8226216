//! An answer of the graph as it is printed: within a budget on the finest rung that fits, in JSON with a pointer to each site.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::Budgeting;
use crate::commands::Run;
use crate::commands::again::again;
use crate::commands::evidence::Evidence;
use crate::commands::fitted::refuse;
use crate::model::Lines;
use crate::render::Declared;
use crate::render::graph::listing::{Listing, Rung};
use crate::source::Source;

/// Prints an answer from a rung on; whether all that was asked for is shown.
///
/// # Errors
/// Those of the writer.
pub fn print(
    run: &mut Run<'_>,
    mut listing: Listing,
    budgeting: &Budgeting,
    start: Rung,
) -> Result<bool> {
    if run.global.json {
        point(&mut listing);
    }
    let printed = Printed {
        listing: &listing,
        budgeting,
        json: run.global.json,
        start,
    };
    let (bytes, kept) = match budgeting.tokens() {
        None => (printed.whole()?, true),
        Some(budget) => printed.within(budget)?,
    };
    run.out.write_all(&bytes)?;
    if !kept {
        refuse(run.messages, start.name());
    }
    Ok(kept)
}

/// Names the lines of sites at their version.
fn point(listing: &mut Listing) {
    let mut paths: Vec<PathBuf> = listing
        .sites()
        .map(|site| PathBuf::from(&site.path))
        .collect();
    paths.sort();
    paths.dedup();
    let evidence = Evidence::new(!paths.is_empty(), paths.iter().map(PathBuf::as_path));
    let mut sources: HashMap<String, Option<Source>> = HashMap::new();
    for site in listing.sites_mut() {
        let source = sources
            .entry(site.path.clone())
            .or_insert_with(|| Source::read(Path::new(&site.path)).ok());
        let lines = Lines {
            start: site.line,
            end: site.line,
        };
        let source = source.as_ref().filter(|source| site.line <= source.lines());
        site.pointer =
            source.and_then(|source| evidence.pointer(Path::new(&site.path), source, lines));
    }
}

struct Printed<'a> {
    listing: &'a Listing,
    budgeting: &'a Budgeting,
    json: bool,
    /// The finest rung there is to be.
    start: Rung,
}

impl Printed<'_> {
    fn whole(&self) -> io::Result<Vec<u8>> {
        let mut declared = Declared::whole(None, self.budgeting.counting.tokenizer);
        match self.json {
            true => declared.settle(|out, declared| self.write(out, self.start, declared)),
            false => {
                let mut out = vec![];
                self.write(&mut out, self.start, &declared)?;
                Ok(out)
            }
        }
    }

    /// The finest rung that fits, else the coarsest.
    fn within(&self, budget: usize) -> io::Result<(Vec<u8>, bool)> {
        let rungs = Rung::ALL.into_iter().filter(|rung| *rung >= self.start);
        let rungs: Vec<Rung> = rungs.collect();
        let mut ladder: Vec<(&'static str, usize)> =
            rungs.iter().map(|rung| (rung.name(), usize::MAX)).collect();
        // Twice: the numbers of the ladder are a part of what is counted.
        for _ in 0..2 {
            let sizes = rungs
                .iter()
                .map(|rung| Ok(self.settled(*rung, budget, &ladder, true)?.1));
            let sizes: Vec<usize> = sizes.collect::<io::Result<_>>()?;
            ladder = rungs.iter().map(|rung| rung.name()).zip(sizes).collect();
        }
        let fitting = ladder.iter().position(|(_, tokens)| *tokens <= budget);
        let kept = fitting == Some(0) || !self.budgeting.strict;
        let coarsest = rungs.len() - 1;
        let at = fitting.filter(|_| kept).unwrap_or(coarsest);
        let fits = ladder[at].1 <= budget;
        let (bytes, _) = self.settled(rungs[at], budget, &ladder, fits)?;
        Ok((bytes, kept))
    }

    fn settled(
        &self,
        rung: Rung,
        budget: usize,
        ladder: &[(&'static str, usize)],
        fits: bool,
    ) -> io::Result<(Vec<u8>, usize)> {
        let left_out = self.listing.left_out(rung);
        let left_out = if rung > self.start { left_out } else { vec![] };
        let mut declared = Declared {
            budget: Some(budget),
            fits,
            degraded: rung > self.start,
            menu: self.budgeting.strict,
            ladder: ladder.to_vec(),
            command: (!left_out.is_empty()).then(|| again("")),
            left_out,
            ..Declared::whole(None, self.budgeting.counting.tokenizer)
        };
        let bytes = declared.settle(|out, declared| self.write(out, rung, declared))?;
        Ok((bytes, declared.tokens))
    }

    fn write(&self, out: &mut Vec<u8>, rung: Rung, declared: &Declared) -> io::Result<()> {
        if self.json {
            return self.listing.json(out, rung, declared);
        }
        let facts = declared.budget.map(|_| declared.facts(rung.name()));
        self.listing
            .text(out, rung, facts.as_deref(), declared.command.as_deref())
    }
}
