//! Expressions.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::{Place, line};

impl<'t> Walk<'_, '_, 't> {
    /// Reads an expression, or whatever else stands there.
    pub(super) fn value(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.deeper(node, place, UNKNOWN, |walk| walk.value_here(node, place))
    }

    fn value_here(&mut self, node: Node<'t>, place: Place) -> ExprId {
        match node.kind() {
            "identifier" | "attribute" => {
                let expr = self.path(node, place);
                self.read(expr, node, place);
                expr
            }
            "call" => self.call(node, place),
            "string" => self.string(node, place),
            "assignment" | "augmented_assignment" => self.assignment(node, place),
            "subscript" => self.subscript(node, place),
            "parenthesized_expression" => self.last(node, place),
            "boolean_operator" | "binary_operator" => self.operator(node, place),
            "comparison_operator" => {
                self.each_part(node, place);
                self.literal(Literal::Bool)
            }
            "not_operator" => self.condition(node, place).value,
            "conditional_expression" => self.conditional(node, place),
            "named_expression" => self.walrus(node, place),
            "await" => {
                let of = self.last(node, place);
                self.peel(of, Peel::Await)
            }
            "yield" => self.yielded(node, place),
            "lambda" => self.lambda(node, place),
            "list" | "set" => {
                let of = self.values(node, place);
                self.lower.expr(Expr::Array { of })
            }
            "tuple" | "expression_list" | "pattern_list" => {
                let of = self.values(node, place);
                self.lower.expr(Expr::Tuple { of })
            }
            "dictionary" => self.dictionary(node, place),
            "list_comprehension"
            | "set_comprehension"
            | "generator_expression"
            | "dictionary_comprehension" => self.comprehension(node, place),
            "list_splat" | "dictionary_splat" => {
                let of = self.last(node, place);
                self.lower.expr(Expr::Spread { of })
            }
            "keyword_argument" => {
                let name = field(node, "name").map_or(0, |name| self.lower.name(name));
                let value = field(node, "value").map_or(UNKNOWN, |value| self.value(value, place));
                self.lower.expr(Expr::Keyword { name, value })
            }
            "integer" => self.literal(Literal::Int),
            "float" => self.literal(Literal::Float),
            "true" | "false" => self.literal(Literal::Bool),
            "none" => self.literal(Literal::Null),
            "concatenated_string" => {
                self.each_part(node, place);
                self.literal(Literal::Str)
            }
            "unary_operator" => self.last(node, place),
            _ => {
                self.each_part(node, place);
                UNKNOWN
            }
        }
    }

    pub(super) fn literal(&mut self, literal: Literal) -> ExprId {
        self.lower.expr(Expr::Literal { literal })
    }

    pub(super) fn read(&mut self, expr: ExprId, node: Node<'t>, place: Place) {
        if expr == UNKNOWN || matches!(self.lower.facts.expr(expr), Expr::This { .. }) {
            return;
        }
        let (what, line, from) = (Used::Expr(expr), line(node), place.from);
        self.read.push(Use { what, line, from });
    }

    /// The value of the last part; all are read.
    fn last(&mut self, node: Node<'t>, place: Place) -> ExprId {
        parts(node).fold(UNKNOWN, |_, part| self.value(part, place))
    }

    fn values(&mut self, node: Node<'t>, place: Place) -> List {
        let values: Vec<_> = parts(node).map(|part| self.value(part, place)).collect();
        self.lower.list(&values)
    }

    /// A name or member that is called or read.
    pub(super) fn path(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if node.kind() == "identifier" {
            return self.name(node, place);
        }
        let (Some(object), Some(name)) = (field(node, "object"), field(node, "attribute")) else {
            self.each_part(node, place);
            return UNKNOWN;
        };
        let of = self.value(object, place);
        if self.checked.contains(self.lower.str(node)) {
            let path = self.lower.name(node);
            if self.is_local(path, place.scope) {
                let (name, scope, at) = (path, place.scope, node.start_byte() as u32);
                return self.lower.expr(Expr::Name { name, scope, at });
            }
        }
        let name = self.lower.name(name);
        if self.lower.facts.name(name) == "__class__" {
            return self.class_of(of);
        }
        self.lower.expr(Expr::Member { of, name })
    }

    fn name(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let name = self.lower.name(node);
        if let Some(scope) = self.receiver_of(name, place.scope) {
            return self.lower.expr(Expr::This { scope });
        }
        let (scope, at) = (place.scope, node.start_byte() as u32);
        self.lower.expr(Expr::Name { name, scope, at })
    }

    /// The method whose receiver a name is.
    fn receiver_of(&self, name: Sym, scope: ScopeId) -> Option<ScopeId> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if self.receivers.get(&scope) == Some(&name) {
                return Some(scope);
            }
            if self.locals.contains(&(scope, name)) {
                return None;
            }
            next = self.lower.facts.scopes[scope as usize].parent;
        }
        None
    }

    pub(super) fn class_of(&mut self, expr: ExprId) -> ExprId {
        let ty = self.lower.ty(Type::Of { expr });
        self.lower.expr(Expr::Type { ty })
    }

    fn string(&mut self, node: Node<'t>, place: Place) -> ExprId {
        for part in parts(node) {
            if part.kind() == "interpolation" {
                self.each_part(part, place);
            }
        }
        self.literal(Literal::Str)
    }

    /// `a[0]` is a part, `a[1:]` the same again, anything else an element.
    fn subscript(&mut self, node: Node<'t>, place: Place) -> ExprId {
        if self.is_type(node) {
            let ty = self.type_of(node, place);
            return self.lower.expr(Expr::Type { ty });
        }
        let mut inner = parts(node);
        let of = inner.next().map_or(UNKNOWN, |of| self.value(of, place));
        let keys: Vec<_> = inner.collect();
        for key in &keys {
            self.value(*key, place);
        }
        match keys.first() {
            _ if of == UNKNOWN => UNKNOWN,
            Some(key) if key.kind() == "slice" => of,
            Some(key) if key.kind() == "integer" => match self.lower.str(*key).parse() {
                Ok(part) => self.peel(of, Peel::Part(part)),
                Err(_) => self.peel(of, Peel::Item),
            },
            _ => self.peel(of, Peel::Item),
        }
    }

    /// Of operators, those that give one of their sides, or something of its type.
    fn operator(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else {
            self.each_part(node, place);
            return UNKNOWN;
        };
        if node.kind() == "boolean_operator" {
            return self.condition(node, place).value;
        }
        let first = self.value(left, place);
        let second = self.value(right, place);
        let operator = field(node, "operator").map_or("", |operator| operator.kind());
        let text = matches!(
            self.lower.facts.expr(first),
            Expr::Literal {
                literal: Literal::Str
            }
        );
        match operator {
            "%" if text => first,
            "|" | "+" => self.either(&[first, second]),
            _ => UNKNOWN,
        }
    }

    pub(super) fn either(&mut self, of: &[ExprId]) -> ExprId {
        let of = self.lower.list(of);
        self.lower.expr(Expr::Either { of })
    }

    fn conditional(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let inner: Vec<_> = parts(node).collect();
        let [then, condition, otherwise] = *inner else {
            self.each_part(node, place);
            return UNKNOWN;
        };
        let told = self.condition(condition, place);
        let then = self.value(then, told.holds);
        let otherwise = self.value(otherwise, told.fails);
        self.either(&[then, otherwise])
    }

    /// `name := value` binds around all comprehensions that it stands in.
    fn walrus(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let value = field(node, "value").map_or(UNKNOWN, |value| self.value(value, place));
        let mut scope = place.scope;
        while self.comprehensions.contains(&self.home(scope)) {
            let around = self.lower.facts.scopes[self.home(scope) as usize].parent;
            scope = around.unwrap_or(FILE);
        }
        if let Some(name) = field(node, "name") {
            self.target(name, place.scope(scope), UNTYPED, value);
        }
        value
    }

    fn yielded(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let mut value = self.last(node, place);
        if node.child(1).is_some_and(|word| word.kind() == "from") {
            value = self.peel(value, Peel::Element);
        }
        if let Some(scope) = self.around(place.scope, ScopeKind::Function) {
            let yielded = self.yielded.entry(scope).or_default();
            yielded.extend(Some(value).filter(|&value| value != UNKNOWN));
            if let Some(&ty) = self.sent.get(&scope) {
                return self.lower.expr(Expr::Typed { ty });
            }
        }
        UNKNOWN
    }

    fn lambda(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
        let mut params = vec![];
        for part in field(node, "parameters").into_iter().flat_map(parts) {
            let (param, rest) = self.parameter(part, [place; 2], scope);
            params.extend(param.filter(|_| !rest).map(|param| param.name));
        }
        let body = field(node, "body").map(|body| self.value(body, place.scope(scope)));
        let returned = self.lower.list(body.as_slice());
        let lambda = self.lower.expr(Expr::Lambda { scope, returned });
        self.lambdas.insert(lambda, params);
        lambda
    }

    fn dictionary(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let (mut keys, mut values) = (vec![], vec![]);
        for part in parts(node) {
            if part.kind() != "pair" {
                self.value(part, place);
                continue;
            }
            keys.extend(field(part, "key").map(|key| self.value(key, place)));
            values.extend(field(part, "value").map(|value| self.value(value, place)));
        }
        self.map(&keys, &values)
    }

    pub(super) fn map(&mut self, keys: &[ExprId], values: &[ExprId]) -> ExprId {
        let [key, value] = [keys, values].map(|all| match all {
            [] => UNTYPED,
            [one] => self.lower.ty(Type::Of { expr: *one }),
            all => {
                let expr = self.either(all);
                self.lower.ty(Type::Of { expr })
            }
        });
        let ty = self.lower.ty(Type::Map { key, value });
        self.lower.expr(Expr::Typed { ty })
    }

    /// A comprehension is a function of its own, but for what its first `in` goes through.
    fn comprehension(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
        self.comprehensions.insert(scope);
        let mut inside = place.scope(scope);
        let mut through = place;
        for part in parts(node) {
            match part.kind() {
                "for_in_clause" => {
                    self.each(part, through, inside);
                    through = inside;
                }
                "if_clause" => {
                    for condition in parts(part) {
                        inside = self.condition(condition, inside).holds;
                    }
                    through = inside;
                }
                _ => {}
            }
        }
        let Some(body) = field(node, "body") else {
            return UNKNOWN;
        };
        if body.kind() == "pair" {
            let [key, value] = ["key", "value"]
                .map(|name| field(body, name).map_or(UNKNOWN, |part| self.value(part, inside)));
            return self.map(&[key], &[value]);
        }
        let value = self.value(body, inside);
        let of = self.lower.list(&[value]);
        self.lower.expr(Expr::Array { of })
    }
}
