//! `region --at`: lines of an older version, found where they are today, or not at all.

use std::collections::HashMap;

use serde_json::Value;

use crate::folder::Folder;

/// Ten functions of six lines each, no two lines alike but the blank ones.
fn text() -> Vec<String> {
    let each = (0..10).flat_map(|n| {
        let line = move |k: usize| format!("    step_{n}_{k} = {n} + {k}");
        let head = [format!("def job_{n}(argument_{n}):")];
        head.into_iter()
            .chain((0..4).map(line))
            .chain([String::new()])
    });
    each.collect()
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A file that is worth remembering.
fn filler(n: usize) -> String {
    joined(&text()).replace("step", &format!("other{n}"))
}

fn at(folder: &Folder, version: &str, range: &str) -> Value {
    let output = folder.run(&["region", "--json", "--at", version, range]);
    match output.status.code() {
        Some(0) => serde_json::from_slice(&output.stdout).expect("one object"),
        code => {
            assert!(output.stdout.is_empty(), "a refusal has no answer");
            let error: Value = serde_json::from_slice(&output.stderr).expect("one object");
            assert_eq!(error["code"].as_i64().map(|code| code as i32), code);
            error
        }
    }
}

fn place(answer: &Value) -> (String, u64, u64) {
    let number = |key: &str| answer[key].as_u64().unwrap_or(0);
    let status = answer["status"].as_str().or(answer["kind"].as_str());
    (
        status.unwrap_or("").to_string(),
        number("start_line"),
        number("end_line"),
    )
}

/// The version that answers name.
fn version(folder: &Folder, path: &str) -> String {
    let answer = folder.stdout(&["outline", "--json", "--view", "counts", path]);
    let answer: Value = serde_json::from_str(&answer).expect("one object");
    answer["source_version"]
        .as_str()
        .expect("it has one")
        .to_string()
}

/// Two functions more in front, one line changed in `job_3`, `job_5` gone, `job_8` moved to the front.
fn edited() -> Vec<String> {
    let mut lines = text();
    let moved: Vec<String> = lines.drain(48..54).collect();
    lines.drain(30..36);
    lines[20] = "    changed = True".to_string();
    let new = [
        "def first():",
        "    pass",
        "",
        "def second():",
        "    return 2",
        "",
    ];
    let new = new.iter().map(ToString::to_string);
    new.chain(moved).chain(lines).collect()
}

fn check(folder: &Folder, version: &str) {
    for (range, expected) in [
        ("7-12", ("moved", 19, 24)),
        ("19-24", ("changed", 31, 36)),
        ("21", ("changed", 33, 33)),
        ("22-23", ("moved", 34, 35)),
        // Over what is gone: what is left around it.
        ("28-40", ("changed", 40, 46)),
        // The diff does not carry it over, its text is there.
        ("49-53", ("moved", 7, 11)),
        ("31-35", ("gone", 0, 0)),
        ("61-70", ("past-the-end", 0, 0)),
    ] {
        let (status, start, end) = expected;
        let answer = at(folder, version, &format!("a.py:{range}"));
        assert_eq!(
            place(&answer),
            (status.to_string(), start, end),
            "{range}: {answer}"
        );
    }
}

#[test]
fn lines_are_found_by_commit_by_blob_and_by_version() {
    let folder = Folder::new();
    folder.write("a.py", joined(&text()));
    let commit = Folder::commit(folder.path(), "Begin");
    let blob = Folder::git(folder.path(), &["rev-parse", "HEAD:a.py"]);
    let shown = version(&folder, "a.py");
    folder.write("a.py", joined(&edited()));
    for version in [&commit[..7], "HEAD", &format!("blob:{blob}"), &shown] {
        check(&folder, version);
    }
    // What git knows needs no cache.
    let output = folder.run(&["region", "--no-cache", "--at", &shown, "a.py:7-12"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains(&format!("moved from L7-12 at {shown}")),
        "{text}"
    );
    Folder::commit(folder.path(), "Go on");
    check(&folder, &commit);
    check(&folder, "HEAD~1");
}

#[test]
fn a_version_that_was_shown_and_never_committed_is_found_by_the_hashes_of_its_lines() {
    for whole_folder in [false, true] {
        let folder = Folder::new();
        folder.write("other.py", "A = 1\n");
        Folder::commit(folder.path(), "Begin");
        folder.write("a.py", joined(&text()));
        let shown = version(&folder, "a.py");
        if whole_folder {
            folder.stdout(&["cache", "clean"]);
            folder.stdout(&["outline", "."]);
        }
        folder.write("a.py", joined(&edited()));
        if whole_folder {
            // The pack is written anew, and keeps what the path held before.
            (0..40).for_each(|n| drop(folder.write(&format!("m{n}.py"), filler(n))));
            folder.stdout(&["outline", "."]);
        }
        check(&folder, &shown);
        let cached = folder.at(".ast_outline_cache");
        for entry in std::fs::read_dir(cached).expect("there is a cache") {
            let path = entry.expect("it can be read").path();
            let bytes = std::fs::read(&path).expect("it is a file");
            let found = bytes.windows(10).any(|part| part == b"step_5_2 =");
            assert!(!found, "{} holds source text", path.display());
        }
        // The text itself is not to be had; where it is the same today, it is.
        let pointer = format!("a.py@{shown}#L7-L12");
        let answer = folder.stdout(&["region", "--raw", &pointer]);
        assert_eq!(answer, joined(&text()[6..12]));
        let output = folder.run(&["region", &format!("a.py@{shown}#L19-L24")]);
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)));
        folder.stdout(&["cache", "clean"]);
        let answer = at(&folder, &shown, "a.py:7-12");
        assert_eq!(answer["kind"], "unknown-version", "{answer}");
    }
}

#[test]
fn the_same_text_in_several_places_is_not_chosen_from() {
    let folder = Folder::new();
    let block = "alpha = 1\nbeta = 2\ngamma = 3\n";
    folder.write("a.py", format!("{block}x = 0\ny = 0\nz = 0\n"));
    let commit = Folder::commit(folder.path(), "Begin");
    folder.write(
        "a.py",
        format!("x = 0\ny = 0\nz = 0\n{block}q = 9\n{block}"),
    );
    let answer = at(&folder, &commit, "a.py:1-3");
    assert_eq!(answer["kind"], "ambiguous", "{answer}");
    assert!(
        answer["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("L4-6, L8-10")),
        "{answer}"
    );
    // A line that was changed is not mistaken for its twin.
    folder.write("a.py", "same = 1\nx = 0\ny = 0\nsame = 1\n");
    let commit = Folder::commit(folder.path(), "Go on");
    folder.write("a.py", "other = 1\nx = 0\ny = 0\nsame = 1\n");
    assert_eq!(
        place(&at(&folder, &commit, "a.py:1")),
        ("changed".to_string(), 1, 1)
    );
}

#[test]
fn definitions_are_found_by_name_where_nothing_else_is_left() {
    let folder = Folder::new();
    folder.write(
        "a.py",
        "def keep():\n    pass\n\ndef job(a):\n    one = 1\n    two = 2\n",
    );
    let commit = Folder::commit(folder.path(), "Begin");
    folder.write(
        "a.py",
        "def job(b, c):\n    return [b,\n        c]\n\nX = 1\n\ndef keep():\n    pass\n",
    );
    let answer = at(&folder, &commit, "a.py:4-6");
    assert_eq!(place(&answer), ("changed".to_string(), 1, 3), "{answer}");
    assert_eq!(answer["found_by"], "name");
    let answer = at(&folder, &commit, "a.py:5-6");
    assert_eq!(answer["kind"], "gone", "{answer}");
    assert!(
        answer["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("job (L1-3)")),
        "{answer}"
    );
}

#[test]
fn line_ends_do_not_matter_and_unchanged_is_said() {
    let folder = Folder::new();
    folder.write("a.py", joined(&text()));
    let commit = Folder::commit(folder.path(), "Begin");
    folder.write("a.py", joined(&text()).replace('\n', "\r\n"));
    assert_eq!(
        place(&at(&folder, &commit, "a.py:7-12")),
        ("exact".to_string(), 7, 12)
    );
    let answer = folder.stdout(&["region", "--at", &commit, "a.py:7-12"]);
    assert!(
        answer.contains(&format!("unchanged since {commit}")),
        "{answer}"
    );
    let usage = folder.run(&["region", "--at", &commit, &format!("a.py@{commit}#L1")]);
    assert_eq!(usage.status.code(), Some(2));
}

/// Every line that `git blame` leads back to the old version is found at its new number.
#[test]
fn git_blame_agrees() {
    let folder = Folder::new();
    folder.write("a.py", joined(&text()));
    let commit = Folder::commit(folder.path(), "Begin");
    folder.write("a.py", joined(&edited()));
    Folder::commit(folder.path(), "Go on");
    let blame = Folder::git(
        folder.path(),
        &["blame", "-p", &format!("{commit}..HEAD"), "--", "a.py"],
    );
    let heads = blame.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (id, old) = (words.next()?, words.next()?.parse::<u64>().ok()?);
        (id == commit).then_some((old, words.next()?.parse::<u64>().ok()?))
    });
    let kept: HashMap<u64, u64> = heads.collect();
    assert!(kept.len() > 40, "{}", kept.len());
    for (old, new) in kept {
        // Blank lines have no identity of their own.
        if text()[old as usize - 1].is_empty() {
            continue;
        }
        let answer = at(&folder, &commit, &format!("a.py:{old}"));
        let status = if old == new { "exact" } else { "moved" };
        assert_eq!(place(&answer), (status.to_string(), new, new), "{old}");
    }
}
