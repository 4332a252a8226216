//! The outlines of several files within one budget: each as fine as all can be, then some finer by what they are worth. What
//! does not fit file by file is counted by folder, what does not fit by folder is counted.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;

use super::super::fitted::{Wish, refuse};
use super::super::{Outlined, shown};
use super::{Job, finish};
use crate::render::{Declared, argument, folders};
use crate::view::{Choice, Shape, View, spend};
use crate::walk::Found;

/// One file in each view.
struct Entry {
    folder: String,
    definitions: usize,
    worth: u64,
    /// As printed, finest first.
    blocks: Vec<Vec<u8>>,
    /// Tokens of each.
    costs: Vec<usize>,
}

/// How files that are not listed are counted, finest first.
const COARSE: [&str; 3] = ["folders", "top-folders", TOTAL];

/// Nothing but how many files there are.
const TOTAL: &str = "total";

/// The whole answer of one choice of views.
struct Printed<'a> {
    job: &'a Job<'a>,
    views: &'a [View],
    entries: &'a [Entry],
    budget: usize,
    ladder: Vec<(&'static str, usize)>,
}

/// For each file the view it is shown in: the place among the views, or past the last where it is only counted.
struct Choices {
    /// The place of the view that all are shown in at least: past the last view, one of [`COARSE`].
    rung: usize,
    places: Vec<usize>,
}

/// Answers about all files. How many there are, and whether they are shown as was asked.
pub fn answer(
    job: &Job<'_>,
    found: impl Iterator<Item = Found> + Send,
    budget: usize,
    out: &mut dyn Write,
) -> Result<(usize, bool)> {
    let start = job.arguments.view.view().unwrap_or(View::Docs);
    let views = Shape::Map.views().iter().copied();
    let views: Vec<View> = views.filter(|&view| view >= start).collect();
    let mut entries = vec![];
    let update = job.walk(
        found,
        |outlined| entry(job, &views, outlined),
        |entry| {
            entries.push(entry);
            Ok(())
        },
    )?;
    if entries.is_empty() {
        finish(update, out)?;
        return Ok((0, true));
    }
    let mut printed = Printed {
        job,
        views: &views,
        entries: &entries,
        budget,
        ladder: vec![],
    };
    let rungs = printed.climb()?;
    let best = rungs.iter().position(|&tokens| tokens <= budget);
    let rung = best.unwrap_or(rungs.len() - 1);
    let strict = job.arguments.budgeting.strict && rung > 0;
    let choices = match best {
        Some(0) => printed.uniform(0),
        Some(_) if !strict => printed.promote(rung, rungs[rung])?,
        _ => printed.uniform(rungs.len() - 1),
    };
    let (bytes, tokens) = printed.print(&choices, true)?;
    let bytes = match tokens > budget {
        true => printed.print(&choices, false)?.0,
        false => bytes,
    };
    out.write_all(&bytes)?;
    finish(update, out)?;
    if strict {
        refuse(job.messages, start.name());
    }
    Ok((entries.len(), !strict))
}

/// One file in all views; none where a filter leaves nothing of it.
fn entry(job: &Job<'_>, views: &[View], outlined: &Outlined) -> Option<Entry> {
    let tokenizer = job.arguments.budgeting.counting.tokenizer;
    let mut blocks = vec![];
    for &view in views {
        let wish = Wish {
            budget: None,
            strict: false,
            ..job.wish(view)
        };
        let answer = job.fit(outlined, &wish)?;
        let separator: &[u8] = match job.json || view == View::Counts {
            true => b"",
            false => b"\n",
        };
        blocks.push([separator, &answer.bytes].concat());
    }
    let items = &outlined.outline.items;
    let exported = items.iter().filter(|item| item.exported).count() as u64;
    let path = shown(&outlined.path, job.typed);
    let folder = path.parent().unwrap_or(Path::new("")).to_string_lossy();
    Some(Entry {
        worth: 8 + 8 * u64::from((1 + exported).ilog2()),
        folder: folder.into_owned(),
        definitions: items.len(),
        costs: blocks.iter().map(|block| tokenizer.count(block)).collect(),
        blocks,
    })
}

impl Printed<'_> {
    /// Tokens of the answer with all files in each view, then counted by folder.
    fn climb(&mut self) -> io::Result<Vec<usize>> {
        let names = self.views.iter().map(|view| view.name()).chain(COARSE);
        self.ladder = names.map(|name| (name, 0)).collect();
        let mut rungs = vec![];
        for rung in 0..self.ladder.len() {
            let tokens = self.print(&self.uniform(rung), true)?.1;
            self.ladder[rung..]
                .iter_mut()
                .for_each(|known| known.1 = tokens);
            rungs.push(tokens);
        }
        Ok(rungs)
    }

    fn uniform(&self, rung: usize) -> Choices {
        Choices {
            rung,
            places: vec![rung.min(self.views.len()); self.entries.len()],
        }
    }

    /// Shows files finer while there is room.
    fn promote(&self, rung: usize, tokens: usize) -> io::Result<Choices> {
        let base = rung.min(self.views.len());
        let cost = |entry: &Entry, place: usize| entry.costs.get(place).map_or(0, |&cost| cost);
        let ways: Vec<Vec<Choice>> = self
            .entries
            .iter()
            .map(|entry| {
                let finer = (0..base).rev();
                let choice = |place| Choice {
                    cost: cost(entry, place)
                        .saturating_sub(cost(entry, place + 1))
                        .max(1) as u64,
                    worth: entry.worth,
                };
                finer.map(choice).collect()
            })
            .collect();
        let mut taken = spend(&ways, (self.budget - tokens) as u64);
        loop {
            let mut choices = self.uniform(rung);
            for &(object, way) in &taken {
                choices.places[object] = base - 1 - way;
            }
            // Costs are those of parts; where the whole is more than its parts, the last steps are taken back.
            if self.print(&choices, true)?.1 <= self.budget || taken.pop().is_none() {
                return Ok(choices);
            }
        }
    }

    /// The answer and its tokens.
    fn print(&self, choices: &Choices, fits: bool) -> io::Result<(Vec<u8>, usize)> {
        let job = self.job;
        let blocks = self.entries.iter().zip(&choices.places);
        let listed: Vec<&[u8]> = blocks
            .filter_map(|(entry, &place)| entry.blocks.get(place).map(Vec::as_slice))
            .collect();
        let counted = self.folders(choices);
        let mut declared = Declared {
            budget: Some(self.budget),
            fits,
            degraded: choices.rung > 0,
            menu: job.arguments.budgeting.strict,
            ladder: self.ladder.clone(),
            left_out: folders::left_out(&counted),
            ..job.wish(self.views[0]).declared()
        };
        let total = folders::Total {
            roots: self.roots(),
            files: self.entries.len(),
            definitions: self.entries.iter().map(|entry| entry.definitions).sum(),
            view: self.ladder[choices.rung].0,
        };
        let bytes = declared.settle(|out, declared| {
            if !job.json {
                folders::head(out, &total, declared)?;
            }
            listed.iter().try_for_each(|block| out.write_all(block))?;
            match job.json {
                true => folders::end(out, &total, &counted, declared),
                false if total.view == TOTAL => Ok(()),
                false => folders::lines(out, &counted),
            }
        })?;
        Ok((bytes, declared.tokens))
    }

    /// The files that are only counted, by folder as far as the rung says.
    fn folders(&self, choices: &Choices) -> Vec<folders::Counted> {
        let whole = choices.rung.saturating_sub(self.views.len());
        let common = self.common();
        let mut counted: Vec<folders::Counted> = vec![];
        let hidden = self.entries.iter().zip(&choices.places);
        for (entry, _) in hidden.filter(|(entry, place)| **place >= entry.blocks.len()) {
            let path = match whole {
                0 | 1 if entry.folder.is_empty() => ".".to_string(),
                0 => entry.folder.clone(),
                1 => truncated(&entry.folder, common + 1),
                _ => self.roots(),
            };
            let known = counted.iter_mut().find(|folder| folder.path == path);
            match known {
                Some(folder) => {
                    folder.files += 1;
                    folder.definitions += entry.definitions;
                }
                None => counted.push(folders::Counted {
                    command: match whole {
                        2.. => format!("ast-outline outline {path}"),
                        _ => format!("ast-outline outline {}", argument(&path)),
                    },
                    path,
                    files: 1,
                    definitions: entry.definitions,
                }),
            }
        }
        counted
    }

    /// How many folders all paths have in common.
    fn common(&self) -> usize {
        let mut folders = self.entries.iter().map(|entry| entry.folder.as_str());
        let first: Vec<&str> = folders.next().unwrap_or("").split('/').collect();
        folders.fold(first.len(), |common, folder| {
            let same = folder.split('/').zip(&first).take(common);
            same.take_while(|(a, b)| a == *b).count()
        })
    }

    /// The paths asked for, as they are typed again.
    fn roots(&self) -> String {
        let given = self.job.arguments.paths.iter();
        let given: Vec<String> = given
            .map(|path| argument(&path.to_string_lossy()))
            .collect();
        match given.is_empty() {
            true => ".".to_string(),
            false => given.join(" "),
        }
    }
}

fn truncated(folder: &str, parts: usize) -> String {
    let parts: Vec<&str> = folder.split('/').take(parts).collect();
    parts.join("/")
}
