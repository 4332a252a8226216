//! What of a file's facts other files can see, as one number: while it stays the same, no other file needs to be linked again.
//! Left out are places, calls, uses, and what functions bind inside, unless a value that others can see refers to it.

use std::hash::{Hash, Hasher};

use super::facts::*;

/// Names by their text, all else by what it refers to: an edit that only moves things changes nothing.
pub fn surface(facts: &Facts) -> u64 {
    let mut surface = Surface {
        facts,
        types: vec![],
        exprs: vec![],
        reached: reached(facts),
    };
    surface.types = (0..facts.types.len() as u32).map(|_| 0).collect();
    for id in 0..facts.types.len() {
        surface.types[id] = surface.ty(id as TypeId);
    }
    for id in 0..facts.exprs.len() {
        let hash = surface.expr(id as ExprId);
        surface.exprs.push(hash);
    }
    surface.all()
}

struct Surface<'a> {
    facts: &'a Facts,
    types: Vec<u64>,
    exprs: Vec<u64>,
    /// Scopes of functions that values lead into which other files can see.
    reached: Vec<bool>,
}

/// Scopes whose names the values refer to that other files can see: those of fields, of what functions return where they do not
/// say its type, of exports; and what these names stand for in their turn.
fn reached(facts: &Facts) -> Vec<bool> {
    let mut scopes = vec![false; facts.scopes.len()];
    let mut exprs = vec![false; facts.exprs.len()];
    let mut left: Vec<ExprId> = vec![];
    for def in &facts.defs {
        left.extend(facts.list(def.returned));
    }
    left.extend(facts.types.iter().filter_map(|ty| match ty {
        Type::Of { expr } => Some(*expr),
        _ => None,
    }));
    left.extend(facts.exports.iter().filter_map(|export| match export.of {
        Exported::Value(value) => Some(value),
        _ => None,
    }));
    let inside = |scope: ScopeId| {
        let kind = facts.scope(scope).kind;
        matches!(kind, ScopeKind::Function | ScopeKind::Block)
    };
    let open = facts.binds.iter().filter(|bind| !inside(bind.scope));
    left.extend(open.filter_map(value_of));
    while let Some(id) = left.pop() {
        if std::mem::replace(&mut exprs[id as usize], true) {
            continue;
        }
        let expr = facts.expr(id);
        left.extend(operands(facts, expr));
        let mut next = match expr {
            Expr::Name { scope, .. } | Expr::Lambda { scope, .. } => Some(scope),
            _ => None,
        };
        while let Some(scope) = next.filter(|&scope| inside(scope) && !scopes[scope as usize]) {
            scopes[scope as usize] = true;
            left.extend(facts.binds_in(scope).iter().filter_map(value_of));
            next = facts.scope(scope).parent;
        }
    }
    scopes
}

/// The expressions that an expression is made of.
fn operands(facts: &Facts, expr: Expr) -> Vec<ExprId> {
    match expr {
        Expr::Member { of, .. }
        | Expr::Static { of, .. }
        | Expr::Index { of }
        | Expr::Peel { of, .. }
        | Expr::Spread { of }
        | Expr::Keyword { value: of, .. }
        | Expr::Given { call: of, .. } => vec![of],
        Expr::Call { callee: of, args } | Expr::New { of, args } => {
            let args = facts.list(args).iter().copied();
            std::iter::once(of).chain(args).collect()
        }
        Expr::Either { of }
        | Expr::Array { of }
        | Expr::Tuple { of }
        | Expr::Lambda { returned: of, .. } => facts.list(of).to_vec(),
        Expr::Unknown
        | Expr::Name { .. }
        | Expr::This { .. }
        | Expr::Super { .. }
        | Expr::Typed { .. }
        | Expr::Type { .. }
        | Expr::Literal { .. }
        | Expr::Object { .. }
        | Expr::Def { .. } => vec![],
    }
}

fn value_of(bind: &Bind) -> Option<ExprId> {
    match bind.bound {
        Bound::Var { init, .. } => Some(init),
        _ => None,
    }
}

/// FNV-1a: the same on every machine and in every release of Rust.
#[derive(Clone)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hasher() -> Fnv {
    Fnv(0xcbf2_9ce4_8422_2325)
}

impl Surface<'_> {
    fn name(&self, sym: Sym) -> &str {
        self.facts.name(sym)
    }

    fn names(&self, list: List) -> Vec<&str> {
        self.facts
            .list(list)
            .iter()
            .map(|&sym| self.name(sym))
            .collect()
    }

    fn types_of(&self, list: List) -> Vec<u64> {
        self.facts
            .list(list)
            .iter()
            .map(|&ty| self.types[ty as usize])
            .collect()
    }

    fn exprs_of(&self, list: List) -> Vec<u64> {
        let known = |&expr: &u32| self.exprs.get(expr as usize).copied().unwrap_or(0);
        self.facts.list(list).iter().map(known).collect()
    }

    fn ty(&self, id: TypeId) -> u64 {
        let mut hash = hasher();
        let ty = self.facts.ty(id);
        std::mem::discriminant(&ty).hash(&mut hash);
        match ty {
            Type::Unknown | Type::This { .. } => {}
            Type::Named { path, args, .. } => {
                (self.names(path), self.types_of(args)).hash(&mut hash)
            }
            Type::Ref { of } | Type::Array { of } => self.types[of as usize].hash(&mut hash),
            Type::Map { key, value } => {
                (self.types[key as usize], self.types[value as usize]).hash(&mut hash)
            }
            Type::Tuple { of } | Type::Union { of } | Type::All { of } => {
                self.types_of(of).hash(&mut hash)
            }
            Type::Function { params, returns } => {
                (self.types_of(params), self.types[returns as usize]).hash(&mut hash)
            }
            Type::Of { expr } => self.facts.show(expr).hash(&mut hash),
            Type::Members { scope } => self.shape(scope).hash(&mut hash),
            Type::Member { of, name } => (self.types[of as usize], self.name(name)).hash(&mut hash),
            Type::Argument { of, index } => (self.types[of as usize], index).hash(&mut hash),
            Type::Basic { literal } => (literal as u8).hash(&mut hash),
        }
        hash.finish()
    }

    fn expr(&self, id: ExprId) -> u64 {
        let mut hash = hasher();
        let expr = self.facts.expr(id);
        let of = |id: ExprId| self.exprs.get(id as usize).copied().unwrap_or(0);
        std::mem::discriminant(&expr).hash(&mut hash);
        match expr {
            Expr::Unknown | Expr::This { .. } | Expr::Super { .. } => {}
            Expr::Name { name, .. } => self.name(name).hash(&mut hash),
            Expr::Member { of: inner, name }
            | Expr::Static { of: inner, name }
            | Expr::Keyword { value: inner, name } => {
                (of(inner), self.name(name)).hash(&mut hash);
            }
            Expr::Call { callee, args } | Expr::New { of: callee, args } => {
                (of(callee), self.exprs_of(args)).hash(&mut hash)
            }
            Expr::Index { of: inner } | Expr::Spread { of: inner } => of(inner).hash(&mut hash),
            Expr::Peel { of: inner, peel } => (of(inner), self.peel(peel)).hash(&mut hash),
            Expr::Either { of } | Expr::Array { of } | Expr::Tuple { of } => {
                self.exprs_of(of).hash(&mut hash)
            }
            Expr::Typed { ty } | Expr::Type { ty } => self.types[ty as usize].hash(&mut hash),
            Expr::Literal { literal } => (literal as u8).hash(&mut hash),
            Expr::Object { scope } => self.shape(scope).hash(&mut hash),
            Expr::Lambda { scope, returned } => {
                (self.shape(scope), self.exprs_of(returned)).hash(&mut hash)
            }
            Expr::Def { def } => self.name(self.facts.def(def).qual).hash(&mut hash),
            Expr::Given {
                call,
                argument,
                index,
            } => (of(call), argument, index).hash(&mut hash),
        }
        hash.finish()
    }

    fn peel(&self, peel: Peel) -> String {
        match peel {
            Peel::Variant { of, field } => format!("{}.{field}", self.types[of as usize]),
            Peel::VariantField { of, name } => {
                format!("{}.{}", self.types[of as usize], self.name(name))
            }
            Peel::Without { of } => format!("not {}", self.types[of as usize]),
            plain => format!("{plain:?}"),
        }
    }

    /// The names that a scope binds: which scope is meant, whatever its number.
    fn shape(&self, scope: ScopeId) -> Vec<&str> {
        self.facts
            .binds_in(scope)
            .iter()
            .map(|bind| self.name(bind.name))
            .collect()
    }

    /// Whether what a scope binds stays inside of its function.
    fn hidden(&self, scope: ScopeId) -> bool {
        let kind = self.facts.scope(scope).kind;
        matches!(kind, ScopeKind::Function | ScopeKind::Block) && !self.reached[scope as usize]
    }

    fn bound(&self, bound: Bound, hash: &mut Fnv) {
        match bound {
            Bound::Def(def) => self.name(self.facts.def(def).qual).hash(hash),
            Bound::Import(import) => self.import(import, hash),
            Bound::Var { ty, init } => {
                (self.types[ty as usize], self.exprs[init as usize]).hash(hash)
            }
            Bound::Param { bounds } => self.types_of(bounds).hash(hash),
        }
    }

    fn import(&self, import: u32, hash: &mut Fnv) {
        let import = self.facts.imports[import as usize];
        (
            self.name(import.spec),
            import.name.map(|name| self.name(name)),
            import.how as u8,
        )
            .hash(hash);
    }

    fn all(&self) -> u64 {
        let facts = self.facts;
        let mut hash = hasher();
        facts
            .package
            .map(|package| self.name(package))
            .hash(&mut hash);
        for def in &facts.defs {
            (def.kind.name(), self.name(def.qual), def.flags).hash(&mut hash);
            for param in &def.params {
                (
                    self.name(param.name),
                    self.types[param.ty as usize],
                    param.optional,
                )
                    .hash(&mut hash);
            }
            (
                def.returns.map(|ty| self.types[ty as usize]),
                self.exprs_of(def.returned),
                self.types_of(def.bases),
            )
                .hash(&mut hash);
        }
        for (scope, id) in facts.scopes.iter().zip(0..) {
            if self.hidden(id) {
                continue;
            }
            (
                scope.kind as u8,
                scope.def.map(|def| self.name(facts.def(def).qual)),
            )
                .hash(&mut hash);
            let mut binds: Vec<&Bind> = facts.binds_in(id).iter().collect();
            binds.sort_by_key(|bind| (self.name(bind.name), bind.at));
            for bind in binds {
                (self.name(bind.name), bind.at > 0).hash(&mut hash);
                self.bound(bind.bound, &mut hash);
            }
        }
        (0..facts.imports.len() as u32).for_each(|import| self.import(import, &mut hash));
        for export in &facts.exports {
            export.name.map(|name| self.name(name)).hash(&mut hash);
            match export.of {
                Exported::Local(local) => self.name(local).hash(&mut hash),
                Exported::Value(value) => self.exprs[value as usize].hash(&mut hash),
                Exported::Import(import) => self.import(import, &mut hash),
            }
        }
        for extension in &facts.extensions {
            (
                self.types[extension.of as usize],
                extension.by.map(|by| self.types[by as usize]),
            )
                .hash(&mut hash);
            self.shape(extension.scope).hash(&mut hash);
        }
        hash.finish()
    }
}
