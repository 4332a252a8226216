//! `region`: exact lines of a file, by range or around a definition.

mod within;

use crate::render::outline_command;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::dated::Dated;
use super::evidence::{Evidence, remember_shown};
use super::verify::malformed;
use super::{Opened, Run, excerpt_options, is_stdin, limits, no_raw, open_text};
use crate::cli;
use crate::evidence::{Pointer, is_impossible, parse_range, split_range};
use crate::exit::{Exit, Failure, Messages};
use crate::model::{Lines, Outline};
use crate::outline::outline;
use crate::outline::path::ItemPath;
use crate::render::Declared;
use crate::render::excerpt::{Detail, Excerpt, Provenance};
use crate::source::Source;
use crate::tokens::Tokenizer;
use within::{Many, Printing};

const SCHEMA: &str = "ast-outline.region/1";

/// One range to print.
struct Target {
    path: PathBuf,
    /// None for the whole file.
    lines: Option<Lines>,
    /// What was meant as a pointer.
    pointer: Option<Pointer>,
}

pub fn run(run: Run<'_>, arguments: &cli::Region) -> Result<Exit> {
    let targets = targets(arguments)?;
    let options = excerpt_options(&run, &arguments.printing);
    let wanted = run.global.json || arguments.printing.evidence;
    let files = targets.iter().filter(|target| target.pointer.is_none());
    let evidence = Evidence::new(wanted, files.map(|target| target.path.as_path()));
    let dated = Dated {
        reading: &arguments.reading,
        evidence: &evidence,
        context: arguments.context,
        versions: RefCell::default(),
    };
    let budgeting = &arguments.budgeting;
    let tokenizer = budgeting.counting.tokenizer;
    let budget = budgeting.tokens();
    if budget.is_some() && arguments.printing.raw {
        return Err(no_raw().into());
    }
    let printing = budget.map(|budget| Printing {
        budgeting,
        budget,
        json: run.global.json,
        options: &options,
    });
    let (mut many, mut refused) = (Many::default(), false);
    let mut answers = 0;
    for target in &targets {
        let mut print = |excerpt: &Excerpt<'_>, outline: &Outline| {
            if let Some(printing) = &printing {
                if targets.len() > 1 {
                    return many.add(excerpt, outline, printing);
                }
                let answer = within::one(excerpt, outline, printing)?;
                refused = !answer.kept;
                return run.out.write_all(&answer.bytes);
            }
            if answers > 0 && !run.global.json && !arguments.printing.raw {
                writeln!(run.out)?;
            }
            match run.global.json {
                true => run.out.write_all(&line(excerpt, tokenizer)?),
                false => excerpt.text(run.out, &options, None),
            }
        };
        let answer = match (&target.pointer, target.lines, &arguments.at) {
            (Some(pointer), ..) => dated.pointed(pointer, &mut print),
            (None, Some(lines), Some(at)) => dated.at(&target.path, lines, at, &mut print),
            _ => answer(target, arguments, (run.messages, &evidence), print),
        };
        match answer {
            Ok(written) => {
                written?;
                answers += 1;
            }
            Err(failure) => run.messages.fail(&failure),
        }
    }
    if let Some(printing) = printing.filter(|_| !many.is_empty()) {
        let answer = many.answer(&printing)?;
        run.out.write_all(&answer.bytes)?;
        refused = !answer.kept;
    }
    if refused {
        run.messages.miss(&too_large());
        answers = 0;
    }
    Ok(run.exit(answers, targets.len()))
}

fn too_large() -> Failure {
    Failure::not_found("does-not-fit", "the lines do not fit the budget")
        .hint("lines that were named are never cut: take some of them, or a larger budget")
}

/// A line of JSON without a budget.
fn line(excerpt: &Excerpt<'_>, tokenizer: Tokenizer) -> io::Result<Vec<u8>> {
    let mut declared = Declared::whole(Some(Detail::Text.name()), tokenizer);
    declared.settle(|out, declared| excerpt.json(out, SCHEMA, declared))
}

/// Finds the lines of one target and hands them to `print`.
fn answer(
    target: &Target,
    arguments: &cli::Region,
    (messages, evidence): (&Messages, &Evidence),
    print: impl FnOnce(&Excerpt<'_>, &Outline) -> io::Result<()>,
) -> Result<io::Result<()>, Failure> {
    let Opened {
        source,
        language,
        path,
    } = open_text(&target.path, &arguments.reading)?;
    let limits = limits(&arguments.reading);
    let outline = language
        .map(|language| outline(&source, language, &limits))
        .unwrap_or_default();
    let (asked, total) = (asked(target, arguments, &source, &outline)?, source.lines());
    if asked.start > total {
        let message = format!(
            "lines {}-{} are past the end: the file has {total}",
            asked.start, asked.end
        );
        return Err(Failure::not_found("past-the-end", message).path(&path));
    }
    if asked.end > total && target.lines.is_some_and(|lines| lines.end > total) {
        let message = format!(
            "the file ends at line {total}: lines {}-{total} follow",
            asked.start
        );
        messages.note(&Failure::not_found("past-the-end", message).path(&path));
    }
    let lines = Lines {
        start: asked.start,
        end: asked.end.min(total),
    };
    remember_shown(&path, &source, &arguments.reading);
    let provenance = Provenance {
        pointer: evidence.pointer(&path, &source, lines),
        ..Provenance::default()
    };
    let enclosing = outline
        .enclosing(lines)
        .map(|id| &outline.items[id as usize]);
    let excerpt = Excerpt {
        path: &path,
        language,
        source: &source,
        lines,
        enclosing,
        named: false,
        parents: vec![],
        provenance,
        detail: Detail::Text,
        is_file: !is_stdin(&target.path) && arguments.at.is_none(),
        around: None,
        reached: None,
    };
    Ok(print(&excerpt, &outline))
}

/// The lines wanted: those given, or those of `--symbol`, with `--context` around them.
fn asked(
    target: &Target,
    arguments: &cli::Region,
    source: &Source,
    outline: &Outline,
) -> Result<Lines, Failure> {
    let whole = Lines {
        start: 1,
        end: source.lines().max(1),
    };
    let Some(name) = &arguments.symbol else {
        return Ok(widen(target.lines.unwrap_or(whole), arguments.context));
    };
    let found = ItemPath::parse(name)
        .find(outline, &target.path)
        .map(|hits| outline.items[hits.ids[0] as usize].lines);
    let missing = || {
        let hint = format!(
            "`{}` lists what there is",
            outline_command(&target.path.to_string_lossy())
        );
        Failure::not_found("not-found", format!("no definition `{name}`"))
            .path(&target.path)
            .hint(hint)
    };
    found
        .map(|lines| widen(lines, arguments.context))
        .ok_or_else(missing)
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
            pointer: None,
        }]);
    }
    words.iter().map(|word| target(word, arguments)).collect()
}

/// `10 20` or `10-20`, given as words of their own.
fn spread_range(words: &[String]) -> Option<Lines> {
    match words {
        [one] => parse_range(one),
        [start, end] => parse_range(&format!("{start}-{end}")),
        _ => None,
    }
}

fn target(word: &str, arguments: &cli::Region) -> Result<Target> {
    let path = Path::new(word);
    let whole = arguments.symbol.is_some();
    if whole || path.exists() {
        return match whole {
            true => Ok(Target {
                path: path.to_path_buf(),
                lines: None,
                pointer: None,
            }),
            false => Err(Failure::new("usage", "no lines given")
                .path(path)
                .hint(format!("write {word}:1-20, or `{}`", outline_command(word)))
                .into()),
        };
    }
    let range = split_range(word);
    // `a@b/c.py#L1` is a file; `a@b/c.py@9f2c1de#L1` is a pointer, and so is what cannot be anything else.
    if !range.is_some_and(|(path, _)| Path::new(path).exists()) {
        match Pointer::parse(word) {
            Ok(_) if arguments.at.is_some() => {
                let failure = Failure::new(
                    "usage",
                    "a pointer names its version: --at is for PATH:LINES",
                );
                return Err(failure.into());
            }
            Ok(pointer) => {
                return Ok(Target {
                    path: PathBuf::from(pointer.shown_path()),
                    lines: Some(pointer.lines),
                    pointer: Some(pointer),
                });
            }
            Err(what) if is_meant_as_pointer(word) => return Err(malformed(word, what).into()),
            Err(_) => {}
        }
    }
    match range {
        Some((path, lines)) => Ok(Target {
            path: PathBuf::from(path),
            lines: Some(lines),
            pointer: None,
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

/// It has a version, or claims to be from elsewhere.
fn is_meant_as_pointer(word: &str) -> bool {
    word.contains("@blob:") || word.contains("://") || word.contains('@') && word.contains('~')
}
