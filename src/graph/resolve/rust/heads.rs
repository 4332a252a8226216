//! What stands in front of a body: type parameters with their bounds, parameters, results.

use tree_sitter::Node;

use super::attributes::Attributes;
use super::walk::{FIELDS, Walk, child, children, field, first};
use crate::graph::facts::*;
use crate::graph::lower::Place;

pub struct Head {
    /// Besides `self`.
    pub params: Vec<Param>,
    pub takes_self: bool,
    pub returns: TypeId,
}

impl<'t> Walk<'_, '_, 't> {
    /// Binds the type parameters of an item with all that is written of them; gives the bounds of `Self`.
    pub fn generics(&mut self, node: Node<'t>, scope: ScopeId, place: Place) -> Vec<TypeId> {
        let mut params: Vec<(Sym, usize, Vec<TypeId>)> = vec![];
        let list = field(node, FIELDS.type_parameters);
        for param in list.into_iter().flat_map(children) {
            if !matches!(param.kind(), "type_parameter" | "const_parameter") {
                continue;
            }
            let Some(name) = field(param, FIELDS.name) else {
                continue;
            };
            let bounds =
                field(param, FIELDS.bounds).map_or(vec![], |bounds| self.bounds(bounds, place));
            params.push((self.lower.name(name), name.start_byte(), bounds));
        }
        let mut of_self = vec![];
        for predicate in child(node, "where_clause").into_iter().flat_map(children) {
            let (Some(left), Some(bounds)) = (
                field(predicate, FIELDS.left),
                field(predicate, FIELDS.bounds),
            ) else {
                continue;
            };
            let bounds = self.bounds(bounds, place);
            let name = self.lower.name(left);
            if self.lower.str(left) == "Self" {
                of_self.extend(bounds);
            } else if let Some(param) = params.iter_mut().find(|param| param.0 == name) {
                param.2.extend(bounds);
            }
        }
        for (name, at, bounds) in params {
            let bounds = self.lower.list(&bounds);
            self.lower.bind(scope, name, at, Bound::Param { bounds });
        }
        of_self
    }

    /// The traits of a list of bounds.
    pub fn bounds(&mut self, node: Node<'t>, place: Place) -> Vec<TypeId> {
        let written = children(node).into_iter();
        let types = written.filter(|node| {
            !matches!(
                node.kind(),
                "lifetime" | "removed_trait_bound" | "use_bounds"
            )
        });
        types.map(|node| self.ty(node, place)).collect()
    }

    /// Parameters, which it binds, and the type of the result.
    pub fn head(&mut self, node: Node<'t>, place: Place) -> Head {
        let mut head = Head {
            params: vec![],
            takes_self: false,
            returns: UNTYPED,
        };
        let parameters = field(node, FIELDS.parameters);
        for param in parameters.into_iter().flat_map(children) {
            match param.kind() {
                "self_parameter" => head.takes_self = true,
                "attribute_item" => self.attribute(param, place, &mut Attributes::default()),
                "parameter" => self.parameter(param, place, &mut head),
                _ => {}
            }
        }
        head.returns = match field(node, FIELDS.return_type) {
            Some(ty) => self.ty(ty, place),
            None => self.lower.ty(Type::Tuple {
                of: List::default(),
            }),
        };
        head
    }

    fn parameter(&mut self, node: Node<'t>, place: Place, head: &mut Head) {
        let ty = field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, place));
        let Some(pattern) = field(node, FIELDS.pattern) else {
            return;
        };
        if pattern.kind() == "self" {
            head.takes_self = true;
            return;
        }
        head.params.push(Param {
            name: self.lower.name(pattern),
            ty,
            optional: false,
        });
        self.pattern(pattern, ty, UNKNOWN, place, node.start_byte());
    }

    /// A function without a name. Parameters whose type is not written are given by the call it is the `argument`th of.
    pub fn closure(&mut self, node: Node<'t>, place: Place, argument: Option<u16>) -> ExprId {
        let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
        let inner = place.scope(scope);
        let locals = self.locals.len();
        let parameters = field(node, FIELDS.parameters);
        let parameters = parameters.into_iter().flat_map(children);
        let parameters = parameters.filter(|node| node.kind() != "attribute_item");
        for (index, param) in parameters.enumerate() {
            let at = param.start_byte();
            if param.kind() == "parameter" {
                let ty = field(param, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, inner));
                if let Some(pattern) = field(param, FIELDS.pattern) {
                    self.pattern(pattern, ty, UNKNOWN, inner, at);
                }
                continue;
            }
            let mut value = UNKNOWN;
            if let Some(argument) = argument {
                value = self.lower.expr(Expr::Given {
                    call: UNKNOWN,
                    argument,
                    index: index as u16,
                });
                self.given.push((value, argument));
            }
            self.pattern(param, UNTYPED, value, inner, at);
        }
        let mut returned = self.maybe(field(node, FIELDS.body), inner);
        if let Some(ty) = field(node, FIELDS.return_type) {
            let ty = self.ty(ty, inner);
            returned = self.lower.expr(Expr::Typed { ty });
        }
        self.locals.truncate(locals);
        let returned = match returned {
            UNKNOWN => List::default(),
            value => self.lower.list(&[value]),
        };
        self.lower.expr(Expr::Lambda { scope, returned })
    }

    /// The type that a bracket, a bound or a `dyn` holds.
    pub fn held(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let ty = field(node, FIELDS.r#trait)
            .or(field(node, FIELDS.r#type))
            .or(first(node));
        ty.map_or(UNTYPED, |ty| self.ty(ty, place))
    }
}
