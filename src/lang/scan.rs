//! What the scanners of data and documents share: entries, problems, escapes, ends of lines. Knows no syntax.

use std::ops::Range;

use super::conflicts::{conflicts, without_markers};
use crate::model::{Item, Kind, Lines, Outline, Problem, ProblemKind};
use crate::source::Source;

/// Problems told one by one.
const MAX_PROBLEMS: usize = 50;

/// An entry that is no code, at these bytes, on top and without members.
pub fn entry(source: &Source, kind: Kind, name: String, bytes: Range<usize>) -> Item {
    let lines = lines_of(source, &bytes);
    Item::new(kind, name, lines, bytes.start as u32..bytes.end as u32)
}

pub fn lines_of(source: &Source, bytes: &Range<usize>) -> Lines {
    Lines {
        start: source.line_at(bytes.start as u32),
        end: source.line_at(bytes.end.max(bytes.start + 1) as u32 - 1),
    }
}

/// Adds a problem, as long as there are not too many to be read.
pub fn problem(outline: &mut Outline, kind: ProblemKind, lines: Lines, message: &str) {
    let message = match outline.problems.len() {
        count if count > MAX_PROBLEMS => return,
        MAX_PROBLEMS => "more problems from here on",
        _ => message,
    };
    outline.problems.push(Problem {
        kind,
        lines,
        message: message.to_string(),
    });
}

/// Reads a text whose brackets or quotes do not match once more, with the indentation as a guide to what was left open.
/// `read` says whether they match.
pub fn with_hints(source: &Source, read: fn(&Source, bool) -> (Outline, bool)) -> Outline {
    without_markers(source, conflicts(source.text()), b' ', |source| {
        let (outline, balanced) = read(source, false);
        if balanced {
            outline
        } else {
            read(source, true).0
        }
    })
}

/// The first byte behind a byte order mark.
pub fn after_bom(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    }
}

/// End of the line of byte `at`, before its LF.
pub fn line_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at.min(text.len())..];
    at + rest
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(rest.len())
}

/// The text of a quoted scalar's inside: the escapes of JSON, JSON5, YAML and TOML, which do not contradict each other.
/// Unknown ones stand for the character behind the backslash.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits = match rest.clone().next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => 0,
        };
        if digits > 0 {
            rest.next();
            let code = hex(&mut rest, digits);
            out.push(joined(code, &mut rest));
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('a') => out.push('\u{7}'),
            Some('v') => out.push('\u{b}'),
            Some('e') => out.push('\u{1b}'),
            Some('0') => out.push('\0'),
            Some('N') => out.push('\u{85}'),
            Some('_') => out.push('\u{a0}'),
            Some('L') => out.push('\u{2028}'),
            Some('P') => out.push('\u{2029}'),
            Some('\r' | '\n') => {
                let kept = rest.as_str().trim_start();
                rest = kept.chars();
            }
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

/// Reads up to `most` hex digits.
fn hex(rest: &mut std::str::Chars<'_>, most: usize) -> u32 {
    let mut code = 0;
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(16)) else {
            break;
        };
        rest.next();
        code = code << 4 | digit;
    }
    code
}

/// A code point, or the one that two surrogates make.
fn joined(code: u32, rest: &mut std::str::Chars<'_>) -> char {
    if !(0xd800..0xdc00).contains(&code) || !rest.as_str().starts_with("\\u") {
        return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = rest.clone();
    ahead.nth(1);
    let low = hex(&mut ahead, 4);
    if !(0xdc00..0xe000).contains(&low) {
        return char::REPLACEMENT_CHARACTER;
    }
    *rest = ahead;
    char::from_u32(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00))
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}
