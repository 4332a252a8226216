//! Directives and the conditions in them, judged as an unconfigured compiler would.

use std::collections::HashMap;

/// Macros known to have a value, so that `#if` can be judged; what is not here counts as not defined.
pub type Values<'a> = HashMap<&'a [u8], i64>;

/// A condition in brackets deeper than this counts as false.
const MAX_DEPTH: u8 = 8;

/// The word behind `#` and what follows it.
pub fn directive(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.strip_prefix(b"#").unwrap_or(text).trim_ascii();
    let word = first_word(text);
    (word, text[word.len()..].trim_ascii())
}

pub fn first_word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| !super::lexer::is_word(byte));
    &text[..end.unwrap_or(text.len())]
}

pub fn is_number(condition: &[u8]) -> bool {
    number(without_comment(condition)).is_some()
}

fn without_comment(text: &[u8]) -> &[u8] {
    let comment = text
        .windows(2)
        .position(|pair| matches!(pair, b"//" | b"/*"));
    text[..comment.unwrap_or(text.len())].trim_ascii()
}

pub fn number(text: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(text)
        .ok()?
        .trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

pub fn truth_of(word: &[u8], condition: &[u8], values: &Values<'_>) -> bool {
    let defined = values.contains_key(first_word(condition));
    match word {
        b"ifdef" => defined,
        b"ifndef" => !defined,
        _ => truth(without_comment(condition), values, 0),
    }
}

/// Judges a condition in which all that is not known is 0.
fn truth(condition: &[u8], values: &Values<'_>, depth: u8) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let (or, and) = (split(condition, b"||"), split(condition, b"&&"));
    if or.len() > 1 {
        return or.iter().any(|part| truth(part, values, depth + 1));
    }
    if and.len() > 1 {
        return and.iter().all(|part| truth(part, values, depth + 1));
    }
    let condition = condition.trim_ascii();
    if let Some(rest) = condition
        .strip_prefix(b"!")
        .filter(|rest| !rest.starts_with(b"="))
    {
        return !truth(rest, values, depth + 1);
    }
    if let Some(inner) = condition
        .strip_prefix(b"(")
        .and_then(|rest| rest.strip_suffix(b")"))
    {
        return truth(inner, values, depth + 1);
    }
    if let Some(rest) = condition.strip_prefix(b"defined") {
        let name = rest.trim_ascii().trim_ascii_start();
        let name = name.strip_prefix(b"(").unwrap_or(name).trim_ascii();
        return values.contains_key(first_word(name));
    }
    compare(condition, values)
}

fn compare(condition: &[u8], values: &Values<'_>) -> bool {
    let value = |text: &[u8]| {
        let text = text.trim_ascii();
        let word = first_word(text);
        number(text)
            .or_else(|| (word.len() == text.len()).then(|| values.get(word).copied().unwrap_or(0)))
    };
    let Some(at) = condition
        .iter()
        .position(|byte| matches!(byte, b'<' | b'>' | b'=' | b'!'))
    else {
        return value(condition).is_some_and(|value| value != 0);
    };
    let (left, rest) = condition.split_at(at);
    let length = if rest.get(1) == Some(&b'=') { 2 } else { 1 };
    let (Some(left), Some(right)) = (value(left), value(&rest[length..])) else {
        return false;
    };
    match &rest[..length] {
        b"<" => left < right,
        b">" => left > right,
        b"<=" => left <= right,
        b">=" => left >= right,
        b"==" => left == right,
        b"!=" => left != right,
        _ => false,
    }
}

/// The parts between an operator outside of brackets.
fn split<'t>(text: &'t [u8], operator: &[u8; 2]) -> Vec<&'t [u8]> {
    let (mut parts, mut start, mut depth) = (vec![], 0, 0);
    for at in 0..text.len() {
        match text[at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ if depth == 0 && at >= start && text[at..].starts_with(operator) => {
                parts.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[start.min(text.len())..]);
    parts
}
