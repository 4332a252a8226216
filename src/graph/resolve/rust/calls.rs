//! Calls, and the paths and members that name what is called.

use tree_sitter::Node;

use super::types::{Spine, spine};
use super::walk::{FIELDS, Walk, children, field};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Methods whose result is the type they are given in brackets.
const GIVE_THEIR_ARGUMENT: &[&str] = &[
    "collect",
    "sum",
    "product",
    "into",
    "from_iter",
    "downcast_ref",
    "extract",
];

impl<'t> Walk<'_, '_, 't> {
    pub fn call(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(function) = field(node, FIELDS.function) else {
            return self.inside(node, place);
        };
        let generic = function.kind() == "generic_function";
        let named = if generic {
            field(function, FIELDS.function)
        } else {
            Some(function)
        };
        let types = match generic {
            // `collect::<Vec<_>>()` says less than what is collected.
            true if self.lower.str(function).ends_with("::<Vec<_>>") => vec![],
            true => self.type_arguments(field(function, FIELDS.type_arguments), place),
            false => vec![],
        };
        let (callee, at) = self.callee(named.unwrap_or(function), place);
        let mark = self.given.len();
        let args = field(node, FIELDS.arguments).map_or(vec![], |args| self.arguments(args, place));
        let args = self.lower.list(&args);
        let call = self.lower.expr(Expr::Call { callee, args });
        for (given, argument) in self.given.split_off(mark) {
            if let Expr::Given { index, .. } = self.lower.facts.expr(given) {
                self.lower.facts.exprs[given as usize] = Expr::Given {
                    call,
                    argument,
                    index,
                };
            }
        }
        let place = Place {
            // Tests that a macro writes have no name here.
            dead: place.dead || self.testing && place.from.is_none(),
            ..place
        };
        self.lower.call(call, at.unwrap_or(node), place);
        match types.first() {
            Some(&ty) => self.given_type(callee, call, ty, place),
            None => call,
        }
    }

    /// What a call gives that names the type of its result: `collect::<Vec<_>>()`, `parse::<u8>()`.
    fn given_type(&mut self, callee: ExprId, call: ExprId, ty: TypeId, place: Place) -> ExprId {
        let Expr::Member { name, .. } = self.lower.facts.expr(callee) else {
            return call;
        };
        let name = self.lower.facts.name(name);
        let ty = match name {
            "parse" | "try_into" => {
                let path = self.lower.sym("Result");
                let (path, args) = (self.lower.list(&[path]), self.lower.list(&[ty]));
                self.lower.ty(Type::Named {
                    path,
                    args,
                    scope: place.scope,
                })
            }
            name if GIVE_THEIR_ARGUMENT.contains(&name) => ty,
            _ => return call,
        };
        self.lower.expr(Expr::Typed { ty })
    }

    /// What is called, and where its name stands if that is not where the call begins.
    fn callee(&mut self, node: Node<'t>, place: Place) -> (ExprId, Option<Node<'t>>) {
        match node.kind() {
            "identifier" | "scoped_identifier" => {
                let value = self.path(node, place);
                // Tuple structs and variants are made, not called.
                let last = field(node, FIELDS.name).unwrap_or(node);
                if self.lower.str(last).starts_with(char::is_uppercase) {
                    self.lower.used(Used::Expr(value), node, place);
                }
                (value, None)
            }
            "field_expression" => (self.member(node, place, true), field(node, FIELDS.field)),
            _ => {
                let value = self.node(node, place);
                // `(self.run)(x)` calls what the field holds, not a method of that name.
                (self.peel(value, Peel::Deref), None)
            }
        }
    }

    pub fn arguments(&mut self, node: Node<'t>, place: Place) -> Vec<ExprId> {
        let args = children(node)
            .into_iter()
            .filter(|node| node.kind() != "attribute_item");
        let args = args
            .enumerate()
            .map(|(index, arg)| match (arg.kind(), u16::try_from(index)) {
                ("closure_expression", Ok(index)) => self.closure(arg, place, Some(index)),
                _ => self.node(arg, place),
            });
        args.collect()
    }

    /// A field, or if it is called a method.
    pub fn member(&mut self, node: Node<'t>, place: Place, called: bool) -> ExprId {
        let of = self.maybe(field(node, FIELDS.value), place);
        let name = field(node, FIELDS.field).map(|name| match called {
            true => self.lower.name(name),
            false => self.field_name(name),
        });
        name.map_or(UNKNOWN, |name| self.lower.expr(Expr::Member { of, name }))
    }

    pub fn plain_name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let scope = place.scope;
        if self.lower.str(node) == "Self" {
            let ty = self.lower.ty(Type::This { scope });
            return self.lower.expr(Expr::Type { ty });
        }
        let name = self.lower.name(node);
        self.lower.expr(Expr::Name {
            name,
            scope,
            at: node.start_byte() as u32,
        })
    }

    /// `a::b`, `Self::b`, `<T as Trait>::b`, `Vec::<T>::b`.
    pub fn path(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Spine { head, names } = spine(node);
        let Some(head) = head else {
            // `::std::io`: a crate, whatever is named so here.
            return UNKNOWN;
        };
        let of = match head.kind() {
            "generic_type" | "bracketed_type" => {
                let ty = self.ty(head, place);
                self.lower.expr(Expr::Type { ty })
            }
            "metavariable" => UNKNOWN,
            _ => self.plain_name(head, place),
        };
        names.into_iter().fold(of, |of, name| {
            let name = self.lower.name(name);
            self.lower.expr(Expr::Static { of, name })
        })
    }
}
