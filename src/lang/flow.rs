//! Values in brackets, as JSON, YAML's flow style and TOML write them: finds the keys, reads nothing else.
//! One loop and a stack of frames, so depth costs nothing; whatever does not fit is skipped and told as a problem.
//!
//! A scanner and not a grammar, because files are cut off and half-edited: of 200 JSON files cut at random places, error
//! recovery of the grammar kept every complete key in 83, this one in all 200.
//! A text that turns out to be unbalanced is read again with `hints`: then the indentation of keys and closers tells which
//! bracket was left open.

mod hints;

use std::ops::Range;

use super::keys::{Key, Keys};
use crate::model::Trust;

/// Where the three notations differ.
pub struct Dialect {
    /// Between key and value.
    pub separator: u8,
    pub shown_separator: &'static str,
    /// End of the comment that begins at a byte.
    pub comment: fn(&[u8], usize) -> Option<usize>,
    /// The scalar (a key or a plain value) that begins at a byte.
    pub scalar: fn(&[u8], usize) -> Scalar,
    /// Name and pointer of a key as written.
    pub name: fn(&str) -> (String, String),
    /// A word that cannot be a value is a problem.
    pub is_value: fn(&[u8]) -> bool,
    /// A template's action begins here, which is part of a scalar.
    pub is_action: fn(&[u8], usize) -> bool,
    /// Flow style: keys without a value, `? key`, tags and anchors, brackets as keys.
    pub loose: bool,
}

/// A scalar in the text.
pub struct Scalar {
    pub end: usize,
    /// False where the closing quote is missing.
    pub closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The file itself: every value is a document.
    File,
    Object,
    Array,
    /// A key without brackets around it, inside of an array.
    Pair,
}

/// An open bracket.
struct Frame {
    kind: Kind,
    at: usize,
    /// Elements begun.
    number: u32,
    /// A key waits for its value.
    waits: bool,
    /// Keys there were when the bracket opened.
    keys: usize,
    /// Indentation of the line the bracket stands on.
    indent: usize,
    /// Indentation of the first entry on a line of its own.
    inner: Option<usize>,
}

/// What came of a value or a file.
pub struct Outcome {
    pub end: usize,
    /// False where the brackets do not match: worth another reading with `hints`.
    pub balanced: bool,
    /// The last bracket or quote is closed.
    pub closed: bool,
}

pub struct Flow<'k, 'a> {
    keys: &'k mut Keys<'a>,
    text: &'a [u8],
    dialect: &'static Dialect,
    hints: bool,
    frames: Vec<Frame>,
    /// Open objects and arrays, so that a closer without an opener is told at once.
    open: [usize; 2],
    /// End of the last token.
    end: usize,
    out: Outcome,
}

impl<'k, 'a> Flow<'k, 'a> {
    pub fn new(keys: &'k mut Keys<'a>, dialect: &'static Dialect, hints: bool) -> Flow<'k, 'a> {
        let text = keys.source.text();
        let out = Outcome {
            end: 0,
            balanced: true,
            closed: true,
        };
        Flow {
            keys,
            text,
            dialect,
            hints,
            frames: vec![],
            open: [0, 0],
            end: 0,
            out,
        }
    }

    /// Reads from `at` to the end: one document after the other.
    pub fn file(mut self, at: usize) -> Outcome {
        self.push(Kind::File, at);
        self.end = at;
        self.run(at);
        self.out
    }

    /// Reads the one value that begins at `at`.
    pub fn value(mut self, at: usize) -> Outcome {
        self.end = at;
        self.run(at);
        self.out
    }

    fn run(&mut self, mut at: usize) {
        loop {
            at = self.blanks(at);
            if at >= self.text.len() {
                self.unclosed(0);
                break;
            }
            if self.hints && self.outdented(at) {
                break;
            }
            at = self.token(at);
            if self.frames.is_empty() {
                break;
            }
        }
        self.out.end = self.end;
    }

    /// Takes up one token and gives its end.
    fn token(&mut self, at: usize) -> usize {
        let next = self.text.get(at + 1).copied();
        let blank = next.is_none_or(|byte| byte.is_ascii_whitespace());
        match self.text[at] {
            b'{' if (self.dialect.is_action)(self.text, at) => return self.scalar(at),
            b'{' => self.open(Kind::Object, at),
            b'[' => self.open(Kind::Array, at),
            b'}' => return self.close(Kind::Object, at),
            b']' => return self.close(Kind::Array, at),
            b',' => self.comma(at),
            b'?' if self.dialect.loose && blank => {}
            byte if byte == self.dialect.separator => {
                let separates = blank || next.is_some_and(|next| b",[]{}".contains(&next));
                return match self.dialect.loose && !separates {
                    true => self.scalar(at),
                    false => self.nameless(at),
                };
            }
            b'&' | b'!' if self.dialect.loose => return self.property(at),
            _ => return self.scalar(at),
        }
        self.end = self.end.max(at + 1);
        at + 1
    }

    fn scalar(&mut self, at: usize) -> usize {
        let Scalar { end, closed } = (self.dialect.scalar)(self.text, at);
        let end = end.max(at + 1);
        if !closed {
            self.keys.problem(at, "the closing quote is missing");
            self.out.balanced &= end < self.text.len();
            self.out.closed = false;
        }
        let separator = self.separator(end).filter(|_| !self.frames.is_empty());
        if let Some(separator) = separator {
            self.key(at..end, at..end);
            self.end = separator + 1;
            return separator + 1;
        }
        self.end = end;
        let lone = self
            .top()
            .is_some_and(|top| top.kind == Kind::Object && !top.waits);
        if lone && self.dialect.loose {
            self.key(at..end, at..end);
            self.value_ends(end, Trust::Whole);
            return end;
        }
        let quoted = matches!(self.text[at], b'"' | b'\'');
        if lone || !quoted && !(self.dialect.is_value)(&self.text[at..end]) {
            self.keys.problem(at, "does not parse");
        }
        if !lone {
            self.value_begins(at, false);
            let trust = if closed {
                Trust::Whole
            } else {
                Trust::Truncated
            };
            self.value_ends(end, trust);
        }
        end
    }

    /// The separator behind a key that ends at `end`.
    fn separator(&self, end: usize) -> Option<usize> {
        let mut at = end;
        loop {
            let byte = *self.text.get(at)?;
            if byte == self.dialect.separator {
                return Some(at);
            }
            at = if byte.is_ascii_whitespace() {
                at + 1
            } else {
                (self.dialect.comment)(self.text, at)?
            };
        }
    }

    fn key(&mut self, whole: Range<usize>, text: Range<usize>) {
        match self.top().map(|top| (top.kind, top.waits)) {
            Some((Kind::Array, waits)) => {
                if !waits {
                    self.value_begins(whole.start, true);
                }
                self.push(Kind::Pair, whole.start);
            }
            Some((_, true)) => {
                if !self.dialect.loose {
                    self.keys
                        .problem(whole.start, "the value before this key is missing");
                }
                self.keys.leave(self.end.min(whole.start), Trust::Whole);
            }
            _ => {}
        }
        let (name, path) = (self.dialect.name)(&self.keys.source.str(text.clone()));
        self.keys.key(Key {
            start: whole.start,
            text,
            name,
            path: &path,
            separator: self.dialect.shown_separator,
        });
        self.note_indent(whole.start);
        if let Some(top) = self.frames.last_mut() {
            top.waits = true;
        }
    }

    /// A separator without a key in front of it.
    fn nameless(&mut self, at: usize) -> usize {
        self.end = at + 1;
        if self.dialect.loose && !self.frames.is_empty() {
            self.key(at..at, at..at);
        } else {
            self.keys.problem(at, "does not parse");
        }
        at + 1
    }

    /// A tag or an anchor: part of the value behind it, or an empty value.
    fn property(&mut self, at: usize) -> usize {
        let end = at
            + self.text[at..]
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || b",[]{}".contains(byte))
                .unwrap_or(self.text.len() - at);
        let next = self.blanks(end);
        if matches!(self.text.get(next), None | Some(b',' | b']' | b'}')) {
            return self.scalar(at);
        }
        self.end = end;
        end
    }

    fn comma(&mut self, at: usize) {
        self.leave_waiting();
        self.end = self.end.max(at);
    }

    fn open(&mut self, kind: Kind, at: usize) {
        let lone = self
            .top()
            .is_some_and(|top| top.kind == Kind::Object && !top.waits);
        if lone && !self.dialect.loose {
            self.keys.problem(at, "does not parse");
        }
        self.value_begins(at, true);
        self.push(kind, at);
    }

    fn push(&mut self, kind: Kind, at: usize) {
        match kind {
            Kind::Object => self.open[0] += 1,
            Kind::Array => self.open[1] += 1,
            _ => {}
        }
        let indent = if self.hints { self.indent(at) } else { 0 };
        self.frames.push(Frame {
            kind,
            at,
            number: 0,
            waits: false,
            keys: self.keys.count(),
            indent,
            inner: None,
        });
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        match frame.kind {
            Kind::Object => self.open[0] -= 1,
            Kind::Array => self.open[1] -= 1,
            _ => {}
        }
        Some(frame)
    }

    /// Takes up a closer: what is open inside of its bracket was never closed.
    /// Gives the end of what was taken up.
    fn close(&mut self, kind: Kind, at: usize) -> usize {
        self.leave_waiting();
        let any = self.open[usize::from(kind == Kind::Array)] > 0;
        let depth = any.then(|| self.opener(kind, at)).flatten();
        let Some(depth) = depth.filter(|&depth| !self.goes_on(depth, at)) else {
            self.keys.problem(at, "nothing is open here");
            self.out.balanced = false;
            return at + 1;
        };
        self.unclosed(depth + 1);
        self.leave_waiting();
        let Some(frame) = self.pop() else {
            return at + 1;
        };
        self.end = at + 1;
        let can_be_key = |top: &Frame| match top.kind {
            Kind::Object => !top.waits,
            kind => kind == Kind::Array,
        };
        let can_be_key = self.dialect.loose && self.top().is_some_and(can_be_key);
        if let Some(separator) = self.separator(at + 1).filter(|_| can_be_key) {
            self.keys.forget(frame.keys);
            self.key(frame.at..at + 1, frame.at..at + 1);
            self.end = separator + 1;
            return separator + 1;
        }
        self.value_ends(at + 1, Trust::Whole);
        at + 1
    }

    /// Closes all brackets from `depth` on, which nothing in the text closes.
    fn unclosed(&mut self, depth: usize) {
        while self.frames.len() > depth {
            self.value_ends_once(self.end, Trust::Truncated);
            let Some(frame) = self.pop() else { return };
            if matches!(frame.kind, Kind::Object | Kind::Array) {
                self.keys.problem(frame.at, "this bracket is not closed");
                self.out.balanced = false;
                self.out.closed = false;
                self.value_ends_once(self.end, Trust::Truncated);
            } else if frame.kind == Kind::Pair {
                self.value_ends_once(self.end, Trust::Whole);
            }
        }
    }

    /// Closes the key that got no value.
    fn leave_waiting(&mut self) {
        if self.top().is_some_and(|top| top.waits) {
            self.value_ends(self.end, Trust::Whole);
        }
    }

    fn value_begins(&mut self, at: usize, scoped: bool) {
        self.note_indent(at);
        let Some(top) = self.frames.last_mut() else {
            self.keys.note_value(at);
            return;
        };
        match top.kind {
            // Behind a closer too many, lone words are no documents.
            Kind::File if !top.waits && (scoped || !self.hints) => self.keys.document(),
            Kind::Array => {
                if scoped {
                    self.keys.element(top.number);
                }
                top.number += 1;
            }
            _ if top.waits => self.keys.note_value(at),
            _ => {}
        }
        // A scalar needs no scope, but its end asks whether there is one.
        top.waits |= scoped && top.kind == Kind::Array;
    }

    /// Closes what a value that ends at `end` completes: its key or element, and a pair around that.
    fn value_ends(&mut self, end: usize, trust: Trust) {
        self.value_ends_once(end, trust);
        if self.top().is_some_and(|top| top.kind == Kind::Pair) {
            self.pop();
            self.value_ends_once(end, trust);
        }
    }

    fn value_ends_once(&mut self, end: usize, trust: Trust) {
        if let Some(top) = self.frames.last_mut().filter(|top| top.waits) {
            top.waits = false;
            self.keys.leave(end, trust);
        }
    }

    fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Skips white space and comments.
    fn blanks(&mut self, mut at: usize) -> usize {
        while let Some(byte) = self.text.get(at) {
            if byte.is_ascii_whitespace() {
                at += 1;
            } else if let Some(end) = (self.dialect.comment)(self.text, at) {
                let comment = &self.text[at..end];
                if comment.starts_with(b"/*") && !comment.ends_with(b"*/") {
                    self.keys.problem(at, "this comment is not closed");
                }
                self.keys.comment(at..end);
                at = end;
            } else {
                break;
            }
        }
        at
    }
}
