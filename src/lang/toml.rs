//! TOML: tables, dotted keys, and values in brackets by the shared scanner. A table is a key; the elements of an array of
//! tables are numbered, which is why this is a scanner: patterns on a tree cannot count what stood before.

use std::collections::HashMap;
use std::ops::Range;

use super::flow::{Dialect, Flow, Scalar};
use super::keys::{Key, Keys, segment};
use super::scan::{after_bom, line_end, unescape, with_hints};
use super::{Language, Reader};
use crate::model::{Outline, Trust};
use crate::source::Source;

pub static TOML: Language = Language {
    name: "toml",
    aliases: &[],
    extensions: &["toml"],
    file_names: &["Cargo.lock", "poetry.lock", "uv.lock"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(scan),
};

static DIALECT: Dialect = Dialect {
    separator: b'=',
    shown_separator: " = ",
    comment,
    scalar,
    name,
    is_value: |word| word[0].is_ascii_alphanumeric() || b"+-".contains(&word[0]),
    is_action: |_, _| false,
    loose: false,
};

fn scan(source: &Source) -> Outline {
    with_hints(source, read)
}

fn read(source: &Source, hints: bool) -> (Outline, bool) {
    let text = source.text();
    let mut reader = Reading {
        keys: Keys::new(source),
        text,
        at: after_bom(text),
        end: 0,
        elements: HashMap::new(),
        in_table: false,
        hints,
        balanced: true,
    };
    while reader.blanks() {
        if text[reader.at] == b'[' {
            reader.table();
        } else {
            reader.pair();
        }
    }
    reader.leave_table();
    (reader.keys.finish(reader.end), reader.balanced)
}

struct Reading<'a> {
    keys: Keys<'a>,
    text: &'a [u8],
    at: usize,
    /// End of the last pair or header.
    end: usize,
    /// For each array of tables, how many there were.
    elements: HashMap<String, u32>,
    in_table: bool,
    hints: bool,
    balanced: bool,
}

impl Reading<'_> {
    /// Skips to the next header or pair; false at the end.
    fn blanks(&mut self) -> bool {
        while let Some(&byte) = self.text.get(self.at) {
            if byte == b'#' {
                let end = line_end(self.text, self.at);
                self.keys.comment(self.at..end);
                self.at = end;
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return true;
            }
        }
        false
    }

    /// `[a.b]` or `[[a.b]]`, up to the end of its line.
    fn table(&mut self) {
        let start = self.at;
        let double = self.text.get(start + 1) == Some(&b'[');
        let from = spaces(self.text, start + 1 + usize::from(double));
        let scalar_end = scalar(self.text, from).end.max(from);
        let name_end = line_end(&self.text[..scalar_end], from);
        self.leave_table();
        let closer: &[u8] = if double { b"]]" } else { b"]" };
        let close = spaces(self.text, name_end);
        let closed = self.text[close..].starts_with(closer);
        if !closed {
            self.keys.problem(start, "this table's name is not closed");
        }
        let end = if closed {
            close + closer.len()
        } else {
            name_end
        };
        let (name, _) = name(&self.keys.source.str(from..name_end));
        let path = self.table_path(from..name_end, double);
        self.keys.key(Key {
            start,
            text: start..end,
            name,
            path: &path,
            separator: "",
        });
        self.in_table = true;
        self.end = end;
        self.rest(end);
    }

    /// The pointer of a table, with the numbers of the elements on its way.
    fn table_path(&mut self, name: Range<usize>, double: bool) -> String {
        let name = self.keys.source.str(name).into_owned();
        let parts = parts(&name);
        let mut path = String::new();
        for (number, part) in parts.iter().enumerate() {
            path += &segment(part);
            let last = number + 1 == parts.len();
            if double && last {
                let count = self.elements.entry(path.clone()).or_insert(0);
                *count += 1;
            }
            if let Some(count) = self.elements.get(&path) {
                path += &format!("/{}", count - 1);
            }
        }
        path
    }

    fn leave_table(&mut self) {
        if std::mem::take(&mut self.in_table) {
            self.keys.leave(self.end, Trust::Whole);
        }
    }

    /// `key = value`, up to the end of its line.
    fn pair(&mut self) {
        let start = self.at;
        let end = scalar(self.text, start).end.max(start + 1);
        let equals = spaces(self.text, end);
        if self.text.get(equals) != Some(&b'=') {
            self.keys.problem(start, "does not parse");
            self.at = line_end(self.text, start);
            return;
        }
        let (name, path) = name(&self.keys.source.str(start..end));
        self.keys.key(Key {
            start,
            text: start..end,
            name,
            path: &path,
            separator: " = ",
        });
        let value = spaces(self.text, equals + 1);
        if matches!(self.text.get(value), None | Some(b'\r' | b'\n' | b'#')) {
            self.keys.problem(equals, "the value is missing");
            self.end = equals + 1;
            self.keys.leave(self.end, Trust::Truncated);
            return self.rest(value);
        }
        let outcome = Flow::new(&mut self.keys, &DIALECT, self.hints).value(value);
        self.balanced &= outcome.balanced;
        self.end = outcome.end;
        let trust = if outcome.closed {
            Trust::Whole
        } else {
            Trust::Truncated
        };
        self.keys.leave(outcome.end, trust);
        self.rest(outcome.end);
    }

    /// Goes on behind what must be the end of a line.
    fn rest(&mut self, at: usize) {
        let behind = spaces(self.text, at);
        self.at = behind;
        if !matches!(self.text.get(behind), None | Some(b'\r' | b'\n' | b'#')) && behind > at {
            self.keys.problem(behind, "does not parse");
            self.at = line_end(self.text, behind);
        }
    }
}

fn spaces(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

fn comment(text: &[u8], at: usize) -> Option<usize> {
    (text[at] == b'#').then(|| line_end(text, at))
}

/// A value that is not in brackets, or a key: parts joined by dots.
fn scalar(text: &[u8], start: usize) -> Scalar {
    let mut at = start;
    loop {
        match text.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let string = string(text, at, quote);
                at = string.end;
                if !string.closed {
                    return string;
                }
            }
            _ => at = word_end(text, at, b"."),
        }
        let dot = spaces(text, at);
        if text.get(dot) != Some(&b'.') {
            break;
        }
        at = spaces(text, dot + 1);
    }
    // `1979-05-27 07:32:00`
    let date =
        at - start == 10 && text[start..at].iter().filter(|&&byte| byte == b'-').count() == 2;
    if date && text.get(at) == Some(&b' ') && text.get(at + 1).is_some_and(u8::is_ascii_digit) {
        return scalar_from(text, start, word_end(text, at + 1, b""));
    }
    scalar_from(text, start, at)
}

fn scalar_from(text: &[u8], start: usize, end: usize) -> Scalar {
    let end = start + text[start..end].trim_ascii_end().len();
    Scalar { end, closed: true }
}

fn word_end(text: &[u8], start: usize, also: &[u8]) -> usize {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace() || b",=[]{}#\"'".contains(byte) || also.contains(byte)
    };
    let rest = &text[start.min(text.len())..];
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// A string; one quote is closed on its line, three anywhere.
fn string(text: &[u8], start: usize, quote: u8) -> Scalar {
    let long = text[start..].starts_with(&[quote; 3]);
    let mut at = start + if long { 3 } else { 1 };
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => break,
            _ if byte != quote => {}
            _ if !long => {
                return Scalar {
                    end: at + 1,
                    closed: true,
                };
            }
            _ if text[at..].starts_with(&[quote; 3]) => {
                // Up to two quotes may stand in front of the closing three.
                let more = text[at + 3..]
                    .iter()
                    .take(2)
                    .take_while(|&&byte| byte == quote);
                return Scalar {
                    end: at + 3 + more.count(),
                    closed: true,
                };
            }
            _ => {}
        }
        at += 1;
    }
    let end = start + text[start..at.min(text.len())].trim_ascii_end().len();
    Scalar { end, closed: false }
}

/// The last part of a key, and the pointer of all its parts.
fn name(text: &str) -> (String, String) {
    let mut parts = parts(text);
    let path = parts.iter().map(|part| segment(part)).collect();
    (parts.pop().unwrap_or_default(), path)
}

/// The parts of a dotted key, unquoted.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![];
    let mut rest = text.trim();
    loop {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (part, behind) = match quote {
            Some(quote) => {
                let scalar = string(rest.as_bytes(), 0, quote as u8);
                let (part, behind) = rest.split_at(scalar.end);
                let inner = part[1..].strip_suffix(quote).unwrap_or(&part[1..]);
                let part = if quote == '"' {
                    unescape(inner)
                } else {
                    inner.to_string()
                };
                (part, behind)
            }
            None => {
                let (part, behind) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
                (part.trim().to_string(), behind)
            }
        };
        parts.push(part);
        match behind.trim_start().strip_prefix('.') {
            Some(behind) => rest = behind.trim_start(),
            None => return parts,
        }
    }
}
