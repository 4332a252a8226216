//! From a draft to an item: ranges, signature, documentation, what decorates it and how far it can be trusted.

use std::ops::Range;

use tree_sitter::Node;

use super::super::{doc, signature};
use super::{Found, Walk};
use crate::lang::fold::fold;
use crate::lang::rules::Role;
use crate::lang::{Draft, Inside};
use crate::model::{Item, KindClass, Lines, Trust};

impl<'t> Walk<'_, 't> {
    pub(super) fn item(
        &self,
        draft: &Draft<'t>,
        decorators: &[Node<'t>],
        found: &mut Found,
        qualname: String,
    ) -> Item {
        let (source, rules, hooks) = (self.source, self.rules, &self.grammar.hooks);
        let text = |node: &Node<'t>| fold(source, rules, *node);
        let top = self.level().wrapper.unwrap_or(draft.node);
        let start = decorators.first().map_or(top.start_byte(), |first| {
            first.start_byte().min(top.start_byte())
        });
        let (start, end) = draft.span.unwrap_or((
            self.with_attached(start),
            visible_end(self.source.text(), top),
        ));
        let head = self.with_attached(top.start_byte());
        let context = self.context(draft.node, decorators, found);
        let parent = self.scopes.parent(draft.node.start_byte());
        let exported = context.inside != Inside::Callable
            && !self.scopes.hidden(draft.node.start_byte())
            && (hooks.exported)(&context, draft);
        let inner = || {
            let text = (hooks.inner_doc)(&context, draft)?;
            doc::first_sentence(text.lines())
        };
        let outer = || self.comment(draft, start, end);
        let doc = match self.grammar.docs.values_only {
            true => inner().or_else(outer),
            false => outer().or_else(inner),
        };
        let signature = signature::signature(source, rules, draft, top, head, decorators);
        Item {
            kind: draft.kind,
            signature: signature.text,
            head: signature.head,
            rest: signature.rest,
            doc,
            decorators: decorators.iter().map(text).collect(),
            params: draft
                .params
                .map(|list| self.params(list))
                .unwrap_or_default(),
            returns: draft.returns.as_ref().map(text),
            bases: draft.bases.clone(),
            receiver: draft.receiver.clone(),
            exported,
            declaration: draft.declaration,
            data: false,
            level: draft.level,
            trust: trust(draft),
            bytes: start as u32..end as u32,
            lines: Lines {
                start: source.line_at(start as u32),
                end: source.line_at((end as u32).max(1) - 1),
            },
            decl_line: draft.name_node.start_position().row as u32 + 1,
            body: draft.body.map(|body| {
                // A body that is no node of its own is known by its opening token.
                let end = if body.is_named() { body } else { draft.node };
                body.start_byte() as u32..end.end_byte() as u32
            }),
            parent,
            end: 0,
            name: draft.name.clone(),
            qualname,
        }
    }

    /// Moves the start of a definition over the text in front that belongs to it.
    fn with_attached(&self, start: usize) -> usize {
        let index = self.attached.partition_point(|range| range.end <= start);
        let before = index.checked_sub(1).map(|index| &self.attached[index]);
        let touches =
            |range: &&Range<usize>| self.source.text()[range.end..start].trim_ascii().is_empty();
        before.filter(touches).map_or(start, |range| range.start)
    }

    fn comment(&self, draft: &Draft<'t>, start: usize, end: usize) -> Option<String> {
        let docs = &self.grammar.docs;
        let value = draft.kind.is_value() || draft.kind.class() == KindClass::Entry;
        if docs.values_only && !value {
            return None;
        }
        let before = doc::before(self.source, docs, start);
        // A doc comment of the language's own behind a value is that of the next.
        let behind = value && !docs.detached;
        before.or_else(|| {
            behind
                .then(|| doc::behind(self.source, docs, end))
                .flatten()
        })
    }

    fn params(&self, list: Node<'t>) -> Vec<String> {
        if list.child_count() == 0 {
            return vec![fold(self.source, self.rules, list)];
        }
        let mut cursor = list.walk();
        let named = list
            .named_children(&mut cursor)
            .filter(|node| !self.rules.is(*node, Role::Comment))
            .filter(|node| !self.rules.is(*node, Role::Decorator));
        named
            .map(|node| fold(self.source, self.rules, node))
            .collect()
    }
}

/// The end of a definition, without empty lines that a backslash joins to its last one.
fn visible_end(text: &[u8], top: Node<'_>) -> usize {
    let end = top.end_byte();
    let mut line = &text[top.start_byte()..end];
    while let Some(joined) = line.trim_ascii_end().strip_suffix(b"\\") {
        line = joined;
    }
    match line.len() == top.end_byte() - top.start_byte() {
        true => end,
        false => top.start_byte() + line.trim_ascii_end().len(),
    }
}

/// A definition whose own closer the parser had to make up is truncated; the rest is judged once all problems are known.
fn trust(draft: &Draft<'_>) -> Trust {
    let whole = draft.body.or(draft.value).unwrap_or(draft.node);
    let closer = || whole.child(whole.child_count().checked_sub(1)?);
    match draft.node.has_error() && closer().is_some_and(|node| node.is_missing()) {
        true => Trust::Truncated,
        false => Trust::Whole,
    }
}
