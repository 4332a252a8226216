//! Calls of C and C++, and what else makes a value: `new`, braces behind a type, lambdas.

use tree_sitter::Node;

use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn call(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(function) = node.child_by_field_name("function") else {
            self.visit_parts(node, place);
            return UNKNOWN;
        };
        if let Some(made) = self.templated(function, place) {
            if let Some(list) = node.child_by_field_name("arguments") {
                self.arguments(list, place);
            }
            return made;
        }
        let callee = self.callee(function, place);
        let args = match node.child_by_field_name("arguments") {
            Some(list) => self.arguments(list, place),
            None => List::default(),
        };
        if callee == UNKNOWN {
            return UNKNOWN;
        }
        let only = self.lower.facts.list(args).first().copied();
        if let Some(only) = only.filter(|_| args.len == 1)
            && matches!(
                self.lower.str(function),
                "std::move" | "std::forward" | "std::as_const"
            )
        {
            return only;
        }
        let expr = self.lower.expr(Expr::Call { callee, args });
        self.lower.call(expr, node, place);
        expr
    }

    /// What is called; brackets and `*` around it say nothing.
    fn callee(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut inner = node;
        while matches!(
            inner.kind(),
            "parenthesized_expression" | "pointer_expression"
        ) && inner.named_child_count() == 1
            && let Some(next) = inner.named_child(0)
        {
            inner = next;
        }
        match inner.kind() {
            "qualified_identifier" | "template_function" if has_arguments(inner) => {
                let ty = self.path(inner, place, false);
                self.lower.expr(Expr::Type { ty })
            }
            "identifier" | "qualified_identifier" | "operator_name" => {
                self.named(inner, place, true)
            }
            "primitive_type" | "sized_type_specifier" => UNKNOWN,
            _ => self.value(inner, place),
        }
    }

    /// The arguments of a call, or the values between braces.
    pub fn arguments(&mut self, list: Node<'t>, place: Place) -> List {
        let mut values = vec![];
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if child.kind() != "comment" && !child.kind().starts_with("preproc") {
                values.push(self.value(child, place));
            }
        }
        self.lower.list(&values)
    }

    /// `static_cast<T>(x)`, `std::make_unique<T>(x)`: what they give is written between the angles.
    fn templated(&mut self, function: Node<'t>, place: Place) -> Option<ExprId> {
        let mut part = function;
        while part.kind() == "qualified_identifier" {
            part = part.child_by_field_name("name")?;
        }
        if part.kind() != "template_function" {
            return None;
        }
        let name = self.lower.str(part.child_by_field_name("name")?);
        let pointer = match name {
            "static_cast" | "dynamic_cast" | "const_cast" | "reinterpret_cast" => None,
            "make_unique" => Some("unique_ptr"),
            "make_shared" => Some("shared_ptr"),
            _ => return None,
        };
        let mut types = vec![];
        self.type_arguments(part.child_by_field_name("arguments")?, place, &mut types);
        let mut ty = types.first().copied().unwrap_or(UNTYPED);
        if let Some(pointer) = pointer {
            let names = ["std", pointer].map(|name| self.lower.sym(name));
            let path = self.lower.list(&names);
            let args = self.lower.list(&[ty]);
            let scope = place.scope;
            ty = self.lower.ty(Type::Named { path, args, scope });
        }
        Some(self.lower.expr(Expr::Typed { ty }))
    }

    /// `new T(x)`
    pub fn new_expression(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if let Some(placement) = node.child_by_field_name("placement") {
            self.visit(placement, place);
        }
        if let Some(sizes) = node.child_by_field_name("declarator") {
            self.visit(sizes, place);
        }
        let args = match node.child_by_field_name("arguments") {
            Some(list) => self.arguments(list, place),
            None => List::default(),
        };
        let Some(ty) = node.child_by_field_name("type") else {
            return UNKNOWN;
        };
        let named = self.written(ty, place);
        // `new T*[n]` makes pointers.
        let behind = &self.lower.text[ty.end_byte()..node.end_byte()];
        let mut between = behind.trim_ascii_start().split(|&byte| byte == b'[');
        match between.next() {
            Some(head) if head.starts_with(b"*") => UNKNOWN,
            _ => self.make(named, args, node, place),
        }
    }

    /// `T{x}`, in C `(T){x}`.
    pub fn compound_literal(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let args = match node.child_by_field_name("value") {
            Some(list) => self.arguments(list, place),
            None => List::default(),
        };
        let Some(ty) = node.child_by_field_name("type") else {
            return UNKNOWN;
        };
        let bare = ty.kind() != "type_descriptor";
        let ty = self.written(ty, place);
        match bare {
            true => self.make(ty, args, node, place),
            false => self.lower.expr(Expr::Typed { ty }),
        }
    }

    pub fn lambda(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
        let returned = self.lambda_body(node, place.scope(scope), None);
        self.lower.expr(Expr::Lambda { scope, returned })
    }
}

/// Whether a name ends with the arguments of a template.
fn has_arguments(name: Node<'_>) -> bool {
    let mut part = name;
    while part.kind() == "qualified_identifier"
        && let Some(inner) = part.child_by_field_name("name")
    {
        part = inner;
    }
    part.kind() == "template_function"
}
