//! Destructuring: which names a pattern binds, and to which parts of a value.

use tree_sitter::Node;

use super::walk::{At, Walk};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    /// Binds the names of a pattern in a scope, or (none) assigns to what is named in it.
    pub fn take_apart(
        &mut self,
        node: Node<'t>,
        value: ExprId,
        ty: TypeId,
        scope: Option<ScopeId>,
        at: At,
    ) {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                let name = self.lower.name(node);
                match scope {
                    Some(scope) => self.bind_var(scope, name, ty, value),
                    None => self.reassign(name, value, at),
                }
            }
            "object_pattern"
            | "array_pattern"
            | "rest_pattern"
            | "assignment_pattern"
            | "object_assignment_pattern"
            | "pair_pattern" => {
                if !self.lower.enter() {
                    return;
                }
                let whole = self.whole(value, ty);
                self.part_of(node, whole, scope, at);
                self.lower.leave();
            }
            _ => {
                self.read(node, at);
            }
        }
    }

    /// A value of a written type, or the value.
    fn whole(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        match ty {
            UNTYPED => value,
            _ => self.put(Expr::Typed { ty }),
        }
    }

    fn part_of(&mut self, node: Node<'t>, whole: ExprId, scope: Option<ScopeId>, at: At) {
        match node.kind() {
            "object_pattern" => self.members(node, whole, scope, at),
            "array_pattern" => self.elements(node, whole, scope, at),
            "rest_pattern" => {
                for part in self.parts(node) {
                    self.take_apart(part, whole, UNTYPED, scope, at);
                }
            }
            _ => {
                let (left, right) = (self.part(node, "left"), self.part(node, "right"));
                let default = right.map_or(UNKNOWN, |right| self.read(right, at));
                let value = self.either(&[whole, default]);
                if let Some(left) = left {
                    self.take_apart(left, value, UNTYPED, scope, at);
                }
            }
        }
    }

    fn members(&mut self, node: Node<'t>, whole: ExprId, scope: Option<ScopeId>, at: At) {
        for part in self.parts(node) {
            let key = match part.kind() {
                "shorthand_property_identifier_pattern" => Some(part),
                "pair_pattern" => self.part(part, "key"),
                "object_assignment_pattern" => self
                    .part(part, "left")
                    .filter(|left| left.kind() == "shorthand_property_identifier_pattern"),
                _ => None,
            };
            let name = key.and_then(|key| self.key(key, at));
            let value = match name {
                Some(name) if whole != UNKNOWN => self.put(Expr::Member { of: whole, name }),
                _ if part.kind() == "rest_pattern" => whole,
                _ => UNKNOWN,
            };
            let part = match part.kind() {
                "pair_pattern" => self.part(part, "value").unwrap_or(part),
                _ => part,
            };
            self.take_apart(part, value, UNTYPED, scope, at);
        }
    }

    fn elements(&mut self, node: Node<'t>, whole: ExprId, scope: Option<ScopeId>, at: At) {
        let mut position = 0;
        let mut cursor = node.walk();
        for part in node.children(&mut cursor) {
            if part.kind() == "," {
                position += 1;
            }
            if !part.is_named() || part.is_extra() {
                continue;
            }
            let value = match part.kind() {
                _ if whole == UNKNOWN => UNKNOWN,
                "rest_pattern" => whole,
                _ => self.put(Expr::Peel {
                    of: whole,
                    peel: Peel::Part(position),
                }),
            };
            self.take_apart(part, value, UNTYPED, scope, at);
        }
    }
}
