//! `outline`: what files and folders define.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use globset::Glob;

use super::evidence::{Evidence, remember_shown};
use super::fitted::{self, Wish, refuse};
use super::{
    Outlined, Run, Wanted, cache, is_stdin, kinds, list_types, outlined, paths, shown, threads,
    walk_options,
};
use crate::cache::{Cache, Fresh, Update};
use crate::cli;
use crate::exit::{Exit, Failure, Messages};
use crate::render::{File, argument, path_bytes, text};
use crate::view::{Filter, Level, Plan, View};
use crate::walk::{self, Found};

/// Files a thread may be ahead of the one printed.
const WINDOW: usize = 64;

pub fn run(run: Run<'_>, arguments: &cli::Outline) -> Result<Exit> {
    if arguments.files.type_list {
        list_types(run.out)?;
        return Ok(Exit::Answered);
    }
    let given = paths(
        &arguments.paths,
        &arguments.files,
        arguments.reading.stdin_path.as_deref(),
    )?;
    let cache = cache(&given, &arguments.reading);
    let wanted = run.global.json || arguments.evidence;
    let evidence = Evidence::new(wanted, given.iter().map(PathBuf::as_path));
    let job = Job::new(
        run.global.json,
        run.messages,
        arguments,
        cache.as_ref(),
        &evidence,
    )?;
    let typed = !arguments.paths.is_empty();
    let found = walk::files(given, walk_options(&arguments.files)?)?;
    let mut answers = 0;
    let out = &mut *run.out;
    let work = |found: Found| job.answer(&found, typed);
    let mut first = true;
    let mut update = cache.as_ref().map(Update::new);
    walk::in_order(found, threads(&arguments.files), WINDOW, work, |answer| {
        let Some((bytes, fresh)) = answer else {
            return Ok(());
        };
        if let (Some(update), Some(fresh)) = (&mut update, fresh) {
            update.take(fresh);
        }
        let Some(bytes) = bytes else { return Ok(()) };
        answers += 1;
        if !std::mem::take(&mut first) && job.separated {
            out.write_all(b"\n")?;
        }
        out.write_all(&bytes)
    })?;
    // The reader need not wait for what only the next run needs.
    out.flush()?;
    if let Some(update) = update {
        update.finish();
    }
    let filtered = job.filter.is_active();
    let exit = match (run.exit(answers, 1), job.refused.into_inner()) {
        (Exit::Answered, true) => return Ok(Exit::NotFound),
        (exit, _) => exit,
    };
    if exit == Exit::NotFound {
        let failure = match filtered {
            true => Failure::not_found("no-match", "no definition matches"),
            false => Failure::not_found("no-files", "no file in a known language")
                .hint("`ast-outline languages` lists them"),
        };
        run.messages.note(&failure);
    }
    Ok(exit)
}

/// The run's settings, resolved.
struct Job<'a> {
    arguments: &'a cli::Outline,
    messages: &'a Messages,
    cache: Option<&'a Cache>,
    evidence: &'a Evidence,
    filter: Filter,
    json: bool,
    separated: bool,
    /// Some file did not fit `--strict`.
    refused: AtomicBool,
    text: text::Options,
}

impl<'a> Job<'a> {
    fn new(
        json: bool,
        messages: &'a Messages,
        arguments: &'a cli::Outline,
        cache: Option<&'a Cache>,
        evidence: &'a Evidence,
    ) -> Result<Job<'a>> {
        let pattern = arguments.pattern.as_deref().map(Glob::new).transpose()?;
        let filter = Filter {
            depth: arguments.depth,
            kinds: kinds(&arguments.kind)?,
            exported: arguments.exported,
            pattern: pattern.map(|glob| glob.compile_matcher()),
            max_members: arguments.max_members.unwrap_or(if json { 0 } else { 40 }),
            whole_data: arguments.budgeting.tokens().is_some(),
        };
        let view = arguments.view.view();
        Ok(Job {
            arguments,
            messages,
            cache,
            evidence,
            filter,
            json,
            separated: !json && view != Some(View::Counts),
            refused: AtomicBool::new(false),
            text: text::Options {
                imports: !arguments.no_imports,
                fence: arguments.fence,
            },
        })
    }

    /// The rendered answer for one file, and what the cache is to know of it; none where there is no answer.
    fn answer(&self, found: &Found, typed: bool) -> Option<(Option<Vec<u8>>, Option<Fresh>)> {
        let (reading, view) = (&self.arguments.reading, self.view(found.named));
        let wanted = match () {
            () if view == View::Full || self.arguments.evidence => Wanted::Text,
            // What a view saves is told beside the whole text.
            () if self.arguments.budgeting.tokens().is_some() => Wanted::Text,
            () if self.evidence.0.is_some() => Wanted::Stamp,
            () => Wanted::Nothing,
        };
        match outlined(found, reading, self.cache, wanted, self.messages) {
            Ok(Some(outlined)) => {
                let source = outlined.source.as_ref().filter(|_| self.cache.is_none());
                if let Some(source) = source {
                    remember_shown(&found.path, source, reading);
                }
                let bytes = self.render(&outlined, typed, view);
                Some((bytes, outlined.fresh))
            }
            Ok(None) => None,
            Err(failure) => {
                self.messages.fail(&failure);
                None
            }
        }
    }

    /// The answer of one file; none where a filter leaves nothing of it.
    fn render(&self, outlined: &Outlined, typed: bool, view: View) -> Option<Vec<u8>> {
        let plan = Plan::new(&outlined.outline, view, &self.filter);
        let lists = !matches!(view, View::Full | View::Counts);
        if lists && self.filter.is_active() && plan.count_shown() == 0 {
            return None;
        }
        let path = shown(&outlined.path, typed);
        let identity = self.evidence.identify(outlined);
        let file = File {
            path: path.to_string_lossy(),
            path_bytes: path_bytes(path),
            language: outlined.language,
            version: outlined.version,
            bytes: outlined.bytes,
            outline: &outlined.outline,
            source: outlined.source.as_ref(),
            pointer: identity.as_ref().map(|(_, pointer)| pointer.clone()),
            each: identity
                .as_ref()
                .map(|(identity, _)| identity)
                .filter(|_| self.arguments.evidence),
        };
        let wish = Wish {
            budgeting: &self.arguments.budgeting,
            requested: self.arguments.view.view(),
            start: view,
            finest: if view == View::Signatures {
                Level::Signature
            } else {
                Level::Docs
            },
            json: self.json,
            text: &self.text,
            command: (!is_stdin(&outlined.path)).then(|| {
                let path = argument(&file.path);
                format!("ast-outline outline --view {} {path}", view.name())
            }),
        };
        let answer = fitted::answer(&file, &self.filter, &wish, &|_| false);
        let answer = answer.expect("a Vec takes every byte");
        if !answer.kept {
            self.refused.store(true, Ordering::Relaxed);
            refuse(self.messages, view);
        }
        Some(answer.bytes)
    }

    fn view(&self, named: bool) -> View {
        let view = self.arguments.view.view().unwrap_or(if named || self.json {
            View::Docs
        } else {
            View::Names
        });
        if view == View::Docs && self.arguments.no_docs {
            View::Signatures
        } else {
            view
        }
    }
}
