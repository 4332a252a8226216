//! What a preprocessor would do to a text before a compiler reads it, done by halves: enough for a grammar to see the
//! definitions. Works on copies of equal length, so that every offset holds in the original; bytes in, bytes out.

mod branches;
mod conditions;
mod declarators;
mod gaps;
mod items;
mod lexer;
mod macros;
mod parameters;
mod sniff;
mod words;

use std::ops::Range;

use super::Rewrite;
use conditions::Values;
pub use sniff::is_cpp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    C,
    Cpp,
}

/// The text without what splits a construct and without macros, and beside it the text as it stands but for what no
/// compiler reads.
pub fn rewrite(text: &[u8], dialect: Dialect) -> Rewrite {
    let (dead, ragged) = features(text);
    let mut plain = text.to_vec();
    if dead {
        plain = blanked(
            text,
            &branches::blanked(text, &lexer::tokens(text), values(dialect), true),
        );
    }
    let split = branches::blanked(&plain, &lexer::tokens(&plain), values(dialect), false);
    let mut shown = blanked(&plain, &split);
    gaps::keep_definitions(&plain, &lexer::tokens(&plain), &mut shown);
    let tokens = lexer::tokens(&shown);
    let mut readable = shown.clone();
    gaps::macro_texts(&shown, &tokens, &mut readable);
    gaps::trim_definitions(&mut readable);
    match dialect {
        Dialect::C => gaps::wrapped_parameters(&shown, &tokens, &mut readable),
        Dialect::Cpp => {
            gaps::member_pointers(&shown, &tokens, &mut readable);
            gaps::computed_types(&shown, &tokens, &mut readable);
        }
    }
    let (parsed, attached, bodies) = macros::blank(
        &readable,
        &lexer::tokens(&readable),
        macros::defined(&shown, &tokens),
        dialect,
    );
    if ragged {
        gaps::trim_definitions(&mut plain);
    }
    Rewrite {
        shown,
        parsed,
        plain,
        attached,
        bodies,
    }
}

/// Whether a text has `#if 0` and its like, and definitions that the grammar misreads without an error.
fn features(text: &[u8]) -> (bool, bool) {
    let (mut dead, mut ragged) = (false, false);
    for line in text.split(|&byte| byte == b'\n') {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let condition = rest.strip_prefix(b"if").map(<[u8]>::trim_ascii_start);
        dead |= condition.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit));
        ragged |= rest.starts_with(b"define") && gaps::is_ragged(rest);
    }
    (dead, ragged)
}

fn values(dialect: Dialect) -> Values<'static> {
    let known: &[(&[u8], i64)] = match dialect {
        Dialect::C => &[(b"__STDC__", 1)],
        Dialect::Cpp => &[(b"__cplusplus", 202_002)],
    };
    known.iter().copied().collect()
}

fn blanked(text: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let mut out = text.to_vec();
    let mut ranges = ranges.to_vec();
    ranges.sort_by_key(|range| range.start);
    // Ranges nest as deep as the file says: no byte is written twice.
    let mut done = 0;
    for range in ranges {
        if range.end > done {
            gaps::blank(&mut out[range.start.max(done)..range.end]);
            done = range.end;
        }
    }
    out
}
