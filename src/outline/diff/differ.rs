//! Where two definitions differ: in what they say, in documentation, in layout alone. Each question is answered from bytes
//! first and from tokens only where these differ.

use std::ops::Range;

use super::own::{documentation, own};
use super::{Node, Side};
use crate::model::{Item, ItemId, Kind, Lines};

/// Two definitions that are partners.
pub(super) struct Two<'a> {
    pub before: Node,
    pub after: Node,
    pub old: &'a Item,
    pub new: &'a Item,
    pub old_side: &'a Side,
    pub new_side: &'a Side,
}

/// A definition as it is written.
pub(super) fn text<'a>(side: &'a Side, item: &Item) -> &'a [u8] {
    &side.source.text()[item.bytes.start as usize..item.bytes.end as usize]
}

/// The lines of a definition that are not those of its members, without line ends; what only parts members says nothing.
pub(super) fn own_lines(side: &Side, id: ItemId) -> Vec<u8> {
    let item = side.item(id);
    let (mut at, mut out) = (item.bytes.start, vec![]);
    let mut piece = |range: Range<u32>| {
        let text = &side.source.text()[range.start as usize..range.end.max(range.start) as usize];
        let text = if item.end > id + 1 {
            text.trim_ascii()
        } else {
            text
        };
        out.extend(text.iter().filter(|byte| **byte != b'\r'));
    };
    for child in side.outline.children(Some(id)) {
        let bytes = &side.item(child).bytes;
        piece(at..bytes.start);
        at = bytes.end.max(at);
    }
    piece(at..item.bytes.end);
    out
}

/// A block of a type's members that is no definition by itself.
pub(super) fn is_block(item: &Item) -> bool {
    item.kind == Kind::Impl && !item.qualname.contains(" as ")
}

/// Where a side does not parse, what is not found there may stand there all the same.
pub(super) fn is_hidden(side: &Side, item: &Item) -> bool {
    let outline = &side.outline;
    if outline.complete() || item.name.is_empty() {
        return false;
    }
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let text = side.source.text();
    memchr::memmem::find_iter(text, item.name.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let line = side.source.line_at(at as u32);
        let lines = Lines {
            start: line,
            end: line,
        };
        let inside = outline.enclosing(lines).map(|id| side.item(id));
        let damaged = outline
            .problems
            .iter()
            .any(|problem| problem.lines.covers(lines));
        !is_word(before)
            && !is_word(text.get(at + item.name.len()))
            && (damaged || inside.is_none_or(|item| item.kind.is_type()))
    })
}

pub(super) fn decorators(item: &Item) -> Vec<String> {
    let plain = |text: &String| text.chars().filter(|c| !c.is_whitespace()).collect();
    item.decorators.iter().map(plain).collect()
}

/// Whether it is another thing now, for another reason than its name, its place or its decorators.
pub(super) fn kind_changed(
    old: &Item,
    new: &Item,
    renamed: bool,
    moved: bool,
    decorated: bool,
) -> bool {
    if old.kind == new.kind {
        return false;
    }
    let callable = |kind: Kind| kind.is_callable() || kind == Kind::Property;
    let callables = callable(old.kind) && callable(new.kind);
    let values = old.kind.is_value() && new.kind.is_value();
    !(callables && (moved || decorated) || values && (moved || renamed))
}

/// Whether the documentation differs; where the tokens of one side are not known, it stands in lines that did not change.
pub(super) fn documented(two: &Two<'_>) -> bool {
    if two.old.doc == two.new.doc
        && same_front(two)
        && text(two.old_side, two.old) == text(two.new_side, two.new)
    {
        return false;
    }
    let known = |side: &Side, id| side.language.grammar().is_none() || side.leaves.know(id);
    match known(two.old_side, two.before.item) == known(two.new_side, two.after.item) {
        true => {
            documentation(two.old_side, two.before.item)
                != documentation(two.new_side, two.after.item)
        }
        false => two.old.doc != two.new.doc,
    }
}

/// Whether the same text stands in front of both, as far as a comment reaches; finding its words takes a hundred times as
/// long as comparing bytes.
fn same_front(two: &Two<'_>) -> bool {
    const FAR: usize = 4096;
    let front = |item: &Item| {
        let start = item.bytes.start as usize;
        start.saturating_sub(FAR)..start
    };
    let (old, new) = (front(two.old), front(two.new));
    let len = old.len().min(new.len());
    let (one, other) = (two.old_side.source.text(), two.new_side.source.text());
    let whole = len == FAR || old.len() == new.len();
    whole && one[old.end - len..old.end] == other[new.end - len..new.end]
}

/// Whether two definitions say the same, whatever their members say.
pub(super) fn same_body(two: &Two<'_>) -> bool {
    if text(two.old_side, two.old) == text(two.new_side, two.new) {
        return true;
    }
    let old_known = two.old_side.leaves.know(two.before.item);
    let new_known = two.new_side.leaves.know(two.after.item);
    let grammar = two.new_side.language.grammar().is_some();
    if grammar && !(old_known && new_known) && two.before.file == two.after.file {
        // None of its own lines is among those that changed.
        return true;
    }
    let (one, other) = (
        own(two.old_side, two.before.item),
        own(two.new_side, two.after.item),
    );
    match two.old_side.outline.complete() && two.new_side.outline.complete() {
        true => one.strict == other.strict,
        false => one.plain == other.plain,
    }
}
