//! Modules: which file an import means, and which names a file has for others.

use super::{FAMILY, known};
use crate::graph::eval::{Busy, Eval};
use crate::graph::facts::*;
use crate::graph::packages::Packages;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key};

/// File names that are modules.
const SUFFIXES: [&str; 2] = [".py", ".pyi"];

/// The dotted name of a path, as from the folder that its package's imports begin at.
pub fn home(path: &str, _: &Facts, packages: &Packages) -> String {
    let roots = packages.all.iter().filter(|package| package.holds(path));
    let roots = roots.flat_map(|package| {
        let maps = package.maps.iter().map(|map| map.to.as_str());
        maps.chain([package.root.as_str()])
    });
    let inside = roots
        .filter_map(|root| below(path, root))
        .min_by_key(|rest| rest.len())
        .unwrap_or(path);
    let inside = inside.strip_prefix("src/").unwrap_or(inside);
    module_path(inside).replace('/', ".")
}

/// The path of a module without what makes it a file.
fn module_path(path: &str) -> &str {
    let stem = SUFFIXES.iter().find_map(|suffix| path.strip_suffix(suffix));
    let stem = stem.unwrap_or(path);
    match stem.strip_suffix("__init__") {
        Some(folder) => folder.trim_end_matches('/'),
        None => stem,
    }
}

fn below<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    match root {
        "" => Some(path),
        root => path.strip_prefix(root)?.strip_prefix('/'),
    }
}

fn module_key(dotted: &str) -> Key {
    Key::new("module", &[FAMILY, dotted])
}

/// Every name that a module could go by, depending on where imports begin.
pub fn provides(path: &str, _: &str, _: &Facts, keys: &mut Vec<Key>) {
    let mut rest = Some(module_path(path));
    while let Some(path) = rest.filter(|path| !path.is_empty()) {
        keys.push(module_key(&path.replace('/', ".")));
        rest = path.split_once('/').map(|(_, rest)| rest);
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_package(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    SUFFIXES
        .iter()
        .any(|suffix| name.strip_suffix(suffix) == Some("__init__"))
}

/// The module at a path without its suffix.
fn file_of(eval: &mut Eval<'_>, path: &str) -> Option<FileId> {
    let inside = crate::graph::packages::join(path, "__init__");
    [inside.as_str(), path].into_iter().find_map(|path| {
        SUFFIXES
            .iter()
            .find_map(|suffix| eval.file_at(&format!("{path}{suffix}")))
    })
}

/// What `import spec`, or `from spec import name`, binds.
pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let facts = eval.facts(file);
    let spec = facts.name(import.spec);
    let Some(name) = import.name.map(|name| facts.name(name)) else {
        return module(eval, file, spec);
    };
    let inner = match spec.ends_with('.') {
        true => format!("{spec}{name}"),
        false => format!("{spec}.{name}"),
    };
    match module(eval, file, spec) {
        // A package that imports its own module.
        Value::File(own) if own == file => module(eval, file, &inner),
        Value::File(module_file) => {
            let value = exported(eval, module_file, name, Space::Value);
            value.or_else(|| module(eval, file, &inner))
        }
        _ => module(eval, file, &inner),
    }
}

/// The module of a dotted name, relative or absolute.
fn module(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Value {
    let found = match spec.starts_with('.') {
        true => relative(eval, file, spec),
        false => absolute(eval, file, spec),
    };
    match found {
        Some(found) => Value::File(found),
        None if !spec.contains('.') && is_namespace(eval, file, spec) => Value::Space(spec.into()),
        None if is_inside(eval, file, spec) => Value::Unknown,
        None => Value::Outside,
    }
}

/// Whether a module that is not there should be: its package is.
fn is_inside(eval: &mut Eval<'_>, file: FileId, spec: &str) -> bool {
    match spec.split_once('.') {
        Some(("", _)) => true,
        Some((top, _)) => absolute(eval, file, top).is_some(),
        None => false,
    }
}

fn relative(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Option<FileId> {
    let rest = spec.trim_start_matches('.');
    let mut at = folder(eval.path(file));
    for _ in 1..spec.len() - rest.len() {
        at = folder(at);
    }
    let path = crate::graph::packages::join(at, &rest.replace('.', "/"));
    file_of(eval, &path)
}

/// The file of an absolute name, where imports of this file can begin at the folder above it.
fn absolute(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Option<FileId> {
    let found = eval.find(module_key(spec));
    let importer = folder(eval.path(file)).to_string();
    let mut best: Option<(usize, FileId)> = None;
    for &candidate in found.iter() {
        let path = module_path(eval.path(candidate));
        let Some(root) = path.strip_suffix(&spec.replace('.', "/")) else {
            continue;
        };
        let root = root.trim_end_matches('/');
        let Some(rank) = rank(eval, root, &importer) else {
            continue;
        };
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, file)| file)
}

/// How near a folder that imports may begin at is to the file that imports: the nearest comes first.
fn rank(eval: &mut Eval<'_>, root: &str, importer: &str) -> Option<usize> {
    let packaged = SUFFIXES.iter().any(|suffix| {
        let path = crate::graph::packages::join(root, &format!("__init__{suffix}"));
        eval.file_at(&path).is_some()
    });
    if packaged {
        return None;
    }
    let around =
        |root: &str| root.is_empty() || importer == root || below(importer, root).is_some();
    let parent = root
        .strip_suffix("src")
        .map(|parent| parent.trim_end_matches('/'));
    if around(root) || parent.is_some_and(around) {
        return Some(root.len() + 1);
    }
    let mut declared = eval.world.packages.all.iter().filter(|package| {
        let source = parent == Some(&package.root);
        source || package.root == root || package.maps.iter().any(|map| map.to == root)
    });
    declared.next().map(|_| 0)
}

/// Whether a name is that of a folder without a module of its own that one of the file's imports lies in.
fn is_namespace(eval: &mut Eval<'_>, file: FileId, name: &str) -> bool {
    let facts = eval.facts(file);
    facts.imports.iter().any(|import| {
        let spec = facts.name(import.spec);
        let inside = spec
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.'));
        inside && absolute(eval, file, spec).is_some()
    })
}

/// A module of a folder that has none of its own.
pub fn member_of_space(eval: &mut Eval<'_>, path: &str, name: &str, _: Space) -> Value {
    let dotted = format!("{path}.{name}");
    match eval.find(module_key(&dotted)).first() {
        Some(&file) => Value::File(file),
        None => Value::Space(dotted.into()),
    }
}

/// A name that the file itself does not bind: from a star import, or the language's own.
pub fn outer(eval: &mut Eval<'_>, file: FileId, _: ScopeId, name: &str, space: Space) -> Value {
    let starred = starred(eval, file, name, space);
    starred.or_else(|| match known::is_builtin(name) {
        true => Value::Outside,
        false => Value::Unknown,
    })
}

fn starred(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    for (import, index) in facts.imports.iter().zip(0..) {
        if import.how != ImportKind::Star {
            continue;
        }
        let found = eval.guarded(Busy::Exported, file, index, |eval| {
            match module(eval, file, facts.name(import.spec)) {
                Value::File(module) if shows(eval, module, name) => {
                    exported(eval, module, name, space)
                }
                Value::File(_) => Value::Unknown,
                _ if known::is_builtin(name) => Value::Outside,
                _ => Value::Unknown,
            }
        });
        if found.known() {
            return found;
        }
    }
    Value::Unknown
}

/// Whether a star import brings a name: what `__all__` lists, else whatever does not begin with `_`.
fn shows(eval: &mut Eval<'_>, module: FileId, name: &str) -> bool {
    let facts = eval.facts(module);
    let listed = |export: &Export| export.name.is_some_and(|listed| facts.name(listed) == name);
    match facts.exports.is_empty() {
        true => !name.starts_with('_'),
        false => facts.exports.iter().any(listed),
    }
}

/// A name of a module: what it binds, what its star imports bring, a module inside of it.
pub fn exported(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    let bound = eval.world.sym(file, name);
    if bound.is_some_and(|name| !facts.bound(FILE, name).is_empty()) {
        return eval.of_file(file, name, space);
    }
    let starred = starred(eval, file, name, space);
    if starred.known() || !is_package(eval.path(file)) {
        return starred;
    }
    let path = crate::graph::packages::join(folder(eval.path(file)), name);
    file_of(eval, &path).map_or(Value::Unknown, Value::File)
}

/// Of several definitions of one name, those that run: not the heads of overloads.
pub fn with_bodies(eval: &mut Eval<'_>, defs: &[Ref], _: &[Value]) -> Vec<Ref> {
    let runs = |def: &Ref| !eval.def(*def).is(flag::DECLARATION);
    let running: Vec<Ref> = defs.iter().copied().filter(runs).collect();
    if running.is_empty() {
        return defs.to_vec();
    }
    running
}
