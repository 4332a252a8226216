//! What manifests say of a tree: packages, their names and roots, how names that are imported map to paths. Reads the text of
//! manifests; resolves nothing. One file a kind of manifest.

mod cargo;
mod go;
mod maven;
mod npm;
mod python;

/// A package, module or workspace member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// From the root of the index, with `/`; empty for the root itself.
    pub root: String,
    /// As others import it.
    pub name: String,
    /// File name of the manifest.
    pub manifest: &'static str,
    /// Where imported names lie, first match first.
    pub maps: Vec<Map>,
}

/// An imported name, or with `*` all that begin and end so, and the path it lies at; `*` in it is what `*` stood for. Paths
/// are from the root of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    pub from: String,
    pub to: String,
    /// Known to its own package only.
    pub private: bool,
}

#[derive(Debug, Default)]
pub struct Packages {
    /// Longest root first.
    pub all: Vec<Package>,
}

/// A manifest: its folder from the root of the index, and its text.
pub struct Manifest<'a> {
    pub root: &'a str,
    pub text: &'a str,
}

/// Reads the packages that a manifest declares.
type Reader = fn(&Manifest<'_>) -> Vec<Package>;

/// File names of manifests, and who reads them.
static READERS: &[(&str, Reader)] = &[
    ("Cargo.toml", cargo::read),
    ("go.mod", go::read),
    ("go.work", go::read_workspace),
    ("package.json", npm::read),
    ("tsconfig.json", npm::read_options),
    ("jsconfig.json", npm::read_options),
    ("pyproject.toml", python::read),
    ("setup.cfg", python::read_setup),
    ("setup.py", python::read_setup),
    ("pom.xml", maven::read),
    ("build.gradle", maven::read_gradle),
    ("build.gradle.kts", maven::read_gradle),
];

/// Whether a file of that name is a manifest.
pub fn is_manifest(name: &str) -> bool {
    reader(name).is_some()
}

fn reader(name: &str) -> Option<&'static (&'static str, Reader)> {
    // Options are shared by files like `tsconfig.base.json`.
    let variant = name
        .split_once('.')
        .filter(|(_, rest)| rest.ends_with(".json"));
    let known = variant.map_or(name.to_string(), |(stem, _)| format!("{stem}.json"));
    let name = if known == "tsconfig.json" {
        &known
    } else {
        name
    };
    READERS.iter().find(|(known, _)| *known == name)
}

impl Packages {
    /// The packages of manifests: their paths from the root of the index, and their texts.
    pub fn read(manifests: &[(String, String)]) -> Packages {
        let mut all = vec![];
        for (path, text) in manifests {
            let (root, name) = path.rsplit_once('/').unwrap_or(("", path));
            if let Some((manifest, read)) = reader(name) {
                let found = read(&Manifest { root, text }).into_iter();
                all.extend(found.map(|package| Package {
                    manifest,
                    ..package
                }));
            }
        }
        all.sort_by(|one: &Package, other| {
            (other.root.len(), &one.root).cmp(&(one.root.len(), &other.root))
        });
        Packages { all }
    }

    /// One number for all that is known: another one, and names may resolve elsewhere.
    pub fn hash(&self) -> i64 {
        let text = format!("{:?}", self.all);
        let hash = blake3::hash(text.as_bytes());
        i64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash is longer"))
    }

    /// The innermost package of a kind of manifest that a path lies in.
    pub fn of(&self, path: &str, manifest: &str) -> Option<&Package> {
        let mut around = self
            .all
            .iter()
            .filter(|package| package.manifest == manifest);
        around.find(|package| package.holds(path))
    }
}

impl Map {
    /// The path that an imported name stands for, if it is one of those that are mapped.
    pub fn apply(&self, name: &str) -> Option<String> {
        let Some((front, back)) = self.from.split_once('*') else {
            return (self.from == name).then(|| self.to.clone());
        };
        let rest = name.strip_prefix(front)?.strip_suffix(back)?;
        Some(self.to.replacen('*', rest, 1))
    }
}

impl Package {
    /// Whether a path lies in it.
    pub fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(&*self.root);
        match self.root.is_empty() {
            // What lies in another root is in none of this one's.
            true => !path.starts_with("../"),
            false => rest.is_some_and(|rest| rest.starts_with('/')),
        }
    }
}

/// `root/path`, without an empty root.
pub fn join(root: &str, path: &str) -> String {
    let path = path.trim_start_matches("./");
    match (root, path) {
        ("", path) => path.to_string(),
        (root, "" | ".") => root.to_string(),
        (root, path) => format!("{root}/{path}"),
    }
}
