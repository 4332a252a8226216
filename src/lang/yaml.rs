//! YAML: block style by its indentation, brackets by the scanner of flow style.
//! A scanner and not a grammar, because much YAML is a template: in 443 chart templates with 16,414 keys the grammar found
//! not one. Lines that are nothing but a template's action are no YAML and count as blank; an action inside a scalar is
//! part of it. Anchors are not followed, tags are not read.

mod scalar;
mod value;

use super::flow::Dialect;
use super::keys::{Key, Keys};
use super::scan::{after_bom, line_end, with_hints};
use super::{Language, Reader};
use crate::model::{Outline, Trust};
use crate::source::Source;
use scalar::{
    action_end, bracket_end, comment, flow_scalar, is_action, is_blank, marker, name, next_line,
    plain, plain_value, quoted,
};

pub static YAML: Language = Language {
    name: "yaml",
    aliases: &["yml"],
    extensions: &["yaml", "yml"],
    file_names: &[".clang-format", ".clang-tidy"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(scan),
};

static FLOW: Dialect = Dialect {
    separator: b':',
    shown_separator: ": ",
    comment,
    scalar: |text, at| flow_scalar(text, at, false),
    name,
    is_value: |_| true,
    is_action: |text, at| action_end(text, at).is_some(),
    loose: true,
};

/// For texts in which something is left open: scalars end with their line.
static BROKEN_FLOW: Dialect = Dialect {
    scalar: |text, at| flow_scalar(text, at, true),
    ..FLOW
};

fn scan(source: &Source) -> Outline {
    with_hints(source, read)
}

fn read(source: &Source, hints: bool) -> (Outline, bool) {
    let mut reader = Reading {
        keys: Keys::new(source),
        text: source.text(),
        at: after_bom(source.text()),
        line: 0,
        blocks: vec![],
        in_document: false,
        end: 0,
        hints,
        balanced: true,
        open_end: false,
    };
    while reader.at < reader.text.len() {
        reader.line();
    }
    reader.dedent(None, false);
    (reader.keys.finish(reader.end), reader.balanced)
}

/// A mapping or a sequence that is still open.
struct Block {
    indent: usize,
    sequence: bool,
    /// A key or an element is open.
    entry: bool,
    /// `? key` was read, `: value` may follow.
    explicit: bool,
    /// Elements begun.
    number: u32,
}

struct Reading<'a> {
    keys: Keys<'a>,
    text: &'a [u8],
    at: usize,
    /// First byte of the line.
    line: usize,
    blocks: Vec<Block>,
    in_document: bool,
    /// End of the last token that was no comment.
    end: usize,
    hints: bool,
    balanced: bool,
    /// The value read last is not closed.
    open_end: bool,
}

impl Reading<'_> {
    /// Takes up what begins on the line at `at`, and moves to the line behind it.
    fn line(&mut self) {
        self.line = self.at;
        let at = self.blanks(self.at);
        let indent = at - self.line;
        if self.ends(at) {
            self.rest(at);
        } else if indent == 0 && self.text[at] == b'%' {
            self.at = next_line(self.text, at);
        } else if let Some(mark) = marker(self.text, at).filter(|_| indent == 0) {
            self.mark(mark, at + 3);
        } else if let Some(next) = self.action(at) {
            if action_end(self.text, at).is_none() {
                self.keys.problem(at, "this action is not closed");
            }
            self.at = next;
        } else {
            self.dedent(Some(indent), self.is_indicator(at, b'-'));
            self.node(at);
        }
    }

    /// `---` begins a document, `...` ends one.
    fn mark(&mut self, mark: u8, behind: usize) {
        self.dedent(None, false);
        self.in_document = mark == b'-';
        if self.in_document {
            self.keys.document();
        }
        self.end = behind;
        let at = self.blanks(behind);
        if self.ends(at) || mark == b'.' {
            self.rest(at);
        } else {
            self.inline(at);
        }
    }

    /// Closes the blocks that a line at this indentation ends; all of them at the end of a document.
    fn dedent(&mut self, indent: Option<usize>, dash: bool) {
        while let Some(top) = self.blocks.last() {
            let inside = indent.is_some_and(|indent| {
                top.indent < indent || top.indent == indent && (dash || !top.sequence)
            });
            if inside {
                break;
            }
            self.leave_entry();
            self.blocks.pop();
        }
    }

    fn leave_entry(&mut self) {
        if let Some(top) = self.blocks.last_mut().filter(|top| top.entry) {
            top.entry = false;
            let trust = match std::mem::take(&mut self.open_end) {
                true => Trust::Truncated,
                false => Trust::Whole,
            };
            self.keys.leave(self.end, trust);
        }
    }

    /// Reads the node that begins at `at`: indicators first, then a key or a value.
    fn node(&mut self, mut at: usize) {
        if !self.in_document {
            self.in_document = true;
            self.keys.document();
        }
        loop {
            let indent = at - self.line;
            if self.is_indicator(at, b'-') {
                self.element(at, indent);
            } else if self.is_indicator(at, b'?') {
                return self.explicit_key(at, indent);
            } else if self.is_indicator(at, b':') {
                self.explicit_value(at, indent);
            } else {
                return self.key_or_value(at, indent);
            }
            self.end = at + 1;
            at = self.blanks(at + 1);
            if self.ends(at) {
                return self.rest(at);
            }
        }
    }

    fn element(&mut self, at: usize, indent: usize) {
        self.block(at, indent, true);
        if let Some(top) = self.blocks.last_mut() {
            top.entry = true;
            self.keys.element(top.number);
            top.number += 1;
        }
    }

    /// Makes the block at this indentation the innermost, with no entry open.
    fn block(&mut self, at: usize, indent: usize, sequence: bool) {
        let same = |top: &&Block| top.indent == indent && top.sequence == sequence;
        if self.blocks.last().filter(same).is_some() {
            return self.leave_entry();
        }
        self.keys.note_value(at);
        self.blocks.push(Block {
            indent,
            sequence,
            entry: false,
            explicit: false,
            number: 0,
        });
    }

    /// `? key`: all that is indented under it is the key.
    fn explicit_key(&mut self, at: usize, indent: usize) {
        self.block(at, indent, false);
        let start = self.blanks(at + 1);
        let mut end = self.without_comment(start);
        let mut next = next_line(self.text, start);
        while next < self.text.len() {
            let first = self.blanks(next);
            if !self.ends(first) {
                if first - next <= indent {
                    break;
                }
                end = self.without_comment(first);
            }
            next = next_line(self.text, first);
        }
        self.open_key(at, start..end.max(start));
        if let Some(top) = self.blocks.last_mut() {
            top.explicit = true;
        }
        self.at = next_line(self.text, self.end.max(at));
    }

    /// `: value` under `? key`, or under nothing.
    fn explicit_value(&mut self, at: usize, indent: usize) {
        let top = self.blocks.last_mut();
        let explicit = top.filter(|top| top.explicit && top.indent == indent);
        if let Some(top) = explicit {
            top.explicit = false;
        } else {
            self.block(at, indent, false);
            self.open_key(at, at..at);
        }
    }

    fn key_or_value(&mut self, at: usize, indent: usize) {
        let (_, start) = self.properties(at);
        if self.ends(start) {
            return match self.is_stray(indent) {
                true => self.stray(at),
                false => self.inline(at),
            };
        }
        match self.implicit_key(start) {
            Some((end, colon)) => {
                self.block(at, indent, false);
                self.open_key(at, start..end);
                self.end = colon + 1;
                self.inline(self.blanks(colon + 1));
            }
            None if self.is_stray(indent) => self.stray(at),
            None => self.inline(at),
        }
    }

    /// What stands at the column of keys and is none belongs to nothing: a value is deeper than its key.
    fn is_stray(&self, indent: usize) -> bool {
        let top = self.blocks.last();
        top.is_some_and(|top| !top.sequence && top.indent == indent)
    }

    /// A word somebody is typing, mostly.
    fn stray(&mut self, at: usize) {
        self.leave_entry();
        if !is_action(self.text, at) {
            self.keys.problem(at, "does not parse");
        }
        self.end = plain_value(self.text, at).max(at + 1);
        self.rest(self.end);
    }

    /// End of the key at `at` and its colon, both on this line.
    fn implicit_key(&self, at: usize) -> Option<(usize, usize)> {
        let end = match self.text[at] {
            quote @ (b'"' | b'\'') => quoted(self.text, at, quote, true).end,
            b'[' | b'{' if !is_action(self.text, at) => bracket_end(self.text, at)?,
            b'|' | b'>' if self.is_block_scalar(at) => return None,
            _ => plain(self.text, at).0,
        };
        let colon = self.blanks(end);
        self.is_indicator(colon, b':').then_some((end, colon))
    }

    fn open_key(&mut self, start: usize, text: std::ops::Range<usize>) {
        let (name, path) = name(&self.keys.source.str(text.clone()));
        self.end = text.end.max(start + 1);
        self.keys.key(Key {
            start,
            text,
            name,
            path: &path,
            separator: ": ",
        });
        if let Some(top) = self.blocks.last_mut() {
            top.entry = true;
            top.explicit = false;
        }
    }

    /// Reads the value that begins at `at`, or nothing if the line ends there.
    fn inline(&mut self, at: usize) {
        if self.ends(at) {
            return self.rest(at);
        }
        self.keys.note_value(at);
        let (end, start) = self.properties(at);
        self.end = self.end.max(end);
        if self.ends(start) {
            return self.rest(start);
        }
        match self.text[start] {
            quote @ (b'"' | b'\'') => self.quoted(start, quote),
            b'[' | b'{' if !is_action(self.text, start) => self.flow(start),
            b'|' | b'>' if self.is_block_scalar(start) => self.block_scalar(start),
            _ => self.plain(start),
        }
    }

    /// End of the tags and anchors in front of a node, and its first byte.
    fn properties(&self, mut at: usize) -> (usize, usize) {
        let mut end = at;
        while matches!(self.text.get(at), Some(b'&' | b'!')) {
            let rest = &self.text[at..];
            let length = rest.iter().position(u8::is_ascii_whitespace);
            end = at + length.unwrap_or(rest.len());
            at = self.blanks(end);
        }
        (end, at)
    }

    /// If nothing but actions of a template stand from `at` to the end of a line, the line behind it. An action that
    /// somebody is typing ends with its line.
    fn action(&self, mut at: usize) -> Option<usize> {
        if is_action(self.text, at) && action_end(self.text, at).is_none() {
            return Some(next_line(self.text, at));
        }
        action_end(self.text, at)?;
        while let Some(end) = action_end(self.text, at) {
            at = self.blanks(end);
        }
        self.ends(at).then(|| next_line(self.text, at))
    }

    /// Moves to the next line; a comment on the way is taken up, anything else does not belong there.
    fn rest(&mut self, at: usize) {
        let at = self.blanks(at);
        if self.text.get(at) == Some(&b'#') {
            self.keys.comment(at..line_end(self.text, at));
        }
        self.at = next_line(self.text, at);
    }

    /// Nothing but a comment stands from here to the end of the line.
    fn ends(&self, at: usize) -> bool {
        matches!(self.text.get(at), None | Some(b'\n' | b'#'))
    }

    fn is_indicator(&self, at: usize, indicator: u8) -> bool {
        self.text.get(at) == Some(&indicator) && is_blank(self.text.get(at + 1))
    }

    fn blanks(&self, mut at: usize) -> usize {
        while matches!(self.text.get(at), Some(b' ' | b'\t' | b'\r')) {
            at += 1;
        }
        at
    }

    /// End of the text on the line of `at`, without a comment behind it.
    fn without_comment(&self, at: usize) -> usize {
        match self.text.get(at) {
            Some(&quote @ (b'"' | b'\'')) => quoted(self.text, at, quote, true).end,
            _ => plain_value(self.text, at),
        }
    }
}
