//! Java types as they are written, and annotations.

use tree_sitter::Node;

use super::walk::{Walk, part, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// A type as written, every name in it noted as used. `var` says nothing.
    pub fn ty(&mut self, node: Node<'t>, place: Place) -> TypeId {
        if !self.lower.enter() {
            return UNTYPED;
        }
        let ty = self.type_of(node, place);
        self.lower.leave();
        ty
    }

    fn type_of(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match node.kind() {
            "type_identifier" | "identifier" if self.lower.str(node) == "var" => UNTYPED,
            "type_identifier"
            | "identifier"
            | "scoped_type_identifier"
            | "scoped_identifier"
            | "generic_type" => {
                let ty = self.named(node, place);
                if ty != UNTYPED {
                    self.lower.used(Used::Type(ty), node, place);
                }
                ty
            }
            "array_type" => {
                let element = node.child_by_field_name("element");
                let element = element.map_or(UNTYPED, |element| self.ty(element, place));
                self.dimensions(node, element)
            }
            "annotated_type" => {
                let (mut ty, parts) = (UNTYPED, parts(node));
                for part in parts {
                    match part.kind() {
                        "annotation" | "marker_annotation" => {
                            self.read(part, place);
                        }
                        _ => ty = self.ty(part, place),
                    }
                }
                ty
            }
            "wildcard" => {
                let bound = parts(node).into_iter().rfind(|part| part.kind() != "super");
                let bound = bound.filter(|bound| !bound.kind().ends_with("annotation"));
                bound.map_or(UNTYPED, |bound| self.ty(bound, place))
            }
            _ => self.basic(node),
        }
    }

    fn basic(&mut self, node: Node<'t>) -> TypeId {
        let literal = match self.lower.str(node) {
            "int" => Literal::Int,
            "long" => Literal::Long,
            "char" => Literal::Char,
            "float" => Literal::Float,
            "double" => Literal::Double,
            "boolean" => Literal::Bool,
            // Never bound by a scope: what is not found is told by its name.
            name @ ("byte" | "short" | "void") => return self.lower.named(name, FILE),
            _ => return UNTYPED,
        };
        self.lower.ty(Type::Basic { literal })
    }

    /// A path of names with the arguments of the last; those of the others are noted as used only.
    fn named(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let mut path = vec![];
        let mut args = vec![];
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            match node.kind() {
                "type_identifier" | "identifier" => path.push(self.lower.name(node)),
                "scoped_type_identifier" | "scoped_identifier" | "generic_type" => {
                    left.extend(parts(node).into_iter().rev());
                }
                "type_arguments" => {
                    args = self.all_types(node, place);
                }
                _ => {}
            }
        }
        if path.is_empty() {
            return UNTYPED;
        }
        let path = self.lower.list(&path);
        let args = self.lower.list(&args);
        let scope = place.scope;
        self.lower.ty(Type::Named { path, args, scope })
    }

    /// The type that a dotted name outside of types stands for.
    pub fn path_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let names: String = self.lower.str(node).split_whitespace().collect();
        let path: Vec<Sym> = names.split('.').map(|name| self.lower.sym(name)).collect();
        let path = self.lower.list(&path);
        let (args, scope) = (List::default(), place.scope);
        self.lower.ty(Type::Named { path, args, scope })
    }

    /// A type of the library by its full name.
    pub fn library_type(&mut self, name: &str, args: &[TypeId]) -> TypeId {
        let path: Vec<Sym> = name.split('.').map(|name| self.lower.sym(name)).collect();
        let path = self.lower.list(&path);
        let args = self.lower.list(args);
        self.lower.ty(Type::Named {
            path,
            args,
            scope: FILE,
        })
    }

    /// An array of as many dimensions as are written in a node: `int[][]`, the `[]` of `int a[]`.
    pub fn dimensions(&mut self, node: Node<'t>, element: TypeId) -> TypeId {
        let Some(dimensions) = part(node, "dimensions") else {
            return element;
        };
        let mut cursor = dimensions.walk();
        let depth = dimensions
            .children(&mut cursor)
            .filter(|part| part.kind() == "[")
            .count();
        self.array(element, depth)
    }

    pub fn array(&mut self, element: TypeId, depth: usize) -> TypeId {
        (0..depth).fold(element, |of, _| self.lower.ty(Type::Array { of }))
    }

    /// Binds type parameters in the scope of a place.
    pub fn type_parameters(&mut self, node: Node<'t>, place: Place) {
        let Some(list) = part(node, "type_parameters") else {
            return;
        };
        for parameter in parts(list) {
            let mut name = None;
            let mut bounds = vec![];
            for part in parts(parameter) {
                match part.kind() {
                    "type_identifier" | "identifier" => name = Some(part),
                    "type_bound" => {
                        let written = parts(part).into_iter();
                        bounds.extend(
                            written
                                .map(|bound| self.ty(bound, place))
                                .collect::<Vec<_>>(),
                        );
                    }
                    _ => {
                        self.read(part, place);
                    }
                }
            }
            let Some(name) = name else { continue };
            let bounds = self.lower.list(&bounds);
            let sym = self.lower.name(name);
            let bound = Bound::Param { bounds };
            self.lower.bind(place.scope, sym, name.start_byte(), bound);
        }
    }

    pub fn annotation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else {
            return UNKNOWN;
        };
        let ty = self.path_type(name, place);
        self.lower.used(Used::Type(ty), name, place);
        let Some(arguments) = node.child_by_field_name("arguments") else {
            return UNKNOWN;
        };
        let of = self.lower.expr(Expr::Type { ty });
        for argument in parts(arguments) {
            let value = argument.child_by_field_name("value");
            let element = match argument.child_by_field_name("key") {
                Some(key) => self.method_name(key),
                None => self.lower.sym("value()"),
            };
            let element = self.lower.expr(Expr::Member { of, name: element });
            self.lower.used(Used::Expr(element), argument, place);
            self.read(value.unwrap_or(argument), place);
        }
        UNKNOWN
    }
}
