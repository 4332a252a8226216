//! The walk over a file: its state, where it stands, what is bound so far, and which reader takes which node.

use std::collections::HashMap;

use tree_sitter::{Node, TreeCursor};

use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place};

/// Fields whose numbers are looked up once a file, the most wanted first.
const FIELDS: [&str; 20] = [
    "object",
    "property",
    "function",
    "arguments",
    "name",
    "value",
    "type",
    "operator",
    "left",
    "right",
    "body",
    "parameters",
    "type_arguments",
    "key",
    "pattern",
    "return_type",
    "type_parameters",
    "decorator",
    "parameter",
    "index",
];

pub struct Walk<'l, 'a, 't> {
    pub lower: &'l mut Lower<'a>,
    cursor: TreeCursor<'t>,
    fields: [Option<u16>; FIELDS.len()],
    /// What was too deep to be read where it stands.
    late: Vec<(Node<'t>, At)>,
    held: HashMap<(ScopeId, Sym), Held>,
    /// What the innermost function returns, so far.
    pub returned: Vec<ExprId>,
    /// What it is written to return.
    pub returns_as: TypeId,
    /// Decorators that stand in front of the next member or class.
    pub decorators: Vec<Node<'t>>,
    /// Types are written, fields declared.
    pub is_typescript: bool,
    /// Whether `module` and `exports` have been bound.
    pub is_commonjs: bool,
}

/// Where the walk stands.
#[derive(Debug, Clone, Copy)]
pub struct At {
    pub place: Place,
    pub this: This,
}

/// What `this` is.
#[derive(Debug, Clone, Copy)]
pub enum This {
    Unknown,
    /// The object whose members the scope holds, or a value of that type.
    Value(ScopeId),
    /// The class itself.
    Class(DefId),
    /// Its type is written.
    Typed(TypeId),
}

/// What is known of a bound name while the file is read.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    pub what: What,
    /// Where members go that are given to it by assignment.
    pub members: Option<ScopeId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Def(DefId),
    Import,
    Variable,
    /// A variable whose type is written: no assignment says more.
    Typed(TypeId),
    TypeParameter,
}

impl At {
    pub fn scope(self, scope: ScopeId) -> At {
        let place = self.place.scope(scope);
        At { place, ..self }
    }

    pub fn from(self, def: Option<DefId>) -> At {
        let place = def.map_or(self.place, |def| self.place.from(def));
        At { place, ..self }
    }

    pub fn this(self, this: This) -> At {
        At { this, ..self }
    }
}

impl<'l, 'a, 't> Walk<'l, 'a, 't> {
    pub fn new(lower: &'l mut Lower<'a>, root: Node<'t>) -> Self {
        Walk {
            lower,
            cursor: root.walk(),
            fields: FIELDS.map(|field| root.language().field_id_for_name(field).map(u16::from)),
            late: vec![],
            held: HashMap::new(),
            returned: vec![],
            returns_as: UNTYPED,
            decorators: vec![],
            is_typescript: root.language().id_for_node_kind("type_annotation", true) != 0,
            is_commonjs: false,
        }
    }

    pub fn file(mut self, root: Node<'t>) {
        let top = At {
            place: Place::TOP,
            this: This::Unknown,
        };
        self.each(root, top);
        self.typedefs(top);
        while let Some((node, at)) = self.late.pop() {
            self.read(node, at);
        }
    }

    /// Reads a node and gives its value, if it is an expression. Every node is read once.
    pub fn read(&mut self, node: Node<'t>, at: At) -> ExprId {
        if !self.lower.enter() {
            self.late.push((node, at));
            return UNKNOWN;
        }
        let value = self.dispatch(node, at);
        self.lower.leave();
        value
    }

    fn dispatch(&mut self, node: Node<'t>, at: At) -> ExprId {
        match node.kind() {
            "identifier" | "shorthand_property_identifier" => return self.name(node, at),
            "comment" | "property_identifier" | "string_fragment" | "escape_sequence" => {}
            "expression_statement" => return self.inner(node, at),
            "parenthesized_expression" => return self.parenthesized(node, at),
            "statement_block" => self.block(node, at),
            "lexical_declaration" | "variable_declaration" | "using_declaration" => {
                self.variables(node, at);
            }
            "return_statement" => self.returns(node, at),
            "if_statement" => self.branches(node, at),
            "for_statement" | "switch_body" => self.block(node, at),
            "for_in_statement" => self.iterates(node, at),
            "catch_clause" => self.catches(node, at),
            "import_statement" => self.import(node, at),
            "export_statement" => self.export(node, at),
            "import_alias" => self.import_alias(node, at),
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                self.function_declaration(node, at);
            }
            "class_declaration" | "abstract_class_declaration" => {
                self.class_declaration(node, at);
            }
            "interface_declaration" => self.interface(node, at),
            "enum_declaration" => self.enumeration(node, at),
            "type_alias_declaration" => self.type_alias(node, at),
            "module" | "internal_module" => self.namespace(node, at),
            "decorator" => self.decorators.push(node),
            "type_annotation" | "type_arguments" => {
                self.written(node, at);
            }
            _ => return self.express(node, at),
        }
        UNKNOWN
    }

    /// Reads what is inside of a node; gives the value of the last part.
    pub fn inner(&mut self, node: Node<'t>, at: At) -> ExprId {
        let parts = self.parts(node);
        let values = parts.into_iter().map(|part| self.read(part, at));
        values.last().unwrap_or(UNKNOWN)
    }

    /// Reads what is inside of a node for its calls alone.
    pub fn each(&mut self, node: Node<'t>, at: At) {
        self.inner(node, at);
    }

    /// The named parts of a node but comments.
    pub fn parts(&mut self, node: Node<'t>) -> Vec<Node<'t>> {
        let parts = node.named_children(&mut self.cursor);
        parts.filter(|part| !part.is_extra()).collect()
    }

    /// The part of a node in a field. To look its name up in the grammar each time takes 4 % of indexing.
    pub fn part(&self, node: Node<'t>, field: &str) -> Option<Node<'t>> {
        let known = FIELDS.iter().position(|name| *name == field);
        match known.and_then(|index| self.fields[index]) {
            Some(field) => node.child_by_field_id(field),
            None => node.child_by_field_name(field),
        }
    }

    /// Whether a word or mark is among the parts of a node.
    pub fn has_word(&mut self, node: Node<'t>, word: &str) -> bool {
        let mut children = node.children(&mut self.cursor);
        children.any(|child| !child.is_named() && child.kind() == word)
    }

    pub fn put(&mut self, expr: Expr) -> ExprId {
        self.lower.expr(expr)
    }

    pub fn literal(&mut self, literal: Literal) -> ExprId {
        self.put(Expr::Literal { literal })
    }

    pub fn bind(&mut self, scope: ScopeId, name: Sym, bound: Bound) {
        self.bind_at(scope, name, 0, bound);
    }

    pub fn bind_at(&mut self, scope: ScopeId, name: Sym, at: usize, bound: Bound) {
        let (what, init) = match bound {
            Bound::Def(def) => (What::Def(def), UNKNOWN),
            Bound::Import(_) => (What::Import, UNKNOWN),
            Bound::Var { ty: UNTYPED, init } => (What::Variable, init),
            Bound::Var { ty, init } => (What::Typed(ty), init),
            Bound::Param { .. } => (What::TypeParameter, UNKNOWN),
        };
        let members = match self.lower.facts.expr(init) {
            Expr::Object { scope } => Some(scope),
            _ => None,
        };
        let held = self.held.entry((scope, name));
        let held = held.or_insert(Held { what, members });
        held.members = held.members.or(members);
        self.lower.bind(scope, name, at, bound);
    }

    /// Binds a variable to a value, of which nothing may be known.
    pub fn bind_var(&mut self, scope: ScopeId, name: Sym, ty: TypeId, init: ExprId) {
        self.bind(scope, name, Bound::Var { ty, init });
    }

    pub fn held(&mut self, scope: ScopeId, name: Sym) -> Option<&mut Held> {
        self.held.get_mut(&(scope, name))
    }

    /// The scope in which a name is bound, as seen from another. Members are not seen as names.
    pub fn find(&self, mut scope: ScopeId, name: Sym) -> Option<(ScopeId, Held)> {
        // Scopes nested deeper than this are no one's code.
        const FARTHEST: usize = 500;
        for _ in 0..FARTHEST {
            let here = self.lower.facts.scope(scope);
            if let Some(&held) = self.held.get(&(scope, name)) {
                let is_member = matches!(here.kind, ScopeKind::Type | ScopeKind::Object);
                if !is_member || held.what == What::TypeParameter {
                    return Some((scope, held));
                }
            }
            scope = here.parent?;
        }
        None
    }

    /// Whether a name is a variable or parameter of a function, which nobody outside can mean.
    pub fn is_local(&self, scope: ScopeId, name: Sym) -> bool {
        self.find(scope, name).is_some_and(|(scope, held)| {
            let kind = self.lower.facts.scope(scope).kind;
            let variable = matches!(held.what, What::Variable | What::Typed(_));
            held.what == What::TypeParameter
                || variable && matches!(kind, ScopeKind::Function | ScopeKind::Block)
        })
    }
}
