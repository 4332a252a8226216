//! Assignments: other values of variables, members given to objects, types and `this`, CommonJS exports.

use tree_sitter::Node;

use super::class::Owner;
use super::function::Expected;
use super::modules::WHOLE;
use super::walk::{At, Held, This, Walk, What};
use crate::graph::facts::*;

impl<'t> Walk<'_, '_, 't> {
    pub fn assign(&mut self, node: Node<'t>, at: At) -> ExprId {
        self.assign_for(node, None, at)
    }

    /// Reads an assignment whose function, if it is one, another name stands for already.
    pub fn assign_for(&mut self, node: Node<'t>, def: Option<DefId>, at: At) -> ExprId {
        let (left, right) = (self.part(node, "left"), self.part(node, "right"));
        let Some((left, right)) = left.zip(right) else {
            return self.inner(node, at);
        };
        let left = self.behind(left);
        let def = def
            .or_else(|| self.assigned_def(left))
            .or_else(|| self.own_def(right));
        match left.kind() {
            "identifier" => {
                let name = self.lower.name(left);
                self.assign_name(left, name, right, def, at)
            }
            "member_expression" | "subscript_expression" => {
                self.assign_member(left, right, def, at)
            }
            _ => {
                let value = self.read(right, at);
                self.take_apart(left, value, UNTYPED, None, at);
                value
            }
        }
    }

    /// The definition that a function or class is by its own name: `module.exports = class Name {}`.
    fn own_def(&mut self, value: Node<'t>) -> Option<DefId> {
        let inner = self.behind(value);
        let name = self.part(inner, "name")?;
        self.lower
            .def_named(name)
            .filter(|_| self.is_function_or_class(inner))
    }

    /// The definition that an assignment to `left` is.
    fn assigned_def(&mut self, left: Node<'t>) -> Option<DefId> {
        let name = match left.kind() {
            "member_expression" => self.part(left, "property")?,
            "subscript_expression" => self.part(left, "index")?,
            _ => left,
        };
        let text = super::express::unquoted(self.lower.str(name));
        match name.kind() {
            "member_expression" | "identifier" if left.kind() == "subscript_expression" => {
                self.lower.def_called(&format!("[{text}]"), left)
            }
            _ => self.lower.def_called(text, left),
        }
    }

    fn assign_name(
        &mut self,
        left: Node<'t>,
        name: Sym,
        right: Node<'t>,
        def: Option<DefId>,
        at: At,
    ) -> ExprId {
        if matches!(self.lower.str(left), "exports") {
            self.commonjs(name, at.place.scope);
        }
        let found = self.find(at.place.scope, name);
        let expected = found.map_or(Expected::Nothing, |(scope, _)| self.typed(scope, name));
        let value = match def {
            None => self.read_as(right, expected, at),
            def => self.assigned(right, def, at),
        };
        self.reassign(name, value, at);
        value
    }

    /// The value on the right of an assignment: a function or class that is a definition, or anything.
    fn assigned(&mut self, right: Node<'t>, def: Option<DefId>, at: At) -> ExprId {
        let inner = self.behind(right);
        match def {
            Some(def) if self.is_function_or_class(inner) => {
                self.owned(inner, Owner::Named(def), at)
            }
            _ if inner.kind() == "assignment_expression" => self.assign_for(inner, def, at),
            _ => self.read(right, at),
        }
    }

    /// Notes that a variable may have another value.
    pub fn reassign(&mut self, name: Sym, value: ExprId, at: At) {
        let Some((scope, held)) = self.find(at.place.scope, name) else {
            // Nobody declares it: it is global.
            if let Expr::Def { def } = self.lower.facts.expr(value) {
                self.bind(FILE, name, Bound::Def(def));
            }
            return;
        };
        self.more(scope, name, held, value);
    }

    fn more(&mut self, scope: ScopeId, name: Sym, held: Held, value: ExprId) {
        if matches!(held.what, What::Typed(_)) || value == UNKNOWN || self.is_null(value) {
            return;
        }
        match self.lower.facts.expr(value) {
            Expr::Def { def } => self.bind(scope, name, Bound::Def(def)),
            _ => self.bind_var(scope, name, UNTYPED, value),
        }
    }

    fn assign_member(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        def: Option<DefId>,
        at: At,
    ) -> ExprId {
        let object = self.part(left, "object").unwrap_or(left);
        let name = self.member_name(left, at);
        let members = self.members_of(object, at);
        let Some((name, members)) = name.zip(members) else {
            self.read(object, at);
            return self.assigned(right, def, at);
        };
        // `X.prototype = {...}`: the members of the object are those of X.
        if self.is_prototype(name) && right.kind() == "object" {
            self.members_into(right, members, Expected::Nothing, at);
            return UNKNOWN;
        }
        let inside = at.this(This::Value(members));
        let expected = self.typed(members, name);
        let inner = self.behind(right);
        let ty = self.documented_type(left.start_byte(), at);
        let value = match def {
            Some(def) if self.is_function_or_class(inner) => {
                self.owned(inner, Owner::Member(def, inside.this, expected), at)
            }
            _ if def.is_none() => self.read_as(right, expected, at),
            _ => self.assigned(right, def, at),
        };
        let held = self.held(members, name).copied();
        // A field that the class does not declare is one of its bases', or none.
        if held.is_none() && self.is_typescript && object.kind() == "this" {
            return value;
        }
        let held = held.unwrap_or(Held {
            what: What::Variable,
            members: None,
        });
        if ty != UNTYPED {
            self.bind_var(members, name, ty, value);
        } else if !self.is_prototype(name) {
            self.more(members, name, held, value);
        }
        value
    }

    /// The type that is written for a name.
    fn typed(&mut self, scope: ScopeId, name: Sym) -> Expected {
        match self.held(scope, name).map(|held| held.what) {
            Some(What::Typed(ty)) => Expected::Type(ty),
            _ => Expected::Nothing,
        }
    }

    fn is_prototype(&self, name: Sym) -> bool {
        &*self.lower.facts.names[name as usize] == "prototype"
    }

    fn member_name(&mut self, left: Node<'t>, at: At) -> Option<Sym> {
        if let Some(property) = self.part(left, "property") {
            return Some(self.lower.name(property));
        }
        let index = self.part(left, "index")?;
        let name = self.index_name(index);
        if name.is_none() {
            self.read(index, at);
        }
        name
    }

    /// Where the members are that are given to an object, if it is known: by a name, by `this`, by a path of these.
    fn members_of(&mut self, object: Node<'t>, at: At) -> Option<ScopeId> {
        const LONGEST: usize = 8;
        let mut path = vec![];
        let mut root = object;
        while root.kind() == "member_expression" && path.len() < LONGEST {
            path.push(self.part(root, "property")?);
            root = self.part(root, "object")?;
        }
        let mut scope = match root.kind() {
            "identifier" => {
                let name = self.lower.name(root);
                if matches!(self.lower.str(root), "module" | "exports") {
                    self.commonjs(name, at.place.scope);
                }
                let (scope, _) = self.find(at.place.scope, name)?;
                self.members_of_name(scope, name)?
            }
            "this" => match at.this {
                This::Value(scope) => scope,
                This::Class(def) => self.lower.def(def).scope?,
                _ => return None,
            },
            _ => return None,
        };
        for property in path.into_iter().rev() {
            let name = self.lower.name(property);
            if !self.is_prototype(name) {
                scope = self.held(scope, name)?.members?;
            }
        }
        Some(scope)
    }

    /// Where members go that are given to a name: those of its object, or an extension of the type it names.
    pub fn members_of_name(&mut self, scope: ScopeId, name: Sym) -> Option<ScopeId> {
        let held = *self.held(scope, name)?;
        if held.members.is_some() {
            return held.members;
        }
        let members = match held.what {
            What::Variable => {
                let members = self.lower.scope(scope, ScopeKind::Object, None);
                let object = self.put(Expr::Object { scope: members });
                self.bind_var(scope, name, UNTYPED, object);
                members
            }
            What::Def(_) | What::Import => {
                if let What::Def(def) = held.what
                    && self.lower.facts.def(def).kind.is_callable()
                {
                    self.lower.flag(def, flag::MAKES);
                }
                let members = self.lower.scope(scope, ScopeKind::Type, None);
                let path = self.lower.list(&[name]);
                let args = List::default();
                let of = self.lower.ty(Type::Named { path, args, scope });
                let by = None;
                self.lower.facts.extensions.push(Extension {
                    of,
                    by,
                    scope: members,
                });
                members
            }
            What::Typed(_) | What::TypeParameter => return None,
        };
        if let Some(held) = self.held(scope, name) {
            held.members = Some(members);
        }
        Some(members)
    }

    /// Binds `module` and `exports` when they are first met, unless they are something of the file's own: two names of one
    /// object, which stands for the module.
    pub fn commonjs(&mut self, name: Sym, scope: ScopeId) {
        if self.is_commonjs || self.find(scope, name).is_some() {
            return;
        }
        self.is_commonjs = true;
        let members = self.lower.scope(FILE, ScopeKind::Object, None);
        let module = self.lower.scope(FILE, ScopeKind::Object, None);
        let object = self.put(Expr::Object { scope: members });
        let of = self.put(Expr::Object { scope: module });
        let (exports, whole) = (self.lower.sym("exports"), self.lower.sym(WHOLE));
        let name = self.lower.sym("module");
        self.bind_var(FILE, exports, UNTYPED, object);
        self.bind_var(FILE, name, UNTYPED, of);
        self.bind_var(module, exports, UNTYPED, object);
        let value = self.put(Expr::Member { of, name: exports });
        let of = Exported::Value(value);
        let (name, line) = (Some(whole), 1);
        self.lower.facts.exports.push(Export { name, of, line });
    }
}
