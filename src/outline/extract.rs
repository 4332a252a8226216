//! From a tree to items: one pre-order walk with a cursor and a stack of scopes.
//! Modelled on the structure view of editors: a flat list with parents, no recursion (trees are as deep as the file
//! says), no `Node::parent` (it costs the depth). What is a definition is said by the patterns and hooks of `lang`.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::parse::Reading;
use super::{doc, parse, signature};
use crate::lang::fold::fold;
use crate::lang::rules::{Capture, Hit, Role, Rules};
use crate::lang::{Context, Draft, Grammar, Home, Inside, Nest};
use crate::model::{
    Import, Item, ItemId, Kind, KindClass, Lines, Outline, Problem, ProblemKind, Trust,
};
use crate::source::Source;

/// Scopes deeper than this have no entries: qualified names would take memory with the square of the depth.
const MAX_DEPTH: usize = 200;
/// How often what stands inside an embedded text may be one again: each level parses its text once more.
const MAX_EMBEDDED: u8 = 4;

/// The outline of a tree, and whether the tree shows that the grammar misread the text.
pub fn extract(reading: &Reading, grammar: &Grammar, source: &Source) -> (Outline, bool) {
    let mut walk = Walk {
        source: reading.shown.as_ref().unwrap_or(source),
        attached: &reading.attached,
        grammar,
        rules: grammar.rules(),
        outline: Outline::default(),
        scopes: vec![],
        levels: vec![Level::default()],
        found: Found::default(),
        at_once: vec![],
        barren: 0..0,
        hits: vec![],
        embedded: 0,
        misread: Cell::new(false),
    };
    walk.run(&reading.tree);
    for &byte in &reading.left_out {
        walk.fault(byte as u32, byte as u32, "does not parse".to_string());
    }
    let misread = walk.misread.get();
    (walk.finish(), misread)
}

struct Walk<'a, 't> {
    source: &'a Source,
    /// Text in front of definitions that belongs to them but is not in the tree.
    attached: &'a [Range<usize>],
    grammar: &'a Grammar,
    rules: &'a Rules,
    outline: Outline,
    scopes: Vec<Scope>,
    /// One for each open node of the tree.
    levels: Vec<Level<'t>>,
    found: Found,
    /// Ids of functions ahead that run where they stand.
    at_once: Vec<usize>,
    /// The function body under the cursor, if nothing in it defines anything.
    barren: Range<usize>,
    hits: Vec<Hit<'a, 't>>,
    /// How many embedded texts the tree is inside of.
    embedded: u8,
    /// The grammar took something for what it cannot be.
    misread: Cell<bool>,
}

/// What is found beside definitions.
#[derive(Default)]
struct Found {
    /// Names the file exports by a list.
    exports: Vec<String>,
    imports: Vec<Import>,
}

/// What encloses the node under the cursor.
struct Scope {
    /// Half-open byte range in which it encloses.
    from: usize,
    until: usize,
    inside: Inside,
    item: Option<ItemId>,
    /// Its path in qualified names.
    path: String,
    /// Id of the body or value: a definition inside with the same one is the same one.
    essence: Option<usize>,
    /// Nothing inside is visible outside of the file.
    hidden: bool,
}

/// State among the children of one node.
#[derive(Default)]
struct Level<'t> {
    /// The outermost wrapper the parent is or belongs to.
    wrapper: Option<Node<'t>>,
    /// Decorators seen before the next sibling that is none.
    decorators: Vec<Node<'t>>,
    /// Numbers the children of a sequence.
    sequence: Option<(Role, u32)>,
    /// First byte of the first definition here.
    first: Option<usize>,
    /// Only definitions stand here.
    items: bool,
    /// The last heading seen (`private:`), here or around nodes that are no definitions.
    section: Option<Node<'t>>,
}

impl<'a, 't> Walk<'a, 't> {
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            while self
                .scopes
                .last()
                .is_some_and(|scope| scope.until <= node.start_byte())
            {
                self.scopes.pop();
            }
            let level = self.visit(node);
            if let Some(level) = level
                && cursor.goto_first_child()
            {
                self.levels.push(level);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.levels.pop();
            }
        }
    }

    /// Takes up one node; the state for its children, or none if they are not worth a visit.
    fn visit(&mut self, node: Node<'t>) -> Option<Level<'t>> {
        if (node.is_error() || node.is_missing()) && self.embedded == 0 {
            self.problem(node);
        }
        let barren = self.barren.start <= node.start_byte() && node.end_byte() <= self.barren.end;
        if !node.is_named() || barren {
            return None;
        }
        self.number(node);
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        let role = self.rules.find(node, &mut hits).then(|| hits[0].rule.role);
        let down = self.play(node, role, &hits);
        self.hits = hits;
        let level = self.levels.last_mut().expect("the root has a level");
        match role {
            Some(Role::Decorator) => level.decorators.push(node),
            Some(Role::Comment) => {}
            _ => level.decorators.clear(),
        }
        down
    }

    fn play(
        &mut self,
        node: Node<'t>,
        role: Option<Role>,
        hits: &[Hit<'a, 't>],
    ) -> Option<Level<'t>> {
        let mut down = Level::default();
        match role {
            None => down.section = self.level().section,
            Some(Role::Definition(_) | Role::Callable) if self.runs_at_once(node) => {
                // At the top of a file it is but a wrapper; elsewhere its values are locals like those of any function.
                let inside = match self.inside(node.start_byte()) {
                    Inside::Module => Inside::Module,
                    _ => Inside::Callable,
                };
                self.push_scope(node, inside, None);
            }
            Some(Role::Definition(_)) => self.define(node, hits),
            Some(Role::Import) => {
                (self.grammar.hooks.imports)(self.source, node, &mut self.found.imports);
                return None;
            }
            Some(Role::Call) => {
                let mut found = std::mem::take(&mut self.found);
                let functions =
                    (self.grammar.hooks.call)(&mut self.context(node, &[], &mut found), node);
                self.at_once.extend(functions.iter().map(Node::id));
                self.found = found;
            }
            Some(Role::Export) => {
                let names = hits.iter().filter_map(|hit| hit.get(Capture::Name));
                self.found
                    .exports
                    .extend(names.map(|name| self.source.str(name.byte_range()).into_owned()));
            }
            Some(Role::Scope) => {
                let name = hits[0]
                    .get(Capture::Name)
                    .map(|name| fold(self.source, self.rules, name));
                let inside = self.inside(node.start_byte());
                self.push_scope(node, inside, name.as_deref());
            }
            Some(Role::Hidden) => {
                let inside = self.inside(node.start_byte());
                self.push_scope(node, inside, None);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.hidden = true;
                }
            }
            Some(Role::Section) => self.section(node),
            Some(Role::Callable) => self.push_scope(node, Inside::Callable, None),
            Some(Role::Type) => self.push_scope(node, Inside::Type, None),
            Some(Role::Block) => {
                if self.inside(node.start_byte()) != Inside::Callable {
                    self.misread.set(true);
                    self.push_scope(node, Inside::Callable, None);
                }
            }
            Some(Role::Wrapper) => {
                down.section = self.level().section;
                down.wrapper = self.level().wrapper.or(Some(node));
                down.decorators = self.level().decorators.clone();
                down.items = self.level().items;
            }
            Some(Role::Sequence) => down.sequence = Some((Role::Sequence, 0)),
            Some(Role::Documents) if node.named_child_count() > 1 => {
                down.sequence = Some((Role::Documents, 0))
            }
            Some(Role::Documents) => {}
            Some(Role::Items) => down.items = true,
            Some(Role::Embedded) => {
                self.embedded(node);
                return None;
            }
            // `!new Filter() { ... }.test(x)` is short enough for a value, and holds definitions.
            // A list, a table or a template can be a literal and hold functions.
            Some(Role::Literal) => {}
            Some(Role::Decorator | Role::Modifiers | Role::Comment | Role::Skip) => {
                return node.has_error().then_some(down);
            }
        }
        Some(down)
    }

    /// Parses the parts of a text that hold definitions, where only definitions can stand, and walks them in place.
    fn embedded(&mut self, node: Node<'t>) {
        if !self.level().items || self.embedded == MAX_EMBEDDED {
            return;
        }
        for range in (self.grammar.hooks.embedded)(node) {
            let Some(tree) = parse::parse_part(self.source, self.grammar, range) else {
                continue;
            };
            let mut walk = Walk {
                source: self.source,
                grammar: self.grammar,
                rules: self.rules,
                outline: std::mem::take(&mut self.outline),
                scopes: std::mem::take(&mut self.scopes),
                levels: vec![Level::default()],
                found: std::mem::take(&mut self.found),
                at_once: vec![],
                barren: 0..0,
                hits: vec![],
                embedded: self.embedded + 1,
                attached: self.attached,
                misread: Cell::new(self.misread.get()),
            };
            walk.run(&tree);
            (self.outline, self.scopes, self.found) = (walk.outline, walk.scopes, walk.found);
        }
    }

    /// Remembers a heading for the siblings behind it.
    fn section(&mut self, node: Node<'t>) {
        self.levels
            .last_mut()
            .expect("the root has a level")
            .section = Some(node);
    }

    /// Opens a numbered scope for a child of a sequence.
    fn number(&mut self, node: Node<'t>) {
        let Some((role, number)) = self.level().sequence else {
            return;
        };
        if self.rules.is(node, Role::Comment) {
            return;
        }
        let name = if role == Role::Documents {
            format!("{number}:")
        } else {
            number.to_string()
        };
        self.levels
            .last_mut()
            .expect("the root has a level")
            .sequence = Some((role, number + 1));
        let inside = self.inside(node.start_byte());
        self.push_scope(node, inside, Some(&name));
    }

    /// Whether a call in front of `node` runs it where it stands.
    fn runs_at_once(&mut self, node: Node<'t>) -> bool {
        let place = self.at_once.iter().position(|&id| id == node.id());
        place.map(|place| self.at_once.swap_remove(place)).is_some()
    }

    fn define(&mut self, node: Node<'t>, hits: &[Hit<'a, 't>]) {
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
            .scope(node.start_byte())
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
        self.scopes.extend(scopes);
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
            .map(|name| fold(self.source, self.rules, name))
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
        if self.scopes.len() >= MAX_DEPTH {
            self.too_deep(draft.node);
            return None;
        }
        let inside = self.inside(at);
        let free = draft.home != Home::Here;
        if draft.kind == Kind::Function && inside == Inside::Type && !free {
            draft.kind = Kind::Method;
        }
        let home = self.home(&draft);
        let scoped = match &draft.scope {
            Some(scope) => (self.grammar.hooks.join)(home, scope, self.grammar.separator),
            None => home.to_string(),
        };
        let segment = draft.segment.as_ref().unwrap_or(&draft.name);
        let path = (self.grammar.hooks.join)(&scoped, segment, self.grammar.separator);
        let local = inside == Inside::Callable && draft.kind.is_value() && !draft.listed;
        let parent = self.parent(at);
        let listed = !local && !draft.hidden;
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
            hidden: self.hidden(at),
        })
    }

    fn item(
        &self,
        draft: &Draft<'t>,
        decorators: &[Node<'t>],
        found: &mut Found,
        qualname: String,
    ) -> Item {
        let (source, rules, hooks) = (self.source, self.rules, &self.grammar.hooks);
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
        let parent = self.parent(draft.node.start_byte());
        let exported = context.inside != Inside::Callable
            && !self.hidden(draft.node.start_byte())
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
        Item {
            kind: draft.kind,
            signature: signature::signature(source, rules, draft, top, head, decorators),
            doc,
            decorators: decorators
                .iter()
                .map(|node| fold(source, rules, *node))
                .collect(),
            params: draft
                .params
                .map(|list| self.params(list))
                .unwrap_or_default(),
            returns: draft.returns.map(|node| fold(source, rules, node)),
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

    fn context<'c>(
        &'c self,
        node: Node<'t>,
        decorators: &'c [Node<'t>],
        found: &'c mut Found,
    ) -> Context<'c, 't> {
        let at = node.start_byte();
        let owner = self
            .scope(at)
            .and_then(|scope| scope.item)
            .map(|id| &self.outline.items[id as usize]);
        Context {
            source: self.source,
            rules: self.rules,
            inside: self.inside(at),
            owner: owner.map(|item| (item.kind, item.name.as_str())),
            wrapper: self.level().wrapper,
            decorators,
            exports: &mut found.exports,
            imports: &mut found.imports,
            section: self.level().section,
            items: &self.outline.items,
            misread: &self.misread,
        }
    }

    fn level(&self) -> &Level<'t> {
        self.levels.last().expect("the root has a level")
    }

    /// The innermost scope that encloses a byte.
    fn scope(&self, at: usize) -> Option<&Scope> {
        self.scopes
            .iter()
            .rev()
            .find(|scope| scope.from <= at && at < scope.until)
    }

    fn inside(&self, at: usize) -> Inside {
        self.scope(at).map_or(Inside::Module, |scope| scope.inside)
    }

    fn parent(&self, at: usize) -> Option<ItemId> {
        self.scope(at).and_then(|scope| scope.item)
    }

    fn path_at(&self, at: usize) -> &str {
        self.scope(at).map_or("", |scope| &scope.path)
    }

    fn hidden(&self, at: usize) -> bool {
        self.scope(at).is_some_and(|scope| scope.hidden)
    }

    /// The path a draft's qualified name continues.
    fn home(&self, draft: &Draft<'t>) -> &str {
        let at = draft.node.start_byte();
        let outside =
            |scope: &&Scope| scope.from <= at && at < scope.until && scope.inside != Inside::Type;
        match draft.home {
            Home::Here => self.path_at(at),
            Home::OutsideTypes => {
                let scope = self.scopes.iter().rev().find(outside);
                scope.map_or("", |scope| &scope.path)
            }
            Home::File => "",
        }
    }

    /// `name` with the scopes that enclose byte `at`.
    fn path(&self, at: usize, name: &str) -> String {
        (self.grammar.hooks.join)(self.path_at(at), name, self.grammar.separator)
    }

    fn push_scope(&mut self, node: Node<'t>, inside: Inside, name: Option<&str>) {
        if self.scopes.len() >= MAX_DEPTH {
            return;
        }
        let at = node.start_byte();
        let path = match name {
            Some(name) => self.path(at, name),
            None => self.path_at(at).to_string(),
        };
        let item = self.parent(at);
        self.scopes.push(Scope {
            from: at,
            until: node.end_byte(),
            inside,
            item,
            path,
            essence: None,
            hidden: self.hidden(at),
        });
    }

    fn too_deep(&mut self, node: Node<'t>) {
        if self
            .outline
            .problems
            .iter()
            .all(|problem| problem.kind != ProblemKind::Limit)
        {
            let lines = Lines {
                start: node.start_position().row as u32 + 1,
                end: node.end_position().row as u32 + 1,
            };
            let message = format!("definitions more than {MAX_DEPTH} scopes deep are not listed");
            self.outline.problems.push(Problem {
                kind: ProblemKind::Limit,
                lines,
                message,
            });
        }
    }

    fn problem(&mut self, node: Node<'t>) {
        let message = match node.is_missing() {
            true => format!("missing `{}`", node.kind()),
            false => "does not parse".to_string(),
        };
        self.fault(node.start_byte() as u32, node.end_byte() as u32, message);
    }

    fn fault(&mut self, from: u32, until: u32, message: String) {
        let start = self.source.line_at(from);
        // An ERROR node can span the rest of the file; what is wrong is where it begins.
        let end = self.source.line_at(until).clamp(start, start + 2);
        self.outline.problems.push(Problem {
            kind: ProblemKind::Syntax,
            lines: Lines { start, end },
            message,
        });
    }

    /// Applies the file's export lists and puts subtrees in one piece.
    fn finish(mut self) -> Outline {
        let items = &mut self.outline.items;
        let exports: HashSet<&str> = self.found.exports.iter().map(String::as_str).collect();
        for id in 0..items.len() {
            // Owners come before what they own.
            items[id].exported = match items[id].parent {
                Some(parent) => items[id].exported && items[parent as usize].exported,
                None => items[id].exported || listed(&items[id], &exports, self.grammar),
            };
        }
        self.outline.imports = self.found.imports;
        arrange(&mut self.outline.items);
        self.outline
    }
}

/// Whether a list of exports names a definition, or the type it is written for.
fn listed(item: &Item, exports: &HashSet<&str>, grammar: &Grammar) -> bool {
    let owner = item.qualname.split(grammar.separator).next();
    exports.contains(item.name.as_str()) || owner.is_some_and(|owner| exports.contains(owner))
}

/// What makes two definitions the same: the body, or else the value.
fn essence(draft: &Draft<'_>) -> Option<usize> {
    draft.body.or(draft.value).map(|node| node.id())
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

/// A definition whose own closer the parser had to make up is truncated; the rest is judged once all problems are known.
fn trust(draft: &Draft<'_>) -> Trust {
    let whole = draft.body.or(draft.value).unwrap_or(draft.node);
    let closer = whole
        .child_count()
        .checked_sub(1)
        .and_then(|last| whole.child(last));
    match draft.node.has_error() && closer.is_some_and(|node| node.is_missing()) {
        true => Trust::Truncated,
        false => Trust::Whole,
    }
}

/// Puts items in pre-order by their parents and sets the ends of subtrees. Items come in source order; only a scope that
/// begins behind another definition (a struct declared as a result type) makes a subtree fall in two.
pub(super) fn arrange(items: &mut Vec<Item>) {
    let count = items.len();
    let mut children: Vec<Vec<usize>> = vec![vec![]; count + 1];
    for (id, item) in items.iter().enumerate() {
        children[item.parent.map_or(count, |parent| parent as usize)].push(id);
    }
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<usize> = children[count].iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        order.push(id);
        stack.extend(children[id].iter().rev());
    }
    let mut new_id = vec![0; count];
    for (new, &old) in order.iter().enumerate() {
        new_id[old] = new as ItemId;
    }
    let mut taken: Vec<Option<Item>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.iter().filter_map(|&old| taken[old].take()));
    for (id, item) in items.iter_mut().enumerate() {
        item.parent = item.parent.map(|parent| new_id[parent as usize]);
        item.end = id as ItemId + 1;
    }
    for id in (0..count).rev() {
        if let Some(parent) = items[id].parent {
            items[parent as usize].end = items[parent as usize].end.max(items[id].end);
        }
    }
}
