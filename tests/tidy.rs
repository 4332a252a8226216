//! The rules of the house that no compiler checks: layers, who may touch the world, sizes, versions.

use std::path::{Path, PathBuf};

use crate::check::root;

/// Rooms from left to right; each may use only what stands left of it or in the same group.
const LAYERS: &[&[&str]] = &[
    &["model", "source", "tokens"],
    &["lang"],
    &["outline"],
    &["view", "evidence"],
    &["git"],
    &["walk", "cache"],
    &["graph", "search"],
    &["render"],
    &["cli", "exit"],
    &["commands"],
    &["main"],
];

/// Who may read files, start processes or ask the environment.
const WORLDLY: &[&str] = &[
    "source",
    "walk",
    "git",
    "cache",
    "cli",
    "exit",
    "main",
    "commands",
    "graph/store",
    "graph/fresh",
    "graph/update",
    "graph/update/read",
    "graph/update/roots",
];

/// Functions and files larger than this are taken apart. `cli.rs` is one long table.
const MAX_FILE: usize = 450;
const MAX_FUNCTION: usize = 70;

fn sources() -> Vec<(PathBuf, String)> {
    let mut files = vec![];
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources can be read") {
            let path = entry.expect("the sources can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                files.push((
                    path.strip_prefix(root().join("src"))
                        .expect("it lies there")
                        .to_path_buf(),
                    text,
                ));
            }
        }
    }
    files.sort();
    files
}

/// `lang` of `lang/python.rs`, `model` of `model.rs`.
fn room(path: &Path) -> String {
    let first = path
        .components()
        .next()
        .expect("a path is not empty")
        .as_os_str()
        .to_string_lossy()
        .into_owned();
    first.trim_end_matches(".rs").to_string()
}

fn layer(room: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&room));
    found.unwrap_or_else(|| panic!("`{room}` stands in no layer"))
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs")
}

#[test]
fn no_room_uses_what_stands_right_of_it() {
    for (path, text) in sources() {
        let own = layer(&room(&path));
        for (number, line) in text.lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let end = used
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(used.len());
                let used = &used[..end];
                if LAYERS.iter().any(|layer| layer.contains(&used)) {
                    assert!(
                        layer(used) <= own,
                        "{}:{}: `{used}` stands right of it",
                        path.display(),
                        number + 1
                    );
                }
            }
        }
    }
}

#[test]
fn only_some_rooms_touch_the_world() {
    for (path, text) in sources().iter().filter(|(path, _)| !is_test(path)) {
        let name = path.with_extension("").to_string_lossy().replace('\\', "/");
        if WORLDLY
            .iter()
            .any(|worldly| name == *worldly || room(path) == *worldly)
        {
            continue;
        }
        for word in [
            "std::fs",
            "std::process",
            "std::env",
            "File::open",
            "stdout()",
            "stderr()",
        ] {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
}

/// Processes are started by few.
#[test]
fn only_git_the_users_summarizer_and_the_hook_that_indexes_start_processes() {
    for (path, text) in sources().iter().filter(|(path, _)| !is_test(path)) {
        let starts = text.contains("process::Command") || text.contains("Command::new(");
        assert!(
            !starts
                || room(path) == "git"
                || path.ends_with("commands/summary.rs")
                || path.ends_with("commands/hook/session.rs"),
            "{} starts processes",
            path.display()
        );
    }
}

#[test]
fn languages_are_named_in_their_own_rooms_only() {
    let names = [
        "python",
        "javascript",
        "typescript",
        "tsx",
        "java",
        "rust",
        "cpp",
        "markdown",
        "yaml",
        "toml",
        "csv",
    ];
    for (path, text) in sources()
        .iter()
        .filter(|(path, _)| room(path) != "lang" && room(path) != "graph")
    {
        for name in names {
            assert!(
                !text.contains(&format!("\"{name}\"")),
                "{} names {name}",
                path.display()
            );
        }
    }
}

#[test]
fn files_and_functions_stay_small() {
    let mut large = vec![];
    for (path, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() > MAX_FILE && !path.ends_with("cli.rs") {
            large.push(format!("{}: {} lines", path.display(), lines.len()));
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_head = |line: &str| {
            line.trim_start()
                .trim_start_matches("pub")
                .trim_start_matches("(super)")
                .trim_start_matches("(crate)")
                .trim_start()
                .starts_with("fn ")
        };
        for start in (0..lines.len()).filter(|&at| is_head(lines[at])) {
            let end = (start..lines.len()).find(|&at| {
                indent(lines[at]) == indent(lines[start]) && lines[at].trim_start().starts_with('}')
            });
            let length = end.map_or(1, |end| end - start + 1);
            if length > MAX_FUNCTION {
                large.push(format!(
                    "{}:{}: a function of {length} lines",
                    path.display(),
                    start + 1
                ));
            }
        }
    }
    assert!(large.is_empty(), "take these apart:\n{}", large.join("\n"));
}

#[test]
fn the_changelog_knows_the_version() {
    let changelog =
        std::fs::read_to_string(root().join("CHANGELOG.md")).expect("there is a changelog");
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        changelog.contains("## Unreleased") || changelog.contains(&format!("## {version}")),
        "no heading for {version}"
    );
}
