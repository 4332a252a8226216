//! Functions of C and C++: their parameters, results and bodies.

use tree_sitter::Node;

use super::declarators::{Declarator, declarator};
use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub fn function_definition(&mut self, node: Node<'t>, place: Place) {
        let Some(outer) = node.child_by_field_name("declarator") else {
            return self.visit_all(node, place);
        };
        let found = declarator(outer);
        let Some(def) = self.def_of(found.name) else {
            return self.macro_block(node, &found, place);
        };
        let home = match self.fixture(&found, def) {
            Some(fixture) => self.home(&[fixture], place),
            None => self.home(&found.scopes, place),
        };
        let sym = self.bound_name(def);
        self.lower.bind(home.scope, sym, 0, Bound::Def(def));
        let mark = self.open();
        let inside = self.prototype(node, &found, def, None, home);
        self.returned.push(vec![]);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "field_initializer_list" => self.initializers(child, inside),
                "compound_statement" | "try_statement" => self.visit_all(child, inside),
                _ => {}
            }
        }
        let returned = self.returned.pop().unwrap_or_default();
        if self.lower.def(def).returns.is_none() {
            self.lower.def(def).returned = self.lower.list(&returned);
        }
        self.close(mark);
    }

    /// `TEST_F(Fixture, name) { ... }`: a macro makes it a member of what its first argument names, if that is a class.
    fn fixture(&mut self, found: &Declarator<'t>, def: DefId) -> Option<Node<'t>> {
        let name = self.lower.facts.def(def).name;
        let text = self.lower.facts.name(name);
        let (head, _) = text.split_once('(')?;
        if head.split('_').any(|part| matches!(part, "TEST" | "TESTS")) {
            self.lower.flag(def, flag::TEST | flag::ENTRY);
        }
        let list = found.function?.child_by_field_name("parameters")?;
        let first = list.named_child(0)?.child_by_field_name("type")?;
        (first.kind() == "type_identifier").then_some(first)
    }

    /// What looks like a function inside of one: a macro and its block.
    fn macro_block(&mut self, node: Node<'t>, found: &Declarator<'t>, place: Place) {
        if found.name.kind() == "identifier" && found.scopes.is_empty() {
            let callee = self.named(found.name, place, true);
            let args = List::default();
            let expr = self.lower.expr(Expr::Call { callee, args });
            self.lower.call(expr, node, place);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.visit(body, place);
        }
    }

    /// The head of a function: its parameters, result and flags. Gives the place its body stands in.
    pub fn prototype(
        &mut self,
        node: Node<'t>,
        found: &Declarator<'t>,
        def: DefId,
        base: Option<TypeId>,
        home: Place,
    ) -> Place {
        let scope = self.lower.scope(home.scope, ScopeKind::Function, Some(def));
        let inside = Place {
            scope,
            from: Some(def),
            ..home
        };
        for parameters in std::mem::take(&mut self.template) {
            self.template_parameters(parameters, inside);
        }
        self.storage(node, def, home);
        // A result may be one of the template's parameters: it is read where these are seen.
        let base = base.unwrap_or_else(|| {
            let ty = node.child_by_field_name("type");
            ty.map_or(UNTYPED, |ty| self.written(ty, inside))
        });
        let mut returns = self.declared_type(base, found, inside);
        if let Some(function) = found.function {
            let params = self.parameters(function, inside);
            self.lower.def(def).params = params;
            if is_variadic(function) {
                self.lower.flag(def, flag::VARIADIC);
            }
            if let Some(trailing) = child_of_kind(function, "trailing_return_type")
                && let Some(ty) = trailing.named_child(0)
            {
                returns = self.written(ty, inside);
            }
            if child_of_kind(function, "virtual_specifier")
                .is_some_and(|word| self.lower.str(word) == "override")
            {
                self.lower.flag(def, flag::OVERRIDE);
            }
        }
        if returns != UNTYPED {
            self.lower.def(def).returns = Some(returns);
        }
        inside
    }

    /// The types in the head of a function that nothing can be said of.
    pub fn prototype_types(&mut self, function: Node<'t>, place: Place) {
        let Some(list) = function.child_by_field_name("parameters") else {
            return;
        };
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            for field in ["type", "default_value"] {
                if let Some(node) = parameter.child_by_field_name(field) {
                    self.visit(node, place);
                }
            }
        }
    }

    /// Binds the parameters in their function's scope.
    pub fn parameters(&mut self, function: Node<'t>, inside: Place) -> Vec<Param> {
        let Some(list) = function.child_by_field_name("parameters") else {
            return vec![];
        };
        let mut params = vec![];
        let mut cursor = list.walk();
        for node in list.named_children(&mut cursor) {
            if matches!(
                node.kind(),
                "parameter_declaration"
                    | "optional_parameter_declaration"
                    | "variadic_parameter_declaration"
            ) {
                params.extend(self.parameter(node, inside));
            }
        }
        params
    }

    /// One parameter; none for the `void` of an empty list.
    fn parameter(&mut self, node: Node<'t>, inside: Place) -> Option<Param> {
        let base = node.child_by_field_name("type");
        let base = base.map_or(UNTYPED, |ty| self.written(ty, inside));
        let outer = node.child_by_field_name("declarator");
        let nothing = Type::Basic {
            literal: Literal::Null,
        };
        if outer.is_none() && self.lower.facts.ty(base) == nothing {
            return None;
        }
        let ty = self.with_declarator(base, node, inside);
        let default = node.child_by_field_name("default_value");
        if let Some(default) = default {
            self.value(default, inside);
        }
        let name = outer.map(|outer| declarator(outer).name);
        let name = name.filter(|name| name.kind() == "identifier");
        let init = UNKNOWN;
        if let Some(name) = name {
            self.bind_local(name, inside, 0, Bound::Var { ty, init });
        }
        Some(Param {
            name: match name {
                Some(name) => self.lower.name(name),
                None => self.lower.sym(""),
            },
            ty,
            optional: default.is_some() || node.kind() == "variadic_parameter_declaration",
        })
    }

    /// `: Base(x), field_(y)`: a base among them is made by a constructor.
    fn initializers(&mut self, list: Node<'t>, inside: Place) {
        let mut cursor = list.walk();
        for node in list.named_children(&mut cursor) {
            if node.kind() != "field_initializer" {
                self.visit(node, inside);
                continue;
            }
            let (mut name, mut args) = (None, List::default());
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match child.kind() {
                    "argument_list" | "initializer_list" => args = self.arguments(child, inside),
                    "comment" => {}
                    _ => name = name.or(Some(child)),
                }
            }
            let Some(name) = name else { continue };
            let of = match name.kind() {
                "field_identifier" => self.named(name, inside, true),
                _ => {
                    let ty = self.written(name, inside);
                    self.lower.expr(Expr::Type { ty })
                }
            };
            let expr = self.lower.expr(Expr::New { of, args });
            self.lower.call(expr, node, inside);
        }
    }

    /// `auto f = [](int x) { ... };` where the outline has an item for it.
    pub fn named_lambda(&mut self, lambda: Node<'t>, def: DefId, place: Place) {
        let scope = self
            .lower
            .scope(place.scope, ScopeKind::Function, Some(def));
        let returned = self.lambda_body(lambda, place.scope(scope), Some(def));
        if self.lower.def(def).returns.is_none() {
            self.lower.def(def).returned = returned;
        }
    }

    /// What stands in a lambda, whose scope is that of the place. Gives what it returns.
    pub fn lambda_body(&mut self, node: Node<'t>, place: Place, def: Option<DefId>) -> List {
        let mark = self.open();
        self.returned.push(vec![]);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "abstract_function_declarator" => {
                    let params = self.parameters(child, place);
                    let trailing = child_of_kind(child, "trailing_return_type");
                    let written = trailing.and_then(|trailing| trailing.named_child(0));
                    let returns = written.map(|ty| self.written(ty, place));
                    if let Some(returns) = returns {
                        let value = self.lower.expr(Expr::Typed { ty: returns });
                        self.returned
                            .last_mut()
                            .into_iter()
                            .for_each(|all| all.push(value));
                    }
                    if let Some(def) = def {
                        self.lower.def(def).params = params;
                        self.lower.def(def).returns = returns;
                    }
                }
                "compound_statement" => self.visit_all(child, place),
                "template_parameter_list" => self.template_parameters(child, place),
                _ => self.visit(child, place),
            }
        }
        let returned = self.returned.pop().unwrap_or_default();
        self.close(mark);
        self.lower.list(&returned)
    }

    /// `for (T x : values)`
    pub fn range_loop(&mut self, node: Node<'t>, place: Place) {
        self.in_block(place, |walk, place| {
            let base = node.child_by_field_name("type");
            let base = base.map_or(UNTYPED, |ty| walk.written(ty, place));
            let right = node.child_by_field_name("right");
            let of = right.map_or(UNKNOWN, |right| walk.value(right, place));
            let peel = Peel::Element;
            let init = walk.lower.expr(Expr::Peel { of, peel });
            if let Some(outer) = node.child_by_field_name("declarator") {
                walk.element(declarator(outer), base, init, place);
            }
            if let Some(body) = node.child_by_field_name("body") {
                walk.visit(body, place);
            }
        });
    }

    fn element(&mut self, found: Declarator<'t>, base: TypeId, init: ExprId, place: Place) {
        if found.name.kind() != "structured_binding_declarator" {
            let ty = self.declared_type(base, &found, place);
            return self.bind_local(found.name, place, 0, Bound::Var { ty, init });
        }
        let mut cursor = found.name.walk();
        for (index, name) in found.name.named_children(&mut cursor).enumerate() {
            let peel = Peel::Part(index as u16);
            let init = self.lower.expr(Expr::Peel { of: init, peel });
            self.bind_local(name, place, 0, Bound::Var { ty: UNTYPED, init });
        }
    }

    /// `catch (const Error& error) { ... }`
    pub fn catch(&mut self, node: Node<'t>, place: Place) {
        self.parameters(node, place);
        if let Some(body) = node.child_by_field_name("body") {
            self.visit(body, place);
        }
    }
}

fn is_variadic(function: Node<'_>) -> bool {
    let Some(list) = function.child_by_field_name("parameters") else {
        return false;
    };
    let mut cursor = list.walk();
    let dots = |child: Node<'_>| {
        matches!(
            child.kind(),
            "variadic_parameter" | "..." | "variadic_parameter_declaration"
        )
    };
    list.children(&mut cursor).any(dots)
}

pub fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| child.kind() == kind)
}
