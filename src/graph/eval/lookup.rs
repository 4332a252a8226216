//! Names: from a scope outwards, the nearest bind that holds there.

use super::*;
use crate::graph::resolve::Sight;
use crate::model::Kind;

impl<'w> Eval<'w> {
    /// What a name stands for as seen from a scope and a byte of a file.
    pub fn lookup(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: Sym,
        at: u32,
        space: Space,
    ) -> Value {
        let facts = self.facts(file);
        let rules = self.rules(file);
        let mut outside = false;
        let mut next = Some(scope);
        while let Some(here) = next {
            let around = facts.scope(here);
            // Of a type's members an extension holds some: with others of their names they are found through the type.
            let extends = rules.tags && around.kind == ScopeKind::Type && around.def.is_none();
            let value = match extends {
                true => self.member_seen(file, here, name),
                false => self.in_scope(file, here, name, at, space, here == scope),
            };
            if let Some(value) = value {
                return value;
            }
            if matches!(around.kind, ScopeKind::Function | ScopeKind::Block) {
                let value = self.of_stars(file, here, name, space);
                if value.known() {
                    return value;
                }
            }
            let members = matches!(around.kind, ScopeKind::Type | ScopeKind::Object);
            if members && rules.sight == Sight::Inside {
                let value = self.inherited(file, here, facts.name(name));
                if value.known() && value != Value::Outside {
                    return value;
                }
                outside |= self.has_base_outside(file, here);
            }
            if matches!(around.kind, ScopeKind::Space | ScopeKind::File) {
                let value = (rules.outer)(self, file, here, facts.name(name), space);
                if value.known() {
                    return value;
                }
            }
            next = around.parent;
        }
        // What no scope has may be a member of a base that is not in the tree.
        match outside {
            true => Value::Outside,
            false => Value::Unknown,
        }
    }

    /// What a name means in an extension, if the type is known.
    fn member_seen(&mut self, file: FileId, scope: ScopeId, name: Sym) -> Option<Value> {
        let facts = self.facts(file);
        let value = self.inherited(file, scope, facts.name(name));
        match value {
            Value::Unknown | Value::Outside => {
                self.choose(file, facts.bound(scope, name), u32::MAX, Space::Value)
            }
            value => Some(value),
        }
    }

    /// What imports of all names bring into a function or block, which binds them as `*`.
    fn of_stars(&mut self, file: FileId, scope: ScopeId, name: Sym, space: Space) -> Value {
        let Some(star) = self.world.sym(file, "*") else {
            return Value::Unknown;
        };
        let facts = self.facts(file);
        let imports = facts
            .bound(scope, star)
            .iter()
            .filter_map(|bind| match bind.bound {
                Bound::Import(import) => Some(import),
                _ => None,
            });
        let found = imports.map(|import| {
            let of = self.imported(file, import);
            self.static_member(&of, facts.name(name), file, space)
        });
        let found: Vec<Value> = found.filter(|value| *value != Value::Outside).collect();
        Value::any(found)
    }

    /// What a scope itself binds a name to, if that is seen from where it is asked.
    fn in_scope(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: Sym,
        at: u32,
        space: Space,
        first: bool,
    ) -> Option<Value> {
        let facts = self.facts(file);
        let binds = facts.bound(scope, name);
        if binds.is_empty() {
            return None;
        }
        let parameters_only = match facts.scope(scope).kind {
            ScopeKind::Object => self.rules(file).sight != Sight::Inside,
            ScopeKind::Type => match self.rules(file).sight {
                Sight::Inside => false,
                Sight::Body => !first,
                Sight::Never => true,
            },
            _ => false,
        };
        let seen = |bind: &&Bind| !parameters_only || matches!(bind.bound, Bound::Param { .. });
        let binds: Vec<Bind> = binds.iter().filter(seen).copied().collect();
        self.choose(file, &binds, at, space)
    }

    /// The value of those binds of one name that hold at a byte.
    pub fn choose(&mut self, file: FileId, binds: &[Bind], at: u32, space: Space) -> Option<Value> {
        let rules = self.rules(file);
        let facts = self.facts(file);
        let fits =
            |bind: &&Bind| bind.at <= at && fits_space(facts, bind, space, rules.separate_types);
        let mut held: Vec<Bind> = binds.iter().filter(fits).copied().collect();
        if rules.tags {
            apart(facts, &mut held, space);
        }
        let last = held.last()?;
        if last.at > 0 {
            return Some(self.bound(file, *last));
        }
        let defs: Vec<Ref> = held
            .iter()
            .filter_map(|bind| match bind.bound {
                Bound::Def(def) => Some(Ref { file, def }),
                _ => None,
            })
            .collect();
        if defs.len() > 1 && defs.len() == held.len() {
            // Where a hook picks, one without a body is as good as any other.
            return Some(match (rules.tags, rules.pick) {
                (true, _) => self.declared(defs),
                (_, Some(_)) => Value::Overloads(defs.into(), None),
                (_, None) => overloads(facts, defs),
            });
        }
        let values: Vec<Value> = held.iter().map(|bind| self.bound(file, *bind)).collect();
        Some(Value::any(values))
    }

    /// Definitions of one name, some of which others declare.
    fn declared(&mut self, defs: Vec<Ref>) -> Value {
        let mut bodies: Vec<Ref> = vec![];
        for def in defs {
            let body = self.body(def);
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
        match bodies[..] {
            [one] => Value::Def(one),
            _ => Value::Overloads(bodies.into(), None),
        }
    }

    /// What one bind stands for.
    pub fn bound(&mut self, file: FileId, bind: Bind) -> Value {
        match bind.bound {
            Bound::Def(def) => self.defined(Ref { file, def }),
            Bound::Import(import) => self.imported(file, import),
            Bound::Var { ty: UNTYPED, init } => self.eval(file, init),
            Bound::Var { ty, init } => {
                let value = self.value_of_type(file, ty);
                value.or_else(|| self.eval(file, init))
            }
            Bound::Param { .. } => {
                let value = Value::Param(file, bind.scope, bind.name);
                Value::Type(value.into())
            }
        }
    }

    /// A definition as a value: an enum's member is a value of the enum.
    fn defined(&mut self, def: Ref) -> Value {
        let defined = self.def(def);
        match (defined.kind, defined.parent) {
            (Kind::EnumMember, Some(parent))
                if defined.scope.is_none() && defined.params.is_empty() =>
            {
                let parent = Ref {
                    file: def.file,
                    def: parent,
                };
                Value::inst(parent)
            }
            _ => Value::Def(def),
        }
    }

    /// What an import binds.
    pub fn imported(&mut self, file: FileId, import: u32) -> Value {
        if let Some(value) = self.imports.get(&(file, import)) {
            return value.clone();
        }
        let value = self.guarded(Busy::Import, file, import, |eval| {
            let rules = eval.rules(file);
            let what = eval.facts(file).imports[import as usize];
            (rules.import)(eval, file, what)
        });
        self.imports.insert((file, import), value.clone());
        value
    }

    /// What a scope binds a name to, wherever it is asked from: a member of a module or namespace.
    pub fn of_scope(&mut self, file: FileId, scope: ScopeId, name: &str, space: Space) -> Value {
        let Some(sym) = self.world.sym(file, name) else {
            // Its names are part of its surface.
            self.facts(file);
            return Value::Unknown;
        };
        let binds = self.facts(file).bound(scope, sym);
        self.choose(file, binds, u32::MAX, space)
            .unwrap_or(Value::Unknown)
    }

    /// What a file binds a name to at its top.
    pub fn of_file(&mut self, file: FileId, name: &str, space: Space) -> Value {
        self.of_scope(file, FILE, name, space)
    }
}

/// Whether a bind can be meant where a type, or a value, stands.
fn fits_space(facts: &Facts, bind: &Bind, space: Space, separate: bool) -> bool {
    let Bound::Def(def) = bind.bound else {
        return !(separate && space == Space::Type && matches!(bind.bound, Bound::Var { .. }));
    };
    let def = facts.def(def);
    match space {
        Space::Type => {
            let value = def.kind.is_value() && def.kind != Kind::EnumMember && !def.is(flag::ALIAS);
            !(separate && (def.kind.is_callable() && !def.is_made() || value))
        }
        Space::Value => !(separate && matches!(def.kind, Kind::Interface | Kind::Type)),
    }
}

/// Where a name is that of a type and of something else, leaves those that are meant: a variable is no type.
fn apart(facts: &Facts, held: &mut Vec<Bind>, space: Space) {
    let is_type = |bind: &Bind| match bind.bound {
        Bound::Def(def) => facts.def(def).kind.is_type(),
        Bound::Param { .. } => true,
        Bound::Var { init, .. } => matches!(facts.expr(init), Expr::Type { .. }),
        Bound::Import(_) => false,
    };
    if space == Space::Type {
        held.retain(|bind| is_type(bind) || !matches!(bind.bound, Bound::Var { .. }));
    }
    let wanted = |bind: &Bind| is_type(bind) == (space == Space::Type);
    if held.iter().any(wanted) {
        held.retain(wanted);
    }
}

/// Definitions of one name: those with a body, if some have one, else all.
pub fn overloads(facts: &Facts, defs: Vec<Ref>) -> Value {
    let with_body: Vec<Ref> = defs
        .iter()
        .filter(|def| !facts.def(def.def).is(flag::DECLARATION))
        .copied()
        .collect();
    let defs = if with_body.is_empty() {
        defs
    } else {
        with_body
    };
    match defs[..] {
        [one] => Value::Def(one),
        _ => Value::Overloads(defs.into(), None),
    }
}
