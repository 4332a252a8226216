//! `search --symbols`: definitions whose names are like a pattern, best first.
//!
//! Where there is an index, it tells which sources have a name that begins with the pattern, or has a word that does: only
//! these are read, with what is no source of calls, and of names that fit alike the one that others refer to more often
//! stands first. Where that finds nothing, all files are read for names that are merely like it.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{WINDOW, options, typed};
use crate::cache::{Cache, Fresh, Update};
use crate::cli;
use crate::commands::again::again;
use crate::commands::evidence::Evidence;
use crate::commands::fitted::refuse;
use crate::commands::references::{Holders, References};
use crate::commands::{Outlined, Run, Wanted, cache, kinds, outlined, shown, threads};
use crate::exit::{Exit, Failure, Messages};
use crate::model::Kind;
use crate::render::search::{Named, found, head};
use crate::render::{Declared, Totals, path_bytes, plural};
use crate::search::names::{Fit, Name, Rank};
use crate::source::Source;
use crate::view::LeftOut;
use crate::walk::{self, Found};

/// What names are shown as, and where none is.
const VIEW: &str = "symbols";
const TOTAL: &str = "total";
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
    /// How often other files refer to it, where the index knows.
    references: u32,
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
    let references = References::around(&given, reading);
    let holders = references.as_ref();
    let holders = holders.and_then(|references| references.holders(patterns));
    let job = Job {
        messages: run.messages,
        arguments,
        given,
        names,
        kinds,
        cache: cache.as_ref(),
        references: references.as_ref(),
    };
    let mut update = cache.as_ref().map(Update::new);
    let mut best = job.best(holders.as_ref(), &mut update)?;
    if best.names.is_empty() && holders.is_some() {
        // What has to be said of files was said.
        let messages = &Messages::new(false, true);
        best = Job { messages, ..job }.best(None, &mut update)?;
    }
    let printed = Printed {
        best: &best,
        patterns,
        arguments,
        evidence: &evidence,
        json: run.global.json,
        ranked: references.is_some(),
    };
    let kept = printed.print(run.out)?;
    run.out.flush()?;
    if let Some(update) = update {
        update.finish();
    }
    if !kept {
        refuse(run.messages, VIEW);
    }
    let answers = if kept { best.names.len() } else { 0 };
    let exit = run.exit(answers, 1);
    if exit == Exit::NotFound && kept {
        let message = format!("no name like it in {}", plural(best.searched, "file"));
        run.messages.miss(&Failure::not_found("no-match", message));
    }
    Ok(exit)
}

/// What is looked for, and where.
struct Job<'a> {
    messages: &'a Messages,
    arguments: &'a cli::Search,
    given: Vec<PathBuf>,
    names: Vec<Name>,
    kinds: Vec<Kind>,
    cache: Option<&'a Cache>,
    references: Option<&'a References>,
}

impl Job<'_> {
    /// The best names of all files; with `holders`, of those that these do not rule out, and only names with the word in them.
    fn best(&self, holders: Option<&Holders<'_>>, update: &mut Option<Update<'_>>) -> Result<Best> {
        let files = walk::files(self.given.clone(), options(self.arguments)?)?;
        let mut best = Best::new(self.arguments.max_count.unwrap_or(MAX_NAMES));
        let work = |file: Found| match holders {
            Some(holders) if holders.rule_out(&file.path) => Some((vec![], None)),
            _ => self.look(&file, holders.is_some()),
        };
        let threads = threads(&self.arguments.files);
        walk::in_order(files, threads, WINDOW, work, |answer| {
            let Some((names, fresh)) = answer else {
                return Ok(());
            };
            if let (Some(update), Some(fresh)) = (update.as_mut(), fresh) {
                update.take(fresh);
            }
            best.add(names);
            Ok(())
        })?;
        best.prune();
        Ok(best)
    }

    /// The names of a file that are like one of those looked for; none where it could not be read, which is said.
    fn look(&self, file: &Found, words: bool) -> Option<(Vec<Ranked>, Option<Fresh>)> {
        let (reading, messages) = (&self.arguments.reading, self.messages);
        match outlined(file, reading, self.cache, Wanted::Nothing, messages) {
            Ok(outlined) => {
                let mut outlined = outlined?;
                let fresh = outlined.fresh.take();
                let known = self.references.and_then(|known| known.of(&outlined.path));
                let mut names = like(outlined, &self.names, &self.kinds, typed(self.arguments));
                names.retain(|name| !words || name.ranked.rank.fit <= Fit::Word);
                let counted = known.unwrap_or_default();
                let count = |name: NamedAt| Ranked {
                    references: counted.get(&name.at).copied().unwrap_or(0),
                    ..name.ranked
                };
                Some((names.into_iter().map(count).collect(), fresh))
            }
            Err(failure) => {
                messages.fail(&failure);
                None
            }
        }
    }
}

/// A name with its place in the outline.
struct NamedAt {
    at: u32,
    ranked: Ranked,
}

/// The names of a file that are like one of those looked for.
fn like(outlined: Outlined, names: &[Name], kinds: &[Kind], typed: bool) -> Vec<NamedAt> {
    let (file, language, version) = (outlined.path, outlined.language, outlined.version);
    let path = shown(&file, typed);
    let wanted = |kind: Kind| kinds.is_empty() || kinds.contains(&kind);
    let items = (0..).zip(outlined.outline.items);
    let ranked = items
        .filter(|(_, item)| wanted(item.kind))
        .filter_map(|(at, item)| {
            let rank = names.iter().filter_map(|name| name.rank(&item)).min()?;
            let ranked = Ranked {
                rank,
                references: 0,
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
            };
            Some(NamedAt { at, ranked })
        });
    ranked.collect()
}

impl Best {
    fn new(most: u64) -> Best {
        Best {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            names: vec![],
            count: 0,
            files: 0,
            searched: 0,
        }
    }

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
        self.names.sort_by_key(|name| {
            let Rank { fit, off, longer } = name.rank;
            (fit, off, Reverse(name.references), longer, name.number)
        });
        self.names.truncate(self.most);
    }

    /// A pointer to the lines of each name, where these are asked for.
    fn pointers(&self, evidence: &Evidence) -> Vec<Option<String>> {
        let mut last: Option<(&Path, Option<Source>)> = None;
        let mut pointers = vec![];
        for Ranked { file, named, .. } in &self.names {
            if evidence.0.is_some() && last.as_ref().is_none_or(|(path, _)| path != file) {
                last = Some((file, Source::read(file).ok()));
            }
            let source = last.as_ref().and_then(|(_, source)| source.as_ref());
            // Lines of another version than the one that was outlined are none to point to.
            let source = source.filter(|source| source.version() == named.version);
            let lines = named.item.lines;
            pointers.push(source.and_then(|source| evidence.pointer(file, source, lines)));
        }
        pointers
    }
}

/// How names are printed.
struct Printed<'a> {
    best: &'a Best,
    patterns: &'a [String],
    arguments: &'a cli::Search,
    evidence: &'a Evidence,
    json: bool,
    /// Whether the index had a say in the order.
    ranked: bool,
}

impl Printed<'_> {
    /// Prints the names, as many as a budget allows, the best of them. Answers whether that is all.
    fn print(&self, out: &mut dyn Write) -> io::Result<bool> {
        let best = self.best;
        if best.names.is_empty() {
            return Ok(true);
        }
        let pointers = self.evidence_of_all();
        let Some(budget) = self.arguments.budgeting.tokens() else {
            self.whole(out, &pointers)?;
            return Ok(true);
        };
        let mut lines = vec![];
        for (ranked, pointer) in best.names.iter().zip(&pointers) {
            let declared = Declared {
                budget: Some(budget),
                ..self.declared()
            };
            lines.push(self.line(&ranked.named, pointer.clone(), declared)?);
        }
        let all = lines.len();
        let mut ladder = vec![(VIEW, usize::MAX), (TOTAL, usize::MAX)];
        // Twice: the numbers of the ladder are a part of what is counted.
        for _ in 0..2 {
            ladder = vec![
                (VIEW, self.within(&lines, all, &ladder, budget)?.1),
                (TOTAL, self.within(&lines, 0, &ladder, budget)?.1),
            ];
        }
        let fits = |shown: usize| {
            Ok::<_, io::Error>(self.within(&lines, shown, &ladder, budget)?.1 <= budget)
        };
        let kept = fits(all)? || !self.arguments.budgeting.strict;
        // More names never cost less, but for a token where the number of those left out loses a digit.
        let (mut low, mut high) = (0, if kept { all } else { 0 });
        while low < high {
            let middle = (low + high).div_ceil(2);
            match fits(middle)? {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        out.write_all(&self.within(&lines, low, &ladder, budget)?.0)?;
        Ok(kept)
    }

    fn evidence_of_all(&self) -> Vec<Option<String>> {
        self.best.pointers(self.evidence)
    }

    fn totals(&self) -> Totals {
        Totals::of_matches(self.best.count, self.best.files)
    }

    fn declared(&self) -> Declared {
        let tokenizer = self.arguments.budgeting.counting.tokenizer;
        Declared {
            ranked: self.ranked,
            ..Declared::whole(Some(VIEW), tokenizer)
        }
    }

    /// One name, as text or as a line of JSON.
    fn line(
        &self,
        named: &Named,
        pointer: Option<String>,
        mut declared: Declared,
    ) -> io::Result<Vec<u8>> {
        if !self.json {
            let mut line = vec![];
            named.text(&mut line, pointer)?;
            return Ok(line);
        }
        declared.settle(|out, declared| named.json(out, pointer.clone(), self.totals(), declared))
    }

    fn head(&self, out: &mut dyn Write, view: String) -> io::Result<()> {
        let mut facts = vec![view, "best first".to_string()];
        if self.ranked && self.arguments.budgeting.tokens().is_none() {
            facts.push("ranked by references".to_string());
        }
        if !self.arguments.kind.is_empty() {
            facts.push(format!("of kind {}", self.arguments.kind.join(" or ")));
        }
        let found = found(self.best.count, "name", self.best.files);
        head(out, self.patterns, &found, &facts)
    }

    /// Without a budget.
    fn whole(&self, out: &mut dyn Write, pointers: &[Option<String>]) -> io::Result<()> {
        let best = self.best;
        if !self.json {
            self.head(out, format!("view {VIEW}"))?;
        }
        let more = best.count - best.names.len();
        let command = again(&format!("-m{}", best.count));
        let left = self.arguments.max_count.is_none().then_some(more);
        for (place, (ranked, pointer)) in best.names.iter().zip(pointers).enumerate() {
            let mut declared = self.declared();
            // The last line says what would follow.
            if let Some(count) = left.filter(|left| *left > 0 && place + 1 == best.names.len()) {
                let what = "names";
                declared.left_out.push(LeftOut { what, count });
                declared.command = Some(command.clone());
            }
            out.write_all(&self.line(&ranked.named, pointer.clone(), declared)?)?;
        }
        match more {
            0 => Ok(()),
            _ if self.json => Ok(()),
            more if left.is_none() => writeln!(out, "... {more} more"),
            more => writeln!(out, "... {more} more  ({command})"),
        }
    }

    /// The first `shown` names, and what that costs.
    fn within(
        &self,
        lines: &[Vec<u8>],
        shown: usize,
        ladder: &[(&'static str, usize)],
        budget: usize,
    ) -> io::Result<(Vec<u8>, usize)> {
        // More than was asked for is not left out.
        let (all, flags) = match self.arguments.max_count {
            None => (self.best.count, format!("-m{}", self.best.count)),
            Some(_) => (lines.len(), String::new()),
        };
        let left = all - shown;
        let mut declared = Declared {
            budget: Some(budget),
            degraded: shown < lines.len(),
            ladder: ladder.to_vec(),
            left_out: Some(LeftOut {
                what: "names",
                count: left,
            })
            .filter(|_| left > 0)
            .into_iter()
            .collect(),
            command: (left > 0).then(|| again(&flags)),
            ..self.declared()
        };
        let view = if shown == 0 { TOTAL } else { VIEW };
        let mut print = |fits: bool| {
            declared.fits = fits;
            let bytes = declared.settle(|out, declared| match (self.json, lines) {
                (true, [_]) if shown == 1 => {
                    let named = &self.best.names[0].named;
                    let pointer = self.evidence_of_all().remove(0);
                    named.json(out, pointer, self.totals(), declared)
                }
                (true, _) => {
                    lines[..shown]
                        .iter()
                        .try_for_each(|line| out.write_all(line))?;
                    declared.end(out, self.totals(), view, declared.elided().collect())
                }
                (false, _) => {
                    self.head(out, declared.facts(view))?;
                    lines[..shown]
                        .iter()
                        .try_for_each(|line| out.write_all(line))?;
                    match &declared.command {
                        Some(command) => writeln!(out, "... {left} more  ({command})"),
                        None => Ok(()),
                    }
                }
            });
            bytes.map(|bytes| (bytes, declared.tokens))
        };
        match print(true)? {
            (_, tokens) if shown == 0 && tokens > budget => print(false),
            answer => Ok(answer),
        }
    }
}
