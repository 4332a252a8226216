//! `Cargo.toml`: crates and where their roots lie. Reads lines, not TOML: manifests that say these things in other forms
//! than everyone does (dotted keys, inline tables over several lines) lose a name, no more.

use super::{Manifest, Map, Package, join};

pub fn read(manifest: &Manifest<'_>) -> Vec<Package> {
    let mut found = Found::default();
    for (section, key, value) in pairs(manifest.text) {
        found.note(section, key, value);
    }
    let Some(package) = found.package else {
        return vec![];
    };
    let name = package.replace('-', "_");
    let lib = found.lib_name.unwrap_or(&name).replace('-', "_");
    let path = found.lib_path.unwrap_or("src/lib.rs");
    let mut maps = vec![Map {
        from: lib,
        to: join(manifest.root, path),
        private: false,
    }];
    maps.extend(found.renamed.into_iter().map(|(from, to)| Map {
        from: from.replace('-', "_"),
        to: to.replace('-', "_"),
        private: true,
    }));
    vec![Package {
        root: manifest.root.to_string(),
        name,
        manifest: "Cargo.toml",
        maps,
    }]
}

#[derive(Default)]
struct Found<'a> {
    package: Option<&'a str>,
    lib_name: Option<&'a str>,
    lib_path: Option<&'a str>,
    /// Dependencies under another name than their own.
    renamed: Vec<(&'a str, &'a str)>,
}

impl<'a> Found<'a> {
    fn note(&mut self, section: &'a str, key: &'a str, value: &'a str) {
        let dependencies = |section: &str| section.ends_with("dependencies");
        match (section, key) {
            ("package", "name") => self.package = text(value),
            ("lib", "name") => self.lib_name = text(value),
            ("lib", "path") => self.lib_path = text(value),
            (section, key) if dependencies(section) && value.starts_with('{') => {
                let package = value.split(['{', ',']).find_map(|part| {
                    let (key, value) = part.split_once('=')?;
                    (key.trim() == "package").then(|| text(value.trim()))?
                });
                self.renamed.extend(package.map(|package| (key, package)));
            }
            // `[dependencies.name]`
            (section, "package") => {
                let parts = section
                    .rsplit_once('.')
                    .filter(|(table, _)| dependencies(table));
                let package = text(value);
                self.renamed.extend(
                    parts
                        .zip(package)
                        .map(|((_, name), package)| (name, package)),
                );
            }
            _ => {}
        }
    }
}

/// Section, key and value of each line that has them.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('[') {
            section = head
                .trim_start_matches('[')
                .split(']')
                .next()
                .unwrap_or("")
                .trim();
            return None;
        }
        let (key, value) = line.split_once('=')?;
        Some((section, key.trim().trim_matches('"'), value.trim()))
    })
}

/// The text of a string.
fn text(value: &str) -> Option<&str> {
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates() {
        let text = "[package]\nname = \"my-tool\" # x\n[lib]\nname = \"tool\"\npath='core.rs'\n\
            [dependencies]\nserde = \"1\"\nold = { version = \"1\", package = \"new-name\" }\n\
            [dev-dependencies.other]\npackage = \"thing\"\n[[bin]]\nname = \"b\"";
        let found = read(&Manifest {
            root: "crates/a",
            text,
        });
        let [package] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(package.name, "my_tool");
        let maps = package
            .maps
            .iter()
            .map(|map| (&*map.from, &*map.to, map.private));
        let maps: Vec<_> = maps.collect();
        let expected = [
            ("tool", "crates/a/core.rs", false),
            ("old", "new_name", true),
            ("other", "thing", true),
        ];
        assert_eq!(maps, expected);
    }
}
