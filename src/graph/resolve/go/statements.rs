//! Statements of Go: which scopes they open and what they bind.

use tree_sitter::Node;

use super::walk::{Walk, names, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn block(&mut self, node: Node<'t>, place: Place) {
        self.in_block(place, |walk, place| walk.visit_all(node, place));
    }

    pub fn short_variables(&mut self, node: Node<'t>, place: Place) {
        let list = node.child_by_field_name("right");
        let written = list.map(parts).unwrap_or_default();
        let values: Vec<ExprId> = written
            .iter()
            .map(|&value| self.value(value, place))
            .collect();
        let names = node.child_by_field_name("left").map(parts);
        let names = names.unwrap_or_default();
        for (index, &name) in names.iter().enumerate() {
            let init = self.nth(index, names.len(), &written, &values);
            self.assign(name, init, node.end_byte(), place);
        }
    }

    /// Binds what stands on the left of a `:=`.
    fn assign(&mut self, name: Node<'t>, init: ExprId, at: usize, place: Place) {
        if name.kind() == "identifier" {
            let bound = Bound::Var { ty: UNTYPED, init };
            self.bind(name, place.scope, at, bound);
        } else {
            self.value(name, place);
        }
    }

    /// The value of one of several names: its own, or a part of the only one there is.
    pub fn nth(
        &mut self,
        index: usize,
        of: usize,
        written: &[Node<'t>],
        values: &[ExprId],
    ) -> ExprId {
        if values.len() == of {
            return values[index];
        }
        let (&[node], &[value]) = (written, values) else {
            return UNKNOWN;
        };
        if may_be_call(unwrapped(node)) {
            let peel = Peel::Part(index as u16);
            return self.lower.expr(Expr::Peel { of: value, peel });
        }
        // `v, ok := m[k]`
        if index == 0 { value } else { UNKNOWN }
    }

    /// `if`, with all its `else if`: each sees the names of those before.
    pub fn branches(&mut self, mut node: Node<'t>, mut place: Place) {
        let mark = self.locals.open();
        loop {
            place = place.scope(self.lower.scope(place.scope, ScopeKind::Block, None));
            if let Some(first) = node.child_by_field_name("initializer") {
                self.visit(first, place);
            }
            let condition = node.child_by_field_name("condition");
            if let Some(condition) = condition {
                self.value(condition, place);
            }
            if let Some(body) = node.child_by_field_name("consequence") {
                let never = condition.is_some_and(|condition| condition.kind() == "false");
                let dead = place.dead || never;
                self.block(body, Place { dead, ..place });
            }
            match node.child_by_field_name("alternative") {
                Some(next) if next.kind() == "if_statement" => node = next,
                Some(last) => break self.visit(last, place),
                None => break,
            }
        }
        self.locals.close(mark);
    }

    pub fn range(&mut self, node: Node<'t>, place: Place) {
        let Some(right) = node.child_by_field_name("right") else {
            return self.visit_all(node, place);
        };
        let of = self.value(right, place);
        let left = node.child_by_field_name("left").map(parts);
        let left = left.unwrap_or_default();
        let declares = declares(node);
        for (name, peel) in left.into_iter().zip([Peel::Key, Peel::Element]) {
            if declares {
                let init = self.lower.expr(Expr::Peel { of, peel });
                self.assign(name, init, node.end_byte(), place);
            } else {
                self.value(name, place);
            }
        }
    }

    /// `case v := <-ch:`
    pub fn receive(&mut self, node: Node<'t>, place: Place) {
        let right = node.child_by_field_name("right");
        let value = right.map_or(UNKNOWN, |right| self.value(right, place));
        let left = node.child_by_field_name("left").map(parts);
        let declares = declares(node);
        for (index, name) in left.into_iter().flatten().enumerate() {
            if declares {
                let init = if index == 0 { value } else { UNKNOWN };
                self.assign(name, init, node.end_byte(), place);
            } else {
                self.value(name, place);
            }
        }
    }

    /// In each case with one type, the name stands for a value of that type.
    pub fn type_switch(&mut self, node: Node<'t>, place: Place) {
        self.in_block(place, |walk, place| {
            if let Some(first) = node.child_by_field_name("initializer") {
                walk.visit(first, place);
            }
            let value = node.child_by_field_name("value");
            let value = value.map_or(UNKNOWN, |value| walk.value(value, place));
            let alias = node.child_by_field_name("alias").map(parts);
            let alias = alias.and_then(|names| names.first().copied());
            let mut cursor = node.walk();
            for case in node.named_children(&mut cursor) {
                if let "type_case" | "default_case" = case.kind() {
                    walk.type_case(case, alias, value, place);
                }
            }
        });
    }

    fn type_case(&mut self, case: Node<'t>, alias: Option<Node<'t>>, value: ExprId, place: Place) {
        self.in_block(place, |walk, place| {
            let types: Vec<TypeId> = names(case, "type")
                .into_iter()
                .map(|ty| walk.case_type(ty, place))
                .collect();
            if let Some(alias) = alias {
                let bound = match types[..] {
                    [ty] if ty != UNTYPED => Bound::Var { ty, init: UNKNOWN },
                    _ => Bound::Var {
                        ty: UNTYPED,
                        init: value,
                    },
                };
                walk.bind(alias, place.scope, 0, bound);
            }
            let mut cursor = case.walk();
            let body = case.named_children(&mut cursor);
            for list in body.filter(|child| child.kind() == "statement_list") {
                walk.visit_all(list, place);
            }
        });
    }

    /// A value may be `nil`, which reads as a type.
    fn case_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match self.lower.str(node) {
            "nil" => UNTYPED,
            _ => self.written_type(node, place),
        }
    }
}

/// Whether names on the left are new ones.
fn declares(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == ":=")
}

/// A call; one with a type argument reads as a conversion, which gives no more than one value.
fn may_be_call(node: Node<'_>) -> bool {
    match node.kind() {
        "call_expression" => true,
        "type_conversion_expression" => {
            let to = node.child_by_field_name("type");
            to.is_some_and(|to| to.kind() == "generic_type")
        }
        _ => false,
    }
}

pub fn unwrapped(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression" {
        let Some(inner) = parts(node).first().copied() else {
            break;
        };
        node = inner;
    }
    node
}
