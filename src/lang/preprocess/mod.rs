//! What a preprocessor would do to a text before a compiler reads it, done by halves: enough for a grammar to see the
//! definitions. Works on copies of equal length, so that every offset holds in the original; bytes in, bytes out.

mod branches;
mod conditions;
mod declarators;
mod gaps;
mod items;
mod lexer;
mod macros;
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

/// Blanks `#if 0` and its like, text that no compiler reads, and mends what the grammar misreads without an error. None
/// where there is no such.
pub fn prepare(text: &[u8], dialect: Dialect) -> Option<Rewrite> {
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
    if !dead && !ragged {
        return None;
    }
    let mut shown = text.to_vec();
    if dead {
        shown = blanked(
            text,
            &branches::blanked(text, &lexer::tokens(text), values(dialect), true),
        );
    }
    let mut parsed = shown.clone();
    if ragged {
        gaps::trim_definitions(&mut parsed);
    }
    Some(Rewrite {
        shown,
        parsed,
        attached: vec![],
        bodies: vec![],
    })
}

/// The text without what splits a construct, and without macros.
pub fn rewrite(text: &[u8], dialect: Dialect) -> Rewrite {
    let split = branches::blanked(text, &lexer::tokens(text), values(dialect), false);
    let mut shown = blanked(text, &split);
    gaps::keep_definitions(text, &lexer::tokens(text), &mut shown);
    let tokens = lexer::tokens(&shown);
    let mut readable = shown.clone();
    gaps::macro_texts(&shown, &tokens, &mut readable);
    gaps::trim_definitions(&mut readable);
    match dialect {
        Dialect::C => gaps::wrapped_parameters(&shown, &tokens, &mut readable),
        Dialect::Cpp => gaps::member_pointers(&shown, &tokens, &mut readable),
    }
    let (parsed, attached, bodies) = macros::blank(&readable, &lexer::tokens(&readable), dialect);
    Rewrite {
        shown,
        parsed,
        attached,
        bodies,
    }
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
    for range in ranges {
        gaps::blank(&mut out[range.clone()]);
    }
    out
}
