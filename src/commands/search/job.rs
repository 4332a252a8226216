//! One file's part in `search`: read, searched, outlined if it matches, rendered.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::super::evidence::{Evidence, remember_shown};
use super::super::{Run, cache, color, is_stdin, kinds, language, read_stdin, resolved, shown};
use super::typed;
use crate::cache::{Cache, Fresh};
use crate::cli;
use crate::exit::{Failure, Messages};
use crate::lang::{Language, detect};
use crate::model::{Kind, Lines, Outline};
use crate::render::search::{Detail, Found as Shown, json, text};
use crate::render::{path_bytes, visible};
use crate::search::{Asked, Hits, Query, is_of_kind, place};
use crate::source::{self, Encoding, Source};
use crate::walk::Found;

/// The run's settings, resolved.
pub struct Job<'a> {
    arguments: &'a cli::Search,
    messages: &'a Messages,
    query: Query,
    kinds: Vec<Kind>,
    /// Whether it matters what matches stand in.
    outlines: bool,
    language: Option<&'static Language>,
    pub cache: Option<Cache>,
    evidence: Evidence,
    detail: Detail,
    json: bool,
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
    pub matches: usize,
    /// Matches outside of the kinds that were asked for.
    pub elsewhere: usize,
    pub fresh: Option<Fresh>,
}

impl<'a> Job<'a> {
    pub fn new(
        run: &Run<'_>,
        messages: &'a Messages,
        arguments: &'a cli::Search,
        patterns: &[String],
        given: &[PathBuf],
    ) -> Result<Job<'a>> {
        let asked = Asked {
            patterns: patterns.to_vec(),
            fixed: arguments.fixed_strings,
            ignore_case: arguments.ignore_case,
            smart_case: arguments.smart_case,
            words: arguments.word_regexp,
            invert: arguments.invert_match,
            multi_line: arguments.multiline,
        };
        let query = Query::new(&asked).map_err(|error| malformed(&error.to_string(), arguments))?;
        let kinds = kinds(&arguments.kind)?;
        let detail = match () {
            () if arguments.files_with_matches => Detail::Paths,
            () if arguments.count => Detail::Counts,
            () => Detail::All,
        };
        let json = run.global.json;
        let named = arguments.reading.lang.as_deref();
        let outlines = detail == Detail::All || !kinds.is_empty();
        Ok(Job {
            arguments,
            messages,
            query,
            kinds,
            outlines,
            language: named.map(language).transpose()?,
            cache: outlines.then(|| cache(given, &arguments.reading)).flatten(),
            evidence: Evidence::new(
                detail == Detail::All && (json || arguments.evidence),
                given.iter().map(PathBuf::as_path),
            ),
            detail,
            json,
            color: color(run),
            typed: typed(arguments),
            is_plain: json || detail != Detail::All,
            is_full: AtomicBool::new(false),
        })
    }

    /// Searches one file; none where that failed, which is said.
    pub fn work(&self, found: Found) -> Option<(Found, Searched)> {
        match self.search(&found) {
            Ok(searched) => Some((found, searched)),
            Err(failure) => {
                self.messages.fail(&failure);
                None
            }
        }
    }

    fn search(&self, found: &Found) -> Result<Searched, Failure> {
        let reading = &self.arguments.reading;
        let stdin = is_stdin(&found.path);
        let language = self.language.filter(|_| found.named);
        let cache = self.cache.as_ref().filter(|_| language.is_none() && !stdin);
        let path = match &reading.stdin_path {
            Some(path) if stdin => path,
            _ => &found.path,
        };
        let Some((source, mut hits)) = self.read(found, path)? else {
            return Ok(Searched::default());
        };
        let language = language.or_else(|| detect(path, &source));
        let outlined = language
            .filter(|_| self.outlines && !hits.list.is_empty())
            .map(|language| {
                // Later than the file was read: what is written meanwhile is as new as this run, and nobody trusts its times.
                let look = cache.and_then(|cache| Some((cache, cache.look(&found.path)?)));
                resolved(&source, language, reading, look)
            });
        let (outline, fresh) = outlined.unzip();
        if let Some(outline) = &outline {
            place(outline, &source, &mut hits.list);
        }
        let elsewhere = self.keep_kinds(outline.as_ref(), &mut hits);
        if cache.is_none() && outline.is_some() {
            remember_shown(&found.path, &source, reading);
        }
        let matches = hits.list.len();
        let wanted = matches > 0 && (self.is_plain || !self.is_full.load(Ordering::Relaxed));
        let bytes = wanted.then(|| {
            let (path, outline) = (shown(path, self.typed), outline.as_ref());
            self.render(path, language, &source, outline, &mut hits)
        });
        Ok(Searched {
            bytes,
            matches,
            elsewhere,
            fresh: fresh.flatten(),
        })
    }

    /// The text of a file and its matches; none where there are none, or it is no text and was met in a folder.
    fn read(&self, found: &Found, path: &Path) -> Result<Option<(Source, Hits)>, Failure> {
        let unreadable =
            |error: io::Error| Failure::new("unreadable", error.to_string()).path(path);
        let stdin = is_stdin(&found.path);
        if let Some(error) = found.error.as_ref().filter(|_| !stdin) {
            return Err(Failure::new("unreadable", error.to_string()).path(path));
        }
        let bytes = match stdin {
            true => read_stdin(),
            false => source::read(&found.path),
        };
        let bytes = bytes.map_err(unreadable)?;
        // Most files of a folder hold no match: finding that out needs neither their lines nor their version.
        let plain = Encoding::of(&bytes) == Encoding::Bytes;
        if plain && !found.named && !self.query.is_match(&bytes) {
            return Ok(None);
        }
        let source = Source::from_bytes(bytes).map_err(unreadable)?;
        let hits = match source.is_binary() {
            true => Hits::default(),
            false => self.query.find(&source, self.most()).map_err(unreadable)?,
        };
        let binary = source.is_binary() || hits.binary.is_some();
        let failure = |message: String| Failure::new("binary", message).path(path);
        match hits.binary {
            Some(at) if !hits.list.is_empty() => {
                let message = format!("binary behind byte {at}, not searched there");
                self.messages.note(&failure(message));
            }
            _ if binary && found.named => return Err(failure("binary, not read".to_string())),
            _ if binary => return Ok(None),
            _ => {}
        }
        Ok(Some((source, hits)))
    }

    /// Matches after which the search of a file may end; none where some of them may not count.
    fn most(&self) -> Option<u64> {
        match () {
            () if !self.kinds.is_empty() => None,
            () if self.detail == Detail::Paths => {
                Some(self.arguments.max_count.unwrap_or(1).min(1))
            }
            () => self.arguments.max_count,
        }
    }

    /// Forgets matches outside of the kinds that were asked for, and says how many these are.
    fn keep_kinds(&self, outline: Option<&Outline>, hits: &mut Hits) -> usize {
        if self.kinds.is_empty() {
            return 0;
        }
        let all = hits.list.len();
        hits.list.retain(|hit| {
            outline.is_some_and(|outline| is_of_kind(outline, hit.within, &self.kinds))
        });
        let elsewhere = all - hits.list.len();
        if let Some(most) = self.arguments.max_count {
            hits.limit(most);
        }
        elsewhere
    }

    fn render(
        &self,
        path: &Path,
        language: Option<&'static Language>,
        source: &Source,
        outline: Option<&Outline>,
        hits: &mut Hits,
    ) -> Vec<u8> {
        let mut out = vec![];
        let name = path.to_string_lossy();
        let written = match (self.json, self.detail) {
            (false, Detail::Paths) => writeln!(out, "{}", visible(&name)),
            (false, Detail::Counts) => writeln!(out, "{}:{}", visible(&name), hits.list.len()),
            (json_wanted, _) => {
                let around = self.arguments.context;
                let before = self.arguments.before_context.or(around);
                let after = self.arguments.after_context.or(around);
                hits.surround(before.unwrap_or(0), after.unwrap_or(0), source.lines());
                let whole = Lines {
                    start: 1,
                    end: source.lines().max(1),
                };
                let shown = Shown {
                    path: name,
                    path_bytes: path_bytes(path),
                    language,
                    source,
                    outline,
                    hits,
                    pointer: match json_wanted {
                        true => None,
                        false => self.evidence.pointer(path, source, whole),
                    },
                };
                let each = shown.hits.list.iter();
                match json_wanted {
                    true => {
                        let pointers =
                            each.filter_map(|hit| self.evidence.pointer(path, source, hit.lines));
                        json(&mut out, &shown, self.detail, pointers.collect())
                    }
                    false => text(&mut out, &shown, self.color),
                }
            }
        };
        written.expect("a Vec takes every byte");
        out
    }
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
