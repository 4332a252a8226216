//! `pyproject.toml`, `setup.cfg` and `setup.py`: distributions and the folders that imports begin at. Looks for the keys that
//! say so, wherever they stand: every build tool has its own.

use super::{Manifest, Map, Package, join};

/// Keys whose strings are folders.
const FOLDERS: &[&str] = &[
    "where",
    "from",
    "python-source",
    "pythonpath",
    "sources",
    "package-dir",
    "package_dir",
    "mypy_path",
    "extraPaths",
];

pub fn read(manifest: &Manifest<'_>) -> Vec<Package> {
    let name = values(manifest.text, "name")
        .into_iter()
        .find_map(|value| strings(value).next());
    let folders = FOLDERS
        .iter()
        .flat_map(|key| values(manifest.text, key))
        .flat_map(strings);
    // `packages = ["src/tool"]`
    let packages = values(manifest.text, "packages")
        .into_iter()
        .flat_map(strings);
    let around = packages.filter_map(|path| path.rsplit_once('/').map(|(folder, _)| folder));
    package(manifest, name, folders.chain(around))
}

pub fn read_setup(manifest: &Manifest<'_>) -> Vec<Package> {
    let first = |key| values(manifest.text, key).into_iter().next();
    let name = first("name").map(|value| strings(value).next().unwrap_or(value.trim()));
    let folders = ["where", "package_dir"].into_iter().filter_map(first);
    let folders = folders.flat_map(|value| {
        let plain = value.trim().trim_start_matches('=').trim();
        let quoted: Vec<&str> = strings(value).collect();
        let plain = (quoted.is_empty() && !plain.contains(['(', '\n'])).then_some(plain);
        quoted.into_iter().chain(plain)
    });
    package(manifest, name, folders)
}

fn package<'a>(
    manifest: &Manifest<'_>,
    name: Option<&str>,
    folders: impl Iterator<Item = &'a str>,
) -> Vec<Package> {
    let folders = folders.filter(|folder| !folder.is_empty() && !folder.contains(".."));
    let maps: Vec<Map> = folders
        .map(|folder| Map {
            from: String::new(),
            to: join(manifest.root, folder.trim_end_matches('/')),
            private: false,
        })
        .collect();
    if name.is_none() && maps.is_empty() {
        return vec![];
    }
    vec![Package {
        root: manifest.root.to_string(),
        name: name.unwrap_or_default().to_string(),
        manifest: "",
        maps,
    }]
}

/// What stands behind each `key =`: up to the end of the line, or of the brackets that begin there.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let mut found = vec![];
    for (at, _) in text.match_indices(key) {
        let before = text[..at].chars().next_back();
        let own = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'));
        let rest = text[at + key.len()..]
            .trim_start_matches(['"', '\''])
            .trim_start();
        let rest = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':'));
        let Some(rest) = rest.filter(|_| own) else {
            continue;
        };
        let rest = rest.trim_start();
        let end = match rest.chars().next() {
            Some('[' | '{') => closing(rest),
            _ => rest.find(['\n', '}']).unwrap_or(rest.len()),
        };
        found.push(&rest[..end]);
    }
    found
}

/// End of the brackets that a text begins with.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Texts in quotes.
fn strings(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let start = rest.find(['"', '\''])?;
        let quote = rest[start..].chars().next()?;
        let (text, behind) = rest[start + 1..].split_once(quote)?;
        rest = behind;
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(read: fn(&Manifest<'_>) -> Vec<Package>, text: &str) -> (String, Vec<String>) {
        let found = read(&Manifest {
            root: "libs/a",
            text,
        });
        let [package] = &found[..] else {
            panic!("{found:?}")
        };
        let roots = package.maps.iter().map(|map| map.to.clone());
        (package.name.clone(), roots.collect())
    }

    #[test]
    fn build_tools_say_where_imports_begin() {
        for (text, folder) in [
            ("[tool.setuptools.packages.find]\nwhere = [\"lib\"]", "lib"),
            ("[tool.setuptools]\npackage-dir = {\"\" = \"code\"}", "code"),
            (
                "[tool.poetry]\npackages = [\n  { include = \"a\", from = \"py\" },\n]",
                "py",
            ),
            ("[tool.maturin]\npython-source = \"python\"", "python"),
            (
                "[tool.hatch.build.targets.wheel]\npackages = [\"main/a\"]",
                "main",
            ),
            (
                "[tool.pytest.ini_options]\npythonpath = [\n  'helpers'\n]",
                "helpers",
            ),
        ] {
            let text = format!("[project]\nname = \"tool\" # of all\n{text}\n");
            let expected = ("tool".to_string(), vec![format!("libs/a/{folder}")]);
            assert_eq!(roots(read, &text), expected, "{text}");
        }
    }

    #[test]
    fn setup_files_say_it_without_quotes_too() {
        let expected = ("tool".to_string(), vec!["libs/a/src".to_string()]);
        for text in [
            "[metadata]\nname = tool\n[options.packages.find]\nwhere = src\n",
            "[metadata]\nname = tool\n[options]\npackage_dir =\n    =src\n",
            "setup(\n    name=\"tool\",\n    package_dir={\"\": \"src\"},\n)\n",
        ] {
            assert_eq!(roots(read_setup, text), expected, "{text}");
        }
    }

    #[test]
    fn options_alone_are_no_package() {
        let text = "[tool.ruff]\nline-length = 100\n";
        assert_eq!(read(&Manifest { root: "", text }), vec![]);
    }
}
