//! Every JSON answer against the schema that `schema VERB` prints.

use serde_json::Value;

use crate::check::{program, root, stdout};

fn valid(verb: &str, lines: &[u8]) -> usize {
    let schema: Value = serde_json::from_str(&stdout(&["schema", verb])).expect("schemas are JSON");
    let validator = jsonschema::validator_for(&schema).expect("schemas are JSON Schemas");
    let lines = lines
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let answers: Vec<Value> = lines
        .map(|line| serde_json::from_slice(line).expect("one object a line"))
        .collect();
    for answer in &answers {
        if let Err(error) = validator.validate(answer) {
            panic!(
                "{verb}: {error} at {} in {}",
                error.instance_path(),
                answer["path"]
            );
        }
    }
    answers.len()
}

fn answers(verb: &str, arguments: &[&str]) -> usize {
    let output = program().args(arguments).output().expect("it runs");
    valid(verb, &output.stdout)
}

#[test]
fn outlines_of_all_fixtures_fit_their_schema() {
    for view in ["full", "docs", "signatures", "names", "top", "counts"] {
        let count = answers(
            "outline",
            &[
                "outline",
                "--json",
                "--view",
                view,
                "--no-cache",
                "fixtures",
            ],
        );
        assert!(count > 10, "only {count} answers");
    }
    answers(
        "outline",
        &["outline", "--json", "--max-members", "1", "fixtures"],
    );
}

#[test]
fn regions_and_symbols_fit_their_schemas() {
    assert_eq!(
        answers(
            "region",
            &[
                "region",
                "--json",
                "fixtures/repos/shop/src/notifier.py:13-15",
                "Cargo.toml:1-3"
            ]
        ),
        2
    );
    assert_eq!(
        answers(
            "symbol",
            &[
                "symbol",
                "--json",
                "fixtures/repos/shop",
                "send",
                "--with-parents"
            ]
        ),
        1
    );
    assert!(answers("symbol", &["symbol", "--json", "fixtures", "send"]) > 1);
    assert!(answers("languages", &["languages", "--json"]) > 10);
}

#[test]
fn evidence_fits_its_schemas() {
    let folder = crate::folder::Folder::new();
    folder.write("a.py", "A = 1\nB = 2\n");
    let id = crate::folder::Folder::commit(folder.path(), "Begin");
    folder.write("a.py", "A = 1\nC = 0\nB = 2\nA = 1\n");
    let at = |lines: &str| format!("a.py@{id}#{lines}");
    let runs: [(&str, &[&str], usize); 4] = [
        ("region", &["region", "--at", &id, "a.py:2"], 1),
        ("region", &["region", &at("L1-L2"), "a.py:1"], 2),
        ("outline", &["outline", "--evidence", "a.py"], 1),
        (
            "verify",
            &[
                "verify",
                &at("L2"),
                &at("L1-L2"),
                &at("L9"),
                "a.py@0123456#L1",
            ],
            4,
        ),
    ];
    for (verb, arguments, count) in runs {
        let output = folder.run(&[arguments, &["--json"]].concat());
        assert_eq!(valid(verb, &output.stdout), count, "{arguments:?}");
    }
}

#[test]
fn token_counts_fit_their_schema() {
    for tokenizer in ["o200k", "cl100k", "claude"] {
        let count = answers(
            "tokens",
            &["tokens", "--json", "--tokenizer", tokenizer, "fixtures"],
        );
        assert!(count > 10, "only {count} answers");
    }
}

#[test]
fn errors_fit_their_schema() {
    let runs: [&[&str]; 4] = [
        &["outline", "--json", "missing.py"],
        &["symbol", "--json", "fixtures/repos", "nosuchname"],
        &["region", "--json", "Cargo.toml:9999"],
        &["outline", "--json", "--bogus"],
    ];
    for arguments in runs {
        let output = program()
            .current_dir(root())
            .args(arguments)
            .output()
            .expect("it runs");
        assert_eq!(valid("error", &output.stderr), 1, "{arguments:?}");
        assert!(!output.status.success(), "{arguments:?}");
    }
}

#[test]
fn the_cache_fits_its_schema() {
    for action in ["stat", "clean"] {
        let folder = crate::folder::Folder::repository();
        folder.write("a.py", "A = 1\n");
        folder.stdout(&["outline", "."]);
        assert_eq!(
            valid(
                "cache",
                folder.stdout(&["cache", action, "--json"]).as_bytes()
            ),
            1
        );
    }
}

#[test]
fn changes_fit_their_schema() {
    let fixtures = root().join("fixtures/diff");
    let mut count = 0;
    for entry in std::fs::read_dir(fixtures).expect("there are pairs") {
        let folder = entry.expect("it can be read").path();
        let files = std::fs::read_dir(&folder).expect("it can be read");
        let mut files: Vec<String> = files
            .map(|entry| entry.expect("it can be read").path().display().to_string())
            .filter(|path| !path.ends_with("golden"))
            .collect();
        files.sort();
        files.reverse();
        count += answers("diff", &["diff", "--json", &files[0], &files[1]]);
    }
    assert!(count > 20, "only {count} answers");
    let output = program()
        .current_dir(crate::check::shop())
        .args(["diff", "--json", "HEAD", "retry"])
        .output()
        .expect("it runs");
    assert_eq!(valid("diff", &output.stdout), 6);
}
