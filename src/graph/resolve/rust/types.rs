//! Types as written, and the paths that name them.

use tree_sitter::Node;

use super::walk::{FIELDS, Walk, children, field};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Smart pointers: their members are those of what they point to.
const POINTERS: &[&str] = &[
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "Pin",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "ManuallyDrop",
    "LazyLock",
    "LazyCell",
    "Lazy",
];

/// A path taken apart: what it starts with, then its names.
pub struct Spine<'t> {
    /// None of `::a`.
    pub head: Option<Node<'t>>,
    pub names: Vec<Node<'t>>,
}

/// Paths are nested to the left, as deep as they are long.
pub fn spine(node: Node<'_>) -> Spine<'_> {
    let mut head = Some(node);
    let mut names = vec![];
    while let Some(here) =
        head.filter(|node| matches!(node.kind(), "scoped_identifier" | "scoped_type_identifier"))
    {
        names.extend(field(here, FIELDS.name));
        head = field(here, FIELDS.path);
    }
    names.reverse();
    Spine { head, names }
}

impl<'t> Walk<'_, '_, 't> {
    pub fn ty(&mut self, node: Node<'t>, place: Place) -> TypeId {
        if !self.lower.enter() {
            return UNTYPED;
        }
        let ty = self.written(node, place);
        self.lower.leave();
        ty
    }

    fn written(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match node.kind() {
            "type_identifier" | "identifier" | "scoped_type_identifier" | "scoped_identifier" => {
                self.named(node, List::default(), place)
            }
            "primitive_type" => self.primitive(node, place),
            "generic_type" | "generic_type_with_turbofish" | "generic_pattern" => {
                let args = self.type_arguments(field(node, FIELDS.type_arguments), place);
                let named = field(node, FIELDS.r#type).or(node.named_child(0));
                let Some(named) = named else { return UNTYPED };
                match args[..] {
                    [of] if POINTERS.contains(&self.last_name(named)) => {
                        self.lower.ty(Type::Ref { of })
                    }
                    _ => {
                        let args = self.lower.list(&args);
                        self.named(named, args, place)
                    }
                }
            }
            "reference_type" | "pointer_type" => {
                let of = field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, place));
                self.lower.ty(Type::Ref { of })
            }
            "array_type" => {
                let of = field(node, FIELDS.element).map_or(UNTYPED, |ty| self.ty(ty, place));
                self.maybe(field(node, FIELDS.length), place);
                self.lower.ty(Type::Array { of })
            }
            "tuple_type" | "unit_type" => {
                let parts: Vec<TypeId> = children(node)
                    .into_iter()
                    .map(|ty| self.ty(ty, place))
                    .collect();
                let of = self.lower.list(&parts);
                self.lower.ty(Type::Tuple { of })
            }
            "function_type" => self.function_type(node, place),
            "abstract_type" | "dynamic_type" | "higher_ranked_trait_bound" | "bracketed_type" => {
                self.held(node, place)
            }
            "bounded_type" | "trait_bounds" => {
                let all = self.bounds(node, place);
                self.all(&all)
            }
            "qualified_type" => {
                // The trait is one of those that the type has.
                if let Some(alias) = field(node, FIELDS.alias) {
                    self.ty(alias, place);
                }
                field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, place))
            }
            _ => UNTYPED,
        }
    }

    fn last_name(&self, node: Node<'t>) -> &str {
        let last = field(node, FIELDS.name).unwrap_or(node);
        self.lower.str(last)
    }

    fn all(&mut self, types: &[TypeId]) -> TypeId {
        match types {
            [] => UNTYPED,
            [one] => *one,
            types => {
                let of = self.lower.list(types);
                self.lower.ty(Type::All { of })
            }
        }
    }

    /// Bare names keep `u8` and `u16` apart, for traits are implemented for each.
    fn primitive(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let name = self.lower.str(node);
        self.lower.named(name, place.scope)
    }

    fn function_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let params = field(node, FIELDS.parameters)
            .into_iter()
            .flat_map(children);
        let params = params.filter(|node| node.kind() != "attribute_item");
        let params: Vec<TypeId> = params
            .map(|node| self.ty(field(node, FIELDS.r#type).unwrap_or(node), place))
            .collect();
        let returns = match field(node, FIELDS.return_type) {
            Some(ty) => self.ty(ty, place),
            None => self.lower.ty(Type::Tuple {
                of: List::default(),
            }),
        };
        let params = self.lower.list(&params);
        self.lower.ty(Type::Function { params, returns })
    }

    /// Types given in brackets, `Item = T` as the type it is: what iterators and futures give stands where the argument of a
    /// `Vec` does. Constants hold their place.
    pub fn type_arguments(&mut self, node: Option<Node<'t>>, place: Place) -> Vec<TypeId> {
        let mut types = vec![];
        for node in node.into_iter().flat_map(children) {
            match node.kind() {
                "lifetime" => {}
                "type_binding" => {
                    types.extend(field(node, FIELDS.r#type).map(|ty| self.ty(ty, place)))
                }
                "block" => {
                    self.node(node, place);
                    types.push(UNTYPED);
                }
                _ => types.push(self.ty(node, place)),
            }
        }
        types
    }

    /// A path to a type, noted as used.
    pub fn named(&mut self, node: Node<'t>, args: List, place: Place) -> TypeId {
        let Spine { head, names } = spine(node);
        let scope = place.scope;
        let Some(head) = head else {
            // `::std::io`: a crate, whatever is named so here.
            return UNTYPED;
        };
        let base = match head.kind() {
            "generic_type" | "bracketed_type" => Some(self.ty(head, place)),
            "type_identifier" | "identifier" if self.lower.str(head) == "Self" => {
                Some(self.lower.ty(Type::This { scope }))
            }
            "metavariable" => return UNTYPED,
            _ => None,
        };
        if let Some(base) = base {
            return names.into_iter().fold(base, |of, name| {
                let name = self.lower.name(name);
                self.lower.ty(Type::Member { of, name })
            });
        }
        let path: Vec<Sym> = std::iter::once(head)
            .chain(names)
            .map(|name| self.lower.name(name))
            .collect();
        let path = self.lower.list(&path);
        let ty = self.lower.ty(Type::Named { path, args, scope });
        self.lower.used(Used::Type(ty), node, place);
        ty
    }
}
