//! Types as written in Go, and the members of structs and interfaces.

use tree_sitter::Node;

use super::walk::{Walk, names, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// A type, its names noted as used.
    pub fn written_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match self.deeper(|walk| walk.type_of(node, place)) {
            Some(ty) => ty,
            None => {
                self.put_off(node, place);
                UNTYPED
            }
        }
    }

    fn type_of(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match node.kind() {
            "type_identifier" | "identifier" | "qualified_type" => {
                self.named_type(node, None, place)
            }
            "generic_type" => self.generic_type(node, place),
            "pointer_type" => {
                let of = self.inner_type(node, place);
                self.lower.ty(Type::Ref { of })
            }
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                if let Some(length) = node.child_by_field_name("length") {
                    self.value(length, place);
                }
                let of = self.part_type(node, "element", place);
                self.lower.ty(Type::Array { of })
            }
            "map_type" => {
                let key = self.part_type(node, "key", place);
                let value = self.part_type(node, "value", place);
                self.lower.ty(Type::Map { key, value })
            }
            "channel_type" => self.channel_type(node, place),
            "function_type" => self.function_type(node, place),
            "struct_type" | "interface_type" => {
                let scope = self.lower.scope(place.scope, ScopeKind::Type, None);
                let mut all = self.members(node, place, scope);
                let own = self.lower.ty(Type::Members { scope });
                if all.is_empty() {
                    return own;
                }
                all.insert(0, own);
                let of = self.lower.list(&all);
                self.lower.ty(Type::All { of })
            }
            "parenthesized_type" | "negated_type" => self.inner_type(node, place),
            "type_elem" | "type_constraint" => self.element(node, place),
            _ => {
                self.visit_all(node, place);
                UNTYPED
            }
        }
    }

    fn inner_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let inner = parts(node).first().copied();
        inner.map_or(UNTYPED, |inner| self.written_type(inner, place))
    }

    fn part_type(&mut self, node: Node<'t>, field: &str, place: Place) -> TypeId {
        let part = node.child_by_field_name(field);
        part.map_or(UNTYPED, |part| self.written_type(part, place))
    }

    /// `T`, `pkg.T`
    fn named_type(&mut self, node: Node<'t>, args: Option<Node<'t>>, place: Place) -> TypeId {
        let text = self.lower.str(node);
        let name = self.lower.sym(text);
        let plain = node.kind() != "qualified_type";
        let local = plain && self.locals.knows(name);
        if let Some(literal) = basic(text).filter(|_| plain && !local) {
            return self.lower.ty(Type::Basic { literal });
        }
        let written = if plain { vec![node] } else { parts(node) };
        let path: Vec<Sym> = written.iter().map(|&part| self.lower.name(part)).collect();
        let Some(&first) = path.first() else {
            return UNTYPED;
        };
        let args = args.map(parts).unwrap_or_default();
        let args: Vec<TypeId> = args
            .into_iter()
            .map(|argument| self.written_type(argument, place))
            .collect();
        let path = self.lower.list(&path);
        let args = self.lower.list(&args);
        let scope = self.scope_of(first, place);
        let ty = self.lower.ty(Type::Named { path, args, scope });
        if !local && !matches!(text, "error" | "any" | "comparable") {
            self.lower.used(Used::Type(ty), node, place);
        }
        ty
    }

    fn generic_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let args = node.child_by_field_name("type_arguments");
        match node.child_by_field_name("type") {
            Some(name) => self.named_type(name, args, place),
            None => UNTYPED,
        }
    }

    /// Written as `chan[T]`.
    fn channel_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let value = self.part_type(node, "value", place);
        let name = self.lower.sym("chan");
        let path = self.lower.list(&[name]);
        let args = self.lower.list(&[value]);
        let scope = place.scope;
        self.lower.ty(Type::Named { path, args, scope })
    }

    fn function_type(&mut self, node: Node<'t>, place: Place) -> TypeId {
        // Its parameters have names that nothing can see.
        let mark = self.locals.open();
        let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
        let list = node.child_by_field_name("parameters");
        let params = list.map(|list| self.parameters(list, place, scope).0);
        let params = params.unwrap_or_default();
        let params: Vec<TypeId> = params.iter().map(|param| param.ty).collect();
        let result = node.child_by_field_name("result");
        let returns = result.and_then(|result| self.results(result, place, scope));
        self.locals.close(mark);
        let params = self.lower.list(&params);
        let returns = returns.unwrap_or(UNTYPED);
        self.lower.ty(Type::Function { params, returns })
    }

    /// What stands in a constraint or a list of type arguments: a type, or one of several.
    fn element(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let types: Vec<TypeId> = parts(node)
            .into_iter()
            .map(|part| self.written_type(part, place))
            .collect();
        if let [only] = types[..] {
            return only;
        }
        let of = self.lower.list(&types);
        self.lower.ty(Type::Union { of })
    }

    pub fn type_parameters(&mut self, list: Node<'t>, place: Place) {
        let parameters = parts(list);
        // All are in sight of all bounds.
        for name in parameters.iter().flat_map(|&part| names(part, "name")) {
            let name = self.lower.name(name);
            self.locals.bind(name, place.scope);
        }
        for part in parameters {
            let bound = self.part_type(part, "type", place);
            let bounds = self.lower.list(&[bound]);
            for name in names(part, "name") {
                // Their order is that of the arguments.
                let at = name.start_byte();
                let name = self.lower.name(name);
                let param = Bound::Param { bounds };
                self.lower.bind(place.scope, name, at, param);
            }
        }
    }

    /// Binds the members of a struct or an interface; gives the types it takes more of them from.
    pub fn members(&mut self, node: Node<'t>, place: Place, scope: ScopeId) -> Vec<TypeId> {
        let list = match node.kind() {
            "struct_type" => node.named_child(0).unwrap_or(node),
            _ => node,
        };
        let mut bases = vec![];
        for member in parts(list) {
            match member.kind() {
                "field_declaration" => bases.extend(self.field(member, place, scope)),
                "method_elem" => self.interface_method(member, place, scope),
                "type_elem" => {
                    let base = self.element(member, place);
                    if !matches!(self.lower.facts.ty(base), Type::Union { .. }) {
                        bases.push(base);
                    }
                }
                _ => self.visit(member, place),
            }
        }
        bases
    }

    /// The type of an embedded field, which is a field by the type's name too.
    fn field(&mut self, node: Node<'t>, place: Place, scope: ScopeId) -> Option<TypeId> {
        let written = node.child_by_field_name("type")?;
        let ty = self.written_type(written, place);
        let bound = Bound::Var { ty, init: UNKNOWN };
        let names = names(node, "name");
        if !names.is_empty() {
            for name in names {
                let name = self.lower.name(name);
                self.lower.bind(scope, name, 0, bound);
            }
            return None;
        }
        let mut name = written;
        if let Some(generic) = name.child_by_field_name("type") {
            name = generic;
        }
        if let Some(qualified) = name.child_by_field_name("name") {
            name = qualified;
        }
        let name = self.lower.name(name);
        self.lower.bind(scope, name, 0, bound);
        Some(ty)
    }

    fn interface_method(&mut self, node: Node<'t>, place: Place, scope: ScopeId) {
        let Some(name) = node.child_by_field_name("name") else {
            return;
        };
        let sym = self.lower.name(name);
        let Some(def) = self.lower.def_named(name) else {
            let ty = self.function_type(node, place);
            let init = UNKNOWN;
            return self.lower.bind(scope, sym, 0, Bound::Var { ty, init });
        };
        self.lower.bind(scope, sym, 0, Bound::Def(def));
        self.lower.flag(def, flag::DECLARATION);
        let mark = self.locals.open();
        let inside = self
            .lower
            .scope(place.scope, ScopeKind::Function, Some(def));
        self.signature(node, Some(def), inside, place.from(def));
        self.locals.close(mark);
    }
}

/// The language's own types that have no members.
pub fn basic(name: &str) -> Option<Literal> {
    Some(match name {
        "bool" => Literal::Bool,
        "string" => Literal::Str,
        "int" | "int8" | "int16" | "int32" | "uint" | "uint8" | "uint16" | "uint32" | "byte"
        | "uintptr" => Literal::Int,
        "int64" | "uint64" => Literal::Long,
        "float32" => Literal::Float,
        "float64" | "complex64" | "complex128" => Literal::Double,
        "rune" => Literal::Char,
        _ => return None,
    })
}
