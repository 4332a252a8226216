//! Declarations of C and C++: variables, fields, typedefs.

use tree_sitter::Node;

use super::declarators::{Declarator, declarator};
use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;
use crate::model::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// The definition that the outline has for a name: its spelling may differ in white space, and the name of a function
    /// that a macro heads goes on with the macro's arguments.
    pub fn def_of(&self, name: Node<'t>) -> Option<DefId> {
        let text = self.lower.str(name);
        if let Some(def) = self.lower.def_called(text, name) {
            return Some(def);
        }
        match name.kind() {
            "identifier" => self.lower.def_like(name, |known| {
                known
                    .strip_prefix(text)
                    .is_some_and(|rest| rest.starts_with('('))
            }),
            "operator_name" | "operator_cast" | "destructor_name" => {
                let head = |text: &str| text.split_whitespace().collect::<String>();
                let text = head(text);
                self.lower.def_like(name, |known| {
                    let known = head(known);
                    known.len() > 1 && text.starts_with(&known)
                })
            }
            _ => None,
        }
    }

    /// Where a name with these scopes in front of it is bound: in what it is a member of.
    pub fn home(&mut self, scopes: &[Node<'t>], place: Place) -> Place {
        let Some((&first, &last)) = scopes.first().zip(scopes.last()) else {
            return place;
        };
        let text = &self.lower.text[first.start_byte()..last.end_byte()];
        let text = std::str::from_utf8(text).unwrap_or("").to_string();
        let key = (place.scope, self.lower.sym(&text));
        if let Some(&scope) = self.outside.get(&key) {
            return place.scope(scope);
        }
        let mut path = vec![];
        for &part in scopes {
            let name = part.child_by_field_name("name").unwrap_or(part);
            path.push(self.lower.name(name));
        }
        let path = self.lower.list(&path);
        let args = List::default();
        let of = self.lower.ty(Type::Named {
            path,
            args,
            scope: place.scope,
        });
        let scope = self.lower.scope(place.scope, ScopeKind::Type, None);
        let by = None;
        self.lower
            .facts
            .extensions
            .push(Extension { of, by, scope });
        self.outside.insert(key, scope);
        place.scope(scope)
    }

    /// `T a = x, *b, f(int);`
    pub fn declaration(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        let mut declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .filter(|node| node.is_named())
            .map(declarator)
            .collect();
        let base = match node.child_by_field_name("type") {
            Some(ty) => {
                self.declared = declarators.first().map(|found| found.name);
                let base = self.written(ty, place);
                self.declared = None;
                base
            }
            None => UNTYPED,
        };
        // The first value of a field, and of what a condition declares, stands apart from its declarator.
        let value = node
            .child_by_field_name("default_value")
            .or_else(|| node.child_by_field_name("value"));
        if let Some(last) = declarators.last_mut() {
            last.value = last.value.or(value);
        }
        for found in &declarators {
            match self.def_of(found.name) {
                Some(def) => self.defined(node, found, def, base, place),
                None => self.local(node, found, base, place),
            }
        }
    }

    /// A declarator that the outline has an item for.
    fn defined(
        &mut self,
        node: Node<'t>,
        found: &Declarator<'t>,
        def: DefId,
        base: TypeId,
        place: Place,
    ) {
        let home = self.home(&found.scopes, place);
        let sym = self.bound_name(def);
        let inside = home.from(def);
        let lambda = found
            .value
            .filter(|value| value.kind() == "lambda_expression");
        if found.function.is_some() {
            self.lower.bind(home.scope, sym, 0, Bound::Def(def));
            let base = Some(base).filter(|_| self.template.is_empty());
            self.prototype(node, found, def, base, home);
        } else if let Some(lambda) = lambda {
            self.lower.bind(home.scope, sym, 0, Bound::Def(def));
            self.named_lambda(lambda, def, inside);
        } else {
            let ty = self.declared_type(base, found, inside);
            let init = self.initial(node, found, base, inside);
            self.storage(node, def, place);
            self.lower.bind(home.scope, sym, 0, Bound::Var { ty, init });
        }
    }

    /// What a definition is bound by. A constructor's name is that of its type and never means the constructor.
    pub fn bound_name(&mut self, def: DefId) -> Sym {
        match self.lower.facts.def(def).kind {
            Kind::Constructor => self.lower.sym("<init>"),
            _ => self.lower.facts.def(def).name,
        }
    }

    /// A declarator without an item: a local variable, or nothing that can be named.
    fn local(&mut self, node: Node<'t>, found: &Declarator<'t>, base: TypeId, place: Place) {
        if found.name.kind() == "structured_binding_declarator" {
            return self.parts(found, place);
        }
        let local = self.in_function(place) && found.scopes.is_empty();
        if let Some(function) = found.function {
            match local && self.is_constructed(function) {
                true => self.constructed(node, found, function, base, place),
                false => self.prototype_types(function, place),
            }
            return;
        }
        let ty = self.declared_type(base, found, place);
        let at = found.name.start_byte();
        let init = self.initial(node, found, base, place);
        if local && matches!(found.name.kind(), "identifier" | "type_identifier") {
            self.bind_local(found.name, place, at, Bound::Var { ty, init });
        }
    }

    /// `auto [a, b] = pair;`
    fn parts(&mut self, found: &Declarator<'t>, place: Place) {
        let of = found
            .value
            .map_or(UNKNOWN, |value| self.value(value, place));
        let at = found.name.start_byte();
        let mut cursor = found.name.walk();
        for (index, name) in found.name.named_children(&mut cursor).enumerate() {
            let peel = Peel::Part(index as u16);
            let init = self.lower.expr(Expr::Peel { of, peel });
            self.bind_local(name, place, at, Bound::Var { ty: UNTYPED, init });
        }
    }

    /// The first value of a variable. Arguments or a list behind its name make a value of its type, which is a call.
    fn initial(
        &mut self,
        node: Node<'t>,
        found: &Declarator<'t>,
        base: TypeId,
        place: Place,
    ) -> ExprId {
        let Some(value) = found.value else {
            return UNKNOWN;
        };
        let made = match value.kind() {
            "argument_list" => true,
            "initializer_list" => value.start_byte() == found.end,
            _ => false,
        };
        if !made {
            return self.value(value, place);
        }
        let args = self.arguments(value, place);
        self.make(base, args, node, place)
    }

    /// A value of a written type, made from arguments.
    pub fn make(&mut self, ty: TypeId, args: List, node: Node<'t>, place: Place) -> ExprId {
        if !matches!(self.lower.facts.ty(ty), Type::Named { .. }) {
            return UNKNOWN;
        }
        let of = self.lower.expr(Expr::Type { ty });
        let expr = self.lower.expr(Expr::New { of, args });
        self.lower.call(expr, node, place);
        expr
    }

    /// Whether what reads like the parameters of a local function are the arguments of a constructor: `Lock lock(mutex);`,
    /// `Random random(seed());`.
    fn is_constructed(&self, function: Node<'t>) -> bool {
        let list = function.child_by_field_name("parameters");
        let Some(list) = list.filter(|_| self.cpp) else {
            return false;
        };
        let mut cursor = list.walk();
        let value = |child: Node<'_>| {
            let inner = child.child_by_field_name("declarator");
            let called = inner.is_none_or(|inner| inner.kind() == "abstract_function_declarator");
            let named = child
                .child_by_field_name("type")
                .is_some_and(|ty| matches!(ty.kind(), "type_identifier" | "qualified_identifier"));
            child.kind() == "parameter_declaration"
                && named
                && called
                && child.named_child_count() == 1 + usize::from(inner.is_some())
        };
        list.named_child_count() > 0 && list.named_children(&mut cursor).all(value)
    }

    fn constructed(
        &mut self,
        node: Node<'t>,
        found: &Declarator<'t>,
        function: Node<'t>,
        base: TypeId,
        place: Place,
    ) {
        let args = self.values_read_as_parameters(function, place);
        let init = self.make(base, args, node, place);
        let at = found.name.start_byte();
        self.bind_local(found.name, place, at, Bound::Var { ty: base, init });
    }

    fn values_read_as_parameters(&mut self, function: Node<'t>, place: Place) -> List {
        let mut args = vec![];
        if let Some(list) = function.child_by_field_name("parameters") {
            let mut cursor = list.walk();
            for child in list.named_children(&mut cursor) {
                args.push(self.value_read_as_parameter(child, place));
            }
        }
        self.lower.list(&args)
    }

    fn value_read_as_parameter(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(name) = node.child_by_field_name("type") else {
            return UNKNOWN;
        };
        let Some(called) = node.child_by_field_name("declarator") else {
            return self.named(name, place, false);
        };
        let callee = self.named(name, place, true);
        if !self.lower.enter() {
            self.put_off(called, place);
            return UNKNOWN;
        }
        let args = self.values_read_as_parameters(called, place);
        self.lower.leave();
        let expr = self.lower.expr(Expr::Call { callee, args });
        self.lower.call(expr, node, place);
        expr
    }

    /// What the words in front of a definition say of who may see it.
    pub fn storage(&mut self, node: Node<'t>, def: DefId, place: Place) {
        let first = node.child_by_field_name("declarator");
        let end = first.map_or(node.end_byte(), |first| first.start_byte());
        let mut cursor = node.walk();
        let fixed = node
            .children(&mut cursor)
            .take_while(|child| child.start_byte() < end)
            .any(|child| {
                child.kind() == "storage_class_specifier" && self.lower.str(child) == "static"
            });
        if self.tests > 0 {
            self.lower.flag(def, flag::TEST);
        }
        if place.dead {
            self.lower.flag(def, flag::DEAD);
        }
        if fixed || self.nameless > 0 {
            let in_type = self.lower.facts.scope(place.scope).kind == ScopeKind::Type;
            match in_type {
                true if fixed => self.lower.flag(def, flag::STATIC),
                true => {}
                false => self.lower.flag(def, flag::PRIVATE),
            }
        }
    }

    /// `typedef struct s {...} *a, b;`
    pub fn typedef(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .map(declarator)
            .collect();
        let Some(ty) = node.child_by_field_name("type") else {
            return self.visit_all(node, place);
        };
        self.declared = declarators.first().map(|found| found.name);
        let base = self.written(ty, place);
        self.declared = None;
        for found in declarators {
            // `typedef int f(int);`: the name is that of a type, not of a function.
            let found = Declarator {
                function: None,
                ..found
            };
            let ty = self.declared_type(base, &found, place);
            self.stands_for(found.name, ty, place);
        }
    }

    /// `using A = B;`
    pub fn alias(&mut self, node: Node<'t>, place: Place) {
        let ty = node.child_by_field_name("type");
        let ty = ty.map_or(UNTYPED, |ty| self.written(ty, place));
        if let Some(name) = node.child_by_field_name("name") {
            self.stands_for(name, ty, place);
        }
    }

    /// Binds a name of a type. One that is also the tag of that type says nothing.
    fn stands_for(&mut self, name: Node<'t>, ty: TypeId, place: Place) {
        let sym = self.lower.name(name);
        let def = self.def_of(name);
        if let Some(def) = def {
            if let Type::Members { scope } = self.lower.facts.ty(ty) {
                self.lower.def(def).scope.get_or_insert(scope);
            } else if ty != UNTYPED {
                self.lower.flag(def, flag::ALIAS);
                self.lower.def(def).bases = self.lower.list(&[ty]);
            }
        }
        if let Type::Named { path, .. } = self.lower.facts.ty(ty)
            && self.lower.facts.list(path) == [sym]
        {
            return;
        }
        match def {
            Some(def) => self.lower.bind(place.scope, sym, 0, Bound::Def(def)),
            None if self.in_function(place) => {
                let of = self.lower.expr(Expr::Type { ty });
                let at = name.start_byte();
                let bound = Bound::Var {
                    ty: UNTYPED,
                    init: of,
                };
                self.bind_local(name, place, at, bound);
            }
            None => {}
        }
    }
}
