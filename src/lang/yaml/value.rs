//! YAML's values: how far each reaches, over how many lines.

use super::super::flow::Flow;
use super::super::scan::line_end;
use super::scalar::{is_action, marker, next_line, plain_value, quoted};
use super::{BROKEN_FLOW, FLOW, Reading};

impl Reading<'_> {
    pub(super) fn quoted(&mut self, at: usize, quote: u8) {
        let mut scalar = quoted(self.text, at, quote, self.hints);
        if !scalar.closed && self.hints {
            // Where some quote is not closed, indentation tells which: the others may still go on over lines.
            let longer = quoted(&self.text[..self.outside(at)], at, quote, false);
            if longer.closed {
                scalar = longer;
            }
        }
        if !scalar.closed {
            self.balanced = false;
            self.open_end = true;
            self.keys.problem(at, "the closing quote is missing");
        }
        self.end = scalar.end;
        self.rest(scalar.end);
    }

    /// The first line below that is not deeper than the keys around: no scalar goes on there.
    fn outside(&self, at: usize) -> usize {
        let parent = self.blocks.last().map(|top| top.indent);
        let mut next = next_line(self.text, at);
        while next < self.text.len() {
            let first = self.blanks(next);
            let blank = self.text.get(first).is_none_or(|&byte| byte == b'\n');
            let indent = first - next;
            let ends = parent.is_some_and(|parent| indent <= parent)
                || indent == 0 && marker(self.text, first).is_some();
            if !blank && ends {
                break;
            }
            next = next_line(self.text, first);
        }
        next
    }

    pub(super) fn flow(&mut self, at: usize) {
        let dialect = if self.hints { &BROKEN_FLOW } else { &FLOW };
        let outcome = Flow::new(&mut self.keys, dialect, self.hints).value(at);
        self.balanced &= outcome.balanced;
        self.open_end = !outcome.closed;
        self.end = outcome.end;
        self.rest(outcome.end);
    }

    /// A plain scalar goes on over deeper lines, as long as they do not look like keys.
    pub(super) fn plain(&mut self, at: usize) {
        let parent = self.blocks.last().map(|top| top.indent);
        self.end = plain_value(self.text, at);
        let mut next = next_line(self.text, self.end);
        let mut goes_on = !is_action(self.text, at) && self.plain_goes_on(self.end);
        while goes_on && next < self.text.len() {
            let first = self.blanks(next);
            if self.text.get(first).is_some_and(|&byte| byte != b'\n') {
                let indent = first - next;
                let outside = parent.is_some_and(|parent| indent <= parent)
                    || self.text[first] == b'#'
                    || indent == 0 && marker(self.text, first).is_some();
                if outside || is_action(self.text, first) || self.implicit_key(first).is_some() {
                    break;
                }
                self.end = plain_value(self.text, first);
                goes_on = self.plain_goes_on(self.end);
            }
            next = next_line(self.text, first);
        }
        self.rest(self.end);
    }

    /// No comment stands behind a plain scalar.
    fn plain_goes_on(&self, end: usize) -> bool {
        let at = self.blanks(end);
        self.text.get(at).is_none_or(|&byte| byte == b'\n')
    }

    /// `|` and `>` with their indicators, and nothing else on the line.
    pub(super) fn is_block_scalar(&self, at: usize) -> bool {
        let mut behind = at + 1;
        while self
            .text
            .get(behind)
            .is_some_and(|byte| b"+-0123456789".contains(byte))
        {
            behind += 1;
        }
        self.ends(self.blanks(behind))
    }

    pub(super) fn block_scalar(&mut self, at: usize) {
        let header_end = line_end(self.text, at);
        let header = &self.text[at..header_end];
        let marks = header.split(|&byte| byte == b' ' || byte == b'#').next();
        self.end = at + marks.map_or(1, <[u8]>::len).max(1);
        let digit = marks.and_then(|marks| marks.iter().find(|byte| byte.is_ascii_digit()));
        let parent = self.blocks.last().map(|top| top.indent);
        let mut content = digit.map(|digit| parent.unwrap_or(0) + usize::from(digit - b'0'));
        let behind = self.blanks(self.end);
        if self.text.get(behind) == Some(&b'#') {
            self.keys.comment(behind..header_end);
        }
        self.at = next_line(self.text, at);
        let mut next = self.at;
        while next < self.text.len() {
            self.line = next;
            let first = self.blanks(next);
            let indent = first - next;
            let blank = self.text.get(first).is_none_or(|&byte| byte == b'\n');
            let least = content.unwrap_or(parent.map_or(0, |parent| parent + 1));
            if !blank && indent < least {
                // An action at the margin inside of the text; what follows it decides.
                match self.action(first) {
                    Some(behind) => next = behind,
                    None => break,
                }
                continue;
            }
            if !blank && indent == 0 && marker(self.text, first).is_some() {
                break;
            }
            next = next_line(self.text, first);
            if !blank {
                content.get_or_insert(indent);
                let line = line_end(self.text, first);
                self.end = first + self.text[first..line].trim_ascii_end().len();
                self.at = next;
            }
        }
    }
}
