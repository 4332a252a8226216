//! Calls of Go, and what looks like one: conversions to types, what the language answers itself, type arguments.

use tree_sitter::Node;

use super::statements::unwrapped;
use super::types::basic;
use super::walk::{Walk, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// `[]byte(x)`; but `F[T](x)` and `pkg.F[T](x)` are calls as often, and look the same, as does `handlers[key](x)`.
    pub fn conversion(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let written = node.child_by_field_name("type");
        let generic = written.filter(|written| written.kind() == "generic_type");
        let callee = match generic {
            Some(generic) => self.instance(generic, place),
            None => UNKNOWN,
        };
        let operand = self.part(node, "operand", place);
        if generic.is_none() {
            return self.typed(written, place);
        }
        let args = self.lower.list(&[operand]);
        let call = self.lower.expr(Expr::Call { callee, args });
        self.lower.call(call, node, place);
        call
    }

    /// `F[T]`, `pkg.F[T]`: what is named with types; an element where the name is a local variable's.
    fn instance(&mut self, generic: Node<'t>, place: Place) -> ExprId {
        let name = generic.child_by_field_name("type");
        let arguments = generic.child_by_field_name("type_arguments");
        let (Some(name), Some(arguments)) = (name, arguments) else {
            return UNKNOWN;
        };
        let arguments = self.type_arguments(arguments, place);
        self.with_types(name, &arguments, place)
    }

    fn with_types(&mut self, name: Node<'t>, arguments: &[TypeId], place: Place) -> ExprId {
        let mut path = vec![name];
        if name.kind() != "identifier" && name.named_child_count() > 0 {
            path = parts(name);
        }
        let path: Vec<Sym> = path.iter().map(|&part| self.lower.name(part)).collect();
        let scope = self.scope_of(path[0], place);
        let local = self.locals.knows(path[0]);
        if local || path.len() > 1 && !self.packages.contains(&path[0]) {
            let at = name.start_byte() as u32;
            let mut of = self.lower.expr(Expr::Name {
                name: path[0],
                scope,
                at,
            });
            for &name in &path[1..] {
                of = self.lower.expr(Expr::Member { of, name });
            }
            return self.lower.expr(Expr::Index { of });
        }
        let path = self.lower.list(&path);
        let args = self.lower.list(arguments);
        let ty = self.lower.ty(Type::Named { path, args, scope });
        self.lower.expr(Expr::Type { ty })
    }

    pub fn is_package(&mut self, node: Node<'t>) -> bool {
        if node.kind() != "identifier" {
            return false;
        }
        let name = self.lower.name(node);
        self.packages.contains(&name) && !self.locals.knows(name)
    }

    pub fn call(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(function) = node.child_by_field_name("function") else {
            return UNKNOWN;
        };
        let arguments = node.child_by_field_name("arguments");
        if let Some(value) = self.own_of_language(function, arguments, place) {
            return value;
        }
        let callee = match node.child_by_field_name("type_arguments") {
            Some(types) if can_have_types(function) => {
                let types = self.type_arguments(types, place);
                self.with_types(function, &types, place)
            }
            _ => self.callee(function, place),
        };
        let args = self.arguments(arguments, place);
        let args = self.lower.list(&args);
        let call = self.lower.expr(Expr::Call { callee, args });
        if unwrapped(function).kind() != "func_literal" {
            self.lower.call(call, node, place);
        }
        call
    }

    fn type_arguments(&mut self, list: Node<'t>, place: Place) -> Vec<TypeId> {
        let types = parts(list).into_iter();
        types.map(|ty| self.written_type(ty, place)).collect()
    }

    fn arguments(&mut self, list: Option<Node<'t>>, place: Place) -> Vec<ExprId> {
        let Some(list) = list else {
            return vec![];
        };
        let arguments = parts(list).into_iter();
        arguments
            .map(|argument| match argument.kind() {
                "variadic_argument" => match parts(argument).first() {
                    Some(&inner) => self.value(inner, place),
                    None => UNKNOWN,
                },
                _ => self.value(argument, place),
            })
            .collect()
    }

    /// Calls that the language answers itself, where their value can matter, and conversions to types of its own.
    fn own_of_language(
        &mut self,
        function: Node<'t>,
        arguments: Option<Node<'t>>,
        place: Place,
    ) -> Option<ExprId> {
        let function = unwrapped(function);
        let pointer = function.kind() == "unary_expression";
        if pointer && let Some(to) = self.converts_to_pointer(function, place) {
            self.arguments(arguments, place);
            return Some(to);
        }
        if function.kind() != "identifier" {
            return None;
        }
        let name = self.lower.str(function);
        let sym = self.lower.sym(name);
        if self.locals.knows(sym) {
            return None;
        }
        match name {
            "new" | "make" => Some(self.made(name, arguments?, place)),
            "append" => {
                let arguments = self.arguments(arguments, place);
                Some(arguments.first().copied().unwrap_or(UNKNOWN))
            }
            _ => {
                let literal = basic(name)?;
                self.arguments(arguments, place);
                let ty = self.lower.ty(Type::Basic { literal });
                Some(self.lower.expr(Expr::Typed { ty }))
            }
        }
    }

    /// `(*T)(x)`, unless `*T` is what a local variable points to.
    fn converts_to_pointer(&mut self, function: Node<'t>, place: Place) -> Option<ExprId> {
        let operator = function.child_by_field_name("operator")?;
        let operand = function.child_by_field_name("operand")?;
        let to_type = match operand.kind() {
            "identifier" => {
                let name = self.lower.name(operand);
                !self.locals.knows(name)
            }
            "selector_expression" => operand
                .child_by_field_name("operand")
                .is_some_and(|operand| self.is_package(operand)),
            _ => false,
        };
        if operator.kind() != "*" || !to_type {
            return None;
        }
        let of = self.path_type(operand, place);
        let ty = self.lower.ty(Type::Ref { of });
        Some(self.lower.expr(Expr::Typed { ty }))
    }

    /// A type that is written as a name or as a member of a package.
    fn path_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let path: Vec<Sym> = match node.kind() {
            "selector_expression" => parts(node)
                .into_iter()
                .map(|part| self.lower.name(part))
                .collect(),
            _ => vec![self.lower.name(node)],
        };
        let scope = self.scope_of(path[0], place);
        let path = self.lower.list(&path);
        let args = List::default();
        let ty = self.lower.ty(Type::Named { path, args, scope });
        self.lower.used(Used::Type(ty), node, place);
        ty
    }

    /// `new(T)` is a pointer to one, `make(T, ..)` is one.
    fn made(&mut self, how: &str, arguments: Node<'t>, place: Place) -> ExprId {
        let mut arguments = parts(arguments).into_iter();
        let value = match arguments.next() {
            // Also `new(value)`, a pointer to a copy of it.
            Some(first)
                if !first.kind().ends_with("_type") && first.kind() != "type_identifier" =>
            {
                self.value(first, place)
            }
            first => self.typed(first, place),
        };
        for argument in arguments {
            self.value(argument, place);
        }
        match how {
            "new" => {
                let peel = Peel::Ref;
                self.lower.expr(Expr::Peel { of: value, peel })
            }
            _ => value,
        }
    }

    /// What is called: read, but not noted as such.
    fn callee(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let node = unwrapped(node);
        match node.kind() {
            "identifier" => self.name(node, place),
            "selector_expression" => self.member(node, place),
            "index_expression" => self.indexed_callee(node, place),
            _ => self.value(node, place),
        }
    }

    /// `F[T]` of `F[T]()`, or a function out of a collection.
    fn indexed_callee(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let operand = node.child_by_field_name("operand");
        let index = node.child_by_field_name("index");
        let (Some(operand), Some(index)) = (operand, index) else {
            return UNKNOWN;
        };
        if can_have_types(operand) {
            let argument = self.index_type(index, place);
            return self.with_types(operand, &[argument], place);
        }
        let of = self.value(operand, place);
        self.value(index, place);
        self.lower.expr(Expr::Index { of })
    }

    /// The type that an index may be.
    fn index_type(&mut self, index: Node<'t>, place: Place) -> TypeId {
        match index.kind() {
            "identifier" => self.written_type(index, place),
            "selector_expression" if can_have_types(index) => self.path_type(index, place),
            "unary_expression" => {
                let operand = index.child_by_field_name("operand");
                let of = operand.map_or(UNTYPED, |operand| self.index_type(operand, place));
                self.lower.ty(Type::Ref { of })
            }
            _ => {
                self.value(index, place);
                UNTYPED
            }
        }
    }
}

/// `F` and `pkg.F`: a function that may have type arguments.
fn can_have_types(function: Node<'_>) -> bool {
    match function.kind() {
        "identifier" => true,
        "selector_expression" => function
            .child_by_field_name("operand")
            .is_some_and(|operand| operand.kind() == "identifier"),
        _ => false,
    }
}
