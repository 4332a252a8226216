//! Every file under `fixtures/<language>/` against the golden outline beside it (`<file>.golden`).

use std::path::{Path, PathBuf};

use crate::check::{check, dump, root, stdout};

/// Checks all fixtures of one language; a folder without any is a mistake.
fn language(name: &str) {
    let folder = root().join("fixtures").join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| {
            path.extension()
                .is_none_or(|extension| extension != "golden")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no fixtures for {name}");
    files.iter().for_each(|path| fixture(path));
}

fn fixture(path: &Path) {
    let answer = stdout(&["outline", "--json", "--no-cache", &path.to_string_lossy()]);
    let file = serde_json::from_str(&answer).expect("one object on one line");
    let golden = path.with_file_name(format!(
        "{}.golden",
        path.file_name().unwrap_or_default().to_string_lossy()
    ));
    check(&golden, &dump(&file));
}

macro_rules! languages {
    ($($name:ident)*) => {
        $(#[test] fn $name() { language(stringify!($name)); })*

        /// A folder without a test would never be read.
        #[test]
        fn every_folder_is_tested() {
            let tested = [$(stringify!($name)),*, "repos", "answers", "budgets", "diff"];
            for entry in std::fs::read_dir(root().join("fixtures")).expect("fixtures exist") {
                let name = entry.expect("the folder can be read").file_name();
                assert!(tested.iter().any(|tested| name == *tested), "fixtures/{} has no test", name.display());
            }
        }
    };
}

languages! { python javascript typescript tsx java go rust c cpp markdown json yaml toml csv }
