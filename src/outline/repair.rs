//! The outline of a file that does not parse: what brackets and indentation show to be missing is put into a copy, what
//! belongs to nothing is taken out, and the copy is kept if it parses better; then lines that still do not parse are left
//! out, if what is around them reads better without. What was hurt is marked, lines and bytes are those of the file. Files
//! that parse without error never come here.

mod edit;
mod ends;
mod lines;
mod tail;

use std::collections::HashSet;

use super::brackets::{self, Edit, Manner, Orphans, Why};
use super::parse::{self, Reading, cost};
use super::{Limits, memory, read};
use crate::lang::Grammar;
use crate::lang::lex::{self, Mark};
use crate::model::{ItemId, Lines, Outline, Problem, ProblemKind, Trust};
use crate::source::Source;
use edit::{apply, map_back};

/// Edits beyond which a rewritten text is not mended: real damage takes one to four.
const MOST_EDITS: usize = 6;

/// Ways that are tried out at most; the last of them hardly ever help.
const MOST_TRIED: usize = 48;

/// Edits that are tried out one by one.
const MOST_ALONE: usize = 16;

/// What each definition counts that is no longer found.
const ITEM: usize = 2;

/// What each edit to a rewritten text but the first counts more.
const ANOTHER: usize = 12;

/// The best outline of `source`, which `first` has read with errors.
pub fn outline(
    source: &Source,
    grammar: &Grammar,
    limits: &Limits,
    first: &Reading,
    outline: Outline,
) -> Outline {
    let text = first.parsed.as_deref().unwrap_or(source.text());
    let unedited = cost(&first.tree);
    let mut mending = Mending {
        source,
        grammar,
        limits,
        text,
        tried: vec![(vec![], true)],
        best: Attempt {
            cost: unedited,
            edits: vec![],
            places: parse::places(&first.tree),
            outline,
        },
        work_at_first: memory::work_left(),
    };
    if limits.again {
        mending.run();
    }
    let mut outline = mending.best.outline;
    ends::pull_back(&mut outline.items, source, grammar);
    sort_problems(&mut outline.problems, source.lines().max(1));
    mark_damage(&mut outline);
    outline
}

/// One way to read the file.
struct Attempt {
    cost: usize,
    edits: Vec<Edit>,
    /// Where it does not parse.
    places: Vec<Lines>,
    outline: Outline,
}

struct Mending<'a> {
    source: &'a Source,
    grammar: &'a Grammar,
    limits: &'a Limits,
    /// What was parsed first: the file's text or a rewritten copy of it.
    text: &'a [u8],
    /// With whether the file was read so: what makes a rewritten text no better can let the file be rewritten better.
    tried: Vec<(Vec<Edit>, bool)>,
    best: Attempt,
    work_at_first: u64,
}

impl Mending<'_> {
    fn run(&mut self) {
        let lexis = self.grammar.lexis;
        let marks = lex::marks(self.text, lexis);
        if self.grammar.hooks.rewrite.is_some() {
            // Where brackets match, what does not parse is macros rather than somebody's typing, and no edit mends those.
            let original = lex::marks(self.source.text(), lexis);
            if brackets::all_match(&original) || brackets::all_match(&marks) {
                return;
            }
            self.mend(&marks);
            // What is broken can have been taken for a macro and be gone from the rewritten text.
            let text = std::mem::replace(&mut self.text, self.source.text());
            self.mend(&original);
            self.text = text;
        } else {
            self.mend(&marks);
        }
        self.give_bodies();
        self.cut_back(&marks);
        self.mend_some();
        self.leave_out_lines(&marks);
    }

    /// Makes all edits that brackets and indentation call for, in each manner.
    fn mend(&mut self, marks: &[Mark]) {
        for manner in manners() {
            let edits = brackets::mend(self.text, marks, self.grammar.lexis, manner);
            if self.grammar.hooks.rewrite.is_none() || doubtful(&edits) <= MOST_EDITS {
                self.attempt(edits);
            }
        }
    }

    /// What was closed as a call or a declaration may be the head of something that has to have a body.
    fn give_bodies(&mut self) {
        let edits = self.best.edits.clone();
        let closed = edits.iter().filter_map(|edit| match edit {
            Edit::Insert { at, text } if text.ends_with(");") => Some(*at),
            _ => None,
        });
        for place in closed {
            let with_body = tail::with_body(&self.best.edits, place);
            with_body.into_iter().for_each(|edits| self.attempt(edits));
        }
    }

    /// Makes each of the edits that were tried out by itself: one of them can be wrong where another is right.
    fn mend_some(&mut self) {
        let mut some: Vec<Edit> = vec![];
        let tried = self.tried.iter().map(|(edits, _)| edits);
        for edit in tried.filter(|edits| edits.len() <= MOST_ALONE).flatten() {
            if !some.contains(edit) {
                some.push(edit.clone());
            }
        }
        for edit in some.into_iter().take(MOST_ALONE) {
            let mut edits = self.best.edits.clone();
            if !edits.contains(&edit) {
                edits.push(edit);
                brackets::settle(&mut edits);
                self.attempt(edits);
            }
        }
    }

    /// Whether another way may be tried out: to run into the limits would lose all.
    fn may_go_on(&self) -> bool {
        self.best.cost > 0
            && self.tried.len() < MOST_TRIED
            && memory::work_left() > self.work_at_first / 2
    }

    /// What edits count beside what [`cost`] finds: to move a closer is no better than one place that does not parse. Where
    /// macros are about, a second edit is rather one of those.
    fn effort(&self, edits: &[Edit]) -> usize {
        let each = edits.iter().map(|edit| match edit {
            Edit::Insert { .. } => 1,
            Edit::Blank { why, len, .. } => match why {
                Why::Conflict => 1,
                Why::Stray => 7,
                Why::Broken => *len,
            },
        });
        let more = match self.grammar.hooks.rewrite {
            Some(_) => doubtful(edits).saturating_sub(1) * ANOTHER,
            None => 0,
        };
        each.sum::<usize>() + more
    }

    /// Reads the file with edits made, and keeps that if it is the best so far.
    fn attempt(&mut self, edits: Vec<Edit>) {
        let as_it_stands = std::ptr::eq(self.text, self.source.text());
        let rewritten = as_it_stands && self.grammar.hooks.rewrite.is_some();
        let mut tried = self.tried.iter();
        if !self.may_go_on() || tried.any(|(tried, read)| (*read || !rewritten) && *tried == edits)
        {
            return;
        }
        // One parse tells whether the edits help; most that do not are macros, which no bracket mends. Edits that leave
        // the cost as it is can let more macros be read.
        let better = || parse::cost_of(&apply(self.text, &edits), self.grammar) <= self.best.cost;
        let read_again = rewritten || better();
        if read_again {
            let copy = self.source.with_text(apply(self.source.text(), &edits));
            let (reading, mut outline) = read(&copy, self.grammar, self.limits);
            let cost = cost(&reading.tree);
            // To leave out a definition is no gain, nor is rewriting that takes whole definitions for macros: what is left
            // then fits well.
            let fewer = self
                .best
                .outline
                .items
                .len()
                .saturating_sub(outline.items.len());
            let before = self.best.cost + self.effort(&self.best.edits);
            let gain = cost + self.effort(&edits) + fewer * ITEM < before;
            if cost < self.best.cost && gain {
                map_back(&mut outline, self.source, &copy, &edits);
                self.best = Attempt {
                    cost,
                    edits: edits.clone(),
                    places: parse::places(&reading.tree),
                    outline,
                };
            }
        }
        self.tried.push((edits, read_again));
    }
}

/// How many of the edits are guesses.
fn doubtful(edits: &[Edit]) -> usize {
    let certain = |edit: &Edit| {
        matches!(
            edit,
            Edit::Blank {
                why: Why::Conflict,
                ..
            }
        )
    };
    edits.iter().filter(|edit| !certain(edit)).count()
}

/// All ways to take what can be taken in several, the likeliest first.
fn manners() -> impl Iterator<Item = Manner> {
    use Orphans::{Drop, Hide, Open};
    let orphans = [Open, Drop, Hide].into_iter();
    orphans.flat_map(|orphans| {
        ["", "([", "{", "([{"].into_iter().flat_map(move |eager| {
            [false, true].map(|tight| Manner {
                eager,
                orphans,
                tight,
            })
        })
    })
}

/// In source order; what is said of a line is said once. What was put in behind the last line belongs to that.
fn sort_problems(problems: &mut Vec<Problem>, last: u32) {
    for Problem { lines, .. } in problems.iter_mut() {
        (lines.start, lines.end) = (lines.start.min(last), lines.end.min(last));
    }
    problems.sort_by_key(|problem| (problem.lines.start, problem.lines.end));
    let mut said = HashSet::new();
    problems.retain(|Problem { lines, message, .. }| {
        said.insert((lines.start, lines.end, message.clone()))
    });
}

/// The innermost definition around an error is damaged, unless it is truncated already.
fn mark_damage(outline: &mut Outline) {
    let problems = outline.problems.iter();
    let mut lines: Vec<u32> = problems
        .filter(|problem| problem.kind == ProblemKind::Syntax)
        .map(|problem| problem.lines.start)
        .collect();
    lines.dedup();
    let mut innermost: Vec<Option<ItemId>> = vec![None; lines.len()];
    // Outer definitions come first; of siblings on one line, the first is taken.
    for (id, item) in outline.items.iter().enumerate() {
        let from = lines.partition_point(|&line| line < item.lines.start);
        let until = lines.partition_point(|&line| line <= item.lines.end);
        let around = innermost[from..until].iter_mut();
        around
            .filter(|around| **around == item.parent)
            .for_each(|around| *around = Some(id as ItemId));
    }
    for id in innermost.into_iter().flatten() {
        let item = &mut outline.items[id as usize];
        if item.trust == Trust::Whole {
            item.trust = Trust::Damaged;
        }
    }
}
