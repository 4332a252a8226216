//! Expressions and statements.

use tree_sitter::Node;

use super::walk::{FIELDS, Walk, child, children, field, first};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn expression(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "expression_statement" | "parenthesized_expression" => self.maybe(first(node), place),
            "call_expression" => self.call(node, place),
            "identifier" => self.read_name(node, place),
            "field_expression" => self.member(node, place, false),
            "scoped_identifier" => {
                let path = self.path(node, place);
                self.lower.used(Used::Expr(path), node, place);
                path
            }
            "self" => self.lower.expr(Expr::This { scope: place.scope }),
            "macro_invocation" => self.invocation(node, place),
            "let_declaration" => self.declaration(node, place),
            "block" => self.scoped(node, place),
            "unsafe_block" | "async_block" | "const_block" | "try_block" | "gen_block" => {
                child(node, "block").map_or(UNKNOWN, |block| self.scoped(block, place))
            }
            "if_expression" => self.branch(node, place),
            "else_clause" => self.maybe(first(node), place),
            "match_expression" => self.match_expression(node, place),
            "for_expression" => self.for_loop(node, place),
            "while_expression" => {
                let locals = self.locals.len();
                let inner = self.condition(field(node, FIELDS.condition), place);
                self.maybe(field(node, FIELDS.body), inner);
                self.locals.truncate(locals);
                UNKNOWN
            }
            "loop_expression" => {
                self.maybe(field(node, FIELDS.body), place);
                UNKNOWN
            }
            "closure_expression" => self.closure(node, place, None),
            "generic_function" => {
                self.type_arguments(field(node, FIELDS.type_arguments), place);
                self.maybe(field(node, FIELDS.function), place)
            }
            "line_comment" | "block_comment" | "label" | "lifetime" | "token_tree" => UNKNOWN,
            _ => self.operation(node, place),
        }
    }

    fn operation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "reference_expression" => {
                let of = self.maybe(field(node, FIELDS.value), place);
                self.peel(of, Peel::Ref)
            }
            "unary_expression" => {
                let of = self.maybe(first(node), place);
                match node.child(0).is_some_and(|sign| sign.kind() == "*") {
                    true => self.peel(of, Peel::Deref),
                    false => of,
                }
            }
            "try_expression" => {
                let of = self.maybe(first(node), place);
                self.peel(of, Peel::Try)
            }
            "await_expression" => {
                let of = self.maybe(first(node), place);
                self.peel(of, Peel::Await)
            }
            "binary_expression" => self.binary(node, place),
            "range_expression" | "array_expression" => {
                let parts = self.parts_of(node, place);
                let of = self.lower.list(&parts);
                self.lower.expr(Expr::Array { of })
            }
            "tuple_expression" | "unit_expression" => {
                let parts = self.parts_of(node, place);
                let of = self.lower.list(&parts);
                self.lower.expr(Expr::Tuple { of })
            }
            "index_expression" => self.index(node, place),
            "type_cast_expression" => {
                self.maybe(field(node, FIELDS.value), place);
                let ty = field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, place));
                self.lower.expr(Expr::Typed { ty })
            }
            "struct_expression" => self.structure_value(node, place),
            "assignment_expression" => self.assignment(node, place),
            "shorthand_field_initializer" => self.inside(node, place),
            _ => self.literal(node, place),
        }
    }

    fn literal(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let text = |lower: &crate::graph::lower::Lower<'_>| lower.str(node).starts_with('b');
        let literal = match node.kind() {
            "string_literal" | "raw_string_literal" if !text(self.lower) => {
                let ty = self.lower.named("str", place.scope);
                return self.lower.expr(Expr::Typed { ty });
            }
            "string_literal" | "raw_string_literal" => {
                let byte = self.lower.expr(Expr::Literal {
                    literal: Literal::Int,
                });
                let of = self.lower.list(&[byte]);
                return self.lower.expr(Expr::Array { of });
            }
            "boolean_literal" => Literal::Bool,
            "integer_literal" => Literal::Int,
            "float_literal" => Literal::Float,
            "char_literal" => Literal::Char,
            _ => return self.inside(node, place),
        };
        self.lower.expr(Expr::Literal { literal })
    }

    /// A name as a value: noted as used unless it is a local.
    fn read_name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let value = self.plain_name(node, place);
        let name = self.lower.name(node);
        if self.local(name).is_none() {
            self.lower.used(Used::Expr(value), node, place);
        }
        value
    }

    fn parts_of(&mut self, node: Node<'t>, place: Place) -> Vec<ExprId> {
        let parts = children(node)
            .into_iter()
            .filter(|node| node.kind() != "attribute_item");
        parts.map(|node| self.node(node, place)).collect()
    }

    fn binary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let left = self.maybe(field(node, FIELDS.left), place);
        self.maybe(field(node, FIELDS.right), place);
        let operator = node.child(1).map_or("", |operator| operator.kind());
        match operator {
            "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                let literal = Literal::Bool;
                self.lower.expr(Expr::Literal { literal })
            }
            _ => left,
        }
    }

    /// An element, or by a range a part of the same type.
    fn index(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let parts = children(node);
        let values: Vec<ExprId> = parts.iter().map(|&part| self.node(part, place)).collect();
        let of = values.first().copied().unwrap_or(UNKNOWN);
        let ranged = parts
            .get(1)
            .is_some_and(|index| index.kind() == "range_expression");
        match (of, ranged) {
            (UNKNOWN, _) => UNKNOWN,
            (of, true) => of,
            (of, false) => self.lower.expr(Expr::Index { of }),
        }
    }

    fn structure_value(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let ty = field(node, FIELDS.name).map_or(UNTYPED, |name| self.ty(name, place));
        for part in field(node, FIELDS.body).into_iter().flat_map(children) {
            match part.kind() {
                "field_initializer" => {
                    self.maybe(field(part, FIELDS.value), place);
                }
                "attribute_item" => {}
                _ => {
                    self.inside(part, place);
                }
            }
        }
        self.lower.expr(Expr::Typed { ty })
    }

    fn assignment(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let left = field(node, FIELDS.left);
        let init = self.maybe(field(node, FIELDS.right), place);
        let Some(left) = left else { return UNKNOWN };
        if left.kind() == "identifier" && init != UNKNOWN {
            let name = self.lower.name(left);
            if let Some(local) = self.local(name).filter(|local| local.open) {
                let bound = Bound::Var { ty: UNTYPED, init };
                self.lower.bind(local.scope, name, node.end_byte(), bound);
            }
        }
        self.node(left, place);
        UNKNOWN
    }

    fn declaration(&mut self, node: Node<'t>, place: Place) -> ExprId {
        // `Vec<_>` says less than the value.
        let written =
            field(node, FIELDS.r#type).filter(|ty| !matches!(self.lower.str(*ty), "Vec<_>" | "_"));
        let ty = written.map_or(UNTYPED, |ty| self.ty(ty, place));
        let value = self.maybe(field(node, FIELDS.value), place);
        self.maybe(field(node, FIELDS.alternative), place);
        if let Some(pattern) = field(node, FIELDS.pattern) {
            self.pattern(pattern, ty, value, place, node.end_byte());
        }
        UNKNOWN
    }

    fn branch(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let locals = self.locals.len();
        let inner = self.condition(field(node, FIELDS.condition), place);
        let then = self.maybe(field(node, FIELDS.consequence), inner);
        self.locals.truncate(locals);
        match field(node, FIELDS.alternative) {
            Some(other) => {
                let other = self.node(other, place);
                self.either(&[then, other])
            }
            None => UNKNOWN,
        }
    }

    /// A condition; what its `let`s bind is seen from the place it gives.
    pub fn condition(&mut self, node: Option<Node<'t>>, place: Place) -> Place {
        let Some(node) = node else { return place };
        match node.kind() {
            "let_condition" => {
                let value = self.maybe(field(node, FIELDS.value), place);
                let scope = self.lower.scope(place.scope, ScopeKind::Block, None);
                let inner = place.scope(scope);
                if let Some(pattern) = field(node, FIELDS.pattern) {
                    self.pattern(pattern, UNTYPED, value, inner, node.end_byte());
                }
                inner
            }
            "let_chain" => children(node)
                .into_iter()
                .fold(place, |place, part| self.condition(Some(part), place)),
            _ => {
                self.node(node, place);
                place
            }
        }
    }

    fn match_expression(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let value = self.maybe(field(node, FIELDS.value), place);
        let arms = field(node, FIELDS.body).into_iter().flat_map(children);
        let arms = arms.filter(|arm| arm.kind() == "match_arm");
        let values: Vec<ExprId> = arms.map(|arm| self.arm(arm, value, place)).collect();
        self.either(&values)
    }

    fn arm(&mut self, node: Node<'t>, value: ExprId, place: Place) -> ExprId {
        let locals = self.locals.len();
        let mut inner = place.scope(self.lower.scope(place.scope, ScopeKind::Block, None));
        for part in children(node)
            .into_iter()
            .filter(|part| part.kind() == "attribute_item")
        {
            let mut attributes = Default::default();
            self.attribute(part, place, &mut attributes);
            inner.dead |= attributes.dead;
        }
        if let Some(pattern) = field(node, FIELDS.pattern) {
            let condition = field(pattern, FIELDS.condition);
            for part in children(pattern)
                .into_iter()
                .filter(|part| Some(*part) != condition)
            {
                self.pattern(part, UNTYPED, value, inner, part.end_byte());
            }
            inner = self.condition(condition, inner);
        }
        let value = self.maybe(field(node, FIELDS.value), inner);
        self.locals.truncate(locals);
        value
    }

    fn for_loop(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let value = self.maybe(field(node, FIELDS.value), place);
        let element = self.peel(value, Peel::Element);
        let locals = self.locals.len();
        let inner = place.scope(self.lower.scope(place.scope, ScopeKind::Block, None));
        if let Some(pattern) = field(node, FIELDS.pattern) {
            self.pattern(pattern, UNTYPED, element, inner, pattern.end_byte());
        }
        self.maybe(field(node, FIELDS.body), inner);
        self.locals.truncate(locals);
        UNKNOWN
    }
}
