//! Expressions of Go: what they call, what they name, and what can be known of their values.

use tree_sitter::Node;

use super::walk::{Walk, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// Reads an expression for its value, and notes what it names.
    pub fn value(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "identifier" => self.read_name(node, place),
            "interpreted_string_literal"
            | "raw_string_literal"
            | "int_literal"
            | "comment"
            | "nil"
            | "true"
            | "false"
            | "iota"
            | "float_literal"
            | "rune_literal"
            | "imaginary_literal"
            | "label_name" => UNKNOWN,
            kind => match self.deeper(|walk| walk.compound(kind, node, place)) {
                Some(value) => value,
                None => {
                    self.put_off(node, place);
                    UNKNOWN
                }
            },
        }
    }

    fn compound(&mut self, kind: &str, node: Node<'t>, place: Place) -> ExprId {
        match kind {
            "call_expression" => self.call(node, place),
            "selector_expression" => {
                let member = self.member(node, place);
                self.lower.used(Used::Expr(member), node, place);
                member
            }
            "composite_literal" => self.composite(node, place),
            "literal_value" => {
                self.elements(node, UNTYPED, place);
                UNKNOWN
            }
            "func_literal" => self.literal_function(node, None, place),
            "parenthesized_expression" => match parts(node).first() {
                Some(&inner) => self.value(inner, place),
                None => UNKNOWN,
            },
            "unary_expression" => self.unary(node, place),
            "binary_expression" => self.binary(node, place),
            "index_expression" => {
                let of = self.part(node, "operand", place);
                self.part(node, "index", place);
                self.lower.expr(Expr::Index { of })
            }
            "slice_expression" => {
                let mut parts = parts(node).into_iter();
                let value = parts.next().map(|of| self.value(of, place));
                parts.for_each(|bound| {
                    self.value(bound, place);
                });
                value.unwrap_or(UNKNOWN)
            }
            "type_conversion_expression" => self.conversion(node, place),
            "type_assertion_expression" => {
                self.part(node, "operand", place);
                let written = node.child_by_field_name("type");
                self.typed(written, place)
            }
            "type_instantiation_expression" => {
                self.visit_all(node, place);
                UNKNOWN
            }
            "type_identifier" | "qualified_type" | "generic_type" | "pointer_type"
            | "struct_type" | "interface_type" | "array_type" | "slice_type" | "map_type"
            | "channel_type" | "function_type" | "parenthesized_type" | "type_elem" => {
                let ty = self.written_type(node, place);
                self.lower.expr(Expr::Type { ty })
            }
            _ => {
                self.statement(kind, node, place);
                UNKNOWN
            }
        }
    }

    /// What is neither known to [`visit`](Walk::visit) nor an expression; or a statement where an expression should be.
    fn statement(&mut self, kind: &str, node: Node<'t>, place: Place) {
        match kind {
            "block" | "if_statement" | "for_statement" => self.visit(node, place),
            _ => self.visit_all(node, place),
        }
    }

    pub fn part(&mut self, node: Node<'t>, field: &str, place: Place) -> ExprId {
        let part = node.child_by_field_name(field);
        part.map_or(UNKNOWN, |part| self.value(part, place))
    }

    pub fn typed(&mut self, written: Option<Node<'t>>, place: Place) -> ExprId {
        let Some(written) = written else {
            return UNKNOWN;
        };
        let ty = self.written_type(written, place);
        self.lower.expr(Expr::Typed { ty })
    }

    pub fn name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let name = self.lower.name(node);
        let scope = self.scope_of(name, place);
        let at = node.start_byte() as u32;
        self.lower.expr(Expr::Name { name, scope, at })
    }

    fn read_name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if self.lower.str(node) == "_" {
            return UNKNOWN;
        }
        let expr = self.name(node, place);
        let name = self.lower.name(node);
        if !self.locals.knows(name) {
            self.lower.used(Used::Expr(expr), node, place);
        }
        expr
    }

    /// `of.name`, the whole of it not noted as read.
    pub fn member(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let operand = node.child_by_field_name("operand");
        let field = node.child_by_field_name("field");
        let of = operand.map_or(UNKNOWN, |operand| match self.is_package(operand) {
            true => self.name(operand, place),
            false => self.value(operand, place),
        });
        let Some(field) = field else {
            return UNKNOWN;
        };
        let name = self.lower.name(field);
        self.lower.expr(Expr::Member { of, name })
    }

    fn unary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = self.part(node, "operand", place);
        let operator = node.child_by_field_name("operator");
        let peel = match operator.map(|operator| operator.kind()) {
            Some("&") => Peel::Ref,
            Some("*") => Peel::Deref,
            Some("<-") => Peel::Element,
            Some("!") => return UNKNOWN,
            _ => return of,
        };
        self.lower.expr(Expr::Peel { of, peel })
    }

    /// The value of arithmetic is of the type of its operands; where one is a literal, the other tells.
    fn binary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut rights = vec![];
        let mut left = node;
        while left.kind() == "binary_expression" {
            rights.extend(left.child_by_field_name("right"));
            let Some(next) = left.child_by_field_name("left") else {
                break;
            };
            left = next;
        }
        let mut value = match left.kind() {
            "binary_expression" => UNKNOWN,
            _ => self.value(left, place),
        };
        for right in rights.into_iter().rev() {
            let right = self.value(right, place);
            value = if value == UNKNOWN { right } else { value };
        }
        let operator = node.child_by_field_name("operator");
        match operator.map(|operator| operator.kind()) {
            Some("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") => UNKNOWN,
            _ => value,
        }
    }

    fn composite(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let written = node.child_by_field_name("type");
        let ty = written.map_or(UNTYPED, |written| self.written_type(written, place));
        if let Some(body) = node.child_by_field_name("body") {
            self.elements(body, ty, place);
        }
        self.lower.expr(Expr::Typed { ty })
    }

    /// What stands in the braces of a value of a type.
    fn elements(&mut self, body: Node<'t>, ty: TypeId, place: Place) {
        let ty = match self.lower.facts.ty(ty) {
            Type::Ref { of } => of,
            _ => ty,
        };
        let (key, value) = match self.lower.facts.ty(ty) {
            Type::Array { of } => (UNTYPED, of),
            Type::Map { key, value } => (key, value),
            _ => (UNTYPED, UNTYPED),
        };
        let of_fields = matches!(
            self.lower.facts.ty(ty),
            Type::Named { .. } | Type::Members { .. } | Type::All { .. }
        );
        for element in parts(body) {
            if element.kind() != "keyed_element" {
                self.element_value(element, value, place);
                continue;
            }
            if let Some(name) = element.child_by_field_name("key") {
                match field_name(name).filter(|_| of_fields) {
                    Some(name) => self.field_given(name, ty, place),
                    None => self.element_value(name, key, place),
                }
            }
            if let Some(given) = element.child_by_field_name("value") {
                self.element_value(given, value, place);
            }
        }
    }

    fn element_value(&mut self, node: Node<'t>, ty: TypeId, place: Place) {
        let inner = match node.kind() {
            "literal_element" => parts(node).first().copied(),
            _ => Some(node),
        };
        match inner {
            Some(nested) if nested.kind() == "literal_value" => {
                let read = self.deeper(|walk| walk.elements(nested, ty, place));
                if read.is_none() {
                    self.put_off(nested, place);
                }
            }
            Some(plain) => {
                self.value(plain, place);
            }
            None => {}
        }
    }

    fn field_given(&mut self, node: Node<'t>, ty: TypeId, place: Place) {
        let of = self.lower.expr(Expr::Typed { ty });
        let name = self.lower.name(node);
        let member = self.lower.expr(Expr::Member { of, name });
        self.lower.used(Used::Expr(member), node, place);
    }

    /// A function without a name of its own, or one that the outline has by the name it is bound to.
    pub fn literal_function(&mut self, node: Node<'t>, def: Option<DefId>, place: Place) -> ExprId {
        let mark = self.locals.open();
        let scope = self.lower.scope(place.scope, ScopeKind::Function, def);
        let returns = self.signature(node, def, scope, place);
        if let Some(body) = node.child_by_field_name("body") {
            self.visit_all(body, place.scope(scope));
        }
        self.locals.close(mark);
        let returned = match returns {
            Some(ty) => vec![self.lower.expr(Expr::Typed { ty })],
            None => vec![],
        };
        let returned = self.lower.list(&returned);
        self.lower.expr(Expr::Lambda { scope, returned })
    }
}

/// The name that stands alone as a key.
fn field_name(key: Node<'_>) -> Option<Node<'_>> {
    let only = match key.kind() {
        "literal_element" => parts(key).first().copied()?,
        _ => key,
    };
    (only.kind() == "identifier").then_some(only)
}
