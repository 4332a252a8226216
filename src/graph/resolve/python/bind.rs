//! What assignments, loops and patterns bind.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;
use crate::model::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// Binds a name in the scope its function or class has for it.
    pub(super) fn assign(&mut self, name: Sym, place: Place, bound: Bound) {
        let home = self.in_blocks(name, place, bound);
        let home = self.moved.get(&(home, name)).copied().unwrap_or(home);
        self.bind_in(home, name, bound);
    }

    /// Where a check told something of a name, that holds no longer: binds it in the blocks around; gives what is around those.
    fn in_blocks(&mut self, name: Sym, place: Place, bound: Bound) -> ScopeId {
        let mut scope = place.scope;
        let home = self.home(scope);
        while scope != home {
            if self.locals.contains(&(scope, name)) {
                self.lower.bind(scope, name, 0, bound);
            }
            let parent = self.lower.facts.scopes[scope as usize].parent;
            scope = parent.unwrap_or(home);
        }
        home
    }

    pub(super) fn bind_in(&mut self, scope: ScopeId, name: Sym, bound: Bound) {
        self.lower.bind(scope, name, 0, bound);
        let kind = self.lower.facts.scopes[scope as usize].kind;
        match kind {
            ScopeKind::Function | ScopeKind::Block => {
                self.locals.insert((scope, name));
                if !matches!(bound, Bound::Var { .. }) {
                    self.named.insert((scope, name));
                }
            }
            ScopeKind::Type => {
                self.members.entry((scope, name)).or_insert(self.bound_at);
            }
            _ => {}
        }
    }

    pub(super) fn peel(&mut self, of: ExprId, peel: Peel) -> ExprId {
        match of {
            UNKNOWN => UNKNOWN,
            of => self.lower.expr(Expr::Peel { of, peel }),
        }
    }

    /// `a = b = value`, `a: T = value`: the value, or what nothing is known of.
    pub(super) fn assignment(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(left) = field(node, "left") else {
            return UNKNOWN;
        };
        let ty = field(node, "type").map_or(UNTYPED, |ty| self.type_of(ty, place));
        let right = field(node, "right");
        let init = match right {
            Some(right) if self.is_type_variable(right) => {
                self.value(right, place);
                let bounds = self.type_variable_bounds(right, place);
                let name = self.lower.name(left);
                self.variables.insert(name);
                self.assign(name, place, Bound::Param { bounds });
                return UNKNOWN;
            }
            Some(right) => self.value(right, place),
            None => UNKNOWN,
        };
        if node.kind() == "augmented_assignment" {
            if left.kind() != "identifier" {
                self.value(left, place);
            }
            if self.lower.str(left) == "__all__" {
                self.listed(right);
            }
            return init;
        }
        if left.kind() == "identifier" {
            self.named(left, right, place, ty, init);
        } else {
            self.target(left, place, ty, init);
        }
        init
    }

    /// `name = value`, where the name may be that of a definition: a class, a type or a function as a value.
    fn named(
        &mut self,
        left: Node<'t>,
        right: Option<Node<'t>>,
        place: Place,
        ty: TypeId,
        init: ExprId,
    ) {
        let name = self.lower.name(left);
        if self.lower.str(left) == "__all__" {
            self.listed(right);
        }
        let def = self.lower.def_named(left);
        let Some((def, right)) = def.zip(right) else {
            return self.assign(name, place, Bound::Var { ty, init });
        };
        match self.lower.def(def).kind {
            Kind::Class => self.assign(name, place, Bound::Def(def)),
            Kind::Type => {
                let stands_for = self.stands_for(right, place);
                self.lower.def(def).bases = self.lower.list(&[stands_for]);
                self.lower.flag(def, flag::ALIAS);
                self.assign(name, place, Bound::Def(def));
            }
            Kind::Function | Kind::Method => {
                if let Expr::Lambda { scope, returned } = self.lower.facts.expr(init) {
                    self.lower.def(def).scope = Some(scope);
                    self.lower.def(def).returned = returned;
                }
                self.assign(name, place, Bound::Def(def));
            }
            _ => {
                if matches!(right.kind(), "identifier" | "attribute") {
                    self.lower.flag(def, flag::ALIAS);
                }
                let scope = place.scope;
                if self.enums.contains(&scope) {
                    let ty = self.lower.ty(Type::This { scope });
                    return self.assign(name, place, Bound::Var { ty, init });
                }
                self.assign(name, place, Bound::Var { ty, init });
            }
        }
    }

    /// What an assignment to a type means: `NewType("Id", int)` its base, else the type that is written.
    fn stands_for(&mut self, right: Node<'t>, place: Place) -> TypeId {
        if right.kind() != "call" {
            return self.type_of(right, place);
        }
        let arguments = field(right, "arguments");
        let of = arguments.and_then(|arguments| parts(arguments).nth(1));
        of.map_or(UNTYPED, |of| self.type_of(of, place))
    }

    /// Exports what `__all__` lists.
    fn listed(&mut self, list: Option<Node<'t>>) {
        for part in list.into_iter().flat_map(parts) {
            if part.kind() != "string" {
                continue;
            }
            let text = self.lower.str(part).trim_matches(['"', '\'']);
            let name = self.lower.sym(text);
            let line = crate::graph::lower::line(part);
            let export = Export {
                name: Some(name),
                of: Exported::Local(name),
                line,
            };
            self.lower.facts.exports.push(export);
        }
    }

    /// Binds whatever stands left of `=`, behind `as` or `for`.
    pub(super) fn target(&mut self, node: Node<'t>, place: Place, ty: TypeId, init: ExprId) {
        self.deeper(node, place, (), |walk| {
            walk.target_here(node, place, ty, init);
        });
    }

    fn target_here(&mut self, node: Node<'t>, place: Place, ty: TypeId, init: ExprId) {
        match node.kind() {
            "identifier" => {
                let name = self.lower.name(node);
                self.assign(name, place, Bound::Var { ty, init });
            }
            "attribute" => self.member(node, place, ty, init),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list"
            | "expression_list" => {
                let mut behind_rest = false;
                for (index, part) in parts(node).enumerate() {
                    behind_rest |= part.kind().starts_with("list_splat");
                    let value = match behind_rest {
                        true => UNKNOWN,
                        false => self.peel(init, Peel::Part(index as u16)),
                    };
                    self.target(part, place, UNTYPED, value);
                }
            }
            "parenthesized_expression"
            | "as_pattern_target"
            | "list_splat_pattern"
            | "list_splat" => {
                for part in parts(node) {
                    self.target(part, place, ty, init);
                }
            }
            _ => {
                self.value(node, place);
            }
        }
    }

    /// `self.x = value` is a field of the class.
    fn member(&mut self, node: Node<'t>, place: Place, ty: TypeId, init: ExprId) {
        let (Some(object), Some(name)) = (field(node, "object"), field(node, "attribute")) else {
            return self.each_part(node, place);
        };
        let object = self.value(object, place);
        if let Expr::This { scope } = self.lower.facts.expr(object)
            && let Some(of) = self.around(scope, ScopeKind::Type)
        {
            let name = self.lower.name(name);
            self.lower.bind(of, name, 0, Bound::Var { ty, init });
            self.fields.insert((of, name));
        }
        if self.checked.contains(self.lower.str(node)) {
            let path = self.lower.name(node);
            self.in_blocks(path, place, Bound::Var { ty, init });
        }
    }

    /// `T = TypeVar("T", bound=Base)`.
    fn is_type_variable(&self, node: Node<'t>) -> bool {
        let callee = field(node, "function").filter(|_| node.kind() == "call");
        let text = callee.map_or("", |callee| self.lower.str(callee));
        matches!(
            text.rsplit('.').next(),
            Some("TypeVar" | "ParamSpec" | "TypeVarTuple")
        )
    }

    fn type_variable_bounds(&mut self, call: Node<'t>, place: Place) -> List {
        let mut bounds = vec![];
        for argument in field(call, "arguments").into_iter().flat_map(parts).skip(1) {
            if argument.kind() != "keyword_argument" {
                bounds.push(self.type_again(argument, place));
                continue;
            }
            let name = field(argument, "name").map_or("", |name| self.lower.str(name));
            if let Some(bound) = field(argument, "value").filter(|_| name == "bound") {
                bounds.push(self.type_again(bound, place));
            }
        }
        self.lower.list(&bounds)
    }
}
