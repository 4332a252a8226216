//! What was found, as it is printed: bodies first, with source where they are few. Knows no budget.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;

use super::Holder;
use super::tied::Tied;
use crate::cache::Session;
use crate::cli::{self, SymbolView};
use crate::commands::evidence::{Evidence, remember_shown};
use crate::commands::is_stdin;
use crate::model::{Item, ItemId, Lines};
use crate::outline::folds::folds;
use crate::outline::path::Fit;
use crate::render::Declared;
use crate::render::excerpt::{Around, Detail, Excerpt, Fold, Options, Provenance, Reached};
use crate::tokens::Tokenizer;

/// Up to this many matches are printed with their source where nobody says how much; of more, the signatures.
const MOST_WITH_SOURCE: usize = 3;

/// Finest first; the last only where there are several matches.
pub const LADDER: [&str; 7] = [
    "full",
    "folded",
    "members",
    "docs",
    "signatures",
    "pointer",
    "counts",
];
pub const FULL: usize = 0;
pub const FOLDED: usize = 1;
pub const MEMBERS: usize = 2;
pub const DOCS: usize = 3;
pub const SIGNATURE: usize = 4;
pub const POINTER: usize = 5;
pub const COUNTS: usize = 6;

pub const SCHEMA: &str = "ast-outline.symbol/1";

/// How answers are printed.
#[derive(Clone, Copy)]
pub struct Printing<'a> {
    pub arguments: &'a cli::Symbol,
    pub json: bool,
    pub options: &'a Options,
    pub evidence: &'a Evidence,
    /// What says who calls a definition, where that is asked for.
    pub tied: Option<&'a Tied>,
    pub session: Option<&'a Session>,
}

/// A definition that answers.
pub struct Match<'a> {
    pub holder: &'a Holder,
    fit: Fit,
    pub id: ItemId,
    pointer: Option<String>,
    /// The bodies inside that are worth folding, in order.
    pub folds: Vec<Fold<'a>>,
    around: Option<Around>,
    /// Where it stood when the same was given before.
    pub given: Option<Lines>,
}

impl<'a> Match<'a> {
    pub fn item(&self) -> &'a Item {
        &self.holder.outline.items[self.id as usize]
    }

    pub fn is_file(&self, printing: &Printing<'_>) -> bool {
        printing.arguments.reading.stdin_path.is_none() && !is_stdin(&self.holder.opened.path)
    }

    /// What it shows at a rung; of the folds, the `most` longest are folded.
    pub fn detail(&self, rung: usize, most: usize) -> Detail<'a> {
        if let Some(lines) = self.given {
            return Detail::Given(lines);
        }
        match rung {
            FULL => Detail::Text,
            FOLDED if self.folds.is_empty() => Detail::Text,
            FOLDED => Detail::Folded(longest(&self.folds, most)),
            MEMBERS => Detail::Members(self.members()),
            DOCS => Detail::Docs,
            SIGNATURE => Detail::Signature,
            _ => Detail::Pointer,
        }
    }

    /// All that is defined inside, with how deep it stands.
    fn members(&self) -> Vec<(usize, &'a Item)> {
        let items = &self.holder.outline.items;
        let mut depths = vec![0];
        for item in &items[self.id as usize + 1..self.item().end as usize] {
            let parent = item.parent.unwrap_or(self.id) - self.id;
            depths.push(depths[parent as usize] + 1);
        }
        let all = depths.into_iter().zip(&items[self.id as usize..]);
        all.skip(1).collect()
    }

    /// How it was come to, where nobody named it.
    pub fn reached(&self) -> Option<&'a Reached> {
        self.holder.reached.get(&self.id)
    }

    /// Notes in the session that its text is shown.
    pub fn note(&self, printing: &Printing<'_>) {
        let (item, opened) = (self.item(), &self.holder.opened);
        if let (Some(session), Some(path)) = (printing.session, self.real_path(printing)) {
            let text = opened.source.slice(item.lines);
            session.show(&path, &item.qualname, text, item.lines);
        }
    }

    /// Where its text stood when it was given in the session before.
    fn given(&self, printing: &Printing<'_>) -> Option<Lines> {
        let again = printing.arguments.again || printing.arguments.view().is_some();
        let session = printing.session.filter(|_| !again)?;
        let (item, opened) = (self.item(), &self.holder.opened);
        let path = self.real_path(printing)?;
        session.shown(&path, &item.qualname, opened.source.slice(item.lines))
    }

    fn real_path(&self, printing: &Printing<'_>) -> Option<PathBuf> {
        let path = &self.holder.opened.path;
        self.is_file(printing)
            .then(|| std::fs::canonicalize(path).ok())?
    }

    pub fn excerpt<'e>(&'e self, detail: Detail<'e>, printing: &Printing<'_>) -> Excerpt<'e> {
        let item = self.item();
        let mut parents = vec![];
        let wanted = printing.arguments.with_parents;
        let mut parent = item.parent.filter(|_| wanted);
        while let Some(id) = parent {
            let item = &self.holder.outline.items[id as usize];
            parents.insert(0, item);
            parent = item.parent;
        }
        Excerpt {
            path: &self.holder.opened.path,
            language: Some(self.holder.language),
            source: &self.holder.opened.source,
            lines: item.lines,
            enclosing: Some(item),
            named: true,
            parents,
            provenance: Provenance {
                pointer: self.pointer.clone(),
                ..Provenance::default()
            },
            detail,
            is_file: self.is_file(printing),
            around: self.around.as_ref(),
            reached: self.reached(),
        }
    }

    /// Finds what is worth folding: what takes more tokens than the line that would stand for it.
    fn find_folds(&mut self, printing: &Printing<'_>, tokenizer: Tokenizer) {
        let (outline, source) = (&self.holder.outline, &self.holder.opened.source);
        let whole = self.excerpt(Detail::Text, printing);
        let fold = |(id, lines)| {
            let fold = Fold {
                item: &outline.items[id as usize],
                lines,
                tokens: tokenizer.count(source.slice(lines)),
            };
            (fold.tokens > line_tokens(&fold, &whole, tokenizer)).then_some(fold)
        };
        self.folds = folds(outline, source, self.id)
            .into_iter()
            .filter_map(fold)
            .collect();
    }
}

pub fn line_tokens(fold: &Fold<'_>, excerpt: &Excerpt<'_>, tokenizer: Tokenizer) -> usize {
    let mut line = vec![];
    let written = excerpt.fold(&mut line, fold);
    written.expect("a Vec takes every byte");
    tokenizer.count(&line)
}

/// The longest of some folds, in order.
pub fn longest<'a>(folds: &[Fold<'a>], most: usize) -> Vec<Fold<'a>> {
    let mut by_length: Vec<usize> = (0..folds.len()).collect();
    by_length.sort_by_key(|&at| (std::cmp::Reverse(folds[at].tokens), at));
    by_length.truncate(most);
    by_length.sort_unstable();
    by_length.into_iter().map(|at| folds[at]).collect()
}

/// All matches: bodies first.
pub fn matches<'a>(
    answers: &[&'a [Holder]],
    printing: &Printing<'_>,
    tokenizer: Option<Tokenizer>,
) -> Vec<Match<'a>> {
    let mut all = vec![];
    for holders in answers {
        let each = holders.iter().flat_map(|holder| {
            holder.hits.ids.iter().map(move |&id| Match {
                holder,
                fit: holder.hits.fit,
                id,
                pointer: None,
                folds: vec![],
                around: None,
                given: None,
            })
        });
        let mut found: Vec<Match> = each.collect();
        found.sort_by_key(|found| (found.fit, found.item().declaration));
        for holder in holders.iter().take(MOST_WITH_SOURCE) {
            let opened = &holder.opened;
            remember_shown(&opened.path, &opened.source, &printing.arguments.reading);
        }
        all.extend(found);
    }
    for found in &mut all {
        let opened = &found.holder.opened;
        let lines = found.item().lines;
        found.pointer = printing
            .evidence
            .pointer(&opened.path, &opened.source, lines);
        found.given = found.given(printing);
        if let Some(tied) = printing.tied {
            // What the index cannot tell is left out.
            found.around = tied.around(found.holder, found.id).ok().flatten();
        }
        if let Some(tokenizer) = tokenizer {
            found.find_folds(printing, tokenizer);
        }
    }
    all
}

/// Prints all matches of one question, however long.
///
/// # Errors
/// Those of the writer.
pub fn whole(out: &mut dyn Write, holders: &[Holder], printing: Printing<'_>) -> Result<()> {
    let arguments = printing.arguments;
    let tokenizer = arguments.budgeting.counting.tokenizer;
    let view = arguments.view();
    let folding = (view == Some(SymbolView::Folded)).then_some(tokenizer);
    let matches = matches(&[holders], &printing, folding);
    let expanded = matches
        .iter()
        .any(|found| found.reached().is_some_and(|reached| reached.depth > 0));
    let listed = view.is_none() && matches.len() > MOST_WITH_SOURCE && !expanded;
    let rung = match view {
        None if listed => SymbolView::Signatures as usize,
        view => view.map_or(FULL, |view| view as usize),
    };
    for (index, found) in matches.iter().enumerate() {
        let detail = found.detail(rung, found.folds.len());
        if detail == Detail::Text {
            found.note(&printing);
        }
        let rung = if found.given.is_some() { POINTER } else { rung };
        let excerpt = found.excerpt(detail, &printing);
        if printing.json {
            let mut declared = Declared::whole(view.map(name), tokenizer);
            declared.command = excerpt.own_command().filter(|_| listed);
            let line = |out: &mut Vec<u8>, declared: &Declared| excerpt.json(out, SCHEMA, declared);
            out.write_all(&declared.settle(line)?)?;
        } else {
            if index > 0 && is_block(rung) && !arguments.printing.raw {
                writeln!(out)?;
            }
            match view.filter(|view| *view != SymbolView::Full && is_block(rung)) {
                Some(view) => {
                    let declared = Declared::whole(Some(name(view)), tokenizer);
                    excerpt.text(out, printing.options, Some(&declared))?;
                }
                None => block(out, &excerpt, rung, printing.options)?,
            }
        }
    }
    Ok(())
}

pub fn name(view: SymbolView) -> &'static str {
    LADDER[view as usize]
}

/// Whether it has a header and lines of its own, and is not one line.
pub fn is_block(rung: usize) -> bool {
    rung <= SymbolView::Members as usize
}

pub fn block(
    out: &mut dyn Write,
    excerpt: &Excerpt<'_>,
    rung: usize,
    options: &Options,
) -> io::Result<()> {
    match is_block(rung) {
        true => excerpt.text(out, options, None),
        false => excerpt.line(out),
    }
}
