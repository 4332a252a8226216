//! Every JSON answer against the schema that `schema VERB` prints.

use serde_json::Value;

use crate::check::{program, root, stdout};

pub fn valid(verb: &str, lines: &[u8]) -> usize {
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
    assert_eq!(answers("prompt", &["prompt", "--json"]), 1);
}

#[test]
fn what_the_index_adds_fits_its_schemas() {
    let folder = crate::folder::Folder::repository();
    folder.copy(&root().join("fixtures/repos/joined"), ".");
    folder.stdout(&["index", "."]);
    let symbol = ["symbol", "save_item", "--graph", "--expand"];
    let runs: [(&str, &[&str], usize); 8] = [
        ("brief", &["brief", "store/store/shelf.py"], 1),
        ("symbol", &symbol, 2),
        ("symbol", &["symbol", "sell", "--session", "s"], 1),
        ("symbol", &["symbol", "sell", "--session", "s"], 1),
        (
            "outline",
            &["outline", "store/store/shelf.py", "--budget", "900"],
            1,
        ),
        (
            "read",
            &["read", "store/store/shelf.py", "--budget", "300"],
            1,
        ),
        (
            "search",
            &[
                "search",
                "save_item",
                "--budget",
                "3000",
                "store/store/admin.py",
            ],
            1,
        ),
        ("search", &["search", "--symbols", "save_item"], 1),
    ];
    for (verb, arguments, count) in runs {
        let mut command = folder.command(&[arguments, &["--json"]].concat());
        let output = command
            .env_remove("AST_OUTLINE_RANKING")
            .output()
            .expect("it runs");
        assert_eq!(valid(verb, &output.stdout), count, "{arguments:?}");
    }
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
fn answers_within_budgets_fit_their_schemas() {
    let files = [
        "ledger.py",
        "handbook.md",
        "settings.yaml",
        "bookings.csv",
        "run.log",
    ];
    for file in files.map(|file| format!("fixtures/budgets/{file}")) {
        for budget in ["20", "300", "500", "700", "1000", "3000"] {
            answers("read", &["read", "--json", "--budget", budget, &file]);
        }
    }
    answers(
        "read",
        &[
            "read",
            "--json",
            "--focus",
            "book",
            "fixtures/budgets/ledger.py",
        ],
    );
    for budget in ["20", "500", "2000", "20000"] {
        let output = program()
            .args(["outline", "--json", "--budget", budget, "fixtures/budgets"])
            .output()
            .expect("it runs");
        let lines: Vec<&[u8]> = output
            .stdout
            .split_inclusive(|&byte| byte == b'\n')
            .collect();
        let (last, files) = lines.split_last().expect("there is a last line");
        valid("end", last);
        files
            .iter()
            .for_each(|file| assert_eq!(valid("outline", file), 1));
    }
}

#[test]
fn matches_and_names_fit_their_schema() {
    let runs: [&[&str]; 9] = [
        &["search", "--json", "--no-cache", "e", "fixtures"],
        &["search", "--json", "-v", "-C2", "e", "fixtures/python"],
        &[
            "search",
            "--json",
            "-U",
            "-m2",
            "\\n.*\\n",
            "fixtures/python",
        ],
        &["search", "--json", "-l", "e", "fixtures/python"],
        &["search", "--json", "-c", "e", "fixtures/python"],
        &[
            "search",
            "--json",
            "--view",
            "context",
            "e",
            "fixtures/python",
        ],
        &[
            "search",
            "--json",
            "--view",
            "places",
            "e",
            "fixtures/python",
        ],
        &["search", "--json", "--symbols", "send", "fixtures"],
        &[
            "search",
            "--json",
            "--symbols",
            "--evidence",
            "e",
            "fixtures",
        ],
    ];
    for arguments in runs {
        let count = answers("search", arguments);
        assert!(count > 5, "only {count} answers to {arguments:?}");
    }
    let total = ["search", "--json", "--view", "total", "e", "fixtures"];
    assert_eq!(answers("search", &total), 1);
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

/// Each line by its own schema, the last by that of ends.
#[test]
fn answers_within_a_budget_fit_their_schemas() {
    let shop = "fixtures/repos/shop";
    let runs: [(&str, &[&str]); 8] = [
        (
            "symbol",
            &["symbol", "--in", shop, "Notifier", "--budget", "400"],
        ),
        (
            "symbol",
            &["symbol", "--in", "fixtures", "send", "--budget", "900"],
        ),
        (
            "symbol",
            &["symbol", "--in", "fixtures", "send", "--view", "members"],
        ),
        ("region", &["region", "Cargo.toml:1-60", "--budget", "200"]),
        (
            "region",
            &[
                "region",
                "Cargo.toml:1-9",
                "src/main.rs:1-9",
                "--budget",
                "900",
            ],
        ),
        (
            "search",
            &["search", "send", "fixtures", "--budget", "2000"],
        ),
        ("search", &["search", "send", "fixtures", "--budget", "200"]),
        (
            "search",
            &["search", "--symbols", "send", "fixtures", "--budget", "900"],
        ),
    ];
    for (verb, arguments) in runs {
        let output = program().args(arguments).arg("--json").output();
        let output = output.expect("it runs").stdout;
        let lines: Vec<&[u8]> = output.split_inclusive(|&byte| byte == b'\n').collect();
        let is_end = |line: &&[u8]| line.starts_with(br#"{"schema":"ast-outline.end/1""#);
        let (ends, others): (Vec<&[u8]>, Vec<&[u8]>) = lines.into_iter().partition(is_end);
        assert_eq!(valid(verb, &others.concat()), others.len(), "{arguments:?}");
        assert_eq!(valid("end", &ends.concat()), ends.len(), "{arguments:?}");
        assert!(
            ends.len() + others.len() > 0 && ends.len() <= 1,
            "{arguments:?}"
        );
        let budgeted = arguments.contains(&"--budget");
        assert!(
            !budgeted || others.len() <= 1 || ends.len() == 1,
            "{arguments:?}"
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
