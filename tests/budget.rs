//! Budgets: each rung of each ladder as it is printed, and what holds of any answer within any budget.

use std::fmt::Write;

use crate::check::{check, check_run, program, root, run};
use crate::fits::{faults, tokens};

/// Runs in `fixtures/budgets`, one after the other, against `<name>.golden` there.
fn check_runs(name: &str, runs: &[&str]) {
    let folder = root().join("fixtures/budgets");
    let mut all = String::new();
    for arguments in runs {
        let output = program()
            .current_dir(&folder)
            .args(arguments.split(' '))
            .arg("--no-cache")
            .output()
            .expect("the program was built for this test");
        let (out, errors) = (&output.stdout, &output.stderr);
        let counted = tokens(out);
        let out = String::from_utf8_lossy(out);
        let _ = write!(all, "$ ast-outline {arguments}\n{out}");
        let _ = write!(all, "{}", String::from_utf8_lossy(errors));
        let code = output.status.code().unwrap_or(-1);
        let _ = writeln!(all, "--- {counted} tokens, exit {code}\n");
    }
    check(&folder.join(format!("{name}.golden")), &all);
}

#[test]
fn code_goes_down_the_ladder() {
    check_runs(
        "ledger.py",
        &[
            "read --budget 900 ledger.py",
            "read --budget 650 ledger.py",
            "read --budget 500 ledger.py",
            "read --budget 350 ledger.py",
            "read --budget 250 ledger.py",
            "read --budget 200 ledger.py",
            "read --budget 160 ledger.py",
            "read --budget 70 ledger.py",
            "read --budget 20 ledger.py",
            "read --budget 500 --focus Ledger._check ledger.py",
            "read --focus 64 ledger.py",
            "read --view signatures --budget 200 ledger.py",
            "read --strict --budget 400 ledger.py",
            "outline --budget 700 ledger.py",
            "outline --budget 280 ledger.py",
            "outline --strict --budget 280 ledger.py",
            "outline --view names --budget 150 ledger.py",
        ],
    );
}

#[test]
fn texts_go_down_ladders_of_their_own() {
    check_runs(
        "handbook.md",
        &[
            "read --budget 400 handbook.md",
            "read --budget 250 handbook.md",
            "read --budget 130 handbook.md",
            "read --budget 110 handbook.md",
            "read --budget 60 handbook.md",
        ],
    );
    check_runs(
        "settings.yaml",
        &[
            "read --budget 400 settings.yaml",
            "read --view docs --budget 500 settings.yaml",
            "read --view signatures --budget 500 settings.yaml",
            "read --budget 160 settings.yaml",
            "read --budget 110 settings.yaml",
            "read --budget 60 settings.yaml",
        ],
    );
    check_runs(
        "bookings.csv",
        &[
            "read --budget 400 bookings.csv",
            "read --budget 150 bookings.csv",
            "read --budget 90 bookings.csv",
            "read --budget 60 bookings.csv",
        ],
    );
    check_runs(
        "run.log",
        &[
            "read --budget 900 run.log",
            "read --budget 200 run.log",
            "read --budget 60 run.log",
            "read --view names run.log",
        ],
    );
}

#[test]
fn folders_go_down_a_ladder_of_their_own() {
    check_runs(
        "folder",
        &[
            "outline --budget 900",
            "outline --budget 500",
            "outline --budget 300",
            "outline --budget 150",
            "outline --budget 60",
            "outline --budget 10",
            "outline --strict --budget 300",
            "outline --budget 150 ledger.py handbook.md",
        ],
    );
}

#[test]
fn budgets_in_json() {
    check_run(
        "budget-json",
        &["outline", "--json", "--budget", "400", "src/notifier.py"],
    );
    check_run(
        "budget-json-folder",
        &["outline", "--json", "--budget", "700"],
    );
    check_run("read-json", &["read", "--json", "data/prices.csv"]);
    check_run(
        "read-json-focus",
        &["read", "--json", "--focus", "send", "src/notifier.py"],
    );
    check_run("budget-zero", &["outline", "--budget", "0"]);
    check_run("budget-none", &["read", "--budget", "none", "deploy.yaml"]);
    check_run("read-folder", &["read", "src"]);
    check_run(
        "read-no-focus",
        &["read", "--focus", "nobody", "src/notifier.py"],
    );
}

/// Of all files of the project, some in each language; `cargo bench --bench budgets` takes whole folders.
#[test]
fn answers_count_themselves_and_keep_to_the_budget() {
    let listed = run(&["outline", "--json", "--view", "counts", "fixtures", "src"]).stdout;
    let path = |line: &[u8]| {
        let value: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(value["path"].as_str()?.to_string())
    };
    let files = listed.split(|&byte| byte == b'\n').filter_map(path);
    let mut found = vec![];
    for (place, file) in files.enumerate().filter(|(place, _)| place % 23 == 0) {
        let verb = ["outline", "read"][place / 23 % 2];
        found.extend(faults(&run, verb, &[&file], place / 46 % 2 == 0));
    }
    for json in [false, true] {
        found.extend(faults(
            &run,
            "outline",
            &["fixtures/budgets", "tests"],
            json,
        ));
        found.extend(faults(&run, "read", &["LICENSE"], json));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
