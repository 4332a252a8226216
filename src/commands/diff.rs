//! `diff`: what changed between two versions, in terms of definitions.

pub mod ask;
mod files;
pub mod read;
mod shown;
mod since;

use anyhow::Result;

use super::fitted::refuse;
use super::{Run, threads_of};
use crate::cli;
use crate::exit::Exit;
use crate::outline::diff::{Change, Pair, compare};
use crate::render::diff::{self, Comparison, FileDiff, Form, breaks, facts, modules};
use crate::walk::in_order;
use read::Read;

/// Files a thread may be ahead of the one taken up.
const WINDOW: usize = 256;

pub fn run(mut run: Run<'_>, arguments: &cli::Diff) -> Result<Exit> {
    let asked = match &arguments.since {
        Some(version) => since::ask(version, arguments)?,
        None => ask::ask(arguments)?,
    };
    let threads = threads_of(arguments.threads);
    let read = read_all(&run, &asked, &arguments.reading, threads)?;
    let pairs: Vec<Pair<'_>> = read.iter().map(Read::pair).collect();
    let changes = compare(&pairs);
    let files: Vec<FileDiff<'_>> = read
        .iter()
        .zip(changes)
        .map(|(read, changes)| read.file(changes))
        .collect();
    let mut comparison = Comparison {
        from: asked.from.clone(),
        to: asked.to.clone(),
        single: asked.single,
        files,
        pairs: &pairs,
        evidence: arguments.evidence || run.global.json,
    };
    filter(&mut comparison, arguments);
    let listed = comparison.files.iter().any(|file| !file.changes.is_empty());
    let kept = answer(&mut run, arguments, &comparison, &asked)?;
    let exit = run.exit(1, 1);
    Ok(match exit {
        Exit::Answered if !kept || (arguments.exit_code && listed) => Exit::NotFound,
        exit => exit,
    })
}

/// Both sides of all files that differ. What cannot be read is said.
///
/// # Errors
/// None but those of the messages.
pub fn read_all(
    run: &Run<'_>,
    asked: &ask::Asked,
    reading: &cli::Reading,
    threads: usize,
) -> Result<Vec<Read>> {
    let mut read: Vec<Read> = vec![];
    let work = |job| read::read(job, reading);
    in_order(asked.jobs(), threads, WINDOW, work, |one| {
        read.push(one);
        Ok(())
    })?;
    for failure in read.iter().filter_map(|one| one.failure.as_ref()) {
        run.messages.fail(failure);
    }
    read.retain(|one| one.failure.is_none() && one.differs());
    Ok(read)
}

/// Leaves what was asked for, and of files those that have something of it.
fn filter(comparison: &mut Comparison<'_>, arguments: &cli::Diff) {
    if !arguments.exported && !arguments.breaking {
        return;
    }
    let pairs = comparison.pairs;
    let wanted = |change: &Change| {
        (!arguments.breaking || breaks(pairs, change).is_some())
            && (!arguments.exported || facts(pairs, change).exported)
    };
    for file in &mut comparison.files {
        file.changes.retain(wanted);
        file.filtered = true;
    }
}

/// Whether all that was asked for is shown.
fn answer(
    run: &mut Run<'_>,
    arguments: &cli::Diff,
    comparison: &Comparison<'_>,
    asked: &ask::Asked,
) -> std::io::Result<bool> {
    let out = &mut *run.out;
    let form = &arguments.form;
    if form.name_only && !run.global.json {
        diff::names(out, comparison, arguments.nul)?;
        return Ok(true);
    }
    if form.modules && !run.global.json {
        let has_folder = |half, folder: &_| asked.has_folder(half, folder);
        modules::text(out, comparison, &has_folder)?;
        return Ok(true);
    }
    let printed = match form.markdown {
        _ if run.global.json => None,
        true => Some(Form::Markdown),
        false => Some(Form::Text),
    };
    let job = shown::Job::new(comparison, arguments, printed);
    let kept = job.print(out)?;
    if !kept {
        refuse(run.messages, job.view());
    }
    Ok(kept)
}
