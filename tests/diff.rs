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

#[test]
fn a_diff_steps_down_its_ladder() {
    let both = ["HEAD", "retry"];
    let ask = |name: &str, flags: &[&str], words: &[&str]| {
        check_run(
            &format!("diff-budget-{name}"),
            &[&["diff"], flags, words].concat(),
        );
    };
    for budget in ["800", "500", "400", "300", "200", "120", "20"] {
        ask(budget, &["--budget", budget], &both);
    }
    for budget in ["2000", "900"] {
        ask(
            &format!("patch-{budget}"),
            &["--patch", "--budget", budget],
            &both,
        );
        ask(
            &format!("markdown-{budget}"),
            &["--markdown", "--budget", budget],
            &both,
        );
    }
    ask("markdown-300", &["--markdown", "--budget", "300"], &both);
    ask("stat", &["--stat", "--budget", "150"], &both);
    ask("strict", &["--strict", "--budget", "200"], &both);
    ask(
        "breaking",
        &["--breaking", "--exit-code", "--budget", "120"],
        &both,
    );
    ask("nothing", &["--budget", "60"], &["HEAD", "HEAD"]);
    for budget in ["3000", "1200", "400"] {
        ask(
            &format!("json-{budget}"),
            &["--json", "--budget", budget],
            &both,
        );
    }
    let files = ["retry:src/notifier.py", "src/notifier.py"];
    for budget in ["600", "200"] {
        ask(&format!("two-{budget}"), &["--budget", budget], &files);
        ask(
            &format!("two-{budget}-json"),
            &["--json", "--budget", budget],
            &files,
        );
    }
    ask("modules", &["--modules", "--budget", "60"], &both);
}

#[test]
fn all_views_in_markdown_and_json() {
    for view in ["hunks", "signatures", "names", "counts", "total"] {
        for form in ["--markdown", "--json"] {
            check_run(
                &format!("diff-view-{view}{}", &form[1..]),
                &[
                    "diff", form, "--view", view, "HEAD", "retry", "--", "src", "web",
                ],
            );
        }
    }
}

/// Changed lines between unchanged ones, more than can be looked through for each of them.
#[test]
fn lines_of_long_files_are_counted_as_git_counts_them() {
    let folder = Folder::new();
    let keys = |offset: usize| -> String {
        let keys =
            (0..10_000).map(|key| format!(" \"k{key}\": {{\n  \"v\": {}\n }}", key + offset));
        format!("{{\n{}\n}}\n", keys.collect::<Vec<_>>().join(",\n"))
    };
    folder.write("keys.json", keys(0));
    Folder::commit(folder.path(), "Begin");
    folder.write("keys.json", keys(1));
    let answer = folder.stdout(&["diff", "--stat"]);
    assert!(
        answer.ends_with("keys.json  +10000 -10000  10000 definitions changed (10000 body)\n"),
        "{answer}"
    );
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

/// Git in a folder, whatever it takes: submodules in folders, clones of folders.
fn git(folder: &Folder, arguments: &[&str]) -> String {
    Folder::git(
        folder.path(),
        &[&["-c", "protocol.file.allow=always"], arguments].concat(),
    )
}

/// Exit code and what stands on stderr.
fn failure(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = folder.run(&[&["diff"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

#[test]
fn what_cannot_be_answered_says_why() {
    let folder = Folder::new();
    folder.write("a.py", A);
    let (code, errors) = failure(&folder, &[]);
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("lies in no git repository") && errors.contains("FILE1 FILE2"),
        "{errors}"
    );
    Folder::commit(folder.path(), "Begin");
    for (arguments, said) in [
        (&["nosuch"][..], "`nosuch` is neither a revision nor a path"),
        (
            &["HEAD", "nosuch"],
            "`nosuch` is neither a revision nor a path",
        ),
        (&["nosuch..HEAD"], "no revision `nosuch`"),
        (&["HEAD...nosuch"], "no revision `nosuch`"),
        (&["HEAD:nosuch.py"], "`HEAD:nosuch.py` is neither"),
        (&["a.py:1-2"], "region a.py:1-2"),
        (
            &["--staged", "HEAD", "HEAD"],
            "`HEAD` is a revision too many",
        ),
        (&["HEAD", "HEAD", "HEAD"], "`HEAD` is a revision too many"),
        (&["a.py", "."], "a file cannot be compared with a folder"),
        (&["--since", "HEAD"], "--since wants the PATH"),
        (&["--since", "nosuch", "a.py"], "no version `nosuch`"),
        (&["HEAD", "--", "/"], "lies outside of the repository"),
    ] {
        let (code, errors) = failure(&folder, arguments);
        assert_ne!(code, Some(0), "{arguments:?}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
    // A branch that is called like a file: `--` decides.
    Folder::git(folder.path(), &["branch", "a.py"]);
    let (code, errors) = failure(&folder, &["a.py"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("is a revision and a path"), "{errors}");
    assert_eq!(ops(&folder, &["--", "a.py"]).len(), 0);
}

#[test]
fn a_file_with_a_colon_is_a_file() {
    let folder = Folder::new();
    folder.write("HEAD:a.py", A);
    folder.write("a.py", A.replace("x + 1", "x + 9"));
    Folder::commit(folder.path(), "Begin");
    assert_eq!(ops(&folder, &["HEAD:a.py", "a.py"]), ["a.py body one one"]);
    folder.write("a.py", A.replace("x + 1", "x + 8"));
    std::fs::remove_file(folder.at("HEAD:a.py")).expect("it is there");
    assert_eq!(ops(&folder, &["HEAD:a.py", "a.py"]), ["a.py body one one"]);
    assert_eq!(ops(&folder, &["HEAD:a.py"]), ["a.py body one one"]);
}

#[test]
fn an_empty_repository_has_everything_to_add() {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    let answer = folder.stdout(&["diff"]);
    assert_eq!(answer, "## nothing -> working tree: nothing changed\n");
    folder.write("a.py", "def one():\n    pass\n");
    assert_eq!(ops(&folder, &[]), ["a.py added  one"]);
    assert_eq!(ops(&folder, &["--staged"]).len(), 0);
    git(&folder, &["add", "-A"]);
    assert_eq!(ops(&folder, &["--staged"]), ["a.py added  one"]);
    assert_eq!(failure(&folder, &["HEAD"]).0, Some(2));
}

#[test]
fn detached_heads_and_linked_trees_are_like_others() {
    let folder = Folder::new();
    folder.write("main/a.py", A);
    let main = folder.at("main");
    Folder::commit(&main, "Begin");
    Folder::git(&main, &["checkout", "-q", "--detach"]);
    folder.write("main/a.py", A.replace("x + 1", "x + 2"));
    assert_eq!(ops(&folder, &["-C", "main"]), ["a.py body one one"]);
    Folder::git(&main, &["worktree", "add", "-q", "../linked", "HEAD"]);
    folder.write("linked/a.py", A.replace("strip", "rstrip"));
    assert_eq!(ops(&folder, &["-C", "linked"]), ["a.py body two two"]);
}

#[test]
fn shallow_clones_say_what_they_lack() {
    let folder = Folder::new();
    folder.write("origin/a.py", A);
    Folder::commit(&folder.at("origin"), "Begin");
    folder.write("origin/a.py", A.replace("x + 1", "x + 2"));
    Folder::commit(&folder.at("origin"), "Go on");
    let origin = format!("file://{}", folder.at("origin").display());
    git(
        &folder,
        &["clone", "-q", "--depth", "1", &origin, "shallow"],
    );
    let (code, errors) = failure(&folder, &["-C", "shallow", "HEAD~1", "HEAD"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("this clone is shallow"), "{errors}");
    // A blob that was never fetched.
    Folder::git(
        &folder.at("origin"),
        &["config", "uploadpack.allowFilter", "true"],
    );
    git(
        &folder,
        &["clone", "-q", "--filter=blob:none", &origin, "partial"],
    );
    let (code, errors) = failure(&folder, &["-C", "partial", "HEAD~1", "HEAD"]);
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("a.py: git does not have its blob"),
        "{errors}"
    );
}

#[test]
fn what_is_no_text_is_said() {
    let folder = Folder::new();
    let inner = folder.at("inner");
    folder.write("inner/x.py", A);
    Folder::commit(&inner, "Begin");
    folder.write("outer/blob.bin", b"\x00\x01\x02");
    folder.write("outer/a.py", A);
    let outer = folder.at("outer");
    Folder::commit(&outer, "Begin");
    let source = inner.display().to_string();
    Folder::git(
        &outer,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            &source,
            "sub",
        ],
    );
    Folder::commit(&outer, "Add a submodule");
    folder.write("inner/x.py", "");
    let newer = Folder::commit(&inner, "Empty");
    Folder::git(
        &outer.join("sub"),
        &["-c", "protocol.file.allow=always", "fetch", "-q"],
    );
    Folder::git(&outer.join("sub"), &["checkout", "-q", &newer]);
    folder.write("outer/blob.bin", b"\x00\x01\x02\x03");
    let answer = folder.stdout(&["diff", "-C", "outer"]);
    assert!(
        answer.contains("## sub\n~ a submodule, not looked into: commit "),
        "{answer}"
    );
    assert!(
        answer.contains("## blob.bin\n~ binary, not compared: 3 bytes -> 4 bytes\n"),
        "{answer}"
    );
    assert!(
        answer.contains("2 files, no definition changed"),
        "{answer}"
    );
    let answer = folder.stdout(&["diff", "-C", "outer", "HEAD~1", "HEAD"]);
    assert!(
        answer.contains("~ a submodule, not looked into: nothing -> commit "),
        "{answer}"
    );
}

#[cfg(unix)]
#[test]
fn links_are_compared_by_where_they_lead() {
    let folder = Folder::new();
    folder.write("a.py", A);
    std::os::unix::fs::symlink("a.py", folder.at("b.py")).expect("links can be made");
    Folder::commit(folder.path(), "Begin");
    std::fs::remove_file(folder.at("b.py")).expect("it is there");
    std::os::unix::fs::symlink("c.py", folder.at("b.py")).expect("links can be made");
    let answer = folder.stdout(&["diff"]);
    assert!(
        answer.contains("~ a symbolic link: a link to a.py -> a link to c.py"),
        "{answer}"
    );
}

/// Every file of a folder that has another name is one line, not one for each definition.
#[test]
fn a_renamed_folder_is_a_line_a_file() {
    let folder = Folder::new();
    folder.write("old/a.py", A);
    folder.write("old/b.py", A.replace("one", "uno").replace("two", "due"));
    Folder::commit(folder.path(), "Begin");
    std::fs::rename(folder.at("old"), folder.at("new")).expect("it can be renamed");
    for staged in [false, true] {
        if staged {
            Folder::git(folder.path(), &["add", "-A"]);
        }
        let answer = folder.stdout(&["diff"]);
        assert!(
            answer.contains("2 files, no definition changed"),
            "{answer}"
        );
        assert!(answer.contains("## old/a.py -> new/a.py"), "{answer}");
        let modules = folder.stdout(&["diff", "--modules"]);
        assert!(
            modules.contains("moved  package old/ -> new/\n"),
            "{modules}"
        );
        assert!(
            modules.contains("moved  file old/b.py -> new/b.py  (python, 2 definitions)\n"),
            "{modules}"
        );
    }
    let answer = folder.stdout(&["diff", "-M=100%", "--stat"]);
    assert!(answer.contains("old/a.py -> new/a.py"), "{answer}");
}

#[test]
fn folders_are_compared_file_by_file() {
    let folder = Folder::new();
    folder.write("one/a.py", A);
    folder.write("one/gone.py", "def gone():\n    return [1, 2, 3, 4]\n");
    folder.write("one/skip/c.py", A);
    folder.write("two/a.py", A.replace("x + 1", "x + 2"));
    folder.write("two/skip/d.py", A);
    folder.write("two/new.py", "def fresh(a, b, c):\n    print(a)\n");
    let all = [
        "two/a.py body one one",
        "one/gone.py removed gone ",
        "two/new.py added  fresh",
    ];
    assert_eq!(ops(&folder, &["one", "two"]), all);
    let answer = folder.stdout(&["diff", "one", "two"]);
    assert!(
        answer.contains("## one/skip/c.py -> two/skip/d.py"),
        "{answer}"
    );
    let names = folder.stdout(&["diff", "--name-only", "-z", "one", "two"]);
    assert_eq!(names, "two/a.py\0one/gone.py\0two/new.py\0two/skip/d.py\0");
}

#[test]
fn exit_codes_are_for_scripts() {
    let folder = Folder::new();
    folder.write("a.py", A);
    Folder::commit(folder.path(), "Begin");
    let code = |arguments: &[&str]| {
        let output = folder.run(&[&["diff", "--exit-code"], arguments].concat());
        output.status.code()
    };
    assert_eq!(code(&[]), Some(0));
    folder.write("a.py", A.replace("x + 1", "x  +  1"));
    assert_eq!(code(&[]), Some(0), "layout is no change");
    folder.write("a.py", A.replace("x + 1", "x + 2"));
    assert_eq!(code(&[]), Some(1));
    assert_eq!(code(&["--breaking"]), Some(0));
    assert_eq!(code(&["-q"]), Some(1));
    folder.write("a.py", A.replace("def one(x)", "def one(x, y)"));
    assert_eq!(code(&["--breaking"]), Some(1));
    folder.write("a.py", A.replace("one", "_one"));
    assert_eq!(code(&["--breaking"]), Some(1));
    assert_eq!(code(&["--exported", "--", "b.py"]), Some(0));
}

#[test]
fn a_version_that_was_shown_is_one() {
    let folder = Folder::new();
    folder.write("a.py", A);
    let header = folder.stdout(&["outline", "a.py"]);
    let version = header
        .split("version ")
        .nth(1)
        .and_then(|rest| rest.split(',').next());
    let version = version.expect("a header names the version").to_string();
    Folder::commit(folder.path(), "Begin");
    folder.write("a.py", A.replace("x + 1", "x + 2"));
    let changed = "a.py body one one";
    assert_eq!(ops(&folder, &["--since", &version, "a.py"]), [changed]);
    assert_eq!(ops(&folder, &["--since", "HEAD", "a.py"]), [changed]);
    let answer = folder.stdout(&["diff", "--since", &version, "a.py"]);
    assert!(
        answer.starts_with(&format!(
            "## {version} -> a.py (python, versions {version} -> "
        )),
        "{answer}"
    );
}

/// Of what was never committed, only hashes of lines are kept: the command that is named instead has an answer.
#[test]
fn a_version_without_text_names_what_answers() {
    let folder = Folder::new();
    folder.write("a.py", "");
    Folder::commit(folder.path(), "Begin");
    folder.write("a.py", A);
    let header = folder.stdout(&["outline", "a.py"]);
    let version = header.split("version ").nth(1);
    let version = version.and_then(|rest| rest.split(',').next());
    let version = version.expect("a header names the version").to_string();
    folder.write("a.py", A.replace("x + 1", "x + 2"));
    let (code, errors) = failure(&folder, &["--since", &version, "a.py"]);
    assert_eq!(code, Some(1));
    let hint = format!("hint: `ast-outline read --since {version} a.py`");
    assert!(errors.contains(&hint), "{errors}");
    let answer = folder.stdout(&["read", "--since", &version, "a.py"]);
    assert!(answer.contains("return x + 2 + x"), "{answer}");
    assert!(!answer.contains("def two"), "{answer}");
}

#[test]
fn stdin_is_a_side() {
    let folder = Folder::new();
    folder.write("a.py", A);
    Folder::commit(folder.path(), "Begin");
    let newer = A.replace("x + 1", "x + 2");
    let ask = |arguments: &[&str]| {
        let newer = std::fs::File::open(folder.write("newer", &newer)).expect("it is there");
        let mut command = folder.command(&[&["diff"], arguments].concat());
        let output = command.stdin(newer).output().expect("it was built");
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    for arguments in [
        &["a.py", "-"][..],
        &["-", "a.py"],
        &["HEAD:a.py", "-"],
        &["-", "HEAD:a.py"],
    ] {
        let (code, answer) = ask(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {answer}");
        assert!(
            answer.contains("\nbody  function one  L1-2\n"),
            "{arguments:?}: {answer}"
        );
    }
    let (_, answer) = ask(&["a.py", "-", "--stdin-path", "a.txt"]);
    assert!(answer.contains("unknown format: lines 6 -> 6"), "{answer}");
    for (arguments, said) in [
        (&["-", "-"][..], "stdin can be one side, not both"),
        (&["-"], "stdin is compared with one file"),
        (&["HEAD", "-"], "stdin is compared with one file"),
        (&["--since", "HEAD", "-"], "stdin has no older version"),
    ] {
        let (code, errors) = ask(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
}

/// An empty side has no format of its own, and names under `--json` are JSON.
#[test]
fn nothing_is_a_version_of_any_file() {
    let folder = Folder::new();
    folder.write("a.py", A);
    let answer = folder.stdout(&["diff", "/dev/null", "a.py"]);
    assert!(answer.contains("added  function two"), "{answer}");
    let answer = folder.stdout(&["diff", "a.py", "/dev/null"]);
    assert!(answer.contains("removed  function two"), "{answer}");
    folder.write("b.py", "");
    let answer = folder.stdout(&["diff", "--json", "--name-only", "a.py", "b.py"]);
    let file: Value = serde_json::from_str(&answer).expect("one object");
    assert_eq!(file["path"], "b.py");
}

/// Each spelling of a share means what it means to git.
#[test]
fn shares_are_spelled_as_git_spells_them() {
    let folder = Folder::new();
    let lines = |range: std::ops::Range<u32>| range.map(|line| format!("{line}\n")).collect();
    let text: String = lines(1..101);
    folder.write("a.py", &text);
    Folder::commit(folder.path(), "Begin");
    let text: String = lines(15..101);
    std::fs::remove_file(folder.at("a.py")).expect("it is there");
    folder.write("b.py", &text);
    Folder::commit(folder.path(), "Go on");
    for share in [
        "-M",
        "-M9",
        "-M90",
        "-M90%",
        "-M95%",
        "-M0.95",
        "-M05",
        "-M5",
        "-M1",
        "-M0",
        "-M100%",
        "-M200%",
        "--find-renames",
        "--find-renames=9",
        "--find-renames=95%",
        "--find-renames=0.5",
    ] {
        let words = ["diff", share, "HEAD~1", "HEAD", "--name-only"];
        let git = git(&folder, &words);
        // Git names a file that was renamed once, as we do.
        assert_eq!(folder.stdout(&words).trim_end(), git, "{share}");
    }
    assert_eq!(failure(&folder, &["-Mx"]).0, Some(2));
    assert_eq!(failure(&folder, &["--find-renames=x"]).0, Some(2));
    assert_eq!(failure(&folder, &["--", "-M90"]).0, Some(0), "a path");
}

/// Both sides of each change lead back to the lines they name.
#[test]
fn pointers_of_both_sides_hold() {
    let folder = Folder::new();
    folder.write("a.py", A);
    Folder::commit(folder.path(), "Begin");
    folder.write("a.py", A.replace("x + 1", "x + 2"));
    let answer = folder.stdout(&["diff", "--json"]);
    let file: Value = serde_json::from_str(&answer).expect("one object");
    for (side, said) in [("before", "return x + 1"), ("after", "return x + 2")] {
        let pointer = file["changes"][0][side]["pointer"]
            .as_str()
            .expect("it has one");
        let text = folder.stdout(&["region", "--raw", pointer]);
        assert!(text.contains(said), "{pointer}: {text}");
    }
    let index = |folder: &Folder| {
        git(folder, &["add", "-A"]);
        folder.stdout(&["diff", "--json", "--staged"])
    };
    let file: Value = serde_json::from_str(&index(&folder)).expect("one object");
    let pointer = file["changes"][0]["after"]["pointer"]
        .as_str()
        .expect("it has one");
    assert!(pointer.starts_with("a.py@blob:"), "{pointer}");
    assert!(
        folder.stdout(&["verify", pointer]).starts_with("exact"),
        "{pointer}"
    );
}

#[test]
fn conflicts_are_said() {
    let folder = Folder::new();
    folder.write("a.py", A);
    Folder::commit(folder.path(), "Begin");
    git(&folder, &["checkout", "-q", "-b", "other"]);
    folder.write("a.py", A.replace("x + 1", "x + 2"));
    Folder::commit(folder.path(), "Two");
    git(&folder, &["checkout", "-q", "-"]);
    folder.write("a.py", A.replace("x + 1", "x + 3"));
    Folder::commit(folder.path(), "Three");
    let merge = std::process::Command::new("git")
        .current_dir(folder.path())
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x",
            "merge",
            "-q",
            "other",
        ])
        .output()
        .expect("git is there");
    assert!(!merge.status.success());
    let answer = folder.stdout(&["diff"]);
    assert!(answer.contains("conflict marker"), "{answer}");
    let answer = folder.stdout(&["diff", "--staged"]);
    assert!(
        answer.contains("! not merged: both sides of a merge are in the index"),
        "{answer}"
    );
}

/// Definitions of the later version that the earlier one hides were looked up in the earlier one, past its end.
#[test]
fn what_a_broken_side_hides_is_named_from_the_other() {
    let broken = std::fs::read_to_string(root().join("fixtures/diff/python-open-head/after.py"));
    let broken = broken.expect("the fixture is there");
    let whole = broken.replace("second(b, c:", "second(b, c):");
    // A quote takes the name with it; an open parenthesis does not.
    let broken = broken.replace("second(b, c:", "second(b, \"\"\"c:");
    let folder = Folder::new();
    folder.write("broken.py", &broken);
    folder.write("whole.py", &whole);
    for (old, new) in [("broken.py", "whole.py"), ("whole.py", "broken.py")] {
        let answer = folder.stdout(&["diff", old, new]);
        let hidden = answer.lines().find(|line| line.starts_with("! not judged"));
        assert!(
            hidden.is_some_and(|line| line.contains("second L5-6")),
            "{answer}"
        );
        let added = ["added  ", "removed  "].map(|op| answer.contains(op));
        assert_eq!(added, [false; 2], "{answer}");
    }
}
