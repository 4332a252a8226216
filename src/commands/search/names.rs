//! `search --symbols`: definitions whose names are like a pattern, best first.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::super::evidence::Evidence;
use super::super::{Outlined, Run, Wanted, cache, kinds, outlined, shown, threads};
use super::{WINDOW, options, typed};
use crate::cache::{Fresh, Update};
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::model::Kind;
use crate::render::search::{Named, found, head};
use crate::render::{path_bytes, shell_word};
use crate::search::names::{Name, Rank};
use crate::source::Source;
use crate::walk::{self, Found};

/// Names listed where nobody says how many.
const MOST: u64 = 50;

/// The best names so far.
struct Best {
    most: usize,
    names: Vec<Hit>,
    /// All of them, those that were forgotten too.
    count: usize,
    files: usize,
    searched: usize,
}

struct Hit {
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
    let evidence = Evidence::new(run.global.json, given.iter().map(PathBuf::as_path));
    let cache = cache(&given, reading);
    let typed = typed(arguments);
    let files = walk::files(given, options(arguments)?)?;
    let mut update = cache.as_ref().map(Update::new);
    let most = arguments.max_count.unwrap_or(MOST);
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
        let Some((hits, fresh)) = answer else {
            return Ok(());
        };
        if let (Some(update), Some(fresh)) = (&mut update, fresh) {
            update.take(fresh);
        }
        best.add(hits);
        Ok(())
    })?;
    best.prune();
    answer(
        run.out,
        &best,
        patterns,
        arguments,
        run.global.json,
        &evidence,
    )?;
    run.out.flush()?;
    if let Some(update) = update {
        update.finish();
    }
    let exit = run.exit(best.names.len(), 1);
    if exit == Exit::NotFound {
        let message = format!("no name like it in {} files", best.searched);
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
) -> (Vec<Hit>, Option<Fresh>) {
    let (file, language, version) = (outlined.path, outlined.language, outlined.version);
    let path = shown(&file, typed);
    let wanted = |kind: Kind| kinds.is_empty() || kinds.contains(&kind);
    let items = outlined.outline.items.into_iter();
    let hits = items.filter(|item| wanted(item.kind)).filter_map(|item| {
        let rank = names.iter().filter_map(|name| name.rank(&item)).min()?;
        Some(Hit {
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
    (hits.collect(), outlined.fresh)
}

impl Best {
    fn add(&mut self, mut hits: Vec<Hit>) {
        self.searched += 1;
        self.files += usize::from(!hits.is_empty());
        self.count += hits.len();
        for hit in &mut hits {
            hit.number = self.searched;
        }
        self.names.append(&mut hits);
        if self.names.len() / 2 > self.most.max(1000) {
            self.prune();
        }
    }

    /// Sorts them and forgets all but the best; those of a file stay in their order.
    fn prune(&mut self) {
        self.names.sort_by_key(|hit| (hit.rank, hit.number));
        self.names.truncate(self.most);
    }
}

fn answer(
    out: &mut dyn Write,
    best: &Best,
    patterns: &[String],
    arguments: &cli::Search,
    json: bool,
    evidence: &Evidence,
) -> Result<()> {
    if json {
        let mut read: Option<(&Path, Option<Source>)> = None;
        for Hit { file, named, .. } in &best.names {
            let known = read.as_ref().is_some_and(|(path, _)| path == file);
            if !known {
                let source = Source::read(file).ok();
                read = Some((file, source));
            }
            let source = read.as_ref().and_then(|(_, source)| source.as_ref());
            // Lines of another version than the one that was outlined are none to point to.
            let source = source.filter(|source| source.version() == named.version);
            let pointer =
                source.and_then(|source| evidence.pointer(file, source, named.item.lines));
            named.json(out, pointer)?;
        }
        return Ok(());
    }
    if best.names.is_empty() {
        return Ok(());
    }
    let mut flags = vec!["--symbols, best first".to_string()];
    if !arguments.kind.is_empty() {
        flags.push(format!("of kind {}", arguments.kind.join(" or ")));
    }
    head(
        out,
        patterns,
        &found(best.count, "name", best.files),
        &flags,
    )?;
    best.names.iter().try_for_each(|hit| hit.named.text(out))?;
    match best.count - best.names.len() {
        0 => Ok(()),
        more if arguments.max_count.is_some() => Ok(writeln!(out, "... {more} more")?),
        more => Ok(writeln!(out, "... {more} more  ({})", again(best.count))?),
    }
}

/// The command that lists all names: the one that was typed, with another limit.
fn again(count: usize) -> String {
    let mut words: Vec<String> = vec!["ast-outline".to_string()];
    for word in std::env::args_os().skip(1) {
        let word = word.to_string_lossy();
        words.push(shell_word(&word));
        if word == "search" && !words.contains(&"-m".to_string()) {
            words.extend(["-m".to_string(), count.to_string()]);
        }
    }
    words.join(" ")
}
