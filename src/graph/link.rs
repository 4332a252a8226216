//! What one file's calls and uses reach: its edges, what stayed unresolved, and every key that was looked at on the way.
//! A pure function of the facts: the same whichever files were linked before it.

use super::eval::{Eval, Grade, Shape, Targets, shape};
use super::facts::*;
use super::value::{Ref, Value};
use super::world::{FileId, Key, World};
use crate::model::Kind;

/// A call that may mean one of more than these, out of a table of functions, tells of none of them that it is called.
const MOST_POSSIBLE: usize = 8;

/// One use of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// None at the top of the file.
    pub from: Option<DefId>,
    pub to: Ref,
    pub line: u32,
    pub sort: Sort,
    pub grade: Grade,
    /// Behind a condition that is never true.
    pub dead: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Call,
    /// Named, not called.
    Use,
}

/// A call that could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    pub from: Option<DefId>,
    pub line: u32,
    pub name: String,
    pub shape: Shape,
    /// How many arguments it is given.
    pub args: u32,
}

#[derive(Debug, Default)]
pub struct Linked {
    pub edges: Vec<Edge>,
    pub sites: Vec<Site>,
    /// Members and the members of bases that they stand for.
    pub overrides: Vec<(DefId, Ref)>,
    pub needs: Vec<Key>,
}

/// Links one file of a world.
pub fn link(world: &World<'_>, file: FileId) -> Linked {
    let mut eval = Eval::new(world, file);
    let mut linked = Linked::default();
    let facts = eval.facts(file);
    let elsewhere = eval.is_elsewhere(file);
    for call in &facts.calls {
        eval.refresh();
        let dead = call.dead || elsewhere;
        link_call(&mut eval, file, Call { dead, ..*call }, &mut linked);
    }
    for used in &facts.uses {
        eval.refresh();
        link_use(&mut eval, file, *used, &mut linked);
    }
    link_overrides(&mut eval, file, &mut linked);
    linked.edges.sort_unstable();
    linked.edges.dedup();
    linked.needs = eval.needs();
    linked
}

fn link_call(eval: &mut Eval<'_>, file: FileId, call: Call, linked: &mut Linked) {
    let edge = |to: Ref, grade: Grade| Edge {
        from: call.from,
        to,
        line: call.line,
        sort: Sort::Call,
        grade,
        dead: call.dead,
    };
    let targets = match eval.targets(file, call.expr) {
        Targets::Known(defs) if defs.len() > MOST_POSSIBLE => Targets::Unknown,
        targets => targets,
    };
    match targets {
        Targets::Known(mut defs) => {
            for def in &mut defs {
                *def = eval.body(*def);
            }
            defs.sort_unstable();
            defs.dedup();
            let grade = match defs.len() {
                1 => eval.grade(file, call.expr),
                _ => Grade::Possible,
            };
            for def in defs {
                linked.edges.push(edge(def, grade));
                if let Some(base) = eval.constructor_of_base(def) {
                    linked.edges.push(Edge {
                        sort: Sort::Use,
                        ..edge(base, grade)
                    });
                }
            }
        }
        Targets::Outside | Targets::Held => {
            // A conversion runs nothing, but names the type.
            if let Some(to) = eval.converted_to(file, call.expr) {
                linked.edges.push(Edge {
                    sort: Sort::Use,
                    ..edge(to, Grade::Exact)
                });
            }
        }
        Targets::Unknown => {
            let facts = eval.facts(file);
            let Some(name) = called_name(facts, call.expr) else {
                return;
            };
            let shape = shape(facts, call.expr);
            if let Some(only) = only_of_name(eval, file, name, shape) {
                linked.edges.push(edge(only, Grade::Guess));
            }
            linked.sites.push(Site {
                from: call.from,
                line: call.line,
                name: name.to_string(),
                shape,
                args: arguments(facts, call.expr),
            });
        }
    }
}

fn arguments(facts: &Facts, call: ExprId) -> u32 {
    match facts.expr(call) {
        Expr::Call { args, .. } | Expr::New { args, .. } => args.len,
        _ => 0,
    }
}

/// The name that a call is written with.
fn called_name(facts: &Facts, call: ExprId) -> Option<&str> {
    let callee = match facts.expr(call) {
        Expr::Call { callee, .. } => callee,
        Expr::New { of, .. } => of,
        _ => call,
    };
    match facts.expr(callee) {
        // Where methods have names of their own they are bound as `name()`.
        Expr::Name { name, .. } | Expr::Member { name, .. } | Expr::Static { name, .. } => {
            Some(facts.name(name).trim_end_matches("()"))
        }
        Expr::Type { ty } => match facts.ty(ty) {
            Type::Named { path, .. } => facts.list(path).last().map(|&name| facts.name(name)),
            _ => None,
        },
        _ => None,
    }
}

/// The only method of a name in the tree, for a call on a value of which nothing is known.
fn only_of_name(eval: &mut Eval<'_>, file: FileId, name: &str, shape: Shape) -> Option<Ref> {
    let rules = eval.rules(file);
    let on_value = matches!(
        shape,
        Shape::Receiver | Shape::Field | Shape::Chain | Shape::Other
    );
    if !on_value || rules.common.contains(&name) || name.starts_with("__") {
        return None;
    }
    let files = eval.find(Key::new("name", &[rules.family, name]));
    let [only] = files[..] else { return None };
    let facts = eval.facts(only);
    let sym = eval.world.sym(only, name)?;
    let is_method =
        |def: &&Def| def.name == sym && matches!(def.kind, Kind::Method | Kind::Function);
    let mut methods = facts.defs.iter().zip(0..).filter(|(def, _)| is_method(def));
    match (methods.next(), methods.next()) {
        (Some((def, id)), None) if def.kind == Kind::Method => Some(Ref {
            file: only,
            def: id,
        }),
        _ => None,
    }
}

fn link_use(eval: &mut Eval<'_>, file: FileId, used: Use, linked: &mut Linked) {
    let (value, grade) = match used.what {
        Used::Expr(expr) => (eval.eval(file, expr), eval.grade(file, expr)),
        Used::Type(ty) => (eval.type_in_use(file, ty), Grade::Exact),
        Used::Name(name) => {
            let space = super::resolve::Space::Value;
            (
                eval.lookup(file, FILE, name, u32::MAX, space),
                Grade::Possible,
            )
        }
    };
    // Who names an alias uses that, not what it stands for.
    let alias = match used.what {
        Used::Type(ty) => eval.alias_named(file, ty),
        _ => None,
    };
    let mut left = alias.unwrap_or(vec![value]);
    if let Used::Expr(expr) = used.what
        && let Expr::Member { of, name } = eval.facts(file).expr(expr)
    {
        let (of, name) = (eval.eval(file, of), eval.facts(file).name(name));
        left.extend(eval.accessors(&of, name).into_iter().map(Value::Def));
    }
    let mut reach = |eval: &mut Eval<'_>, to: Ref| {
        let to = eval.body(to);
        if used.from == Some(to.def) && to.file == file {
            return;
        }
        linked.edges.push(Edge {
            from: used.from,
            to,
            line: used.line,
            sort: Sort::Use,
            grade,
            dead: false,
        });
    };
    if let Used::Expr(expr) = used.what {
        for to in eval.read_by(file, expr) {
            reach(eval, to);
        }
    }
    while let Some(value) = left.pop() {
        match value {
            Value::Def(def) | Value::Method(def, _) => reach(eval, def),
            Value::Overloads(defs, _) => {
                defs.iter().for_each(|&def| reach(eval, def));
            }
            Value::Any(parts) => left.extend(parts.iter().cloned()),
            // A type is used where it is written, with its arguments; a value of it does not name it.
            Value::Inst(def, args) if matches!(used.what, Used::Type(_)) => {
                reach(eval, def);
                left.extend(args.iter().cloned());
            }
            Value::Alien(_, args) | Value::Tuple(args) if matches!(used.what, Used::Type(_)) => {
                left.extend(args.iter().cloned());
            }
            Value::Type(value) => left.push((*value).clone()),
            _ => {}
        }
    }
}

/// Notes which members of bases the members of each type stand for.
fn link_overrides(eval: &mut Eval<'_>, file: FileId, linked: &mut Linked) {
    let facts = eval.facts(file);
    let mut scopes = vec![];
    for (scope, id) in facts.scopes.iter().zip(0..) {
        if matches!(scope.kind, ScopeKind::Type | ScopeKind::Object) {
            scopes.push(id);
        }
    }
    for scope in scopes {
        eval.refresh();
        let this = eval.type_of_scope(file, scope);
        let this = match this {
            Value::Inst(own, _) => Value::inst(own),
            this => this,
        };
        let bases = overridable(eval, file, &this);
        for bind in facts.binds_in(scope) {
            let Bound::Def(def) = bind.bound else {
                continue;
            };
            if !facts.def(def).kind.is_callable() || facts.def(def).kind == Kind::Constructor {
                continue;
            }
            let name = facts.name(bind.name);
            for &base in &bases {
                let found = eval.own_member(base, name, super::resolve::Space::Value);
                let over = match found {
                    Value::Def(over) => vec![over],
                    Value::Overloads(defs, _) => defs.to_vec(),
                    _ => continue,
                };
                linked
                    .overrides
                    .extend(over.into_iter().map(|over| (def, over)));
            }
        }
    }
    linked.overrides.sort_unstable();
    linked.overrides.dedup();
}

/// Types whose members those of a type may stand for: its bases, and what it meets without naming it.
fn overridable(eval: &mut Eval<'_>, file: FileId, of: &Value) -> Vec<Ref> {
    let rules = eval.rules(file);
    let mut bases = vec![];
    if !rules.lends {
        let ancestors = eval.ancestors(of);
        bases.extend(ancestors.iter().skip(1).filter_map(|base| match base {
            Value::Inst(base, _) => Some(*base),
            _ => None,
        }));
    }
    if let Value::Inst(own, _) = of {
        bases.extend((rules.meets)(eval, *own));
    }
    bases
}

/// What a file can be found by.
pub fn provides(path: &str, home: &str, rules: &super::resolve::Rules, facts: &Facts) -> Vec<Key> {
    let mut keys = vec![Key::file(path)];
    let of_types = |extension: &&Extension| facts.scope(extension.scope).kind != ScopeKind::Object;
    for extension in facts.extensions.iter().filter(of_types) {
        let mut of = facts.ty(extension.of);
        while let Type::Ref { of: inner } = of {
            of = facts.ty(inner);
        }
        if let Type::Named { path, .. } = of
            && let Some(&name) = facts.list(path).last()
        {
            keys.push(Key::extension(rules.family, facts.name(name)));
        }
    }
    for def in facts.defs.iter().filter(|def| def.kind.is_callable()) {
        keys.push(Key::new("name", &[rules.family, facts.name(def.name)]));
    }
    (rules.provides)(path, home, facts, &mut keys);
    keys.sort_unstable();
    keys.dedup();
    keys
}
