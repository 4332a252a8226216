//! Functions, methods, types, variables and constants of a Go file.

use tree_sitter::Node;

use super::walk::{Walk, names, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;
use crate::model::Kind;

impl<'t> Walk<'_, '_, 't> {
    pub fn function(&mut self, node: Node<'t>, place: Place) {
        let Some(name) = node.child_by_field_name("name") else {
            return self.visit_all(node, place);
        };
        let def = self.lower.def_named(name);
        let text = self.lower.str(name);
        // There may be many of these, and nothing can name them.
        if let Some(def) = def.filter(|_| text != "init") {
            self.bind(name, place.scope, 0, Bound::Def(def));
        }
        let mark = self.locals.open();
        let scope = self.lower.scope(place.scope, ScopeKind::Function, def);
        self.signature_and_body(node, def, scope, place);
        self.locals.close(mark);
        if let Some(def) = def {
            self.mark_entry(node, text, def);
        }
    }

    pub fn method(&mut self, node: Node<'t>, place: Place) {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(receiver)) = (name, node.child_by_field_name("receiver")) else {
            return self.visit_all(node, place);
        };
        let def = self.lower.def_named(name);
        let mark = self.locals.open();
        let noted = self.lower.facts.uses.len();
        let owner = parts(receiver)
            .first()
            .and_then(|receiver| receiver.child_by_field_name("type"));
        let (members, generic) = match owner {
            Some(owner) => self.receiver(owner, place),
            None => (FILE, false),
        };
        if let Some(def) = def.filter(|_| members != FILE) {
            let sym = self.lower.name(name);
            self.lower.bind(members, sym, 0, Bound::Def(def));
            self.mark_override(self.lower.str(name), def);
        }
        // Members of the type are not in sight of a body, its type parameters are.
        let outer = if generic { members } else { place.scope };
        let scope = self.lower.scope(outer, ScopeKind::Function, def);
        self.parameters(receiver, place.scope(outer), scope);
        // A type is not in use because it has methods.
        self.lower.facts.uses.truncate(noted);
        self.signature_and_body(node, def, scope, place);
        self.locals.close(mark);
    }

    /// The scope of members written for a receiver's type, and whether that type has parameters.
    fn receiver(&mut self, mut owner: Node<'t>, place: Place) -> (ScopeId, bool) {
        while let "pointer_type" | "parenthesized_type" = owner.kind() {
            let Some(inner) = parts(owner).first().copied() else {
                break;
            };
            owner = inner;
        }
        if owner.kind() == "generic_type" {
            let scope = self.lower.scope(place.scope, ScopeKind::Type, None);
            if let Some(arguments) = owner.child_by_field_name("type_arguments") {
                self.receiver_parameters(arguments, scope);
            }
            let of = self.written_type(owner, place.scope(scope));
            self.extend(of, scope);
            return (scope, true);
        }
        let name = self.lower.name(owner);
        if let Some(&scope) = self.receivers.get(&name) {
            return (scope, false);
        }
        let scope = self.lower.scope(place.scope, ScopeKind::Type, None);
        let of = self.written_type(owner, place);
        self.extend(of, scope);
        self.receivers.insert(name, scope);
        (scope, false)
    }

    fn extend(&mut self, of: TypeId, scope: ScopeId) {
        let by = None;
        let extension = Extension { of, by, scope };
        self.lower.facts.extensions.push(extension);
    }

    fn receiver_parameters(&mut self, arguments: Node<'t>, scope: ScopeId) {
        for argument in parts(arguments) {
            let bounds = List::default();
            self.bind(
                argument,
                scope,
                argument.start_byte(),
                Bound::Param { bounds },
            );
        }
    }

    fn signature_and_body(
        &mut self,
        node: Node<'t>,
        def: Option<DefId>,
        scope: ScopeId,
        place: Place,
    ) {
        let inside = Place {
            from: def.or(place.from),
            ..place
        };
        self.signature(node, def, scope, inside);
        if let Some(body) = node.child_by_field_name("body") {
            self.visit_all(body, inside.scope(scope));
        }
    }

    /// Binds what a function takes and gives in its scope, and fills its definition; the type of what it gives. Types are
    /// seen from outside of the scope, so that no parameter hides them, but type parameters are bound in it.
    pub fn signature(
        &mut self,
        node: Node<'t>,
        def: Option<DefId>,
        scope: ScopeId,
        place: Place,
    ) -> Option<TypeId> {
        let outer = self.lower.facts.scope(scope).parent;
        let mut types = place.scope(outer.unwrap_or(FILE));
        if let Some(generics) = node.child_by_field_name("type_parameters") {
            types = place.scope(scope);
            self.type_parameters(generics, types);
        }
        let list = node.child_by_field_name("parameters");
        let params = list.map(|list| self.parameters(list, types, scope));
        let (params, variadic) = params.unwrap_or_default();
        let result = node.child_by_field_name("result");
        let returns = result.and_then(|result| self.results(result, types, scope));
        if let Some(def) = def {
            let flags = if variadic { flag::VARIADIC } else { 0 };
            self.lower.flag(def, flags);
            self.lower.def(def).params = params;
            self.lower.def(def).returns = returns;
        }
        returns
    }

    /// Binds each parameter in a scope; whether the last takes any number of arguments.
    pub fn parameters(
        &mut self,
        list: Node<'t>,
        place: Place,
        scope: ScopeId,
    ) -> (Vec<Param>, bool) {
        let mut params = vec![];
        let mut variadic = false;
        for part in parts(list) {
            let Some(written) = part.child_by_field_name("type") else {
                self.visit(part, place);
                continue;
            };
            let mut ty = self.written_type(written, place);
            variadic = part.kind() == "variadic_parameter_declaration";
            if variadic {
                ty = self.lower.ty(Type::Array { of: ty });
            }
            let names = names(part, "name");
            if names.is_empty() {
                params.push(self.unnamed(ty));
            }
            for name in names {
                let init = UNKNOWN;
                self.bind(name, scope, 0, Bound::Var { ty, init });
                let name = self.lower.name(name);
                params.push(Param {
                    name,
                    ty,
                    optional: variadic,
                });
            }
        }
        (params, variadic)
    }

    fn unnamed(&mut self, ty: TypeId) -> Param {
        let name = self.lower.sym("_");
        let optional = false;
        Param { name, ty, optional }
    }

    /// What a function gives: nothing, one type, or a tuple. Results with names are bound in its scope.
    pub fn results(&mut self, node: Node<'t>, place: Place, scope: ScopeId) -> Option<TypeId> {
        if node.kind() != "parameter_list" {
            return Some(self.written_type(node, place));
        }
        let (results, _) = self.parameters(node, place, scope);
        let types: Vec<TypeId> = results.iter().map(|result| result.ty).collect();
        match types[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let of = self.lower.list(&types);
                Some(self.lower.ty(Type::Tuple { of }))
            }
        }
    }

    pub fn type_spec(&mut self, node: Node<'t>, place: Place) {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(written)) = (name, node.child_by_field_name("type")) else {
            return self.visit_all(node, place);
        };
        let Some(def) = self.lower.def_named(name) else {
            self.written_type(written, place);
            return;
        };
        self.bind(name, place.scope, name.start_byte(), Bound::Def(def));
        let written_out = matches!(written.kind(), "struct_type" | "interface_type");
        if node.kind() == "type_alias" && !written_out {
            self.lower.flag(def, flag::ALIAS);
        }
        let mark = self.locals.open();
        let scope = self.lower.scope(place.scope, ScopeKind::Type, Some(def));
        let mut inside = place.from(def);
        if let Some(generics) = node.child_by_field_name("type_parameters") {
            inside = inside.scope(scope);
            self.type_parameters(generics, inside);
        }
        let bases = match written_out {
            true => self.members(written, inside, scope),
            false => vec![self.written_type(written, inside)],
        };
        self.lower.def(def).bases = self.lower.list(&bases);
        self.locals.close(mark);
    }

    pub fn variables(&mut self, node: Node<'t>, place: Place) {
        let names = names(node, "name");
        let ty = node.child_by_field_name("type");
        let ty = ty.map_or(UNTYPED, |written| self.written_type(written, place));
        let list = node.child_by_field_name("value");
        let written = list.map(parts).unwrap_or_default();
        let alone = written.len() == names.len();
        let mut values = vec![];
        for (index, &value) in written.iter().enumerate() {
            let name = names.get(index).filter(|_| alone);
            values.push(self.initial(name.copied(), value, place));
        }
        for (index, &name) in names.iter().enumerate() {
            let init = self.nth(index, names.len(), &written, &values);
            let bound = Bound::Var { ty, init };
            self.bind(name, place.scope, node.end_byte(), bound);
        }
    }

    /// The value that a name begins with; a function that the outline has under that name gets its head.
    fn initial(&mut self, name: Option<Node<'t>>, value: Node<'t>, place: Place) -> ExprId {
        let function = name.filter(|_| value.kind() == "func_literal");
        let def = function.and_then(|name| self.lower.def_named(name));
        match def.filter(|&def| self.lower.def(def).kind == Kind::Function) {
            Some(def) => self.literal_function(value, Some(def), place),
            None => self.value(value, place),
        }
    }

    /// Constants without a value have that of the specification before.
    pub fn constants(&mut self, node: Node<'t>, place: Place) {
        let (mut ty, mut written, mut values) = (UNTYPED, vec![], vec![]);
        for spec in parts(node) {
            let names = names(spec, "name");
            if let Some(list) = spec.child_by_field_name("value") {
                let given = spec.child_by_field_name("type");
                ty = given.map_or(UNTYPED, |given| self.written_type(given, place));
                written = parts(list);
                values = written
                    .iter()
                    .map(|&value| self.value(value, place))
                    .collect();
            }
            for (index, &name) in names.iter().enumerate() {
                let init = self.nth(index, names.len(), &written, &values);
                let bound = Bound::Var { ty, init };
                self.bind(name, place.scope, spec.end_byte(), bound);
            }
        }
    }
}
