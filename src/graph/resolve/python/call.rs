//! Calls, and what calls of the language's own functions give.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let (Some(function), Some(arguments)) = (field(node, "function"), field(node, "arguments"))
        else {
            self.each_part(node, place);
            return UNKNOWN;
        };
        let callee = match function.kind() {
            "identifier" | "attribute" => {
                self.deeper(function, place, UNKNOWN, |walk| walk.path(function, place))
            }
            _ => self.value(function, place),
        };
        let given: Vec<_> = match arguments.kind() {
            "argument_list" => parts(arguments)
                .map(|part| self.value(part, place))
                .collect(),
            _ => vec![self.value(arguments, place)],
        };
        let named = function.kind() == "identifier";
        if named && self.lower.str(function) == "super" {
            let scope = place.scope;
            return self.lower.expr(Expr::Super { scope });
        }
        let args = self.lower.list(&given);
        let call = self.lower.expr(Expr::Call { callee, args });
        self.lower.call(call, node, place);
        self.give(call, function, &given);
        self.known(function, &given, arguments, place)
            .unwrap_or(call)
    }

    /// Parameters of lambdas among the arguments get their values from the call.
    fn give(&mut self, call: ExprId, function: Node<'t>, given: &[ExprId]) {
        for (argument, &value) in given.iter().enumerate() {
            let value = match self.lower.facts.expr(value) {
                Expr::Keyword { value, .. } => value,
                _ => value,
            };
            let Expr::Lambda { scope, .. } = self.lower.facts.expr(value) else {
                continue;
            };
            let params = self.lambdas.remove(&value).unwrap_or_default();
            for (index, name) in params.into_iter().enumerate() {
                let init = match self.gone_through(call, function, given, argument, index) {
                    Some(of) => self.peel(of, Peel::Element),
                    None => self.lower.expr(Expr::Given {
                        call,
                        argument: argument as u16,
                        index: index as u16,
                    }),
                };
                self.bind_in(scope, name, Bound::Var { ty: UNTYPED, init });
            }
        }
    }

    /// What the language's own functions go through to call a function: `sorted(xs, key=f)`, `map(f, xs)`, `xs.sort(key=f)`.
    fn gone_through(
        &mut self,
        call: ExprId,
        function: Node<'t>,
        given: &[ExprId],
        argument: usize,
        index: usize,
    ) -> Option<ExprId> {
        let callee = match self.lower.facts.expr(call) {
            Expr::Call { callee, .. } => self.lower.facts.expr(callee),
            _ => Expr::Unknown,
        };
        match (self.lower.str(function), callee) {
            ("sorted" | "min" | "max", _) if argument > 0 => given.first().copied(),
            ("map" | "filter", _) if argument == 0 => given.get(index + 1).copied(),
            (_, Expr::Member { of, name }) if self.lower.facts.name(name) == "sort" => Some(of),
            _ => None,
        }
    }

    /// What the language's own functions give.
    fn known(
        &mut self,
        function: Node<'t>,
        given: &[ExprId],
        arguments: Node<'t>,
        place: Place,
    ) -> Option<ExprId> {
        let path = self.lower.str(function);
        let name = path.rsplit_once('.').map_or(path, |(_, name)| name);
        match (path, given) {
            ("cast" | "typing.cast" | "t.cast" | "typing_extensions.cast", [_, _]) => {
                let ty = parts(arguments).next()?;
                let ty = self.type_again(ty, place);
                Some(self.lower.expr(Expr::Typed { ty }))
            }
            (path, [of, ..]) if gives_its_first(path) => Some(*of),
            ("weakref.ref" | "ref", [of, ..]) => {
                let scope = self.lower.scope(place.scope, ScopeKind::Function, None);
                let returned = self.lower.list(&[*of]);
                Some(self.lower.expr(Expr::Lambda { scope, returned }))
            }
            (_, [of]) if matches!(name, "enter_context" | "enter_async_context") => {
                Some(self.peel(*of, Peel::Context))
            }
            ("deque" | "collections.deque", [of, ..]) => {
                let element = self.peel(*of, Peel::Element);
                let of = self.lower.list(&[element]);
                Some(self.lower.expr(Expr::Array { of }))
            }
            ("defaultdict" | "collections.defaultdict", [callee, ..]) => {
                let (callee, args) = (*callee, List::default());
                let made = self.lower.expr(Expr::Call { callee, args });
                Some(self.map(&[], &[made]))
            }
            ("getattr", [of, ..]) => {
                let name = parts(arguments)
                    .nth(1)
                    .and_then(|name| plain(self.lower.str(name)))?;
                let (of, name) = (*of, self.lower.sym(name));
                let member = self.lower.expr(Expr::Member { of, name });
                self.read(member, function, place);
                Some(member)
            }
            _ if function.kind() != "identifier" => None,
            _ if self.own.contains(&self.lower.name(function)) => None,
            _ => self.builtin(path, given),
        }
    }

    fn builtin(&mut self, name: &str, given: &[ExprId]) -> Option<ExprId> {
        match (name, given) {
            ("type", [of]) => Some(self.class_of(*of)),
            ("list" | "set" | "tuple" | "frozenset" | "sorted" | "reversed" | "iter", [of, ..]) => {
                let element = self.peel(*of, Peel::Element);
                let of = self.lower.list(&[element]);
                Some(self.lower.expr(Expr::Array { of }))
            }
            ("list" | "set", []) => {
                let of = List::default();
                Some(self.lower.expr(Expr::Array { of }))
            }
            ("dict", []) => Some(self.literal(Literal::Map)),
            ("next" | "min" | "max", [of]) => Some(self.peel(*of, Peel::Element)),
            ("enumerate", [of, ..]) => {
                let index = self.literal(Literal::Int);
                let element = self.peel(*of, Peel::Element);
                Some(self.row_of(&[index, element]))
            }
            ("zip", [_, ..]) => {
                let elements = given.iter().map(|&of| self.peel(of, Peel::Element));
                let elements: Vec<_> = elements.collect();
                Some(self.row_of(&elements))
            }
            ("map", [function, through @ ..]) => {
                let elements = through.iter().map(|&of| self.peel(of, Peel::Element));
                let elements: Vec<_> = elements.collect();
                let (callee, args) = (*function, self.lower.list(&elements));
                let result = self.lower.expr(Expr::Call { callee, args });
                let of = self.lower.list(&[result]);
                Some(self.lower.expr(Expr::Array { of }))
            }
            ("filter", [_, of]) => Some(*of),
            ("property", [callee, ..]) => {
                let (callee, args) = (*callee, List::default());
                Some(self.lower.expr(Expr::Call { callee, args }))
            }
            ("staticmethod" | "classmethod", [of]) => Some(*of),
            ("str" | "repr", _) => Some(self.literal(Literal::Str)),
            ("len" | "int", _) => Some(self.literal(Literal::Int)),
            ("isinstance" | "issubclass" | "hasattr" | "bool", _) => {
                Some(self.literal(Literal::Bool))
            }
            _ => None,
        }
    }

    /// Tuples of these parts, one by one.
    fn row_of(&mut self, parts: &[ExprId]) -> ExprId {
        let of = self.lower.list(parts);
        let part = self.lower.expr(Expr::Tuple { of });
        let of = self.lower.list(&[part]);
        self.lower.expr(Expr::Array { of })
    }
}

/// Functions whose result is as good as their first argument: copies, and what runs or waits for it.
fn gives_its_first(path: &str) -> bool {
    matches!(
        path,
        "copy.copy"
            | "copy.deepcopy"
            | "deepcopy"
            | "dataclasses.replace"
            | "functools.partial"
            | "partial"
            | "weakref.proxy"
            | "asyncio.create_task"
            | "asyncio.ensure_future"
            | "asyncio.run"
            | "asyncio.shield"
            | "asyncio.wait_for"
    )
}

/// The name in a string literal.
fn plain(text: &str) -> Option<&str> {
    let name = text.trim_matches(['"', '\'']);
    let quoted = name.len() + 2 == text.len();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (quoted && is_name && !name.is_empty()).then_some(name)
}
