//! Tables of text: the columns of the header, and how many records follow.
//! Which character separates the fields is guessed from the first records; a field in quotes may hold any character.
//! A splitter of its own, because columns need the bytes they come from and a quote that is never closed must not swallow
//! the rest of the file unseen.

use std::ops::Range;

use super::conflicts::{conflicts, without_markers};
use super::scan::{after_bom, entry, problem};
use super::{Language, Reader};
use crate::model::{Kind, Lines, Outline, ProblemKind, Table};
use crate::source::Source;

pub static CSV: Language = Language {
    name: "csv",
    aliases: &[],
    extensions: &["csv"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(|source| scan(source, b',')),
};

pub static TSV: Language = Language {
    name: "tsv",
    aliases: &[],
    extensions: &["tsv", "tab"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(|source| scan(source, b'\t')),
};

/// In the order preferred when nothing else tells: the comma last, since text and decimals hold it.
const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];
/// Records and bytes a guess looks at.
const SAMPLE: usize = 20;
const SAMPLE_BYTES: usize = 1 << 16;

fn scan(source: &Source, usual: u8) -> Outline {
    let markers = conflicts(source.text());
    // A line end that ends no line makes no record.
    without_markers(source, markers, b'\r', |source| read(source, usual))
}

fn read(source: &Source, usual: u8) -> Outline {
    let text = source.text();
    let (start, stated) = preamble(text);
    let delimiter = stated.unwrap_or_else(|| guess(&text[start..], usual));
    let mut outline = Outline::default();
    let mut records = Records::new(text, delimiter, start);
    let mut fields = vec![];
    if records.next(&mut fields) {
        columns(source, &fields, &mut outline);
    }
    let mut rows = 0;
    while records.next(&mut fields) {
        rows += 1;
    }
    if let Some(at) = records.unclosed {
        let line = source.line_at(at as u32);
        let lines = Lines {
            start: line,
            end: line,
        };
        let message = "this quote is not closed; from here on quotes are read as text";
        problem(&mut outline, ProblemKind::Syntax, lines, message);
    }
    outline.table = Some(Table { rows, delimiter });
    outline
}

/// Where the table begins: behind a BOM and the line `sep=;` of spreadsheets, which states the delimiter.
fn preamble(text: &[u8]) -> (usize, Option<u8>) {
    let start = after_bom(text);
    let line = text[start..].split(|&byte| byte == b'\n').next();
    let line = line.unwrap_or_default();
    match line.trim_ascii_end() {
        [b's', b'e', b'p', b'=', delimiter] => {
            ((start + line.len() + 1).min(text.len()), Some(*delimiter))
        }
        _ => (start, None),
    }
}

/// The character of which the largest share of the first records have as many as the header, among those the header
/// has at all; of equals the one that gives more columns.
fn guess(text: &[u8], usual: u8) -> u8 {
    let text = &text[..text.len().min(SAMPLE_BYTES)];
    if usual == b'\t' && agreement(text, usual).1 > 1 {
        return usual;
    }
    let mut best = ((0, 1), usual);
    for delimiter in DELIMITERS {
        let (share, columns) = agreement(text, delimiter);
        if columns > 1 && (share, columns) > best.0 {
            best = ((share, columns), delimiter);
        }
    }
    best.1
}

/// How many of a thousand records have as many fields as the header, and how many that has.
fn agreement(text: &[u8], delimiter: u8) -> (usize, usize) {
    let mut records = Records::new(text, delimiter, 0);
    let (mut fields, mut columns, mut agreeing, mut all) = (vec![], 0, 0, 0);
    while all < SAMPLE && records.next(&mut fields) {
        if all == 0 {
            columns = fields.len();
        }
        all += 1;
        agreeing += usize::from(fields.len() == columns);
    }
    (agreeing * 1000 / all.max(1), columns)
}

fn columns(source: &Source, fields: &[Field], outline: &mut Outline) {
    let (Some(first), Some(last)) = (fields.first(), fields.last()) else {
        return;
    };
    let header = Lines {
        start: source.line_at(first.bytes.start as u32),
        end: source.line_at(last.bytes.end.max(first.bytes.start + 1) as u32 - 1),
    };
    for field in fields {
        let text = source.str(field.bytes.clone());
        let name = if field.quoted {
            unquote(&text)
        } else {
            text.to_string()
        };
        let mut item = entry(source, Kind::Column, name, field.bytes.clone());
        item.signature = match text.lines().collect::<Vec<_>>().join(" ") {
            empty if empty.is_empty() => "\"\"".to_string(),
            text => text,
        };
        item.lines = header;
        item.end = outline.items.len() as u32 + 1;
        outline.items.push(item);
    }
}

/// The value of a field that begins with a quote; text behind the closing quote is kept.
fn unquote(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut rest = &text[1..];
    loop {
        let Some((part, behind)) = rest.split_once('"') else {
            return name + rest;
        };
        name += part;
        match behind.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return name + behind.trim_end(),
        }
    }
}

struct Field {
    bytes: Range<usize>,
    quoted: bool,
}

/// Splits a text into records, tolerant of all it meets.
struct Records<'a> {
    text: &'a [u8],
    delimiter: u8,
    at: usize,
    /// Quotes mean something.
    quotes: bool,
    /// The quote that is never closed.
    unclosed: Option<usize>,
}

impl Records<'_> {
    fn new(text: &[u8], delimiter: u8, at: usize) -> Records<'_> {
        Records {
            text,
            delimiter,
            at,
            quotes: true,
            unclosed: None,
        }
    }

    /// Reads the next record that is not an empty line; false at the end.
    fn next(&mut self, fields: &mut Vec<Field>) -> bool {
        while matches!(self.text.get(self.at), Some(b'\r' | b'\n')) {
            self.at += 1;
        }
        fields.clear();
        if self.at >= self.text.len() {
            return false;
        }
        loop {
            let field = self.field();
            self.at = field.bytes.end;
            fields.push(field);
            if self.text.get(self.at) != Some(&self.delimiter) {
                return true;
            }
            self.at += 1;
        }
    }

    fn field(&mut self) -> Field {
        let start = self.at;
        if self.quotes && self.text.get(start) == Some(&b'"') {
            match self.quote_end(start) {
                // What stands behind the quote belongs to the field.
                Some(end) => {
                    return Field {
                        bytes: start..self.field_end(end),
                        quoted: true,
                    };
                }
                None => {
                    self.quotes = false;
                    self.unclosed = Some(start);
                }
            }
        }
        Field {
            bytes: start..self.field_end(start),
            quoted: false,
        }
    }

    fn field_end(&self, from: usize) -> usize {
        let ends = |&byte: &u8| byte == self.delimiter || byte == b'\n' || byte == b'\r';
        let rest = &self.text[from..];
        from + rest.iter().position(ends).unwrap_or(rest.len())
    }

    /// The byte behind the closing quote.
    fn quote_end(&self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        loop {
            at += self.text[at..].iter().position(|&byte| byte == b'"')? + 1;
            if self.text.get(at) != Some(&b'"') {
                return Some(at);
            }
            at += 1;
        }
    }
}
