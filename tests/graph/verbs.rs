//! What the verbs of the graph answer on a small tree of two packages: every answer is golden, as text and as JSON.

use crate::check::{check, root};
use crate::folder::Folder;
use crate::json::valid;

const RUNS: &[(&str, &[&str])] = &[
    ("callers", &["callers", "Store.write"]),
    ("callers-none", &["callers", "lonely"]),
    ("callers-only-tests", &["callers", "only_tested"]),
    ("callers-ambiguous", &["callers", "write"]),
    (
        "callers-budget",
        &[
            "callers",
            "Store.write",
            "--uses",
            "--tests",
            "--budget",
            "90",
        ],
    ),
    (
        "callers-strict",
        &["callers", "Store.write", "--budget", "30", "--strict"],
    ),
    ("callees", &["callees", "handle"]),
    ("impact", &["impact", "Store.check"]),
    (
        "impact-deep",
        &["impact", "Store.check", "--depth", "4", "--tests"],
    ),
    (
        "impact-base",
        &["impact", "Sink.write", "--direction", "both"],
    ),
    ("impact-file", &["impact", "core/shop_core/store.py"]),
    (
        "impact-budget",
        &[
            "impact",
            "core/shop_core/store.py",
            "--tests",
            "--budget",
            "160",
        ],
    ),
    ("path", &["path", "main", "Store.check"]),
    ("path-back", &["path", "Store.check", "main"]),
    ("tests", &["tests", "Store.check"]),
    ("tests-none", &["tests", "lonely"]),
    ("unused", &["unused"]),
    ("unused-in", &["unused", "web"]),
    ("deps", &["deps", "web"]),
    ("deps-package", &["deps", "shop-web", "--sites"]),
    ("rdeps", &["rdeps", "core/shop_core/store.py"]),
    ("rdeps-none", &["rdeps", "web"]),
    ("why", &["why", "handle", "Store.write"]),
    ("why-not", &["why", "main", "Store.write"]),
];

fn tree() -> Folder {
    let folder = Folder::new();
    folder.copy(&root().join("fixtures/repos/reach"), ".");
    Folder::commit(folder.path(), "Open the shop");
    folder.stdout(&["index", ".", "--no-messages"]);
    folder
}

#[test]
fn answers_are_as_written() {
    let folder = tree();
    for (name, arguments) in RUNS {
        let output = folder.run(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let actual = format!(
            "$ ast-outline {}\n{}{}--- exit {}\n",
            arguments.join(" "),
            text(&output.stdout),
            text(&output.stderr),
            output.status.code().unwrap_or(-1)
        );
        check(
            &root().join(format!("fixtures/answers/graph-{name}.txt")),
            &actual,
        );
    }
}

#[test]
fn answers_in_json_fit_their_schemas_and_budgets() {
    let folder = tree();
    for (name, arguments) in RUNS {
        for budget in ["none", "150", "300", "600", "5000"] {
            let more = ["--json", "--no-messages", "--budget", budget];
            let arguments: Vec<&str> = arguments.iter().chain(&more).copied().collect();
            let arguments: Vec<&str> = match name.ends_with("-budget") || name.ends_with("-strict")
            {
                true => continue,
                false => arguments,
            };
            let output = folder.run(&arguments);
            valid(arguments[0], &output.stdout);
            let Ok(answer) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
                continue;
            };
            let tokens = answer["tokens"]
                .as_u64()
                .expect("an answer says what it costs");
            if let (Ok(budget), true) = (budget.parse::<u64>(), answer["fits"] == true) {
                assert!(tokens <= budget, "{arguments:?} takes {tokens}");
            }
        }
    }
}

#[test]
fn what_a_change_broke_fits_its_schema_and_points_to_lines() {
    let folder = Folder::new();
    let from = root().join("fixtures/repos/broken-go");
    folder.copy(&from.join("before"), ".");
    Folder::commit(folder.path(), "Begin");
    folder.copy(&from.join("after"), ".");
    let output = folder.run(&["impact", "--diff", "HEAD", "--json", "--no-messages"]);
    assert_eq!(valid("impact", &output.stdout), 1);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let sites = answer["sites"].as_array().expect("there are sites");
    assert_eq!(answer["broken"], sites.len());
    for site in sites {
        let pointer = site["pointer"].as_str().expect("each points to its line");
        folder.stdout(&["verify", pointer]);
    }
}

/// Paths are those that can be typed where the question is asked.
#[test]
fn paths_start_from_the_working_directory() {
    let folder = tree();
    for (within, expected) in [
        ("web", "shop_web/app.py:7"),
        ("core/shop_core", "../../web/shop_web/app.py:7"),
    ] {
        let text = folder.stdout(&["-C", within, "callers", "Store.write", "--no-messages"]);
        assert!(text.contains(expected), "{within}: {text}");
    }
    let text = folder.stdout(&[
        "-C",
        "web",
        "impact",
        "shop_web/app.py",
        "--tests",
        "--no-messages",
    ]);
    assert!(text.contains("tests/test_app.py:6"), "{text}");
    let text = folder.stdout(&[
        "-C",
        "web",
        "callers",
        "../core/shop_core/store.py::Store.write",
        "--no-messages",
    ]);
    assert!(text.contains("shop_web/app.py:7"), "{text}");
}
