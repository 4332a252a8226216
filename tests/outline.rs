//! `outline`: views, filters, folders, stdin.

use crate::check::check_run;

#[test]
fn a_file_shows_signatures_docs_and_ranges() {
    check_run("outline-file", &["outline", "src/notifier.py"]);
}

#[test]
fn a_folder_shows_names_in_path_order() {
    check_run("outline-folder", &["outline"]);
    check_run("outline-folder-typed", &["outline", "./src", "web"]);
    check_run(
        "outline-folder-counts",
        &["outline", "--view", "counts", "."],
    );
}

#[test]
fn every_view_has_its_own_detail() {
    for view in ["full", "docs", "signatures", "names", "top", "counts"] {
        check_run(
            &format!("outline-view-{view}"),
            &["outline", "--view", view, "web/cart.ts"],
        );
        check_run(
            &format!("outline-view-{view}-json"),
            &["outline", "--json", "--view", view, "web/cart.ts"],
        );
    }
}

#[test]
fn filters_keep_what_encloses_a_match() {
    check_run(
        "outline-kind",
        &["outline", "--kind", "method", "web/cart.ts"],
    );
    check_run(
        "outline-match",
        &["outline", "--match", "*send*", "src/notifier.py"],
    );
    check_run(
        "outline-exported",
        &[
            "outline",
            "--exported",
            "--no-docs",
            "--no-imports",
            "web/cart.ts",
        ],
    );
    check_run("outline-depth", &["outline", "--depth", "1", "web/cart.ts"]);
    check_run(
        "outline-kind-unknown",
        &["outline", "--kind", "procedure", "web/cart.ts"],
    );
}

#[test]
fn large_types_are_capped_and_say_so() {
    check_run(
        "outline-max-members",
        &["outline", "--max-members", "1", "src/notifier.py"],
    );
    check_run(
        "outline-max-members-json",
        &["outline", "--json", "--max-members", "1", "src/notifier.py"],
    );
}

#[test]
fn answers_can_be_fenced() {
    check_run("outline-fence", &["outline", "--fence", "src/notifier.py"]);
}

#[test]
fn documents_and_data_have_outlines() {
    check_run(
        "outline-documents",
        &[
            "outline",
            "docs/runbook.md",
            "deploy.yaml",
            "settings.json",
            "data/prices.csv",
        ],
    );
}

#[test]
fn globs_and_types_choose_files() {
    check_run(
        "outline-glob",
        &["outline", "-g", "*.ts", "--view", "counts"],
    );
    check_run(
        "outline-type",
        &["outline", "-t", "python", "--view", "counts"],
    );
    check_run("outline-type-unknown", &["outline", "-t", "klingon"]);
}
