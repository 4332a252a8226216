//! Whatever happens to the index, answers are right, or say that they are not; nothing is lost but time.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;

use super::dump::dump;
use crate::check::root;
use crate::folder::Folder;

const GRAPH: &str = ".ast_outline_cache/graph.db";

/// Three files that call each other, in a repository.
fn tree() -> Folder {
    let folder = Folder::repository();
    folder.write(
        "store.py",
        "def save(x):\n    return x\n\ndef load():\n    return save(1)\n",
    );
    folder.write(
        "api.py",
        "from store import save\n\ndef post():\n    return save(2)\n",
    );
    folder.write("cli.py", "import store\n\ndef main():\n    store.save(3)\n");
    folder
}

/// Who calls `save`, as lines of places.
fn callers(folder: &Folder) -> String {
    places(&folder.stdout(&["callers", "save", "--no-messages"]))
}

fn places(answer: &str) -> String {
    let lines = answer.lines().filter_map(|line| line.strip_prefix("  "));
    lines
        .map(|line| format!("{}\n", line.split_whitespace().next().unwrap_or("")))
        .collect()
}

const ALL: &str = "api.py:4\ncli.py:4\nstore.py:5\n";

/// The graph as it is, and as it is made anew from the same tree.
fn both(folder: &Folder) -> (String, String) {
    folder.stdout(&["index", "."]);
    let read = || dump(&Connection::open(folder.at(GRAPH)).expect("a graph is there"));
    let brought = read();
    remove(folder);
    folder.stdout(&["index", "."]);
    (brought, read())
}

fn remove(folder: &Folder) {
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.at(&format!("{GRAPH}{end}")));
    }
}

#[test]
fn a_damaged_index_is_made_anew_and_that_is_said() {
    let folder = tree();
    folder.stdout(&["index", "."]);
    let whole = fs::read(folder.at(GRAPH)).expect("an index was made");
    let text = b"not a database at all, whatever its name says".to_vec();
    let mut holes = whole.clone();
    holes[1024..].iter_mut().for_each(|byte| *byte = 0x5a);
    let half = whole[..whole.len() / 2].to_vec();
    for (what, bytes) in [
        ("text", text),
        ("holes", holes),
        ("half", half),
        ("nothing", vec![]),
    ] {
        remove(&folder);
        fs::write(folder.at(GRAPH), bytes).expect("it can be written");
        let output = folder.run(&["callers", "save"]);
        let (answer, said) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert_eq!(places(&answer), ALL, "{what}");
        assert!(said.contains("made an index"), "{what}: {said}");
    }
}

#[test]
fn what_cannot_be_written_is_made_for_the_question() {
    let folder = tree();
    // A file where the folder should be: nothing can be written there, whoever runs this.
    folder.write(".ast_outline_cache", "in the way");
    assert_eq!(callers(&folder), ALL);
    folder.write("late.py", "from store import save\n\nsave(4)\n");
    assert_eq!(
        callers(&folder),
        "api.py:4\ncli.py:4\nlate.py:3\nstore.py:5\n"
    );
}

#[test]
#[cfg(unix)]
fn a_full_disk_costs_time_only() {
    let folder = tree();
    for limit in ["0", "8", "64"] {
        remove(&folder);
        let run =
            format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" callers save --no-messages");
        let program = env!("CARGO_BIN_EXE_ast-outline");
        let output = Command::new("sh")
            .args(["-c", &run, program])
            .current_dir(folder.path())
            .output();
        let output = output.expect("there is a shell");
        assert_eq!(
            places(&String::from_utf8_lossy(&output.stdout)),
            ALL,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success());
    }
    assert_eq!(callers(&folder), ALL);
}

#[test]
fn a_writer_killed_at_any_moment_leaves_a_good_index_or_none() {
    let folder = Folder::repository();
    folder.copy(&root().join("fixtures/python"), "python");
    folder.copy(&root().join("fixtures/go"), "go");
    folder.write("store.py", "def save(x):\n    return x\n");
    for round in 0..24u64 {
        if round % 3 == 0 {
            remove(&folder);
        }
        folder.write(
            "api.py",
            format!("from store import save\n\ndef f{round}():\n    save({round})\n"),
        );
        let mut writer = folder.command(&["index", "."]);
        let mut writer = writer
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it was built");
        sleep(Duration::from_millis(round * 7 % 90));
        writer.kill().expect("it can be killed");
        writer.wait().expect("it ends");
        assert_eq!(callers(&folder), "api.py:4\n", "{round}");
    }
    let (brought, made) = both(&folder);
    assert_eq!(brought, made);
}

#[test]
fn writers_at_once_agree() {
    let folder = tree();
    for round in 0..6 {
        folder.write(
            "late.py",
            format!("from store import save\n\ndef f{round}():\n    save({round})\n"),
        );
        let start = |_| {
            folder
                .command(&["callers", "save", "--no-messages"])
                .stdout(Stdio::piped())
                .spawn()
                .expect("it was built")
        };
        let writers: Vec<_> = (0..4).map(start).collect();
        for writer in writers {
            let output = writer.wait_with_output().expect("it ends");
            let answer = places(&String::from_utf8_lossy(&output.stdout));
            assert_eq!(answer, "api.py:4\ncli.py:4\nlate.py:4\nstore.py:5\n");
        }
    }
    let (brought, made) = both(&folder);
    assert_eq!(brought, made);
}

#[test]
fn a_tree_that_moved_keeps_its_index() {
    let folder = tree();
    let inner = folder.at("here");
    fs::create_dir_all(inner.join(".git")).expect("it can be made");
    for name in ["store.py", "api.py", "cli.py"] {
        fs::rename(folder.at(name), inner.join(name)).expect("it can be moved");
    }
    folder.stdout(&["-C", "here", "index", "."]);
    fs::rename(&inner, folder.at("there")).expect("it can be moved");
    let answer = folder.stdout(&["-C", "there", "callers", "save"]);
    assert_eq!(places(&answer), ALL);
}

#[test]
fn a_branch_switched_under_the_index_is_followed() {
    let folder = Folder::new();
    let tree = tree();
    for name in ["store.py", "api.py", "cli.py"] {
        folder.write(name, fs::read(tree.at(name)).expect("it is there"));
    }
    Folder::commit(folder.path(), "one");
    let git = |words: &[&str]| Folder::git(folder.path(), words);
    git(&["branch", "-m", "one"]);
    assert_eq!(callers(&folder), ALL);
    git(&["checkout", "-q", "-b", "two"]);
    folder.write("api.py", "def post():\n    return 2\n");
    Folder::commit(folder.path(), "two");
    assert_eq!(callers(&folder), "cli.py:4\nstore.py:5\n");
    git(&["checkout", "-q", "one"]);
    assert_eq!(callers(&folder), ALL);
}

#[test]
fn times_from_the_future_and_times_set_back_hide_no_edit() {
    let folder = tree();
    let set = |time: SystemTime| {
        let file = fs::File::options()
            .write(true)
            .open(folder.at("api.py"))
            .expect("it is there");
        file.set_modified(time).expect("times can be set");
    };
    let (past, future) = (
        Duration::from_secs(86_400 * 365),
        Duration::from_secs(86_400),
    );
    for time in [SystemTime::now() + future, SystemTime::now() - past] {
        set(time);
        assert_eq!(callers(&folder), ALL);
        // As long as before, and as old.
        folder.write(
            "api.py",
            "from store import load\n\ndef post():\n    return load(2)\n",
        );
        set(time);
        assert_eq!(callers(&folder), "cli.py:4\nstore.py:5\n");
        folder.write(
            "api.py",
            "from store import save\n\ndef post():\n    return save(2)\n",
        );
        set(time);
        assert_eq!(callers(&folder), ALL);
    }
}

/// The commonest fault of such tools: an edit of the file that is called loses the callers in files that did not change, and
/// a name that comes later never meets the import that waits for it.
#[test]
fn an_edit_elsewhere_neither_loses_nor_misses_callers() {
    let folder = tree();
    assert_eq!(callers(&folder), ALL);
    folder.write("store.py", "\"\"\"Moved down.\"\"\"\n\n\ndef save(x):\n    return x\n\ndef load():\n    return save(1)\n");
    assert_eq!(callers(&folder), "api.py:4\ncli.py:4\nstore.py:8\n");
    folder.write("store.py", "def load():\n    return 1\n");
    assert_eq!(folder.run(&["callers", "save"]).status.code(), Some(1));
    folder.write(
        "store.py",
        "def save(x):\n    return x\n\ndef load():\n    return save(1)\n",
    );
    assert_eq!(callers(&folder), ALL);
    fs::remove_file(folder.at("store.py")).expect("it is there");
    assert_eq!(folder.run(&["callers", "save"]).status.code(), Some(1));
    folder.write("store/__init__.py", "def save(x):\n    return x\n");
    assert_eq!(callers(&folder), "api.py:4\ncli.py:4\n");
}

/// Small edits of every fixture: the graph that followed them is the one made anew.
#[test]
fn edits_of_any_language_are_followed() {
    let folder = Folder::repository();
    let repositories = root().join("fixtures/repos");
    folder.copy(&repositories, ".");
    let mut files = vec![];
    collect(folder.path(), &mut files);
    files.sort();
    folder.stdout(&["index", "."]);
    for (number, path) in files.iter().enumerate().step_by(3) {
        let text = fs::read_to_string(path).expect("fixtures are text");
        match number % 4 {
            0 => fs::remove_file(path).expect("it is there"),
            1 => fs::write(path, format!("\n{text}")).expect("it can be written"),
            2 => fs::write(path, text.lines().skip(3).collect::<Vec<_>>().join("\n"))
                .expect("it can be written"),
            _ => fs::write(path, text.replace("get", "fetch")).expect("it can be written"),
        }
        folder.stdout(&["index", "."]);
    }
    let (brought, made) = both(&folder);
    assert!(brought == made, "brought up to date is not made anew");
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        match path.is_dir() {
            true if path.ends_with(".ast_outline_cache") => {}
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
