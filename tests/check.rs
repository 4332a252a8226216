//! What all tests share: running the program, and comparing with golden files.
//! `UPDATE=1 cargo test` rewrites the golden files; read the diff before you commit it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::folder::Folder;

pub const VERBS: [&str; 14] = [
    "outline",
    "region",
    "symbol",
    "diff",
    "read",
    "search",
    "verify",
    "tokens",
    "prompt",
    "languages",
    "schema",
    "cache",
    "tree",
    "completions",
];

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The program, in the project's root, with nothing of the user's environment that could change an answer.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
    command
        .current_dir(root())
        .env_remove("AST_OUTLINE_CACHE_DIR")
        .env_remove("AST_OUTLINE_TOKENIZER")
        .env_remove("AST_OUTLINE_SUMMARIZER")
        .env_remove("AST_OUTLINE_HOOK")
        // An index of this very repository must not change the answers about it.
        .env("AST_OUTLINE_RANKING", "off")
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS");
    command
}

pub fn run(arguments: &[&str]) -> Output {
    program()
        .args(arguments)
        .output()
        .expect("the program was built for this test")
}

/// Standard output of a run that must succeed.
pub fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {errors}");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// Compares `actual` with the golden file at `path`.
pub fn check(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, actual).expect("golden files can be written");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return;
    }
    let (mut want, mut have) = (expected.lines(), actual.lines());
    let (line, wanted, got) = (1..)
        .map(|line| (line, want.next(), have.next()))
        .find(|(_, wanted, got)| wanted != got)
        .expect("the texts differ");
    panic!(
        "{}:{line}\n  wanted: {wanted:?}\n  got:    {got:?}\n(UPDATE=1 cargo test rewrites it)",
        path.display()
    );
}

/// A copy of `fixtures/repos/shop` that is a repository of its own, with one commit whose id depends on nothing but the
/// files: pointers in golden answers hold on every machine. Made once for each state of the files.
pub fn shop() -> PathBuf {
    static SHOP: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = Folder::new();
        folder.copy(&root().join("fixtures/repos/shop"), "shop");
        let commit = Folder::commit(&folder.at("shop"), "Open the shop");
        // What `diff` has to tell stands on a branch that is not checked out.
        Folder::git(&folder.at("shop"), &["checkout", "-q", "-b", "retry"]);
        folder.copy(&root().join("fixtures/repos/retry"), "shop");
        let retry = Folder::commit(&folder.at("shop"), "Try again");
        Folder::git(&folder.at("shop"), &["checkout", "-q", "-"]);
        let name = format!("shop-{commit}-{}", &retry[..12]);
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Another test run may have been faster.
        let _ = std::fs::rename(folder.at("shop"), &place);
        place
    };
    SHOP.get_or_init(make).clone()
}

/// A run in [`shop`] and all it answers, against `fixtures/answers/<name>.txt`.
pub fn check_run(name: &str, arguments: &[&str]) {
    let output = program().current_dir(shop()).args(arguments).output();
    let output = output.expect("the program was built for this test");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what the program prints is UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    let words: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
    let mut actual = format!("$ ast-outline {}\n{stdout}", words.join(" "));
    if !stderr.is_empty() {
        let _ = write!(actual, "--- stderr\n{stderr}");
    }
    let _ = writeln!(actual, "--- exit {}", output.status.code().unwrap_or(-1));
    check(
        &root().join("fixtures/answers").join(format!("{name}.txt")),
        &actual,
    );
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:+@%,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{word}'")
    }
}

/// The outline of one file with everything that is known of each definition, one fact a line.
pub fn dump(file: &Value) -> String {
    let mut out = String::new();
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_string)
    };
    let _ = write!(
        out,
        "{} lines={} complete={}",
        text(&file["language"]),
        file["lines"],
        file["complete"]
    );
    for key in ["rows", "delimiter"] {
        if let Some(value) = file.get(key) {
            let _ = write!(out, " {key}={value}");
        }
    }
    out.push('\n');
    for import in file["imports"].as_array().into_iter().flatten() {
        let names: Vec<String> = import["names"]
            .as_array()
            .into_iter()
            .flatten()
            .map(text)
            .collect();
        let _ = writeln!(
            out,
            "import {} {} L{}",
            text(&import["module"]),
            names.join(","),
            import["line"]
        );
    }
    definitions(&mut out, &file["definitions"], 0);
    for problem in file["problems"].as_array().into_iter().flatten() {
        let _ = writeln!(
            out,
            "problem {} L{}-{} {}",
            text(&problem["kind"]),
            problem["start_line"],
            problem["end_line"],
            text(&problem["message"])
        );
    }
    out
}

fn definitions(out: &mut String, list: &Value, depth: usize) {
    for definition in list.as_array().into_iter().flatten() {
        let word = |key: &str| definition[key].as_str().unwrap_or("").to_string();
        let _ = write!(
            out,
            "{:depth$}{} {} L{}-{}",
            "",
            word("kind"),
            word("qualname"),
            definition["start_line"],
            definition["end_line"],
            depth = 2 * depth
        );
        if definition["decl_line"] != definition["start_line"] {
            let _ = write!(out, " decl=L{}", definition["decl_line"]);
        }
        for flag in ["exported", "declaration", "truncated", "damaged", "data"] {
            if definition.get(flag).is_some() {
                let _ = write!(out, " {flag}");
            }
        }
        if let Some(level) = definition.get("level") {
            let _ = write!(out, " level={level}");
        }
        out.push('\n');
        for key in ["signature", "returns", "receiver", "doc"] {
            if let Some(value) = definition.get(key) {
                let _ = writeln!(
                    out,
                    "{:depth$}  .{key} {}",
                    "",
                    value.as_str().unwrap_or_default(),
                    depth = 2 * depth
                );
            }
        }
        for key in ["params", "decorators", "bases"] {
            for value in definition[key].as_array().into_iter().flatten() {
                let _ = writeln!(
                    out,
                    "{:depth$}  .{key} {}",
                    "",
                    value.as_str().unwrap_or_default(),
                    depth = 2 * depth
                );
            }
        }
        definitions(out, &definition["children"], depth + 1);
    }
}
