//! Classes, interfaces, enums, namespaces and type aliases: their members and what they extend.

use tree_sitter::Node;

use super::function::{Expected, Role};
use super::walk::{At, This, Walk};
use crate::graph::facts::*;
use crate::model::Kind;

/// Who a function or class written as a value belongs to.
#[derive(Clone, Copy)]
pub enum Owner {
    Named(DefId),
    /// The same as a member: what `this` is in it, what it is expected to be.
    Member(DefId, This, Expected),
}

/// Where a member is written.
#[derive(Clone, Copy)]
pub struct Slot<'t> {
    pub key: Node<'t>,
    pub name: Sym,
    pub scope: ScopeId,
    /// What `this` is in it, if it is a function.
    pub this: This,
    pub expected: Expected,
}

impl<'t> Walk<'_, '_, 't> {
    /// A function or class that is a definition by where it is written.
    pub fn owned(&mut self, value: Node<'t>, owner: Owner, at: At) -> ExprId {
        let (def, this, expected) = match owner {
            Owner::Named(def) => (def, This::Unknown, Expected::Nothing),
            Owner::Member(def, this, expected) => (def, this, expected),
        };
        let role = Role::of(Some(def)).expected(expected);
        match value.kind() {
            "class" | "class_declaration" | "abstract_class_declaration" => {
                self.class(value, Some(def), at);
            }
            "arrow_function" => {
                self.function(value, role, at);
            }
            _ => {
                self.function(value, role, at.this(this));
            }
        }
        self.put(Expr::Def { def })
    }

    pub fn class_declaration(&mut self, node: Node<'t>, at: At) {
        let Some(name_node) = self.part(node, "name") else {
            self.class(node, None, at);
            return;
        };
        let name = self.lower.name(name_node);
        let def = self.lower.def_named(name_node);
        if let Some(def) = def {
            self.bind(at.place.scope, name, Bound::Def(def));
        }
        self.class(node, def, at);
    }

    pub fn class_value(&mut self, node: Node<'t>, at: At) -> ExprId {
        let name = self.part(node, "name");
        let def = name.and_then(|name| self.lower.def_named(name));
        self.class(node, def, at);
        def.map_or(UNKNOWN, |def| self.put(Expr::Def { def }))
    }

    pub fn class(&mut self, node: Node<'t>, def: Option<DefId>, at: At) {
        let scope = self.lower.scope(at.place.scope, ScopeKind::Type, def);
        let inside = at.scope(scope).from(def).this(This::Value(scope));
        for decorator in std::mem::take(&mut self.decorators) {
            self.decorated(decorator, def, inside);
        }
        self.type_parameters(node, inside);
        for part in self.parts(node) {
            match part.kind() {
                "class_heritage" => self.heritage(part, def, inside),
                "class_body" => self.class_body(part, def, scope, inside),
                "decorator" => self.decorated(part, def, inside),
                _ => {}
            }
        }
    }

    fn decorated(&mut self, decorator: Node<'t>, def: Option<DefId>, at: At) {
        self.each(decorator, at.from(def));
        if let Some(def) = def {
            self.lower.flag(def, flag::ENTRY);
        }
    }

    /// `extends A<T> implements B, C`; in plain JavaScript, an expression.
    fn heritage(&mut self, node: Node<'t>, def: Option<DefId>, at: At) {
        let mut bases = vec![];
        for part in self.parts(node) {
            match part.kind() {
                "extends_clause" => bases.extend(self.extended(part, at)),
                "implements_clause" => {
                    let parts = self.parts(part);
                    bases.extend(parts.into_iter().map(|part| self.ty(part, at)));
                }
                _ => bases.push(self.base(part, None, at)),
            }
        }
        self.set_bases(def, bases);
    }

    fn extended(&mut self, node: Node<'t>, at: At) -> Option<TypeId> {
        let value = self.part(node, "value")?;
        let arguments = self.part(node, "type_arguments");
        Some(self.base(value, arguments, at))
    }

    /// A base: a type if it is a name, else the type of what an expression makes.
    fn base(&mut self, value: Node<'t>, arguments: Option<Node<'t>>, at: At) -> TypeId {
        let is_name = matches!(value.kind(), "identifier" | "member_expression");
        if is_name && !self.lower.str(value).contains(['(', '[']) {
            return self.named_type(value, arguments, at);
        }
        let expr = self.read(value, at);
        self.lower.ty(Type::Of { expr })
    }

    fn set_bases(&mut self, def: Option<DefId>, bases: Vec<TypeId>) {
        let bases = self.lower.list(&bases);
        if let Some(def) = def {
            self.lower.def(def).bases = bases;
        }
    }

    fn class_body(&mut self, node: Node<'t>, class: Option<DefId>, scope: ScopeId, at: At) {
        for part in self.parts(node) {
            let of_class = class.map_or(This::Unknown, This::Class);
            match part.kind() {
                "decorator" => self.decorators.push(part),
                "method_definition" => {
                    self.method(part, scope, UNTYPED, at);
                }
                "field_definition" | "public_field_definition" => {
                    let this = match self.has_word(part, "static") {
                        true => of_class,
                        false => at.this,
                    };
                    self.field(part, scope, at.this(this));
                }
                "class_static_block" => self.each(part, at.this(of_class)),
                _ => self.signature(part, scope, at),
            }
        }
    }

    /// A method of a class or object; `at.this` is what `this` is in it, unless it is static.
    pub fn method(&mut self, node: Node<'t>, scope: ScopeId, expected: TypeId, at: At) {
        let Some(key) = self.part(node, "name") else {
            return self.each(node, at);
        };
        let name = self.key(key, at);
        let def = self.member_def(key);
        for decorator in self.take_decorators(node) {
            self.decorated(decorator, def, at);
        }
        let is_static = self.has_word(node, "static") || self.has_word(node, "static get");
        let setter = self.has_word(node, "set");
        let getter = self.has_word(node, "get") || self.has_word(node, "static get");
        let mut role = Role::of(def);
        if let Some(name) = name {
            role.expected = Expected::Member(expected, name);
        }
        let mut inside = at;
        if let Some(def) = def {
            let mut flags = 0;
            if is_static {
                flags |= flag::STATIC;
                let class = self.lower.facts.scope(scope).def;
                inside = at.this(class.map_or(This::Unknown, This::Class));
            }
            if setter || getter {
                flags |= flag::PROPERTY;
            }
            self.lower.flag(def, flags);
            if self.lower.facts.def(def).kind == Kind::Constructor {
                role.constructs = Some(scope);
            }
            if let Some(name) = name
                && !(setter && self.held(scope, name).is_some())
            {
                self.bind(scope, name, Bound::Def(def));
            }
        }
        self.function(node, role, inside);
    }

    fn take_decorators(&mut self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut decorators = std::mem::take(&mut self.decorators);
        let parts = self.parts(node).into_iter();
        decorators.extend(parts.filter(|part| part.kind() == "decorator"));
        decorators
    }

    /// The definition that a member is, by the key it is written under.
    pub fn member_def(&mut self, key: Node<'t>) -> Option<DefId> {
        let text = self.lower.str(key);
        let text = match key.kind() {
            "computed_property_name" => match text.get(1..text.len().saturating_sub(1)) {
                Some(inner) if super::express::unquoted(inner).len() < inner.len() => {
                    super::express::unquoted(inner)
                }
                _ => text,
            },
            _ => super::express::unquoted(text),
        };
        self.lower.def_called(text, key)
    }

    fn field(&mut self, node: Node<'t>, scope: ScopeId, at: At) {
        let key = self.part(node, "name").or(self.part(node, "property"));
        let Some(key) = key else {
            return self.each(node, at);
        };
        let def = self.member_def(key);
        for decorator in self.take_decorators(node) {
            self.decorated(decorator, def, at.from(def));
        }
        let name = self.key(key, at);
        let mut ty = self.annotation(node, at);
        if ty == UNTYPED {
            ty = self.documented_type(node.start_byte(), at);
        }
        let value = self.part(node, "value");
        match (name, value) {
            (Some(name), Some(value)) if ty == UNTYPED || self.is_written_function(value) => {
                let slot = Slot {
                    key,
                    name,
                    scope,
                    this: at.this,
                    expected: Expected::of(ty),
                };
                self.fill(slot, value, at);
            }
            (name, value) => {
                let expected = Expected::of(ty);
                let value = value.map_or(UNKNOWN, |value| self.read_as(value, expected, at));
                if let Some(name) = name {
                    self.bind_var(scope, name, ty, value);
                }
            }
        }
    }

    fn is_written_function(&mut self, value: Node<'t>) -> bool {
        let inner = self.behind(value);
        self.is_function_or_class(inner)
    }

    /// Binds a member to what is written behind its key.
    pub fn fill(&mut self, slot: Slot<'t>, value: Node<'t>, at: At) {
        let inner = self.behind(value);
        let def = self.member_def(slot.key);
        match def {
            Some(def) if self.is_function_or_class(inner) => {
                self.bind(slot.scope, slot.name, Bound::Def(def));
                let owner = Owner::Member(def, slot.this, slot.expected);
                self.owned(inner, owner, at);
            }
            _ => {
                let value = self.read_as(value, slot.expected, at);
                self.bind_var(slot.scope, slot.name, UNTYPED, value);
            }
        }
    }

    /// Members without bodies: of interfaces, object types, abstract classes.
    pub fn signature(&mut self, node: Node<'t>, scope: ScopeId, at: At) {
        match node.kind() {
            "method_signature" | "abstract_method_signature" => {
                self.method_signature(node, scope, at)
            }
            "property_signature" => {
                let key = self.part(node, "name");
                let name = key.and_then(|key| self.key(key, at));
                let ty = self.annotation(node, at);
                if let Some(name) = name {
                    self.bind_var(scope, name, ty, UNKNOWN);
                }
            }
            "call_signature" | "construct_signature" => {
                let name = match node.kind() {
                    "call_signature" => "()",
                    _ => "new",
                };
                let name = self.lower.sym(name);
                let ty = self.ty(node, at);
                self.bind_var(scope, name, ty, UNKNOWN);
            }
            "index_signature" => {
                self.index_signature(node, at);
            }
            _ => {
                self.read(node, at);
            }
        }
    }

    fn method_signature(&mut self, node: Node<'t>, scope: ScopeId, at: At) {
        let Some(key) = self.part(node, "name") else {
            return;
        };
        let name = self.key(key, at);
        let Some(def) = self.member_def(key) else {
            let ty = self.function_type(node, at);
            if let Some(name) = name {
                self.bind_var(scope, name, ty, UNKNOWN);
            }
            return;
        };
        let mut flags = flag::DECLARATION;
        if self.has_word(node, "static") {
            flags |= flag::STATIC;
        }
        if self.has_word(node, "get") || self.has_word(node, "set") {
            flags |= flag::PROPERTY;
        }
        self.lower.flag(def, flags);
        if let Some(name) = name {
            self.bind(scope, name, Bound::Def(def));
        }
        self.function(node, Role::of(Some(def)), at);
    }

    pub fn interface(&mut self, node: Node<'t>, at: At) {
        let name_node = self.part(node, "name");
        let def = name_node.and_then(|name| self.lower.def_named(name));
        let scope = self.lower.scope(at.place.scope, ScopeKind::Type, def);
        let inside = at.scope(scope).from(def).this(This::Value(scope));
        if let Some((name, def)) = name_node.zip(def) {
            let name = self.lower.name(name);
            self.bind(at.place.scope, name, Bound::Def(def));
        }
        self.type_parameters(node, inside);
        let mut bases = vec![];
        for part in self.parts(node) {
            let parts = match part.kind() {
                "extends_type_clause" | "interface_body" | "object_type" => self.parts(part),
                _ => continue,
            };
            for inner in parts {
                match part.kind() {
                    "extends_type_clause" => bases.push(self.ty(inner, inside)),
                    _ => self.signature(inner, scope, inside),
                }
            }
        }
        self.set_bases(def, bases);
    }

    pub fn enumeration(&mut self, node: Node<'t>, at: At) {
        let name_node = self.part(node, "name");
        let def = name_node.and_then(|name| self.lower.def_named(name));
        let scope = self.lower.scope(at.place.scope, ScopeKind::Type, def);
        let inside = at.scope(scope).from(def);
        if let Some((name, def)) = name_node.zip(def) {
            let name = self.lower.name(name);
            self.bind(at.place.scope, name, Bound::Def(def));
        }
        let Some(body) = self.part(node, "body") else {
            return;
        };
        for member in self.parts(body) {
            let key = self.part(member, "name").unwrap_or(member);
            if let Some(value) = self.part(member, "value") {
                self.read(value, inside);
            }
            let name = self.key(key, inside);
            if let Some((name, def)) = name.zip(self.member_def(key)) {
                self.lower.flag(def, flag::STATIC);
                self.bind(scope, name, Bound::Def(def));
            }
        }
    }

    pub fn type_alias(&mut self, node: Node<'t>, at: At) {
        let name_node = self.part(node, "name");
        let def = name_node.and_then(|name| self.lower.def_named(name));
        let scope = self.lower.scope(at.place.scope, ScopeKind::Type, def);
        let inside = at.scope(scope).from(def);
        if let Some((name, def)) = name_node.zip(def) {
            let name = self.lower.name(name);
            self.bind(at.place.scope, name, Bound::Def(def));
            self.lower.flag(def, flag::ALIAS);
        }
        self.type_parameters(node, inside);
        if let Some(value) = self.part(node, "value") {
            let ty = self.ty(value, inside);
            self.set_bases(def, vec![ty]);
        }
    }

    pub fn namespace(&mut self, node: Node<'t>, at: At) {
        let name_node = self.part(node, "name");
        let def = name_node.and_then(|name| self.member_def(name));
        let scope = self.lower.scope(at.place.scope, ScopeKind::Space, def);
        if let Some((name, def)) = name_node.zip(def) {
            let name = self.lower.name(name);
            self.bind(at.place.scope, name, Bound::Def(def));
        }
        if let Some(body) = self.part(node, "body") {
            self.each(body, at.scope(scope).from(def));
        }
    }
}
