//! Functions of every spelling: their parameters, what they return, what is inside of them.

use tree_sitter::Node;

use super::express::is_function;
use super::jsdoc::Documented;
use super::walk::{At, This, Walk};
use crate::graph::facts::*;

/// What was made of a function.
pub struct Made {
    pub scope: ScopeId,
    pub returned: List,
    /// Parameters whose values a call would give: see [`Expr::Given`].
    pub given: Vec<ExprId>,
}

/// What parameters add to what is around them.
#[derive(Default)]
struct Parameters {
    all: Vec<Param>,
    given: Vec<ExprId>,
    this: Option<TypeId>,
    /// The type that is expected of the function.
    expected: TypeId,
    variadic: bool,
}

/// What a function is to the place it stands in.
#[derive(Clone, Copy, Default)]
pub struct Role {
    pub def: Option<DefId>,
    /// The call that it is an argument of gives its parameters their values.
    pub callback: bool,
    /// It is the constructor of the class with these members.
    pub constructs: Option<ScopeId>,
    /// What it is expected to be.
    pub expected: Expected,
}

/// What the place where a value is written says of its type.
#[derive(Clone, Copy, Default)]
pub enum Expected {
    #[default]
    Nothing,
    Type(TypeId),
    /// What a callee takes as its argument at a position.
    Argument(ExprId, u16),
    /// A member of what is expected of the object around it.
    Member(TypeId, Sym),
}

impl Expected {
    pub fn of(ty: TypeId) -> Expected {
        match ty {
            UNTYPED => Expected::Nothing,
            ty => Expected::Type(ty),
        }
    }
}

impl Role {
    pub fn of(def: Option<DefId>) -> Role {
        Role {
            def,
            ..Role::default()
        }
    }

    pub fn expected(self, expected: Expected) -> Role {
        Role { expected, ..self }
    }
}

impl<'a, 't> Walk<'_, 'a, 't> {
    pub fn function_declaration(&mut self, node: Node<'t>, at: At) {
        let Some(name_node) = self.part(node, "name") else {
            return self.each(node, at);
        };
        let name = self.lower.name(name_node);
        let def = self.lower.def_named(name_node);
        let this = self.declared(node, def, name, at.place.scope, at);
        self.function(node, Role::of(def), at.this(this));
    }

    /// Binds the name of a function, and tells what `this` is in it: if it speaks of `this`, it makes objects.
    pub fn declared(
        &mut self,
        node: Node<'t>,
        def: Option<DefId>,
        name: Sym,
        scope: ScopeId,
        at: At,
    ) -> This {
        match def {
            Some(def) => self.bind(scope, name, Bound::Def(def)),
            None => self.bind_var(scope, name, UNTYPED, UNKNOWN),
        }
        if node.kind() == "arrow_function" {
            return at.this;
        }
        let makes = def.is_some()
            && memchr::memmem::find(self.lower.str(node).as_bytes(), b"this.").is_some();
        let members = makes.then(|| self.members_of_name(scope, name)).flatten();
        members.map_or(This::Unknown, This::Value)
    }

    /// A function where a value stands.
    pub fn function_value(&mut self, node: Node<'t>, at: At) -> ExprId {
        self.closure(node, Role::default(), at).0
    }

    /// A value of which something is expected.
    pub fn read_as(&mut self, node: Node<'t>, expected: Expected, at: At) -> ExprId {
        if matches!(expected, Expected::Nothing) {
            return self.read(node, at);
        }
        let inner = self.behind(node);
        match inner.kind() {
            _ if is_function(inner) && inner == node => {
                self.closure(inner, Role::default().expected(expected), at)
                    .0
            }
            "object" if inner == node => self.object(inner, expected, at),
            "parenthesized_expression" if self.lower.enter() => {
                let parts = self.parts(node);
                let values = parts
                    .into_iter()
                    .map(|part| self.read_as(part, expected, at));
                let value = values.last().unwrap_or(UNKNOWN);
                self.lower.leave();
                value
            }
            _ => self.read(node, at),
        }
    }

    /// What a function of a type gives.
    fn expected_result(&mut self, ty: TypeId) -> TypeId {
        if ty == UNTYPED {
            return UNTYPED;
        }
        let callee = self.put(Expr::Typed { ty });
        let args = List::default();
        let expr = self.put(Expr::Call { callee, args });
        self.lower.ty(Type::Of { expr })
    }

    /// The type that is expected, once something asks for it.
    pub fn expected_type(&mut self, expected: Expected) -> TypeId {
        match expected {
            Expected::Nothing => UNTYPED,
            Expected::Type(ty) => ty,
            Expected::Argument(expr, index) => {
                let of = self.lower.ty(Type::Of { expr });
                self.lower.ty(Type::Argument { of, index })
            }
            Expected::Member(UNTYPED, _) => UNTYPED,
            Expected::Member(of, name) => self.lower.ty(Type::Member { of, name }),
        }
    }

    /// A function that is an argument, and the parameters whose values the call gives.
    pub fn callback(&mut self, node: Node<'t>, at: At) -> (ExprId, Vec<ExprId>) {
        let role = Role {
            callback: true,
            ..Role::default()
        };
        self.closure(node, role, at)
    }

    fn closure(&mut self, node: Node<'t>, role: Role, at: At) -> (ExprId, Vec<ExprId>) {
        let name = self.part(node, "name");
        let def = name.and_then(|name| self.lower.def_named(name));
        let role = Role { def, ..role };
        let this = match node.kind() {
            "arrow_function" => at.this,
            _ => This::Unknown,
        };
        let Made {
            scope,
            returned,
            given,
        } = self.function(node, role, at.this(this));
        let value = match def {
            Some(def) => self.put(Expr::Def { def }),
            None => self.put(Expr::Lambda { scope, returned }),
        };
        (value, given)
    }

    /// Reads a function; `at` is where it stands, with what `this` is inside.
    pub fn function(&mut self, node: Node<'t>, role: Role, at: At) -> Made {
        let scope = self
            .lower
            .scope(at.place.scope, ScopeKind::Function, role.def);
        let outside = std::mem::take(&mut self.returned);
        let mut inside = at.scope(scope).from(role.def);
        self.type_parameters(node, inside);
        self.own_name(node, role.def, scope);
        let documented = match role.def {
            Some(def) => self.documented(self.lower.start_of(def)),
            None => self.documented(node.start_byte()),
        };
        let parameters = self.parameters(node, role, &documented, inside);
        let outside_returns = self.returns_as;
        if let Some(ty) = parameters.this {
            inside = inside.this(This::Typed(ty));
        }
        let mut returns = self.return_type(node, inside);
        if let (None, Some(text)) = (returns, documented.returns) {
            returns = Some(self.doc_type(text, inside)).filter(|ty| *ty != UNTYPED);
        }
        let returned_as = returns.unwrap_or_else(|| self.expected_result(parameters.expected));
        self.returns_as = self.awaited(returned_as);
        if let Some(body) = self.part(node, "body") {
            match body.kind() {
                "statement_block" => self.each(body, inside),
                _ => {
                    let expected = Expected::of(self.returns_as);
                    let value = self.read_as(body, expected, inside);
                    self.returned.push(value);
                }
            }
        }
        self.returns_as = outside_returns;
        let mut returned = std::mem::replace(&mut self.returned, outside);
        returned.retain(|value| *value != UNKNOWN);
        if let Some(ty) = returns {
            returned = vec![self.put(Expr::Typed { ty })];
        }
        let returned = self.lower.list(&returned);
        let given = parameters.given.clone();
        if let Some(def) = role.def {
            self.describe(def, node, parameters, returns, returned);
        }
        Made {
            scope,
            returned,
            given,
        }
    }

    fn describe(
        &mut self,
        def: DefId,
        node: Node<'t>,
        parameters: Parameters,
        returns: Option<TypeId>,
        returned: List,
    ) {
        let mut flags = 0;
        if self.has_word(node, "async") {
            flags |= flag::ASYNC;
        }
        if node.kind().starts_with("generator") || self.has_word(node, "*") {
            flags |= flag::GENERATOR;
        }
        if parameters.variadic {
            flags |= flag::VARIADIC;
        }
        let def = self.lower.def(def);
        def.flags |= flags;
        def.params = parameters.all;
        def.returns = returns;
        if returns.is_none() {
            def.returned = returned;
        }
    }

    /// A function expression knows itself by its own name.
    fn own_name(&mut self, node: Node<'t>, def: Option<DefId>, scope: ScopeId) {
        if !matches!(node.kind(), "function_expression" | "generator_function") {
            return;
        }
        if let Some((name, def)) = self.part(node, "name").zip(def) {
            let name = self.lower.name(name);
            self.bind(scope, name, Bound::Def(def));
        }
    }

    fn return_type(&mut self, node: Node<'t>, at: At) -> Option<TypeId> {
        let written = self.part(node, "return_type")?;
        Some(self.written(written, at))
    }

    fn parameters(
        &mut self,
        node: Node<'t>,
        role: Role,
        documented: &Documented<'a>,
        at: At,
    ) -> Parameters {
        let mut parameters = Parameters::default();
        let mut role = role;
        parameters.expected = self.expected_type(role.expected);
        role.expected = Expected::of(parameters.expected);
        if let Some(only) = self.part(node, "parameter") {
            self.parameter(only, role, documented, at, &mut parameters);
        }
        let Some(list) = self.part(node, "parameters") else {
            return parameters;
        };
        for parameter in self.parts(list) {
            match parameter.kind() {
                "decorator" => {
                    self.each(parameter, at);
                }
                _ => self.parameter(parameter, role, documented, at, &mut parameters),
            }
        }
        parameters
    }

    fn parameter(
        &mut self,
        node: Node<'t>,
        role: Role,
        documented: &Documented<'a>,
        at: At,
        into: &mut Parameters,
    ) {
        let mut pattern = self.part(node, "pattern").unwrap_or(node);
        let mut default = self.part(node, "value");
        let mut optional = node.kind() == "optional_parameter";
        if pattern.kind() == "assignment_pattern" {
            default = self.part(pattern, "right");
            pattern = self.part(pattern, "left").unwrap_or(pattern);
        }
        if let Some(decorated) = self.part(node, "decorator") {
            self.each(decorated, at);
        }
        optional |= default.is_some();
        let mut ty = self.annotation(node, at);
        let named = documented.param(self.lower.str(pattern).trim_start_matches("..."));
        if let (UNTYPED, Some(text)) = (ty, named) {
            ty = self.doc_type(text, at);
        }
        if let (UNTYPED, Expected::Type(of)) = (ty, role.expected) {
            let index = into.all.len() as u16;
            ty = self.lower.ty(Type::Argument { of, index });
        }
        if pattern.kind() == "this" {
            into.this = Some(ty);
            return;
        }
        let expected = Expected::of(ty);
        let mut value = default.map_or(UNKNOWN, |default| self.read_as(default, expected, at));
        if pattern.kind() == "rest_pattern" {
            into.variadic = true;
            pattern = self.parts(pattern).first().copied().unwrap_or(pattern);
        } else if role.callback && ty == UNTYPED {
            let index = into.all.len() as u16;
            let given = self.put(Expr::Given {
                call: UNKNOWN,
                argument: 0,
                index,
            });
            into.given.push(given);
            value = self.either(&[given, value]);
        }
        let name = match pattern.kind() {
            "identifier" => self.lower.name(pattern),
            _ => self.lower.sym(""),
        };
        into.all.push(Param { name, ty, optional });
        self.take_apart(pattern, value, ty, Some(at.place.scope), at);
        if let Some(class) = role.constructs.filter(|_| self.declares_field(node)) {
            self.bind_var(class, name, ty, value);
        }
    }

    /// `constructor(private x)`: a parameter that is a field too.
    fn declares_field(&mut self, parameter: Node<'t>) -> bool {
        self.has_word(parameter, "readonly")
            || self
                .parts(parameter)
                .iter()
                .any(|part| matches!(part.kind(), "accessibility_modifier" | "override_modifier"))
    }

    pub fn returns(&mut self, node: Node<'t>, at: At) {
        let expected = Expected::of(self.returns_as);
        let parts = self.parts(node);
        let values = parts
            .into_iter()
            .map(|part| self.read_as(part, expected, at));
        let value = values.last().unwrap_or(UNKNOWN);
        if !self.is_null(value) {
            self.returned.push(value);
        }
    }

    /// What a function that is written to give a promise returns.
    fn awaited(&self, ty: TypeId) -> TypeId {
        let facts = &self.lower.facts;
        match facts.ty(ty) {
            Type::Named { path, args, .. } => {
                let promise = facts
                    .list(path)
                    .last()
                    .is_some_and(|&name| facts.name(name) == "Promise");
                let awaited = facts.list(args).last().filter(|_| promise);
                awaited.copied().unwrap_or(ty)
            }
            _ => ty,
        }
    }

    pub fn is_null(&self, value: ExprId) -> bool {
        let literal = Literal::Null;
        self.lower.facts.expr(value) == Expr::Literal { literal }
    }

    /// A value behind parentheses and casts that is a function or a class, if it is one.
    pub fn behind(&mut self, mut value: Node<'t>) -> Node<'t> {
        const MAX_LAYERS: usize = 64;
        for _ in 0..MAX_LAYERS {
            let inner = match value.kind() {
                "parenthesized_expression"
                | "as_expression"
                | "satisfies_expression"
                | "non_null_expression" => self.parts(value).first().copied(),
                "type_assertion" => self.parts(value).last().copied(),
                _ => None,
            };
            let Some(inner) = inner else { break };
            value = inner;
        }
        value
    }

    pub fn is_function_or_class(&self, value: Node<'t>) -> bool {
        is_function(value) || value.kind() == "class"
    }
}
