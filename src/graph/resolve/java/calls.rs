//! Java's calls, and the functions without a name that are passed to them.

use tree_sitter::Node;

use super::walk::{Walk, has, part, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Where the parameters of a lambda get their types from, if these are not written.
#[derive(Clone, Copy)]
pub enum Given {
    /// The call that it is an argument of.
    Argument(u16),
    /// The type that is written for its value.
    Type(TypeId),
    Unknown,
}

impl<'t> Walk<'_, '_, 't> {
    pub fn invocation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(method) = node.child_by_field_name("name") else {
            return self.each(node, place);
        };
        let name = self.method_name(method);
        let callee = match node.child_by_field_name("object") {
            None => Expr::Name {
                name,
                scope: place.scope,
                at: method.start_byte() as u32,
            },
            Some(object) => {
                let of = match object.kind() != "super" && has(node, "super") {
                    true => self.outer_super(object, place),
                    false => self.read(object, place),
                };
                Expr::Member { of, name }
            }
        };
        let callee = self.lower.expr(callee);
        if let Some(types) = node.child_by_field_name("type_arguments") {
            self.all_types(types, place);
        }
        let (args, waiting) = self.arguments(node, place);
        let call = self.note(Expr::Call { callee, args }, waiting, node, place);
        // What these of the library give is what they are given.
        match self.lower.facts.list(args).first() {
            Some(&same) if matches!(self.lower.str(method), "requireNonNull" | "checkNotNull") => {
                let of = self.lower.list(&[same]);
                self.lower.expr(Expr::Either { of })
            }
            _ => call,
        }
    }

    /// The arguments of a call, and from where on lambdas among them wait for it.
    fn arguments(&mut self, node: Node<'t>, place: Place) -> (List, usize) {
        let waiting = self.waiting.len();
        let Some(list) = node.child_by_field_name("arguments") else {
            return (List::default(), waiting);
        };
        let mut values = vec![];
        for (index, argument) in (0..).zip(parts(list)) {
            let value = match argument.kind() {
                "lambda_expression" if self.lower.enter() => {
                    let lambda = self.lambda(argument, Given::Argument(index), place);
                    self.lower.leave();
                    lambda
                }
                _ => self.read(argument, place),
            };
            values.push(value);
        }
        (self.lower.list(&values), waiting)
    }

    /// Notes a call, and tells the parameters of lambdas passed to it which call that is.
    fn note(&mut self, call: Expr, waiting: usize, node: Node<'t>, place: Place) -> ExprId {
        let call = self.lower.expr(call);
        for given in self.waiting.drain(waiting.min(self.waiting.len())..) {
            if let Expr::Given { call: of, .. } = &mut self.lower.facts.exprs[given as usize] {
                *of = call;
            }
        }
        self.lower.call(call, node, place);
        call
    }

    pub fn creation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(written) = node.child_by_field_name("type") else {
            return self.each(node, place);
        };
        let mut ty = self.ty(written, place);
        if let Some(outer) = parts(node)
            .first()
            .filter(|first| is_outer(**first, written))
        {
            ty = self.inner_type(*outer, ty, place);
        }
        let of = self.lower.expr(Expr::Type { ty });
        let (args, waiting) = self.arguments(node, place);
        let made = self.note(Expr::New { of, args }, waiting, node, place);
        if let Some(body) = part(node, "class_body") {
            self.unnamed_body(body, ty, place);
        }
        made
    }

    /// The type in `outer.new Inner()`.
    fn inner_type(&mut self, outer: Node<'t>, ty: TypeId, place: Place) -> TypeId {
        let expr = self.read(outer, place);
        let of = self.lower.ty(Type::Of { expr });
        match self.lower.facts.ty(ty) {
            Type::Named { path, .. } if path.len > 0 => {
                let name = self.lower.facts.list(path)[0];
                self.lower.ty(Type::Member { of, name })
            }
            _ => ty,
        }
    }

    /// `this(..)`, `super(..)`.
    pub fn delegation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if let Some(outer) = node.child_by_field_name("object") {
            self.read(outer, place);
        }
        let constructor = node.child_by_field_name("constructor");
        let to_base = constructor.is_some_and(|constructor| constructor.kind() == "super");
        let own = self.type_around(place.scope);
        let scope = place.scope;
        let (args, waiting) = self.arguments(node, place);
        let call = match own {
            Some(def) if !to_base => {
                let of = self.lower.expr(Expr::Def { def });
                Expr::New { of, args }
            }
            _ => {
                let callee = self.lower.expr(Expr::Super { scope });
                Expr::Call { callee, args }
            }
        };
        self.note(call, waiting, node, place)
    }

    fn type_around(&self, scope: ScopeId) -> Option<DefId> {
        let facts = &self.lower.facts;
        let mut next = Some(scope);
        while let Some(here) = next {
            let scope = facts.scope(here);
            if scope.kind == ScopeKind::Type {
                return scope.def;
            }
            next = scope.parent;
        }
        None
    }

    /// `Foo::bar`, `Foo::new`: counts where it is written, not where it is run.
    pub fn reference(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let parts = parts(node);
        let Some(&of) = parts.first() else {
            return UNKNOWN;
        };
        let name = parts
            .last()
            .filter(|last| parts.len() > 1 && last.kind() == "identifier");
        let is_type = matches!(
            of.kind(),
            "array_type" | "generic_type" | "type_identifier" | "scoped_type_identifier"
        );
        let reached = match (name, is_type) {
            (Some(&name), true) => {
                let ty = self.ty(of, place);
                let of = self.lower.expr(Expr::Type { ty });
                let name = self.method_name(name);
                Expr::Member { of, name }
            }
            (Some(&name), false) => {
                let of = self.read(of, place);
                let name = self.method_name(name);
                Expr::Member { of, name }
            }
            (None, _) if has(node, "new") => {
                let ty = match is_type {
                    true => self.ty(of, place),
                    false => self.path_type(of, place),
                };
                let of = self.lower.expr(Expr::Type { ty });
                // How many arguments it is called with, only its caller knows.
                let any = self.lower.expr(Expr::Spread { of: UNKNOWN });
                let args = self.lower.list(&[any]);
                Expr::New { of, args }
            }
            _ => return self.each(node, place),
        };
        let reached = self.lower.expr(reached);
        self.lower.call(reached, node, place);
        reached
    }

    /// Reads an expression that becomes a value of a written type.
    pub fn read_as(&mut self, node: Node<'t>, ty: TypeId, place: Place) -> ExprId {
        let told = matches!(node.kind(), "lambda_expression" | "ternary_expression");
        if !told || !self.lower.enter() {
            return self.read(node, place);
        }
        let value = match node.kind() {
            "lambda_expression" => self.lambda(node, Given::Type(ty), place),
            _ => self.either(node, ty, place),
        };
        self.lower.leave();
        value
    }

    pub fn lambda(&mut self, node: Node<'t>, given: Given, place: Place) -> ExprId {
        let around = std::mem::take(&mut self.returned);
        let returns = std::mem::replace(&mut self.returns, UNTYPED);
        let scope = self.in_scope(place, ScopeKind::Function, None, |walk, place| {
            if let Some(parameters) = node.child_by_field_name("parameters") {
                walk.lambda_parameters(parameters, given, place);
            }
            let Some(body) = node.child_by_field_name("body") else {
                return;
            };
            let value = walk.read(body, place);
            match body.kind() {
                "block" if always_throws(body) => walk.returned.push(UNKNOWN),
                "block" => {}
                // Statements as well: what they give may not be wanted.
                "assignment_expression" | "update_expression" => walk.returned.push(UNKNOWN),
                _ => walk.returned.push(value),
            }
        });
        let returned = std::mem::replace(&mut self.returned, around);
        self.returns = returns;
        let returned = self.lower.list(&returned);
        self.lower.expr(Expr::Lambda { scope, returned })
    }

    fn lambda_parameters(&mut self, list: Node<'t>, by: Given, place: Place) {
        if list.kind() == "formal_parameters" {
            self.parameters(list, place);
            return;
        }
        let names = match list.kind() {
            "identifier" => vec![list],
            _ => parts(list),
        };
        for (index, name) in (0..).zip(names) {
            let (mut ty, mut init) = (UNTYPED, UNKNOWN);
            match by {
                Given::Argument(argument) => {
                    let call = UNKNOWN;
                    init = self.lower.expr(Expr::Given {
                        call,
                        argument,
                        index,
                    });
                    self.waiting.push(init);
                }
                Given::Type(UNTYPED) | Given::Unknown => {}
                Given::Type(of) => ty = self.lower.ty(Type::Argument { of, index }),
            }
            self.local(name, place, ty, init);
        }
    }
}

/// Whether a block ends with `throw`: it may have a result or not.
fn always_throws(block: Node<'_>) -> bool {
    parts(block)
        .last()
        .is_some_and(|last| last.kind() == "throw_statement")
}

/// Whether the first part of a `new` is what it is called on.
fn is_outer(first: Node<'_>, written: Node<'_>) -> bool {
    first.id() != written.id()
        && !matches!(
            first.kind(),
            "type_arguments" | "annotation" | "marker_annotation"
        )
}
