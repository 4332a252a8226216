//! Names of which a check tells more: `isinstance`, the patterns of `match`.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Checks one inside or behind the other beyond which no more is noted: every name is looked up through all of them.
const DEEPEST: u32 = 64;

/// A condition, and the places it is true and false at.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    pub value: ExprId,
    pub holds: Place,
    pub fails: Place,
}

impl<'t> Walk<'_, '_, 't> {
    /// Reads a condition once: its value, and what it tells of the names it checks.
    pub(super) fn condition(&mut self, node: Node<'t>, place: Place) -> Condition {
        let open = Condition {
            value: UNKNOWN,
            holds: place,
            fails: place,
        };
        self.deeper(node, place, open, |walk| walk.condition_here(node, place))
    }

    fn condition_here(&mut self, node: Node<'t>, place: Place) -> Condition {
        let sides = [field(node, "left"), field(node, "right")];
        match (node.kind(), sides) {
            ("boolean_operator", [Some(left), Some(right)]) if is_and(node) => {
                let first = self.condition(left, place);
                let second = self.condition(right, first.holds);
                Condition {
                    fails: place,
                    ..second
                }
            }
            ("boolean_operator", [Some(left), Some(right)]) => {
                let first = self.condition(left, place);
                let second = self.condition(right, first.fails);
                Condition {
                    value: self.either(&[first.value, second.value]),
                    holds: place,
                    fails: second.fails,
                }
            }
            ("not_operator", _) => {
                let inner = self.last_condition(node, place);
                Condition {
                    value: self.literal(Literal::Bool),
                    holds: inner.fails,
                    fails: inner.holds,
                }
            }
            ("parenthesized_expression", _) => self.last_condition(node, place),
            _ => {
                let value = self.value(node, place);
                let told = (node.kind() == "call").then(|| self.checked(node, place));
                let (holds, fails) = told.flatten().unwrap_or((place, place));
                Condition {
                    value,
                    holds,
                    fails,
                }
            }
        }
    }

    fn last_condition(&mut self, node: Node<'t>, place: Place) -> Condition {
        let open = Condition {
            value: UNKNOWN,
            holds: place,
            fails: place,
        };
        parts(node).fold(open, |_, inner| self.condition(inner, place))
    }

    /// Where `isinstance(x, T)` holds and where it does not: blocks in which x is a T, or what else it can be.
    fn checked(&mut self, call: Node<'t>, place: Place) -> Option<(Place, Place)> {
        let function = field(call, "function")?;
        if self.lower.str(function) != "isinstance" {
            return None;
        }
        let mut arguments = parts(field(call, "arguments")?);
        let name = arguments.next()?;
        match name.kind() {
            "identifier" => {}
            "attribute" if is_dotted(self.lower.str(name)) => {
                self.checked.insert(self.lower.str(name));
            }
            _ => return None,
        }
        let ty = arguments.next()?;
        let ty = self.type_again(ty, place);
        let of = self.path(name, place);
        let name = self.lower.name(name);
        let value = self.lower.expr(Expr::Typed { ty });
        let other = self.peel(of, Peel::Without { of: ty });
        let holds = self.with(name, value, place);
        Some((holds, self.with(name, other, place)))
    }

    /// A block in which a name has a value of its own.
    fn with(&mut self, name: Sym, init: ExprId, place: Place) -> Place {
        let depth = self.blocks.get(&place.scope).map_or(1, |depth| depth + 1);
        if depth > DEEPEST {
            return place;
        }
        let scope = self.lower.scope(place.scope, ScopeKind::Block, None);
        self.blocks.insert(scope, depth);
        let ty = UNTYPED;
        self.bind_in(scope, name, Bound::Var { ty, init });
        place.scope(scope)
    }

    pub(super) fn matched(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        let subjects: Vec<_> = node
            .children_by_field_name("subject", &mut cursor)
            .filter(|subject| subject.is_named())
            .collect();
        let values: Vec<_> = subjects
            .iter()
            .map(|subject| self.value(*subject, place))
            .collect();
        let (subject, value) = match (&*subjects, &*values) {
            ([subject], [value]) => (Some(*subject), *value),
            _ => {
                let of = self.lower.list(&values);
                (None, self.lower.expr(Expr::Tuple { of }))
            }
        };
        let name = subject
            .filter(|subject| subject.kind() == "identifier")
            .map(|subject| self.lower.name(subject));
        let body = field(node, "body");
        for case in body.into_iter().flat_map(parts) {
            self.case(case, name, value, place);
        }
    }

    fn case(&mut self, node: Node<'t>, subject: Option<Sym>, value: ExprId, place: Place) {
        let mut inside = place;
        for part in parts(node) {
            if part.kind() != "case_pattern" {
                self.each_part(part, inside);
                continue;
            }
            let found = self.pattern(part, value, inside);
            if let Some(name) = subject.filter(|_| found != value) {
                inside = self.with(name, found, inside);
            }
        }
    }

    /// Binds what a pattern binds; gives the value that it matched, as it is known then.
    fn pattern(&mut self, node: Node<'t>, value: ExprId, place: Place) -> ExprId {
        self.deeper(node, place, UNKNOWN, |walk| {
            walk.pattern_here(node, value, place)
        })
    }

    fn pattern_here(&mut self, node: Node<'t>, value: ExprId, place: Place) -> ExprId {
        match node.kind() {
            "case_pattern" => parts(node)
                .next()
                .map_or(value, |inner| self.pattern(inner, value, place)),
            "dotted_name" => self.captured(node, value, place),
            "as_pattern" => {
                let found = parts(node)
                    .next()
                    .map_or(value, |inner| self.pattern(inner, value, place));
                if let Some(name) = parts(node).last() {
                    self.target(name, place, UNTYPED, found);
                }
                found
            }
            "class_pattern" => self.class_pattern(node, place),
            "tuple_pattern" | "list_pattern" => {
                for (index, part) in parts(node).enumerate() {
                    let part_of = self.peel(value, Peel::Part(index as u16));
                    self.pattern(part, part_of, place);
                }
                value
            }
            "union_pattern" => {
                let found: Vec<_> = parts(node)
                    .map(|part| self.pattern(part, value, place))
                    .collect();
                let of = self.lower.list(&found);
                self.lower.expr(Expr::Either { of })
            }
            "splat_pattern" => {
                for part in parts(node) {
                    self.target(part, place, UNTYPED, UNKNOWN);
                }
                UNKNOWN
            }
            "dict_pattern" => {
                for part in parts(node) {
                    self.pattern(part, UNKNOWN, place);
                }
                value
            }
            _ => value,
        }
    }

    /// `case name` captures, `case a.b` compares.
    fn captured(&mut self, node: Node<'t>, of: ExprId, place: Place) -> ExprId {
        let text = self.lower.str(node);
        if text == "_" {
            return of;
        }
        if text.contains('.') {
            let ty = self.type_of(node, place);
            let value = self.lower.expr(Expr::Type { ty });
            self.lower.used(Used::Expr(value), node, place);
            return of;
        }
        let (name, ty, init) = (self.lower.name(node), UNTYPED, of);
        self.assign(name, place, Bound::Var { ty, init });
        of
    }

    /// `case Point(x, y=0)`.
    fn class_pattern(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut parts = parts(node);
        let Some(class) = parts.next() else {
            return UNKNOWN;
        };
        let ty = self.type_of(class, place);
        let value = self.lower.expr(Expr::Typed { ty });
        for (index, part) in parts.enumerate() {
            let inner = super::parts(part).next();
            if let Some(keyword) = inner.filter(|inner| inner.kind() == "keyword_pattern") {
                let mut sides = super::parts(keyword);
                let (Some(name), Some(pattern)) = (sides.next(), sides.next()) else {
                    continue;
                };
                let name = self.lower.name(name);
                let of = self.lower.expr(Expr::Member { of: value, name });
                self.pattern(pattern, of, place);
            } else {
                let field = index as u16;
                let of = self.peel(value, Peel::Variant { of: ty, field });
                self.pattern(part, of, place);
            }
        }
        value
    }
}

/// Whether a member is written as names and dots alone.
fn is_dotted(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    text.chars().all(is_part)
}

pub(super) fn is_and(node: Node<'_>) -> bool {
    field(node, "operator").is_some_and(|operator| operator.kind() == "and")
}
