//! Types as annotations write them: as expressions, or in strings.

mod text;

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn type_of(&mut self, node: Node<'t>, place: Place) -> TypeId {
        self.deeper(node, place, UNTYPED, |walk| walk.type_here(node, place))
    }

    /// The type of what has been read as a value before: its calls and uses are known.
    pub(super) fn type_again(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let calls = self.lower.facts.calls.len();
        let uses = self.lower.facts.uses.len();
        let read = self.read.len();
        let ty = self.type_of(node, place);
        self.lower.facts.calls.truncate(calls);
        self.lower.facts.uses.truncate(uses);
        self.read.truncate(read);
        ty
    }

    fn type_here(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match node.kind() {
            "type" | "parenthesized_expression" | "constrained_type" => {
                let inner = parts(node).next();
                inner.map_or(UNTYPED, |inner| self.type_of(inner, place))
            }
            "identifier" | "dotted_name" | "attribute" | "member_type" => {
                match self.dotted(node, &mut vec![]) {
                    Some(path) => self.path_type(&path, node, place),
                    None => self.type_of_value(node, place),
                }
            }
            "generic_type" | "subscript" => self.generic(node, place),
            "binary_operator" | "union_type" => {
                let of: Vec<_> = parts(node).map(|part| self.type_of(part, place)).collect();
                let of = self.lower.list(&of);
                self.lower.ty(Type::Union { of })
            }
            // Several classes, of `except` and `isinstance`.
            "tuple" => {
                let of: Vec<_> = parts(node).map(|part| self.type_of(part, place)).collect();
                let of = self.lower.list(&of);
                self.lower.ty(Type::Union { of })
            }
            "list" => {
                let of: Vec<_> = parts(node).map(|part| self.type_of(part, place)).collect();
                let of = self.lower.list(&of);
                self.lower.ty(Type::Tuple { of })
            }
            "string" | "concatenated_string" => self.quoted(node, place),
            "none" => self.basic(Literal::Null),
            "ellipsis" => UNTYPED,
            _ => self.type_of_value(node, place),
        }
    }

    /// Whether a subscript is a type written as a value: `Handler = Callable[[Request], None]`.
    pub(super) fn is_type(&self, node: Node<'t>) -> bool {
        let of = parts(node).next().map_or("", |of| self.lower.str(of));
        let last = of.rsplit('.').next().unwrap_or(of);
        let known = is_row(last) || is_map(last);
        known
            || matches!(
                last,
                "Callable" | "Union" | "Optional" | "Tuple" | "tuple" | "type" | "Type"
            )
    }

    fn type_of_value(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match self.value(node, place) {
            UNKNOWN => UNTYPED,
            expr => self.lower.ty(Type::Of { expr }),
        }
    }

    fn basic(&mut self, literal: Literal) -> TypeId {
        self.lower.ty(Type::Basic { literal })
    }

    /// The names of `a.b.c`.
    fn dotted(&mut self, node: Node<'t>, path: &mut Vec<Sym>) -> Option<Vec<Sym>> {
        let mut next = Some(node);
        let mut stack = vec![];
        while let Some(node) = next.take() {
            match node.kind() {
                "identifier" => path.push(self.lower.name(node)),
                "attribute" => {
                    stack.push(field(node, "attribute")?);
                    next = field(node, "object");
                }
                "type" => next = parts(node).next(),
                "dotted_name" => {
                    for part in parts(node) {
                        path.push(self.lower.name(part));
                    }
                }
                "member_type" => {
                    let mut sides = parts(node);
                    next = sides.next();
                    stack.push(sides.next()?);
                }
                _ => return None,
            }
        }
        for name in stack.into_iter().rev() {
            path.push(self.lower.name(name));
        }
        Some(std::mem::take(path))
    }

    fn path_type(&mut self, path: &[Sym], node: Node<'t>, place: Place) -> TypeId {
        match self.own_type(path, &[], place) {
            Some(ty) => ty,
            None => self.named_type(path, &[], node, place),
        }
    }

    /// A type that a name of the file or of another means.
    fn named_type(
        &mut self,
        path: &[Sym],
        args: &[TypeId],
        node: Node<'t>,
        place: Place,
    ) -> TypeId {
        let path = self.lower.list(path);
        let args = self.lower.list(args);
        let scope = place.scope;
        let ty = self.lower.ty(Type::Named { path, args, scope });
        self.lower.used(Used::Type(ty), node, place);
        ty
    }

    fn generic(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let mut inner = parts(node);
        let Some(of) = inner.next() else {
            return UNTYPED;
        };
        let Some(path) = self.dotted(of, &mut vec![]) else {
            return self.type_of_value(node, place);
        };
        let arguments: Vec<_> = inner
            .flat_map(|part| match part.kind() {
                "type_parameter" | "tuple" => parts(part).collect(),
                _ => vec![part],
            })
            .collect();
        let last = path.last().map_or("", |&last| self.lower.facts.name(last));
        let args: Vec<_> = match last {
            "Literal" => return self.basic(Literal::Str),
            "Annotated" => {
                for value in arguments.iter().skip(1) {
                    self.value(*value, place);
                }
                let ty = arguments.first();
                return ty.map_or(UNTYPED, |ty| self.type_of(*ty, place));
            }
            _ => arguments
                .iter()
                .map(|argument| self.argument(*argument, place))
                .collect(),
        };
        match self.own_type(&path, &args, place) {
            Some(ty) => ty,
            None => self.named_type(&path, &args, node, place),
        }
    }

    fn argument(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let inner = match node.kind() {
            "type" => parts(node).next().unwrap_or(node),
            _ => node,
        };
        match inner.kind() {
            "ellipsis" => self.ellipsis(),
            _ => self.type_of(inner, place),
        }
    }

    /// `...` among type arguments: an empty tuple, which no other writing gives.
    fn ellipsis(&mut self) -> TypeId {
        let of = List::default();
        self.lower.ty(Type::Tuple { of })
    }

    fn is_ellipsis(&self, ty: Option<&TypeId>) -> bool {
        let ty = ty.map(|&ty| self.lower.facts.ty(ty));
        matches!(ty, Some(Type::Tuple { of }) if of.len == 0)
    }

    /// The language's own types, by the last name: `typing` goes by many.
    fn own_type(&mut self, path: &[Sym], args: &[TypeId], place: Place) -> Option<TypeId> {
        let &last = path.last()?;
        if path.len() == 1 && self.own.contains(&last) {
            return None;
        }
        let first = args.first().copied().unwrap_or(UNTYPED);
        let name = self.lower.facts.names[last as usize].clone();
        let ty = match &*name {
            "Optional" => {
                let null = self.basic(Literal::Null);
                let of = self.lower.list(&[first, null]);
                Type::Union { of }
            }
            "Union" => Type::Union {
                of: self.lower.list(args),
            },
            "ClassVar" | "Final" | "Required" | "NotRequired" | "ReadOnly" | "InitVar"
            | "Awaitable" => return Some(first),
            "Coroutine" => return Some(args.get(2).copied().unwrap_or(UNTYPED)),
            "Any" | "object" => return Some(UNTYPED),
            // The class itself is what it is a type of.
            "type" | "Type" if first != UNTYPED => {
                let expr = self.lower.expr(Expr::Type { ty: first });
                Type::Of { expr }
            }
            "Self" => Type::This { scope: place.scope },
            "tuple" | "Tuple" if self.is_ellipsis(args.get(1)) => Type::Array { of: first },
            "tuple" | "Tuple" => Type::Tuple {
                of: self.lower.list(args),
            },
            "Callable" => {
                let params = match self.lower.facts.ty(first) {
                    Type::Tuple { of } => of,
                    _ => List::default(),
                };
                let returns = args.get(1).copied().unwrap_or(UNTYPED);
                Type::Function { params, returns }
            }
            "Generator" | "AsyncGenerator" => {
                self.taken = args.get(1).copied();
                Type::Array { of: first }
            }
            _ if is_row(&name) => Type::Array { of: first },
            _ if is_map(&name) => {
                let value = args.get(1).copied().unwrap_or(UNTYPED);
                Type::Map { key: first, value }
            }
            _ => Type::Basic {
                literal: basic(&name).filter(|_| path.len() == 1)?,
            },
        };
        Some(self.lower.ty(ty))
    }
}

/// What holds values in a row, or gives them one by one.
fn is_row(name: &str) -> bool {
    matches!(
        name,
        "list"
            | "List"
            | "set"
            | "Set"
            | "frozenset"
            | "FrozenSet"
            | "deque"
            | "Deque"
            | "Sequence"
            | "MutableSequence"
            | "Iterable"
            | "Iterator"
            | "Collection"
            | "Reversible"
            | "AbstractSet"
            | "MutableSet"
            | "KeysView"
            | "ValuesView"
            | "AsyncIterable"
            | "AsyncIterator"
    )
}

fn is_map(name: &str) -> bool {
    matches!(
        name,
        "dict"
            | "Dict"
            | "Mapping"
            | "MutableMapping"
            | "defaultdict"
            | "DefaultDict"
            | "OrderedDict"
            | "ChainMap"
    )
}

fn basic(name: &str) -> Option<Literal> {
    Some(match name {
        "int" => Literal::Int,
        "float" | "complex" => Literal::Float,
        "str" | "bytes" | "bytearray" | "LiteralString" => Literal::Str,
        "bool" => Literal::Bool,
        "None" => Literal::Null,
        _ => return None,
    })
}
