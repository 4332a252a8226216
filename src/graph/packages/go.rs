//! `go.mod` and `go.work`: modules by the path they are imported by, and the folders that replace others.

use super::{Manifest, Map, Package, join};

pub fn read(manifest: &Manifest<'_>) -> Vec<Package> {
    let mut package = Package {
        root: manifest.root.to_string(),
        maps: replaced(manifest),
        ..Package::default()
    };
    for (word, rest) in directives(manifest.text) {
        if let ("module", Some(path)) = (word, rest.first()) {
            package.name = path.to_string();
        }
    }
    if package.name.is_empty() {
        return vec![];
    }
    vec![package]
}

/// The modules of a workspace have manifests of their own; what it replaces for all of them is said here alone.
pub fn read_workspace(manifest: &Manifest<'_>) -> Vec<Package> {
    let maps = replaced(manifest);
    if maps.is_empty() {
        return vec![];
    }
    let root = manifest.root.to_string();
    vec![Package {
        root,
        maps,
        ..Package::default()
    }]
}

/// Modules that lie in a folder of the tree instead: `replace example.com/a v1.0.0 => ../a`.
fn replaced(manifest: &Manifest<'_>) -> Vec<Map> {
    let replaces = directives(manifest.text);
    let replaces = replaces.filter(|(word, _)| *word == "replace");
    let maps = replaces.filter_map(|(_, rest)| {
        let arrow = rest.iter().position(|&part| part == "=>")?;
        let (from, to) = (*rest.first()?, *rest.get(arrow + 1)?);
        let local = to == "." || to == ".." || to.starts_with("./") || to.starts_with("../");
        let to = local.then(|| within(manifest.root, to)).flatten()?;
        let from = from.to_string();
        Some(Map {
            from,
            to,
            private: true,
        })
    });
    maps.collect()
}

/// The path of a folder from the root of the index; none if it lies outside.
fn within(root: &str, path: &str) -> Option<String> {
    let mut at = root.to_string();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if at.is_empty() => return None,
            ".." => at.truncate(at.rfind('/').unwrap_or(0)),
            name => at = join(&at, name),
        }
    }
    Some(at)
}

/// Each line of a block with the word in front of the block; quotes and comments taken off.
fn directives(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let mut block = None;
    text.lines().filter_map(move |line| {
        let code = line.split("//").next().unwrap_or("");
        let mut words: Vec<&str> = code
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '`']))
            .collect();
        match (block, words[..].first().copied()) {
            (_, None) => return None,
            (Some(_), Some(")")) => {
                block = None;
                return None;
            }
            (Some(word), _) => return Some((word, words)),
            (None, _) => {}
        }
        let word = words.remove(0);
        if code.trim_end().ends_with('(') {
            block = Some(word.trim_end_matches('('));
            return None;
        }
        Some((word, words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_what_replaces_them_are_read() {
        let text = "// A tool.\nmodule \"example.com/tool\" // the tool\n\ngo 1.24\n\nrequire (\n\texample.com/a v1.0.0\n)\n\
                    replace example.com/a => ../a\nreplace (\n\texample.com/b v1.2.3 => ./sub/b // near\n\
                    \texample.com/c => example.com/d v1.0.0\n\texample.com/e => ../../e\n)\n";
        let found = read(&Manifest { root: "tool", text });
        let maps: Vec<(&str, &str)> = found[0]
            .maps
            .iter()
            .map(|map| (&*map.from, &*map.to))
            .collect();
        assert_eq!(found[0].name, "example.com/tool");
        assert_eq!(
            maps,
            [("example.com/a", "a"), ("example.com/b", "tool/sub/b")]
        );
    }
}
