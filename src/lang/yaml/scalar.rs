//! YAML's scalars and what stands around them: where each ends, what a key's scalar says.

use super::super::flow::Scalar;
use super::super::keys::segment;
use super::super::scan::{line_end, unescape};

const MAX_ACTION: usize = 2048;

pub(super) fn is_blank(byte: Option<&u8>) -> bool {
    byte.is_none_or(u8::is_ascii_whitespace)
}

/// The first byte of `---` or `...` alone or in front of a blank.
pub(super) fn marker(text: &[u8], at: usize) -> Option<u8> {
    let mark = text.get(at..at + 3)?;
    let alone = is_blank(text.get(at + 3));
    (alone && (mark == b"---" || mark == b"...")).then_some(mark[0])
}

pub(super) fn next_line(text: &[u8], at: usize) -> usize {
    (line_end(text, at) + 1).min(text.len())
}

pub(super) fn is_action(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"{{") || text[at..].starts_with(b"{%")
}

/// End of the template's action that begins at `at`, if it has one. No action is longer than [`MAX_ACTION`] bytes, or a
/// text full of openers would cost the square of its length.
pub(super) fn action_end(text: &[u8], at: usize) -> Option<usize> {
    let close: &[u8] = match text.get(at..at + 2)? {
        b"{{" => b"}}",
        b"{%" => b"%}",
        _ => return None,
    };
    let inner = &text[at + 2..text.len().min(at + MAX_ACTION)];
    let length = memchr::memmem::find(inner, close)?;
    Some(at + length + 4)
}

/// The last byte of the braces at `at`: of a whole action, if it ends on its line, else of the run of openers.
fn braces(text: &[u8], at: usize) -> usize {
    let action = action_end(text, at).filter(|&end| !text[at..end].contains(&b'\n'));
    let run = || text[at..].iter().take_while(|&&byte| byte == b'{').count();
    action.unwrap_or_else(|| at + run()) - 1
}

/// A quoted scalar; with `one_line` it ends with its line at the latest.
pub(super) fn quoted(text: &[u8], start: usize, quote: u8, one_line: bool) -> Scalar {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\'' if quote == b'\'' && text.get(at + 1) == Some(&quote) => at += 1,
            b'\n' if one_line => break,
            b'{' => at = braces(text, at),
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

/// The byte behind the bracket that closes the one at `start`, if it is on the same line.
pub(super) fn bracket_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0);
    loop {
        match *text.get(at)? {
            b'\n' => return None,
            quote @ (b'"' | b'\'') => at = quoted(text, at, quote, true).end - 1,
            b'{' if is_action(text, at) => at = braces(text, at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// End of a plain scalar on its line, and whether a colon ended it.
pub(super) fn plain(text: &[u8], start: usize) -> (usize, bool) {
    let mut at = start;
    let mut colon = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => break,
            b'#' if at > start && is_blank(text.get(at - 1)) => break,
            b':' if is_blank(text.get(at + 1)) => {
                colon = true;
                break;
            }
            b'{' => at = braces(text, at),
            _ => {}
        }
        at += 1;
    }
    (start + text[start..at].trim_ascii_end().len(), colon)
}

/// End of a plain scalar where no key can stand: a colon is part of it.
pub(super) fn plain_value(text: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        let (end, colon) = plain(text, at);
        if !colon {
            return end.max(start);
        }
        at = at.max(end)
            + text[at.max(end)..]
                .iter()
                .position(|&byte| byte == b':')
                .unwrap_or(0)
            + 1;
    }
}

/// A scalar inside of brackets.
pub(super) fn flow_scalar(text: &[u8], start: usize, one_line: bool) -> Scalar {
    if let quote @ (b'"' | b'\'') = text[start] {
        return quoted(text, start, quote, one_line);
    }
    let ends_key = |byte: &u8| byte.is_ascii_whitespace() || b",[]{}".contains(byte);
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' if action_end(text, at).is_some() => at = braces(text, at),
            b'{' | b',' | b'[' | b']' | b'}' => break,
            b'\n' if one_line => match goes_on(text, at + 1) {
                Some(next) => {
                    at = next;
                    continue;
                }
                None => break,
            },
            b'#' if at > start && is_blank(text.get(at - 1)) => break,
            b':' if text.get(at + 1).is_none_or(ends_key) => break,
            _ => {}
        }
        at += 1;
    }
    Scalar {
        end: start + text[start..at].trim_ascii_end().len(),
        closed: true,
    }
}

/// Where the rest of a plain scalar begins on the next line inside of brackets, if that looks like nothing of its own.
fn goes_on(text: &[u8], line: usize) -> Option<usize> {
    let blank = text[line..].iter().take_while(|byte| is_blank(Some(byte)));
    let first = line + blank.count();
    let indicator = b"\"'[]{},-?#&*!|>%@`".contains(text.get(first)?);
    (!indicator && !plain(text, first).1).then_some(first)
}

pub(super) fn comment(text: &[u8], at: usize) -> Option<usize> {
    let begins = text[at] == b'#' && (at == 0 || is_blank(text.get(at - 1)));
    begins.then(|| line_end(text, at))
}

/// The value of a key's scalar: without quotes, escapes, properties and line breaks.
pub(super) fn name(text: &str) -> (String, String) {
    let mut text = text.trim();
    while text.starts_with(['&', '!']) {
        text = text
            .split_once(char::is_whitespace)
            .map_or("", |(_, rest)| rest.trim_start());
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let folded = lines.join(" ");
    let name = match folded.chars().next() {
        Some('"') => unescape(folded[1..].strip_suffix('"').unwrap_or(&folded[1..])),
        Some('\'') => {
            let inner = folded[1..].strip_suffix('\'').unwrap_or(&folded[1..]);
            inner.replace("''", "'")
        }
        Some('|' | '>') if lines.len() > 1 => lines[1..].join(" "),
        _ => folded,
    };
    let path = segment(&name);
    (name, path)
}
