//! Which headers a file sees: what it includes, what these include, and so on.

use std::collections::HashSet;
use std::rc::Rc;

use crate::graph::eval::Eval;
use crate::graph::facts::{Facts, Import, ImportKind};
use crate::graph::value::Value;
use crate::graph::world::{FileId, Key};

/// More files than this are not followed.
const MOST: usize = 20_000;

/// A header can be included by any end of its path.
pub fn provide(path: &str, keys: &mut Vec<Key>) {
    let mut rest = path;
    loop {
        keys.push(Key::new("header", &[rest]));
        let Some((_, inner)) = rest.split_once('/') else {
            return;
        };
        rest = inner;
    }
}

/// What `#include` brings: the file, if it is one of the tree.
pub fn included(eval: &mut Eval<'_>, file: FileId, import: Import) -> Value {
    let spec = eval.facts(file).name(import.spec);
    match find(eval, file, spec) {
        Some(header) => Value::File(header),
        None => Value::Outside,
    }
}

/// The file that is meant: beside the one that includes it, else the one whose path shares most with it. A name in angles
/// without a folder is the system's, if no folder of this name leads there.
fn find(eval: &mut Eval<'_>, file: FileId, spec: &str) -> Option<FileId> {
    let angles = spec.starts_with('<');
    let spec = spec.trim_matches(['<', '>']);
    let own = eval.path(file);
    let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = joined(folder, spec);
    if !angles && let Some(found) = eval.file_at(&beside) {
        return Some(found);
    }
    let mut end = spec;
    while let Some(rest) = end.strip_prefix("../").or(end.strip_prefix("./")) {
        end = rest;
    }
    let found = eval.find(Key::new("header", &[end]));
    let fits = |&&id: &&FileId| {
        let path = eval.path(id);
        path.ends_with(end) && (!angles || path.contains("include/") || end.contains('/'))
    };
    let nearest = |&&id: &&FileId| {
        let path = eval.path(id);
        let common = own
            .split('/')
            .zip(path.split('/'))
            .take_while(|(one, other)| one == other)
            .count();
        (common, std::cmp::Reverse(path.len()))
    };
    found.iter().filter(fits).max_by_key(nearest).copied()
}

/// A path as seen from a folder, without `.` and `..`.
fn joined(folder: &str, spec: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in spec.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// All files whose names a file sees, itself among them.
pub fn seen(eval: &mut Eval<'_>, file: FileId) -> Rc<HashSet<FileId>> {
    if let Some(known) = eval.sees.get(&file) {
        return known.clone();
    }
    let mut seen = HashSet::from([file]);
    let mut left = vec![file];
    while let Some(next) = left.pop() {
        let facts = eval.facts(next);
        for import in includes(facts) {
            if let Some(header) = find(eval, next, facts.name(import.spec))
                && seen.len() < MOST
                && seen.insert(header)
            {
                left.push(header);
            }
        }
    }
    let seen = Rc::new(seen);
    eval.sees.insert(file, seen.clone());
    seen
}

fn includes(facts: &Facts) -> impl Iterator<Item = &Import> {
    let effect = |import: &&Import| import.how == ImportKind::Effect;
    facts.imports.iter().filter(effect)
}

/// Parts of file names that say for which platform a file is, where it is not that of servers.
const ELSEWHERE: &[&str] = &[
    "win",
    "win32",
    "win64",
    "windows",
    "mingw",
    "msvc",
    "cygwin",
    "mac",
    "macos",
    "macosx",
    "osx",
    "darwin",
    "apple",
    "ios",
    "android",
    "fuchsia",
    "bsd",
    "freebsd",
    "netbsd",
    "openbsd",
    "solaris",
    "sunos",
    "aix",
    "hpux",
    "haiku",
    "vms",
    "os2",
    "amiga",
    "wasi",
    "emscripten",
];

/// Whether a file is named for another platform: `env_windows.cc` stands beside `env_posix.cc`.
pub fn is_elsewhere(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.split('.').next().unwrap_or(name);
    // The first part says what it is, the last what for.
    let (_, last) = stem.rsplit_once(['_', '-']).unwrap_or(("", ""));
    ELSEWHERE.contains(&last)
}

/// Whether a file is made to be included.
pub fn is_header(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    !matches!(extension, "c" | "cc" | "cpp" | "cxx" | "c++" | "cppm")
}
