//! Types of C and C++ as they are written, and the bodies of those that are defined.

use tree_sitter::Node;

use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;
use crate::model::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// A type as written; one with a body is defined thereby.
    pub fn written(&mut self, node: Node<'t>, place: Place) -> TypeId {
        match node.kind() {
            "type_identifier" | "namespace_identifier" | "identifier" => {
                let sym = self.lower.name(node);
                self.plain(sym, node, place)
            }
            "primitive_type" | "sized_type_specifier" => self.basic(node),
            "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" => {
                self.specifier(node, place)
            }
            "template_type" | "template_function" | "template_method" | "qualified_identifier" => {
                self.path(node, place, true)
            }
            "dependent_type" => match node.named_child(0) {
                Some(inner) => self.written(inner, place),
                None => UNTYPED,
            },
            "type_descriptor" => {
                let Some(inner) = node.child_by_field_name("type") else {
                    return UNTYPED;
                };
                let base = self.written(inner, place);
                self.with_declarator(base, node, place)
            }
            "decltype" => self.type_of(node, place),
            "placeholder_type_specifier" => UNTYPED,
            _ => {
                self.visit_all(node, place);
                UNTYPED
            }
        }
    }

    /// A type that is one plain name.
    fn plain(&mut self, sym: Sym, node: Node<'t>, place: Place) -> TypeId {
        let key = (place.scope, sym);
        let ty = match self.named.get(&key) {
            Some(&ty) => ty,
            None => {
                let path = self.lower.list(&[sym]);
                let args = List::default();
                let scope = place.scope;
                self.lower.ty(Type::Named { path, args, scope })
            }
        };
        self.named.insert(key, ty);
        self.note(Used::Type(ty), sym, node, place);
        ty
    }

    fn basic(&mut self, node: Node<'t>) -> TypeId {
        let text = self.lower.str(node);
        let literal = match text {
            "void" => Literal::Null,
            "bool" | "_Bool" => Literal::Bool,
            "char" => Literal::Char,
            "float" => Literal::Float,
            "double" => Literal::Double,
            _ if text.contains("long") || text.contains("64") => Literal::Long,
            _ => Literal::Int,
        };
        self.lower.ty(Type::Basic { literal })
    }

    /// `a::b<int>::c<T>`: the arguments of the last name alone are kept.
    pub fn path(&mut self, node: Node<'t>, place: Place, noted: bool) -> TypeId {
        let (mut names, mut arguments) = (vec![], vec![]);
        let mut scope = place.scope;
        let mut part = Some(node);
        while let Some(node) = part {
            part = None;
            match node.kind() {
                "qualified_identifier" => {
                    match node.child_by_field_name("scope") {
                        Some(first) => self.path_part(first, place, &mut names, &mut arguments),
                        None => scope = FILE,
                    }
                    part = node.child_by_field_name("name");
                }
                "dependent_type" | "dependent_name" => part = node.named_child(0),
                _ => self.path_part(node, place, &mut names, &mut arguments),
            }
        }
        let first = names.first().copied();
        let path = self.lower.list(&names);
        let args = self.lower.list(&arguments);
        let ty = self.lower.ty(Type::Named { path, args, scope });
        match first.filter(|_| names.len() == 1) {
            _ if !noted => {}
            Some(sym) => self.note(Used::Type(ty), sym, node, place),
            None => self.lower.used(Used::Type(ty), node, place),
        }
        ty
    }

    fn path_part(
        &mut self,
        node: Node<'t>,
        place: Place,
        names: &mut Vec<Sym>,
        arguments: &mut Vec<TypeId>,
    ) {
        arguments.clear();
        let Some(list) = node.child_by_field_name("arguments") else {
            return names.push(self.lower.name(node));
        };
        if let Some(name) = node.child_by_field_name("name") {
            names.push(self.lower.name(name));
        }
        if self.lower.enter() {
            self.type_arguments(list, place, arguments);
            self.lower.leave();
        } else {
            self.put_off(list, place);
        }
    }

    /// The arguments of a template; values among them have no type.
    pub fn type_arguments(&mut self, list: Node<'t>, place: Place, out: &mut Vec<TypeId>) {
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor) {
            let ty = match argument.kind() {
                "comment" => continue,
                "type_descriptor" => self.written(argument, place),
                _ => {
                    self.value(argument, place);
                    UNTYPED
                }
            };
            out.push(ty);
        }
    }

    /// `decltype(x)`, if its text was left as it stands.
    fn type_of(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let range = node.byte_range();
        if self.lower.source.text().get(range.clone()) != self.lower.text.get(range) {
            return UNTYPED;
        }
        let Some(inner) = node.named_child(0).filter(|inner| inner.kind() != "auto") else {
            return UNTYPED;
        };
        let expr = self.value(inner, place);
        self.lower.ty(Type::Of { expr })
    }

    /// `struct S`, `enum { A, B }`.
    fn specifier(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let name = node.child_by_field_name("name");
        let Some(body) = node.child_by_field_name("body") else {
            return name.map_or(UNTYPED, |name| self.written(name, place));
        };
        match name {
            Some(name) => {
                let found = super::declarators::declarator(name);
                let named = plain_name(found.name);
                let def = self.def_of(named);
                let home = self.home(&found.scopes, place);
                if let Some(def) = def {
                    let sym = self.lower.name(named);
                    self.lower.bind(home.scope, sym, 0, Bound::Def(def));
                    if self.in_function(home) {
                        self.hide(sym);
                    }
                }
                self.members(node, body, def, home);
                self.named_here(named, home)
            }
            None => self.nameless(node, body, place),
        }
    }

    fn named_here(&mut self, name: Node<'t>, place: Place) -> TypeId {
        let sym = self.lower.name(name);
        let path = self.lower.list(&[sym]);
        let args = List::default();
        let scope = place.scope;
        self.lower.ty(Type::Named { path, args, scope })
    }

    /// A type without a tag: what it is called by is a typedef's name, or it is the type of a variable; the members of one
    /// without either belong to the type around.
    fn nameless(&mut self, node: Node<'t>, body: Node<'t>, place: Place) -> TypeId {
        let declared = self.declared.take();
        let def = declared.and_then(|name| self.def_of(name));
        let def = def.filter(|&def| self.lower.def(def).kind == Kind::Type);
        if node.kind() == "enum_specifier" {
            self.enumerators(node, body, def, place);
            return UNTYPED;
        }
        if declared.is_none() {
            self.visit_all(body, place);
            return UNTYPED;
        }
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        self.visit_all(body, place.scope(scope));
        self.lower.ty(Type::Members { scope })
    }

    /// What stands between the braces of a type.
    fn members(&mut self, node: Node<'t>, body: Node<'t>, def: Option<DefId>, place: Place) {
        if node.kind() == "enum_specifier" {
            return self.enumerators(node, body, def, place);
        }
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let inside = Place {
            from: def.or(place.from),
            ..place.scope(scope)
        };
        for parameters in std::mem::take(&mut self.template) {
            self.template_parameters(parameters, inside);
        }
        let mut cursor = node.walk();
        let clause = node
            .named_children(&mut cursor)
            .find(|child| child.kind() == "base_class_clause");
        if let (Some(clause), Some(def)) = (clause, def) {
            self.bases(clause, def, inside);
        }
        self.visit_all(body, inside);
    }

    fn bases(&mut self, clause: Node<'t>, def: DefId, inside: Place) {
        let mut types = vec![];
        let mut cursor = clause.walk();
        for base in clause.named_children(&mut cursor) {
            if !matches!(
                base.kind(),
                "access_specifier" | "attribute_declaration" | "comment"
            ) {
                types.push(self.written(base, inside));
            }
        }
        let bases = self.lower.list(&types);
        self.lower.def(def).bases = bases;
    }

    /// The names in an `enum`: seen around it, and, if it has a name, in it.
    fn enumerators(&mut self, node: Node<'t>, body: Node<'t>, def: Option<DefId>, place: Place) {
        let own = def.map(|def| self.lower.scope(place.scope, ScopeKind::Type, Some(def)));
        let mut cursor = node.walk();
        let scoped = node
            .children(&mut cursor)
            .any(|child| matches!(child.kind(), "class" | "struct"));
        let around = Some(place.scope).filter(|_| !scoped || own.is_none());
        let mut cursor = body.walk();
        for node in body.named_children(&mut cursor) {
            match node.kind() {
                "enumerator" => self.enumerator(node, [own, around], place),
                _ => self.visit(node, place),
            }
        }
    }

    fn enumerator(&mut self, node: Node<'t>, scopes: [Option<ScopeId>; 2], place: Place) {
        let Some(name) = node.child_by_field_name("name") else {
            return;
        };
        let sym = self.lower.name(name);
        let def = self.lower.def_named(name);
        let unknown = Bound::Var {
            ty: UNTYPED,
            init: UNKNOWN,
        };
        for scope in scopes.into_iter().flatten() {
            let bound = def.map_or(unknown, Bound::Def);
            self.lower.bind(scope, sym, 0, bound);
        }
        if let Some(value) = node.child_by_field_name("value") {
            self.value(value, def.map_or(place, |def| place.from(def)));
        }
    }
}

/// `A` of `A<int>`, the name of a specialisation.
fn plain_name(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "template_type" => node.child_by_field_name("name").unwrap_or(node),
        _ => node,
    }
}
