//! The walk over a Java file: its state, what it puts off, and what it does with a node of any kind.

use tree_sitter::Node;

use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place, line};

pub struct Walk<'l, 'a, 't> {
    pub lower: &'l mut Lower<'a>,
    /// Inside of a class without a name: nothing in it can be named from outside, so its calls are those of what is around.
    pub unnamed: bool,
    /// Names bound in the functions and blocks around: reading them is no use of a definition.
    pub locals: Vec<Sym>,
    /// Parameters of lambdas that wait for the call that their lambda is an argument of.
    pub waiting: Vec<ExprId>,
    /// What the function around returns, and as which type if that is written.
    pub returned: Vec<ExprId>,
    pub returns: TypeId,
    /// What is nested too deep to be read where it stands.
    later: Vec<(Node<'t>, Place, bool)>,
}

impl<'l, 'a, 't> Walk<'l, 'a, 't> {
    pub fn new(lower: &'l mut Lower<'a>) -> Self {
        Walk {
            lower,
            unnamed: false,
            locals: vec![],
            waiting: vec![],
            returned: vec![],
            returns: UNTYPED,
            later: vec![],
        }
    }

    pub fn file(mut self, root: Node<'t>) {
        self.each(root, Place::TOP);
        while let Some((node, place, unnamed)) = self.later.pop() {
            self.unnamed = unnamed;
            self.waiting.clear();
            self.read(node, place);
        }
    }

    /// Reads a node of any kind for what it declares and calls; its value, if it is an expression.
    pub fn read(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if !self.lower.enter() {
            self.later.push((node, place, self.unnamed));
            return UNKNOWN;
        }
        let value = self.dispatch(node, place);
        self.lower.leave();
        value
    }

    /// Reads all that stands in a node.
    pub fn each(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.read(child, place);
        }
        UNKNOWN
    }

    pub fn in_block(&mut self, place: Place, read: impl FnOnce(&mut Self, Place)) {
        self.in_scope(place, ScopeKind::Block, None, read);
    }

    /// Reads in a scope of its own; what it binds is forgotten behind it.
    pub fn in_scope(
        &mut self,
        place: Place,
        kind: ScopeKind,
        def: Option<DefId>,
        read: impl FnOnce(&mut Self, Place),
    ) -> ScopeId {
        let scope = self.lower.scope(place.scope, kind, def);
        let known = self.locals.len();
        read(self, place.scope(scope));
        self.locals.truncate(known);
        scope
    }

    /// Binds a local variable from its name on.
    pub fn local(&mut self, name: Node<'t>, place: Place, ty: TypeId, init: ExprId) {
        let sym = self.lower.name(name);
        self.locals.push(sym);
        let bound = Bound::Var { ty, init };
        self.lower.bind(place.scope, sym, name.start_byte(), bound);
    }

    /// The name under which methods are bound and called: apart from fields and types, which may be called the same.
    pub fn method_name(&mut self, name: Node<'t>) -> Sym {
        let name = format!("{}()", self.lower.str(name));
        self.lower.sym(&name)
    }

    fn dispatch(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "package_declaration" => self.package(node),
            "import_declaration" => self.import(node, place),
            "class_declaration"
            | "record_declaration"
            | "interface_declaration"
            | "annotation_type_declaration"
            | "enum_declaration" => self.type_declaration(node, place),
            "enum_constant" => self.enum_constant(node, place),
            "method_declaration"
            | "constructor_declaration"
            | "compact_constructor_declaration"
            | "annotation_type_element_declaration" => self.callable(node, place),
            "field_declaration" | "constant_declaration" => self.fields(node, place),
            "local_variable_declaration" => self.variables(node, place),
            "static_initializer" => {
                self.in_scope(place, ScopeKind::Function, None, |walk, place| {
                    walk.each(node, place);
                });
                UNKNOWN
            }
            "block" | "switch_block" | "switch_rule" | "constructor_body" | "for_statement" => {
                self.in_block(place, |walk, place| {
                    walk.each(node, place);
                });
                UNKNOWN
            }
            "enhanced_for_statement" => self.for_each(node, place),
            "try_with_resources_statement" | "catch_clause" => self.in_parts(node, place),
            "catch_formal_parameter" => self.caught(node, place),
            "resource" => self.resource(node, place),
            "if_statement" => self.branches(node, place),
            "labeled_statement" | "break_statement" | "continue_statement" => {
                self.behind_label(node, place)
            }
            "annotation" | "marker_annotation" => self.annotation(node, place),
            "switch_label" => self.label(node, place),
            "modifiers" => self.each(node, place),
            // Names of packages.
            "scoped_identifier"
            | "requires_module_directive"
            | "exports_module_directive"
            | "opens_module_directive" => UNKNOWN,
            "uses_module_directive" | "provides_module_directive" => self.services(node, place),
            _ => self.expression(node, place),
        }
    }

    fn in_parts(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.in_block(place, |walk, place| {
            walk.each(node, place);
        });
        UNKNOWN
    }

    /// A statement whose first name is a label.
    fn behind_label(&mut self, node: Node<'t>, place: Place) -> ExprId {
        for part in parts(node).into_iter().skip(1) {
            self.read(part, place);
        }
        UNKNOWN
    }

    /// A bare name in a label is often a member of the enum that is switched on: no scope has it.
    fn label(&mut self, node: Node<'t>, place: Place) -> ExprId {
        for part in parts(node) {
            if part.kind() != "identifier" {
                self.read(part, place);
            }
        }
        UNKNOWN
    }

    fn package(&mut self, node: Node<'t>) -> ExprId {
        if let Some(path) = parts(node).pop() {
            let path = self.dotted(path);
            self.lower.facts.package = Some(self.lower.sym(&path));
        }
        UNKNOWN
    }

    fn import(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of_type = has(node, "static");
        let parts = parts(node);
        let Some(&path) = parts.first() else {
            return UNKNOWN;
        };
        let path = self.dotted(path);
        let star = parts.len() > 1;
        let (spec, name) = match path.rsplit_once('.') {
            Some((spec, name)) if !star => (spec, Some(name)),
            _ if star => (&*path, None),
            _ => ("", Some(&*path)),
        };
        let import = Import {
            spec: self.lower.sym(spec),
            name: name.map(|name| self.lower.sym(name)),
            line: line(node),
            how: match (of_type, star) {
                (false, false) => ImportKind::Plain,
                (false, true) => ImportKind::Star,
                (true, false) => ImportKind::Static,
                (true, true) => ImportKind::StaticStar,
            },
            scope: place.scope,
        };
        if let Some(name) = name {
            self.import_as(name, import, place);
        }
        if of_type && let Some(name) = name {
            let method = format!("{name}()");
            let name = Some(self.lower.sym(&method));
            self.import_as(&method, Import { name, ..import }, place);
        }
        if star {
            self.lower.facts.imports.push(import);
        }
        UNKNOWN
    }

    fn import_as(&mut self, name: &str, import: Import, place: Place) {
        let id = self.lower.facts.imports.len() as u32;
        self.lower.facts.imports.push(import);
        let name = self.lower.sym(name);
        self.lower.bind(place.scope, name, 0, Bound::Import(id));
    }

    /// What a module offers to be found at run time: reached by no name.
    fn services(&mut self, node: Node<'t>, place: Place) -> ExprId {
        for path in parts(node) {
            let ty = self.path_type(path, place);
            self.lower.used(Used::Type(ty), path, place);
        }
        UNKNOWN
    }

    /// The text of a dotted name without what may stand between its parts.
    fn dotted(&self, node: Node<'t>) -> String {
        self.lower.str(node).split_whitespace().collect()
    }
}

/// The parts of a node that are more than comments.
pub fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let parts = node.named_children(&mut cursor);
    parts.filter(|part| !part.is_extra()).collect()
}

/// The first part of a kind.
pub fn part<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|part| part.kind() == kind)
}

/// Whether a word or part of that kind stands directly in a node.
pub fn has(node: Node<'_>, kind: &str) -> bool {
    part(node, kind).is_some()
}
