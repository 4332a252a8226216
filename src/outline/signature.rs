//! The signature of a definition: its source text from behind the decorators to its body or value, on one line.

use tree_sitter::Node;

use crate::lang::Draft;
use crate::lang::fold::{fold, fold_range};
use crate::lang::rules::{Role, Rules};
use crate::model::Kind;
use crate::source::Source;

/// Longest value shown in full, in characters.
const MAX_VALUE: usize = 60;
/// Longest aliased type shown in full, in characters.
const MAX_ALIAS: usize = 160;

/// `top` is the outermost node that belongs to the definition, `start` its first byte or that of text in front that is
/// in no tree; decorators and comments inside are left out.
pub fn signature(
    source: &Source,
    rules: &Rules,
    draft: &Draft<'_>,
    top: Node<'_>,
    start: usize,
) -> String {
    let (head, whole) = match draft.own {
        Some((head_end, own)) => (fold_range(source, rules, top, start..head_end) + " ", own),
        None => (String::new(), top),
    };
    let start = if draft.own.is_some() {
        whole.start_byte()
    } else {
        start
    };
    let end = draft
        .body
        .or(draft.value)
        .map_or(whole.end_byte(), |node| node.start_byte())
        .min(draft.head_end.unwrap_or(usize::MAX));
    let head = head + &fold_range(source, rules, whole, start..end.max(whole.start_byte()));
    let head = match draft.body {
        Some(_) => head.trim_end_matches([':', '{', ' ']),
        None => head.trim_end_matches([';', ',', ' ']),
    };
    match draft.value.filter(|_| draft.body.is_none()) {
        Some(value) => format!("{head} {}", short_value(source, rules, draft.kind, value)),
        None => head.to_string(),
    }
}

/// A value as it is shown: whole if it is a short literal on one line, else its brackets and its size.
fn short_value(source: &Source, rules: &Rules, kind: Kind, value: Node<'_>) -> String {
    if kind == Kind::Type {
        let text = fold(source, rules, value);
        if text.chars().count() <= MAX_ALIAS {
            return text;
        }
    }
    let lines = value.end_position().row - value.start_position().row + 1;
    if lines == 1
        && rules.is(value, Role::Literal)
        && value.end_byte() - value.start_byte() <= 4 * MAX_VALUE
    {
        let text = fold(source, rules, value);
        if text.chars().count() <= MAX_VALUE {
            return text;
        }
    }
    let text = &source.text()[value.byte_range()];
    let size = if lines == 1 {
        String::new()
    } else {
        format!(" {lines} lines")
    };
    match (text.first(), text.last()) {
        (Some(open @ (b'{' | b'[' | b'(')), Some(close @ (b'}' | b']' | b')'))) => {
            format!("{}...{size}{}", char::from(*open), char::from(*close))
        }
        _ => format!("...{size}"),
    }
}
