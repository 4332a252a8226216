//! Java expressions but calls.

use tree_sitter::Node;

use super::calls::Given;
use super::walk::{Walk, has, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn expression(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let scope = place.scope;
        match node.kind() {
            "identifier" => self.name(node, place),
            "this" => self.lower.expr(Expr::This { scope }),
            "super" => self.lower.expr(Expr::Super { scope }),
            "field_access" => self.field(node, place),
            "method_invocation" => self.invocation(node, place),
            "object_creation_expression" => self.creation(node, place),
            "explicit_constructor_invocation" => self.delegation(node, place),
            "method_reference" => self.reference(node, place),
            "lambda_expression" => self.lambda(node, Given::Unknown, place),
            "array_access" => self.index(node, place),
            "array_creation_expression" => self.new_array(node, place),
            "array_initializer" => self.elements(node, place),
            "cast_expression" => self.cast(node, place),
            "instanceof_expression" => self.instance_of(node, place),
            "ternary_expression" => self.either(node, UNTYPED, place),
            "assignment_expression" => self.assignment(node, place),
            "binary_expression" => self.binary(node, place),
            "unary_expression" => self.unary(node, place),
            "update_expression" | "parenthesized_expression" | "expression_statement" => {
                self.inner(node, place)
            }
            "switch_expression" => self.switch(node, place),
            "pattern" => {
                self.pattern(node, UNKNOWN, place);
                UNKNOWN
            }
            "return_statement" => {
                if let [value] = parts(node)[..] {
                    let value = self.read_as(value, self.returns, place);
                    self.returned.push(value);
                }
                UNKNOWN
            }
            "class_literal" => self.class_literal(node, place),
            kind => match literal(kind, self.lower.str(node)) {
                Some(literal) => self.lower.expr(Expr::Literal { literal }),
                None => self.each(node, place),
            },
        }
    }

    fn name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let name = self.lower.name(node);
        let expr = self.lower.expr(Expr::Name {
            name,
            scope: place.scope,
            at: node.start_byte() as u32,
        });
        if !self.locals.contains(&name) {
            self.lower.used(Used::Expr(expr), node, place);
        }
        expr
    }

    fn inner(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let values = parts(node).into_iter().map(|part| self.read(part, place));
        values.last().unwrap_or(UNKNOWN)
    }

    fn field(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let (Some(object), Some(field)) = (
            node.child_by_field_name("object"),
            node.child_by_field_name("field"),
        ) else {
            return self.each(node, place);
        };
        if field.kind() == "this" {
            return self.outer(object, place);
        }
        let of = match has(node, "super") && object.kind() != "super" {
            true => self.outer_super(object, place),
            false => self.read(object, place),
        };
        let name = self.lower.name(field);
        let expr = self.lower.expr(Expr::Member { of, name });
        self.lower.used(Used::Expr(expr), node, place);
        expr
    }

    /// `Outer.this`.
    fn outer(&mut self, named: Node<'t>, place: Place) -> ExprId {
        match self.scope_of(named, place) {
            Some(scope) => self.lower.expr(Expr::This { scope }),
            None => {
                let ty = self.path_type(named, place);
                self.lower.expr(Expr::Typed { ty })
            }
        }
    }

    /// `Outer.super`, `Interface.super`.
    pub fn outer_super(&mut self, named: Node<'t>, place: Place) -> ExprId {
        match self.scope_of(named, place) {
            Some(scope) => self.lower.expr(Expr::Super { scope }),
            None => {
                let ty = self.path_type(named, place);
                self.lower.expr(Expr::Typed { ty })
            }
        }
    }

    /// The scope of the type of that name around a place.
    fn scope_of(&self, named: Node<'t>, place: Place) -> Option<ScopeId> {
        let facts = &self.lower.facts;
        let text = self.lower.str(named);
        let mut next = Some(place.scope);
        while let Some(here) = next {
            let scope = facts.scope(here);
            let def = scope.def.filter(|_| scope.kind == ScopeKind::Type);
            if def.is_some_and(|def| facts.name(facts.def(def).name) == text) {
                return Some(here);
            }
            next = scope.parent;
        }
        None
    }

    fn index(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = node
            .child_by_field_name("array")
            .map_or(UNKNOWN, |array| self.read(array, place));
        if let Some(index) = node.child_by_field_name("index") {
            self.read(index, place);
        }
        self.lower.expr(Expr::Index { of })
    }

    fn new_array(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let (mut ty, mut depth) = (UNTYPED, 0);
        for part in parts(node) {
            match part.kind() {
                "dimensions_expr" => {
                    depth += 1;
                    self.each(part, place);
                }
                "dimensions" => {
                    let mut cursor = part.walk();
                    depth += part
                        .children(&mut cursor)
                        .filter(|mark| mark.kind() == "[")
                        .count();
                }
                "array_initializer" | "annotation" | "marker_annotation" => {
                    self.read(part, place);
                }
                _ => ty = self.ty(part, place),
            }
        }
        let ty = self.array(ty, depth);
        self.lower.expr(Expr::Typed { ty })
    }

    fn elements(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let values: Vec<ExprId> = parts(node)
            .into_iter()
            .map(|part| self.read(part, place))
            .collect();
        let of = self.lower.list(&values);
        self.lower.expr(Expr::Array { of })
    }

    fn cast(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut cursor = node.walk();
        let types: Vec<Node> = node
            .children_by_field_name("type", &mut cursor)
            .filter(|ty| ty.is_named())
            .collect();
        let types: Vec<TypeId> = types.into_iter().map(|ty| self.ty(ty, place)).collect();
        let ty = match types[..] {
            [one] => one,
            _ => {
                let of = self.lower.list(&types);
                self.lower.ty(Type::All { of })
            }
        };
        if let Some(value) = node.child_by_field_name("value") {
            self.read_as(value, ty, place);
        }
        self.lower.expr(Expr::Typed { ty })
    }

    /// `a ? b : c`, where a value of a type is wanted.
    pub fn either(&mut self, node: Node<'t>, ty: TypeId, place: Place) -> ExprId {
        if let Some(condition) = node.child_by_field_name("condition") {
            self.read(condition, place);
        }
        let branches = ["consequence", "alternative"].map(|field| node.child_by_field_name(field));
        let values: Vec<ExprId> = branches
            .into_iter()
            .flatten()
            .map(|branch| self.read_as(branch, ty, place))
            .collect();
        let of = self.lower.list(&values);
        self.lower.expr(Expr::Either { of })
    }

    fn assignment(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let sides = ["left", "right"].map(|field| node.child_by_field_name(field));
        let [left, right] = sides.map(|side| side.map_or(UNKNOWN, |side| self.read(side, place)));
        match left {
            UNKNOWN => right,
            left => left,
        }
    }

    /// Arithmetic gives what one of its sides is, with text in it text; comparisons give truth.
    fn binary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let sides = ["left", "right"].map(|field| node.child_by_field_name(field));
        let [left, right] = sides.map(|side| side.map_or(UNKNOWN, |side| self.read(side, place)));
        let operator = node
            .child_by_field_name("operator")
            .map_or("", |operator| operator.kind());
        match operator {
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" => self.lower.expr(Expr::Literal {
                literal: Literal::Bool,
            }),
            "<<" | ">>" | ">>>" => left,
            _ => {
                let text = |side| {
                    self.lower.facts.expr(side)
                        == Expr::Literal {
                            literal: Literal::Str,
                        }
                };
                if let Some(side) = [left, right].into_iter().find(|&side| text(side)) {
                    return side;
                }
                let of = self.lower.list(&[left, right]);
                self.lower.expr(Expr::Either { of })
            }
        }
    }

    fn unary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let value = node
            .child_by_field_name("operand")
            .map_or(UNKNOWN, |operand| self.read(operand, place));
        match node
            .child_by_field_name("operator")
            .map(|operator| operator.kind())
        {
            Some("!") => self.lower.expr(Expr::Literal {
                literal: Literal::Bool,
            }),
            _ => value,
        }
    }

    /// `switch`, whose value is that of one of its rules.
    fn switch(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if let Some(condition) = node.child_by_field_name("condition") {
            self.read(condition, place);
        }
        let Some(body) = node.child_by_field_name("body") else {
            return UNKNOWN;
        };
        let mut values = vec![];
        self.in_block(place, |walk, place| {
            for rule in parts(body) {
                match rule.kind() {
                    "switch_rule" => walk.in_block(place, |walk, place| {
                        let parts = parts(rule).into_iter();
                        values.extend(parts.map(|part| walk.read(part, place)).last());
                    }),
                    _ => {
                        walk.read(rule, place);
                    }
                }
            }
        });
        let of = self.lower.list(&values);
        self.lower.expr(Expr::Either { of })
    }

    /// `Foo.class`: a `Class<Foo>`.
    fn class_literal(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let of = parts(node)
            .first()
            .map_or(UNTYPED, |ty| self.ty(*ty, place));
        let ty = self.library_type("java.lang.Class", &[of]);
        self.lower.expr(Expr::Typed { ty })
    }
}

fn literal(kind: &str, text: &str) -> Option<Literal> {
    Some(match kind {
        "string_literal" => Literal::Str,
        "character_literal" => Literal::Char,
        "true" | "false" => Literal::Bool,
        "null_literal" => Literal::Null,
        "decimal_integer_literal"
        | "hex_integer_literal"
        | "octal_integer_literal"
        | "binary_integer_literal" => match text.ends_with(['l', 'L']) {
            true => Literal::Long,
            false => Literal::Int,
        },
        "decimal_floating_point_literal" | "hex_floating_point_literal" => {
            match text.ends_with(['f', 'F']) {
                true => Literal::Float,
                false => Literal::Double,
            }
        }
        _ => return None,
    })
}
