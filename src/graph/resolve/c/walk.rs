//! The walk over a C or C++ file: its state, what it does with a node of any kind, and what it puts off.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, Parser};

use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place};

pub struct Walk<'l, 'a, 't> {
    pub lower: &'l mut Lower<'a>,
    pub cpp: bool,
    /// How often each name is bound in the functions and blocks around.
    locals: HashMap<Sym, u32>,
    /// The same names in the order they were bound.
    bound: Vec<Sym>,
    /// What each definition was already said to name: once is enough.
    pub noted: HashSet<(Option<DefId>, Sym)>,
    /// Types that are one plain name, by the scope they are seen from.
    pub named: HashMap<(ScopeId, Sym), TypeId>,
    /// Members written outside of their type: the scopes of them, by where they are written and what for.
    pub outside: HashMap<(ScopeId, Sym), ScopeId>,
    /// The first name that is declared with the type that is read next.
    pub declared: Option<Node<'t>>,
    /// For the texts of macros.
    pub parser: Option<Parser>,
    /// Parameters of the templates around the next definition.
    pub template: Vec<Node<'t>>,
    /// How many conditions around say that what is behind them is test code.
    pub tests: u32,
    /// How many namespaces without a name are around.
    pub nameless: u32,
    /// What the functions around return, where their results are not written.
    pub returned: Vec<Vec<ExprId>>,
    /// What is nested too deep to be read where it stands.
    later: Vec<(Node<'t>, Place)>,
}

impl<'l, 'a, 't> Walk<'l, 'a, 't> {
    pub fn new(lower: &'l mut Lower<'a>) -> Self {
        Walk {
            lower,
            cpp: false,
            locals: HashMap::new(),
            bound: vec![],
            noted: HashSet::new(),
            named: HashMap::new(),
            outside: HashMap::new(),
            declared: None,
            parser: None,
            template: vec![],
            tests: 0,
            nameless: 0,
            returned: vec![],
            later: vec![],
        }
    }

    pub fn file(mut self, root: Node<'t>) {
        self.all(root, Place::TOP);
    }

    /// Reads all of a tree, and then what in it was too deep.
    pub fn all(&mut self, root: Node<'t>, place: Place) {
        self.cpp = root.language().id_for_node_kind("class_specifier", true) != 0;
        self.visit_all(root, place);
        while let Some((node, place)) = self.later.pop() {
            self.visit(node, place);
        }
    }

    /// Reads a node of any kind for what it declares, names and calls.
    pub fn visit(&mut self, node: Node<'t>, place: Place) {
        match node.kind() {
            "comment" | "attribute_specifier" | "attribute_declaration" | "access_specifier" => {}
            "storage_class_specifier" | "type_qualifier" | "goto_statement" => {}
            "preproc_include" => self.include(node, place),
            "preproc_def" | "preproc_function_def" => self.macro_definition(node, place),
            "preproc_ifdef" | "preproc_if" | "preproc_elif" | "preproc_elifdef" => {
                self.condition(node, place);
            }
            "function_definition" => self.function_definition(node, place),
            "declaration" | "field_declaration" => self.declaration(node, place),
            "type_definition" => self.typedef(node, place),
            "alias_declaration" => self.alias(node, place),
            "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" => {
                self.written(node, place);
            }
            "namespace_definition" => self.namespace(node, place),
            "namespace_alias_definition" => self.namespace_alias(node, place),
            "using_declaration" => self.using(node, place),
            "template_declaration" => self.template_declaration(node, place),
            "friend_declaration" => self.friend(node, place),
            "compound_statement" => self.block(node, place),
            "for_range_loop" => self.range_loop(node, place),
            "catch_clause" => self.in_block(place, |walk, place| walk.catch(node, place)),
            "if_statement" => self.branches(node, place),
            "return_statement" => self.returns(node, place),
            _ => {
                self.value(node, place);
            }
        }
    }

    pub fn visit_all(&mut self, node: Node<'t>, place: Place) {
        if !self.lower.enter() {
            let mut cursor = node.walk();
            let put_off = node.named_children(&mut cursor).map(|child| (child, place));
            return self.later.extend(put_off);
        }
        self.visit_parts(node, place);
        self.lower.leave();
    }

    /// The same where the depth was looked at already.
    pub fn visit_parts(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.visit(child, place);
        }
    }

    pub fn visit_these(&mut self, nodes: &[Node<'t>], place: Place) {
        if !self.lower.enter() {
            let put_off = nodes.iter().map(|&node| (node, place));
            return self.later.extend(put_off);
        }
        for &node in nodes {
            self.visit(node, place);
        }
        self.lower.leave();
    }

    pub fn put_off(&mut self, node: Node<'t>, place: Place) {
        self.later.push((node, place));
    }

    /// Reads in a scope of its own.
    pub fn in_block(&mut self, place: Place, read: impl FnOnce(&mut Self, Place)) {
        let scope = self.lower.scope(place.scope, ScopeKind::Block, None);
        let mark = self.open();
        read(self, place.scope(scope));
        self.close(mark);
    }

    /// A block; one that declares nothing needs no scope.
    fn block(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        let declares = |child: Node<'_>| {
            matches!(
                child.kind(),
                "declaration" | "type_definition" | "alias_declaration" | "using_declaration"
            )
        };
        if node.named_children(&mut cursor).any(declares) {
            self.in_block(place, |walk, place| walk.visit_all(node, place));
        } else {
            self.visit_all(node, place);
        }
    }

    /// `if (0)` leaves what is behind it dead.
    fn branches(&mut self, node: Node<'t>, place: Place) {
        let never = node.child_by_field_name("condition").is_some_and(|test| {
            let text = self.lower.str(test);
            matches!(text.trim_matches(['(', ')', ' ']), "0" | "false")
        });
        if !never {
            return self.visit_all(node, place);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let dead = place.dead || child.kind() != "else_clause";
            self.visit(child, Place { dead, ..place });
        }
    }

    fn returns(&mut self, node: Node<'t>, place: Place) {
        let Some(value) = node.named_child(0) else {
            return;
        };
        let value = self.value(value, place);
        if let Some(returned) = self.returned.last_mut() {
            returned.push(value);
        }
    }

    pub fn open(&self) -> usize {
        self.bound.len()
    }

    pub fn close(&mut self, mark: usize) {
        for name in self.bound.drain(mark..) {
            if let Some(count) = self.locals.get_mut(&name) {
                *count -= 1;
            }
        }
    }

    /// Binds a local name from a byte on.
    pub fn bind_local(&mut self, name: Node<'_>, place: Place, at: usize, bound: Bound) {
        let sym = self.lower.name(name);
        self.lower.bind(place.scope, sym, at, bound);
        self.hide(sym);
    }

    /// Whether names bound here are seen by one function alone.
    pub fn in_function(&self, place: Place) -> bool {
        let kind = self.lower.facts.scope(place.scope).kind;
        matches!(kind, ScopeKind::Function | ScopeKind::Block)
    }

    /// From here to the end of the block a name means something local.
    pub fn hide(&mut self, sym: Sym) {
        *self.locals.entry(sym).or_default() += 1;
        self.bound.push(sym);
    }

    pub fn is_local(&self, sym: Sym) -> bool {
        self.locals.get(&sym).is_some_and(|&count| count > 0)
    }

    /// Notes that something is named, once a definition.
    pub fn note(&mut self, what: Used, sym: Sym, node: Node<'_>, place: Place) {
        if self.noted.insert((place.from, sym)) {
            self.lower.used(what, node, place);
        }
    }
}
