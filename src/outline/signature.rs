//! The signature of a definition: its source text from behind the decorators to its body or value, on one line.

use std::ops::Range;

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

/// Bytes of a signature before it is cut, with a mark. Heads that are not closed hold all that follows: listing each of many
/// whole takes the square of the text.
const MOST: usize = 16 << 10;

/// A signature, and where it ends.
pub struct Signature {
    pub text: String,
    /// Bytes of it in front of a value.
    pub head: u32,
    /// Where the text is that it does not say: body or value, and what stands in front of it.
    pub rest: Range<u32>,
}

/// `top` is the outermost node that belongs to the definition, `start` its first byte or that of text in front that is
/// in no tree; its decorators and comments are left out, decorators of parameters and types are not.
pub fn signature(
    source: &Source,
    rules: &Rules,
    draft: &Draft<'_>,
    top: Node<'_>,
    start: usize,
    decorators: &[Node<'_>],
) -> Signature {
    let fold = |node: Node<'_>, range| fold_range(source, rules, node, range, decorators);
    let (head, whole, start) = match draft.own {
        Some((head_end, own)) => (fold(top, start..head_end) + " ", own, own.start_byte()),
        None => (String::new(), top, start),
    };
    let body = draft.body.or(draft.value);
    let end = body.map_or(whole.end_byte(), |node| node.start_byte());
    let end = end.min(draft.head_end.unwrap_or(usize::MAX));
    let rest = end as u32..whole.end_byte().max(end) as u32;
    let cut = end.min(start + MOST);
    let mut head = head + &fold(whole, start..cut.max(start));
    if cut < end {
        head = head
            .trim_end_matches(char::REPLACEMENT_CHARACTER)
            .to_string()
            + " ...";
    }
    let head = match draft.body {
        Some(_) => head.trim_end_matches([':', '{', ' ']),
        None => head.trim_end_matches([';', ',', ' ']),
    };
    let text = match draft.value.filter(|_| draft.body.is_none()) {
        Some(value) => {
            let space = space_before(source, value.start_byte());
            let value = short_value(source, rules, draft.kind, value);
            format!("{head}{space}{value}")
        }
        None => head.to_string(),
    };
    let head = head.len() as u32;
    Signature { text, head, rest }
}

/// A value as it is shown: whole if it is a short literal on one line, else what stands before its braces, and its size.
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
    let size = if lines == 1 {
        String::new()
    } else {
        format!(" {lines} lines")
    };
    let (head, rest) = before_braces(source, rules, value);
    match (rest.first(), rest.last()) {
        (Some(b'{'), Some(b'}')) => format!("{head}{{...{size}}}"),
        (Some(b'['), Some(b']')) => format!("{head}[...{size}]"),
        (Some(b'('), Some(b')')) => format!("{head}(...{size})"),
        _ => format!("...{size}"),
    }
}

/// Parts a value that ends in braces (`func(a int) error {`, `new Box() {`, `map[string]int{`) where they open, if what
/// stands before them is short.
fn before_braces<'a>(source: &'a Source, rules: &Rules, value: Node<'_>) -> (String, &'a [u8]) {
    let text = source.text();
    let last = value
        .named_child_count()
        .checked_sub(1)
        .and_then(|last| value.named_child(last as u32))
        .filter(|last| last.end_byte() == value.end_byte() && text[last.start_byte()] == b'{')
        .filter(|last| last.start_byte() - value.start_byte() <= 4 * MAX_VALUE);
    let Some(braces) = last else {
        return (String::new(), &text[value.byte_range()]);
    };
    let at = braces.start_byte();
    let mut head = fold_range(source, rules, value, value.start_byte()..at, &[]);
    if head.chars().count() > MAX_VALUE {
        return (String::new(), b"");
    }
    head.push_str(space_before(source, at));
    (head, &text[braces.byte_range()])
}

/// One space if there is any white space in front of a byte.
fn space_before(source: &Source, at: usize) -> &'static str {
    let before = source.text()[..at].last();
    match before.is_some_and(u8::is_ascii_whitespace) {
        true => " ",
        false => "",
    }
}
