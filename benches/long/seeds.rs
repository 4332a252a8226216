//! The files that long checks begin with: fixtures, and what is given by path.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A file, what it is taken for, and its outline.
pub struct Seed {
    pub path: String,
    pub text: Vec<u8>,
    pub outline: Value,
}

/// Larger files take too long for what they add.
const MOST: usize = 60_000;

/// Files under `paths` by language, in the order of their paths.
pub fn seeds(paths: &[String]) -> BTreeMap<String, Vec<Seed>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
    command.args(["outline", "--json", "--no-cache", "--no-ignore", "--"]);
    let output = command.args(paths).output().expect("the program starts");
    let mut found: BTreeMap<String, Vec<Seed>> = BTreeMap::new();
    for line in output.stdout.split(|&byte| byte == b'\n') {
        let Ok(outline) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        let word = |key: &str| outline[key].as_str().unwrap_or("").to_string();
        let (path, language) = (word("path"), word("language"));
        let text = std::fs::read(Path::new(&path)).unwrap_or_default();
        if (1..MOST).contains(&text.len()) {
            let seed = Seed {
                path,
                text,
                outline,
            };
            found.entry(language).or_default().push(seed);
        }
    }
    found
}

/// The fixtures of the project.
pub fn fixtures() -> String {
    format!("{}/fixtures", env!("CARGO_MANIFEST_DIR"))
}

/// A folder of its own for this run.
pub fn folder() -> std::path::PathBuf {
    let name = format!("ast-outline-long-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    folder
}
