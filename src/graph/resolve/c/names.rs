//! Names of C and C++ across files: a namespace is one in all files that see it, a prototype stands for the function that
//! another file defines, and what is `static` is its file's own.

use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key};

use super::headers;

pub const FAMILY: &str = "c";

pub fn key(path: &str) -> Key {
    Key::new("global", &[FAMILY, path])
}

/// Names that a file gives to others, with their namespaces, and the namespaces themselves.
pub fn provides(path: &str, _: &str, facts: &Facts, keys: &mut Vec<Key>) {
    headers::provide(path, keys);
    let mut paths: Vec<Option<String>> = vec![];
    for scope in &facts.scopes {
        let path = match (scope.kind, scope.parent) {
            (ScopeKind::File, _) => Some(String::new()),
            (ScopeKind::Space, Some(parent)) => {
                let name = scope.def.map_or("", |def| facts.name(facts.def(def).name));
                paths[parent as usize]
                    .as_deref()
                    .map(|outer| joined(outer, name))
            }
            _ => None,
        };
        if let Some(path) = path.as_deref().filter(|path| !path.is_empty()) {
            spaces(path).for_each(|space| keys.push(Key::new("space", &[FAMILY, space])));
        }
        paths.push(path);
    }
    for bind in &facts.binds {
        if let Some(Some(path)) = paths.get(bind.scope as usize) {
            keys.push(key(&joined(path, facts.name(bind.name))));
        }
    }
}

/// `a::b` and `a`.
fn spaces(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        path.rsplit_once("::").map(|(outer, _)| outer)
    })
}

pub fn joined(outer: &str, name: &str) -> String {
    match outer {
        "" => name.to_string(),
        outer => format!("{outer}::{name}"),
    }
}

/// The namespaces around a scope.
pub fn path_of(facts: &Facts, scope: ScopeId) -> String {
    let mut names = vec![];
    let mut next = Some(scope);
    while let Some(here) = next {
        let scope = facts.scope(here);
        if let (ScopeKind::Space, Some(def)) = (scope.kind, scope.def) {
            names.push(facts.name(facts.def(def).name));
        }
        next = scope.parent;
    }
    names.reverse();
    names.join("::")
}

/// A name that the file's own scopes do not bind: in the same namespace of what it includes, or in one whose names it uses.
pub fn outer(eval: &mut Eval<'_>, file: FileId, scope: ScopeId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    let path = path_of(facts, scope);
    let around = match facts.scope(scope).parent {
        Some(parent) => path_of(facts, parent),
        None => String::new(),
    };
    let mut inner = Some(path.as_str());
    while let Some(here) = inner.filter(|here| here.len() > around.len() || scope == FILE) {
        let found = global(eval, file, &joined(here, name), space);
        if found.known() {
            return found;
        }
        inner = here.rsplit_once("::").map(|(outer, _)| outer);
    }
    match scope {
        FILE => used(eval, file, name, space).or_else(|| unknown(eval, name)),
        _ => Value::Unknown,
    }
}

/// Functions of the C library that trees often define once more, for tests or for platforms that lack them.
const LIBRARY: &[&str] = &[
    "abort",
    "assert",
    "atoi",
    "calloc",
    "close",
    "exit",
    "fclose",
    "fopen",
    "fprintf",
    "free",
    "fwrite",
    "getenv",
    "malloc",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "open",
    "printf",
    "qsort",
    "read",
    "realloc",
    "snprintf",
    "sprintf",
    "strchr",
    "strcmp",
    "strcpy",
    "strdup",
    "strerror",
    "strlen",
    "strncmp",
    "strtol",
    "vsnprintf",
    "write",
];

/// A name that nothing in the tree has is that of a library; so is one of the C library that no file in sight defines.
fn unknown(eval: &mut Eval<'_>, name: &str) -> Value {
    if LIBRARY.contains(&name) {
        return Value::Outside;
    }
    let callable = !eval.find(Key::new("name", &[FAMILY, name])).is_empty();
    match callable || !eval.find(key(name)).is_empty() {
        true => Value::Unknown,
        false => Value::Outside,
    }
}

/// A name in a namespace that the file uses all names of.
fn used(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    for import in &facts.imports {
        if import.how != ImportKind::Star {
            continue;
        }
        let spec = facts.name(import.spec);
        let here = path_of(facts, import.scope);
        let around = spaces(&here).map(|outer| joined(outer, spec));
        let tried: Vec<String> = around.chain([spec.to_string()]).collect();
        for path in tried {
            let found = global(eval, file, &joined(&path, name), space);
            if found.known() {
                return found;
            }
        }
    }
    Value::Unknown
}

/// A name of a namespace, as far as the file that is linked sees it.
pub fn member_of_space(eval: &mut Eval<'_>, path: &str, name: &str, space: Space) -> Value {
    let file = eval.file;
    global(eval, file, &joined(path, name), space)
}

/// What a name with its namespaces means in a file: as the one that is linked sees it, which most often includes that file.
fn global(eval: &mut Eval<'_>, file: FileId, path: &str, space: Space) -> Value {
    let files = eval.find(key(path));
    if files.is_empty() {
        return space_at(eval, path);
    }
    let linked = eval.file;
    for from in [linked, file] {
        let seen = headers::seen(eval, from);
        let visible = files.iter().copied().filter(|id| seen.contains(id));
        let found = among(eval, &visible.collect::<Vec<_>>(), file, path, space);
        if found.known() {
            return found;
        }
    }
    // A header need not include all that it needs.
    if headers::is_header(eval.path(linked)) {
        let found = among(eval, &files, file, path, space);
        if found.known() {
            return found;
        }
    }
    space_at(eval, path)
}

fn space_at(eval: &mut Eval<'_>, path: &str) -> Value {
    match eval.find(Key::new("space", &[FAMILY, path])).is_empty() {
        true => Value::Unknown,
        false => Value::Space(path.into()),
    }
}

/// What these files bind a name to that others see.
fn among(eval: &mut Eval<'_>, files: &[FileId], asking: FileId, path: &str, space: Space) -> Value {
    let (outer, name) = path.rsplit_once("::").unwrap_or(("", path));
    let (mut defs, mut others) = (vec![], vec![]);
    for &file in files {
        let facts = eval.facts(file);
        let Some(sym) = eval.world.sym(file, name) else {
            continue;
        };
        let shared = file == asking || headers::is_header(eval.path(file));
        for scope in scopes_at(eval, file, outer) {
            let mut seen = facts.bound(scope, sym).to_vec();
            seen.retain(|bind| match bind.bound {
                Bound::Def(def) => shared || !facts.def(def).is(flag::PRIVATE),
                _ => true,
            });
            match eval.choose(file, &seen, u32::MAX, space) {
                Some(Value::Def(def)) => defs.push(def),
                Some(Value::Overloads(more, _)) => defs.extend(more.iter().copied()),
                Some(other) => others.push(other),
                None => {}
            }
        }
    }
    together(eval, defs, others, space)
}

/// The scopes of a namespace in a file.
pub fn scopes_at(eval: &mut Eval<'_>, file: FileId, path: &str) -> Vec<ScopeId> {
    if path.is_empty() {
        return vec![FILE];
    }
    let facts = eval.facts(file);
    let spaces = eval.spaces.entry(file).or_insert_with(|| {
        let all = facts.scopes.iter().zip(0..);
        let spaces = all.filter(|(scope, _)| scope.kind == ScopeKind::Space);
        spaces.map(|(_, id)| (path_of(facts, id), id)).collect()
    });
    let here = spaces.iter().filter(|(known, _)| known == path);
    here.map(|(_, id)| *id).collect()
}

/// One name's definitions of several files as one: prototypes are what they declare, a type hides nothing but types.
fn together(eval: &mut Eval<'_>, defs: Vec<Ref>, others: Vec<Value>, space: Space) -> Value {
    let is_type = |eval: &mut Eval<'_>, def: Ref| eval.def(def).kind.is_type();
    let mut bodies: Vec<Ref> = vec![];
    for def in defs {
        let body = eval.body(def);
        if !bodies.contains(&body) {
            bodies.push(body);
        }
    }
    let wanted = space == Space::Type;
    if bodies.iter().any(|&def| is_type(eval, def) == wanted) {
        bodies.retain(|&def| is_type(eval, def) == wanted);
    } else if !others.is_empty() {
        return Value::any(others);
    }
    // An alias of the type itself, or of what stands elsewhere: the first that is more than a name.
    match bodies[..] {
        [] => Value::any(others),
        [one] => Value::Def(one),
        _ if wanted => {
            let own = |&&def: &&Ref| !eval.world.facts(def.file).def(def.def).is(flag::ALIAS);
            Value::Def(*bodies.iter().find(own).unwrap_or(&bodies[0]))
        }
        _ => overloaded(eval, bodies),
    }
}

/// Functions of one name: in C it is one, whichever branch of a condition defines it.
fn overloaded(eval: &mut Eval<'_>, defs: Vec<Ref>) -> Value {
    let callable: Vec<Ref> = defs
        .iter()
        .copied()
        .filter(|&def| eval.def(def).kind.is_callable())
        .collect();
    match callable[..] {
        [] => Value::Def(defs[0]),
        [one] => Value::Def(one),
        _ => Value::Overloads(callable.into(), None),
    }
}

/// A function of the namespaces that the types of the arguments belong to.
pub fn called_with(eval: &mut Eval<'_>, name: &str, args: &[Value]) -> Value {
    let mut found = vec![];
    for arg in args.iter().flat_map(Value::parts) {
        let Value::Inst(def, _) = arg else { continue };
        let facts = eval.facts(def.file);
        let Some(scope) = facts.def(def.def).scope else {
            continue;
        };
        let path = path_of(facts, scope);
        if !path.is_empty() {
            let file = eval.file;
            found.push(global(eval, file, &joined(&path, name), Space::Value));
        }
    }
    Value::any(found)
}

/// What `#include`, `using a::b` and `namespace c = a::b` bring.
pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    if import.how != ImportKind::Plain {
        return headers::included(eval, file, import);
    }
    let facts = eval.facts(file);
    let spec = facts.name(import.spec);
    let here = path_of(facts, import.scope);
    let around = spaces(&here).map(|outer| joined(outer, spec));
    let tried: Vec<String> = around.chain([spec.to_string()]).collect();
    for path in tried {
        let found = match import.name {
            None => space_at(eval, &path),
            Some(name) => {
                let path = joined(&path, facts.name(name));
                let both = [Space::Value, Space::Type];
                Value::any(both.map(|space| global(eval, file, &path, space)))
            }
        };
        if found.known() {
            return found;
        }
    }
    Value::Outside
}
