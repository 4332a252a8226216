//! The definitions that prototypes and members declared in their class stand for.

use super::headers;
use super::names::{FAMILY, joined, key, path_of, scopes_at};
use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::value::Ref;
use crate::graph::world::{FileId, Key};
use crate::model::Kind;

/// The definition that a prototype, or a member declared in its class, stands for.
pub fn body(eval: &mut Eval<'_>, declared: Ref) -> Ref {
    let defined = eval.def(declared);
    if !defined.kind.is_callable() {
        return declared;
    }
    let name = eval.def_name(declared);
    let owner = defined.parent.map(|def| Ref {
        file: declared.file,
        def,
    });
    let found = match owner.filter(|&owner| eval.def(owner).kind.is_type()) {
        Some(owner) => members(eval, owner, name, defined.kind),
        None => functions(eval, declared, name),
    };
    nearest(eval, declared, found)
}

/// Members of this name that are defined outside of their type.
fn members(eval: &mut Eval<'_>, owner: Ref, name: &str, kind: Kind) -> Vec<Ref> {
    let name = match kind {
        Kind::Constructor => "<init>",
        _ => name,
    };
    let mut found = vec![];
    for &(file, index) in eval.extensions_of(owner).iter() {
        let facts = eval.facts(file);
        let scope = facts.extensions[index as usize].scope;
        let Some(sym) = eval.world.sym(file, name) else {
            continue;
        };
        defined(facts, file, facts.bound(scope, sym), &mut found);
    }
    found
}

fn defined(facts: &Facts, file: FileId, binds: &[Bind], found: &mut Vec<Ref>) {
    for bind in binds {
        if let Bound::Def(def) = bind.bound
            && facts.def(def).kind.is_callable()
            && !facts.def(def).is(flag::DECLARATION)
        {
            found.push(Ref { file, def });
        }
    }
}

/// Functions of this name and namespace that are defined in other files.
fn functions(eval: &mut Eval<'_>, declared: Ref, name: &str) -> Vec<Ref> {
    let facts = eval.facts(declared.file);
    let home = facts
        .def(declared.def)
        .scope
        .and_then(|scope| facts.scope(scope).parent);
    let outer = home.map_or(String::new(), |home| path_of(facts, home));
    let mut found = vec![];
    qualified(eval, &outer, name, &mut found);
    for &file in eval.find(key(&joined(&outer, name))).iter() {
        let facts = eval.facts(file);
        let Some(sym) = eval.world.sym(file, name) else {
            continue;
        };
        for scope in scopes_at(eval, file, &outer) {
            defined(facts, file, facts.bound(scope, sym), &mut found);
        }
    }
    let own = declared.file;
    found.retain(|&def| def.file == own || !eval.def(def).is(flag::PRIVATE));
    found
}

/// Functions that are defined outside of their namespace: `void a::f() {}`.
fn qualified(eval: &mut Eval<'_>, outer: &str, name: &str, found: &mut Vec<Ref>) {
    let Some(last) = outer.rsplit("::").next().filter(|last| !last.is_empty()) else {
        return;
    };
    for &file in eval.find(Key::extension(FAMILY, last)).iter() {
        let facts = eval.facts(file);
        let Some(sym) = eval.world.sym(file, name) else {
            continue;
        };
        for extension in &facts.extensions {
            let Type::Named { path, scope, .. } = facts.ty(extension.of) else {
                continue;
            };
            let mut spelled = path_of(facts, scope);
            for &part in facts.list(path) {
                spelled = joined(&spelled, facts.name(part));
            }
            if spelled == outer {
                defined(facts, file, facts.bound(extension.scope, sym), found);
            }
        }
    }
}

/// Of several definitions the one with the same parameters; among those the one in the same file, in one that sees the
/// declaration, in one of the same name.
fn nearest(eval: &mut Eval<'_>, declared: Ref, mut found: Vec<Ref>) -> Ref {
    if let [one] = found[..] {
        return one;
    }
    if !found.is_empty() {
        let wanted = signature(eval, declared);
        let same: Vec<Ref> = found
            .iter()
            .copied()
            .filter(|&def| signature(eval, def) == wanted)
            .collect();
        if !same.is_empty() {
            found = same;
        }
    }
    let stem = |path: &str| {
        path.rsplit_once('.')
            .map_or(path, |(stem, _)| stem)
            .to_string()
    };
    let own = stem(eval.path(declared.file));
    let best = found.into_iter().max_by_key(|def| {
        let sees =
            def.file == declared.file || headers::seen(eval, def.file).contains(&declared.file);
        let same = stem(eval.path(def.file)) == own;
        (
            def.file == declared.file,
            sees,
            same,
            std::cmp::Reverse(*def),
        )
    });
    best.unwrap_or(declared)
}

/// The names of a definition's parameter types.
fn signature(eval: &mut Eval<'_>, def: Ref) -> Vec<String> {
    let facts = eval.facts(def.file);
    let params = facts.def(def.def).params.iter();
    params.map(|param| facts.show_type(param.ty)).collect()
}
