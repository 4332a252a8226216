//! From what a pattern matched to drafts, as the language's hook completes them, and to the scopes they open.

use tree_sitter::Node;

use super::scopes::Scope;
use super::{Found, Walk};
use crate::lang::fold::fold_range;
use crate::lang::rules::{Capture, Hit, Role};
use crate::lang::{Draft, Home, Inside, Nest};
use crate::model::{ItemId, Kind, KindClass};

/// Bytes of a name.
const MOST_NAME: usize = 4096;

impl<'a, 't> Walk<'a, 't> {
    /// Lists the definitions at a node.
    pub(super) fn define(&mut self, node: Node<'t>, hits: &[Hit<'a, 't>]) {
        if self.scopes.are_too_deep() {
            return self.too_deep(node);
        }
        let decorators = self.decorators(node);
        let mut found = std::mem::take(&mut self.found);
        let mut drafts = vec![];
        let mut context = self.context(node, &decorators, &mut found);
        for hit in hits {
            if let Some(draft) = self.draft(hit, hits) {
                (self.grammar.hooks.define)(&mut context, hit, draft, &mut drafts);
            }
        }
        // `const f = function g() {}` is one definition: the binding has named it.
        let taken = self
            .scopes
            .at(node.start_byte())
            .and_then(|scope| scope.essence);
        drafts.retain(|draft| taken.is_none() || essence(draft) != taken);
        // Names of one declaration are siblings: none encloses the next.
        let mut scopes = vec![];
        for draft in drafts {
            // What an embedded text says is not quite this language: a head in error with a body is a definition, without
            // one it is anything.
            if self.embedded > 0 && draft.body.is_none() && draft.node.has_error() {
                continue;
            }
            scopes.extend(self.emit(draft, &decorators, &mut found));
        }
        scopes.into_iter().for_each(|scope| self.scopes.push(scope));
        self.found = found;
        self.levels
            .last_mut()
            .expect("the root has a level")
            .first
            .get_or_insert(node.start_byte());
    }

    /// What the captures alone say.
    fn draft(&self, hit: &Hit<'a, 't>, hits: &[Hit<'a, 't>]) -> Option<Draft<'t>> {
        let Role::Definition(kind) = hit.rule.role else {
            return None;
        };
        let name = hit
            .get(Capture::Name)
            .map(|name| self.name(name))
            .unwrap_or_default();
        let body = hit.get(Capture::Body);
        Some(Draft {
            kind,
            name,
            segment: None,
            scope: None,
            receiver: None,
            bases: vec![],
            level: None,
            declaration: body.is_none()
                && (kind.is_callable() || kind.is_type() && kind != Kind::Type),
            node: hit.node,
            name_node: hit.get(Capture::Name).unwrap_or(hit.node),
            params: hit.get(Capture::Params),
            returns: hit.get(Capture::Returns),
            body,
            value: hit.get(Capture::Value),
            own: self.own_part(hit, hits),
            head_end: None,
            home: Home::Here,
            nest: Nest::All,
            listed: false,
            span: None,
            hidden: false,
        })
    }

    /// A name as it is written. What a hook has yet to find the name in may be a declarator with a function in it, and
    /// folding all of that for each of many, one inside the other, takes the square of the text.
    fn name(&self, node: Node<'t>) -> String {
        let end = node.end_byte().min(node.start_byte() + MOST_NAME);
        let range = node.start_byte()..end;
        let name = fold_range(self.source, self.rules, node, range, &[]);
        match end < node.end_byte() {
            true => name
                .trim_end_matches(char::REPLACEMENT_CHARACTER)
                .to_string(),
            false => name,
        }
    }

    /// The declarator of one of several names in a declaration (`int a = 1, b = 2`), with the end of their common head.
    fn own_part(&self, hit: &Hit<'a, 't>, hits: &[Hit<'a, 't>]) -> Option<(usize, Node<'t>)> {
        let level = self.level();
        let shared = level.wrapper.and(level.first);
        if let Some(first) = shared.filter(|&first| first < hit.node.start_byte()) {
            return Some((first, hit.node));
        }
        let (first, own) = (hits[0].pivot?, hit.pivot?);
        let declares_more_than_a_name = Some(own) != hit.get(Capture::Name);
        (hits.len() > 1 && declares_more_than_a_name).then_some((first.start_byte(), own))
    }

    /// Appends the item, unless it is a local. The scope it opens, if any.
    fn emit(
        &mut self,
        mut draft: Draft<'t>,
        decorators: &[Node<'t>],
        found: &mut Found,
    ) -> Option<Scope> {
        let at = draft.node.start_byte();
        let inside = self.scopes.inside(at);
        let free = draft.home != Home::Here;
        if draft.kind == Kind::Function && inside == Inside::Type && !free {
            draft.kind = Kind::Method;
        }
        let home = self.scopes.path(at, draft.home);
        let scoped = match &draft.scope {
            Some(scope) => (self.grammar.hooks.join)(home, scope, self.grammar.separator),
            None => home.to_string(),
        };
        let segment = draft.segment.as_ref().unwrap_or(&draft.name);
        let path = (self.grammar.hooks.join)(&scoped, segment, self.grammar.separator);
        let local = inside == Inside::Callable && draft.kind.is_value() && !draft.listed;
        let parent = self.scopes.parent(at);
        // What has no name where there must be one is the parser's guess.
        let listed = !local && !draft.hidden && !draft.name.is_empty();
        let id = if listed {
            Some(self.outline.items.len() as ItemId)
        } else {
            parent
        };
        if listed {
            let item = self.item(&draft, decorators, found, path.clone());
            self.outline.items.push(item);
        }
        let (from, until) = match draft.nest {
            Nest::All => draft.own.map_or((at, draft.node.end_byte()), |(_, own)| {
                (own.start_byte(), own.end_byte())
            }),
            Nest::From(byte) => (byte as usize, draft.node.end_byte()),
            Nest::Until(byte) => (at, byte as usize),
            Nest::None => return None,
        };
        if let Some(body) = draft
            .body
            .filter(|body| draft.kind.is_callable() && !body.has_error())
            && body.start_byte() >= self.barren.end
            && !self
                .rules
                .may_define(&self.source.text()[body.byte_range()])
        {
            self.barren = body.byte_range();
        }
        let within = if local {
            Inside::Callable
        } else {
            encloses(&draft)
        };
        Some(Scope {
            from,
            until,
            inside: within,
            item: id,
            path,
            essence: essence(&draft),
            hidden: self.scopes.hidden(at),
        })
    }

    /// What decorates the definition at `node`: siblings in front of it, and children of its head.
    fn decorators(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut found = self.level().decorators.clone();
        if !self.grammar.decorated_inside {
            return found;
        }
        let mut cursor = node.walk();
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            match self.rules.role(child) {
                Some(Role::Decorator) => found.push(child),
                Some(Role::Modifiers) => {
                    let mut inner = child.walk();
                    found.extend(
                        child
                            .named_children(&mut inner)
                            .filter(|node| self.rules.is(*node, Role::Decorator)),
                    );
                }
                Some(Role::Comment) => {}
                _ if child.is_named() => break,
                _ => {}
            }
            more = cursor.goto_next_sibling();
        }
        found
    }
}

/// What makes two definitions the same: the body, or else the value.
fn essence(draft: &Draft<'_>) -> Option<usize> {
    draft.body.or(draft.value).map(|node| node.id())
}

/// What a definition is to those inside of it.
fn encloses(draft: &Draft<'_>) -> Inside {
    match draft.kind.class() {
        // An accessor is a value to its callers, a function inside.
        KindClass::Value if draft.params.is_some() => Inside::Callable,
        KindClass::Callable => Inside::Callable,
        KindClass::Type => Inside::Type,
        KindClass::Scope if draft.kind == Kind::Impl => Inside::Type,
        KindClass::Scope | KindClass::Entry => Inside::Module,
        KindClass::Value if draft.kind == Kind::EnumMember => Inside::Type,
        KindClass::Value | KindClass::Macro => Inside::Object,
    }
}
