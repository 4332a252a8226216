//! Expressions: what they are, and the calls and names in them.

use tree_sitter::Node;

use super::class::Slot;
use super::function::Expected;
use super::walk::{At, This, Walk};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    pub fn express(&mut self, node: Node<'t>, at: At) -> ExprId {
        match node.kind() {
            "member_expression" | "nested_identifier" => self.member(node, at),
            "call_expression" => self.call(node, at),
            "string" => self.literal(Literal::Str),
            "arrow_function" | "function_expression" | "generator_function" => {
                self.function_value(node, at)
            }
            "object" => self.object(node, Expected::Nothing, at),
            "this" => self.this(at),
            "super" => {
                let scope = at.place.scope;
                self.put(Expr::Super { scope })
            }
            "new_expression" => self.construct(node, at),
            "assignment_expression" | "augmented_assignment_expression" => self.assign(node, at),
            "subscript_expression" => self.subscript(node, at),
            "binary_expression" => self.binary(node, at),
            "unary_expression" => self.unary(node, at),
            "ternary_expression" => self.ternary(node, at),
            "await_expression" => {
                let of = self.inner(node, at);
                let peel = Peel::Await;
                self.put(Expr::Peel { of, peel })
            }
            "yield_expression" => {
                let value = self.inner(node, at);
                self.returned.push(value);
                UNKNOWN
            }
            "array" => {
                let of = self.values(node, at);
                self.put(Expr::Array { of })
            }
            "spread_element" => {
                let of = self.inner(node, at);
                self.put(Expr::Spread { of })
            }
            "as_expression" | "satisfies_expression" | "type_assertion" => self.cast(node, at),
            "non_null_expression" | "sequence_expression" => self.inner(node, at),
            "instantiation_expression" => self.instantiated(node, at),
            "class" => self.class_value(node, at),
            "jsx_opening_element" | "jsx_self_closing_element" => self.element(node, at),
            "jsx_attribute" | "jsx_closing_element" => self.attribute(node, at),
            "template_string" => {
                self.each(node, at);
                self.literal(Literal::Str)
            }
            "number" => self.literal(Literal::Float),
            "regex" => self.literal(Literal::Regex),
            "true" | "false" => self.literal(Literal::Bool),
            "null" | "undefined" => self.literal(Literal::Null),
            _ => {
                self.each(node, at);
                UNKNOWN
            }
        }
    }

    /// A name that is read, not called.
    pub fn name(&mut self, node: Node<'t>, at: At) -> ExprId {
        let (value, local) = self.plain_name(node, at);
        if !local {
            self.lower.used(Used::Expr(value), node, at.place);
        }
        value
    }

    /// A name as such, and whether it is a local variable.
    pub fn plain_name(&mut self, node: Node<'t>, at: At) -> (ExprId, bool) {
        let name = self.lower.name(node);
        let scope = at.place.scope;
        if matches!(self.lower.str(node), "module" | "exports") {
            self.commonjs(name, scope);
        }
        let value = self.named(name, at);
        (value, self.is_local(scope, name))
    }

    pub fn named(&mut self, name: Sym, at: At) -> ExprId {
        let scope = at.place.scope;
        self.put(Expr::Name { name, scope, at: 0 })
    }

    fn this(&mut self, at: At) -> ExprId {
        match at.this {
            This::Unknown => UNKNOWN,
            This::Value(scope) => self.put(Expr::This { scope }),
            This::Class(def) => self.put(Expr::Def { def }),
            This::Typed(ty) => self.put(Expr::Typed { ty }),
        }
    }

    fn member(&mut self, node: Node<'t>, at: At) -> ExprId {
        let value = self.plain_member(node, at);
        if value != UNKNOWN {
            self.lower.used(Used::Expr(value), node, at.place);
        }
        value
    }

    /// A member as such; nothing of a value of which nothing is known.
    pub fn plain_member(&mut self, node: Node<'t>, at: At) -> ExprId {
        let of = self.part(node, "object");
        let of = of.map_or(UNKNOWN, |object| self.read(object, at));
        let Some(property) = self.part(node, "property") else {
            return UNKNOWN;
        };
        let name = self.lower.name(property);
        self.put(Expr::Member { of, name })
    }

    fn subscript(&mut self, node: Node<'t>, at: At) -> ExprId {
        let of = self.part(node, "object");
        let of = of.map_or(UNKNOWN, |object| self.read(object, at));
        let Some(index) = self.part(node, "index") else {
            return UNKNOWN;
        };
        self.read(index, at);
        let name = self.index_name(index);
        let member = name.map_or(UNKNOWN, |name| self.put(Expr::Member { of, name }));
        let object = self.part(node, "object").map_or("", |object| object.kind());
        if index.kind() == "string" || object == "this" {
            return member;
        }
        let element = self.put(Expr::Index { of });
        self.either(&[member, element])
    }

    /// The member that an index names: `x["a"]`, `x[Symbol.iterator]`, `x[kSymbol]` of a constant of the file.
    pub fn index_name(&mut self, index: Node<'t>) -> Option<Sym> {
        let text = self.lower.str(index);
        match index.kind() {
            "string" => Some(self.lower.sym(unquoted(text))),
            "member_expression" if text.starts_with("Symbol.") => {
                Some(self.lower.sym(&format!("[{text}]")))
            }
            "identifier" => {
                let name = self.lower.sym(text);
                let bound = self.find(FILE, name);
                bound.map(|_| self.lower.sym(&format!("[{text}]")))
            }
            _ => None,
        }
    }

    fn values(&mut self, node: Node<'t>, at: At) -> List {
        let parts = self.parts(node);
        let values: Vec<_> = parts.into_iter().map(|part| self.read(part, at)).collect();
        self.lower.list(&values)
    }

    pub fn either(&mut self, values: &[ExprId]) -> ExprId {
        let known: Vec<_> = values.iter().copied().filter(|id| *id != UNKNOWN).collect();
        match known.as_slice() {
            [] => UNKNOWN,
            [only] => *only,
            _ => {
                let of = self.lower.list(&known);
                self.put(Expr::Either { of })
            }
        }
    }

    fn binary(&mut self, node: Node<'t>, at: At) -> ExprId {
        let mut sides = |field| {
            let side = self.part(node, field);
            side.map_or(UNKNOWN, |side| self.read(side, at))
        };
        let (left, right) = (sides("left"), sides("right"));
        let operator = self.part(node, "operator");
        match operator.map_or("", |operator| operator.kind()) {
            "||" | "??" => self.either(&[left, right]),
            "&&" => right,
            "+" => UNKNOWN,
            "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => {
                self.literal(Literal::Float)
            }
            _ => self.literal(Literal::Bool),
        }
    }

    fn unary(&mut self, node: Node<'t>, at: At) -> ExprId {
        self.each(node, at);
        let operator = self.part(node, "operator");
        match operator.map_or("", |operator| operator.kind()) {
            "typeof" => self.literal(Literal::Str),
            "!" | "delete" => self.literal(Literal::Bool),
            "void" => self.literal(Literal::Null),
            _ => self.literal(Literal::Float),
        }
    }

    fn ternary(&mut self, node: Node<'t>, at: At) -> ExprId {
        let mut inside = at;
        if let Some(condition) = self.part(node, "condition") {
            self.read(condition, at);
            inside = self.narrowed(condition, at);
        }
        let mut branch = |field, at| {
            let branch = self.part(node, field);
            branch.map_or(UNKNOWN, |branch| self.read(branch, at))
        };
        let values = [branch("consequence", inside), branch("alternative", at)];
        self.either(&values)
    }

    /// In plain JavaScript, a comment in front of it can say its type.
    pub fn parenthesized(&mut self, node: Node<'t>, at: At) -> ExprId {
        let value = self.inner(node, at);
        match self.documented_type(node.start_byte(), at) {
            UNTYPED => value,
            ty => self.put(Expr::Typed { ty }),
        }
    }

    fn cast(&mut self, node: Node<'t>, at: At) -> ExprId {
        let parts = self.parts(node);
        let kind = node.kind();
        let (value, ty) = match parts.as_slice() {
            // `as const`
            [value] => return self.read(*value, at),
            [ty, value] if kind == "type_assertion" => (*value, *ty),
            [value, ty] => (*value, *ty),
            _ => return self.inner(node, at),
        };
        let ty = self.ty(ty, at);
        let value = self.read_as(value, Expected::of(ty), at);
        match kind {
            "satisfies_expression" => value,
            _ => self.put(Expr::Typed { ty }),
        }
    }

    fn instantiated(&mut self, node: Node<'t>, at: At) -> ExprId {
        let parts = self.parts(node);
        let mut values = parts.into_iter().map(|part| self.read(part, at));
        values.next().unwrap_or(UNKNOWN)
    }

    fn attribute(&mut self, node: Node<'t>, at: At) -> ExprId {
        if node.kind() == "jsx_attribute" {
            self.each(node, at);
        }
        UNKNOWN
    }

    /// An object that is written out.
    pub fn object(&mut self, node: Node<'t>, expected: Expected, at: At) -> ExprId {
        let scope = self.lower.scope(at.place.scope, ScopeKind::Object, None);
        let object = self.put(Expr::Object { scope });
        // What is spread into it comes second: its own members hide those.
        let mut values = vec![object];
        values.extend(self.members_into(node, scope, expected, at));
        self.either(&values)
    }

    /// Binds the members of an object in a scope; gives what is spread into it.
    pub fn members_into(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        expected: Expected,
        at: At,
    ) -> Vec<ExprId> {
        let mut spread = vec![];
        let parts = self.parts(node);
        let has_functions = |part: &Node<'_>| {
            let value = self.part(*part, "value");
            part.kind() == "method_definition"
                || value.is_some_and(|value| is_function(value) || value.kind() == "object")
        };
        let expected = match parts.iter().any(has_functions) {
            true => self.expected_type(expected),
            false => UNTYPED,
        };
        for part in parts {
            match part.kind() {
                "spread_element" => spread.push(self.inner(part, at)),
                "shorthand_property_identifier" => {
                    let name = self.lower.name(part);
                    let value = self.name(part, at);
                    self.bind_var(scope, name, UNTYPED, value);
                }
                "pair" => self.pair(part, scope, expected, at),
                "method_definition" => {
                    self.method(part, scope, expected, at.this(This::Value(scope)));
                }
                _ => {
                    self.read(part, at);
                }
            }
        }
        spread
    }

    fn pair(&mut self, node: Node<'t>, scope: ScopeId, expected: TypeId, at: At) {
        let key = self.part(node, "key");
        let name = key.and_then(|key| self.key(key, at));
        let Some(value) = self.part(node, "value") else {
            return;
        };
        let Some(name) = name else {
            self.read(value, at);
            return;
        };
        let slot = Slot {
            key: key.unwrap_or(node),
            name,
            scope,
            this: This::Value(scope),
            expected: Expected::Member(expected, name),
        };
        self.fill(slot, value, at);
    }

    /// The name that a member is written under; what is computed has none, and is read.
    pub fn key(&mut self, key: Node<'t>, at: At) -> Option<Sym> {
        let text = self.lower.str(key);
        match key.kind() {
            "string" => Some(self.lower.sym(unquoted(text))),
            "computed_property_name" => {
                self.each(key, at);
                let inner = self.parts(key);
                let inner = inner.first().copied()?;
                self.index_name(inner)
            }
            _ => Some(self.lower.sym(text)),
        }
    }
}

pub fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

/// What stands between the quotes of a string without escapes.
pub fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or(inside('\'')).unwrap_or(text)
}
