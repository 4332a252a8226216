//! JSON, with what its relatives allow: comments, trailing commas, JSON5's quotes and bare keys, one document a line.

use super::flow::{Dialect, Flow, Scalar};
use super::keys::{Keys, segment};
use super::scan::{after_bom, line_end, unescape, with_hints};
use super::{Language, Reader};
use crate::model::Outline;
use crate::source::Source;

pub static JSON: Language = Language {
    name: "json",
    aliases: &["jsonc", "jsonl", "json5", "ndjson"],
    extensions: &[
        "json",
        "jsonc",
        "jsonl",
        "ndjson",
        "json5",
        "geojson",
        "webmanifest",
        "ipynb",
    ],
    file_names: &[".babelrc", ".eslintrc", "composer.lock", "Pipfile.lock"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(scan),
};

static DIALECT: Dialect = Dialect {
    separator: b':',
    shown_separator: ": ",
    comment,
    scalar,
    name: |text| {
        let name = unquote(text);
        let path = segment(&name);
        (name, path)
    },
    is_value,
    is_action: |_, _| false,
    loose: false,
};

fn scan(source: &Source) -> Outline {
    with_hints(source, read)
}

fn read(source: &Source, hints: bool) -> (Outline, bool) {
    let mut keys = Keys::new(source);
    let start = after_bom(source.text());
    let outcome = Flow::new(&mut keys, &DIALECT, hints).file(start);
    (keys.finish(outcome.end), outcome.balanced)
}

fn comment(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with(b"//") {
        return Some(line_end(text, at));
    }
    if rest.starts_with(b"/*") {
        let close = memchr::memmem::find(&rest[2..], b"*/");
        return Some(close.map_or(text.len(), |end| at + end + 4));
    }
    None
}

fn scalar(text: &[u8], at: usize) -> Scalar {
    match text[at] {
        quote @ (b'"' | b'\'') => string(text, at, quote),
        _ => Scalar {
            end: bare(text, at),
            closed: true,
        },
    }
}

/// A string without its closing quote ends with its line: that keeps the lines below it readable.
fn string(text: &[u8], start: usize, quote: u8) -> Scalar {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1 + usize::from(text.get(at + 1) == Some(&b'\r')),
            b'\n' => break,
            _ if byte == quote => {
                return Scalar {
                    end: at + 1,
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

fn bare(text: &[u8], start: usize) -> usize {
    let ends = |&at: &usize| {
        text[at].is_ascii_whitespace()
            || b",:{}[]\"'".contains(&text[at])
            || comment(text, at).is_some()
    };
    (start..text.len()).find(ends).unwrap_or(text.len())
}

fn is_value(word: &[u8]) -> bool {
    matches!(
        word,
        b"true"
            | b"false"
            | b"null"
            | b"NaN"
            | b"Infinity"
            | b"-Infinity"
            | b"+Infinity"
            | b"undefined"
    ) || word[0].is_ascii_digit()
        || b"+-.".contains(&word[0])
}

fn unquote(text: &str) -> String {
    let quotes = ['"', '\''];
    match text.strip_prefix(quotes) {
        Some(inner) => unescape(inner.strip_suffix(quotes).unwrap_or(inner)),
        None => unescape(text),
    }
}
