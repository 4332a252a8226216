//! Types as written: annotations, arguments, parameters.

use tree_sitter::Node;

use super::walk::{At, Walk};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    /// The type written behind a name, parameter or catch.
    pub fn annotation(&mut self, node: Node<'t>, at: At) -> TypeId {
        let written = self.part(node, "type");
        written.map_or(UNTYPED, |written| self.written(written, at))
    }

    /// What stands in an annotation; of several types, the last.
    pub fn written(&mut self, node: Node<'t>, at: At) -> TypeId {
        match node.kind() {
            "type_annotation" | "type_arguments" | "constraint" | "default_type" => {
                let parts = self.parts(node);
                let types = parts.into_iter().map(|part| self.ty(part, at));
                types.last().unwrap_or(UNTYPED)
            }
            "type_predicate_annotation" | "asserts_annotation" => {
                self.each(node, at);
                let literal = Literal::Bool;
                self.lower.ty(Type::Basic { literal })
            }
            _ => self.ty(node, at),
        }
    }

    pub fn ty(&mut self, node: Node<'t>, at: At) -> TypeId {
        if !self.lower.enter() {
            return UNTYPED;
        }
        let ty = self.type_of(node, at);
        self.lower.leave();
        ty
    }

    fn type_of(&mut self, node: Node<'t>, at: At) -> TypeId {
        let scope = at.place.scope;
        match node.kind() {
            "type_identifier"
            | "identifier"
            | "nested_type_identifier"
            | "nested_identifier"
            | "member_expression" => self.type_name(node, List::default(), at),
            "predefined_type" | "literal_type" | "template_literal_type" | "index_type_query" => {
                self.basic(node)
            }
            "generic_type" => self.generic(node, at),
            "array_type" => {
                let of = self.first(node, at);
                self.lower.ty(Type::Array { of })
            }
            "tuple_type" => {
                let of = self.types(node, at);
                self.lower.ty(Type::Tuple { of })
            }
            "union_type" => {
                let of = self.types(node, at);
                self.lower.ty(Type::Union { of })
            }
            "intersection_type" => {
                let of = self.types(node, at);
                self.lower.ty(Type::All { of })
            }
            "conditional_type" => self.conditional(node, at),
            "function_type" | "constructor_type" | "call_signature" | "construct_signature" => {
                self.function_type(node, at)
            }
            "object_type" => self.object_type(node, at),
            "this_type" | "this" => self.lower.ty(Type::This { scope }),
            "type_query" => {
                let expr = self.inner(node, at);
                self.lower.ty(Type::Of { expr })
            }
            "lookup_type" => self.lookup(node, at),
            "required_parameter" | "optional_parameter" => self.annotation(node, at),
            "type_annotation" | "type_predicate_annotation" | "asserts_annotation" => {
                self.written(node, at)
            }
            "parenthesized_type" | "readonly_type" | "optional_type" | "rest_type"
            | "flow_maybe_type" => self.first(node, at),
            _ => {
                self.each(node, at);
                UNTYPED
            }
        }
    }

    fn first(&mut self, node: Node<'t>, at: At) -> TypeId {
        let parts = self.parts(node);
        parts.first().map_or(UNTYPED, |part| self.ty(*part, at))
    }

    fn types(&mut self, node: Node<'t>, at: At) -> List {
        let parts = self.parts(node);
        let types: Vec<_> = parts.into_iter().map(|part| self.ty(part, at)).collect();
        self.lower.list(&types)
    }

    fn basic(&mut self, node: Node<'t>) -> TypeId {
        let text = self.lower.str(node);
        let literal = match text.as_bytes() {
            [b'"' | b'\'' | b'`', ..] | b"string" => Literal::Str,
            b"number" | b"bigint" | [b'0'..=b'9' | b'-', ..] => Literal::Float,
            b"boolean" | b"true" | b"false" => Literal::Bool,
            b"void" | b"undefined" | b"null" | b"never" => Literal::Null,
            _ if node.kind() == "index_type_query" => Literal::Str,
            _ => return UNTYPED,
        };
        self.lower.ty(Type::Basic { literal })
    }

    /// A path of names. Type parameters are no uses of anything.
    fn type_name(&mut self, node: Node<'t>, args: List, at: At) -> TypeId {
        let mut path = vec![];
        self.path(node, &mut path);
        let scope = at.place.scope;
        let local = path.len() == 1 && self.is_local(scope, path[0]);
        let path = self.lower.list(&path);
        let ty = self.lower.ty(Type::Named { path, args, scope });
        if !local {
            self.lower.used(Used::Type(ty), node, at.place);
        }
        ty
    }

    /// A type that is named by an expression, with the type arguments behind it.
    pub fn named_type(&mut self, name: Node<'t>, arguments: Option<Node<'t>>, at: At) -> TypeId {
        let args = arguments.map_or(List::default(), |list| self.types(list, at));
        self.type_name(name, args, at)
    }

    /// The names of `a.b.C`, first to last.
    fn path(&mut self, mut node: Node<'t>, path: &mut Vec<Sym>) {
        const LONGEST: usize = 32;
        while path.len() < LONGEST {
            let (front, name) = match node.kind() {
                "nested_type_identifier" => ("module", "name"),
                "nested_identifier" | "member_expression" => ("object", "property"),
                _ => {
                    path.push(self.lower.name(node));
                    break;
                }
            };
            let (front, name) = (self.part(node, front), self.part(node, name));
            let Some((front, name)) = front.zip(name) else {
                break;
            };
            path.push(self.lower.name(name));
            node = front;
        }
        path.reverse();
    }

    fn generic(&mut self, node: Node<'t>, at: At) -> TypeId {
        let arguments = self.part(node, "type_arguments");
        match self.part(node, "name") {
            Some(name) => self.named_type(name, arguments, at),
            None => UNTYPED,
        }
    }

    /// Either of the two it can become.
    fn conditional(&mut self, node: Node<'t>, at: At) -> TypeId {
        let mut side = |field| {
            let side = self.part(node, field);
            side.map_or(UNTYPED, |side| self.ty(side, at))
        };
        side("left");
        side("right");
        let sides = [side("consequence"), side("alternative")];
        let of = self.lower.list(&sides);
        self.lower.ty(Type::Union { of })
    }

    pub fn function_type(&mut self, node: Node<'t>, at: At) -> TypeId {
        let scope = at.place.scope;
        let mut inside = at;
        if self.part(node, "type_parameters").is_some() {
            inside = at.scope(self.lower.scope(scope, ScopeKind::Function, None));
            self.type_parameters(node, inside);
        }
        let parameters = self.part(node, "parameters");
        let params = parameters.map_or(List::default(), |list| self.types(list, inside));
        let returns = self.part(node, "return_type").or(self.part(node, "type"));
        let returns = returns.map_or(UNTYPED, |returns| self.written(returns, inside));
        self.lower.ty(Type::Function { params, returns })
    }

    /// `{ a: T; m(): U }`, and `{ [K in T]: U }`, which is a map.
    fn object_type(&mut self, node: Node<'t>, at: At) -> TypeId {
        let parts = self.parts(node);
        if let [only] = parts.as_slice()
            && only.kind() == "index_signature"
        {
            return self.index_signature(*only, at);
        }
        let scope = self.lower.scope(at.place.scope, ScopeKind::Type, None);
        for part in parts {
            self.signature(part, scope, at.scope(scope));
        }
        self.lower.ty(Type::Members { scope })
    }

    pub fn index_signature(&mut self, node: Node<'t>, at: At) -> TypeId {
        let mut at = at;
        let clause = self.parts(node).into_iter();
        for clause in clause.filter(|part| part.kind() == "mapped_type_clause") {
            let scope = self.lower.scope(at.place.scope, ScopeKind::Function, None);
            at = at.scope(scope);
            self.type_parameter(clause, at);
        }
        let value = self.annotation(node, at);
        let literal = Literal::Str;
        let key = self.lower.ty(Type::Basic { literal });
        self.lower.ty(Type::Map { key, value })
    }

    /// `T["name"]`; of any other index, nothing is known.
    fn lookup(&mut self, node: Node<'t>, at: At) -> TypeId {
        let parts = self.parts(node);
        let [of, index] = parts.as_slice() else {
            return UNTYPED;
        };
        let of = self.ty(*of, at);
        let text = self.lower.str(*index);
        self.ty(*index, at);
        let name = super::express::unquoted(text);
        if name.len() == text.len() {
            return UNTYPED;
        }
        let name = self.lower.sym(name);
        self.lower.ty(Type::Member { of, name })
    }

    pub fn type_parameters(&mut self, node: Node<'t>, at: At) {
        let Some(list) = self.part(node, "type_parameters") else {
            return;
        };
        for parameter in self.parts(list) {
            self.type_parameter(parameter, at);
        }
    }

    /// `T extends U = V`; of a mapped type, `K in T`.
    fn type_parameter(&mut self, node: Node<'t>, at: At) {
        let Some(name) = self.part(node, "name") else {
            return self.each(node, at);
        };
        let name = self.lower.name(name);
        let parts = ["constraint", "value"].map(|field| self.part(node, field));
        let bounds: Vec<_> = match node.kind() {
            "mapped_type_clause" => {
                self.annotation(node, at);
                vec![]
            }
            _ => parts
                .into_iter()
                .flatten()
                .map(|part| self.written(part, at))
                .collect(),
        };
        let bounds = self.lower.list(&bounds);
        let scope = at.place.scope;
        // By place: arguments are given in order.
        self.bind_at(scope, name, node.start_byte(), Bound::Param { bounds });
    }
}
