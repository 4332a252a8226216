//! `symbol`: the source of a definition, a section or a value, by name.

mod miss;
mod shown;
mod tied;
mod within;

use crate::render::{command, outline_command};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use memchr::memmem;

use self::miss::{miss, more};
use super::evidence::Evidence;
use super::fitted::refuse;
use super::{
    Opened, Run, excerpt_options, limits, no_raw, open, shown as path_shown, threads, walk_options,
};
use crate::cli::{self, SymbolView};
use crate::evidence::split_range;
use crate::exit::{Exit, Failure};
use crate::lang::Language;
use crate::model::{ItemId, Lines, Outline};
use crate::outline::outline;
use crate::outline::path::{Fit, Hits, ItemPath, distance, spelled};
use crate::render::excerpt::Reached;
use crate::render::text::line_range;
use crate::render::{argument, shell_word};
use crate::walk::{self, Found};
use shown::Printing;
use tied::Tied;

/// Near names offered when nothing matches.
const MOST_SUGGESTIONS: usize = 5;
/// Files a thread may be ahead.
const WINDOW: usize = 64;

/// One thing that is asked for.
enum Wanted {
    Name(ItemPath),
    /// The innermost definition around a line.
    Line(u32),
}

struct Question {
    roots: Vec<PathBuf>,
    wanted: Wanted,
    /// As typed, for messages.
    spelled: String,
}

/// A file that holds an answer.
struct Holder {
    opened: Opened,
    language: &'static Language,
    outline: Outline,
    hits: Hits,
    /// How those were come to that nobody named.
    reached: HashMap<ItemId, Reached>,
}

/// What a search found.
#[derive(Default)]
struct Answer {
    /// The files with the best fits.
    holders: Vec<Holder>,
    /// How many more definitions end in the name.
    others: usize,
}

/// A name that looks like the one asked for.
struct Near {
    distance: usize,
    path: String,
    qualname: String,
    lines: Lines,
}

pub fn run(run: Run<'_>, arguments: &cli::Symbol) -> Result<Exit> {
    let questions = questions(arguments);
    let options = excerpt_options(&run, &arguments.printing);
    if arguments.budgeting.tokens().is_some() && arguments.printing.raw {
        return Err(no_raw().into());
    }
    let (mut answers, mut failure) = (vec![], None);
    for question in &questions {
        let found = match ask(&run, arguments, question, questions.len() > 1) {
            Ok(found) => found,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        if found.others > 0 {
            run.messages.note(&more(question, found.others));
        }
        if !found.holders.is_empty() {
            answers.push((question.spelled.as_str(), found));
        }
    }
    let tied = Tied::new(&run, arguments, &answers)?;
    if let (Some(tied), Some(depth)) = (&tied, arguments.expand) {
        let called = tied.expand(&run, arguments, &mut answers, depth)?;
        answers.extend(
            called
                .into_iter()
                .filter(|answer| !answer.holders.is_empty())
                .map(|answer| ("what it calls", answer)),
        );
    }
    let asked = answers
        .iter()
        .filter(|(_, answer)| answer.is_asked())
        .count();
    let session = tied::session(arguments, &answers)?;
    let wanted = run.global.json || arguments.printing.evidence;
    let holders = answers.iter().flat_map(|(_, found)| &found.holders);
    let evidence = Evidence::new(wanted, holders.map(|holder| holder.opened.path.as_path()));
    let printing = Printing {
        arguments,
        json: run.global.json,
        options: &options,
        evidence: &evidence,
        tied: tied.as_ref().filter(|_| arguments.graph),
        session: session.as_ref(),
    };
    let kept = print(run.out, &answers, printing)?;
    if !kept {
        let view = arguments.view().unwrap_or(SymbolView::Full);
        refuse(run.messages, shown::name(view));
    }
    run.out.flush()?;
    if let Some(session) = session.filter(|_| !run.global.quiet) {
        session.save();
    }
    let answered = if kept { asked } else { 0 };
    failure.map_or(Ok(run.exit(answered, questions.len())), Err)
}

impl Answer {
    /// Whether it was asked for, and not come to from what was.
    fn is_asked(&self) -> bool {
        let depths = self
            .holders
            .iter()
            .flat_map(|holder| holder.reached.values());
        depths.into_iter().all(|reached| reached.depth == 0)
    }
}

/// Prints what was found for each question. Answers whether it is all that was asked for.
fn print(out: &mut dyn Write, answers: &[(&str, Answer)], printing: Printing<'_>) -> Result<bool> {
    let arguments = printing.arguments;
    let found = answers.iter().map(|(_, found)| found.holders.as_slice());
    if let Some(budget) = arguments.budgeting.tokens().filter(|_| !answers.is_empty()) {
        let mut spelled: Vec<&str> = answers.iter().map(|(spelled, _)| *spelled).collect();
        spelled.dedup();
        return within::print(out, &found.collect::<Vec<_>>(), &spelled, budget, printing);
    }
    for (index, holders) in found.enumerate() {
        if index > 0 && !printing.json && !arguments.printing.raw {
            writeln!(out)?;
        }
        shown::whole(out, holders, printing)?;
    }
    Ok(true)
}

/// What answers a question. What does not is said.
fn ask(
    run: &Run<'_>,
    arguments: &cli::Symbol,
    question: &Question,
    followed: bool,
) -> Result<Answer> {
    // Most files do not hold the name at all, and finding that out costs no parse. Only when that finds nothing are
    // all files read for names in another case or spelling, and for near ones.
    let mut found = search(run, arguments, question, true)?;
    let mut near = vec![];
    if found.holders.is_empty() && !run.messages.failed() {
        found = search(run, arguments, question, false)?;
        if found.holders.is_empty() {
            if let Some(path) = mistyped(question, followed) {
                let failure = Failure::new("unreadable", "no such file or folder");
                return Err(failure.path(path).into());
            }
            near = nearest(run, arguments, question)?;
        }
    }
    if found.holders.is_empty() && !run.messages.failed() {
        run.messages.fail(&miss(question, &near));
    }
    Ok(found)
}

/// What the words mean: `[PATH] NAME...`, `PATH::NAME`, `PATH:NAME` and `PATH:LINE`.
fn questions(arguments: &cli::Symbol) -> Vec<Question> {
    let words = arguments.words.as_slice();
    let mut roots = arguments.within.clone();
    let names = match words {
        [path, names @ ..]
            if roots.is_empty()
                && !names.is_empty()
                && (path == "-" || Path::new(path).exists()) =>
        {
            roots.push(PathBuf::from(path));
            names
        }
        names => names,
    };
    // Names without a path, but a path for stdin: it is stdin that they are looked up in.
    if roots.is_empty() && arguments.reading.stdin_path.is_some() {
        roots.push(PathBuf::from("-"));
    }
    names.iter().map(|word| question(word, &roots)).collect()
}

fn question(word: &str, roots: &[PathBuf]) -> Question {
    let in_file = || {
        if let Some((path, lines)) = split_range(word).filter(|(path, _)| Path::new(path).is_file())
        {
            return Some((path, Wanted::Line(lines.start)));
        }
        let mut colons = word.match_indices(':').map(|(at, _)| word.split_at(at));
        let (path, name) = colons.find(|(path, _)| Path::new(path).is_file())?;
        let name = name.trim_start_matches(':');
        Some((path, Wanted::Name(ItemPath::parse(name))))
    };
    let (roots, wanted) = match in_file().filter(|_| roots.is_empty()) {
        Some((path, wanted)) => (vec![PathBuf::from(path)], wanted),
        None => (roots.to_vec(), Wanted::Name(ItemPath::parse(word))),
    };
    Question {
        roots,
        wanted,
        spelled: word.to_string(),
    }
}

/// The path in a word that is none of a file and no name either: `src/gone.py:12`, `src/gone.py::f`, or `src/gone.py` where
/// other words are to be looked up there.
fn mistyped(question: &Question, followed: bool) -> Option<&Path> {
    let word = question.spelled.as_str();
    let in_file = split_range(word).map(|(path, _)| path);
    let in_file = in_file.or_else(|| word.split_once(':').map(|(path, _)| path));
    let path = Path::new(in_file.or(followed.then_some(word))?);
    let looks_so = Language::by_path(path).is_some() || followed && word.contains('/');
    (looks_so && question.roots.is_empty() && !path.exists()).then_some(path)
}

/// Visits every file of the question in parallel and hands on what `visit` makes of it, in order.
fn visit<R: Send>(
    run: &Run<'_>,
    arguments: &cli::Symbol,
    question: &Question,
    visit: impl Fn(Opened, &'static Language, bool) -> Option<R> + Sync,
    mut take: impl FnMut(R),
) -> Result<()> {
    let typed = !question.roots.is_empty();
    let roots = if typed {
        question.roots.clone()
    } else {
        vec![PathBuf::from(".")]
    };
    let found = walk::files(roots, walk_options(&arguments.files)?)?;
    let messages = run.messages;
    let work = |found: Found| match open(&found, &arguments.reading, messages) {
        Ok(Some((mut opened, language))) => {
            opened.path = path_shown(&opened.path, typed).to_path_buf();
            visit(opened, language, found.named)
        }
        Ok(None) => None,
        Err(failure) => {
            messages.fail(&failure);
            None
        }
    };
    walk::in_order(found, threads(&arguments.files), WINDOW, work, |result| {
        result.into_iter().for_each(&mut take);
        Ok(())
    })?;
    Ok(())
}

/// The best fits. With `literal`, files that do not hold the name's text are not parsed.
fn search(
    run: &Run<'_>,
    arguments: &cli::Symbol,
    question: &Question,
    literal: bool,
) -> Result<Answer> {
    let limits = limits(&arguments.reading);
    let mut found = Answer::default();
    let look = |opened: Opened, language: &'static Language, _named: bool| {
        if let Wanted::Name(name) = &question.wanted
            && literal
            && memmem::find(opened.source.text(), name.last_name().as_bytes()).is_none()
        {
            return None;
        }
        let outline = outline(&opened.source, language, &limits);
        let hits = match &question.wanted {
            Wanted::Name(name) => name.find(&outline, &opened.path)?,
            Wanted::Line(line) => Hits {
                fit: Fit::Exact,
                ids: vec![outline.enclosing(Lines {
                    start: *line,
                    end: *line,
                })?],
                others: 0,
            },
        };
        Some(Holder {
            opened,
            language,
            outline,
            hits,
            reached: HashMap::new(),
        })
    };
    // What lies in its module, or is spelled in another case, is not what was asked for where there is better.
    let count = |hits: &Hits| match hits.fit {
        Fit::Exact | Fit::Qualified | Fit::Suffix => hits.ids.len(),
        Fit::Module | Fit::Name => 0,
    };
    visit(run, arguments, question, look, |holder| {
        found.others += holder.hits.others;
        let best = found.holders.first().map(|first| first.hits.fit);
        if best.is_some_and(|best| holder.hits.fit > best) {
            found.others += count(&holder.hits);
            return;
        }
        if best.is_some_and(|best| holder.hits.fit < best) {
            let worse = found.holders.drain(..);
            found.others += worse.map(|holder| count(&holder.hits)).sum::<usize>();
        }
        found.holders.push(holder);
    })?;
    Ok(found)
}

fn nearest(run: &Run<'_>, arguments: &cli::Symbol, question: &Question) -> Result<Vec<Near>> {
    let Wanted::Name(name) = &question.wanted else {
        return Ok(vec![]);
    };
    let limits = limits(&arguments.reading);
    let mut near: Vec<Near> = vec![];
    let look = |opened: Opened, language: &'static Language, _named: bool| {
        let outline = outline(&opened.source, language, &limits);
        let path = opened.path.to_string_lossy().into_owned();
        let alike = outline.items.iter().filter_map(|item| {
            let distance = distance(name, item)?;
            Some(Near {
                distance,
                path: path.clone(),
                qualname: spelled(item),
                lines: item.lines,
            })
        });
        Some(alike.collect::<Vec<_>>())
    };
    visit(run, arguments, question, look, |alike| {
        near.extend(alike);
        near.sort_by_key(|near| near.distance);
        near.truncate(MOST_SUGGESTIONS);
    })?;
    Ok(near)
}
