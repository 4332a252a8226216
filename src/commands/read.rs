//! `read`: the best view of one file. Its whole text if there is no budget or it fits, else as much as fits.

use crate::render::{command, outline_command};
use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;

use super::evidence::{Evidence, remember_shown};
use super::fitted::{self, Wish, refuse};
use super::references::References;
use super::summary::{Written, written};
use super::versions::{Known, Versions};
use super::{Opened, Run, is_stdin, limits, open_text};
use crate::cli;
use crate::evidence::{changes, line_keys};
use crate::exit::{Exit, Failure};
use crate::lang::PLAIN;
use crate::model::{Lines, Outline};
use crate::outline::outline;
use crate::outline::path::ItemPath;
use crate::render::{File, argument, path_bytes, shell_word, text};
use crate::view::{Filter, Level, Shape, View, units};

pub fn run(run: Run<'_>, arguments: &cli::Read) -> Result<Exit> {
    let opened = open(arguments)?;
    let Opened { source, path, .. } = &opened;
    let language = opened.language.unwrap_or(&PLAIN);
    let mut outline = outline(source, language, &limits(&arguments.reading));
    outline.lines = source.lines();
    let asked = Asked::new(arguments, &opened, &outline)?;
    let shape = asked.shape(language.is_plain());
    let start = start(arguments, shape).map_err(|failure| failure.path(path))?;
    let wanted = run.global.json || arguments.evidence;
    let evidence = Evidence::new(wanted, [path.as_path()]);
    let identity = evidence.of(path, source);
    let whole = Lines {
        start: 1,
        end: source.lines().max(1),
    };
    let file = File {
        path: path.to_string_lossy(),
        path_bytes: path_bytes(path),
        language,
        version: source.version(),
        bytes: source.len(),
        outline: &outline,
        source: Some(source),
        summary: asked.summary.as_ref().map(|summary| summary.text.as_str()),
        pointer: evidence.pointer(path, source, whole),
        each: identity.as_ref().filter(|_| arguments.evidence),
    };
    let wish = Wish {
        budget: arguments.budgeting.tokens(),
        strict: arguments.budgeting.strict,
        tokenizer: arguments.budgeting.counting.tokenizer,
        requested: requested(arguments),
        start,
        finest: finest(start),
        json: run.global.json,
        text: &text::Options {
            imports: true,
            fence: false,
        },
        schema: "ast-outline.read/1",
        command: asked.command(arguments),
        since: arguments
            .since
            .as_deref()
            .zip(asked.since.as_ref().map(Since::has_any)),
        generated: asked.summary.as_ref().map(|summary| summary.stale),
        references: references(arguments),
    };
    let filter = Filter {
        // Within a budget, that says how many.
        max_members: match run.global.json || arguments.budgeting.tokens().is_some() {
            true => 0,
            false => 40,
        },
        ..Filter::default()
    };
    let answer = fitted::answer(&file, &filter, &wish, shape)?;
    remember_shown(&arguments.path, source, &arguments.reading);
    run.out.write_all(&answer.bytes)?;
    if !answer.kept {
        refuse(run.messages, start.name());
        return Ok(Exit::NotFound);
    }
    Ok(Exit::Answered)
}

/// How often other files refer to definitions of the file, within a budget, where there is an index.
fn references(arguments: &cli::Read) -> Option<HashMap<u32, u32>> {
    arguments.budgeting.tokens()?;
    let path = &arguments.path;
    References::around(std::slice::from_ref(path), &arguments.reading)?.of(path)
}

fn requested(arguments: &cli::Read) -> Option<View> {
    let changes = arguments.since.as_ref().map(|_| View::Changes);
    arguments.view.0.or(changes)
}

fn open(arguments: &cli::Read) -> Result<Opened> {
    let path = &arguments.path;
    if path.is_dir() {
        let hint = outline_command(&path.to_string_lossy());
        let failure = Failure::new("unreadable", "is a folder").path(path);
        return Err(failure.hint(hint).into());
    }
    Ok(open_text(path, &arguments.reading)?)
}

/// The most that is shown of a definition where a view does not fit.
fn finest(start: View) -> Level {
    match start {
        View::Docs => Level::Docs,
        View::Signatures => Level::Signature,
        View::Names | View::List | View::Top | View::Counts => Level::Name,
        _ => Level::Whole,
    }
}

/// The finest view there is to be.
fn start(arguments: &cli::Read, shape: Shape<'_>) -> Result<View, Failure> {
    let view = arguments.view.0.unwrap_or(match shape {
        Shape::Changes { .. } => View::Changes,
        Shape::Text { focus: [_, ..] } if arguments.budgeting.tokens().is_none() => View::Focus,
        _ => View::Full,
    });
    if !shape.views().contains(&view) {
        let message = format!("view {} is for formats that are known", view.name());
        return Err(Failure::new("unknown-format", message));
    }
    Ok(view)
}

/// What is asked of the file, found in it.
#[derive(Default)]
struct Asked {
    focus: Vec<usize>,
    since: Option<Since>,
    summary: Option<Written>,
}

/// What became of a version.
struct Since {
    changed: Vec<usize>,
    /// Lines that changed and belong to no definition that is shown whole.
    lines: Vec<Lines>,
}

impl Asked {
    fn new(arguments: &cli::Read, opened: &Opened, outline: &Outline) -> Result<Asked, Failure> {
        let focus = arguments.focus.iter();
        let found: Result<Vec<usize>, Failure> = focus
            .map(|word| focused(word, &opened.path, outline))
            .collect();
        let since = arguments.since.as_deref();
        let summary = (arguments.view.0 == Some(View::Summary))
            .then(|| written(&arguments.path, &opened.source, &arguments.reading));
        Ok(Asked {
            summary: summary.transpose()?,
            focus: found?,
            since: since
                .map(|version| Since::new(version, arguments, opened, outline))
                .transpose()?,
        })
    }

    fn shape(&self, plain: bool) -> Shape<'_> {
        match &self.since {
            _ if self.summary.is_some() => Shape::Summary,
            Some(Since { changed, lines, .. }) => Shape::Changes { changed, lines },
            None if plain => Shape::Plain,
            None => Shape::Text { focus: &self.focus },
        }
    }

    /// The command that prints all that was asked for.
    fn command(&self, arguments: &cli::Read) -> Option<String> {
        let path = argument(&arguments.path.to_string_lossy());
        let since = arguments.since.as_deref().map(shell_word);
        let since = since.map_or(String::new(), |version| format!(" --since {version}"));
        let view = if self.summary.is_some() {
            " --view summary"
        } else {
            ""
        };
        (!is_stdin(&arguments.path)).then(|| command(&format!("read{since}{view} {path}")))
    }
}

/// The definition that `--focus` means.
fn focused(word: &str, path: &Path, outline: &Outline) -> Result<usize, Failure> {
    let around = |line| {
        outline.enclosing(Lines {
            start: line,
            end: line,
        })
    };
    let id = match word.trim_start_matches('L').parse::<u32>() {
        Ok(line) => around(line),
        Err(_) => {
            let hits = ItemPath::parse(word).find(outline, path);
            hits.and_then(|hits| hits.ids.first().copied())
        }
    };
    id.map(|id| id as usize).ok_or_else(|| {
        let hint = outline_command(&path.to_string_lossy());
        Failure::not_found("not-found", format!("no definition `{word}`"))
            .path(path)
            .hint(hint)
    })
}

impl Since {
    fn has_any(&self) -> bool {
        !self.changed.is_empty() || !self.lines.is_empty()
    }

    fn new(
        version: &str,
        arguments: &cli::Read,
        opened: &Opened,
        outline: &Outline,
    ) -> Result<Since, Failure> {
        let reading = &arguments.reading;
        let folder = opened
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty());
        let cache = (!reading.no_cache).then_some(reading.cache_dir.as_deref());
        let mut versions = Versions::around(folder.unwrap_or(Path::new(".")), cache);
        let path = versions.path_of(&opened.path);
        let path = path.unwrap_or_else(|| crate::git::path_to_bytes(&opened.path));
        let old = versions
            .find_written(&path, version)
            .map_err(|lost| lost.failure(version).path(&opened.path))?;
        let old = match old.known {
            Known::Text { source, .. } => line_keys(&source),
            Known::Keys(keys) => keys,
        };
        let ranges = changes(&old, &line_keys(&opened.source));
        let overlaps = |lines: Lines| {
            let next = ranges.partition_point(|range| range.end < lines.start);
            ranges
                .get(next)
                .is_some_and(|range| range.start <= lines.end)
        };
        let changed: Vec<usize> = units(outline, |_| true)
            .into_iter()
            .filter(|&id| is_unit(outline, id) && overlaps(outline.items[id].lines))
            .collect();
        let shown: Vec<Lines> = changed.iter().map(|&id| outline.items[id].lines).collect();
        let rest = ranges.iter().flat_map(|&range| without(range, &shown));
        Ok(Since {
            lines: rest.collect(),
            changed,
        })
    }
}

/// Whether a definition is shown with its text, not taken apart.
fn is_unit(outline: &Outline, id: usize) -> bool {
    let item = &outline.items[id];
    let leaf = item.end as usize == id + 1 && item.lines.count() > 1;
    item.kind.is_callable() || item.data || leaf
}

/// Lines of a range that none of these cover. `shown` are in order; one may stand in another.
fn without(range: Lines, shown: &[Lines]) -> Vec<Lines> {
    let mut left = vec![];
    let mut next = range.start;
    for lines in shown.iter().filter(|lines| lines.end >= range.start) {
        if lines.start > range.end {
            break;
        }
        if lines.start > next {
            left.push(Lines {
                start: next,
                end: lines.start - 1,
            });
        }
        next = next.max(lines.end + 1);
    }
    if next <= range.end {
        left.push(Lines {
            start: next,
            end: range.end,
        });
    }
    left
}
