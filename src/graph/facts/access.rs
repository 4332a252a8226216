//! Facts by their ids and names.

use super::*;

impl Facts {
    pub fn name(&self, sym: Sym) -> &str {
        &self.names[sym as usize]
    }

    pub fn list(&self, list: List) -> &[u32] {
        &self.lists[list.start as usize..][..list.len as usize]
    }

    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id as usize]
    }

    pub fn ty(&self, id: TypeId) -> Type {
        self.types[id as usize]
    }

    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id as usize]
    }

    pub fn scope(&self, id: ScopeId) -> Scope {
        self.scopes[id as usize]
    }

    /// What a scope binds, sorted by name and place.
    pub fn binds_in(&self, scope: ScopeId) -> &[Bind] {
        let from = self.binds.partition_point(|bind| bind.scope < scope);
        let to = self.binds.partition_point(|bind| bind.scope <= scope);
        &self.binds[from..to]
    }

    /// What a name is bound to in a scope, in source order.
    pub fn bound(&self, scope: ScopeId, name: Sym) -> &[Bind] {
        let key = (scope, name);
        let from = self
            .binds
            .partition_point(|bind| (bind.scope, bind.name) < key);
        let to = self
            .binds
            .partition_point(|bind| (bind.scope, bind.name) <= key);
        &self.binds[from..to]
    }
}

impl Def {
    /// Whether values can be made of it.
    pub fn is_made(&self) -> bool {
        self.kind.is_type() || self.is(flag::MAKES)
    }

    /// The fewest and the most arguments that it takes.
    pub fn arity(&self) -> (u32, u32) {
        let least = self.params.iter().filter(|param| !param.optional).count() as u32;
        match self.is(flag::VARIADIC) {
            true => (least, u32::MAX),
            false => (least, self.params.len() as u32),
        }
    }

    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}
