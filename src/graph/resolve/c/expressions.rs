//! Expressions of C and C++ but calls.

use tree_sitter::Node;

use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// What a node gives; nothing of a node that gives nothing, but what is in it is read all the same.
    pub fn value(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if !self.lower.enter() {
            self.put_off(node, place);
            return UNKNOWN;
        }
        let value = self.value_of(node, place);
        self.lower.leave();
        value
    }

    fn value_of(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "identifier" | "qualified_identifier" | "template_function" | "operator_name" => {
                self.named(node, place, false)
            }
            "this" => self.lower.expr(Expr::This { scope: place.scope }),
            "call_expression" => self.call(node, place),
            "new_expression" => self.new_expression(node, place),
            "compound_literal_expression" => self.compound_literal(node, place),
            "lambda_expression" => self.lambda(node, place),
            "field_expression" => self.member(node, place),
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) if node.named_child_count() == 1 => self.value(inner, place),
                _ => self.parts_of(node, place),
            },
            "cast_expression" => self.cast(node, place),
            "pointer_expression" => self.pointer(node, place),
            "subscript_expression" => self.subscript(node, place),
            "assignment_expression" => self.left_of(node, place),
            "conditional_expression" => self.conditional(node, place),
            "comma_expression" => self.comma(node, place),
            "binary_expression" => self.binary(node, place),
            "update_expression" | "co_await_expression" => self.field(node, "argument", place),
            "unary_expression" => self.field(node, "argument", place),
            "initializer_pair" => self.field(node, "value", place),
            "type_descriptor" => {
                let ty = self.written(node, place);
                self.lower.expr(Expr::Type { ty })
            }
            "generic_expression" => self.generic(node, place),
            kind => match literal(kind) {
                Some(literal) => self.lower.expr(Expr::Literal { literal }),
                None => self.parts_of(node, place),
            },
        }
    }

    /// Reads what is in a node that has no value.
    fn parts_of(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.visit_parts(node, place);
        UNKNOWN
    }

    /// The value of one field of a node. Other fields hold no names.
    fn field(&mut self, node: Node<'t>, field: &str, place: Place) -> ExprId {
        node.child_by_field_name(field)
            .map_or(UNKNOWN, |inner| self.value(inner, place))
    }

    /// A name, which is noted unless it is local or called.
    pub fn named(&mut self, node: Node<'t>, place: Place, called: bool) -> ExprId {
        match node.kind() {
            "qualified_identifier" => self.qualified(node, place, called),
            "template_function" | "template_type" | "template_method" => {
                if let Some(list) = node.child_by_field_name("arguments") {
                    self.type_arguments(list, place, &mut vec![]);
                }
                match node.child_by_field_name("name") {
                    Some(name) => self.named(name, place, called),
                    None => UNKNOWN,
                }
            }
            _ => {
                let name = self.lower.name(node);
                let scope = place.scope;
                let at = node.start_byte() as u32;
                let expr = self.lower.expr(Expr::Name { name, scope, at });
                if !called && !self.is_local(name) {
                    self.note(Used::Expr(expr), name, node, place);
                }
                expr
            }
        }
    }

    /// `a::b<T>::c`; `::c` is seen from the file.
    fn qualified(&mut self, node: Node<'t>, place: Place, called: bool) -> ExprId {
        let (mut of, mut part) = (None, node);
        while part.kind() == "qualified_identifier" {
            let scope = part.child_by_field_name("scope");
            of = Some(match (of, scope) {
                (None, None) => UNKNOWN,
                (Some(UNKNOWN), Some(scope)) => self.named(scope, place.scope(FILE), true),
                (None, Some(scope)) if scope.kind() == "namespace_identifier" => {
                    self.named(scope, place, true)
                }
                (None, Some(scope)) => {
                    let ty = self.written(scope, place);
                    self.lower.expr(Expr::Type { ty })
                }
                (Some(of), None) => of,
                (Some(of), Some(scope)) => self.static_of(of, scope),
            });
            let Some(name) = part.child_by_field_name("name") else {
                return UNKNOWN;
            };
            part = name;
        }
        if let Some(list) = part.child_by_field_name("arguments") {
            self.type_arguments(list, place, &mut vec![]);
        }
        let expr = match of {
            Some(UNKNOWN) | None => return self.named(part, place.scope(FILE), called),
            Some(of) => self.static_of(of, part),
        };
        if !called {
            self.lower.used(Used::Expr(expr), node, place);
        }
        expr
    }

    fn static_of(&mut self, of: ExprId, node: Node<'t>) -> ExprId {
        let node = node.child_by_field_name("name").unwrap_or(node);
        let name = self.lower.name(node);
        self.lower.expr(Expr::Static { of, name })
    }

    /// `a.b`, `a->b`, `a.template b<T>`, `a->Base::b`.
    pub fn member(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = self.field(node, "argument", place);
        let Some(mut field) = node.child_by_field_name("field") else {
            return UNKNOWN;
        };
        loop {
            match field.kind() {
                "field_identifier" => break,
                "template_method" => {
                    if let Some(list) = field.child_by_field_name("arguments") {
                        self.type_arguments(list, place, &mut vec![]);
                    }
                    match field.child_by_field_name("name") {
                        Some(name) => field = name,
                        None => return UNKNOWN,
                    }
                }
                "dependent_name" => match field.named_child(0) {
                    Some(name) => field = name,
                    None => return UNKNOWN,
                },
                "qualified_identifier" => return self.qualified(field, place, true),
                _ => return UNKNOWN,
            }
        }
        let name = self.lower.name(field);
        self.lower.expr(Expr::Member { of, name })
    }

    fn cast(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.field(node, "value", place);
        match node.child_by_field_name("type") {
            Some(ty) => {
                let ty = self.written(ty, place);
                self.lower.expr(Expr::Typed { ty })
            }
            None => UNKNOWN,
        }
    }

    fn pointer(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = self.field(node, "argument", place);
        let star = node.child(0).is_some_and(|operator| operator.kind() == "*");
        let peel = if star { Peel::Deref } else { Peel::Ref };
        match of {
            UNKNOWN => UNKNOWN,
            of => self.lower.expr(Expr::Peel { of, peel }),
        }
    }

    fn subscript(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = self.field(node, "argument", place);
        self.field(node, "index", place);
        self.field(node, "indices", place);
        self.lower.expr(Expr::Index { of })
    }

    fn left_of(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let left = self.field(node, "left", place);
        self.field(node, "right", place);
        left
    }

    fn conditional(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let test = self.field(node, "condition", place);
        let mut either = vec![];
        match node.child_by_field_name("consequence") {
            Some(one) => either.push(self.value(one, place)),
            None => either.push(test),
        }
        either.push(self.field(node, "alternative", place));
        let of = self.lower.list(&either);
        self.lower.expr(Expr::Either { of })
    }

    fn comma(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.field(node, "left", place);
        self.field(node, "right", place)
    }

    /// Sums and streams are what their left side is.
    fn binary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let left = self.left_of(node, place);
        let operator = node.child_by_field_name("operator");
        match operator.map(|operator| operator.kind()) {
            Some("+" | "-" | "<<" | ">>") => left,
            Some("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") => {
                let literal = Literal::Bool;
                self.lower.expr(Expr::Literal { literal })
            }
            _ => UNKNOWN,
        }
    }

    /// `_Generic(x, int: f, default: g)`
    fn generic(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut values = vec![];
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let value = self.value(child, place);
            if child.kind() != "type_descriptor" {
                values.push(value);
            }
        }
        let of = self.lower.list(values.get(1..).unwrap_or(&[]));
        self.lower.expr(Expr::Either { of })
    }
}

fn literal(kind: &str) -> Option<Literal> {
    Some(match kind {
        "number_literal" => Literal::Int,
        "string_literal" | "raw_string_literal" | "concatenated_string" => Literal::Str,
        "char_literal" => Literal::Char,
        "true" | "false" => Literal::Bool,
        "null" | "nullptr" => Literal::Null,
        _ => return None,
    })
}
