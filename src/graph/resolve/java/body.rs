//! Java statements that bind names or branch, and patterns.

use tree_sitter::Node;

use super::walk::{Walk, part, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn variables(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if let Some(modifiers) = part(node, "modifiers") {
            self.read(modifiers, place);
        }
        let written = node
            .child_by_field_name("type")
            .map_or(UNTYPED, |ty| self.ty(ty, place));
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = declarator.child_by_field_name("name") else {
                continue;
            };
            let ty = self.dimensions(declarator, written);
            let value = declarator.child_by_field_name("value");
            let init = value.map_or(UNKNOWN, |value| self.read_as(value, ty, place));
            self.local(name, place, ty, init);
        }
        UNKNOWN
    }

    pub fn for_each(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let written = node
            .child_by_field_name("type")
            .map_or(UNTYPED, |ty| self.ty(ty, place));
        let of = node
            .child_by_field_name("value")
            .map_or(UNKNOWN, |value| self.read(value, place));
        let element = match written {
            UNTYPED => self.lower.expr(Expr::Peel {
                of,
                peel: Peel::Element,
            }),
            _ => UNKNOWN,
        };
        self.in_block(place, |walk, place| {
            if let Some(name) = node.child_by_field_name("name") {
                let ty = walk.dimensions(node, written);
                walk.local(name, place, ty, element);
            }
            if let Some(body) = node.child_by_field_name("body") {
                walk.read(body, place);
            }
        });
        UNKNOWN
    }

    /// `catch (A | B e)`.
    pub fn caught(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let types = part(node, "catch_type").map_or(vec![], |list| self.all_types(list, place));
        let ty = match types[..] {
            [one] => one,
            _ => {
                let of = self.lower.list(&types);
                self.lower.ty(Type::Union { of })
            }
        };
        if let Some(name) = node.child_by_field_name("name") {
            self.local(name, place, ty, UNKNOWN);
        }
        UNKNOWN
    }

    /// What `try (..)` opens: a variable, or a value that stands by itself.
    pub fn resource(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else {
            return self.each(node, place);
        };
        let ty = node
            .child_by_field_name("type")
            .map_or(UNTYPED, |ty| self.ty(ty, place));
        let init = node
            .child_by_field_name("value")
            .map_or(UNKNOWN, |value| self.read(value, place));
        self.local(name, place, ty, init);
        UNKNOWN
    }

    /// `if`: what stands behind `false` never runs.
    pub fn branches(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let condition = node.child_by_field_name("condition");
        if let Some(condition) = condition {
            self.read(condition, place);
        }
        let text = condition.map_or("", |condition| self.lower.str(condition));
        let never = text.trim_matches(['(', ')', ' ']) == "false";
        if let Some(then) = node.child_by_field_name("consequence") {
            let dead = place.dead || never;
            self.read(then, Place { dead, ..place });
        }
        if let Some(otherwise) = node.child_by_field_name("alternative") {
            self.read(otherwise, place);
        }
        UNKNOWN
    }

    /// `x instanceof Foo f`: the name holds from here on.
    pub fn instance_of(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if let Some(left) = node.child_by_field_name("left") {
            self.read(left, place);
        }
        let ty = node
            .child_by_field_name("right")
            .map_or(UNTYPED, |ty| self.ty(ty, place));
        if let Some(name) = node.child_by_field_name("name") {
            self.local(name, place, ty, UNKNOWN);
        }
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern, UNKNOWN, place);
        }
        self.lower.expr(Expr::Literal {
            literal: Literal::Bool,
        })
    }

    /// Binds the names in a pattern that takes a value apart.
    pub fn pattern(&mut self, node: Node<'t>, value: ExprId, place: Place) {
        if !self.lower.enter() {
            return;
        }
        match node.kind() {
            "type_pattern" | "record_pattern_component" => self.typed_pattern(node, value, place),
            "record_pattern" => self.record_pattern(node, place),
            _ => {
                for part in parts(node) {
                    self.pattern(part, value, place);
                }
            }
        }
        self.lower.leave();
    }

    /// `Foo f`; a component can be a pattern itself.
    fn typed_pattern(&mut self, node: Node<'t>, value: ExprId, place: Place) {
        let parts = parts(node);
        if let Some(inner) = parts.iter().find(|part| part.kind() == "record_pattern") {
            return self.pattern(*inner, value, place);
        }
        let [.., written, name] = parts[..] else {
            return;
        };
        let ty = self.ty(written, place);
        if name.kind() == "identifier" {
            self.local(name, place, ty, value);
        }
    }

    /// `Point(var x, int y)`.
    fn record_pattern(&mut self, node: Node<'t>, place: Place) {
        let parts = parts(node);
        let Some((&head, rest)) = parts.split_first() else {
            return;
        };
        let ty = self.ty(head, place);
        let record = self.lower.expr(Expr::Typed { ty });
        let components = rest
            .iter()
            .find(|part| part.kind() == "record_pattern_body");
        let components = components.map_or(vec![], |body| super::walk::parts(*body));
        for (index, component) in components.into_iter().enumerate() {
            let peel = Peel::Part(index as u16);
            let value = self.lower.expr(Expr::Peel { of: record, peel });
            self.pattern(component, value, place);
        }
    }
}
