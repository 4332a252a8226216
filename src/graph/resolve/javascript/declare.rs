//! Statements that bind names or choose among branches.

use tree_sitter::Node;

use super::function::{Expected, Role};
use super::walk::{At, Walk};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    pub fn variables(&mut self, node: Node<'t>, at: At) {
        let scope = match node.kind() {
            "variable_declaration" => self.hoisted(at.place.scope),
            _ => at.place.scope,
        };
        for declarator in self.parts(node) {
            match self.part(declarator, "name") {
                Some(name) if declarator.kind() == "variable_declarator" => {
                    let ty = match self.annotation(declarator, at) {
                        UNTYPED => self.documented_type(node.start_byte(), at),
                        ty => ty,
                    };
                    self.variable(declarator, name, ty, scope, at);
                }
                _ => {
                    self.read(declarator, at);
                }
            }
        }
    }

    /// Where `var` binds: in the function around it.
    fn hoisted(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let here = self.lower.facts.scope(scope);
            match here.parent {
                Some(parent) if here.kind == ScopeKind::Block => scope = parent,
                _ => return scope,
            }
        }
    }

    fn variable(&mut self, node: Node<'t>, name: Node<'t>, ty: TypeId, scope: ScopeId, at: At) {
        let Some(value) = self.part(node, "value") else {
            return self.take_apart(name, UNKNOWN, ty, Some(scope), at);
        };
        if self.required(name, value, scope) {
            return;
        }
        if name.kind() != "identifier" {
            let value = self.read_as(value, Expected::of(ty), at);
            return self.take_apart(name, value, ty, Some(scope), at);
        }
        let sym = self.lower.name(name);
        let inner = self.behind(value);
        let def = self.lower.def_named(name);
        if self.is_function_or_class(inner) && def.is_some() {
            self.named_value(inner, def, sym, scope, Expected::of(ty), at);
        } else if inner.kind() == "assignment_expression" {
            // `var f = exports.f = function () {}`: one function, two names.
            let value = self.assign_for(inner, def, at);
            match self.lower.facts.expr(value) {
                Expr::Def { def } => self.bind(scope, sym, Bound::Def(def)),
                _ => self.bind_var(scope, sym, ty, value),
            }
        } else {
            let value = self.read_as(value, Expected::of(ty), at);
            self.bind_var(scope, sym, ty, value);
        }
    }

    /// A function or class that a name is bound to.
    pub fn named_value(
        &mut self,
        value: Node<'t>,
        def: Option<DefId>,
        name: Sym,
        scope: ScopeId,
        expected: Expected,
        at: At,
    ) {
        if value.kind() == "class" {
            if let Some(def) = def {
                self.bind(scope, name, Bound::Def(def));
            }
            self.class(value, def, at);
            return;
        }
        let this = self.declared(value, def, name, scope, at);
        let role = Role::of(def).expected(expected);
        self.function(value, role, at.this(this));
    }

    /// A block; only one that declares something is a scope, so that chains of scopes stay short.
    pub fn block(&mut self, node: Node<'t>, at: At) {
        let parts = self.parts(node);
        let inside = match node.kind() == "switch_body" || parts.iter().any(declares) {
            true => at.scope(self.lower.scope(at.place.scope, ScopeKind::Block, None)),
            false => at,
        };
        for part in parts {
            self.read(part, inside);
        }
    }

    pub fn branches(&mut self, node: Node<'t>, at: At) {
        let condition = self.part(node, "condition");
        let mut inside = at;
        if let Some(condition) = condition {
            self.read(condition, at);
            inside = self.narrowed(condition, at);
            inside.place.dead |= self.lower.str(condition) == "(false)";
        }
        if let Some(branch) = self.part(node, "consequence") {
            self.read(branch, inside);
        }
        if let Some(branch) = self.part(node, "alternative") {
            self.each(branch, at);
        }
    }

    /// Where `x instanceof T` holds.
    pub fn narrowed(&mut self, condition: Node<'t>, at: At) -> At {
        let mut open = vec![condition];
        let mut inside = at;
        while let Some(node) = open.pop() {
            let operator = self.part(node, "operator").map_or("", |node| node.kind());
            let sides = self.part(node, "left").zip(self.part(node, "right"));
            match (node.kind(), operator, sides) {
                ("parenthesized_expression", ..) => open.extend(self.parts(node)),
                ("binary_expression", "&&", Some((left, right))) => open.extend([left, right]),
                ("binary_expression", "instanceof", Some((left, right)))
                    if left.kind() == "identifier" && right.kind() == "identifier" =>
                {
                    let scope = self.lower.scope(inside.place.scope, ScopeKind::Block, None);
                    let class = self.lower.str(right);
                    let ty = self.lower.named(class, at.place.scope);
                    let name = self.lower.name(left);
                    inside = inside.scope(scope);
                    self.bind_var(scope, name, ty, UNKNOWN);
                }
                _ => {}
            }
        }
        inside
    }

    /// `for (const x of xs)`, `for (const key in object)`.
    pub fn iterates(&mut self, node: Node<'t>, at: At) {
        let kind = self.part(node, "kind").map(|kind| kind.kind());
        let (scope, inside) = match kind {
            Some("let" | "const") => {
                let scope = self.lower.scope(at.place.scope, ScopeKind::Block, None);
                (scope, at.scope(scope))
            }
            _ => (self.hoisted(at.place.scope), at),
        };
        let right = self.part(node, "right");
        let of = right.map_or(UNKNOWN, |right| self.read(right, inside));
        let operator = self.part(node, "operator");
        let value = match operator.map_or("", |operator| operator.kind()) {
            "in" => self.literal(Literal::Str),
            _ if of == UNKNOWN => UNKNOWN,
            _ => self.put(Expr::Peel {
                of,
                peel: Peel::Element,
            }),
        };
        if let Some(left) = self.part(node, "left") {
            let binds = kind.map(|_| scope);
            self.take_apart(left, value, UNTYPED, binds, inside);
        }
        if let Some(body) = self.part(node, "body") {
            self.read(body, inside);
        }
    }

    pub fn catches(&mut self, node: Node<'t>, at: At) {
        let scope = self.lower.scope(at.place.scope, ScopeKind::Block, None);
        let inside = at.scope(scope);
        if let Some(parameter) = self.part(node, "parameter") {
            let ty = self.annotation(node, at);
            self.take_apart(parameter, UNKNOWN, ty, Some(scope), inside);
        }
        if let Some(body) = self.part(node, "body") {
            self.read(body, inside);
        }
    }
}

/// Whether a statement binds a name in the block it stands in.
fn declares(statement: &Node<'_>) -> bool {
    statement.kind().ends_with("_declaration") && statement.kind() != "variable_declaration"
}
