//! The views of one file that a budget chooses from, for what it is and what is asked of it.

use std::ops::Range;

use super::{Filter, Level, Plan, View};
use crate::model::{Lines, Outline};

/// Records of a table shown with its columns.
const SAMPLE: u32 = 5;

/// What is asked of a file.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'a> {
    /// What it defines.
    Map,
    /// Its text, that of some definitions first.
    Text { focus: &'a [usize] },
    /// What changed in it: definitions, and lines that belong to none.
    Changes {
        changed: &'a [usize],
        lines: &'a [Lines],
    },
    /// The text of a format that nothing is known of.
    Plain,
    /// What somebody else wrote about it.
    Summary,
}

impl Shape<'_> {
    /// The views there are, finest first.
    pub fn views(self) -> &'static [View] {
        use View::{
            Changes, Counts, Docs, Ends, Focus, Full, List, Names, Signatures, Summary, Top,
        };
        match self {
            Shape::Text { focus: [_, ..] } => {
                &[Full, Focus, Docs, Signatures, Names, List, Top, Counts]
            }
            Shape::Map | Shape::Text { .. } => &[Full, Docs, Signatures, Names, List, Top, Counts],
            Shape::Changes { .. } => &[Changes, Docs, Signatures, Names, Counts],
            Shape::Plain => &[Full, Ends, Counts],
            Shape::Summary => &[Summary, Counts],
        }
    }

    /// The plan of one of them.
    pub fn plan(self, outline: &Outline, view: View, filter: &Filter) -> Plan {
        let mut plan = Plan::new(outline, view, filter);
        match self {
            Shape::Text { focus } if view == View::Focus => {
                focus
                    .iter()
                    .for_each(|&id| plan.show(outline, id, Level::Whole));
            }
            Shape::Text { .. } if view == View::Docs && outline.table.is_some() => {
                plan.excerpts = vec![Lines {
                    start: 1,
                    end: outline.lines.min(1 + SAMPLE),
                }];
            }
            Shape::Changes { changed, lines } => {
                plan.keep(outline, changed);
                // Those that changed are among the lines.
                plan.imports = false;
                if view == View::Changes {
                    changed
                        .iter()
                        .for_each(|&id| plan.show(outline, id, Level::Whole));
                    plan.excerpts = lines.to_vec();
                }
            }
            Shape::Plain if view == View::Ends && outline.lines > 2 => {
                let line = |line| Lines {
                    start: line,
                    end: line,
                };
                plan.excerpts = vec![line(1), line(outline.lines)];
            }
            _ => {}
        }
        plan
    }

    /// Whether a definition was asked for.
    pub fn asks_for(self, id: usize) -> bool {
        match self {
            Shape::Text { focus: ids } | Shape::Changes { changed: ids, .. } => ids.contains(&id),
            Shape::Map | Shape::Plain | Shape::Summary => false,
        }
    }
}

impl Plan {
    /// What is shown at a level with a definition: all that is in it, if that is a data model or the text.
    pub fn reach(&self, outline: &Outline, id: usize, level: Level) -> Range<usize> {
        match outline.items[id].data || level == Level::Whole {
            true => id..outline.items[id].end as usize,
            false => id..id + 1,
        }
    }

    /// Shows a definition at a level.
    pub fn show(&mut self, outline: &Outline, id: usize, level: Level) {
        let reach = self.reach(outline, id, level);
        self.levels[reach].fill(level);
    }

    /// Hides all but some definitions and what they stand in.
    fn keep(&mut self, outline: &Outline, kept: &[usize]) {
        let mut keep = vec![false; outline.items.len()];
        for &id in kept {
            keep[id] = true;
            let mut around = outline.items[id].parent;
            while let Some(id) = around.filter(|&id| !keep[id as usize]) {
                keep[id as usize] = true;
                around = outline.items[id as usize].parent;
            }
        }
        for (level, _) in self.levels.iter_mut().zip(keep).filter(|(_, keep)| !keep) {
            *level = Level::Hidden;
        }
        self.omitted.clear();
    }
}
