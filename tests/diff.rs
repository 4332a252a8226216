//! `diff`: what it says of two versions, judged by hand where small, by git where git knows.

use std::path::PathBuf;

use serde_json::Value;

use crate::check::{check, check_run, root, stdout};
use crate::folder::Folder;

#[test]
fn answers_are_as_written() {
    check_run("diff", &["diff", "HEAD", "retry"]);
    check_run(
        "diff-json",
        &["diff", "--json", "HEAD", "retry", "--", "web", "docs"],
    );
    check_run(
        "diff-patch",
        &["diff", "--patch", "HEAD", "retry", "--", "src", "web"],
    );
    check_run("diff-names", &["diff", "--view", "names", "HEAD", "retry"]);
    check_run("diff-stat", &["diff", "--stat", "HEAD..retry"]);
    check_run("diff-total", &["diff", "--view", "total", "HEAD...retry"]);
    check_run(
        "diff-breaking",
        &["diff", "--breaking", "--exit-code", "HEAD", "retry"],
    );
    check_run(
        "diff-exported",
        &["diff", "--exported", "retry", "HEAD", "--", "src"],
    );
    check_run("diff-modules", &["diff", "--modules", "HEAD", "retry"]);
    check_run("diff-markdown", &["diff", "--markdown", "HEAD", "retry"]);
    check_run("diff-name-only", &["diff", "--name-only", "HEAD", "retry"]);
    check_run(
        "diff-evidence",
        &["diff", "--evidence", "HEAD", "retry", "--", "src"],
    );
    check_run(
        "diff-blob",
        &["diff", "retry:src/notifier.py", "src/notifier.py"],
    );
    check_run("diff-nothing", &["diff", "--exit-code", "HEAD", "HEAD"]);
    check_run("diff-unknown-revision", &["diff", "HEAD", "nosuch"]);
    check_run("diff-unknown-word", &["diff", "nosuch"]);
    check_run("diff-lines", &["diff", "src/notifier.py:3-4"]);
    check_run("diff-file-and-folder", &["diff", "src/notifier.py", "web"]);
}

/// Every pair `before.*`, `after.*` under `fixtures/diff/<what>/` against the golden changes beside it.
#[test]
fn pairs_of_files() {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("fixtures/diff"))
        .expect("there are pairs")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    folders.sort();
    assert!(folders.len() > 20, "only {} pairs", folders.len());
    for folder in folders {
        let name = folder.file_name().expect("it has one").to_string_lossy();
        let file = |which: &str| {
            let files = std::fs::read_dir(&folder).expect("it can be read");
            let mut files = files.map(|entry| entry.expect("it can be read").file_name());
            let found = files.find(|name| name.to_string_lossy().starts_with(which));
            let found = found.unwrap_or_else(|| panic!("{name} has no {which}"));
            format!("fixtures/diff/{name}/{}", found.to_string_lossy())
        };
        let answer = stdout(&["diff", &file("before."), &file("after.")]);
        check(&folder.join("golden"), &answer);
    }
}

fn changes(folder: &Folder, arguments: &[&str]) -> Vec<(String, Vec<String>, String, String)> {
    let answer = folder.stdout(&[&["diff", "--json"], arguments].concat());
    let mut all = vec![];
    for line in answer.lines() {
        let file: Value = serde_json::from_str(line).expect("one object a line");
        for change in file["changes"].as_array().into_iter().flatten() {
            let name = |side: &str| {
                let name = change[side]["qualname"].as_str();
                name.unwrap_or_default().to_string()
            };
            let ops = change["op"].as_array().into_iter().flatten();
            let ops = ops.map(|op| op.as_str().unwrap_or_default().to_string());
            let path = file["path"].as_str().unwrap_or_default().to_string();
            all.push((path, ops.collect(), name("before"), name("after")));
        }
    }
    all
}

fn ops(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let changes = changes(folder, arguments).into_iter();
    let line = |(path, ops, before, after): (String, Vec<String>, String, String)| {
        format!("{path} {} {before} {after}", ops.join("+"))
    };
    changes.map(line).collect()
}

const A: &str =
    "def one(x):\n    return x + 1 + x\n\n\ndef two(y):\n    return y.strip().lower()\n";

#[test]
fn all_forms_of_git() {
    let folder = Folder::new();
    folder.write("src/a.py", A);
    Folder::commit(folder.path(), "Begin");
    folder.write("src/a.py", A.replace("x + 1", "x + 2"));
    Folder::commit(folder.path(), "Go on");
    folder.write(
        "src/a.py",
        A.replace("x + 1", "x + 2").replace("two(y)", "two(y, z)"),
    );
    Folder::git(folder.path(), &["add", "-A"]);
    folder.write("src/new.py", "def three():\n    pass\n");
    folder.write(
        "src/a.py",
        A.replace("x + 1", "x + 3").replace("two(y)", "two(y, z)"),
    );
    let body = "src/a.py body one one".to_string();
    let signature = "src/a.py signature two two".to_string();
    let added = "src/new.py added  three".to_string();
    for arguments in [
        &["HEAD~1", "HEAD"][..],
        &["HEAD~1..HEAD"],
        &["HEAD~1.."],
        &["HEAD~1...HEAD"],
    ] {
        assert_eq!(
            ops(&folder, arguments),
            std::slice::from_ref(&body),
            "{arguments:?}"
        );
    }
    for arguments in [
        &[][..],
        &["HEAD"],
        &["HEAD~1"],
        &["HEAD", "--", "src"],
        &["src"],
    ] {
        let all = [body.clone(), signature.clone(), added.clone()];
        assert_eq!(ops(&folder, arguments), all, "{arguments:?}");
    }
    for arguments in [&["--staged"][..], &["--cached", "HEAD"]] {
        assert_eq!(
            ops(&folder, arguments),
            std::slice::from_ref(&signature),
            "{arguments:?}"
        );
    }
    assert_eq!(ops(&folder, &["--staged", "HEAD~1"]), [body, signature]);
    assert_eq!(
        ops(&folder, &["HEAD", "--", "src/new.py"]),
        std::slice::from_ref(&added)
    );
    assert_eq!(
        ops(&folder, &["-C", "src", "HEAD", "--", "new.py"]),
        [added]
    );
}
