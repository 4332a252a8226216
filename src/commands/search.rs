//! `search`: lines that match a pattern, under the definitions they stand in.

mod job;
mod names;
mod within;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use ignore::types::Types;

use super::fitted::refuse;
use super::{Run, is_stdin, paths, threads, walk_any};
use crate::cache::Update;
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::render::search::{found, head, json_total};
use crate::render::{Declared, Totals, plural};
use crate::search::View;
use crate::walk::{self, Found};
use job::{Job, Searched};

/// Files a thread may be ahead of the one printed.
const WINDOW: usize = 64;
/// Bytes of answers that wait for the first line, which counts them; files past that are read twice.
const MAX_HELD: usize = 16 << 20;

pub fn run(run: Run<'_>, arguments: &cli::Search) -> Result<Exit> {
    if arguments.files.type_list {
        return list_types(run.out);
    }
    let (patterns, given) = words(arguments)?;
    if arguments.symbols {
        return names::run(run, arguments, &patterns, given);
    }
    let job = Job::new(&run, arguments, &patterns, &given)?;
    let options = walk::Options {
        any_format: true,
        ..options(arguments)?
    };
    let files = walk::files(given, options)?;
    let threads = threads(&arguments.files);
    let mut answer = Answer {
        update: job.cache.as_ref().map(Update::new),
        run,
        job: &job,
        tally: Tally::default(),
        held: Held::default(),
        priced: vec![],
    };
    walk::in_order(
        files,
        threads,
        WINDOW,
        |file| (job.work(&file), file),
        |(worked, file)| answer.take(worked, file),
    )?;
    answer.finish(&patterns, arguments)
}

/// What is printed and said of the files, as they come.
struct Answer<'a, 'r> {
    run: Run<'r>,
    job: &'a Job<'a>,
    update: Option<Update<'a>>,
    tally: Tally,
    held: Held,
    /// With a budget, all files with matches.
    priced: Vec<within::File>,
}

impl Answer<'_, '_> {
    fn take(&mut self, worked: Result<Searched, Failure>, file: Found) -> io::Result<()> {
        let mut searched = match worked {
            Ok(searched) => searched,
            Err(failure) => {
                self.run.messages.fail(&failure);
                return Ok(());
            }
        };
        if let (Some(update), Some(fresh)) = (&mut self.update, searched.fresh.take()) {
            update.take(fresh);
        }
        if let Some(note) = &searched.note {
            self.run.messages.note(note);
        }
        self.tally.add(&searched, &file);
        if let Some(priced) = searched.priced {
            self.priced.push(priced);
            // Only a file that is alone is rendered again.
            if let [first, .., last] = self.priced.as_mut_slice() {
                (first.kept, last.kept) = (None, None);
            }
            return Ok(());
        }
        let bytes = searched.bytes;
        match searched.matches {
            0 => {}
            _ if self.job.is_plain => self.run.out.write_all(&bytes.unwrap_or_default())?,
            _ => self.held.keep(file, bytes, &self.job.is_full),
        }
        Ok(())
    }

    fn finish(self, patterns: &[String], arguments: &cli::Search) -> Result<Exit> {
        let (run, job, tally) = (self.run, self.job, self.tally);
        let Tally { matches, files, .. } = tally;
        let mut kept = true;
        if let Some(budget) = job.budget.filter(|_| files > 0) {
            kept = within::print(
                run.out,
                job,
                arguments,
                patterns,
                &tally,
                self.priced,
                budget,
            )?;
        } else if files > 0 && job.json && job.view == View::Total {
            let tokenizer = arguments.budgeting.counting.tokenizer;
            let totals = Totals::of_matches(matches, files);
            let mut declared = Declared::whole(job.requested, tokenizer);
            let line = |out: &mut Vec<u8>, declared: &Declared| json_total(out, totals, declared);
            run.out.write_all(&declared.settle(line)?)?;
        } else if files > 0 && !job.is_plain {
            let found = found(matches, "match", files);
            let view = format!("view {}", job.view.name());
            head(run.out, patterns, &found, &flags(arguments, view))?;
            self.held.print(run.out, job, threads(&arguments.files))?;
        }
        // The reader need not wait for what only the next run needs.
        run.out.flush()?;
        if let Some(update) = self.update {
            update.finish();
        }
        if let Some(note) = tally.not_shown() {
            run.messages.note(&note);
        }
        let exit = run.exit(files, 1);
        if exit == Exit::NotFound {
            run.messages.miss(&tally.miss(arguments));
        }
        if !kept {
            refuse(run.messages, job.view.name());
            return Ok(run.exit(0, 1));
        }
        Ok(exit)
    }
}

/// The patterns, and the paths behind them: with `-e` all words are paths.
fn words(arguments: &cli::Search) -> Result<(Vec<String>, Vec<PathBuf>)> {
    let mut patterns = arguments.patterns.clone();
    let mut given = arguments.paths.clone();
    if let Some(word) = &arguments.pattern {
        match patterns.is_empty() {
            true => {
                let pattern = word.to_str().ok_or_else(|| {
                    Failure::new("usage", "the pattern is not UTF-8")
                        .hint(r"write bytes as (?-u:\xFF)")
                })?;
                patterns.push(pattern.to_string());
            }
            false => given.insert(0, word.clone()),
        }
    }
    let stdin_path = arguments.reading.stdin_path.as_deref();
    Ok((patterns, paths(&given, &arguments.files, stdin_path)?))
}

/// Whether paths were typed, so that they are shown as they are.
fn typed(arguments: &cli::Search) -> bool {
    let path_first = arguments.pattern.is_some() && !arguments.patterns.is_empty();
    path_first || !arguments.paths.is_empty()
}

/// The walk that the flags ask for: `-t` and `-T` know the types of `rg`.
fn options(arguments: &cli::Search) -> Result<walk::Options> {
    let files = &arguments.files;
    let mut types = walk::types();
    for name in &files.types {
        types.select(name);
    }
    for name in &files.types_not {
        types.negate(name);
    }
    let types: Types = types.build().map_err(|error| {
        Failure::new("unknown-type", error.to_string())
            .hint("`ast-outline search --type-list` lists them")
    })?;
    Ok(walk::Options {
        types: Some(types),
        ..walk_any(files)
    })
}

fn list_types(out: &mut dyn Write) -> Result<Exit> {
    for definition in walk::types().definitions() {
        writeln!(
            out,
            "{}: {}",
            definition.name(),
            definition.globs().join(", ")
        )?;
    }
    Ok(Exit::Answered)
}

/// What the first line says of the question, besides its patterns.
fn flags(arguments: &cli::Search, view: String) -> Vec<String> {
    let letters = [
        ("-F", arguments.fixed_strings),
        ("-i", arguments.ignore_case),
        ("-S", arguments.smart_case),
        ("-w", arguments.word_regexp),
        ("-v", arguments.invert_match),
        ("-U", arguments.multiline),
    ];
    let letters = letters.iter().filter(|(_, given)| *given);
    let letters: Vec<&str> = letters.map(|(letter, _)| *letter).collect();
    let mut flags = vec![view];
    if !letters.is_empty() {
        flags.push(letters.join(" "));
    }
    if !arguments.kind.is_empty() {
        flags.push(format!("in kind {}", arguments.kind.join(" or ")));
    }
    if let Some(most) = arguments.max_count {
        flags.push(format!("at most {most} of a file"));
    }
    flags
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    searched: usize,
    files: usize,
    matches: usize,
    /// Matches outside of the kinds that were asked for.
    elsewhere: usize,
    /// Files that match but are no text: the first, and how many.
    binary: Option<PathBuf>,
    binaries: usize,
}

impl Tally {
    fn add(&mut self, worked: &Searched, file: &Found) {
        self.searched += 1;
        self.files += usize::from(worked.matches > 0);
        self.matches += worked.matches;
        self.elsewhere += worked.elsewhere;
        if worked.binary {
            self.binary.get_or_insert_with(|| file.path.clone());
            self.binaries += 1;
        }
    }

    /// What is said of matches that are not shown: one line, however many.
    fn not_shown(&self) -> Option<Failure> {
        let message = match self.binaries {
            1 => "binary, matches in it are not shown".to_string(),
            count => {
                let more = plural(count.saturating_sub(1), "more binary");
                format!("binary, matches in it and in {more} are not shown")
            }
        };
        let first = self.binary.as_ref()?;
        Some(Failure::new("binary", message).path(first))
    }

    fn miss(&self, arguments: &cli::Search) -> Failure {
        let text = match self.binaries {
            0 => plural(self.searched, "file"),
            count => plural(self.searched - count, "text file"),
        };
        let message = match self.elsewhere {
            0 => format!("no match in {text}"),
            elsewhere => format!(
                "no match in a definition of kind {}; {elsewhere} elsewhere in {text}",
                arguments.kind.join(" or ")
            ),
        };
        Failure::not_found("no-match", message)
    }
}

/// Answers that wait for the first line, in order.
#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    /// What does not fit.
    rest: Vec<Later>,
}

enum Later {
    /// A file to be searched again.
    File(Found),
    /// Of stdin, which cannot be.
    Text(Vec<u8>),
}

impl Held {
    fn keep(&mut self, file: Found, bytes: Option<Vec<u8>>, is_full: &AtomicBool) {
        match bytes {
            Some(bytes) if self.rest.is_empty() => {
                self.bytes.extend(bytes);
                is_full.fetch_or(self.bytes.len() > MAX_HELD, Ordering::Relaxed);
            }
            Some(bytes) if is_stdin(&file.path) => self.rest.push(Later::Text(bytes)),
            _ => self.rest.push(Later::File(file)),
        }
    }

    /// Prints them all. What went wrong with a file was said when it was counted.
    fn print(self, out: &mut dyn Write, job: &Job<'_>, threads: usize) -> io::Result<()> {
        out.write_all(&self.bytes)?;
        job.is_full.store(false, Ordering::Relaxed);
        let again = |later| match later {
            Later::Text(bytes) => bytes,
            Later::File(file) => {
                let searched = job.work(&file).unwrap_or_default();
                searched.bytes.unwrap_or_default()
            }
        };
        let rest = self.rest.into_iter();
        walk::in_order(rest, threads, WINDOW, again, |bytes| out.write_all(&bytes))
    }
}
