//! Items: functions, types, traits, blocks of members, modules, constants.

use tree_sitter::Node;

use super::attributes::Attributes;
use super::walk::{FIELDS, Walk, child, children, field};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// Reads an item; false of what is none.
    pub fn item(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) -> bool {
        match node.kind() {
            "function_item" | "function_signature_item" => self.function(node, place, attributes),
            "struct_item" | "union_item" => self.structure(node, place, attributes),
            "enum_item" => self.enumeration(node, place, attributes),
            "trait_item" => self.definition_of_trait(node, place, attributes),
            "impl_item" => self.implementation(node, place, attributes),
            "type_item" | "associated_type" => self.alias(node, place, attributes),
            "const_item" | "static_item" => self.constant(node, place, attributes),
            "mod_item" => self.module(node, place, attributes),
            "use_declaration" => self.import(node, place, attributes.spare),
            "extern_crate_declaration" => self.external(node, place),
            "foreign_mod_item" | "declaration_list" | "source_file" => {
                let list = field(node, FIELDS.body).unwrap_or(node);
                self.sequence(list, place);
            }
            "macro_definition" => self.macro_definition(node, place, attributes),
            "attribute_item" | "inner_attribute_item" | "empty_statement" => {}
            _ => return false,
        }
        true
    }

    /// The definition that a node's name stands for, bound in a scope, with what its attributes say.
    pub fn defined(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        attributes: &Attributes,
    ) -> Option<DefId> {
        let name = field(node, FIELDS.name)?;
        let def = self.lower.def_named(name)?;
        let name = self.lower.name(name);
        self.bind_item(scope, name, Bound::Def(def), attributes.spare);
        self.flags(def, attributes);
        Some(def)
    }

    pub fn flags(&mut self, def: DefId, attributes: &Attributes) {
        let flags = [
            (self.testing || attributes.test, flag::TEST),
            (attributes.dead, flag::DEAD),
            (attributes.entry, flag::ENTRY),
        ];
        for (_, flag) in flags.iter().filter(|(holds, _)| *holds) {
            self.lower.flag(def, *flag);
        }
    }

    fn function(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Function, def);
        let inner = Place {
            scope,
            from: def.or(place.from),
            ..place
        };
        let locals = std::mem::take(&mut self.locals);
        self.generics(node, scope, inner);
        let head = self.head(node, inner);
        if let Some(def) = def {
            self.function_flags(node, place, def, head.takes_self);
            let async_ = child(node, "function_modifiers")
                .is_some_and(|node| child(node, "async").is_some());
            let defined = self.lower.def(def);
            (defined.params, defined.returns) = (head.params, Some(head.returns));
            defined.flags |= if async_ { flag::ASYNC } else { 0 };
        }
        if let Some(body) = field(node, FIELDS.body) {
            self.block(body, inner);
        }
        self.locals = locals;
    }

    fn function_flags(&mut self, node: Node<'t>, place: Place, def: DefId, takes_self: bool) {
        let scope = self.lower.facts.scope(place.scope);
        let name = field(node, FIELDS.name).map_or("", |name| self.lower.str(name));
        if scope.kind == ScopeKind::Type && !takes_self {
            self.lower.flag(def, flag::STATIC);
        }
        if place.scope == FILE && name == "main" {
            self.lower.flag(def, flag::ENTRY);
        }
        if scope.kind == ScopeKind::Type && scope.def.is_none() {
            let mut extensions = self.lower.facts.extensions.iter().rev();
            let here = extensions.find(|extension| extension.scope == place.scope);
            if here.is_some_and(|here| here.by.is_some()) {
                self.lower.flag(def, flag::OVERRIDE);
            }
        }
    }

    /// What is derived is implemented.
    fn derive(&mut self, def: Option<DefId>, place: Place, attributes: &Attributes) {
        let Some(def) = def else { return };
        let derived = attributes.derived.iter();
        let bases: Vec<TypeId> = derived
            .map(|name| self.lower.named(name, place.scope))
            .collect();
        self.lower.def(def).bases = self.lower.list(&bases);
    }

    fn structure(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let inner = Place {
            scope,
            from: def.or(place.from),
            ..place
        };
        self.derive(def, place, attributes);
        self.generics(node, scope, inner);
        if let Some(body) = field(node, FIELDS.body) {
            self.fields(body, inner);
        }
    }

    /// Fields with a name or a number, bound in the scope with a dot in front: a method may bear the name of a field. Their
    /// types.
    fn fields(&mut self, body: Node<'t>, place: Place) -> Vec<TypeId> {
        let mut types = vec![];
        let numbered = body.kind() == "ordered_field_declaration_list";
        for node in children(body) {
            let (name, ty) = match node.kind() {
                "field_declaration" => {
                    let Some(name) = field(node, FIELDS.name) else {
                        continue;
                    };
                    if let Some(def) = self.lower.def_named(name) {
                        self.flags(def, &Attributes::default());
                    }
                    (self.field_name(name), field(node, FIELDS.r#type))
                }
                "attribute_item" => {
                    self.attribute(node, place, &mut Attributes::default());
                    continue;
                }
                "visibility_modifier" => continue,
                _ if numbered => (self.lower.sym(&types.len().to_string()), Some(node)),
                _ => continue,
            };
            let ty = ty.map_or(UNTYPED, |ty| self.ty(ty, place));
            types.push(ty);
            self.lower
                .bind(place.scope, name, 0, Bound::Var { ty, init: UNKNOWN });
        }
        types
    }

    /// What a field is bound as.
    pub fn field_name(&mut self, name: Node<'t>) -> Sym {
        let text = self.lower.str(name);
        match text.starts_with(|first: char| first.is_ascii_digit()) {
            true => self.lower.sym(text),
            false => self.lower.sym(&format!(".{text}")),
        }
    }

    fn enumeration(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let inner = Place {
            scope,
            from: def.or(place.from),
            ..place
        };
        self.derive(def, place, attributes);
        self.generics(node, scope, inner);
        let body = field(node, FIELDS.body);
        for variant in body.into_iter().flat_map(children) {
            match variant.kind() {
                "enum_variant" => self.variant(variant, inner),
                "attribute_item" => self.attribute(variant, inner, &mut Attributes::default()),
                _ => {}
            }
        }
    }

    fn variant(&mut self, node: Node<'t>, place: Place) {
        let def = self.defined(node, place.scope, &Attributes::default());
        if let Some(body) = field(node, FIELDS.body) {
            let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
            let types = self.fields(body, place.scope(scope));
            let returns = self.lower.ty(Type::This { scope: place.scope });
            if let Some(def) = def.filter(|_| body.kind() == "ordered_field_declaration_list") {
                let name = self.lower.sym("");
                let param = |ty| Param {
                    name,
                    ty,
                    optional: false,
                };
                let defined = self.lower.def(def);
                defined.params = types.into_iter().map(param).collect();
                defined.returns = Some(returns);
            }
        }
        self.maybe(field(node, FIELDS.value), place);
    }

    fn definition_of_trait(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let inner = Place {
            scope,
            from: def.or(place.from),
            ..place
        };
        let of_self = self.generics(node, scope, inner);
        let mut bases =
            field(node, FIELDS.bounds).map_or(vec![], |bounds| self.bounds(bounds, inner));
        bases.extend(of_self);
        if let Some(def) = def {
            self.lower.def(def).bases = self.lower.list(&bases);
        }
        if let Some(body) = field(node, FIELDS.body) {
            self.sequence(body, inner);
        }
    }

    fn implementation(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let scope = self.lower.scope(place.scope, ScopeKind::Type, None);
        let inner = place.scope(scope);
        self.generics(node, scope, inner);
        let of = field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, inner));
        let by = field(node, FIELDS.r#trait).map(|ty| self.ty(ty, inner));
        let by = by.map(|by| self.with_output(by, node, inner));
        let extension = Extension { of, by, scope };
        self.lower.facts.extensions.push(extension);
        if attributes.spare {
            self.unbuilt.blocks.push(scope);
        }
        if let Some(body) = field(node, FIELDS.body) {
            self.sequence(body, inner);
        }
    }

    /// A trait with the type that its block says it gives (`Item`, `Target`) as its argument, as where it is a bound.
    fn with_output(&mut self, by: TypeId, node: Node<'t>, place: Place) -> TypeId {
        let Type::Named { path, args, scope } = self.lower.facts.ty(by) else {
            return by;
        };
        if args.len > 0 {
            return by;
        }
        let body = field(node, FIELDS.body);
        let given = body.and_then(|body| child(body, "type_item"));
        let Some(given) = given.and_then(|given| field(given, FIELDS.r#type)) else {
            return by;
        };
        let given = self.ty(given, place);
        let args = self.lower.list(&[given]);
        self.lower.ty(Type::Named { path, args, scope })
    }

    fn alias(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let inner = Place {
            scope,
            from: def.or(place.from),
            ..place
        };
        self.generics(node, scope, inner);
        let of = field(node, FIELDS.r#type).map(|ty| self.ty(ty, inner));
        let bounds = field(node, FIELDS.bounds).map(|bounds| self.bounds(bounds, inner));
        let Some(def) = def else { return };
        if of.is_some() {
            self.lower.flag(def, flag::ALIAS);
        }
        let bases = of.into_iter().chain(bounds.unwrap_or_default());
        let bases: Vec<TypeId> = bases.collect();
        self.lower.def(def).bases = self.lower.list(&bases);
    }

    fn constant(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let Some(name) = field(node, FIELDS.name) else {
            return;
        };
        let def = self.lower.def_named(name);
        let inner = Place {
            from: def.or(place.from),
            ..place
        };
        if let Some(def) = def {
            self.flags(def, attributes);
        }
        let ty = field(node, FIELDS.r#type).map_or(UNTYPED, |ty| self.ty(ty, inner));
        let locals = std::mem::take(&mut self.locals);
        let init = self.maybe(field(node, FIELDS.value), inner);
        self.locals = locals;
        let name = self.lower.name(name);
        self.bind_item(place.scope, name, Bound::Var { ty, init }, attributes.spare);
    }

    fn module(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let Some(body) = field(node, FIELDS.body) else {
            return self.module_file(node, place, attributes);
        };
        let def = self.defined(node, place.scope, attributes);
        let scope = self.lower.scope(place.scope, ScopeKind::Space, def);
        let locals = std::mem::take(&mut self.locals);
        self.sequence(body, place.scope(scope));
        self.locals = locals;
    }
}
