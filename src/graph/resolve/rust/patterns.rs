//! Patterns: the names they bind, and which part of the value each is.

use tree_sitter::Node;

use super::walk::{FIELDS, Local, Walk, children, field};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// What is matched: its written type, if there is one, and its value.
#[derive(Clone, Copy)]
struct Matched {
    ty: TypeId,
    value: ExprId,
}

impl<'t> Walk<'_, '_, 't> {
    /// Binds the names of a pattern from a byte on.
    pub fn pattern(&mut self, node: Node<'t>, ty: TypeId, value: ExprId, place: Place, at: usize) {
        if !self.lower.enter() {
            return;
        }
        self.matched(node, Matched { ty, value }, place, at);
        self.lower.leave();
    }

    fn matched(&mut self, node: Node<'t>, of: Matched, place: Place, at: usize) {
        match node.kind() {
            "identifier" => self.name_or_constant(node, of, place, at),
            "mut_pattern" | "ref_pattern" | "or_pattern" | "match_pattern" => {
                let parts = children(node).into_iter();
                for part in parts.filter(|part| part.kind() != "mutable_specifier") {
                    self.pattern(part, of.ty, of.value, place, at);
                }
            }
            "captured_pattern" => {
                // `name @ pattern`
                for part in children(node) {
                    self.pattern(part, of.ty, of.value, place, at);
                }
            }
            "reference_pattern" => {
                let parts = children(node).into_iter();
                for part in parts.filter(|part| part.kind() != "mutable_specifier") {
                    self.part(part, of, Peel::Deref, place, at);
                }
            }
            "tuple_pattern" => self.parts(children(node), of, Peel::Part, place, at),
            "slice_pattern" => self.slice(node, of, place, at),
            "tuple_struct_pattern" => {
                let path = field(node, FIELDS.r#type);
                let ty = path.map_or(UNTYPED, |path| self.ty(path, place));
                let parts = children(node)
                    .into_iter()
                    .filter(|part| Some(*part) != path);
                self.parts(
                    parts.collect(),
                    of,
                    |field| Peel::Variant { of: ty, field },
                    place,
                    at,
                );
            }
            "struct_pattern" => self.structure_pattern(node, of, place, at),
            "scoped_identifier" | "generic_pattern" => {
                self.ty(node, place);
            }
            _ => {}
        }
    }

    /// A name binds, unless it is written as constants and variants are.
    fn name_or_constant(&mut self, node: Node<'t>, of: Matched, place: Place, at: usize) {
        match self.lower.str(node).starts_with(char::is_uppercase) {
            true => {
                self.ty(node, place);
            }
            false => {
                let name = self.lower.name(node);
                self.bind_local(name, of, place.scope, at);
            }
        }
    }

    fn bind_local(&mut self, name: Sym, of: Matched, scope: ScopeId, at: usize) {
        let Matched { ty, value: init } = of;
        self.lower.bind(scope, name, at, Bound::Var { ty, init });
        let open = ty == UNTYPED && init == UNKNOWN;
        self.locals.push(Local { name, scope, open });
    }

    fn part(&mut self, node: Node<'t>, of: Matched, peel: Peel, place: Place, at: usize) {
        let value = self.value_of(of);
        let value = self.peel(value, peel);
        self.pattern(node, UNTYPED, value, place, at);
    }

    /// What is matched as a value.
    fn value_of(&mut self, of: Matched) -> ExprId {
        match of {
            Matched { ty: UNTYPED, value } => value,
            Matched { ty, .. } => self.lower.expr(Expr::Typed { ty }),
        }
    }

    /// Parts by position, up to `..`.
    fn parts(
        &mut self,
        nodes: Vec<Node<'t>>,
        of: Matched,
        peel: impl Fn(u16) -> Peel,
        place: Place,
        at: usize,
    ) {
        let value = self.value_of(of);
        let rest = nodes
            .iter()
            .position(|node| node.kind() == "remaining_field_pattern");
        for (index, node) in nodes.into_iter().enumerate() {
            let known = rest.is_none_or(|rest| index < rest);
            let part = match u16::try_from(index) {
                Ok(index) if known => self.peel(value, peel(index)),
                _ => UNKNOWN,
            };
            self.pattern(node, UNTYPED, part, place, at);
        }
    }

    fn slice(&mut self, node: Node<'t>, of: Matched, place: Place, at: usize) {
        for part in children(node) {
            let whole = part.kind() == "captured_pattern"
                && children(part)
                    .iter()
                    .any(|node| node.kind() == "remaining_field_pattern");
            match whole {
                true => self.pattern(part, of.ty, of.value, place, at),
                false => self.part(part, of, Peel::Element, place, at),
            }
        }
    }

    fn structure_pattern(&mut self, node: Node<'t>, of: Matched, place: Place, at: usize) {
        let path = field(node, FIELDS.r#type).map_or(UNTYPED, |path| self.ty(path, place));
        let value = self.value_of(of);
        for part in children(node)
            .into_iter()
            .filter(|part| part.kind() == "field_pattern")
        {
            let Some(name_node) = field(part, FIELDS.name) else {
                continue;
            };
            let name = self.field_name(name_node);
            let inner = match value {
                // The path alone tells the field's type.
                UNKNOWN => self.lower.expr(Expr::Typed { ty: path }),
                value => value,
            };
            let part_value = self.peel(inner, Peel::VariantField { of: path, name });
            match field(part, FIELDS.pattern) {
                Some(pattern) => self.pattern(pattern, UNTYPED, part_value, place, at),
                None => {
                    let name = self.lower.name(name_node);
                    let of = Matched {
                        ty: UNTYPED,
                        value: part_value,
                    };
                    self.bind_local(name, of, place.scope, at);
                }
            }
        }
    }
}
