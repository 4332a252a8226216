//! Which definitions names reach across Java files: packages, imports, types that are members of types.

use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key};

fn member_key(package: &str, name: &str) -> Key {
    Key::new("member", &["java", package, name])
}

/// The package.
pub fn home(facts: &Facts) -> String {
    facts
        .package
        .map_or(String::new(), |package| facts.name(package).to_string())
}

/// The types at the top of the file, as members of its package.
pub fn provides(home: &str, facts: &Facts, keys: &mut Vec<Key>) {
    let top = facts
        .defs
        .iter()
        .filter(|def| def.parent.is_none() && def.kind.is_type());
    keys.extend(top.map(|def| member_key(home, facts.name(def.name))));
}

pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let facts = eval.facts(file);
    let spec = facts.name(import.spec);
    let Some(name) = import.name.map(|name| facts.name(name)) else {
        return Value::Outside;
    };
    let found = match import.how {
        ImportKind::Plain => in_path(eval, file, spec, name),
        _ => static_member(eval, file, spec, name, Space::Value),
    };
    found.or_else(|| match import.how {
        ImportKind::Plain => of_library(name),
        _ => Value::Outside,
    })
}

/// A type that is not in the tree, by its name.
fn of_library(name: &str) -> Value {
    Value::Type(Value::alien(name, &[]).into())
}

/// A name that the file neither binds nor imports by itself: of its package, of packages and types that it imports all of.
pub fn outer(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    if !name.ends_with("()") {
        let sibling = in_package(eval, file, eval.home(file), name);
        if sibling.known() {
            return sibling;
        }
    }
    for import in &eval.facts(file).imports {
        let spec = eval.facts(file).name(import.spec);
        let found = match import.how {
            ImportKind::Star if !name.ends_with("()") => in_path(eval, file, spec, name),
            ImportKind::StaticStar => static_member(eval, file, spec, name, space),
            _ => continue,
        };
        if found.known() {
            return found;
        }
    }
    unbound(eval, file, name, space)
}

/// Methods that every object or every enum has.
const OF_EVERY: &[&str] = &[
    "toString()",
    "equals()",
    "hashCode()",
    "getClass()",
    "clone()",
    "finalize()",
    "notify()",
    "notifyAll()",
    "wait()",
    "name()",
    "ordinal()",
    "compareTo()",
    "getDeclaringClass()",
    "annotationType()",
];

/// Whether a file imports all members of a type that is not in the tree.
fn imports_from_outside(eval: &mut Eval<'_>, file: FileId) -> bool {
    let facts = eval.facts(file);
    let stars = facts
        .imports
        .iter()
        .filter(|import| import.how == ImportKind::StaticStar);
    let specs: Vec<&str> = stars.map(|import| facts.name(import.spec)).collect();
    specs.into_iter().any(|spec| {
        let (outer, inner) = spec.rsplit_once('.').unwrap_or(("", spec));
        !in_path(eval, file, outer, inner).known()
    })
}

/// What a name can be that nothing in the tree binds.
fn unbound(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let first = name.chars().next();
    match name.ends_with("()") {
        true if OF_EVERY.contains(&name) || imports_from_outside(eval, file) => Value::Outside,
        true => Value::Unknown,
        // By custom types begin with a capital, packages do not.
        false if first.is_some_and(char::is_uppercase) => match space {
            Space::Type => Value::Outside,
            Space::Value => of_library(name),
        },
        // A package, or a field inherited from outside: nothing in the tree has a member of that name.
        false => Value::Space(name.into()),
    }
}

/// A name of a package: a type, or a package in it.
pub fn of_package(eval: &mut Eval<'_>, package: &str, name: &str) -> Value {
    if name.ends_with("()") {
        return Value::Outside;
    }
    // Whoever asks, the same package answers: by its path, the first that has it.
    let found = eval.find(member_key(package, name));
    for &file in found.iter() {
        let value = top(eval, file, name);
        if value.known() {
            return value;
        }
    }
    Value::Space(format!("{package}.{name}").into())
}

/// A type of a package, the nearest by its path if several files have it.
fn in_package(eval: &mut Eval<'_>, asking: FileId, package: &str, name: &str) -> Value {
    let found = eval.find(member_key(package, name));
    let here = eval.path(asking);
    let mut files: Vec<FileId> = found.to_vec();
    files.sort_by_key(|&file| std::cmp::Reverse(shared(here, eval.path(file))));
    for file in files {
        let value = top(eval, file, name);
        if value.known() {
            return value;
        }
    }
    Value::Unknown
}

/// How many folders two paths begin with alike.
fn shared(one: &str, other: &str) -> usize {
    let pairs = one.split('/').zip(other.split('/'));
    pairs.take_while(|(one, other)| one == other).count()
}

fn top(eval: &mut Eval<'_>, file: FileId, name: &str) -> Value {
    let Some(sym) = eval.world.sym(file, name) else {
        return Value::Unknown;
    };
    let mut binds = eval.facts(file).bound(FILE, sym).iter();
    let def = binds.find_map(|bind| match bind.bound {
        Bound::Def(def) => Some(def),
        _ => None,
    });
    def.map_or(Value::Unknown, |def| Value::Def(Ref { file, def }))
}

/// A type by the dotted name that an import writes: in a package, or in a type.
fn in_path(eval: &mut Eval<'_>, file: FileId, spec: &str, name: &str) -> Value {
    let found = in_package(eval, file, spec, name);
    if found.known() {
        return found;
    }
    let Some((outer, inner)) = spec.rsplit_once('.') else {
        return Value::Unknown;
    };
    // Types begin with a capital by custom, packages do not: what looks like a package is not searched for types.
    if !inner.starts_with(char::is_uppercase) {
        return Value::Unknown;
    }
    let of = in_path(eval, file, outer, inner);
    inside(eval, file, &of, name, Space::Type)
}

fn static_member(eval: &mut Eval<'_>, file: FileId, spec: &str, name: &str, space: Space) -> Value {
    let (outer, inner) = spec.rsplit_once('.').unwrap_or(("", spec));
    let of = in_path(eval, file, outer, inner);
    inside(eval, file, &of, name, space)
}

fn inside(eval: &mut Eval<'_>, file: FileId, of: &Value, name: &str, space: Space) -> Value {
    if !of.known() {
        return Value::Unknown;
    }
    match eval.static_member(of, name, file, space) {
        Value::Outside => Value::Unknown,
        found => found,
    }
}
