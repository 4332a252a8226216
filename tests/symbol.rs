//! `symbol`: source by name, several matches, misses.

use crate::check::check_run;

#[test]
fn a_name_gives_its_source() {
    check_run("symbol", &["symbol", "Notifier.connect"]);
    check_run(
        "symbol-in-file",
        &["symbol", "src/notifier.py", "send", "default_notifier"],
    );
    check_run(
        "symbol-path-and-name",
        &["symbol", "src/notifier.py::Notifier.send"],
    );
    check_run("symbol-path-and-line", &["symbol", "src/notifier.py:14"]);
    check_run("symbol-json", &["symbol", "--json", "Notifier.connect"]);
    check_run("symbol-signature", &["symbol", "--signature", "send"]);
    check_run(
        "symbol-with-parents",
        &["symbol", "--with-parents", "web", "total"],
    );
    check_run("symbol-in", &["symbol", "--in", "web", "Cart.add"]);
    check_run("symbol-raw", &["symbol", "--raw", "connect"]);
}

#[test]
fn sections_and_values_have_names_too() {
    check_run("symbol-section", &["symbol", "docs/runbook.md", "Renewal"]);
    check_run(
        "symbol-section-path",
        &["symbol", "docs/runbook.md", "Renewal > Dates"],
    );
    check_run("symbol-key", &["symbol", "deploy.yaml", "/spec/replicas"]);
    check_run("symbol-key-suffix", &["symbol", "settings.json", "host"]);
}

#[test]
fn a_miss_says_what_is_near() {
    check_run("symbol-miss", &["symbol", "Notifier.sned"]);
    check_run("symbol-miss-json", &["symbol", "--json", "Notifier.sned"]);
    check_run("symbol-miss-far", &["symbol", "src", "zebra"]);
    check_run(
        "symbol-no-definition-there",
        &["symbol", "src/notifier.py:3"],
    );
}

/// The same letters in another case are an answer only where there is no better one.
#[test]
fn case_matters_only_if_it_must() {
    check_run("symbol-case", &["symbol", "notifier"]);
}
