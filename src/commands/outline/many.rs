//! The outlines of several files within one budget: each as fine as all can be, then some finer by what they are worth. What
//! does not fit file by file is counted by folder, what does not fit by folder is counted.

use crate::render::outline_command;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;

use super::super::fitted::{Wish, refuse};
use super::super::shares::{Answer, Asked, Several, Shown, Thing, Way, share};
use super::super::{Outlined, shown};
use super::{Job, finish};
use crate::render::{Declared, argument, command, folders};
use crate::view::{LeftOut, Shape, View};
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

/// All files, which share a budget.
struct Files<'a> {
    job: &'a Job<'a>,
    entries: Vec<Entry>,
    things: Vec<Thing>,
    /// The names of the views, then [`COARSE`].
    names: Vec<&'static str>,
}

/// Answers about all files. How many there are, and whether they are shown as was asked.
pub fn answer(
    job: &Job<'_>,
    found: impl Iterator<Item = Found> + Send,
    budget: usize,
    out: &mut dyn Write,
) -> Result<(usize, bool)> {
    let requested = job.arguments.view.0;
    let start = requested.unwrap_or(View::Docs);
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
    let names = views.iter().map(|view| view.name()).chain(COARSE);
    let files = Files {
        job,
        things: entries.iter().map(thing).collect(),
        entries,
        names: names.collect(),
    };
    let asked = Asked {
        budgeting: &job.arguments.budgeting,
        requested: requested.map(View::name),
        start: 0,
        budget,
        strict: job.arguments.budgeting.strict,
    };
    let Answer { bytes, kept } = share(&files, &asked)?;
    out.write_all(&bytes)?;
    finish(update, out)?;
    if !kept {
        refuse(job.messages, start.name());
    }
    Ok((files.entries.len(), kept))
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
    let references = job.references(outlined).unwrap_or_default();
    let references: u64 = references.into_values().map(u64::from).sum();
    Some(Entry {
        worth: 8 + 8 * u64::from((1 + exported).ilog2() + (1 + references).ilog2()),
        folder: folder.into_owned(),
        definitions: items.len(),
        costs: blocks.iter().map(|block| tokenizer.count(block)).collect(),
        blocks,
    })
}

/// A file as it is counted, then in each view.
fn thing(entry: &Entry) -> Thing {
    let counted = Way {
        rung: entry.costs.len() + COARSE.len() - 1,
        tokens: 0,
        told: 0,
    };
    let views = entry.costs.iter().enumerate().rev();
    let listed = views
        .zip(1..)
        .map(|((rung, &tokens), told)| Way { rung, tokens, told });
    Thing {
        worth: entry.worth,
        ways: [counted].into_iter().chain(listed).collect(),
    }
}

impl Several for Files<'_> {
    fn ladder(&self) -> &[&'static str] {
        &self.names
    }

    fn things(&self) -> &[Thing] {
        &self.things
    }

    fn has_rung(&self, _: usize) -> bool {
        true
    }

    fn left_out(&self, ways: &[usize]) -> Vec<LeftOut> {
        let files = LeftOut {
            what: "files",
            count: ways.iter().filter(|&&way| way == 0).count(),
        };
        [files].into_iter().filter(|left| left.count > 0).collect()
    }

    fn is_ranked(&self) -> bool {
        self.job.references.is_some()
    }

    /// Each folder has its own.
    fn command(&self) -> Option<String> {
        None
    }

    fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, declared: &Declared) -> io::Result<()> {
        let total = folders::Total {
            roots: self.roots(),
            files: self.entries.len(),
            definitions: self.entries.iter().map(|entry| entry.definitions).sum(),
            view: self.names[shown.rung],
        };
        let counted = self.folders(shown);
        if !self.job.json {
            folders::head(out, &total, declared)?;
        }
        for (at, &way) in shown.ways.iter().enumerate() {
            let block = self.entries[at].blocks.get(self.things[at].ways[way].rung);
            out.write_all(block.map_or(&[], Vec::as_slice))?;
        }
        match self.job.json {
            true => folders::end(out, &total, &counted, declared),
            false if total.view == TOTAL => Ok(()),
            false => folders::lines(out, &counted),
        }
    }
}

impl Files<'_> {
    /// The files that are only counted, by folder as far as the rung says.
    fn folders(&self, shown: &Shown<'_>) -> Vec<folders::Counted> {
        let coarse = shown.rung.saturating_sub(self.names.len() - COARSE.len());
        let common = self.common();
        let mut counted: Vec<folders::Counted> = vec![];
        let hidden = self.entries.iter().zip(shown.ways);
        for (entry, _) in hidden.filter(|(_, way)| **way == 0) {
            let path = match coarse {
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
                    command: match coarse {
                        2.. => command(&format!("outline {path}")),
                        _ => outline_command(&path),
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
