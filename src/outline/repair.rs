//! The outline of a file that does not parse: what brackets and indentation show to be missing is put into a copy, what
//! belongs to nothing is taken out, and the copy is kept if it parses better; then lines that still do not parse are left
//! out, if what is around them reads better without. What was hurt is marked, lines and bytes are those of the file. Files
//! that parse without error never come here.

mod edit;
mod ends;
mod lines;
mod tail;

use std::collections::HashSet;

use super::brackets::{self, Edit, Layout, Manner, Orphans, Why};
use super::parse::{self, Reading, cost};
use super::{Limits, memory, read};
use crate::lang::Grammar;
use crate::lang::lex::{self, Mark};
use crate::model::{ItemId, Lines, Outline, Problem, ProblemKind, Trust};
use crate::source::Source;
use edit::{apply, map_back};

/// Edits beyond which a rewritten text is not mended: real damage takes one to four.
const MOST_EDITS: usize = 6;

/// Parses that are spent on one file; the last of them hardly ever help.
const MOST_PARSES: usize = 24;

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
        tried: vec![vec![]],
        parses: 0,
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
    /// Edits to that text.
    tried: Vec<Vec<Edit>>,
    best: Attempt,
    parses: usize,
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
            self.mend_original(&original);
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
        let layout = Layout::new(self.text, marks, self.grammar.lexis);
        for manner in manners() {
            if !self.may_go_on() {
                return;
            }
            let edits = layout.mend(manner);
            if self.grammar.hooks.rewrite.is_none() || doubtful(&edits) <= MOST_EDITS {
                self.attempt(edits);
            }
        }
    }

    /// The same with the file itself: what is broken can have been taken for a macro and be gone from the rewritten text.
    fn mend_original(&mut self, marks: &[Mark]) {
        let layout = Layout::new(self.source.text(), marks, self.grammar.lexis);
        let mut tried = vec![vec![]];
        for manner in manners() {
            if !self.may_go_on() {
                break;
            }
            let edits = layout.mend(manner);
            if !tried.contains(&edits) && doubtful(&edits) <= MOST_EDITS {
                self.read_with(&edits);
                tried.push(edits);
            }
        }
        self.tried.extend(tried);
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
        let few = self.tried.iter().filter(|edits| edits.len() <= MOST_ALONE);
        for edit in few.flatten() {
            if !some.contains(edit) {
                some.push(edit.clone());
            }
        }
        for edit in some.into_iter().take(MOST_ALONE) {
            if !self.best.edits.contains(&edit) {
                self.attempt(brackets::with(&self.best.edits, edit));
            }
        }
    }

    /// Whether another way may be tried out: to run into the limits would lose all.
    fn may_go_on(&self) -> bool {
        self.best.cost > 0
            && self.parses < MOST_PARSES
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

    /// Reads the file with edits made if one parse tells that they help; most that do not are macros, which no bracket mends.
    /// Edits that leave the cost as it is can let more macros be read.
    fn attempt(&mut self, edits: Vec<Edit>) {
        if !self.may_go_on() || self.tried.contains(&edits) {
            return;
        }
        if self.cost_with(&edits) <= self.best.cost {
            self.read_with(&edits);
        }
        self.tried.push(edits);
    }

    /// What the text costs with edits made.
    fn cost_with(&mut self, edits: &[Edit]) -> usize {
        self.parses += 1;
        parse::cost_of(&apply(self.text, edits), self.grammar)
    }

    /// Reads the file with edits made, and keeps that if it is the best so far.
    fn read_with(&mut self, edits: &[Edit]) {
        self.parses += 1;
        let copy = self.source.with_text(apply(self.source.text(), edits));
        let (reading, mut outline) = read(&copy, self.grammar, self.limits);
        let cost = cost(&reading.tree);
        // To leave out a definition is no gain, nor is rewriting that takes whole definitions for macros: what is left then
        // fits well.
        let best = &self.best;
        let fewer = best.outline.items.len().saturating_sub(outline.items.len());
        let gain = cost + self.effort(edits) + fewer * ITEM < best.cost + self.effort(&best.edits);
        if cost < best.cost && gain {
            map_back(&mut outline, self.source, &copy, edits);
            self.best = Attempt {
                cost,
                edits: edits.to_vec(),
                places: parse::places(&reading.tree),
                outline,
            };
        }
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

/// The likeliest way to take what can be taken in several.
const LIKELIEST: Manner = Manner {
    eager: "",
    orphans: Orphans::Open,
    tight: false,
};

/// All ways, the likeliest first.
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
