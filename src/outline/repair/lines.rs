//! Lines that do not parse whatever is put in around them: an expression typed half, a head in the midst of arguments.
//! Each is ended or taken out of the copy by itself, and that stays if what is around it reads better.

use std::ops::Range;

use super::super::brackets::{Edit, Why, closer_of, with};
use super::Mending;
use crate::lang::lex::{Mark, MarkKind};
use crate::model::Lines;
use crate::source::Source;

/// Lines that are tried out in one round, each of which takes two parses, and rounds.
const MOST_LINES: usize = 12;
const MOST_ROUNDS: usize = 3;

impl Mending<'_> {
    /// Ends or leaves out lines as long as that helps.
    pub(super) fn leave_out_lines(&mut self, marks: &[Mark]) {
        let code = Code::new(self.source, marks);
        for _ in 0..MOST_ROUNDS {
            let before = self.best.cost;
            let lines = suspects(&self.best.places).into_iter();
            let whole = lines.filter_map(|line| code.whole(line));
            // The last line of a file that is cut off may be half a line.
            let whole = code.last().into_iter().chain(whole).take(MOST_LINES);
            let ways: Vec<_> = whole.flat_map(|line| self.ways(line)).collect();
            let mut costs = vec![];
            for edits in ways {
                if self.may_go_on() {
                    costs.push((self.cost_with(&edits), edits));
                }
            }
            let best = costs
                .into_iter()
                .min_by_key(|(cost, edits)| cost + self.effort(edits));
            let Some((_, edits)) = best.filter(|(cost, _)| *cost < before) else {
                return;
            };
            self.read_with(&edits);
            if self.best.cost == before {
                return;
            }
        }
    }

    /// The edits so far with a line ended by a semicolon, and with it left out.
    fn ways(&self, line: Range<usize>) -> Vec<Vec<Edit>> {
        let ended = Edit::Insert {
            at: line.end,
            text: ";".to_string(),
        };
        let blank = Edit::Blank {
            at: line.start,
            len: line.len(),
            why: Why::Broken,
        };
        let ended = self.grammar.lexis.semicolons.then_some(ended);
        // A field typed half is one; what looks like a function is often a statement out of place.
        let number = self.source.line_at(line.start as u32);
        let mut items = self.best.outline.items.iter();
        let field = items.any(|item| item.kind.is_value() && item.decl_line == number);
        let ways = ended.into_iter().chain((!field).then_some(blank));
        ways.map(|edit| with(&self.best.edits, edit)).collect()
    }
}

/// The lines near the first places that do not parse. The parser often sees only behind a line what is wrong with it, and
/// takes all before it for broken.
fn suspects(places: &[Lines]) -> Vec<u32> {
    let mut lines = vec![];
    for &Lines { start, end } in places.iter().take(8) {
        for line in [start, start.saturating_sub(1), end, end - 1, start + 1] {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The code of each line that has any, and whether its brackets match.
struct Code(Vec<Line>);

struct Line {
    number: u32,
    code: Range<usize>,
    open: Vec<u8>,
    whole: bool,
}

impl Code {
    fn new(source: &Source, marks: &[Mark]) -> Code {
        let mut lines: Vec<Line> = vec![];
        for &Mark { at, kind } in marks {
            let end = match kind {
                MarkKind::Line { after } => Some(after),
                MarkKind::End => Some(at),
                _ => None,
            };
            if let (Some(end), Some(line)) = (end, lines.last_mut()) {
                line.code.end = end;
                line.whole &= line.open.is_empty();
            }
            match (kind, lines.last_mut()) {
                (MarkKind::Line { .. }, _) => lines.push(Line {
                    number: source.line_at(at as u32),
                    code: at..at,
                    open: vec![],
                    whole: true,
                }),
                (MarkKind::Open(byte), Some(line)) => line.open.push(byte),
                (MarkKind::Close(byte), Some(line)) => {
                    line.whole &= line.open.pop().is_some_and(|open| closer_of(open) == byte);
                }
                _ => {}
            }
        }
        Code(lines)
    }

    fn last(&self) -> Option<Range<usize>> {
        self.0.last().map(|line| line.code.clone())
    }

    /// The code of a line whose brackets match.
    fn whole(&self, number: u32) -> Option<Range<usize>> {
        let found = self.0.binary_search_by_key(&number, |line| line.number);
        let line = &self.0[found.ok()?];
        line.whole.then(|| line.code.clone())
    }
}
