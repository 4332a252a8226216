//! What agents are told unasked: briefs of files, answers to events, the line a session begins with. And above all when
//! nothing is said.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::asked;
use crate::check::{check, root};
use crate::folder::Folder;

const STORE: &str = "store/store/__init__.py";

/// A tree of two packages, indexed.
fn joined() -> Folder {
    let folder = Folder::repository();
    folder.copy(&root().join("fixtures/repos/joined"), ".");
    folder.stdout(&["index", "."]);
    folder
}

fn event(folder: &Folder, tool: &str, input: Value) -> String {
    json!({
        "session_id": "s", "cwd": folder.path(), "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
    })
    .to_string()
}

/// A run that is given an event.
fn hook(folder: &Folder, arguments: &[&str], event: &str) -> Output {
    let patient: &[&str] = match arguments.contains(&"--deadline") {
        true => &[],
        false => &["--deadline", "60s"],
    };
    let mut command = folder.command(&[&["hook", "claude"], patient, arguments].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("it is piped");
    // Who is told nothing may not have read to the end.
    let _ = stdin.write_all(event.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// What is added to the context; none where nothing is said.
fn told(output: &Output) -> Option<String> {
    assert!(output.status.success(), "a hook never fails");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "a hook never complains: {errors}");
    if output.stdout.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let said = answer["hookSpecificOutput"]
        .as_object()
        .expect("it is of that form");
    assert_eq!(said["hookEventName"], "PreToolUse");
    assert_eq!(said.len(), 2, "no decision is made for the user: {said:?}");
    Some(
        said["additionalContext"]
            .as_str()
            .expect("it is text")
            .to_string(),
    )
}

#[test]
fn briefs_say_what_others_want_of_a_file() {
    let folder = joined();
    let runs = [
        &["brief", STORE][..],
        &["brief", "store/store/shelf.py"],
        &["brief", "store/store/admin.py"],
        &["brief", "store/tests/test_store.py"],
        &["brief", "shop/pyproject.toml"],
        &["-C", "store", "brief", "store/shelf.py"],
        &["brief", "store/store/shelf.py", "--json"],
    ];
    check(
        &root().join("fixtures/answers/brief.txt"),
        &asked(&folder, &runs),
    );
}

#[test]
fn an_agent_is_told_the_same_before_it_reads() {
    let folder = joined();
    let brief = folder.stdout(&["brief", STORE]);
    let read = event(
        &folder,
        "Read",
        json!({"file_path": folder.at(STORE), "limit": 10}),
    );
    assert_eq!(
        told(&hook(&folder, &[], &read)).as_deref(),
        Some(brief.trim_end())
    );
    let relative = event(&folder, "Read", json!({"file_path": STORE}));
    assert_eq!(
        told(&hook(&folder, &[], &relative)).as_deref(),
        Some(brief.trim_end())
    );
    let edit = event(
        &folder,
        "Edit",
        json!({"file_path": folder.at(STORE), "old_string": "a", "new_string": "b"}),
    );
    assert_eq!(told(&hook(&folder, &[], &edit)), None);
    assert_eq!(
        told(&hook(&folder, &["--edit"], &edit)).as_deref(),
        Some(brief.trim_end())
    );
}

#[test]
fn names_that_are_searched_for_are_known() {
    let folder = joined();
    let mut text = String::new();
    for pattern in [
        "save_item",
        r"def save_item\(",
        "Shelf",
        "open_store",
        "Shelf.check",
        "spare_part",
        "no_such_name",
        "sa.*m",
    ] {
        let event = event(
            &folder,
            "Grep",
            json!({"pattern": pattern, "path": folder.path()}),
        );
        let told = told(&hook(&folder, &[], &event));
        text += &format!("> {pattern}\n{}\n", told.as_deref().unwrap_or("(nothing)"));
    }
    check(&root().join("fixtures/answers/hook-grep.txt"), &text);
}

#[test]
fn where_there_is_nothing_to_say_nothing_is_said() {
    let folder = joined();
    let read = |path: &str| event(&folder, "Read", json!({"file_path": folder.at(path)}));
    let good = read(STORE);
    let silent = [
        (String::new(), "no event"),
        ("{".to_string(), "half an event"),
        ("[1, 2]".to_string(), "another thing"),
        (good.replace("PreToolUse", "PostToolUse"), "another event"),
        (good.replace("\"Read\"", "\"Bash\""), "another tool"),
        (good.replace("file_path", "notebook_path"), "other input"),
        (read("store/gone.py"), "a file that is not there"),
        (read("shop/pyproject.toml"), "no source"),
        (
            read("store/tests/test_store.py"),
            "a test that nobody needs",
        ),
        ("\u{0}".repeat(1 << 20), "a megabyte of zeros"),
    ];
    for (event, what) in silent {
        assert_eq!(told(&hook(&folder, &[], &event)), None, "{what}");
    }
    assert_eq!(
        told(&hook(&folder, &["--deadline", "0ms"], &good)),
        None,
        "no time"
    );
    let off = folder
        .command(&["hook", "claude"])
        .env("AST_OUTLINE_HOOK", "off")
        .output();
    assert_eq!(told(&off.expect("it runs")), None, "it is off");
    std::fs::write(folder.at(".ast_outline_cache/graph.db"), "no graph")
        .expect("it can be written");
    assert_eq!(told(&hook(&folder, &[], &good)), None, "no graph");
    folder.stdout(&["cache", "clean"]);
    assert_eq!(told(&hook(&folder, &[], &good)), None, "no index");
    assert!(
        !folder.at(".ast_outline_cache/graph.db").exists(),
        "and it makes none"
    );
}

#[test]
fn words_of_a_hook_that_cannot_be_read_forbid_nothing() {
    let folder = Folder::new();
    for words in [
        &["hook", "nobody"][..],
        &["hook", "claude", "--bogus"],
        &["hook"],
    ] {
        assert_eq!(folder.run(words).status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn what_is_known_to_be_old_is_said_to_be() {
    let folder = joined();
    let read = event(&folder, "Read", json!({"file_path": folder.at(STORE)}));
    let text = std::fs::read_to_string(folder.at(STORE)).expect("it is there");
    folder.write(STORE, &text);
    let same = told(&hook(&folder, &[], &read)).expect("something is said");
    assert!(!same.contains("stale"), "only its times changed: {same}");
    folder.write(STORE, text + "\ndef more():\n    pass\n");
    let edited = told(&hook(&folder, &[], &read)).expect("something is said");
    assert!(
        edited.ends_with("stale: edited since it was indexed"),
        "{edited}"
    );
    folder.stdout(&["status", "."]);
    let fresh = told(&hook(&folder, &[], &read)).expect("something is said");
    assert!(!fresh.contains("stale"), "{fresh}");
    folder.write(
        "shop/shop/till.py",
        "from store import open_store\n\n\n\ndef sell():\n    open_store()\n",
    );
    let caller = told(&hook(&folder, &[], &read)).expect("something is said");
    assert!(
        caller.ends_with("stale: callers edited since they were indexed"),
        "{caller}"
    );
}

#[test]
fn what_nobody_asked_for_is_short() {
    let folder = Folder::repository();
    let wide =
        |index: usize| format!("a_function_with_a_very_long_name_that_goes_on_and_on_{index}");
    let mut own = String::new();
    let mut callers = String::from("from a_module_with_quite_a_name_of_its_own import *\n");
    for index in 0..40 {
        own += &format!("def {}():\n    pass\n\n\n", wide(index));
        callers += &format!("\n\ndef caller_{index}():\n    {}()\n", wide(index % 20));
    }
    folder.write("src/a_module_with_quite_a_name_of_its_own.py", own);
    for index in 0..30 {
        folder.write(
            &format!("src/users_in_a_folder_{index}/who_call_it_{index}.py"),
            &callers,
        );
    }
    folder.stdout(&["index", "."]);
    let brief = folder.stdout(&["brief", "src/a_module_with_quite_a_name_of_its_own.py"]);
    let tokens = tiktoken_rs::o200k_base()
        .expect("it is built in")
        .encode_ordinary(brief.trim_end())
        .len();
    assert!((40..=100).contains(&tokens), "{tokens} tokens: {brief}");
}

#[test]
fn a_session_begins_with_an_index_that_is_up_to_date() {
    let folder = joined();
    let begin = |folder: &Folder| {
        let output = folder.run(&["hook", "session", "--deadline", "60s"]);
        assert!(output.status.success() && output.stderr.is_empty());
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    let known = "ast-outline: python 100%; 12 symbols, 14 calls; index up to date\n";
    assert_eq!(begin(&folder), known);
    folder.write("shop/shop/more.py", "def more():\n    pass\n");
    let one = "ast-outline: python 100%; 13 symbols, 14 calls; index up to date (1 file read)\n";
    assert_eq!(begin(&folder), one);
    for index in 0..51 {
        folder.write(
            &format!("shop/shop/many_{index}.py"),
            "def f():\n    pass\n",
        );
    }
    let many = begin(&folder);
    let begun = "files changed since the index was written; it is made now, in the background\n";
    assert!(
        many.starts_with("ast-outline: up to ") && many.ends_with(begun),
        "{many}"
    );
    wait_for(|| begin(&folder).contains("64 symbols"));
}

#[test]
fn a_session_without_an_index_begins_to_make_one_of_a_repository() {
    let output = |folder: &Folder| folder.stdout(&["hook", "session", "--deadline", "60s"]);
    let folder = Folder::new();
    folder.write("a.py", "def f():\n    pass\n");
    assert_eq!(output(&folder), "", "nobody asked for one of any folder");
    std::fs::create_dir(folder.at(".git")).expect("it can be made");
    assert_eq!(
        output(&folder),
        "ast-outline: no index of calls yet; it is made now, in the background\n"
    );
    wait_for(|| has_index(folder.path()));
    assert!(output(&folder).contains("1 symbols"));
}

fn has_index(path: &Path) -> bool {
    path.join(".ast_outline_cache/graph.db").is_file()
}

/// Waits for what somebody else does; a minute at most.
fn wait_for(done: impl Fn() -> bool) {
    let mut left = 600;
    while !done() {
        assert!(left > 0, "nobody did it");
        left -= 1;
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
