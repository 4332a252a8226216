//! Which files are tests, which are generated, which are somebody else's: told by path, by header, by `.gitattributes`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Bits of a file's flags.
pub const TEST: u32 = 1;
pub const GENERATED: u32 = 1 << 1;
pub const VENDORED: u32 = 1 << 2;

/// Folders that hold tests, by name.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "spec",
    "testdata",
    "testing",
    "testutil",
    "e2e",
];
/// Folders that hold what others wrote.
const VENDOR_FOLDERS: &[&str] = &[
    "vendor",
    "node_modules",
    "third_party",
    "third-party",
    "bower_components",
    "site-packages",
    "Pods",
    "Godeps",
];
/// Lines at the top of a file in which a generator may say so.
const HEADER: usize = 20;

/// What a path says of a file.
pub fn by_path(path: &str) -> u32 {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut flags = 0;
    for folder in folders.split('/') {
        if TEST_FOLDERS.contains(&folder) {
            flags |= TEST;
        }
        if VENDOR_FOLDERS.contains(&folder) {
            flags |= VENDORED;
        }
    }
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let (first, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let suffix = |ends: &[&str]| ends.iter().any(|end| stem.ends_with(end));
    let java_test = extension == "java" && suffix(&["Test", "Tests", "TestCase"]);
    let named = stem.starts_with("test_")
        || suffix(&["_test", "_tests", "_unittest"])
        || ["conftest", "testutil", "testutils"].contains(&stem);
    if java_test || named || first.ends_with(".test") || first.ends_with(".spec") {
        flags |= TEST;
    }
    if suffix(&["_generated", "_pb2", "_pb2_grpc"])
        || [".pb", ".generated", ".g", ".min", "_pb"]
            .iter()
            .any(|end| first.ends_with(end))
    {
        flags |= GENERATED;
    }
    flags
}

/// What the first lines of a file say of it.
pub fn by_header(text: &[u8]) -> u32 {
    let lines = text.split(|&byte| byte == b'\n').take(HEADER);
    let says = |line: &[u8]| {
        let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
        has(b"@generated") || has(b"DO NOT EDIT") || has(b"Do not edit") && (has(b"enerated"))
    };
    match lines.map(|line| &line[..line.len().min(400)]).any(says) {
        true => GENERATED,
        false => 0,
    }
}

/// What a `.gitattributes` says of files: `linguist-generated`, `linguist-vendored`.
pub struct Attributes {
    generated: Gitignore,
    vendored: Gitignore,
}

impl Attributes {
    /// Of the file at the root.
    pub fn read(text: &str) -> Attributes {
        let patterns = |attribute: &str| {
            let mut builder = GitignoreBuilder::new("");
            for line in text.lines() {
                let mut words = line.split_whitespace();
                let Some(pattern) = words.next().filter(|pattern| !pattern.starts_with('#')) else {
                    continue;
                };
                for word in words {
                    let set = word == attribute
                        || word.strip_prefix(attribute) == Some("=true")
                        || word.strip_prefix(attribute) == Some("=1");
                    let unset = word.strip_prefix('-') == Some(attribute)
                        || word.strip_prefix(attribute) == Some("=false");
                    // A line that is no pattern says nothing.
                    if set {
                        let _ = builder.add_line(None, pattern);
                    } else if unset {
                        let _ = builder.add_line(None, &format!("!{pattern}"));
                    }
                }
            }
            builder.build().unwrap_or_else(|_| Gitignore::empty())
        };
        Attributes {
            generated: patterns("linguist-generated"),
            vendored: patterns("linguist-vendored"),
        }
    }

    pub fn of(&self, path: &str) -> u32 {
        let says = |patterns: &Gitignore| {
            patterns
                .matched_path_or_any_parents(path, false)
                .is_ignore()
        };
        (u32::from(says(&self.generated)) * GENERATED)
            | (u32::from(says(&self.vendored)) * VENDORED)
    }
}
