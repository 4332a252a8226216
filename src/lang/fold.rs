//! Source text of a node on one line: comments out, white space folded, nothing else touched.
//! Works on the leaves of the tree, so that strings keep their spaces.

use std::ops::Range;

use tree_sitter::Node;

use super::rules::{Role, Rules};
use crate::source::Source;

/// The text of `node` on one line.
pub fn fold(source: &Source, rules: &Rules, node: Node<'_>) -> String {
    fold_range(source, rules, node, node.byte_range(), &[])
}

/// The part of `node` inside `range` on one line, without `decorators`: one space where there was any, none inside the
/// edges of brackets, one after a comma, no comma before a closing bracket.
pub fn fold_range(
    source: &Source,
    rules: &Rules,
    node: Node<'_>,
    range: Range<usize>,
    decorators: &[Node<'_>],
) -> String {
    let text = &source.text()[range.clone()];
    if is_folded(text) {
        return String::from_utf8_lossy(text.trim_ascii()).into_owned();
    }
    let mut out = Folded {
        text: String::with_capacity(text.len()),
        space: false,
        opened: false,
    };
    let mut at = range.start;
    let mut cursor = node.walk();
    // `<` that opens its node, as type arguments do and comparisons do not, by the depth of the node.
    let mut angles = vec![];
    let mut first = false;
    loop {
        let here = cursor.node();
        let angle = match here.kind() {
            "<" if first => {
                angles.push(cursor.depth());
                true
            }
            ">" => angles.pop_if(|depth| *depth == cursor.depth()).is_some(),
            _ => false,
        };
        let left_out = rules.is(here, Role::Comment) || decorators.contains(&here);
        let inside = here.end_byte() > range.start && here.start_byte() < range.end;
        if inside && (left_out || here.child_count() == 0) {
            out.gap(&source.text()[at..here.start_byte().max(at)]);
            at = at.max(here.start_byte());
            let end = here.end_byte().min(range.end).max(at);
            if left_out {
                out.space = true;
            } else {
                out.leaf(&source.text()[at..end], angle);
            }
            at = end;
        }
        if !left_out && inside && cursor.goto_first_child() {
            first = true;
            continue;
        }
        first = false;
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                out.gap(&source.text()[at..range.end.max(at)]);
                return out.text;
            }
        }
        if cursor.node().start_byte() >= range.end {
            out.gap(&source.text()[at..range.end.max(at)]);
            return out.text;
        }
    }
}

/// Whether folding would change nothing, which holds for most headers.
fn is_folded(text: &[u8]) -> bool {
    let edge = |pair: &[u8]| match pair {
        [b' ', b' ' | b')' | b']' | b'>' | b','] | [b'(' | b'[' | b'<', b' '] => true,
        [b'/', b'/' | b'*'] => true,
        // Attributes: `[[x]]`, `__attribute__((x))`, `__declspec(x)`.
        [b'[', b'['] | [b'(', b'('] | [b'_', b'_'] => true,
        [b',', next] => *next != b' ',
        _ => false,
    };
    let text = text.trim_ascii();
    !text
        .iter()
        .any(|byte| matches!(byte, b'\n' | b'\r' | b'\t' | b'\\' | b'#' | b'@' | 0x0c))
        && !text.windows(2).any(edge)
}

struct Folded {
    text: String,
    /// White space was seen and not yet written.
    space: bool,
    /// The text ends with an opening bracket.
    opened: bool,
}

impl Folded {
    /// What lies between two leaves: white space, or a token the tree does not show.
    fn gap(&mut self, bytes: &[u8]) {
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b || *byte == b'\\';
        if bytes.iter().all(blank) {
            self.space |= !bytes.is_empty();
        } else {
            self.space |= blank(&bytes[0]);
            self.leaf(bytes.trim_ascii(), false);
            self.space = bytes.last().is_some_and(blank);
        }
    }

    /// `angle` where the leaf is a bracket that other leaves only look like.
    fn leaf(&mut self, bytes: &[u8], angle: bool) {
        if bytes.is_empty() {
            return;
        }
        let closes = matches!(bytes, [b')' | b']', ..]) || angle && bytes == b">";
        if closes && self.space && self.text.ends_with(',') {
            self.text.pop();
        }
        let opened = self.opened || self.text.ends_with(['(', '[']);
        self.opened = angle && bytes == b"<";
        let after_comma = self.text.ends_with(',');
        let wanted = self.space || after_comma;
        if wanted && !opened && !closes && !bytes.starts_with(b",") && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.space = false;
        let leaf = String::from_utf8_lossy(bytes);
        if leaf.contains(['\n', '\r']) {
            let lines: Vec<&str> = leaf.lines().map(str::trim).collect();
            self.text.push_str(&lines.join(" "));
        } else {
            self.text.push_str(&leaf);
        }
    }
}
