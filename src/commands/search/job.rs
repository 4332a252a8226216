//! One file's part in `search`: read, searched, outlined if it matches, rendered.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::typed;
use super::within::{File, ladder};
use crate::cache::{Cache, Fresh};
use crate::cli;
use crate::commands::evidence::{Evidence, remember_shown};
use crate::commands::references::References;
use crate::commands::{Run, cache, color, is_stdin, kinds, language, read_stdin, resolved, shown};
use crate::exit::Failure;
use crate::git::Identity;
use crate::lang::{Language, detect};
use crate::model::{Kind, Outline};
use crate::render::search::{Found as Shown, json, text};
use crate::render::{Declared, path_bytes};
use crate::search::{Matches, Options, Query, View, is_of_kind, place};
use crate::source::{self, Encoding, Source};
use crate::walk::Found;

/// The run's settings, resolved.
pub struct Job<'a> {
    arguments: &'a cli::Search,
    query: Query,
    kinds: Vec<Kind>,
    /// Whether it matters what matches stand in.
    outlines: bool,
    language: Option<&'static Language>,
    pub cache: Option<Cache>,
    evidence: Evidence,
    /// Within a budget, where there is an index.
    pub references: Option<References>,
    /// The finest there is to be.
    pub view: View,
    /// The view typed, by its name or a letter.
    pub requested: Option<&'static str>,
    /// The most tokens of the answer.
    pub budget: Option<usize>,
    pub json: bool,
    color: bool,
    typed: bool,
    /// Answers have no first line that counts them.
    pub is_plain: bool,
    /// Whether so much waits to be printed that files are only counted for now.
    pub is_full: AtomicBool,
}

/// What came of one file.
#[derive(Default)]
pub struct Searched {
    /// As it is printed; none where it was only counted.
    pub bytes: Option<Vec<u8>>,
    /// The same in all ways that a budget can choose of.
    pub priced: Option<File>,
    pub matches: usize,
    /// Matches outside of the kinds that were asked for.
    pub elsewhere: usize,
    /// Why some of it was not searched.
    pub note: Option<Failure>,
    /// It is no text, but matches.
    pub binary: bool,
    pub fresh: Option<Fresh>,
}

/// A file as it is shown in one view.
pub struct Priced {
    pub tokens: usize,
    /// None where it is over the budget.
    pub bytes: Option<Vec<u8>>,
}

/// A file that was searched, with all that is known of it.
pub struct Kept {
    path: PathBuf,
    language: Option<&'static Language>,
    source: Source,
    outline: Option<Outline>,
    matches: Matches,
    count: usize,
    identity: Option<Identity>,
    is_file: bool,
}

impl Kept {
    pub fn shown(&self) -> Shown<'_> {
        Shown {
            path: self.path.to_string_lossy(),
            path_bytes: path_bytes(&self.path),
            language: self.language,
            source: &self.source,
            outline: self.outline.as_ref(),
            matches: &self.matches,
            count: self.count,
            identity: self.identity.as_ref(),
        }
    }

    /// Whether a match names a definition in its head.
    fn defines(&self) -> bool {
        let items = self
            .outline
            .as_ref()
            .map_or(&[][..], |outline| &outline.items);
        self.matches.list.iter().any(|matched| {
            let item = matched.within.and_then(|id| items.get(id as usize));
            let part = matched.submatches.first();
            item.zip(part).is_some_and(|(item, part)| {
                let named = self.source.str(part.start as usize..part.end as usize);
                item.decl_line == matched.lines.start && item.name == named
            })
        })
    }
}

impl<'a> Job<'a> {
    pub fn new(
        run: &Run<'_>,
        arguments: &'a cli::Search,
        patterns: &[String],
        given: &[PathBuf],
    ) -> Result<Job<'a>> {
        let (budget, json) = (arguments.budgeting.tokens(), run.global.json);
        let requested = arguments.requested();
        let view = match (requested, budget) {
            (None, Some(_)) => View::Context,
            _ => arguments.view(),
        };
        let kinds = kinds(&arguments.kind)?;
        let named = arguments.reading.lang.as_deref();
        let outlines = view.is_located() || !kinds.is_empty();
        let pointers = view.is_located() && (json || arguments.evidence);
        Ok(Job {
            arguments,
            query: query(arguments, patterns)?,
            kinds,
            outlines,
            language: named.map(language).transpose()?,
            cache: outlines.then(|| cache(given, &arguments.reading)).flatten(),
            references: budget.and_then(|_| References::around(given, &arguments.reading)),
            evidence: Evidence::new(pointers, given.iter().map(PathBuf::as_path)),
            view,
            requested: requested.map(View::name),
            budget,
            json,
            color: color(run),
            typed: typed(arguments),
            is_plain: budget.is_none() && (json || arguments.files_with_matches || arguments.count),
            is_full: AtomicBool::new(false),
        })
    }

    /// Searches one file.
    ///
    /// # Errors
    /// If it cannot be read, or was named and is binary.
    pub fn work(&self, found: &Found) -> Result<Searched, Failure> {
        let path = match &self.arguments.reading.stdin_path {
            Some(path) if is_stdin(&found.path) => path,
            _ => &found.path,
        };
        let bytes = read(found, path)?;
        // Most files of a folder hold no match: finding that out needs neither their lines nor their version.
        let plain = Encoding::of(&bytes) == Encoding::Bytes;
        if plain && !found.named && !self.query.is_match(&bytes) {
            return Ok(Searched::default());
        }
        let source = Source::from_bytes(bytes).map_err(|error| unreadable(path, &error))?;
        let matches = match source.is_binary() {
            true => Matches::default(),
            false => {
                let found = self.query.find(&source, self.most());
                found.map_err(|error| unreadable(path, &error))?
            }
        };
        let binary = source.is_binary() || matches.binary.is_some();
        let failure = |message: String| Failure::new("binary", message).path(path);
        match matches.binary {
            _ if binary && matches.list.is_empty() && found.named => {
                Err(failure("binary, not read".to_string()))
            }
            _ if binary && matches.list.is_empty() => Ok(Searched {
                // Of every binary some lines do not match.
                binary: !self.arguments.invert_match,
                ..Searched::default()
            }),
            at => Ok(Searched {
                note: at.map(|at| failure(format!("binary behind byte {at}, not searched there"))),
                ..self.show(found, path, source, matches)
            }),
        }
    }

    /// Outlines a text that was searched, for what its matches stand in, and renders it.
    fn show(&self, found: &Found, path: &Path, source: Source, mut matches: Matches) -> Searched {
        if matches.list.is_empty() {
            return Searched::default();
        }
        let language = self.language.filter(|_| found.named);
        let cacheable = language.is_none() && !is_stdin(&found.path);
        let cache = self.cache.as_ref().filter(|_| cacheable);
        let language = language.or_else(|| detect(path, &source));
        let outlined = language.filter(|_| self.outlines).map(|language| {
            // Later than the file was read: what is written meanwhile is as new as this run, and nobody trusts its times.
            let look = cache.and_then(|cache| Some((cache, cache.look(&found.path)?)));
            resolved(&source, language, &self.arguments.reading, look)
        });
        let (outline, fresh) = outlined.unzip();
        if let Some(outline) = &outline {
            place(outline, &source, &mut matches.list);
            if cache.is_none() {
                remember_shown(&found.path, &source, &self.arguments.reading);
            }
        }
        let elsewhere = self.keep_kinds(outline.as_ref(), &mut matches);
        let count = self.count(&matches);
        let full = || self.is_full.load(Ordering::Relaxed) && self.budget.is_none();
        if count == 0 || !self.is_plain && full() {
            return Searched {
                matches: count,
                elsewhere,
                fresh: fresh.flatten(),
                ..Searched::default()
            };
        }
        if self.view == View::Context {
            let (before, after) = match self.requested {
                None => (2, 2),
                Some(_) => self.arguments.surrounding(),
            };
            matches.surround(before, after, source.lines());
        }
        let kept = Kept {
            path: shown(path, self.typed).to_path_buf(),
            language,
            identity: self.evidence.of(path, &source),
            source,
            outline,
            matches,
            count,
            is_file: !is_stdin(&found.path),
        };
        let (bytes, priced) = match self.budget {
            None => (Some(self.render(&kept.shown(), self.view)), None),
            Some(budget) => (None, Some(self.price(kept, budget))),
        };
        Searched {
            bytes,
            priced,
            matches: count,
            elsewhere,
            fresh: fresh.flatten(),
            ..Searched::default()
        }
    }

    /// Renders a file in all views that a budget may choose.
    fn price(&self, kept: Kept, budget: usize) -> File {
        let mut views = ladder(self.view);
        views.pop();
        let priced = |view: View| {
            let bytes = self.render(&kept.shown(), view);
            let tokens = self.arguments.budgeting.counting.tokenizer.count(&bytes);
            Priced {
                tokens,
                bytes: (tokens <= budget).then_some(bytes),
            }
        };
        File {
            matches: kept.count,
            context: kept.matches.context.len(),
            defines: kept.defines(),
            references: self.referred_to(&kept),
            is_file: kept.is_file,
            ways: views.into_iter().map(priced).collect(),
            kept: Some(kept),
        }
    }

    /// How often other files refer to the definition around a match that most refer to.
    fn referred_to(&self, kept: &Kept) -> u32 {
        let known = self.references.as_ref();
        let Some(known) = known.and_then(|known| known.of(&kept.path)) else {
            return 0;
        };
        let around = kept
            .matches
            .list
            .iter()
            .filter_map(|matched| matched.within);
        let counts = around.filter_map(|id| known.get(&id).copied());
        counts.max().unwrap_or(0)
    }

    /// Matches after which the search of a file may end; none where some of them may not count.
    fn most(&self) -> Option<u64> {
        match self.view {
            _ if !self.kinds.is_empty() => None,
            View::Paths if self.is_plain => Some(1),
            _ => self.arguments.max_count,
        }
    }

    /// Forgets matches outside of the kinds that were asked for, and says how many these are.
    fn keep_kinds(&self, outline: Option<&Outline>, matches: &mut Matches) -> usize {
        if self.kinds.is_empty() {
            return 0;
        }
        let all = matches.list.len();
        matches.list.retain(|matched| {
            outline.is_some_and(|outline| is_of_kind(outline, matched.within, &self.kinds))
        });
        let elsewhere = all - matches.list.len();
        if let Some(most) = self.arguments.max_count {
            matches.limit(most);
        }
        elsewhere
    }

    fn count(&self, matches: &Matches) -> usize {
        match self.view {
            View::Counts if self.query.counts_matches() => matches.count_submatches(),
            _ => matches.list.len(),
        }
    }

    fn render(&self, found: &Shown<'_>, view: View) -> Vec<u8> {
        let mut out = vec![];
        let written = match (self.json, view) {
            (true, View::Total) => Ok(()),
            (true, view) => {
                let tokenizer = self.arguments.budgeting.counting.tokenizer;
                let mut declared = Declared {
                    budget: self.budget,
                    degraded: view > self.view,
                    ..Declared::whole(self.requested, tokenizer)
                };
                let line = declared.settle(|out, declared| json(out, found, view, declared));
                line.map(|line| out = line)
            }
            (false, view) => {
                // A line between files that have more than one.
                if view.is_located() {
                    out.push(b'\n');
                }
                text(&mut out, found, view, self.color)
            }
        };
        written.expect("a Vec takes every byte");
        out
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new("unreadable", error.to_string()).path(path)
}

/// The bytes of a file, or of stdin; failures call it `path`.
fn read(found: &Found, path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = match (is_stdin(&found.path), &found.error) {
        (true, _) => read_stdin(),
        (false, Some(error)) => return Err(unreadable(path, error)),
        (false, None) => source::read(&found.path),
    };
    bytes.map_err(|error| unreadable(path, &error))
}

fn query(arguments: &cli::Search, patterns: &[String]) -> Result<Query, Failure> {
    let options = Options {
        patterns: patterns.to_vec(),
        fixed: arguments.fixed_strings,
        ignore_case: arguments.ignore_case,
        smart_case: arguments.smart_case,
        words: arguments.word_regexp,
        invert: arguments.invert_match,
        multi_line: arguments.multiline,
    };
    Query::new(&options).map_err(|error| malformed(&error.to_string(), arguments))
}

/// What is wrong with a pattern, in the words of the engine, but for the drawing of where.
fn malformed(error: &str, arguments: &cli::Search) -> Failure {
    let lines: Vec<&str> = error.lines().map(str::trim).collect();
    let reason = lines.last().and_then(|last| last.strip_prefix("error: "));
    let message = match reason {
        Some(reason) => format!("not a regular expression: {reason}"),
        None => lines.join(" "),
    };
    let failure = Failure::new("usage", message);
    match error.contains(r"\n") && !arguments.multiline {
        true => failure.hint("with -U a match may go over line ends"),
        false => failure.hint("with -F a pattern is taken as it stands"),
    }
}
