//! What indentation tells of a text whose brackets do not match: which of them were left open. Asked only on the second
//! reading of such a text.

use super::{Flow, Frame, Kind};

/// Brackets searched outwards for the one that an indentation belongs to; more would cost the square of the depth.
const MAX_INDENTED: usize = 100;

impl Flow<'_, '_> {
    /// Depth of the bracket a closer belongs to: the innermost of its kind, or the one its indentation tells.
    pub(super) fn opener(&self, kind: Kind, at: usize) -> Option<usize> {
        if let Some(column) = self.line_indent(at) {
            let level = |frame: &Frame| frame.kind == kind && frame.indent == column;
            if let Some(depth) = self.innermost(level) {
                return Some(depth);
            }
            let innermost = self.top()?;
            let beyond = innermost.inner.is_some_and(|inner| column >= inner);
            if beyond && column > innermost.indent {
                return None;
            }
        }
        self.frames.iter().rposition(|frame| frame.kind == kind)
    }

    /// Indentation tells that brackets were left open: the entry at `at` stands where those of an outer bracket stand.
    /// True if nothing is left to read.
    pub(super) fn outdented(&mut self, at: usize) -> bool {
        let closer = matches!(self.text[at], b'}' | b']' | b',');
        let Some(column) = self.line_indent(at).filter(|_| !closer) else {
            return false;
        };
        let Some(top) = self.top() else {
            return false;
        };
        if self.frames[0].kind != Kind::File && column <= self.frames[0].indent {
            self.unclosed(0);
            return true;
        }
        let within = match top.inner {
            Some(inner) => column >= inner,
            None => column > top.indent,
        };
        let level = |frame: &Frame| {
            frame
                .inner
                .is_some_and(|inner| inner == column && inner > frame.indent)
        };
        let depth = match top.kind {
            Kind::File => None,
            _ => self.innermost(level).filter(|_| !within),
        };
        if let Some(depth) = depth {
            self.unclosed(depth + 1);
        }
        false
    }

    /// A comma behind the closer of a whole document: it is one too many, the document goes on.
    pub(super) fn goes_on(&self, depth: usize, at: usize) -> bool {
        let next = || {
            self.text[at + 1..]
                .iter()
                .find(|byte| !byte.is_ascii_whitespace())
        };
        self.hints && depth == 1 && self.frames[0].kind == Kind::File && next() == Some(&b',')
    }

    /// The innermost bracket that fits, not looking farther out than anyone indents.
    fn innermost(&self, fits: impl Fn(&Frame) -> bool) -> Option<usize> {
        let near = self.frames.len().saturating_sub(MAX_INDENTED);
        let found = self.frames[near..].iter().rposition(fits);
        found.map(|depth| near + depth)
    }

    /// Remembers how far the entries of this bracket are indented.
    pub(super) fn note_indent(&mut self, at: usize) {
        let indent = self.line_indent(at);
        if let Some(top) = self.frames.last_mut() {
            top.inner = top.inner.or(indent);
        }
    }

    /// Indentation of the line of byte `at`.
    pub(super) fn indent(&self, at: usize) -> usize {
        let line = self.keys.source.line_at(at as u32);
        let text = self.keys.source.line(line);
        text.iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
    }

    /// The same, if `at` is the first byte on its line that is not blank and hints are wanted.
    fn line_indent(&self, at: usize) -> Option<usize> {
        if !self.hints {
            return None;
        }
        let line = self.keys.source.line_at(at as u32);
        let column = at - self.keys.source.line_start(line) as usize;
        (self.indent(at) == column).then_some(column)
    }
}
