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
