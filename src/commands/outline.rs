//! `outline`: what files and folders define.

use crate::render::command;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

mod many;

use anyhow::Result;
use globset::Glob;

use super::evidence::{Evidence, remember_shown};
use super::fitted::{self, Wish, refuse};
use super::references::References;
use super::shares::Answer;
use super::{
    Outlined, Run, Wanted, cache, is_stdin, kinds, list_types, outlined, paths, shown, threads,
    walk_options,
};
use crate::cache::{Cache, Update};
use crate::cli;
use crate::exit::{Exit, Failure, Messages};
use crate::render::{File, argument, path_bytes, text};
use crate::view::{Filter, Level, Plan, Shape, View};
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
    let budget = arguments.budgeting.tokens();
    let references = budget.and_then(|_| References::around(&given, &arguments.reading));
    let one = matches!(given.as_slice(), [path] if !path.is_dir());
    let mut job = Job::new(
        run.global.json,
        run.messages,
        arguments,
        cache.as_ref(),
        &evidence,
    )?;
    job.references = references;
    let found = walk::files(given, walk_options(&arguments.files)?)?;
    let (answers, kept) = match budget {
        Some(budget) if !one => many::answer(&job, found, budget, &mut *run.out)?,
        _ => each(&job, found, &mut *run.out)?,
    };
    let exit = match run.exit(answers, 1) {
        Exit::Answered if !kept => return Ok(Exit::NotFound),
        exit => exit,
    };
    if exit == Exit::NotFound {
        let failure = match job.filter.is_active() {
            true => Failure::not_found("no-match", "no definition matches"),
            false => Failure::not_found("no-files", "no file in a known language")
                .hint("`ast-outline languages` lists them"),
        };
        run.messages.miss(&failure);
    }
    Ok(exit)
}

/// Answers file by file. How many answers there are, and whether each is all that was asked for.
fn each(
    job: &Job<'_>,
    found: impl Iterator<Item = Found> + Send,
    out: &mut dyn Write,
) -> Result<(usize, bool)> {
    let (mut answers, mut kept) = (0, true);
    let update = job.walk(
        found,
        |outlined| job.render(outlined),
        |answer: Answer| {
            if answers > 0 && job.separated {
                out.write_all(b"\n")?;
            }
            answers += 1;
            kept &= answer.kept;
            out.write_all(&answer.bytes)
        },
    )?;
    finish(update, out)?;
    Ok((answers, kept))
}

/// Writes the cache. The reader need not wait for what only the next run needs.
fn finish(update: Option<Update<'_>>, out: &mut dyn Write) -> io::Result<()> {
    out.flush()?;
    if let Some(update) = update {
        update.finish();
    }
    Ok(())
}

/// The run's settings, resolved.
struct Job<'a> {
    arguments: &'a cli::Outline,
    messages: &'a Messages,
    cache: Option<&'a Cache>,
    evidence: &'a Evidence,
    /// Within a budget, where there is an index.
    references: Option<References>,
    filter: Filter,
    json: bool,
    separated: bool,
    typed: bool,
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
        let budgeted = arguments.budgeting.tokens().is_some();
        let filter = Filter {
            depth: arguments.depth,
            kinds: kinds(&arguments.kind)?,
            exported: arguments.exported,
            pattern: pattern.map(|glob| glob.compile_matcher()),
            // Within a budget, that says how many.
            max_members: arguments.max_members.unwrap_or(match json || budgeted {
                true => 0,
                false => 40,
            }),
        };
        let view = arguments.view.0;
        Ok(Job {
            arguments,
            messages,
            cache,
            evidence,
            references: None,
            filter,
            json,
            separated: !json && view != Some(View::Counts),
            typed: !arguments.paths.is_empty(),
            text: text::Options {
                imports: !arguments.no_imports,
                fence: arguments.fence,
            },
        })
    }

    /// Works on every file, and hands on what came of it in order. What the cache is to know is for [`finish`].
    fn walk<R: Send>(
        &self,
        found: impl Iterator<Item = Found> + Send,
        work: impl Fn(&Outlined) -> Option<R> + Sync,
        mut emit: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<Option<Update<'a>>> {
        let mut update = self.cache.map(Update::new);
        let threads = threads(&self.arguments.files);
        let outline = |found: Found| {
            let outlined = self.outline(&found)?;
            Some((work(&outlined), outlined.fresh))
        };
        walk::in_order(found, threads, WINDOW, outline, |worked| {
            let Some((result, fresh)) = worked else {
                return Ok(());
            };
            if let (Some(update), Some(fresh)) = (&mut update, fresh) {
                update.take(fresh);
            }
            result.map_or(Ok(()), &mut emit)
        })?;
        Ok(update)
    }

    /// One file's outline; none where it is passed over, or that failed, which is said.
    fn outline(&self, found: &Found) -> Option<Outlined> {
        let (reading, view) = (&self.arguments.reading, self.view(found.named));
        let wanted = match () {
            () if view == View::Full || self.arguments.evidence => Wanted::Text,
            // What a view saves is told beside the whole text.
            () if found.named && self.arguments.budgeting.tokens().is_some() => Wanted::Text,
            () if self.evidence.0.is_some() => Wanted::Stamp,
            () => Wanted::Nothing,
        };
        let outlined = outlined(found, reading, self.cache, wanted, self.messages);
        let outlined = outlined.unwrap_or_else(|failure| {
            self.messages.fail(&failure);
            None
        })?;
        let source = outlined.source.as_ref().filter(|_| self.cache.is_none());
        if let Some(source) = source {
            remember_shown(&found.path, source, reading);
        }
        Some(outlined)
    }

    /// The answer of one file, as it would be alone; none where a filter leaves nothing of it.
    fn render(&self, outlined: &Outlined) -> Option<Answer> {
        let view = self.view(outlined.named);
        let wish = Wish {
            command: (!is_stdin(&outlined.path)).then(|| {
                let path = shown(&outlined.path, self.typed).to_string_lossy();
                let path = argument(&path);
                command(&format!("outline --view {} {path}", view.name()))
            }),
            references: self.references(outlined),
            ..self.wish(view)
        };
        let answer = self.fit(outlined, &wish)?;
        if !answer.kept {
            refuse(self.messages, view.name());
        }
        Some(answer)
    }

    fn wish(&self, view: View) -> Wish<'_> {
        Wish {
            budget: self.arguments.budgeting.tokens(),
            strict: self.arguments.budgeting.strict,
            tokenizer: self.arguments.budgeting.counting.tokenizer,
            requested: self.arguments.view.0,
            start: view,
            finest: match view {
                View::Signatures => Level::Signature,
                _ => Level::Docs,
            },
            json: self.json,
            text: &self.text,
            schema: "ast-outline.outline/1",
            command: None,
            since: None,
            generated: None,
            references: None,
        }
    }

    /// How often other files refer to the definitions of one, where the index knows.
    fn references(&self, outlined: &Outlined) -> Option<HashMap<u32, u32>> {
        self.references.as_ref()?.of(&outlined.path)
    }

    /// The answer of one file to a wish; none where a filter leaves nothing of it.
    fn fit(&self, outlined: &Outlined, wish: &Wish<'_>) -> Option<Answer> {
        let lists = !matches!(wish.start, View::Full | View::Counts);
        if lists && self.filter.is_active() {
            let plan = Plan::new(&outlined.outline, wish.start, &self.filter);
            if plan.count_shown() == 0 {
                return None;
            }
        }
        let path = shown(&outlined.path, self.typed);
        let identity = self.evidence.identify(outlined);
        let file = File {
            path: path.to_string_lossy(),
            path_bytes: path_bytes(path),
            language: outlined.language,
            version: outlined.version,
            bytes: outlined.bytes,
            outline: &outlined.outline,
            source: outlined.source.as_ref(),
            summary: None,
            pointer: identity.as_ref().map(|(_, pointer)| pointer.clone()),
            each: identity
                .as_ref()
                .map(|(identity, _)| identity)
                .filter(|_| self.arguments.evidence),
        };
        let answer = fitted::answer(&file, &self.filter, wish, Shape::Map);
        Some(answer.expect("a Vec takes every byte"))
    }

    fn view(&self, named: bool) -> View {
        let view = self.arguments.view.0.unwrap_or(if named || self.json {
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
