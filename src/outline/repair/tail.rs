//! A file that is cut off: what stands behind its last separator is half a thing, and with that left out the closers that are
//! missing can be put in.

use super::super::brackets::{Edit, Layout, Why, settle, with};
use super::{LIKELIEST, Mending};
use crate::lang::lex::{Mark, MarkKind};

/// Places a text is cut back to.
const MOST_CUTS: usize = 6;

impl Mending<'_> {
    /// Leaves out the end of a text that ends with something open.
    pub(super) fn cut_back(&mut self, marks: &[Mark]) {
        let Some(&Mark { at: end, .. }) = marks.last() else {
            return;
        };
        let at_end =
            |edits: &Vec<Edit>| matches!(edits.last(), Some(Edit::Insert { at, .. }) if *at == end);
        if self.grammar.lexis.semicolons && !self.text[..end].ends_with(b"}") {
            for text in [";", " {}"] {
                let text = text.to_string();
                let mut edits = self.best.edits.clone();
                // In front of the closers that are put in there.
                edits.insert(0, Edit::Insert { at: end, text });
                settle(&mut edits);
                self.attempt(edits);
            }
        }
        if !self.tried.iter().any(at_end) {
            return;
        }
        for from in cuts(self.text, marks, end) {
            let kept = marks.iter().take_while(|mark| mark.at < from).copied();
            let mut kept: Vec<Mark> = kept.collect();
            let at = self.text[..from].trim_ascii_end().len();
            kept.push(Mark {
                at,
                kind: MarkKind::End,
            });
            let layout = Layout::new(self.text, &kept, self.grammar.lexis);
            let edits = layout.mend(LIKELIEST);
            let (len, why) = (end - from, Why::Broken);
            let edits = with(&edits, Edit::Blank { at: from, len, why });
            let with_body = with_body(&edits, at);
            self.attempt(edits);
            with_body.into_iter().for_each(|edits| self.attempt(edits));
        }
    }
}

/// Where a text may be cut back to, the longest rest first: behind a separator, a statement, a line.
fn cuts(text: &[u8], marks: &[Mark], end: usize) -> Vec<usize> {
    let brackets = marks.iter().rev().filter_map(|mark| match mark.kind {
        MarkKind::Open(_) | MarkKind::Close(_) => Some(mark.at),
        _ => None,
    });
    let bracket = brackets.clone().next().map_or(0, |at| at + 1);
    let brace = brackets.clone().find(|&at| matches!(text[at], b'{' | b'}'));
    let brace = brace.map_or(0, |at| at + 1);
    let behind = |from: usize, separators: &[u8]| {
        let found = text[from..end]
            .iter()
            .rposition(|byte| separators.contains(byte));
        found.map_or(from, |at| from + at + 1)
    };
    let lines = marks
        .iter()
        .rev()
        .filter(|mark| matches!(mark.kind, MarkKind::Line { .. }));
    let mut lines = lines.map(|mark| mark.at);
    let statement = behind(brace, b";");
    let mut cuts = vec![behind(bracket, b",;"), statement];
    cuts.extend(lines.by_ref().take(2));
    cuts.extend(
        brackets
            .filter(|&at| at + 1 < statement && text[at] == b'{')
            .map(|at| at + 1)
            .take(1),
    );
    cuts.retain(|&from| from < end);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.reverse();
    cuts.truncate(MOST_CUTS);
    cuts
}

/// The same edits with a body in place of the semicolon that ends a head at a place.
pub fn with_body(edits: &[Edit], place: usize) -> Option<Vec<Edit>> {
    let mut edits = edits.to_vec();
    let text = edits.iter_mut().find_map(|edit| match edit {
        Edit::Insert { at, text } if *at == place => Some(text),
        _ => None,
    })?;
    let semicolon = text.find(';')?;
    text.replace_range(semicolon..=semicolon, " {}");
    Some(edits)
}
