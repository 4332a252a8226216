//! Calls: what is called, with what; what is made with `new`; elements of pages that are functions of the tree.

use tree_sitter::Node;

use super::express::is_function;
use super::function::Expected;
use super::walk::{At, Walk};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    /// What is called, which is no use of it apart from the call.
    pub fn callee(&mut self, node: Node<'t>, at: At) -> ExprId {
        match node.kind() {
            "identifier" => self.plain_name(node, at).0,
            "member_expression" | "nested_identifier" => self.plain_member(node, at),
            "parenthesized_expression" | "non_null_expression" => {
                let parts = self.parts(node);
                match parts.as_slice() {
                    [inner] if self.lower.enter() => {
                        let callee = self.callee(*inner, at);
                        self.lower.leave();
                        callee
                    }
                    _ => self.read(node, at),
                }
            }
            _ => self.read(node, at),
        }
    }

    pub fn call(&mut self, node: Node<'t>, at: At) -> ExprId {
        let Some(function) = self.part(node, "function") else {
            return self.inner(node, at);
        };
        if let Some(module) = self.module_call(node, function, at) {
            return module;
        }
        let callee = self.callee(function, at);
        self.type_arguments(node, at);
        let arguments = self.part(node, "arguments");
        if let Some(bound) = self.bound_function(function, callee) {
            arguments.into_iter().for_each(|list| self.each(list, at));
            return bound;
        }
        let (args, given) = match arguments {
            Some(list) if list.kind() == "arguments" => self.arguments(list, callee, at),
            Some(template) => {
                self.each(template, at);
                (List::default(), vec![])
            }
            None => (List::default(), vec![]),
        };
        let value = self.put(Expr::Call { callee, args });
        self.give(value, &given);
        // A function that is called where it is written is part of the one around it.
        if !matches!(self.lower.facts.expr(callee), Expr::Lambda { .. }) {
            self.lower.call(value, node, at.place);
        }
        value
    }

    /// `f.bind(x)`: the same function.
    fn bound_function(&mut self, function: Node<'t>, callee: ExprId) -> Option<ExprId> {
        let property = self.part(function, "property")?;
        match self.lower.facts.expr(callee) {
            Expr::Member { of, .. } if self.lower.str(property) == "bind" && of != UNKNOWN => {
                Some(of)
            }
            _ => None,
        }
    }

    pub fn construct(&mut self, node: Node<'t>, at: At) -> ExprId {
        let class = self.part(node, "constructor");
        let of = class.map_or(UNKNOWN, |class| self.callee(class, at));
        let arguments = self.part(node, "arguments");
        let (args, given) =
            arguments.map_or_else(Default::default, |list| self.arguments(list, of, at));
        let value = self.put(Expr::New { of, args });
        self.give(value, &given);
        self.lower.call(value, node, at.place);
        // `new Map<string, Foo>()`: only the written type knows the arguments.
        match (class, self.part(node, "type_arguments")) {
            (Some(class), Some(arguments)) if is_path(class) => {
                let ty = self.named_type(class, Some(arguments), at);
                self.put(Expr::Typed { ty })
            }
            _ => value,
        }
    }

    /// The values of arguments, and the parameters of functions among them, whose values the call gives.
    fn arguments(&mut self, list: Node<'t>, callee: ExprId, at: At) -> (List, Vec<(u16, ExprId)>) {
        let mut given = vec![];
        let mut values = vec![];
        for (index, argument) in self.parts(list).into_iter().enumerate() {
            if !is_function(argument) {
                let expected = Expected::Argument(callee, index as u16);
                values.push(self.read_as(argument, expected, at));
                continue;
            }
            let (value, parameters) = self.callback(argument, at);
            values.push(value);
            given.extend(parameters.into_iter().map(|given| (index as u16, given)));
        }
        (self.lower.list(&values), given)
    }

    /// Says of parameters which call gives them their values.
    fn give(&mut self, value: ExprId, parameters: &[(u16, ExprId)]) {
        for &(position, parameter) in parameters {
            let expr = &mut self.lower.facts.exprs[parameter as usize];
            if let Expr::Given { call, argument, .. } = expr {
                (*call, *argument) = (value, position);
            }
        }
    }

    /// The type arguments of a call, for the names in them.
    fn type_arguments(&mut self, node: Node<'t>, at: At) {
        if let Some(arguments) = self.part(node, "type_arguments") {
            self.read(arguments, at);
        }
    }

    /// `<Name ...>`: a call of what is not one of the page's own elements.
    pub fn element(&mut self, node: Node<'t>, at: At) -> ExprId {
        let name = self.part(node, "name");
        for part in self.parts(node) {
            if Some(part) != name {
                self.read(part, at);
            }
        }
        let Some(name) = name else { return UNKNOWN };
        let text = self.lower.str(name);
        if !text.contains('.') && !text.starts_with(|c: char| c.is_ascii_uppercase()) {
            return UNKNOWN;
        }
        let callee = self.callee(name, at);
        let args = List::default();
        let value = self.put(Expr::Call { callee, args });
        self.lower.call(value, node, at.place);
        value
    }
}

fn is_path(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "member_expression")
}
