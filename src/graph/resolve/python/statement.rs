//! Statements: what they bind, and where what stands in them is seen from.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    /// Reads a statement, or whatever else stands there; gives the place that what follows it is seen from.
    pub(super) fn statement(&mut self, node: Node<'t>, place: Place) -> Place {
        self.deeper(node, place, place, |walk| walk.statement_here(node, place))
    }

    fn statement_here(&mut self, node: Node<'t>, place: Place) -> Place {
        self.bound_at = match node.kind() {
            "expression_statement" => node.end_byte() as u32,
            _ => node.start_byte() as u32,
        };
        match node.kind() {
            "module" | "block" => self.block(node, place),
            "if_statement" => return self.branches(node, place),
            "while_statement" => {
                let fails = self.branch(node, "body", place);
                self.alternatives(node, fails);
            }
            "for_statement" => {
                self.each(node, place, place);
                for part in ["body", "alternative"].map(|name| field(node, name)) {
                    part.map(|part| self.statement(part, place));
                }
            }
            "with_item" => self.entered(node, place),
            "except_clause" => self.except(node, place),
            "match_statement" => self.matched(node, place),
            "assert_statement" => {
                let mut asserted = place;
                for (index, part) in parts(node).enumerate() {
                    let told = self.condition(part, place);
                    asserted = if index == 0 { told.holds } else { asserted };
                }
                return asserted;
            }
            "return_statement" => self.return_statement(node, place),
            "global_statement" => self.moved(node, place, true),
            "nonlocal_statement" => self.moved(node, place, false),
            "import_statement" | "import_from_statement" => self.import(node, place),
            "future_import_statement" => {}
            "decorated_definition" => self.decorated(node, place),
            "class_definition" => self.class(node, &[], place),
            "function_definition" => self.function(node, &[], place),
            "type_alias_statement" => self.type_alias(node, place),
            "expression_statement"
            | "with_statement"
            | "with_clause"
            | "try_statement"
            | "else_clause"
            | "finally_clause" => self.each_part(node, place),
            _ => {
                self.value(node, place);
            }
        }
        place
    }

    pub(super) fn each_part(&mut self, node: Node<'t>, place: Place) {
        for part in parts(node) {
            self.statement(part, place);
        }
    }

    fn block(&mut self, node: Node<'t>, mut place: Place) {
        for part in parts(node) {
            place = self.statement(part, place);
        }
    }

    /// `if`: what follows is seen from where its condition fails, if its body does not lead there.
    fn branches(&mut self, node: Node<'t>, place: Place) -> Place {
        let fails = self.branch(node, "consequence", place);
        self.alternatives(node, fails);
        let alone = field(node, "alternative").is_none();
        let leaves = field(node, "consequence").is_some_and(leaves);
        if alone && leaves { fails } else { place }
    }

    /// A condition and its body; gives the place at which the condition fails.
    fn branch(&mut self, node: Node<'t>, body: &str, place: Place) -> Place {
        let Some(condition) = field(node, "condition") else {
            self.each_part(node, place);
            return place;
        };
        let mut told = self.condition(condition, place);
        told.holds.dead |= matches!(self.lower.str(condition), "False" | "0");
        if let Some(body) = field(node, body) {
            self.statement(body, told.holds);
        }
        told.fails
    }

    fn alternatives(&mut self, node: Node<'t>, mut place: Place) {
        for part in parts(node) {
            match part.kind() {
                "elif_clause" => place = self.branch(part, "consequence", place),
                "else_clause" => self.each_part(part, place),
                _ => {}
            }
        }
    }

    /// The targets of `for`, in a statement or in a comprehension, from the value it goes through.
    pub(super) fn each(&mut self, node: Node<'t>, place: Place, inside: Place) {
        let mut cursor = node.walk();
        let values: Vec<_> = node.children_by_field_name("right", &mut cursor).collect();
        let values: Vec<_> = values
            .into_iter()
            .filter(|value| value.is_named())
            .map(|value| self.value(value, place))
            .collect();
        let of = match *values {
            [value] => value,
            _ => {
                let of = self.lower.list(&values);
                self.lower.expr(Expr::Array { of })
            }
        };
        if let Some(target) = field(node, "left") {
            let element = self.peel(of, Peel::Element);
            self.target(target, inside, UNTYPED, element);
        }
    }

    fn entered(&mut self, node: Node<'t>, place: Place) {
        let Some(value) = field(node, "value") else {
            return self.each_part(node, place);
        };
        if value.kind() != "as_pattern" {
            self.value(value, place);
            return;
        }
        let context = parts(value).next().map(|part| self.value(part, place));
        if let Some(target) = field(value, "alias") {
            let entered = self.peel(context.unwrap_or(UNKNOWN), Peel::Context);
            self.target(target, place, UNTYPED, entered);
        }
    }

    fn except(&mut self, node: Node<'t>, place: Place) {
        for part in parts(node) {
            if part.kind() == "as_pattern" {
                let ty = parts(part)
                    .next()
                    .map_or(UNTYPED, |part| self.type_of(part, place));
                let value = self.lower.expr(Expr::Typed { ty });
                if let Some(target) = field(part, "alias") {
                    self.target(target, place, UNTYPED, value);
                }
            } else {
                self.statement(part, place);
            }
        }
    }

    fn return_statement(&mut self, node: Node<'t>, place: Place) {
        let value = match parts(node).next() {
            Some(part) => self.value(part, place),
            None => return,
        };
        if let Some(scope) = self.around(place.scope, ScopeKind::Function)
            && value != UNKNOWN
        {
            self.returned.entry(scope).or_default().push(value);
        }
    }

    /// `global` and `nonlocal`: assignments bind in another scope.
    fn moved(&mut self, node: Node<'t>, place: Place, global: bool) {
        let home = self.home(place.scope);
        for part in parts(node) {
            let name = self.lower.name(part);
            let outer = self.lower.facts.scopes[home as usize].parent;
            let to = match outer {
                Some(outer) if !global => self.binder(name, outer),
                _ => FILE,
            };
            self.moved.insert((home, name), to);
        }
    }

    /// The function around a scope that binds a name: the innermost if none has so far.
    fn binder(&self, name: Sym, scope: ScopeId) -> ScopeId {
        let innermost = self.around(scope, ScopeKind::Function);
        let mut next = innermost;
        while let Some(scope) = next {
            if self.locals.contains(&(scope, name)) {
                return scope;
            }
            let parent = self.lower.facts.scopes[scope as usize].parent;
            next = parent.and_then(|parent| self.around(parent, ScopeKind::Function));
        }
        innermost.unwrap_or(FILE)
    }
}

/// Whether control does not come out of a block's end.
fn leaves(block: Node<'_>) -> bool {
    let last = parts(block).last();
    last.is_some_and(|last| {
        matches!(
            last.kind(),
            "return_statement" | "raise_statement" | "continue_statement" | "break_statement"
        )
    })
}
