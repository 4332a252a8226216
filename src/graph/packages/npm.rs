//! `package.json` and `tsconfig.json`: packages, what they export, paths that stand for others.

use serde_json::{Map as Object, Value};

use super::{Manifest, Map, Package, join};

/// Folders that are built, and the one they are built from: a tree holds the sources.
const BUILT: &[&str] = &["dist", "lib", "build", "out", "esm", "cjs"];
const SOURCES: &str = "src";

/// Conditions and fields that name a file, sources before what is built from them.
const CONDITIONS: &[&str] = &[
    "source",
    "development",
    "import",
    "module",
    "browser",
    "node",
    "require",
    "default",
    "types",
];
const FIELDS: &[&str] = &["source", "module", "main", "browser", "types"];

pub fn read(manifest: &Manifest<'_>) -> Vec<Package> {
    let Some(Value::Object(fields)) = parse(manifest.text) else {
        return vec![];
    };
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    let mut reader = Reader {
        root: manifest.root,
        maps: vec![],
    };
    if let Some(name) = text("name") {
        match fields.get("exports") {
            Some(exports) => reader.exports(name, exports),
            None => reader.folder(name, &fields),
        }
    }
    if let Some(Value::Object(imports)) = fields.get("imports") {
        for (from, to) in imports {
            reader.target(from, to, true);
        }
    }
    vec![Package {
        root: manifest.root.to_string(),
        name: text("name").unwrap_or_default().to_string(),
        maps: reader.maps,
        ..Package::default()
    }]
}

struct Reader<'a> {
    root: &'a str,
    maps: Vec<Map>,
}

impl Reader<'_> {
    fn map(&mut self, from: &str, to: &str, private: bool) {
        let Some(to) = within(self.root, to) else {
            return;
        };
        let from = from.to_string();
        let map = Map { from, to, private };
        if !self.maps.contains(&map) {
            self.maps.push(map);
        }
    }

    /// A file that is named, and where its source would lie.
    fn file(&mut self, from: &str, to: &str, private: bool) {
        self.map(from, to, private);
        let path = to.trim_start_matches("./");
        let (folder, rest) = path.split_once('/').unwrap_or(("", path));
        if BUILT.contains(&folder) {
            // Some write the module system between: `dist/esm/index.js`.
            let inner = rest.split_once('/');
            let inner = inner.filter(|(folder, _)| BUILT.contains(folder));
            for rest in inner.map(|(_, rest)| rest).into_iter().chain([rest]) {
                self.map(from, &format!("{SOURCES}/{}", stem(rest)), private);
            }
        }
    }

    fn exports(&mut self, name: &str, exports: &Value) {
        match exports {
            Value::Object(paths) if paths.keys().any(|key| key.starts_with('.')) => {
                for (path, to) in paths {
                    let path = path.trim_start_matches('.');
                    self.target(&format!("{name}{path}"), to, false);
                }
            }
            whole => self.target(name, whole, false),
        }
    }

    /// What a name is mapped to, under whatever condition.
    fn target(&mut self, from: &str, to: &Value, private: bool) {
        let mut open = vec![to];
        while let Some(to) = open.pop() {
            match to {
                Value::String(path) => self.file(from, path, private),
                Value::Array(several) => open.extend(several.iter().rev()),
                Value::Object(conditions) => {
                    let known = CONDITIONS.iter().rev();
                    let known = known.filter_map(|condition| conditions.get(*condition));
                    open.extend(known);
                }
                _ => {}
            }
        }
    }

    /// A package without exports: its main file, and every file by its path.
    fn folder(&mut self, name: &str, fields: &Object<String, Value>) {
        for field in FIELDS {
            if let Some(path) = fields.get(*field).and_then(Value::as_str) {
                self.file(name, path, false);
            }
        }
        self.map(name, ".", false);
        self.map(name, SOURCES, false);
        self.map(&format!("{name}/*"), "*", false);
    }
}

/// `tsconfig.json` and its like.
pub fn read_options(manifest: &Manifest<'_>) -> Vec<Package> {
    let parsed = parse(&plain(manifest.text));
    let Some(options) = parsed
        .as_ref()
        .and_then(|config| config.get("compilerOptions"))
    else {
        return vec![];
    };
    let mut reader = Reader {
        root: manifest.root,
        maps: vec![],
    };
    let base = options.get("baseUrl").and_then(Value::as_str);
    if let Some(Value::Object(paths)) = options.get("paths") {
        for (from, to) in paths {
            let to = to.as_array().into_iter().flatten();
            for to in to.filter_map(Value::as_str) {
                let to = base.map_or(to.to_string(), |base| format!("{base}/{to}"));
                reader.map(from, &to, true);
            }
        }
    }
    if let Some(base) = base {
        reader.map("*", &format!("{base}/*"), true);
    }
    match reader.maps.is_empty() {
        true => vec![],
        false => vec![Package {
            root: manifest.root.to_string(),
            maps: reader.maps,
            ..Package::default()
        }],
    }
}

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()
}

/// A path from the root of the index; none if it leaves that.
fn within(root: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = root.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(join("", &parts.join("/")))
}

/// A path without the ending that building gives it.
fn stem(path: &str) -> &str {
    let endings = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"];
    let stem = endings.iter().find_map(|ending| path.strip_suffix(ending));
    stem.unwrap_or(path)
}

/// JSON without the comments and the trailing commas that such files have.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string(rest),
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.split_once("*/").map_or("", |(_, behind)| behind);
                continue;
            }
            first => first.len_utf8(),
        };
        if matches!(first, '}' | ']') {
            let end = out.trim_end().trim_end_matches(',').len();
            out.truncate(end);
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// The length of the string at the start of a text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}
