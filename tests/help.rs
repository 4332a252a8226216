//! Help texts and what stands around the verbs are golden: they are what users read first.

use crate::check::{VERBS, check_run};

#[test]
fn help_is_as_written() {
    check_run("help-short", &["-h"]);
    check_run("help-long", &["--help"]);
    for verb in VERBS {
        check_run(&format!("help-{verb}"), &[verb, "--help"]);
    }
}

#[test]
fn usage_errors_are_errors() {
    check_run("usage-no-verb", &[]);
    check_run("usage-unknown-flag", &["outline", "--bogus"]);
    check_run("usage-unknown-flag-json", &["outline", "--json", "--bogus"]);
    check_run("usage-path-for-verb", &["src/notifier.py"]);
}

#[test]
fn the_program_says_what_it_knows() {
    check_run("languages", &["languages"]);
    check_run("schema-list", &["schema"]);
    check_run("tree", &["tree", "--explain", "docs/../src/notifier.py"]);
    check_run("type-list", &["outline", "--type-list"]);
}
