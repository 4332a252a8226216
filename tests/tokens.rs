//! `tokens`: counts of files. That the counts are right is tested beside the code, against tiktoken.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::check::check_run;
use crate::input::Scratch;

#[test]
fn counts_are_a_table() {
    check_run("tokens-folder", &["tokens"]);
    check_run("tokens-file", &["tokens", "src/notifier.py"]);
    check_run(
        "tokens-several",
        &["tokens", "docs", "deploy.yaml", "missing.py"],
    );
    check_run(
        "tokens-glob",
        &["tokens", "-g", "*.ts", "--tokenizer", "claude"],
    );
    check_run("tokens-no-files", &["tokens", "-g", "*.nothing"]);
}

#[test]
fn counts_are_json() {
    check_run("tokens-json", &["tokens", "--json", "src", "web"]);
    check_run(
        "tokens-json-claude",
        &["tokens", "--json", "--tokenizer=claude~", "web/cart.ts"],
    );
}

#[test]
fn unknown_tokenizers_are_usage_errors() {
    check_run(
        "tokens-unknown",
        &["tokens", "--tokenizer", "gpt2", "web/cart.ts"],
    );
    check_run(
        "tokens-unknown-json",
        &["tokens", "--json", "--tokenizer", "gpt2", "web/cart.ts"],
    );
}

fn tokenizer_of(command: &mut Command) -> Option<String> {
    let output = command.output().expect("the program starts");
    let answer: Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(answer["tokenizer"].as_str()?.to_string())
}

#[test]
fn the_flag_wins_over_the_environment_over_the_default() {
    let scratch = Scratch::new("tokenizer");
    scratch.write("a.py", "A = 1\n");
    let run = |env: Option<&str>, flag: &[&str]| {
        let mut command = scratch.command(&["tokens", "--json", "a.py"]);
        env.map(|name| command.env("AST_OUTLINE_TOKENIZER", name));
        tokenizer_of(command.args(flag))
    };
    let named = |name: &str| Some(name.to_string());
    assert_eq!(run(None, &[]), named("o200k"));
    assert_eq!(run(Some(""), &[]), named("o200k"));
    assert_eq!(run(Some("claude"), &[]), named("claude~"));
    assert_eq!(
        run(Some("claude"), &["--tokenizer", "cl100k"]),
        named("cl100k")
    );
    assert_eq!(run(Some("bogus"), &[]), None);
}

fn piped(scratch: &Scratch, arguments: &[&str], text: &[u8]) -> Output {
    let mut child = scratch
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    stdin.write_all(text).expect("the program reads it");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// What is counted is the text: of UTF-16 the same as of UTF-8, whatever the format.
#[test]
fn any_text_is_counted() {
    let scratch = Scratch::new("any-text");
    let text = "Grüße, 漢字!\nno final line end";
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let counts = |name: &str, bytes: &[u8]| {
        scratch.write(name, bytes);
        let output = scratch.run(&["tokens", "--json", name]);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("one object");
        (answer["counts"].clone(), answer["lines"].clone())
    };
    let narrow = counts("a.unknown", text.as_bytes());
    assert_eq!(narrow.1, 2);
    assert_eq!(counts("b.unknown", &wide), narrow);
    let output = piped(&scratch, &["tokens", "--json", "-"], text.as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(
        (answer["counts"].clone(), answer["path"].as_str()),
        (narrow.0, Some("-"))
    );
    assert_eq!(counts("empty.py", b"").0["claude~"], 0);
}

#[test]
fn binaries_are_errors_by_name_and_notes_in_folders() {
    let scratch = Scratch::new("tokens-binary");
    scratch.write("t/a.py", "A = 1\n");
    scratch.write("t/b.py", "\0\0\0");
    let output = scratch.run(&["tokens", "t"]);
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("t/b.py: binary"), "{errors}");
    assert_eq!(scratch.run(&["tokens", "t/b.py"]).status.code(), Some(2));
}
