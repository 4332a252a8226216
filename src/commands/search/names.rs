//! `search --symbols`: definitions whose names are like a pattern, best first.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{WINDOW, options, typed};
use crate::cache::{Fresh, Update};
use crate::cli;
use crate::commands::evidence::Evidence;
use crate::commands::{Outlined, Run, Wanted, cache, kinds, outlined, shown, threads};
use crate::exit::{Exit, Failure};
use crate::model::Kind;
use crate::render::search::{Named, found, head};
use crate::render::{path_bytes, plural, shell_word};
use crate::search::names::{Name, Rank};
use crate::source::Source;
use crate::walk::{self, Found};

/// Names listed where nobody says how many.
const MAX_NAMES: u64 = 50;

/// The best names so far.
struct Best {
    most: usize,
    names: Vec<Ranked>,
    /// All of them, those that were forgotten too.
    count: usize,
    files: usize,
    searched: usize,
}

struct Ranked {
    rank: Rank,
    /// The file it stands in, by the order of files, and as it is opened.
    number: usize,
    file: PathBuf,
    named: Named,
}

pub fn run(
    run: Run<'_>,
    arguments: &cli::Search,
    patterns: &[String],
    given: Vec<PathBuf>,
) -> Result<Exit> {
    let reading = &arguments.reading;
    let names: Vec<Name> = patterns.iter().map(|pattern| Name::new(pattern)).collect();
    let kinds = kinds(&arguments.kind)?;
    let evidence = Evidence::new(
        run.global.json || arguments.evidence,
        given.iter().map(PathBuf::as_path),
    );
    let cache = cache(&given, reading);
    let typed = typed(arguments);
    let files = walk::files(given, options(arguments)?)?;
    let mut update = cache.as_ref().map(Update::new);
    let most = arguments.max_count.unwrap_or(MAX_NAMES);
    let mut best = Best {
        most: usize::try_from(most).unwrap_or(usize::MAX),
        names: vec![],
        count: 0,
        files: 0,
        searched: 0,
    };
    let work = |file: Found| match outlined(
        &file,
        reading,
        cache.as_ref(),
        Wanted::Nothing,
        run.messages,
    ) {
        Ok(outlined) => outlined.map(|outlined| like(outlined, &names, &kinds, typed)),
        Err(failure) => {
            run.messages.fail(&failure);
            None
        }
    };
    walk::in_order(files, threads(&arguments.files), WINDOW, work, |answer| {
        let Some((names, fresh)) = answer else {
            return Ok(());
        };
        if let (Some(update), Some(fresh)) = (&mut update, fresh) {
            update.take(fresh);
        }
        best.add(names);
        Ok(())
    })?;
    best.prune();
    match run.global.json {
        true => best.with_pointers(&evidence, |named, pointer| named.json(run.out, pointer))?,
        false => text(run.out, &best, patterns, arguments, &evidence)?,
    }
    run.out.flush()?;
    if let Some(update) = update {
        update.finish();
    }
    let exit = run.exit(best.names.len(), 1);
    if exit == Exit::NotFound {
        let message = format!("no name like it in {}", plural(best.searched, "file"));
        run.messages.note(&Failure::not_found("no-match", message));
    }
    Ok(exit)
}

/// The names of a file that are like one of those looked for.
fn like(
    outlined: Outlined,
    names: &[Name],
    kinds: &[Kind],
    typed: bool,
) -> (Vec<Ranked>, Option<Fresh>) {
    let (file, language, version) = (outlined.path, outlined.language, outlined.version);
    let path = shown(&file, typed);
    let wanted = |kind: Kind| kinds.is_empty() || kinds.contains(&kind);
    let items = outlined.outline.items.into_iter();
    let ranked = items.filter(|item| wanted(item.kind)).filter_map(|item| {
        let rank = names.iter().filter_map(|name| name.rank(&item)).min()?;
        Some(Ranked {
            rank,
            number: 0,
            file: file.clone(),
            named: Named {
                path: path.to_string_lossy().into_owned(),
                path_bytes: path_bytes(path).map(<[u8]>::to_vec),
                language,
                version,
                fit: rank.fit,
                item,
            },
        })
    });
    (ranked.collect(), outlined.fresh)
}

impl Best {
    fn add(&mut self, mut names: Vec<Ranked>) {
        self.searched += 1;
        self.files += usize::from(!names.is_empty());
        self.count += names.len();
        for name in &mut names {
            name.number = self.searched;
        }
        self.names.append(&mut names);
        if self.names.len() / 2 > self.most.max(1000) {
            self.prune();
        }
    }

    /// Sorts them and forgets all but the best; those of a file stay in their order.
    fn prune(&mut self) {
        self.names.sort_by_key(|name| (name.rank, name.number));
        self.names.truncate(self.most);
    }

    /// Hands on each name, with a pointer to its lines where these are asked for.
    fn with_pointers(
        &self,
        evidence: &Evidence,
        mut print: impl FnMut(&Named, Option<String>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut last: Option<(&Path, Option<Source>)> = None;
        for Ranked { file, named, .. } in &self.names {
            if evidence.0.is_some() && last.as_ref().is_none_or(|(path, _)| path != file) {
                last = Some((file, Source::read(file).ok()));
            }
            let source = last.as_ref().and_then(|(_, source)| source.as_ref());
            // Lines of another version than the one that was outlined are none to point to.
            let source = source.filter(|source| source.version() == named.version);
            let lines = named.item.lines;
            print(
                named,
                source.and_then(|source| evidence.pointer(file, source, lines)),
            )?;
        }
        Ok(())
    }
}

fn text(
    out: &mut dyn Write,
    best: &Best,
    patterns: &[String],
    arguments: &cli::Search,
    evidence: &Evidence,
) -> io::Result<()> {
    if best.names.is_empty() {
        return Ok(());
    }
    let mut facts = vec!["view symbols, best first".to_string()];
    if !arguments.kind.is_empty() {
        facts.push(format!("of kind {}", arguments.kind.join(" or ")));
    }
    let found = found(best.count, "name", best.files);
    head(out, patterns, &found, &facts)?;
    best.with_pointers(evidence, |named, pointer| named.text(out, pointer))?;
    match best.count - best.names.len() {
        0 => Ok(()),
        more if arguments.max_count.is_some() => writeln!(out, "... {more} more"),
        more => writeln!(out, "... {more} more  ({})", again(best.count)),
    }
}

/// The command that lists all names: the one that was typed, with another limit.
fn again(count: usize) -> String {
    let words = std::env::args_os().skip(1);
    let mut words: Vec<String> = words
        .map(|word| shell_word(&word.to_string_lossy()))
        .collect();
    // Behind `--` all words are names and paths.
    let end = words.iter().position(|word| word == "--");
    words.insert(end.unwrap_or(words.len()), format!("-m{count}"));
    format!("ast-outline {}", words.join(" "))
}
