//! `this`, as seen from a scope, and what bare names mean by it.

use super::*;

impl<'w> Eval<'w> {
    /// `this` as seen from a scope; in members of the type itself (static ones) the type.
    pub fn this(&mut self, file: FileId, scope: ScopeId) -> Value {
        let facts = self.facts(file);
        let Some(home) = self.this_scope(file, scope) else {
            return Value::Unknown;
        };
        if facts.scope(home).kind == ScopeKind::Object {
            return Value::Object(file, home);
        }
        let mut inner = scope;
        let mut function = None;
        while inner != home {
            let here = facts.scope(inner);
            if here.kind == ScopeKind::Function && here.def.is_some() {
                function = here.def;
            }
            inner = here.parent.unwrap_or(home);
        }
        let of_type = function.is_some_and(|def| {
            facts.def(def).is(flag::STATIC) || facts.def(def).is(flag::OF_CLASS)
        });
        match self.type_of_scope(file, home) {
            Value::Inst(def, _) if of_type => Value::Def(def),
            value => value,
        }
    }

    /// The nearest scope around one that has a `this`.
    pub fn this_scope(&mut self, file: FileId, scope: ScopeId) -> Option<ScopeId> {
        let facts = self.facts(file);
        let mut next = Some(scope);
        while let Some(here) = next {
            if matches!(facts.scope(here).kind, ScopeKind::Type | ScopeKind::Object) {
                return Some(here);
            }
            next = facts.scope(here).parent;
        }
        None
    }

    /// A value of the type whose members a scope holds, its parameters standing for themselves.
    pub fn type_of_scope(&mut self, file: FileId, scope: ScopeId) -> Value {
        let facts = self.facts(file);
        if facts.scope(scope).kind == ScopeKind::Object {
            return Value::Object(file, scope);
        }
        if let Some(def) = facts.scope(scope).def {
            let def = Ref { file, def };
            let params = self.parameters(def).into_iter();
            let args = params.map(|(file, scope, name)| Value::Param(file, scope, name));
            return Value::Inst(def, args.collect());
        }
        let extension = facts
            .extensions
            .iter()
            .find(|extension| extension.scope == scope);
        match extension {
            Some(extension) => self.value_of_type(file, extension.of),
            None => Value::Object(file, scope),
        }
    }

    /// What an object that is written out derives from.
    pub fn base_of_object(&mut self, file: FileId, scope: ScopeId) -> Option<Value> {
        let mut extensions = self.facts(file).extensions.iter();
        let extension = extensions.rfind(|extension| extension.scope == scope)?;
        Some(self.value_of_type(file, extension.of))
    }

    /// Whether the type whose members a scope holds has a base that is not in the tree.
    pub fn has_base_outside(&mut self, file: FileId, scope: ScopeId) -> bool {
        let this = self.type_of_scope(file, scope);
        let ancestors = self.ancestors(&this);
        let outside = |base: &Value| matches!(base, Value::Alien(..) | Value::Outside);
        ancestors.iter().skip(1).any(outside)
    }

    /// What a bare name inside of a type means as a member of it or of its bases.
    pub fn inherited(&mut self, file: FileId, scope: ScopeId, name: &str) -> Value {
        let this = self.type_of_scope(file, scope);
        self.member_from(&this, name, file, 0)
    }

    /// `super` as a value: the first base.
    pub fn base_of_this(&mut self, file: FileId, scope: ScopeId) -> Value {
        let this = match self.this(file, scope) {
            Value::Def(def) => Value::inst(def),
            value => value,
        };
        self.ancestors(&this)
            .get(1)
            .cloned()
            .unwrap_or(Value::Unknown)
    }
}
