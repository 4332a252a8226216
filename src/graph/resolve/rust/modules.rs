//! Modules: which file is which, what paths and imports reach. A module is a file or a block in one; its parent is whoever
//! declares it. Crates are found by their manifests.

use crate::graph::eval::{Busy, Eval};
use crate::graph::facts::*;
use crate::graph::packages::Packages;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key};

use super::library;

const FAMILY: &str = "rust";
const MANIFEST: &str = "Cargo.toml";

/// Crates that come with the language.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// Modules above one another that are climbed.
const MOST_LEVELS: usize = 64;

/// The crate and the module, by the path: `globset::glob`.
pub fn home(path: &str, _: &Facts, packages: &Packages) -> String {
    let package = packages.of(path, MANIFEST);
    let (name, root) = package.map_or(("crate", ""), |package| (&*package.name, &*package.root));
    let below = path
        .strip_prefix(root)
        .unwrap_or(path)
        .trim_start_matches('/');
    let below = below.strip_prefix("src/").unwrap_or(below);
    let module = below.trim_end_matches(".rs").trim_end_matches("/mod");
    match module {
        "lib" | "main" | "mod" => name.to_string(),
        module => format!("{name}::{}", module.replace('/', "::")),
    }
}

/// The files it declares modules to be, and its macros.
pub fn provides(path: &str, _: &str, facts: &Facts, keys: &mut Vec<Key>) {
    for import in facts
        .imports
        .iter()
        .filter(|import| import.how == ImportKind::Module)
    {
        let declared = files_of_module(path, facts, *import).into_iter();
        keys.extend(declared.map(|path| Key::new("module", &[FAMILY, &path])));
    }
    for def in facts
        .defs
        .iter()
        .filter(|def| def.kind == crate::model::Kind::Macro)
    {
        keys.push(Key::new("macro", &[FAMILY, facts.name(def.name)]));
    }
}

/// Where the file of a module may lie that another declares.
fn files_of_module(path: &str, facts: &Facts, import: Import) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut inner = vec![];
    let mut scope = Some(import.scope);
    while let Some(here) = scope {
        let here = facts.scope(here);
        if let (ScopeKind::Space, Some(def)) = (here.kind, here.def) {
            inner.push(facts.name(facts.def(def).name));
        }
        scope = here.parent;
    }
    inner.reverse();
    let written = facts.name(import.spec);
    let own = match file.trim_end_matches(".rs") {
        "lib" | "main" | "mod" => vec![],
        stem => vec![stem],
    };
    if !written.is_empty() {
        // Written paths are relative to the folder of the file, inside of blocks to that of the module.
        let own = if inner.is_empty() { vec![] } else { own };
        let parts = own.into_iter().chain(inner).chain([written]);
        return vec![joined(folder, parts)];
    }
    let name = import
        .name
        .map_or("", |name| facts.name(name))
        .trim_start_matches("r#");
    let (plain, folded) = (format!("{name}.rs"), format!("{name}/mod.rs"));
    let below = |own: &[&str], last: &str| {
        let parts = own
            .iter()
            .copied()
            .chain(inner.iter().copied())
            .chain([last]);
        joined(folder, parts)
    };
    let mut found = vec![below(&own, &plain), below(&own, &folded)];
    if !own.is_empty() {
        // Roots of crates bear any name: tests, examples, binaries.
        found.extend([below(&[], &plain), below(&[], &folded)]);
    }
    found
}

/// A path below a folder, `..` taken out.
fn joined<'a>(folder: &'a str, parts: impl IntoIterator<Item = &'a str>) -> String {
    let parts = parts.into_iter().flat_map(|part| part.split('/'));
    let mut out: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in parts {
        match part {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out.join("/")
}

pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let facts = eval.facts(file);
    if import.how == ImportKind::Module {
        let files = files_of_module(eval.path(file), facts, import);
        let found = files.iter().find_map(|path| eval.file_at(path));
        return found.map_or(Value::Unknown, Value::File);
    }
    let base = path(eval, file, import.scope, facts.name(import.spec));
    match import.name {
        None => base,
        Some(name) => {
            // Both a module and a function may be meant.
            let name = facts.name(name);
            let ty = eval.static_member(&base, name, file, Space::Type);
            let value = eval.static_member(&base, name, file, Space::Value);
            let ty = if ty == Value::Outside && value.known() {
                Value::Unknown
            } else {
                ty
            };
            Value::any([ty, value])
        }
    }
}

/// What a path of names stands for as seen from a scope.
fn path(eval: &mut Eval<'_>, file: FileId, scope: ScopeId, spec: &str) -> Value {
    if let Some(spec) = spec.strip_prefix("::") {
        let (first, rest) = spec.split_once("::").unwrap_or((spec, ""));
        let base = named_crate(eval, file, first);
        return below(eval, file, base, rest);
    }
    let (first, rest) = spec.split_once("::").unwrap_or((spec, ""));
    let module = module_scope(eval.facts(file), scope);
    let mut base = match special(eval, file, module, first) {
        Value::Unknown => in_blocks(eval, file, scope, module, first),
        special => special,
    };
    if !base.known() {
        base = member(eval, file, module, first, Space::Type);
    }
    if matches!(base, Value::Unknown | Value::Outside) {
        // What nothing declares is a crate from outside.
        base = named_crate(eval, file, first).or_else(|| Value::Outside);
    }
    below(eval, file, base, rest)
}

/// What blocks around a place bind.
fn in_blocks(
    eval: &mut Eval<'_>,
    file: FileId,
    scope: ScopeId,
    module: ScopeId,
    name: &str,
) -> Value {
    let mut here = scope;
    while here != module {
        let found = eval.of_scope(file, here, name, Space::Type);
        if found.known() {
            return found;
        }
        let Some(parent) = eval.facts(file).scope(here).parent else {
            break;
        };
        here = parent;
    }
    Value::Unknown
}

fn below(eval: &mut Eval<'_>, file: FileId, base: Value, rest: &str) -> Value {
    let names = rest.split("::").filter(|name| !name.is_empty());
    names.fold(base, |base, name| {
        eval.static_member(&base, name, file, Space::Type)
    })
}

/// The module that a scope lies in: that of the file, or of a block.
fn module_scope(facts: &Facts, scope: ScopeId) -> ScopeId {
    let mut here = scope;
    loop {
        let at = facts.scope(here);
        match (at.kind, at.parent) {
            (ScopeKind::File | ScopeKind::Space, _) | (_, None) => return here,
            (_, Some(parent)) => here = parent,
        }
    }
}

fn module(facts: &Facts, file: FileId, scope: ScopeId) -> Value {
    match facts.scope(scope).def {
        Some(def) if scope != FILE => Value::Def(Ref { file, def }),
        _ => Value::File(file),
    }
}

/// `crate`, `self`, `super`.
fn special(eval: &mut Eval<'_>, file: FileId, scope: ScopeId, name: &str) -> Value {
    let facts = eval.facts(file);
    match name {
        "self" => module(facts, file, scope),
        "super" => match facts.scope(scope).parent {
            Some(parent) => {
                let parent = module_scope(facts, parent);
                module(facts, file, parent)
            }
            None => parent(eval, file).map_or(Value::Unknown, |(file, scope)| {
                let facts = eval.facts(file);
                module(facts, file, scope)
            }),
        },
        "crate" | "$crate" => {
            let mut root = file;
            for _ in 0..MOST_LEVELS {
                match parent(eval, root) {
                    Some((above, _)) if above != root => root = above,
                    _ => break,
                }
            }
            Value::File(root)
        }
        _ => Value::Unknown,
    }
}

/// The module that declares a file to be one.
fn parent(eval: &mut Eval<'_>, file: FileId) -> Option<(FileId, ScopeId)> {
    let path = eval.path(file);
    let declaring = eval.find(Key::new("module", &[FAMILY, path]));
    for &above in declaring.iter().filter(|&&above| above != file) {
        let facts = eval.facts(above);
        let modules = facts
            .imports
            .iter()
            .filter(|import| import.how == ImportKind::Module);
        for import in modules {
            let files = files_of_module(eval.path(above), facts, *import);
            if files.iter().any(|declared| declared == path) {
                return Some((above, module_scope(facts, import.scope)));
            }
        }
    }
    None
}

/// A crate by the name it is imported under: one of the tree, or the standard library.
fn named_crate(eval: &mut Eval<'_>, file: FileId, name: &str) -> Value {
    if STANDARD.contains(&name) {
        return Value::Space("std".into());
    }
    let packages = eval.world.packages;
    let own = packages.of(eval.path(file), MANIFEST);
    let renamed = own.and_then(|package| {
        package
            .maps
            .iter()
            .find(|map| map.private && map.from == name)
    });
    let name = renamed.map_or(name, |map| &map.to);
    let mut all = packages
        .all
        .iter()
        .filter(|package| package.manifest == MANIFEST);
    let lib = all.find_map(|package| {
        let mut libs = package.maps.iter().filter(|map| !map.private);
        libs.find(|map| map.from == name || renamed.is_some() && package.name == name)
    });
    let root = lib.and_then(|map| eval.file_at(&map.to));
    root.map_or(Value::Unknown, Value::File)
}

/// A name of a module.
pub fn member(
    eval: &mut Eval<'_>,
    file: FileId,
    scope: ScopeId,
    name: &str,
    space: Space,
) -> Value {
    let found = eval.of_scope(file, scope, name, space);
    match found.known() {
        true => found,
        false => starred(eval, file, scope, name, space),
    }
}

pub fn exported(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let found = special(eval, file, FILE, name);
    match found.known() {
        true => found,
        false => member(eval, file, FILE, name, space),
    }
}

/// What imports of all names bring into a module.
fn starred(eval: &mut Eval<'_>, file: FileId, scope: ScopeId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    let stars = facts.imports.iter().zip(0..);
    let stars = stars.filter(|(import, _)| import.how == ImportKind::Star && import.scope == scope);
    let mut outside = false;
    for (star, index) in stars.collect::<Vec<_>>() {
        let once = Key::new("star", &[&index.to_string(), name]).0 as u32;
        let found = eval.guarded(Busy::Exported, file, once, |eval| {
            let of = path(eval, file, star.scope, facts.name(star.spec));
            match of {
                Value::Unknown | Value::Outside => of,
                of => match eval.static_member(&of, name, file, space) {
                    Value::Outside => Value::Unknown,
                    found => found,
                },
            }
        });
        match found {
            Value::Unknown => {}
            Value::Outside => outside = true,
            found => return found,
        }
    }
    match outside {
        true => Value::Outside,
        false => Value::Unknown,
    }
}

/// A name that a module does not bind: imports of all names, crates, what needs no import. Modules around it do not tell.
pub fn outer(eval: &mut Eval<'_>, file: FileId, scope: ScopeId, name: &str, space: Space) -> Value {
    if let Some(name) = name.strip_suffix('!') {
        return named_macro(eval, name);
    }
    let found = special(eval, file, scope, name);
    if found.known() {
        return found;
    }
    let found = starred(eval, file, scope, name, space);
    if found.known() && found != Value::Outside {
        return found;
    }
    let found = library::prelude(name);
    if found.known() {
        return found;
    }
    match named_crate(eval, file, name) {
        Value::Unknown => Value::Outside,
        found => found,
    }
}

/// A macro of that name, if there is but one in the tree: where they are seen from follows rules of its own.
fn named_macro(eval: &mut Eval<'_>, name: &str) -> Value {
    let files = eval.find(Key::new("macro", &[FAMILY, name]));
    let [file] = files[..] else {
        return Value::Outside;
    };
    let facts = eval.facts(file);
    let is_it = |def: &&Def| def.kind == crate::model::Kind::Macro && facts.name(def.name) == name;
    let mut found = facts.defs.iter().zip(0..).filter(|(def, _)| is_it(def));
    match (found.next(), found.next()) {
        (Some((_, def)), None) => Value::Def(Ref { file, def }),
        _ => Value::Outside,
    }
}

pub fn member_of_space(_: &mut Eval<'_>, space: &str, name: &str, _: Space) -> Value {
    library::item(space, name)
}
