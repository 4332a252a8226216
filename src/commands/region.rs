//! `region`: exact lines of a file, by range or around a definition.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{Opened, Run, excerpt_options, limits, open_text};
use crate::cli;
use crate::evidence::{is_impossible, parse_range, split_range};
use crate::exit::{Exit, Failure};
use crate::model::{Lines, Outline};
use crate::outline::outline;
use crate::outline::path::ItemPath;
use crate::render::excerpt::Excerpt;

/// One range to print.
struct Target {
    path: PathBuf,
    /// None for the whole file.
    lines: Option<Lines>,
}

pub fn run(run: Run<'_>, arguments: &cli::Region) -> Result<Exit> {
    let targets = targets(arguments)?;
    let options = excerpt_options(&run, arguments.raw, arguments.number);
    let mut answers = 0;
    for target in &targets {
        let Opened {
            source,
            language,
            path,
        } = match open_text(&target.path, &arguments.reading) {
            Ok(named) => named,
            Err(failure) => {
                run.messages.fail(&failure);
                continue;
            }
        };
        let outline = match language {
            Some(language) => outline(&source, language, &limits(&arguments.reading)),
            None => Outline::default(),
        };
        let wanted = match &arguments.symbol {
            Some(name) => match ItemPath::parse(name)
                .find(&outline)
                .map(|(_, found)| found[0])
            {
                Some(id) => outline.items[id as usize].lines,
                None => {
                    let message = format!("no definition `{name}`");
                    let hint = format!(
                        "`ast-outline outline {}` lists what there is",
                        path.display()
                    );
                    run.messages.fail(
                        &Failure::not_found("not-found", message)
                            .path(&path)
                            .hint(hint),
                    );
                    continue;
                }
            },
            None => target.lines.unwrap_or(Lines {
                start: 1,
                end: source.lines().max(1),
            }),
        };
        let wanted = widen(wanted, arguments.context);
        let total = source.lines();
        if wanted.start > total {
            let message = format!(
                "lines {}-{} are past the end: the file has {total}",
                wanted.start, wanted.end
            );
            run.messages
                .fail(&Failure::not_found("past-the-end", message).path(&path));
            continue;
        }
        let lines = Lines {
            start: wanted.start,
            end: wanted.end.min(total),
        };
        if target.lines.is_some_and(|asked| asked.end > total) {
            let message = format!(
                "the file ends at line {total}: lines {}-{total} follow",
                lines.start
            );
            run.messages
                .note(&Failure::not_found("past-the-end", message).path(&path));
        }
        let enclosing = outline
            .enclosing(lines)
            .map(|id| &outline.items[id as usize]);
        let excerpt = Excerpt {
            path: path.to_string_lossy(),
            language,
            source: &source,
            lines,
            enclosing,
            named: false,
            parents: vec![],
        };
        if answers > 0 && !run.global.json && !arguments.raw {
            writeln!(run.out)?;
        }
        match run.global.json {
            true => excerpt.json(run.out, "ast-outline.region/1", true)?,
            false => excerpt.text(run.out, &options)?,
        }
        answers += 1;
    }
    Ok(run.exit(answers, targets.len()))
}

fn widen(lines: Lines, context: u32) -> Lines {
    Lines {
        start: lines.start.saturating_sub(context).max(1),
        end: lines.end.saturating_add(context),
    }
}

/// Reads `PATH:L1-L2 ...`, `PATH L1 L2` and `PATH L1-L2`. An existing file of that very name wins over reading a range
/// out of it.
fn targets(arguments: &cli::Region) -> Result<Vec<Target>> {
    let words = &arguments.targets;
    if let [path, ranges @ ..] = words.as_slice()
        && !ranges.is_empty()
        && let Some(lines) = spread_range(ranges)
    {
        return Ok(vec![Target {
            path: PathBuf::from(path),
            lines: Some(lines),
        }]);
    }
    words
        .iter()
        .map(|word| target(word, arguments.symbol.is_some()))
        .collect()
}

/// `10 20` or `10-20`, given as words of their own.
fn spread_range(words: &[String]) -> Option<Lines> {
    match words {
        [one] => parse_range(one),
        [start, end] => parse_range(&format!("{start}-{end}")),
        _ => None,
    }
}

fn target(word: &str, whole: bool) -> Result<Target> {
    let path = Path::new(word);
    if whole || path.exists() {
        return match whole {
            true => Ok(Target {
                path: path.to_path_buf(),
                lines: None,
            }),
            false => Err(Failure::new("usage", "no lines given")
                .path(path)
                .hint(format!(
                    "write {word}:1-20, or `ast-outline outline {word}`"
                ))
                .into()),
        };
    }
    match split_range(word) {
        Some((path, lines)) => Ok(Target {
            path: PathBuf::from(path),
            lines: Some(lines),
        }),
        None if is_impossible(word) => Err(Failure::new(
            "usage",
            format!("`{word}`: lines count from 1, first to last"),
        )
        .into()),
        None => Err(Failure::new("usage", format!("no lines in `{word}`"))
            .hint("write PATH:10-20, PATH:10 or PATH 10 20")
            .into()),
    }
}
