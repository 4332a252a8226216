//! Python: what its trees say of definitions, names and calls, and which names reach which definitions.

mod bind;
mod call;
mod define;
mod import;
mod known;
mod module;
mod narrow;
mod statement;
mod types;
mod value;

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::{Order, Rules, Sight};
use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place};
use crate::model::Kind;

const FAMILY: &str = "python";

pub static RULES: Rules = Rules {
    languages: &["python"],
    family: FAMILY,
    lower,
    home: module::home,
    provides: module::provides,
    import: module::import,
    outer: module::outer,
    exported: module::exported,
    member_of_space: module::member_of_space,
    alien: known::alien,
    peel: known::peel,
    pick: Some(module::with_bodies),
    sight: Sight::Body,
    order: Order::C3,
    calls_construct: true,
    constructors: &["__init__", "__new__"],
    inherits_constructors: false,
    call_member: "__call__",
    common: known::COMMON,
    ..Rules::DEFAULT
};

fn lower(lower: &mut Lower<'_>, root: Node<'_>) {
    let mut walk = Walk::new(lower);
    walk.later.push((root, Place::TOP));
    while let Some((node, place)) = walk.later.pop() {
        walk.statement(node, place);
    }
    walk.finish();
}

/// One pass over a tree, and what is known only at its end.
struct Walk<'w, 'a, 't> {
    lower: &'w mut Lower<'a>,
    /// Nested too deep to be read where they stand.
    later: Vec<(Node<'t>, Place)>,
    /// What methods call the value, or the class, that they are called on.
    receivers: HashMap<ScopeId, Sym>,
    /// Names that `global` and `nonlocal` move to another scope.
    moved: HashMap<(ScopeId, Sym), ScopeId>,
    /// What methods bind in their classes, and what classes bind themselves.
    fields: HashSet<(ScopeId, Sym)>,
    members: HashMap<(ScopeId, Sym), u32>,
    /// From where the statement that is read binds its names.
    bound_at: u32,
    /// What functions and blocks bind.
    locals: HashSet<(ScopeId, Sym)>,
    /// Those of them that are definitions or imports.
    named: HashSet<(ScopeId, Sym)>,
    comprehensions: HashSet<ScopeId>,
    /// What is defined here and imported from beside: never the language's own.
    own: HashSet<Sym>,
    /// Members that checks tell something of, as written: `self.x`.
    checked: HashSet<&'a str>,
    /// Classes whose members are values of them.
    enums: HashSet<ScopeId>,
    /// Type variables.
    variables: HashSet<Sym>,
    /// Names read, which are uses unless they turn out to be locals.
    read: Vec<Use>,
    /// Names that imports bind.
    imported: Vec<Use>,
    /// Parameters of lambdas, until it is known what calls them.
    lambdas: HashMap<ExprId, Vec<Sym>>,
    /// What functions return and yield, by their scope.
    returned: HashMap<ScopeId, Vec<ExprId>>,
    yielded: HashMap<ScopeId, Vec<ExprId>>,
    /// What the last generator type read takes, and what functions get for what they yield.
    taken: Option<TypeId>,
    sent: HashMap<ScopeId, TypeId>,
    /// How deep blocks stand in one another.
    blocks: HashMap<ScopeId, u32>,
}

impl<'w, 'a, 't> Walk<'w, 'a, 't> {
    fn new(lower: &'w mut Lower<'a>) -> Self {
        let defs = lower.facts.defs.iter();
        let own = defs
            .filter(|def| {
                let function = def.kind == Kind::Function && def.parent.is_none();
                function || matches!(def.kind, Kind::Class | Kind::Type)
            })
            .map(|def| def.name)
            .collect();
        Walk {
            lower,
            own,
            checked: HashSet::new(),
            enums: HashSet::new(),
            variables: HashSet::new(),
            comprehensions: HashSet::new(),
            later: vec![],
            receivers: HashMap::new(),
            moved: HashMap::new(),
            fields: HashSet::new(),
            members: HashMap::new(),
            bound_at: 0,
            named: HashSet::new(),
            locals: HashSet::new(),
            read: vec![],
            imported: vec![],
            lambdas: HashMap::new(),
            returned: HashMap::new(),
            yielded: HashMap::new(),
            taken: None,
            sent: HashMap::new(),
            blocks: HashMap::new(),
        }
    }

    /// Reads a nested node, or puts it off.
    fn deeper<T>(
        &mut self,
        node: Node<'t>,
        place: Place,
        otherwise: T,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if !self.lower.enter() {
            self.later.push((node, place));
            return otherwise;
        }
        let result = read(self);
        self.lower.leave();
        result
    }

    /// The scope that a statement at a scope binds names in: blocks have none of their own.
    fn home(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let Scope { kind, parent, .. } = self.lower.facts.scopes[scope as usize];
            match parent {
                Some(parent) if kind == ScopeKind::Block => scope = parent,
                _ => return scope,
            }
        }
    }

    /// The innermost scope of a kind around a scope, itself among them.
    fn around(&self, mut scope: ScopeId, kind: ScopeKind) -> Option<ScopeId> {
        loop {
            let here = self.lower.facts.scopes[scope as usize];
            if here.kind == kind {
                return Some(scope);
            }
            scope = here.parent?;
        }
    }

    fn is_local(&self, name: Sym, scope: ScopeId) -> bool {
        self.local(name, scope).is_some()
    }

    /// The innermost scope of a function or block that binds a name.
    fn local(&self, name: Sym, mut scope: ScopeId) -> Option<ScopeId> {
        loop {
            if self.locals.contains(&(scope, name)) {
                return Some(scope);
            }
            scope = self.lower.facts.scopes[scope as usize].parent?;
        }
    }

    /// Whether a name is that of a local value, which no other file can mean and nobody asks for.
    fn is_value(&self, name: Sym, scope: ScopeId) -> bool {
        let scope = self.local(name, scope);
        scope.is_some_and(|scope| !self.named.contains(&(scope, name)))
    }

    fn finish(mut self) {
        self.results();
        self.written();
        self.outward();
        for used in std::mem::take(&mut self.read) {
            let Used::Expr(expr) = used.what else {
                continue;
            };
            match self.lower.facts.expr(expr) {
                Expr::Name { name, scope, .. } if self.is_value(name, scope) => {}
                _ => self.lower.facts.uses.push(used),
            }
        }
        self.named_by_imports();
        self.lower.facts.uses.sort_by_key(|used| used.line);
    }

    /// Whoever renames a definition must look at the imports of it, too: of names that only the import binds.
    fn named_by_imports(&mut self) {
        let mut bound: HashMap<(ScopeId, Sym), u32> = HashMap::new();
        for bind in &self.lower.facts.binds {
            *bound.entry((bind.scope, bind.name)).or_default() += 1;
        }
        for used in std::mem::take(&mut self.imported) {
            let Used::Expr(expr) = used.what else {
                continue;
            };
            if let Expr::Name { name, scope, .. } = self.lower.facts.expr(expr)
                && bound.get(&(scope, name)) == Some(&1)
            {
                self.lower.facts.uses.push(used);
            }
        }
    }

    /// What functions return, where they do not say it: of a generator, what it yields.
    fn results(&mut self) {
        for (scope, yielded) in std::mem::take(&mut self.yielded) {
            if let Some(def) = self.lower.facts.scopes[scope as usize].def {
                self.lower.flag(def, flag::GENERATOR);
            }
            self.returned.insert(scope, yielded);
        }
        let mut returned: Vec<_> = self.returned.drain().collect();
        returned.sort_unstable();
        for (scope, returned) in returned {
            let Some(def) = self.lower.facts.scopes[scope as usize].def else {
                continue;
            };
            if self.lower.def(def).returns.is_none() {
                self.lower.def(def).returned = self.lower.list(&returned);
            }
        }
    }

    /// Names in a class that it does not bind so far, or only its methods do, as fields (`self.x = x`), mean something around it.
    fn outward(&mut self) {
        let facts = &mut self.lower.facts;
        let scopes = &facts.scopes;
        let seen = |name: Sym, at: u32, mut scope: ScopeId| {
            while let Scope {
                kind: ScopeKind::Type,
                parent: Some(parent),
                ..
            } = scopes[scope as usize]
            {
                let hidden = match self.members.get(&(scope, name)) {
                    Some(from) => at < *from,
                    None => self.fields.contains(&(scope, name)),
                };
                if !hidden {
                    break;
                }
                scope = parent;
            }
            scope
        };
        for expr in &mut facts.exprs {
            if let Expr::Name { name, scope, at } = expr {
                *scope = seen(*name, *at, *scope);
            }
        }
        for ty in &mut facts.types {
            if let Type::Named { path, scope, .. } = ty
                && let Some(&first) = facts.lists.get(path.start as usize)
            {
                *scope = seen(first, u32::MAX, *scope);
            }
        }
    }

    /// Where the type of a name is written, its other values say no more of it.
    fn written(&mut self) {
        let facts = &mut self.lower.facts;
        let telling =
            |bind: &&Bind| matches!(bind.bound, Bound::Var { ty, .. } if tells(facts, ty, 0));
        let written: HashSet<_> = facts
            .binds
            .iter()
            .filter(telling)
            .map(|bind| (bind.scope, bind.name))
            .collect();
        facts.binds.retain(|bind| {
            let value = matches!(bind.bound, Bound::Var { ty: UNTYPED, .. });
            !value || !written.contains(&(bind.scope, bind.name))
        });
    }
}

/// Whether a type says what can be called: `Callable` leaves open which function that is.
fn tells(facts: &Facts, ty: TypeId, depth: u32) -> bool {
    match facts.ty(ty) {
        Type::Unknown
        | Type::Function { .. }
        | Type::Basic {
            literal: Literal::Null,
        } => false,
        Type::Union { of } if depth < 4 => {
            let mut parts = facts.list(of).iter();
            parts.any(|&part| tells(facts, part, depth + 1))
        }
        _ => true,
    }
}

/// The parts of a node that mean something.
fn parts<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    std::iter::from_fn(move || {
        while more {
            let node = cursor.node();
            more = cursor.goto_next_sibling();
            if node.is_named() && !node.is_extra() {
                return Some(node);
            }
        }
        None
    })
}

fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}
