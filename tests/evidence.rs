//! Pointers: what they are, judged by git; what they lead to when the file has moved on; what is said where they do not hold.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::check::{check_run, root};
use crate::folder::Folder;

/// The text of `examples`: a note kept on another node.
const NOTE: &str = "nas://home-box/agents/cleo/memory/notes/customer-acme.md@9f2c1de#L12-L18";
const NOTE_PATH: &str = "agents/cleo/memory/notes/customer-acme.md";
const PYTHON: &str = "import os\n\n\nclass Store:\n    def get(self, key):\n        return os.environ[key]\n\n    def put(self, key, value):\n        os.environ[key] = value\n";

/// A repository with the note, whose commit has the id that the pointer names: the number in its message makes it so.
fn notes() -> Folder {
    let folder = Folder::new();
    folder.copy(&root().join("fixtures/repos/notes"), ".");
    let id = Folder::commit(folder.path(), "Note the renewal\n\nNumber: 0307685246");
    assert!(
        id.starts_with("9f2c1de"),
        "the fixture makes another commit: {id}"
    );
    folder
}

/// A repository with one file, committed.
fn committed(name: &str, text: &str) -> (Folder, String) {
    let folder = Folder::new();
    folder.write(name, text);
    let id = Folder::commit(folder.path(), "Begin");
    (folder, id)
}

fn json(output: &Output) -> Vec<Value> {
    let lines = output.stdout.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).expect("one object a line"))
        .collect()
}

fn pointer(folder: &Folder, arguments: &[&str]) -> String {
    let answers = json(&folder.run(&[arguments, &["--json"]].concat()));
    let pointer = answers[0]["evidence"][0]["pointer"].as_str();
    pointer.expect("every answer has one").to_string()
}

/// Status and exit code of one pointer.
fn verify(folder: &Folder, pointer: &str) -> (String, Option<i32>) {
    let output = folder.run(&["verify", "--json", pointer]);
    let answers = json(&output);
    let status = answers
        .first()
        .map_or("", |answer| answer["status"].as_str().unwrap_or(""));
    (status.to_string(), output.status.code())
}

fn lines(text: &str, start: usize, end: usize) -> String {
    let lines = text.split_inclusive('\n').skip(start - 1);
    lines.take(end + 1 - start).collect()
}

#[test]
fn a_path_on_another_node_is_found_by_its_end() {
    let folder = notes();
    let text = std::fs::read_to_string(folder.at(NOTE_PATH)).expect("it was copied");
    let asked = lines(&text, 12, 18);
    assert_eq!(folder.stdout(&["region", "--raw", NOTE]), asked);
    let answer = folder.stdout(&["region", NOTE]);
    let header = answer.lines().next().unwrap_or("");
    assert!(
        header.contains("from the working file, which is commit 9f2c1deb0340, hash not checked"),
        "{header}"
    );
    assert!(header.contains("heading Acme > Renewal"), "{header}");
    assert_eq!(verify(&folder, NOTE), ("exact".to_string(), Some(0)));
    // The note moves on: the pointer still gives what it gave, from git, wherever the run starts.
    folder.write(
        NOTE_PATH,
        text.replace("# Acme\n", "# Acme\n\nA line more.\n\nAnd one.\n"),
    );
    assert_eq!(folder.stdout(&["region", "--raw", NOTE]), asked);
    assert_eq!(
        folder.stdout(&["region", "--raw", NOTE, "-C", "agents/cleo"]),
        asked
    );
    assert!(
        folder
            .stdout(&["region", NOTE])
            .contains("from git commit 9f2c1deb0340, hash not checked")
    );
    assert_eq!(verify(&folder, NOTE), ("moved".to_string(), Some(0)));
    let answer = folder.stdout(&["verify", NOTE]);
    assert!(
        answer.starts_with("moved L12-18 -> L16-22  nas://home-box/"),
        "{answer}"
    );
    std::fs::remove_file(folder.at(NOTE_PATH)).expect("it is there");
    assert_eq!(folder.stdout(&["region", "--raw", NOTE]), asked);
    assert_eq!(verify(&folder, NOTE), ("gone".to_string(), Some(1)));
}

#[test]
fn versions_are_those_of_git() {
    let (folder, id) = committed("src/store.py", PYTHON);
    let clean = pointer(&folder, &["region", "src/store.py:5-6"]);
    assert!(
        clean.starts_with(&format!("src/store.py@{}#L5-L6~", &id[..12])),
        "{clean}"
    );
    // Dirty: git's id of the bytes, before and after they are committed.
    folder.write("src/store.py", format!("# changed\n{PYTHON}"));
    let blob = Folder::git(folder.path(), &["hash-object", "src/store.py"]);
    let dirty = pointer(&folder, &["region", "src/store.py:6-7"]);
    assert!(
        dirty.starts_with(&format!("src/store.py@blob:{blob}#L6-L7~")),
        "{dirty}"
    );
    assert_eq!(
        clean.split('~').nth(1),
        dirty.split('~').nth(1),
        "the same text"
    );
    assert_eq!(verify(&folder, &clean).0, "moved");
    assert_eq!(verify(&folder, &dirty).0, "exact");
    folder.write("new.py", PYTHON);
    let untracked = pointer(&folder, &["outline", "new.py"]);
    assert!(untracked.contains("@blob:"), "{untracked}");
    Folder::commit(folder.path(), "Go on");
    assert_eq!(verify(&folder, &dirty).0, "exact");
    assert_eq!(verify(&folder, &untracked).0, "exact");
    folder.write("src/store.py", format!("\n\n# changed again\n{PYTHON}"));
    assert_eq!(verify(&folder, &dirty).0, "moved");
    assert_eq!(
        folder.stdout(&["region", "--raw", &dirty]),
        lines(PYTHON, 5, 6)
    );
    // Staged, and never committed.
    let staged = pointer(&folder, &["symbol", "--in", "src/store.py", "Store.put"]);
    Folder::git(folder.path(), &["add", "-A"]);
    folder.write("src/store.py", PYTHON);
    assert_eq!(verify(&folder, &staged).0, "moved");
}

/// Its path cannot be asked for in a line, and was said not to be in the commit that holds it.
#[cfg(unix)]
#[test]
fn a_file_with_a_line_break_in_its_name_is_in_its_version() {
    let name = "new\nline.py";
    let (folder, id) = committed(name, PYTHON);
    let pointer = pointer(&folder, &["region", &format!("{name}:4-6")]);
    assert!(pointer.contains(&id[..12]), "{pointer}");
    assert_eq!(verify(&folder, &pointer).0, "exact");
    folder.write(name, "");
    assert_eq!(
        folder.stdout(&["region", "--raw", &pointer]),
        lines(PYTHON, 4, 6)
    );
}

#[test]
fn the_hash_is_that_of_the_text_without_its_line_ends() {
    let text = lines(PYTHON, 4, 6);
    let expected = blake3::hash(text.trim_end().as_bytes()).to_hex()[..12].to_string();
    let (folder, id) = committed("unix.py", PYTHON);
    folder.write("dos.py", PYTHON.replace('\n', "\r\n"));
    for path in ["unix.py", "dos.py"] {
        let pointer = pointer(&folder, &["region", &format!("{path}:4-6")]);
        assert!(pointer.ends_with(&format!("~{expected}")), "{pointer}");
    }
    // A checkout with CRLF is clean for git, and for us.
    Folder::git(folder.path(), &["config", "core.autocrlf", "true"]);
    folder.write("unix.py", PYTHON.replace('\n', "\r\n"));
    let pointer = pointer(&folder, &["region", "unix.py:4-6"]);
    assert_eq!(pointer, format!("unix.py@{}#L4-L6~{expected}", &id[..12]));
    assert_eq!(verify(&folder, &pointer).0, "exact");
    let blob = Folder::git(folder.path(), &["rev-parse", "HEAD:unix.py"]);
    assert_eq!(
        verify(&folder, &format!("unix.py@blob:{blob}#L4-L6")).0,
        "exact"
    );
}

#[test]
fn what_does_not_hold_is_said() {
    let (folder, id) = committed("a.py", PYTHON);
    let other = Folder::git(folder.path(), &["rev-parse", "HEAD:a.py"]);
    folder.write(
        "a.py",
        PYTHON.replace("return os.environ[key]", "return key"),
    );
    let moved = format!("a.py@{}", &id[..7]);
    let put = &blake3::hash(lines(PYTHON, 8, 8).trim_end().as_bytes()).to_hex()[..12];
    for (pointer, status, code) in [
        (format!("{moved}#L8-L9"), "exact", 0),
        (format!("{moved}#L5-L9"), "changed", 1),
        (format!("{moved}#L6"), "changed", 1),
        (format!("{moved}#L8-L9~000000000000"), "changed", 1),
        (format!("{moved}#L8-L99"), "gone", 1),
        (format!("b.py@{id}#L1"), "gone", 1),
        ("a.py@0123456789ab#L1-L2".to_string(), "unknown-version", 1),
        (format!("a.py@0123456789ab#L8~{put}"), "unknown-version", 1),
        (
            format!("a.py@blob:{}#L1-L2", "0".repeat(40)),
            "unknown-version",
            1,
        ),
        // The id of a blob is no commit, and a commit's is no blob.
        (format!("a.py@{other}#L1-L2"), "unknown-version", 1),
        (format!("a.py@blob:{id}#L1-L2"), "unknown-version", 1),
    ] {
        assert_eq!(
            verify(&folder, &pointer),
            (status.to_string(), Some(code)),
            "{pointer}"
        );
    }
    let answer = folder.run(&["verify", &format!("a.py@0123456789ab#L8~{put}")]);
    let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(
        answer.contains("but today these lines have its hash"),
        "{answer}"
    );
    // `region` never prints other lines instead.
    for pointer in ["#L8-L9~000000000000", "#L8-L99"] {
        let output = folder.run(&["region", &format!("{moved}{pointer}")]);
        assert_eq!(
            (output.stdout.len(), output.status.code()),
            (0, Some(1)),
            "{pointer}"
        );
    }
    let output = folder.run(&["region", "a.py@0123456789ab#L1-L2"]);
    assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)));
    // What is no pointer is an error.
    for word in [
        "a.py",
        "a.py@12#L1",
        "a.py@blob:xyz#L1",
        "a.py@1234567#L9-L3",
        "../a.py@1234567#L1",
    ] {
        let output = folder.run(&["verify", word]);
        assert_eq!(
            (output.stdout.len(), output.status.code()),
            (0, Some(2)),
            "{word}"
        );
    }
}

#[test]
fn several_commits_that_begin_alike_are_ambiguous() {
    let folder = Folder::new();
    let mut ids: Vec<String> = vec![];
    // Four digits of 400 commits: two begin alike in all but one case of three.
    let text = (0..400).map(|n| {
        let from = if n == 0 { String::new() } else { format!("from :{n}\n") };
        format!(
            "commit refs/heads/main\nmark :{}\ncommitter Cleo <cleo@example.org> {} +0000\ndata 0\n{from}M 644 inline a.py\ndata 6\nA = 1\n\n",
            n + 1,
            1_767_225_600 + n
        )
    });
    folder.write("stream", text.collect::<String>());
    Folder::git(
        folder.path(),
        &["init", "-q", "--object-format=sha1", "-b", "main"],
    );
    let import = std::fs::File::open(folder.at("stream")).expect("it was written");
    let mut command = std::process::Command::new("git");
    command
        .current_dir(folder.path())
        .args(["fast-import", "--quiet"])
        .stdin(import);
    assert!(command.status().expect("git is installed").success());
    ids.extend(
        Folder::git(folder.path(), &["rev-list", "main"])
            .lines()
            .map(str::to_string),
    );
    ids.sort();
    let alike = ids.windows(2).find(|pair| pair[0][..4] == pair[1][..4]);
    let alike = alike.expect("the dates are such that two begin alike");
    folder.write("a.py", "A = 1\n");
    let pointer = format!("a.py@{}#L1", &alike[0][..4]);
    assert_eq!(
        verify(&folder, &pointer),
        ("ambiguous".to_string(), Some(1))
    );
    assert_eq!(verify(&folder, &format!("a.py@{}#L1", alike[0])).0, "exact");
}

#[test]
fn paths_of_every_kind_come_back() {
    let folder = Folder::new();
    let names = ["a b/c@d.py", "50%#~.py", "é/ü.py", "100%25.py", "n.py"];
    names
        .iter()
        .for_each(|name| drop(folder.write(name, PYTHON)));
    Folder::commit(folder.path(), "Begin");
    for name in names {
        let pointer = pointer(&folder, &["outline", name]);
        let (path, _) = pointer.split_once('@').expect("it has a version");
        assert!(!path.contains([' ', '#', '~', '@']), "{pointer}");
        assert_eq!(verify(&folder, &pointer).0, "exact", "{pointer}");
        assert_eq!(
            folder.stdout(&["region", "--raw", &pointer]),
            PYTHON,
            "{pointer}"
        );
    }
    // From a folder further in, pointers still start from the root.
    assert!(pointer(&folder, &["outline", "ü.py", "-C", "é"]).starts_with("é/ü.py@"));
}

#[test]
fn without_a_repository_or_git_pointers_name_blobs() {
    let folder = Folder::new();
    folder.write("a.py", PYTHON);
    let expected = pointer(&folder, &["outline", "a.py"]);
    assert!(expected.starts_with("a.py@blob:"), "{expected}");
    assert_eq!(verify(&folder, &expected), ("exact".to_string(), Some(0)));
    assert!(
        !folder.at(".ast_outline_cache").exists(),
        "a single file leaves no trace here"
    );
    Folder::commit(folder.path(), "Begin");
    assert!(!pointer(&folder, &["outline", "a.py"]).contains("@blob:"));
    let without = |arguments: &[&str]| {
        let output = folder.command(arguments).env("PATH", "").output();
        output.expect("the program was built for this test")
    };
    let answers = json(&without(&["outline", "--json", "a.py"]));
    assert_eq!(answers[0]["evidence"][0]["pointer"], expected.as_str());
    assert!(without(&["verify", &expected]).status.success());
    let head = Folder::git(folder.path(), &["rev-parse", "HEAD"]);
    let output = without(&["verify", &format!("a.py@{head}#L1")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("unknown-version"));
}

#[test]
fn repositories_of_sha_256_have_longer_ids() {
    let folder = Folder::new();
    Folder::git(folder.path(), &["init", "-q", "--object-format=sha256"]);
    folder.write("a.py", PYTHON);
    let blob = Folder::git(folder.path(), &["hash-object", "a.py"]);
    let untracked = pointer(&folder, &["outline", "."]);
    assert!(untracked.contains(&format!("@blob:{blob}#")), "{untracked}");
    let id = Folder::commit(folder.path(), "Begin");
    for _ in 0..2 {
        assert!(pointer(&folder, &["outline", "."]).contains(&format!("@{}#", &id[..12])));
    }
    assert_eq!(verify(&folder, &untracked).0, "exact");
}

#[test]
fn heads_of_every_kind_are_read() {
    let (folder, id) = committed("a.py", PYTHON);
    let begins = format!("a.py@{}#", &id[..12]);
    let check = |at: &str| {
        let pointer = pointer(&folder, &["outline", "a.py", "-C", at]);
        assert!(pointer.starts_with(&begins), "{at}: {pointer}");
    };
    Folder::git(folder.path(), &["pack-refs", "--all"]);
    check(".");
    Folder::git(folder.path(), &["checkout", "-q", "--detach"]);
    check(".");
    Folder::git(
        folder.path(),
        &["worktree", "add", "-q", "-b", "other", "tree"],
    );
    check("tree");
    Folder::git(folder.path(), &["pack-refs", "--all"]);
    check("tree");
    folder.write("tree/b.py", PYTHON);
    let id = Folder::commit(&folder.at("tree"), "Go on");
    let pointer = pointer(&folder, &["outline", "b.py", "-C", "tree"]);
    assert!(
        pointer.starts_with(&format!("b.py@{}#", &id[..12])),
        "{pointer}"
    );
}

/// A `git` that counts how often it is started.
#[cfg(unix)]
#[test]
fn git_is_started_once_and_for_evidence_only() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, id) = committed("src/a.py", PYTHON);
    folder.write("src/b.py", PYTHON);
    let path = std::env::var("PATH").unwrap_or_default();
    let script = "#!/bin/sh\necho run >> \"$COUNT\"\nPATH=\"$REAL\" exec git \"$@\"\n";
    let git = folder.write("bin/git", script);
    std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let count = |arguments: &[&str]| {
        let log = folder.at("count");
        let _ = std::fs::remove_file(&log);
        let output = folder
            .command(arguments)
            .env("PATH", format!("{}:{path}", folder.at("bin").display()))
            .env("REAL", &path)
            .env("COUNT", &log)
            .output();
        assert!(output.expect("it runs").status.success(), "{arguments:?}");
        std::fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .count()
    };
    for arguments in [
        &["--version"][..],
        &["outline", "."],
        &["outline", "src/a.py"],
        &["region", "src/a.py:1-3"],
        &["symbol", "Store.get", "--in", "src/a.py"],
        &["verify", &pointer(&folder, &["outline", "src/b.py"])],
    ] {
        let expected = usize::from(arguments[0] == "verify");
        assert!(count(arguments) <= expected, "{arguments:?}");
    }
    for arguments in [
        &["outline", "--json", "."][..],
        &["outline", "--json", "src/a.py", "src/b.py"],
        &["outline", "--evidence", "src"],
        &["region", "--json", "src/a.py:1-3", "src/b.py:2"],
        &["symbol", "--json", "Store.get"],
        &["region", "--at", "HEAD", "src/a.py:1-3", "src/a.py:2"],
        &["region", "src/a.py@HEAD#L1-L3", "src/a.py@HEAD#L4"],
    ] {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|word| word.replace("@HEAD", &format!("@{id}")))
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let arguments = arguments.as_slice();
        assert_eq!(count(arguments), 1, "{arguments:?}");
    }
}

#[test]
fn each_definition_has_a_pointer_where_that_is_asked() {
    let (folder, _) = committed("a.py", PYTHON);
    folder.write(
        "b.py",
        PYTHON
            .encode_utf16()
            .fold(vec![0xff, 0xfe], |mut bytes, unit| {
                bytes.extend(unit.to_le_bytes());
                bytes
            }),
    );
    for path in ["a.py", "b.py"] {
        let plain = json(&folder.run(&["outline", "--json", path]));
        assert_eq!(plain[0]["definitions"][0].get("evidence"), None);
        let answers = json(&folder.run(&["outline", "--json", "--evidence", path]));
        assert_eq!(answers[0]["evidence"], plain[0]["evidence"]);
        let method = &answers[0]["definitions"][0]["children"][1];
        let pointer = method["evidence"][0]["pointer"]
            .as_str()
            .expect("it has one");
        assert!(pointer.contains("#L8-L9~"), "{pointer}");
        assert_eq!(verify(&folder, pointer).0, "exact", "{pointer}");
        assert_eq!(
            folder.stdout(&["region", "--raw", pointer]),
            lines(PYTHON, 8, 9)
        );
    }
}

#[test]
fn what_the_cache_knows_has_the_same_pointers() {
    let (folder, _) = committed("a.py", PYTHON);
    folder.write("dirty.py", PYTHON);
    folder.write("dos.py", PYTHON.replace('\n', "\r\n"));
    folder.write("empty.py", "");
    let expected = folder.stdout(&["outline", "--json", "--no-cache", "."]);
    assert_eq!(folder.stdout(&["outline", "--json", "."]), expected);
    std::thread::sleep(std::time::Duration::from_millis(2100));
    folder.stdout(&["outline", "--json", "."]);
    assert_eq!(folder.stdout(&["outline", "--json", "."]), expected);
    let pointers: Vec<Value> = expected
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for answer in pointers {
        let pointer = answer["evidence"][0]["pointer"]
            .as_str()
            .expect("each has one");
        assert_eq!(verify(&folder, pointer).0, "exact", "{pointer}");
    }
}

#[test]
fn pointers_come_from_stdin_too() {
    use std::io::Write;
    let (folder, id) = committed("a.py", PYTHON);
    for arguments in [&["verify"][..], &["verify", "-"]] {
        let mut command = folder.command(arguments);
        command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        writeln!(stdin, "a.py@{id}#L1\n\na.py@{id}#L999").expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert_eq!(
            (words, output.status.code()),
            (vec!["exact", "gone"], Some(1))
        );
    }
}

#[test]
fn answers_read_as_written() {
    let commit = Folder::git(&crate::check::shop(), &["rev-parse", "--short=12", "HEAD"]);
    let at = |lines: &str| format!("src/notifier.py@{commit}#{lines}");
    check_run(
        "verify",
        &[
            "verify",
            &at("L13-L15"),
            &at("L90"),
            "src/notifier.py@0123456#L1",
        ],
    );
    check_run("verify-json", &["verify", "--json", &at("L13-L15")]);
    check_run("verify-malformed", &["verify", "src/notifier.py:13-15"]);
    check_run(
        "region-evidence",
        &["region", "--evidence", "src/notifier.py:13-15"],
    );
    check_run("region-pointer", &["region", &at("L13-L15")]);
    check_run("region-pointer-json", &["region", "--json", &at("L13-L15")]);
    check_run(
        "region-pointer-unknown",
        &["region", "src/notifier.py@0123456#L1"],
    );
    check_run(
        "outline-evidence",
        &["outline", "--evidence", "src/notifier.py"],
    );
}

#[test]
fn every_status_is_in_the_readme() {
    let schema = crate::check::stdout(&["schema", "verify"]);
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    let readme =
        std::fs::read_to_string(Path::new(&root()).join("README.md")).expect("there is one");
    for status in schema["properties"]["status"]["oneOf"]
        .as_array()
        .expect("they are listed")
    {
        let (name, about) = (&status["const"], &status["description"]);
        let row = format!(
            "| `{}` | {} |",
            name.as_str().unwrap_or(""),
            about.as_str().unwrap_or("")
        );
        assert!(readme.contains(&row), "{row}");
    }
}
