//! From a tree to items: one pre-order walk with a cursor and a stack of scopes.
//! Modelled on the structure view of editors: a flat list with parents, no recursion (trees are as deep as the file
//! says), no `Node::parent` (it costs the depth). What is a definition is said by the patterns and hooks of `lang`.

mod define;
mod item;
mod scopes;

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::arrange::arrange;
use super::parse;
use super::parse::Reading;
use crate::lang::fold::fold;
use crate::lang::rules::{Capture, Hit, Role, Rules};
use crate::lang::{Context, Grammar, Home, Inside};
use crate::model::{Import, Item, Lines, Outline, Problem, ProblemKind};
use crate::source::Source;
use scopes::{MAX_DEPTH, Scope, Scopes};

/// How often what stands inside an embedded text may be one again: each level parses its text once more.
const MAX_EMBEDDED: u8 = 4;

/// The outline of a tree.
pub fn extract(reading: &Reading, grammar: &Grammar, source: &Source) -> Outline {
    let mut walk = Walk {
        source: reading.shown.as_ref().unwrap_or(source),
        attached: &reading.attached,
        grammar,
        rules: grammar.rules(),
        outline: Outline::default(),
        scopes: Scopes::default(),
        levels: vec![Level::default()],
        found: Found::default(),
        at_once: vec![],
        barren: 0..0,
        hits: vec![],
        embedded: 0,
    };
    walk.run(&reading.tree);
    for &byte in &reading.left_out {
        walk.fault(byte as u32, byte as u32, "does not parse".to_string());
    }
    walk.finish()
}

struct Walk<'a, 't> {
    source: &'a Source,
    /// Text in front of definitions that belongs to them but is not in the tree.
    attached: &'a [Range<usize>],
    grammar: &'a Grammar,
    rules: &'a Rules,
    outline: Outline,
    scopes: Scopes,
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
}

/// What is found beside definitions.
#[derive(Default)]
struct Found {
    /// Names the file exports by a list.
    exports: Vec<String>,
    imports: Vec<Import>,
}

/// State among the children of one node.
#[derive(Default)]
struct Level<'t> {
    /// The outermost wrapper the parent is or belongs to.
    wrapper: Option<Node<'t>>,
    /// Decorators seen before the next sibling that is none.
    decorators: Vec<Node<'t>>,
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
            self.scopes.leave(node.start_byte());
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
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        let role = self.rules.find(node, &mut hits).then(|| hits[0].rule.role);
        if role.is_none() && self.is_small(node) {
            self.hits = hits;
            return None;
        }
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
                let inside = match self.scopes.inside(node.start_byte()) {
                    Inside::Module => Inside::Module,
                    _ => Inside::Callable,
                };
                self.open(node, inside, None, false);
            }
            Some(Role::Definition(_)) => self.define(node, hits),
            Some(Role::Import) => {
                (self.grammar.hooks.imports)(self.source, node, &mut self.found.imports);
                return None;
            }
            Some(Role::Call) => self.call(node),
            Some(Role::Export) => {
                let names = hits.iter().filter_map(|hit| hit.get(Capture::Name));
                let names = names.map(|name| self.source.str(name.byte_range()).into_owned());
                self.found.exports.extend(names);
            }
            Some(Role::Scope) => {
                let name = hits[0]
                    .get(Capture::Name)
                    .map(|name| fold(self.source, self.rules, name));
                let inside = self.scopes.inside(node.start_byte());
                self.open(node, inside, name.as_deref(), false);
            }
            Some(Role::Hidden) => {
                let inside = self.scopes.inside(node.start_byte());
                self.open(node, inside, None, true);
            }
            Some(Role::Section) => self.section(node),
            Some(Role::Callable) => self.open(node, Inside::Callable, None, false),
            Some(Role::Type) => self.open(node, Inside::Type, None, false),
            Some(Role::Block) => {
                if self.scopes.inside(node.start_byte()) != Inside::Callable {
                    self.open(node, Inside::Callable, None, false);
                }
            }
            Some(Role::Wrapper) => {
                down.section = self.level().section;
                down.wrapper = self.level().wrapper.or(Some(node));
                down.decorators = self.level().decorators.clone();
                down.items = self.level().items;
            }
            Some(Role::Items) => down.items = true,
            Some(Role::Embedded) => {
                self.embedded(node);
                return None;
            }
            // A list, a table or a template can be a literal and hold functions.
            Some(Role::Literal) => {}
            Some(Role::Decorator | Role::Modifiers | Role::Comment | Role::Skip) => {
                return node.has_error().then_some(down);
            }
        }
        Some(down)
    }

    /// Whether a node in a function is too small to hold a definition: the least has a keyword, a name and a body or an end
    /// around it. `a.b`, `x + 1` and `(y)` are, and not looking into them saves 6 % of the walk.
    fn is_small(&self, node: Node<'t>) -> bool {
        const LEAST: usize = 5;
        node.descendant_count() < LEAST
            && !node.has_error()
            && self.scopes.inside(node.start_byte()) == Inside::Callable
    }

    /// Lets the language look into a call: it may import, or run a function where it stands.
    fn call(&mut self, node: Node<'t>) {
        let mut found = std::mem::take(&mut self.found);
        let functions = (self.grammar.hooks.call)(&mut self.context(node, &[], &mut found), node);
        self.at_once.extend(functions.iter().map(Node::id));
        self.found = found;
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

    /// Whether a call in front of `node` runs it where it stands.
    fn runs_at_once(&mut self, node: Node<'t>) -> bool {
        let place = self.at_once.iter().position(|&id| id == node.id());
        place.map(|place| self.at_once.swap_remove(place)).is_some()
    }

    fn context<'c>(
        &'c self,
        node: Node<'t>,
        decorators: &'c [Node<'t>],
        found: &'c mut Found,
    ) -> Context<'c, 't> {
        let at = node.start_byte();
        let owner = self
            .scopes
            .at(at)
            .and_then(|scope| scope.item)
            .map(|id| &self.outline.items[id as usize]);
        Context {
            source: self.source,
            rules: self.rules,
            inside: self.scopes.inside(at),
            owner: owner.map(|item| (item.kind, item.name.as_str())),
            wrapper: self.level().wrapper,
            decorators,
            exports: &mut found.exports,
            imports: &mut found.imports,
            section: self.level().section,
            items: &self.outline.items,
        }
    }

    fn level(&self) -> &Level<'t> {
        self.levels.last().expect("the root has a level")
    }

    /// Opens a scope that is no definition, `hidden` where nothing inside is visible outside of the file.
    fn open(&mut self, node: Node<'t>, inside: Inside, name: Option<&str>, hidden: bool) {
        let at = node.start_byte();
        let outer = self.scopes.path(at, Home::Here);
        let path = match name {
            Some(name) => (self.grammar.hooks.join)(outer, name, self.grammar.separator),
            None => outer.to_string(),
        };
        self.scopes.push(Scope {
            from: at,
            until: node.end_byte(),
            inside,
            item: self.scopes.parent(at),
            path,
            essence: None,
            hidden: hidden || self.scopes.hidden(at),
        });
    }

    fn too_deep(&mut self, node: Node<'t>) {
        let first = self.outline.problems.first();
        if first.is_some_and(|problem| problem.kind == ProblemKind::Limit) {
            return;
        }
        let line = node.start_position().row as u32 + 1;
        let problem = Problem {
            kind: ProblemKind::Limit,
            lines: Lines {
                start: line,
                end: line,
            },
            message: format!("definitions more than {MAX_DEPTH} scopes deep are not listed"),
        };
        self.outline.problems.insert(0, problem);
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
