//! Forms that are right as they stand but that a grammar cannot read: made readable, in copies of equal length.

use super::conditions::{directive, first_word};
use super::lexer::{Lexeme, Token};
use super::words::{are_parameters, is_keyword};

/// `C::*`, read by the grammar as a scope without a name: the scope goes, the `*` stays.
pub fn member_pointers(text: &[u8], tokens: &[Token], out: &mut [u8]) {
    for at in 1..tokens.len() {
        let pointer = tokens.get(at + 1).is_some_and(|next| next.is(b'*'));
        if tokens[at].lexeme == Lexeme::Scope && pointer {
            let first = scope_start(text, tokens, at);
            blank(&mut out[tokens[first].start..tokens[at].end]);
        }
    }
}

/// `decltype(typename A::template b<T>(c))`: no expression the grammar stumbles over defines anything. And a built-in type
/// that it does not know for one.
pub fn computed_types(text: &[u8], tokens: &[Token], out: &mut [u8]) {
    let (mut depth, mut inside) = (0usize, None);
    for (at, token) in tokens.iter().enumerate() {
        match token.lexeme {
            Lexeme::Punct(b'(') => depth += 1,
            Lexeme::Punct(b')') => depth = depth.saturating_sub(1),
            Lexeme::Punct(b';' | b'{' | b'}') => (depth, inside) = (0, None),
            Lexeme::Word if inside.is_none() => match &text[token.range()] {
                b"decltype" => inside = Some((depth, at + 2)),
                b"wchar_t" => out[token.range()].copy_from_slice(b"char   "),
                _ => {}
            },
            _ => {}
        }
        if let Some((_, first)) = inside.filter(|&(outer, first)| depth == outer && at > first) {
            let range = tokens[first].start..token.start;
            if tokens[first - 1].is(b'(') && &text[range.clone()] != b"auto" {
                blank(&mut out[range.clone()]);
                out[range.start] = b'x';
            }
            inside = None;
        }
    }
}

/// The first token of the name that ends with the `::` at `last`.
fn scope_start(text: &[u8], tokens: &[Token], last: usize) -> usize {
    let (mut first, mut depth) = (last, 0);
    while let Some(before) = first.checked_sub(1) {
        let after_word = tokens[first].is_word();
        match tokens[before].lexeme {
            Lexeme::Punct(b'>') => depth += 1,
            Lexeme::Punct(b'<') if depth > 0 => depth -= 1,
            Lexeme::Punct(b';' | b'{' | b'}') => break,
            _ if depth > 0 => {}
            Lexeme::Word if !after_word && !is_keyword(&text[tokens[before].range()]) => {}
            Lexeme::Scope if after_word => {}
            _ => break,
        }
        first = before;
    }
    first
}

/// The text of `#define`: the grammar stumbles over comments in it and takes the lines behind them for code.
pub fn macro_texts(text: &[u8], tokens: &[Token], out: &mut [u8]) {
    for token in tokens
        .iter()
        .filter(|token| token.lexeme == Lexeme::Directive)
    {
        let (word, rest) = directive(&text[token.range()]);
        if word != b"define" {
            continue;
        }
        let name = first_word(rest).len();
        let parameters = match rest.get(name) {
            Some(b'(') => rest
                .iter()
                .position(|&byte| byte == b')')
                .map_or(0, |at| at + 1),
            _ => name,
        };
        let start = token.end - rest.len() + parameters.max(name);
        for at in start..token.end {
            let joins = out[at] == b'\\' && matches!(out.get(at + 1), Some(b'\n' | b'\r'));
            if !out[at].is_ascii_whitespace() && !joins {
                out[at] = b'x';
            }
        }
    }
}

/// Macros are definitions in whatever branch they stand: puts their lines back.
pub fn keep_definitions(text: &[u8], tokens: &[Token], out: &mut [u8]) {
    for token in tokens
        .iter()
        .filter(|token| token.lexeme == Lexeme::Directive)
    {
        if directive(&text[token.range()]).0 == b"define" {
            out[token.range()].copy_from_slice(&text[token.range()]);
        }
    }
}

/// `f OF((int a))`: a macro around the parameters of a prototype; only they stay. In `f(int a) ATTRIBUTE((x))` the
/// parameters stand in front.
pub fn wrapped_parameters(text: &[u8], tokens: &[Token], out: &mut [u8]) {
    let mut open = vec![];
    // Whether the list that was closed last holds a name and no parameters: `(f)`, `(*f)`.
    let mut name = false;
    for (at, token) in tokens.iter().enumerate() {
        match token.lexeme {
            Lexeme::Punct(b'(') => open.push((at, None, name)),
            Lexeme::Punct(b')') => {
                let Some((from, inner, behind_name)) = open.pop() else {
                    continue;
                };
                if let Some((_, outer, _)) = open.last_mut() {
                    *outer = Some((from, at));
                }
                let double = from > 1 && inner == Some((from + 1, at.wrapping_sub(1)));
                let ends = tokens
                    .get(at + 1)
                    .is_some_and(|next| matches!(next.lexeme, Lexeme::Punct(b';' | b',' | b')')));
                let named = double
                    && tokens[from - 1].is_word()
                    && !is_keyword(&text[tokens[from - 1].range()]);
                let declared = named
                    && match tokens[from - 2].lexeme {
                        Lexeme::Punct(b')') => {
                            behind_name || are_parameters(text, &tokens[from + 1..at])
                        }
                        lexeme => lexeme == Lexeme::Word,
                    };
                let word = |index: usize| &text[tokens[index].range()];
                let single = from > 0 && from + 2 == at && !is_keyword(word(from + 1));
                name = tokens[from + 1].is(b'*') || single && is_keyword(word(from - 1));
                if declared && ends {
                    blank(&mut out[tokens[from - 1].start..tokens[from].end]);
                    blank(&mut out[tokens[at].range()]);
                }
            }
            Lexeme::Punct(b';' | b'{' | b'}') => open.clear(),
            _ => {}
        }
    }
}

/// `#define X(a)` with nothing but blanks behind it, of which the grammar makes the next line its text.
pub fn is_ragged(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.last().is_some_and(|byte| matches!(byte, b' ' | b'\t'))
}

/// Gives such macros a text.
pub fn trim_definitions(out: &mut [u8]) {
    for line in out.split_mut(|&byte| byte == b'\n') {
        let rest = line.trim_ascii_start().strip_prefix(b"#").unwrap_or(b"");
        if rest.trim_ascii_start().starts_with(b"define") && is_ragged(line) {
            let end = line.strip_suffix(b"\r").unwrap_or(line).len();
            line[end - 1] = b'x';
        }
    }
}

/// Spaces for all but line ends.
pub fn blank(bytes: &mut [u8]) {
    for byte in bytes
        .iter_mut()
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
    {
        *byte = b' ';
    }
}
