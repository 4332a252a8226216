//! `read`: what changed since a version, summaries, and files that are no files.

use crate::check::root;
use crate::folder::Folder;
use crate::input::Scratch;

/// A repository with the ledger, changed after its commit.
fn changed() -> (Folder, String) {
    let folder = Folder::new();
    let text = std::fs::read_to_string(root().join("fixtures/budgets/ledger.py"));
    let text = text.expect("there is a ledger");
    folder.write("ledger.py", &text);
    let commit = Folder::commit(folder.path(), "Keep a ledger");
    let edited = text
        .replace("sorted(self._balances)", "sorted(self._balances, key=str)")
        .replace("THRESHOLD = 100", "THRESHOLD = 500")
        .replace("import csv\n", "import csv\nimport io\n");
    folder.write("ledger.py", edited);
    (folder, commit)
}

#[test]
fn since_a_version_only_what_changed_is_shown() {
    let (folder, commit) = changed();
    let text = folder.stdout(&["read", "--since", &commit[..12], "ledger.py"]);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let wanted = "\
L4:
import io
L9:
THRESHOLD = 500
class Ledger  L28-61
  method accounts  L49-50:
    def accounts(self) -> list[str]:
        return sorted(self._balances, key=str)";
    assert_eq!(lines, wanted.lines().collect::<Vec<_>>());
    let header = text.lines().next().unwrap_or_default();
    assert!(
        header.contains(&format!("view changes since {}", &commit[..12])),
        "{header}"
    );
}

#[test]
fn since_goes_down_a_ladder_of_its_own() {
    let (folder, _) = changed();
    let mut views = vec![];
    for budget in ["200", "110", "95", "70"] {
        let text = folder.stdout(&["read", "--since", "HEAD", "--budget", budget, "ledger.py"]);
        let view = text.split(", view ").nth(1).unwrap_or_default();
        views.push(view.split(' ').next().unwrap_or_default().to_string());
    }
    let mut sorted = views.clone();
    sorted.dedup();
    assert_eq!(
        sorted.first().map(String::as_str),
        Some("changes"),
        "{views:?}"
    );
    assert_eq!(
        sorted.last().map(String::as_str),
        Some("counts"),
        "{views:?}"
    );
}

#[test]
fn nothing_changed_is_said() {
    let (folder, _) = changed();
    Folder::commit(folder.path(), "Sort by text");
    let text = folder.stdout(&["read", "--since", "HEAD", "ledger.py"]);
    assert!(
        text.contains("view changes, unchanged since HEAD"),
        "{text}"
    );
}

/// A command without it looked in the folder that the run was started in.
#[test]
fn printed_commands_name_the_folder_that_was_worked_in() {
    let folder = Folder::new();
    folder.copy(&root().join("fixtures/budgets"), "of books");
    for arguments in [
        &["-C", "of books", "read", "--budget", "350", "ledger.py"][..],
        &["-C", "of books", "read", "--budget", "200", "run.log"],
        &["-C", "of books", "outline", "--budget", "150", "."],
        &["-C", "of books", "symbol", "--budget", "120", "Ledger"],
    ] {
        let text = folder.stdout(arguments);
        let commands = text.lines().filter_map(|line| {
            let command = &line[line.find("ast-outline ")?..];
            Some(
                command
                    .trim_end_matches(')')
                    .trim_start_matches("ast-outline "),
            )
        });
        let commands: Vec<&str> = commands.collect();
        assert!(!commands.is_empty(), "{arguments:?}: {text}");
        for command in commands {
            let rest = command.strip_prefix("-C 'of books' ");
            let rest = rest.unwrap_or_else(|| panic!("{arguments:?}: {command}"));
            let words: Vec<&str> = ["-C", "of books"]
                .into_iter()
                .chain(rest.split(' '))
                .collect();
            folder.stdout(&words);
        }
    }
}

#[test]
fn a_version_that_nobody_knows_is_an_error_of_its_own() {
    let (folder, _) = changed();
    let output = folder.run(&["read", "--since", "0123456789ab", "ledger.py"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("0123456789ab"), "{errors}");
}

/// Each run of the summarizer leaves a line in `runs`.
const SUMMARIZER: &str = "echo run >> runs; echo \"about $(wc -l | tr -d ' ') lines\"";

#[cfg(unix)]
#[test]
fn summaries_are_written_once_for_each_version() {
    let folder = Folder::repository();
    let ask = |summarizer: &str, more: &[&str]| {
        let arguments = [&["read", "--view", "summary", "a.py"], more].concat();
        let mut command = folder.command(&arguments);
        let output = command.env("AST_OUTLINE_SUMMARIZER", summarizer).output();
        let output = output.expect("it runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let runs = || std::fs::read_to_string(folder.at("runs")).map_or(0, |runs| runs.lines().count());
    folder.write("a.py", "def f():\n    pass\n");
    assert_eq!(ask("", &[]).0, Some(1), "nothing is known");
    for _ in 0..2 {
        let (code, text) = ask(SUMMARIZER, &[]);
        assert_eq!(code, Some(0));
        assert!(text.contains("view summary, generated)"), "{text}");
        assert!(text.ends_with("\nabout 2 lines\n"), "{text}");
    }
    assert_eq!(runs(), 1, "the second time it is known");
    folder.write("a.py", "def f():\n    pass\n\n");
    let (_, text) = ask("", &[]);
    assert!(text.contains("view summary, generated, stale)"), "{text}");
    assert!(text.ends_with("\nabout 2 lines\n"), "{text}");
    let (_, json) = ask("", &["--json"]);
    assert!(json.contains(r#""generated":true,"stale":true"#), "{json}");
    assert!(ask(SUMMARIZER, &[]).1.ends_with("\nabout 3 lines\n"));
    assert_eq!(ask("exit 3", &["--no-cache"]).0, Some(2));
    // Only the first and the last version were asked about.
    assert_eq!(runs(), 2);
}

#[cfg(unix)]
#[test]
fn a_summary_that_does_not_fit_is_not_cut() {
    let folder = Folder::repository();
    folder.write("a.py", "def f():\n    pass\n");
    let arguments = ["read", "--view", "summary", "--budget", "60", "a.py"];
    let mut command = folder.command(&arguments);
    let long =
        "for i in 1 2 3 4 5 6 7 8 9; do echo It does this and that and something else.; done";
    let output = command
        .env("AST_OUTLINE_SUMMARIZER", long)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("view counts"), "{text}");
    assert!(text.contains("1 summary left out"), "{text}");
    assert_eq!(text.lines().count(), 1);
}

/// All functions were shown, and two hundred lines behind them left out without a word.
#[test]
fn text_outside_of_definitions_is_not_left_out_unsaid() {
    let scratch = Scratch::new("outside");
    let text = format!("def f():\n    pass\n{}", "# nothing\n".repeat(200));
    scratch.write("a.py", text);
    let output = scratch.run(&["read", "--budget", "150", "a.py"]);
    let answer = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(answer.contains("    pass\n"), "{answer}");
    assert!(answer.contains("200 lines left out"), "{answer}");
    assert!(answer.ends_with("... ast-outline read a.py\n"), "{answer}");
}
