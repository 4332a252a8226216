//! Whatever the cache holds, and whatever happens to it, the answer and the exit code are those of `--no-cache`.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::check::{program, root};
use crate::folder::Folder;

const FOLDER: &str = ".ast_outline_cache";
const PACK: &str = ".ast_outline_cache/outlines.pack";
const A: &str = "def first(a):\n    return a\n";
const B: &str = "class Other:\n    def second(self): pass\n";

/// A repository of three files, two of them alike, with a cache.
fn cached() -> Folder {
    let folder = Folder::repository();
    folder.write("a.py", A);
    folder.write("b/b.py", B);
    folder.write("b/c.py", B);
    folder.stdout(&["outline", "."]);
    assert!(folder.at(PACK).is_file(), "no cache was written");
    folder
}

/// The answer must be the one without a cache, in text and in JSON, whole answer, messages and exit code.
fn same(folder: &Folder, what: &str) {
    for format in [
        &["outline", "."][..],
        &["outline", "--json", "."],
        &["outline", "--view", "full", "."],
    ] {
        let with = folder.run(format);
        let without = folder.run(&[format, &["--no-cache"]].concat());
        assert_eq!(
            String::from_utf8_lossy(&with.stdout),
            String::from_utf8_lossy(&without.stdout),
            "{what}"
        );
        assert_eq!(
            String::from_utf8_lossy(&with.stderr),
            String::from_utf8_lossy(&without.stderr),
            "{what}"
        );
        assert_eq!(with.status, without.status, "{what}");
    }
}

fn stat(folder: &Folder) -> Value {
    serde_json::from_str(&folder.stdout(&["cache", "stat", "--json"])).expect("one object")
}

/// Times newer than the cache's are not trusted; this makes them old.
fn wait() {
    std::thread::sleep(Duration::from_millis(2100));
}

fn set_mtime(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).expect("it is there");
    file.set_times(FileTimes::new().set_modified(time))
        .expect("times can be set");
}

fn copy_fixtures(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("fixtures exist") {
        let path = entry.expect("the folder can be read").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy_fixtures(&path, &target);
        } else if path
            .extension()
            .is_none_or(|extension| extension != "golden")
        {
            fs::copy(&path, target).expect("it can be copied");
        }
    }
}

#[test]
fn fixtures_are_answered_alike() {
    let folder = Folder::repository();
    copy_fixtures(&root().join("fixtures"), &folder.at("fixtures"));
    let views = [
        "auto",
        "full",
        "docs",
        "signatures",
        "names",
        "top",
        "counts",
    ];
    let each = |round: &str| {
        for view in views {
            for json in [&[][..], &["--json"]] {
                let question = [&["outline", "--view", view, "."], json].concat();
                let without = folder.run(&[&question[..], &["--no-cache"]].concat());
                assert!(without.status.success());
                assert!(folder.run(&question) == without, "{round}: {question:?}");
            }
        }
    };
    each("cold, then times not trusted");
    wait();
    each("times trusted");
    assert!(stat(&folder)["files"].as_u64() > Some(0));
}

#[test]
fn a_known_file_is_not_parsed_again() {
    let folder = Folder::repository();
    let text: String = (0..40_000)
        .map(|n| format!("def f{n}(a, b):\n    return [a, b, (a + b) * {n}]\n"))
        .collect();
    folder.write("big.py", text);
    let timed = || {
        let start = Instant::now();
        folder.stdout(&["outline", "--view", "counts", "."]);
        start.elapsed()
    };
    let cold = timed();
    wait();
    timed();
    let warm = timed();
    assert!(warm < cold / 2, "cold {cold:?}, warm {warm:?}");
}

#[test]
fn edits_of_the_same_size_are_seen() {
    let folder = Folder::repository();
    let path = folder.write("a.py", A);
    let old = SystemTime::now() - Duration::from_secs(1000);
    for (n, waits) in [(0, false), (1, false), (2, true), (3, true)] {
        set_mtime(&path, old);
        if waits {
            wait();
        }
        same(&folder, "before");
        fs::write(&path, A.replace("first", &format!("fir{n}t"))).expect("it can be written");
        set_mtime(&path, old);
        same(&folder, "after");
        assert!(
            folder
                .stdout(&["outline", "."])
                .contains(&format!("fir{n}t"))
        );
    }
}

#[test]
fn files_come_and_go() {
    let folder = cached();
    wait();
    same(&folder, "nothing happened");
    fs::remove_file(folder.at("a.py")).expect("it was there");
    same(&folder, "deleted");
    fs::rename(folder.at("b"), folder.at("d")).expect("it was there");
    same(&folder, "renamed");
    folder.write("d/b.py", A);
    same(&folder, "changed");
    folder.write("d/new.py", "NEW = 1\n");
    same(&folder, "added");
    fs::remove_file(folder.at("d/c.py")).expect("it was there");
    fs::create_dir(folder.at("d/c.py")).expect("it can be made");
    same(&folder, "a folder in its place");
}

#[test]
fn equal_files_share_a_record_and_keep_their_paths() {
    let folder = cached();
    let stat = stat(&folder);
    assert_eq!((&stat["files"], &stat["outlines"]), (&3.into(), &2.into()));
    let answer = folder.stdout(&["outline", "."]);
    assert!(answer.contains("b/b.py (") && answer.contains("b/c.py ("));
    let pack = fs::read(folder.at(PACK)).expect("it was written");
    let root = folder.path().to_string_lossy().into_owned();
    assert!(
        !pack
            .windows(root.len())
            .any(|bytes| bytes == root.as_bytes()),
        "the pack can be moved"
    );
}

#[test]
fn a_repository_can_be_moved() {
    let folder = Folder::new();
    fs::create_dir_all(folder.at("old/.git")).expect("it can be made");
    folder.write("old/a.py", A);
    folder.stdout(&["outline", "old"]);
    fs::rename(folder.at("old"), folder.at("new")).expect("it was there");
    same(&folder, "moved");
    let stat = folder.stdout(&["cache", "stat", "--json", "new"]);
    assert!(stat.contains("\"files\":1"), "{stat}");
}

#[test]
fn damage_is_a_miss() {
    let folder = cached();
    wait();
    same(&folder, "whole");
    let pack = fs::read(folder.at(PACK)).expect("it was written");
    let expected = folder.run(&["outline", ".", "--json", "--no-cache"]);
    let put = |bytes: &[u8]| fs::write(folder.at(PACK), bytes).expect("it can be written");
    let check = |bytes: &[u8], what: &str| {
        put(bytes);
        assert_eq!(folder.run(&["outline", ".", "--json"]), expected, "{what}");
    };
    for len in (0..pack.len()).step_by(61) {
        check(&pack[..len], "cut off");
    }
    for at in (0..pack.len()).step_by(19) {
        let mut bytes = pack.clone();
        bytes[at] ^= 0x41;
        check(&bytes, "one byte changed");
    }
    let (middle, len) = (pack.len() / 2, pack.len());
    check(
        &[&pack[..middle], &vec![0; len - middle]].concat(),
        "half written",
    );
    check(
        &[&vec![0; middle], &pack[middle..]].concat(),
        "first half missing",
    );
    check(&[b'x'; 300], "foreign");
    check(
        &[&[0xff; 200][..], &pack[len - 16..]].concat(),
        "lengths that make no sense",
    );
    put(b"foreign");
    same(&folder, "foreign");
    folder.stdout(&["outline", "."]);
    assert_eq!(stat(&folder)["files"], 3, "a damaged cache is replaced");
}

#[test]
fn what_lies_in_the_way_does_not_matter() {
    let folder = Folder::repository();
    folder.write("a.py", A);
    folder.write(FOLDER, "a plain file");
    same(&folder, "a file for the folder");
    assert_eq!(
        fs::read(folder.at(FOLDER)).expect("it is left alone"),
        b"a plain file"
    );

    fs::remove_file(folder.at(FOLDER)).expect("it was there");
    folder.write(&format!("{PACK}/x"), "a folder for the pack");
    same(&folder, "a folder for the pack");
    assert!(folder.at(PACK).is_dir());
    let left = fs::read_dir(folder.at(FOLDER)).expect("it is there");
    let left: Vec<_> = left
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| !name.to_string_lossy().starts_with("writing-")),
        "{left:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let folder = Folder::repository();
    folder.write("a.py", A);
    fs::create_dir(folder.at("elsewhere")).expect("it can be made");
    std::os::unix::fs::symlink("elsewhere", folder.at(FOLDER)).expect("it can be made");
    same(&folder, "a link for the folder");
    assert_eq!(
        fs::read_dir(folder.at("elsewhere"))
            .expect("it is there")
            .count(),
        0
    );
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_does_not_matter() {
    use std::os::unix::fs::PermissionsExt;
    let folder = cached();
    let mode = |mode| {
        fs::set_permissions(folder.at(FOLDER), fs::Permissions::from_mode(mode))
            .expect("it is ours")
    };
    fs::write(folder.at(PACK), "damaged").expect("it can be written");
    mode(0o500);
    same(&folder, "no right to write");
    mode(0o000);
    same(&folder, "no right at all");
    mode(0o700);
    // Root may write anywhere but here.
    if cfg!(target_os = "linux") {
        let answer = folder.stdout(&["outline", ".", "--cache-dir", "/proc/none"]);
        assert_eq!(answer, folder.stdout(&["outline", ".", "--no-cache"]));
    }
}

#[test]
fn many_at_once() {
    let folder = Folder::repository();
    for n in 0..200 {
        folder.write(
            &format!("p{}/m{n}.py", n % 4),
            format!("def f{n}(): pass\n{B}"),
        );
    }
    let expected = folder.stdout(&["outline", ".", "--no-cache"]);
    for _ in 0..4 {
        let questions = [".", "p0", "p1", ".", "p2", "p3", ".", "."];
        let children = questions.map(|question| {
            let mut command = folder.command(&["outline", question]);
            (
                question,
                command.stdout(Stdio::piped()).spawn().expect("it starts"),
            )
        });
        for (question, child) in children {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success());
            if question == "." {
                assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
            }
        }
        fs::write(folder.at("p1/m1.py"), format!("def f1(): pass\n{B}"))
            .expect("it can be written");
    }
    assert_eq!(stat(&folder)["files"], 200);
    same(&folder, "after the rush");
    let names = fs::read_dir(folder.at(FOLDER)).expect("it is there");
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let left: Vec<String> = names.filter(|name| name.starts_with("writing")).collect();
    assert!(left.is_empty(), "temporary files are left: {left:?}");
}

#[test]
fn what_killed_writers_left_is_removed_in_time() {
    let folder = cached();
    let dead = folder.write(&format!("{FOLDER}/writing-1-1"), "half");
    let alive = folder.write(&format!("{FOLDER}/writing-2-2"), "half");
    set_mtime(&dead, SystemTime::now() - Duration::from_secs(7200));
    fs::remove_file(folder.at(PACK)).expect("it was there");
    folder.stdout(&["outline", "."]);
    assert!(!dead.exists() && alive.exists());
}

#[test]
fn some_things_are_not_remembered() {
    let folder = Folder::repository();
    let long = A.repeat(5000);
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(long[..1500].encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    folder.write("utf16/a.py", utf16);
    folder.stdout(&["outline", "utf16"]);
    folder.write("long.py", &long);
    folder.write("long.txt", &long);
    folder.stdout(&["outline", "--lang", "python", "long.txt"]);
    folder.stdout(&["outline", "--lang", "python", "long.py"]);
    let cut = folder.stdout(&["outline", "--timeout", "0ms", "."]);
    assert!(cut.contains("not parsed within"), "{cut}");
    assert_eq!(stat(&folder)["files"], 0);
    same(&folder, "nothing was remembered");
    folder.stdout(&["outline", "."]);
    assert_eq!(stat(&folder)["files"], 1);
}

#[test]
fn a_small_file_leaves_its_line_hashes_in_a_repository_and_no_trace_elsewhere() {
    let (folder, plain) = (Folder::repository(), Folder::new());
    for folder in [&folder, &plain] {
        folder.write("a.py", A);
        folder.stdout(&["outline", ".", "--no-cache"]);
        folder.stdout(&["region", "a.py:1", "--no-cache"]);
        assert!(!folder.at(FOLDER).exists());
        folder.stdout(&["outline", "a.py"]);
        folder.stdout(&["region", "a.py:1"]);
        folder.stdout(&["symbol", "first", "--in", "a.py"]);
    }
    assert!(!plain.at(FOLDER).exists());
    assert!(!folder.at(PACK).exists());
    let log = fs::read(folder.at(".ast_outline_cache/seen.log")).expect("it was written");
    assert_eq!(log.len(), 48 + 2 * 8 + 8, "one version of two lines, once");
}

#[test]
fn it_lies_where_it_should() {
    let folder = Folder::new();
    folder.write("repo/src/a.py", A.repeat(1000));
    fs::create_dir(folder.at("repo/.git")).expect("it can be made");
    folder.write("plain/a.py", B);
    let run = |at: &str, arguments: &[&str], env: Option<&str>| {
        let mut command = program();
        command.current_dir(folder.at(at)).args(arguments);
        env.map(|value| command.env("AST_OUTLINE_CACHE_DIR", value));
        assert!(
            command.output().expect("it runs").status.success(),
            "{arguments:?}"
        );
    };
    run("repo/src", &["outline"], None);
    assert!(
        folder.at("repo").join(PACK).is_file(),
        "at the root of the repository"
    );
    assert_eq!(
        fs::read_to_string(folder.at("repo/.ast_outline_cache/.gitignore")).expect("it is there"),
        "*\n"
    );
    let tag =
        fs::read_to_string(folder.at("repo/.ast_outline_cache/CACHEDIR.TAG")).expect("it is there");
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    run("plain", &["outline", "."], None);
    assert!(
        folder.at("plain").join(PACK).is_file(),
        "else in the working folder"
    );
    run("plain", &["cache", "clean"], None);
    assert!(!folder.at("plain").join(FOLDER).exists());
    run("plain", &["outline", ".", "--cache-dir", "../common"], None);
    run("repo", &["outline", "."], Some("../common"));
    run("plain", &["outline", "."], Some(""));
    let stat = folder.stdout(&["cache", "stat", "--json", "--cache-dir", "common"]);
    assert!(stat.contains("\"files\":2"), "{stat}");
    let both = folder.stdout(&["outline", "repo", "plain", "--cache-dir", "common"]);
    assert_eq!(
        both,
        folder.stdout(&["outline", "repo", "plain", "--no-cache"])
    );
}

#[test]
fn cleaning_removes_only_what_is_ours() {
    let folder = cached();
    folder.write(&format!("{FOLDER}/mine.txt"), "keep");
    let answer = folder.stdout(&["cache", "clean", "--json"]);
    let answer: Value = serde_json::from_str(&answer).expect("one object");
    assert_eq!(answer["schema"], "ast-outline.cache/1");
    assert_eq!(answer["removed"].as_array().map(Vec::len), Some(1));
    let left: Vec<PathBuf> = fs::read_dir(folder.at(FOLDER))
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    assert_eq!(left, [folder.at(FOLDER).join("mine.txt")]);
    folder.write("own/.gitignore", "*\n");
    folder.stdout(&["outline", ".", "--cache-dir", "own"]);
    folder.stdout(&["cache", "clean", "--cache-dir", "own"]);
    assert!(folder.at("own/.gitignore").is_file(), "not made by us");
    assert!(
        folder.stdout(&["cache", "clean"]).contains("0 files"),
        "twice is no error"
    );
}
