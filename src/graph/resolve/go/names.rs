//! Names across the files of a package and across packages. A package is the files of a folder that bear its name; it is known by
//! the path it is imported by.

use std::rc::Rc;

use super::{FAMILY, interfaces};
use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::packages::{Packages, join};
use crate::graph::resolve::Space;
use crate::graph::value::Value;
use crate::graph::world::{FileId, Key};
use crate::model::Kind;

const MANIFEST: &str = "go.mod";
const WORKSPACE: &str = "go.work";

/// The path that a file's package is imported by; without a manifest, the folder.
pub fn home(path: &str, _: &Facts, packages: &Packages) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match packages.of(path, MANIFEST) {
        Some(module) => {
            let inside = folder.strip_prefix(&*module.root).unwrap_or(folder);
            join(&module.name, inside.trim_start_matches('/'))
        }
        None => folder.to_string(),
    }
}

fn package_key(home: &str) -> Key {
    Key::new("package", &[FAMILY, home])
}

fn member_key(home: &str, name: &str) -> Key {
    Key::new("member", &[FAMILY, home, name])
}

pub fn provides(_: &str, home: &str, facts: &Facts, keys: &mut Vec<Key>) {
    keys.push(package_key(home));
    for bind in facts.binds_in(FILE) {
        if !matches!(bind.bound, Bound::Import(_)) {
            keys.push(member_key(home, facts.name(bind.name)));
        }
    }
    for def in &facts.defs {
        if def.kind == Kind::Method && def.is(flag::DECLARATION) {
            keys.push(interfaces::key(facts.name(def.name)));
        }
    }
}

pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let spec = eval.facts(file).name(import.spec);
    let path = imported_path(eval, file, spec);
    path.map_or(Value::Outside, |path| Value::Space(path.into()))
}

/// The home of what is imported, if it is in the tree: as written, as the module replaces it, or as the module keeps it.
fn imported_path(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Option<String> {
    if !eval.find(package_key(spec)).is_empty() {
        return Some(spec.to_string());
    }
    let packages = eval.world.packages;
    let module = packages.of(eval.path(file), MANIFEST)?;
    let workspace = packages.of(eval.path(file), WORKSPACE);
    let maps = workspace.into_iter().chain([module]);
    let mut maps = maps.flat_map(|package| &package.maps);
    let replaced = maps.find_map(|map| {
        let rest = spec.strip_prefix(&*map.from)?;
        let inside = rest.is_empty() || rest.starts_with('/');
        let by = packages.all.iter().filter(|_| inside);
        let mut by = by.filter(|by| by.manifest == MANIFEST && by.root == map.to);
        by.next().map(|by| format!("{}{rest}", by.name))
    });
    let kept = format!("{}/vendor/{spec}", module.name);
    let path = replaced.unwrap_or(kept);
    let known = !eval.find(package_key(&path)).is_empty();
    known.then_some(path)
}

/// What the language itself calls so; a package may have other things of these names.
const UNIVERSE: &[&str] = &[
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// A name that its file does not bind: another file's of the package, the language's own, one that an import brings.
pub fn outer(eval: &mut Eval<'_>, file: FileId, _: ScopeId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    let package = facts.package.map_or("", |package| facts.name(package));
    let files = eval.find(member_key(eval.home(file), name));
    let asking = Asking {
        package: Some(package),
        elsewhere: eval.is_elsewhere(file),
    };
    let found = among(eval, &files, asking, name, space);
    if found.known() {
        return found;
    }
    if UNIVERSE.contains(&name) {
        return Value::Outside;
    }
    let brought = facts.imports.iter().map(|&import| {
        let spec = facts.name(import.spec);
        brought(eval, file, spec, import.how, name, space)
    });
    let brought: Vec<Value> = brought.filter(Value::known).collect();
    let inside = brought.iter().find(|value| **value != Value::Outside);
    let found = inside.or(brought.first());
    found.cloned().unwrap_or(Value::Unknown)
}

/// What an import may bring under a name that it does not bind: a member, where it is imported with a dot, or the package
/// itself, where that has another name than its path tells.
fn brought(
    eval: &mut Eval<'_>,
    file: FileId,
    spec: &str,
    how: ImportKind,
    name: &str,
    space: Space,
) -> Value {
    let path = imported_path(eval, file, spec);
    match (how, path) {
        (ImportKind::Star, Some(path)) => member_of_space(eval, &path, name, space),
        (ImportKind::Plain, Some(path)) if is_called(eval, &path, name) => {
            Value::Space(path.into())
        }
        (ImportKind::Star, None) => Value::Outside,
        (ImportKind::Plain, None) if may_be_called(spec, name) => Value::Outside,
        _ => Value::Unknown,
    }
}

/// Whether a package that is not in the tree can have a name: its path spells it, but for signs that no name has.
fn may_be_called(spec: &str, name: &str) -> bool {
    let letters = spec.chars().filter(|c| c.is_alphanumeric() || *c == '/');
    letters.collect::<String>().contains(name)
}

/// Whether a package bears a name.
fn is_called(eval: &mut Eval<'_>, path: &str, name: &str) -> bool {
    let files = eval.find(package_key(path));
    files.iter().any(|&file| {
        let facts = eval.facts(file);
        facts
            .package
            .is_some_and(|package| facts.name(package) == name)
    })
}

pub fn member_of_space(eval: &mut Eval<'_>, path: &str, name: &str, space: Space) -> Value {
    let files = eval.find(member_key(path, name));
    let asking = Asking {
        package: None,
        elsewhere: false,
    };
    among(eval, &files, asking, name, space)
}

/// From where a name of a package is asked.
#[derive(Clone, Copy)]
struct Asking<'a> {
    /// The package's own name, if it is from inside: then nothing of another package in its folder is meant.
    package: Option<&'a str>,
    /// From a file for another platform.
    elsewhere: bool,
}

/// What the files of a package bind a name to. Files for other platforms count only where no other has it, or among
/// themselves.
fn among(
    eval: &mut Eval<'_>,
    files: &Rc<[FileId]>,
    asking: Asking<'_>,
    name: &str,
    space: Space,
) -> Value {
    let mut found = vec![];
    for &file in files.iter() {
        let facts = eval.facts(file);
        let of = facts.package.map_or("", |package| facts.name(package));
        let meant = match asking.package {
            Some(package) => of == package,
            None => of != "main" && !of.ends_with("_test"),
        };
        if meant {
            let alike = eval.is_elsewhere(file) == asking.elsewhere;
            found.push((alike, eval.of_file(file, name, space)));
        }
    }
    if found.iter().any(|(alike, _)| *alike) {
        found.retain(|(alike, _)| *alike);
    }
    Value::any(found.into_iter().map(|(_, value)| value))
}
