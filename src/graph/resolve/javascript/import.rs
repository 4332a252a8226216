//! What imports bring: the file behind a module's name, what it exports under a name, names that are global.

use super::modules::WHOLE;
use crate::graph::eval::{Busy, Eval};
use crate::graph::facts::*;
use crate::graph::resolve::Space;
use crate::graph::value::Value;
use crate::graph::world::{FileId, Key};

/// Endings that a module's name may leave out.
const ENDINGS: &[&str] = &[
    "", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts",
];

/// Endings of what is written for what is built from it.
const BUILT: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx", ".jsx"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts"]),
    (".cjs", &[".cts"]),
];

/// A file without imports and exports is no module: what it declares is global.
pub fn provides(_: &str, _: &str, facts: &Facts, keys: &mut Vec<Key>) {
    if !is_script(facts) {
        return;
    }
    for bind in facts.binds_in(FILE) {
        keys.push(global(facts.name(bind.name)));
    }
}

fn is_script(facts: &Facts) -> bool {
    let imports = facts.imports.iter().any(|import| import.scope == FILE);
    facts.exports.is_empty() && !imports
}

fn global(name: &str) -> Key {
    Key::new("global", &["javascript", name])
}

/// Names that no scope of a file binds: those of scripts, else the language's and the platform's own.
pub fn outer(eval: &mut Eval<'_>, _: FileId, scope: ScopeId, name: &str, space: Space) -> Value {
    if scope != FILE {
        return Value::Unknown;
    }
    let scripts = eval.find(global(name));
    let found = scripts
        .iter()
        .map(|&script| eval.of_file(script, name, space));
    let found = Value::any(found.collect::<Vec<_>>());
    found.or_else(|| Value::Outside)
}

pub fn import(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let facts = eval.facts(file);
    let Some(target) = module(eval, file, facts.name(import.spec)) else {
        return Value::Outside;
    };
    let Some(name) = import.name else {
        return Value::File(target);
    };
    let name = facts.name(name);
    let value = exported(eval, target, name, Space::Value);
    let ty = exported(eval, target, name, Space::Type);
    match (&value, &ty) {
        (Value::Unknown | Value::Outside, Value::Unknown) => value,
        (Value::Unknown | Value::Outside, _) => ty,
        (_, Value::Unknown | Value::Outside) => value,
        _ => Value::any([value, ty]),
    }
}

/// What a file exports under a name.
pub fn exported(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let key = Key::new("exported", &[name]).0 as u32;
    let id = key << 1 | u32::from(space == Space::Type);
    eval.guarded(Busy::Exported, file, id, |eval| {
        listed(eval, file, name, space)
            .or_else(|| starred(eval, file, name, space))
            .or_else(|| of_whole(eval, file, name, space))
    })
}

fn listed(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let facts = eval.facts(file);
    let Some(sym) = eval.world.sym(file, name) else {
        return Value::Unknown;
    };
    let exports = facts.exports.iter();
    let values = exports
        .filter(|export| export.name == Some(sym))
        .map(|export| match export.of {
            Exported::Local(local) => eval.of_file(file, facts.name(local), space),
            Exported::Value(value) => eval.eval(file, value),
            Exported::Import(import) => eval.imported(file, import),
        });
    let values: Vec<Value> = values.collect();
    Value::any(values)
}

/// `export * from`
fn starred(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    if matches!(name, "default" | WHOLE) {
        return Value::Unknown;
    }
    let facts = eval.facts(file);
    let stars = facts.exports.iter().filter(|export| export.name.is_none());
    for star in stars {
        let Exported::Import(import) = star.of else {
            continue;
        };
        let spec = facts.imports[import as usize].spec;
        let Some(target) = module(eval, file, facts.name(spec)) else {
            continue;
        };
        let found = exported(eval, target, name, space);
        if found.known() {
            return found;
        }
    }
    Value::Unknown
}

/// What `require` gives, and its members as names.
fn of_whole(eval: &mut Eval<'_>, file: FileId, name: &str, space: Space) -> Value {
    let whole = listed(eval, file, WHOLE, Space::Value);
    match name {
        WHOLE => whole.or_else(|| Value::File(file)),
        "default" => whole,
        _ => match whole {
            Value::Unknown => Value::Unknown,
            whole => {
                let found = eval.static_member(&whole, name, file, space);
                let inside = found.parts().iter().filter(|part| **part != Value::Outside);
                Value::any(inside.cloned())
            }
        },
    }
}

/// The file that a module's name means, if it is in the tree.
fn module(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Option<FileId> {
    let path = eval.path(file);
    if spec.starts_with('.') {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        return at(eval, &joined(folder, spec)?);
    }
    mapped(eval, path, spec)
}

/// Manifests that map names of this language.
const MANIFESTS: &[&str] = &["package.json", "tsconfig.json", "jsconfig.json"];

/// A name that a package or the compiler's options map to a path.
fn mapped(eval: &mut Eval<'_>, path: &str, spec: &str) -> Option<FileId> {
    let packages = eval.world.packages;
    let all = packages.all.iter();
    for package in all.filter(|package| MANIFESTS.contains(&package.manifest)) {
        for map in &package.maps {
            if map.private && !package.holds(path) {
                continue;
            }
            let Some(to) = map.apply(spec) else { continue };
            if let Some(file) = at(eval, &to) {
                return Some(file);
            }
        }
    }
    None
}

/// The file at a path that may lack its ending, may be a folder, or may be that of what is built from it.
fn at(eval: &mut Eval<'_>, path: &str) -> Option<FileId> {
    let built = BUILT
        .iter()
        .filter_map(|(ending, sources)| Some((path.strip_suffix(ending)?, *sources)));
    let sources = built.flat_map(|(stem, sources)| {
        let source = move |ending| format!("{stem}{ending}");
        sources.iter().map(source)
    });
    let plain = ENDINGS.iter().map(|ending| format!("{path}{ending}"));
    let index = ENDINGS[1..].iter().map(|ending| match path {
        "" => format!("index{ending}"),
        path => format!("{path}/index{ending}"),
    });
    let candidates: Vec<String> = plain.chain(sources).chain(index).collect();
    candidates
        .into_iter()
        .find_map(|candidate| eval.file_at(&candidate))
}

/// A relative path from a folder; none if it leaves the tree.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
