//! `search`: the lines that `grep` finds, under the definitions they stand in.

use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::check::{check_run, program, root, run, shop, stdout};
use crate::input::Scratch;

#[test]
fn matches_stand_under_their_definitions() {
    check_run("search", &["search", "smtp"]);
    check_run("search-context", &["search", "-C1", r"\bsku\b|lines"]);
    check_run("search-before", &["search", "-B", "2", "sendmail", "src"]);
    check_run("search-fixed", &["search", "-Fw", "sku", "web"]);
    check_run(
        "search-invert",
        &["search", "-v", "e", "docs", "deploy.yaml"],
    );
    check_run("search-lines", &["search", "-U", r"(?s)for .*?\(", "src"]);
    check_run(
        "search-case",
        &["search", "-S", "-e", "smtp", "-e", "Renewal"],
    );
    check_run("search-kind", &["search", "--kind", "method", "smtp"]);
    check_run(
        "search-evidence",
        &["search", "--evidence", "-m3", "smtp", "src"],
    );
    check_run(
        "search-color",
        &["search", "--color", "always", "smtp", "src"],
    );
    check_run(
        "search-json",
        &["search", "--json", "-A1", "sendmail|EMAIL"],
    );
    check_run(
        "search-json-invert",
        &["search", "--json", "-v", ".", "docs"],
    );
}

/// Each view of the same matches, from the finest to the coarsest.
#[test]
fn each_view_shows_what_it_says() {
    let pattern = r"smtp|\blines?\b|Renewal";
    for view in ["context", "lines", "places", "counts", "paths", "total"] {
        let name = format!("search-view-{view}");
        check_run(&name, &["search", "--view", view, pattern]);
        let name = format!("search-view-{view}-json");
        check_run(&name, &["search", "--json", "--view", view, pattern, "src"]);
    }
    check_run(
        "search-view-places-evidence",
        &["search", "--evidence", "--view", "places", "smtp"],
    );
    check_run(
        "search-view-and-context",
        &["search", "--view", "lines", "-C1", "smtp"],
    );
}

/// A match is never printed as none, and all views count the same.
#[test]
fn every_view_counts_the_same() {
    for pattern in ["e", "send", "[{}]", "^$"] {
        let first_line = |view| {
            let text = stdout(&[
                "search",
                "--no-messages",
                "--view",
                view,
                pattern,
                "fixtures",
            ]);
            let line = text.lines().next().unwrap_or_default().to_string();
            (line.replace(view, "VIEW"), text)
        };
        let (expected, total) = first_line("total");
        assert!(expected.contains(" matches in "), "{expected}");
        assert_eq!(total.lines().count(), 1);
        for view in ["context", "lines", "places", "counts", "paths"] {
            assert_eq!(first_line(view).0, expected);
        }
        let (_, counts) = first_line("counts");
        let counts = counts
            .lines()
            .skip(1)
            .filter_map(|line| line.rsplit(':').next());
        let sum: u64 = counts.filter_map(|count| count.parse::<u64>().ok()).sum();
        assert!(expected.contains(&format!("({sum} matches in ")), "{sum}");
    }
}

/// The lines of `places` are those of `lines`, each once, under the same definitions.
#[test]
fn places_are_those_of_the_lines() {
    for pattern in ["e", "self", "[{}]"] {
        let numbers = |view| {
            let arguments = [
                "search",
                "--json",
                "--no-cache",
                "--view",
                view,
                pattern,
                "fixtures",
            ];
            let lines = run(&arguments).stdout;
            let lines = lines
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty());
            let mut places = vec![];
            for line in lines {
                let file: Value = serde_json::from_slice(line).expect("one object a line");
                for found in file["matches"].as_array().expect("it has matches") {
                    places.push((
                        file["path"].clone(),
                        found["line"].clone(),
                        found["in"].clone(),
                    ));
                }
            }
            places
        };
        assert_eq!(numbers("lines"), numbers("places"), "{pattern}");
        let text = stdout(&[
            "search",
            "--no-messages",
            "--view",
            "places",
            pattern,
            "fixtures",
        ]);
        let mut shown = 0;
        for line in text.lines().filter(|line| !line.starts_with("## ")) {
            let ranges = line
                .split(' ')
                .rev()
                .map_while(|word| word.strip_prefix('L'));
            for range in ranges {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let number = |text: &str| text.parse::<usize>().expect("a line");
                shown += number(last) + 1 - number(first);
            }
        }
        assert_eq!(shown, numbers("lines").len(), "{pattern}");
    }
}

/// Each file, definition and match that an answer names is what `verify` finds there.
#[test]
fn pointers_point_to_what_was_found() {
    let ask = |arguments: &[&str]| {
        let output = program().current_dir(shop()).args(arguments).output();
        let output = output.expect("the program was built for this test");
        String::from_utf8(output.stdout).expect("what the program prints is UTF-8")
    };
    for arguments in [
        &["search", "--evidence", "e"][..],
        &["search", "--evidence", "--view", "places", "-v", "e"],
        &["search", "--json", "-U", r"\n.*\n.*e"],
        &["search", "--symbols", "--evidence", "e"],
    ] {
        let answer = ask(arguments);
        let words = answer.split([' ', '"', '\n', ')']);
        let pointers: Vec<&str> = words
            .filter(|word| word.contains("@f8497cdb6039#L"))
            .collect();
        assert!(pointers.len() > 4, "{arguments:?}: {}", pointers.len());
        let checked = ask(&[&["verify"], &pointers[..]].concat());
        let exact = checked.lines().filter(|line| line.contains("exact"));
        assert_eq!(exact.count(), pointers.len(), "{checked}");
    }
}

#[test]
fn paths_and_counts_stand_alone() {
    check_run("search-paths", &["search", "-li", "NOTIFIER"]);
    check_run("search-counts", &["search", "-c", "e"]);
    check_run(
        "search-counts-json",
        &["search", "-c", "--json", "e", "src"],
    );
    check_run("search-paths-json", &["search", "-l", "--json", "e", "src"]);
}

#[test]
fn names_are_ranked() {
    check_run("search-symbols", &["search", "--symbols", "not"]);
    check_run(
        "search-symbols-typo",
        &["search", "--symbols", "Notifier.sned"],
    );
    check_run("search-symbols-some", &["search", "--symbols", "-m3", "e"]);
    check_run(
        "search-symbols-json",
        &["search", "--symbols", "--json", "--kind", "method", "add"],
    );
    check_run("search-symbols-none", &["search", "--symbols", "zzz"]);
    check_run(
        "search-symbols-evidence",
        &["search", "--symbols", "--evidence", "not"],
    );
}

#[test]
fn a_miss_and_a_mistake_say_so() {
    check_run("search-miss", &["search", "nosuch"]);
    check_run("search-miss-kind", &["search", "--kind", "heading", "smtp"]);
    check_run("search-malformed", &["search", "a("]);
    check_run("search-malformed-line-end", &["search", r"a\nb"]);
    check_run("search-type-unknown", &["search", "-t", "nosuch", "a"]);
    check_run("search-no-pattern", &["search"]);
    check_run("search-no-path-json", &["search", "--json", "a", "nosuch"]);
}

/// Folders that no other test writes into.
const FOLDERS: [&str; 9] = [
    "fixtures/c",
    "fixtures/go",
    "fixtures/java",
    "fixtures/javascript",
    "fixtures/json",
    "fixtures/markdown",
    "fixtures/python",
    "fixtures/rust",
    "fixtures/yaml",
];

/// (path, line) of every match.
fn places(output: &Output) -> BTreeSet<(String, u64)> {
    let lines = output.stdout.split(|&byte| byte == b'\n');
    let mut places = BTreeSet::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let file: Value = serde_json::from_slice(line).expect("one object a line");
        let path = file["path"].as_str().expect("it has a path");
        for hit in file["matches"].as_array().expect("it has matches") {
            places.insert((path.to_string(), hit["line"].as_u64().expect("a number")));
        }
    }
    places
}

/// The same of a program that prints `path:line:text`.
fn printed_by(name: &str, arguments: &[&str]) -> Option<BTreeSet<(String, u64)>> {
    let output = Command::new(name)
        .current_dir(root())
        .env("LC_ALL", "C.UTF-8")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let places = text.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        Some((parts.next()?.to_string(), parts.next()?.parse().ok()?))
    });
    Some(places.collect())
}

/// What `grep` finds is what is found, whatever the flags.
#[test]
fn it_finds_what_grep_finds() {
    if Command::new("grep").arg("--version").output().is_err() {
        return;
    }
    let questions: [(&[&str], &str); 12] = [
        (&[], "send"),
        (&[], r"^(class|struct|def|fn|func) [A-Za-z]+"),
        (&[], r"\{$"),
        (&[], r"[0-9]{3,}"),
        (&[], ""),
        (&["-i"], "ERROR"),
        (&["-w"], "in"),
        (&["-w", "-i"], "LINE|name"),
        (&["-v"], "[a-z]"),
        (&["-m", "2"], "return"),
        (&["-v", "-w"], "the|a"),
        (&["-i", "-m", "1"], "const |let "),
    ];
    for (flags, pattern) in questions {
        let ours: &[&str] = &["search", "--json", "--no-cache", "--hidden", "--no-ignore"];
        let ours = run(&[ours, flags, &["-e", pattern], &FOLDERS].concat());
        let theirs = printed_by(
            "grep",
            &[&["-arnE"], flags, &["-e", pattern], &FOLDERS].concat(),
        );
        let (ours, theirs) = (places(&ours), theirs.expect("it is there"));
        let apart: Vec<_> = ours.symmetric_difference(&theirs).take(5).collect();
        assert!(apart.is_empty(), "{flags:?} {pattern}: {apart:?}");
        assert!(ours.len() > 10, "{flags:?} {pattern}: {}", ours.len());
    }
}

/// Where `rg` is at hand, what only it has too.
#[test]
fn it_finds_what_rg_finds() {
    if Command::new("rg").arg("--version").output().is_err() {
        return;
    }
    let questions: [&[&str]; 9] = [
        &["-S", "error"],
        &["-S", "Error"],
        &["-F", "self."],
        &["-F", "-w", "-e", "self", "-e", "this"],
        &["-t", "rust", "-t", "go", "name"],
        &["-T", "json", "-T", "md", "name"],
        &["-g", "*.{go,rs}", "-g", "!broken.*", r"\bfunc?\b"],
        &[r"\p{Lu}\p{Ll}+(?-u:\xC3|o)"],
        &["-m1", r"\w+\(\)"],
    ];
    for words in questions {
        let ours = run(&[&["search", "--json", "--no-cache"], words, &FOLDERS].concat());
        let options: &[&str] = &["-n", "--no-heading", "--with-filename"];
        let theirs = printed_by("rg", &[options, words, &FOLDERS].concat());
        let (ours, theirs) = (places(&ours), theirs.expect("it is there"));
        let apart: Vec<_> = ours.symmetric_difference(&theirs).take(5).collect();
        assert!(apart.is_empty(), "{words:?}: {apart:?}");
        assert!(!ours.is_empty(), "{words:?}");
    }
}

/// The text holds every line that the JSON does, and its first line counts them.
#[test]
fn text_and_json_agree() {
    for pattern in ["e", "self", "^$", "[{}]"] {
        let arguments = |format| ["search", "--no-cache", format, pattern, "fixtures"];
        let json = places(&run(&arguments("--json")));
        let text = stdout(&arguments("--no-messages"));
        let mut shown = BTreeSet::new();
        let mut path = String::new();
        for line in text.lines().skip(1) {
            if let Some(head) = line.strip_prefix("## ") {
                path = head.split(" (").next().unwrap_or_default().to_string();
            }
            let number = line.trim_start().strip_prefix('L');
            let number = number.and_then(|rest| rest.split_once(':'));
            if let Some(number) = number.and_then(|(number, _)| number.parse().ok()) {
                shown.insert((path.clone(), number));
            }
        }
        assert_eq!(json, shown, "{pattern}");
        let files: BTreeSet<&String> = json.iter().map(|(path, _)| path).collect();
        let head = format!(
            "({} matches in {} files, view lines)",
            json.len(),
            files.len()
        );
        let first = text.lines().next().unwrap_or_default();
        assert!(first.ends_with(&head), "{first}: {head}");
    }
}

/// Every line of every fixture stands in the innermost definition around it; where several share the line, in one of them.
#[test]
fn every_line_stands_in_its_innermost_definition() {
    let outlines = run(&["outline", "--json", "--no-cache", "fixtures"]);
    let hits = run(&["search", "--json", "--no-cache", "", "fixtures"]);
    let lines = |output: &Output| -> Vec<Value> {
        let lines = output.stdout.split(|&byte| byte == b'\n');
        let lines = lines.filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_slice(line).expect("one object a line"))
            .collect()
    };
    let hits = lines(&hits);
    let mut checked = 0;
    for file in lines(&outlines) {
        let of_file = hits.iter().find(|hit| hit["path"] == file["path"]);
        let table = file.get("rows").is_some();
        for hit in of_file
            .filter(|_| !table)
            .into_iter()
            .flat_map(|found| found["matches"].as_array().expect("it has matches"))
        {
            let line = hit["line"].as_u64().expect("a number");
            let found = hit.get("in").map(|within| within["qualname"].clone());
            let (innermost, shared) = innermost(&file["definitions"], line);
            assert!(
                shared || found == innermost,
                "{}:{line}: {found:?}, not {innermost:?}",
                file["path"]
            );
            checked += 1;
        }
    }
    assert!(checked > 3000, "only {checked} lines");
}

/// The name of the innermost definition around a line, and whether another shares the line somewhere on the way.
fn innermost(definitions: &Value, line: u64) -> (Option<Value>, bool) {
    let (mut level, mut name, mut shared) = (definitions, None, false);
    let mut head = Value::Null;
    loop {
        let around = level.as_array().into_iter().flatten().filter(|definition| {
            definition["start_line"].as_u64() <= Some(line)
                && definition["end_line"].as_u64() >= Some(line)
        });
        let around: Vec<&Value> = around.collect();
        let Some(first) = around.first() else {
            return (name, shared);
        };
        // In front of a member on the line where its type begins is the type.
        shared |= around.len() > 1 || head == first["start_line"];
        head = first["start_line"].clone();
        name = Some(first["qualname"].clone());
        level = &first["children"];
    }
}

#[test]
fn a_line_that_is_shared_is_told_apart_by_bytes() {
    let scratch = Scratch::new("search-shared");
    scratch.write(
        "a.js",
        "function a() { x1 } function b() { x2 } // x3\nlet c = 1, d = x4\n",
    );
    scratch.write("a.csv", "one,two\nx5,x6\n");
    let found = |pattern: &str, path: &str| {
        let output = scratch.run(&["search", "--json", pattern, path]);
        let file: Value = serde_json::from_slice(&output.stdout).expect("it is there");
        file["matches"][0]["in"]["qualname"]
            .as_str()
            .map(str::to_string)
    };
    for (pattern, path, expected) in [
        ("x1", "a.js", Some("a")),
        ("x2", "a.js", Some("b")),
        ("x3", "a.js", Some("b")),
        ("x4", "a.js", Some("d")),
        ("two", "a.csv", Some("two")),
        (",", "a.csv", None),
        ("x6", "a.csv", None),
    ] {
        let found = found(pattern, path);
        assert_eq!(found.as_deref(), expected, "{pattern}");
    }
}

#[test]
fn offsets_are_those_of_the_file() {
    let scratch = Scratch::new("search-encodings");
    let text = "x = 1\ndef f():\n    needle = '\u{e9}\u{1f600}' + needle\n";
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    scratch.write("wide.py", &wide);
    scratch.write("mark.py", format!("\u{feff}{text}"));
    scratch.write("plain.py", text);
    scratch.write("crlf.py", text.replace('\n', "\r\n"));
    scratch.write(
        "latin.py",
        b"# caf\xe9\ndef f():\n    needle = '\xe9' + needle\n",
    );
    for name in ["wide.py", "mark.py", "plain.py", "crlf.py", "latin.py"] {
        let output = scratch.run(&["search", "--json", "needle", name]);
        let file: Value = serde_json::from_slice(&output.stdout).expect("it is there");
        let bytes = std::fs::read(scratch.path().join(name)).expect("it was written");
        let hit = &file["matches"][0];
        assert_eq!(hit["in"]["qualname"], "f", "{name}");
        assert_eq!(hit["column"], 5, "{name}");
        let parts = hit["submatches"].as_array().expect("it matches twice");
        assert_eq!(parts.len(), 2, "{name}");
        for part in parts {
            let number = |key: &str| part[key].as_u64().expect("a number") as usize;
            let found = &bytes[number("start_byte")..number("end_byte")];
            let found: Vec<u8> = found.iter().copied().filter(|&byte| byte != 0).collect();
            assert_eq!(found, b"needle", "{name}");
        }
    }
    // A mark in front of the text is no part of its first line.
    let output = scratch.run(&["search", "-c", "^x = 1$", "mark.py", "wide.py"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text, "mark.py:1\nwide.py:1\n");
    let output = scratch.run(&["search", "-c", "^x = 1$"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text, "mark.py:1\nplain.py:1\nwide.py:1\n");
}

#[test]
fn long_lines_are_folded_around_the_match() {
    let scratch = Scratch::new("search-long");
    let line = |before: usize, after: usize| {
        format!("{}needle{}", "\u{e9}".repeat(before), "z".repeat(after))
    };
    scratch.write("begin.txt", line(0, 1000));
    scratch.write("middle.txt", line(1000, 1000) + "needle");
    scratch.write("end.txt", line(1000, 10));
    scratch.write("fits.txt", line(200, 194));
    let expected = [
        ("begin.txt", format!("{} (+606 chars)", line(0, 394))),
        (
            "middle.txt",
            format!(
                "(+900 chars) {} (+712 chars, 1 match in them)",
                line(100, 294)
            ),
        ),
        ("end.txt", format!("(+616 chars) {}", line(384, 10))),
        ("fits.txt", line(200, 194)),
    ];
    for (name, text) in expected {
        let output = scratch.run(&["search", "needle", name]);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            answer.lines().last(),
            Some(format!("L1: {text}").as_str()),
            "{name}"
        );
    }
}

#[test]
fn control_bytes_are_shown_as_such() {
    let scratch = Scratch::new("search-control");
    scratch.write("a.txt", "\x1b[31mneedle\x07\tend\r\n");
    let output = scratch.run(&["search", "needle"]);
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        answer.ends_with("\nL1: \\x1b[31mneedle\\x07\tend\n"),
        "{answer}"
    );
}

#[test]
fn binaries_are_passed_over_unless_named() {
    let scratch = Scratch::new("search-binary");
    scratch.write("a.bin", b"needle\0needle\n");
    scratch.write(
        "late.txt",
        [b"needle\n".repeat(20_000), b"\0needle\n".to_vec()].concat(),
    );
    scratch.write("other.bin", b"thread\0thread\n");
    let output = scratch.run(&["search", "-l", "needle"]);
    let late = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(late, "late.txt\n");
    // A match that is not shown is said: in a binary, and where there is nothing else.
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("note: ./a.bin: binary, matches in it are not shown\n"),
        "{said}"
    );
    assert!(!said.contains("other.bin"), "{said}");
    let output = scratch.run(&["search", "thread"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("note: no match in 2 text files\n"), "{said}");
    assert!(
        said.contains("note: ./other.bin: binary, matches in it are not shown\n"),
        "{said}"
    );
    let output = scratch.run(&["search", "e"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let note = "note: ./a.bin: binary, matches in it and in 1 more binary are not shown\n";
    assert!(said.contains(note), "{said}");
    let output = scratch.run(&["search", "-v", "nothing"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains(".bin"), "{said}");
    let output = scratch.run(&["search", "needle", "a.bin"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("binary"));
    let output = scratch.run(&["search", "-c", "needle", "late.txt"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("byte 140000"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn stdin_is_searched_too() {
    let scratch = Scratch::new("search-stdin");
    let ask = |arguments: &[&str]| {
        let mut command = scratch.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        std::io::Write::write_all(&mut stdin, b"def f():\n    needle()\n").expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let answer = ask(&["search", "needle", "-"]);
    assert!(
        answer.contains("## - (2 lines, 1 match, version "),
        "{answer}"
    );
    assert!(answer.ends_with("\nL2:     needle()\n"), "{answer}");
    let answer = ask(&["search", "--stdin-path", "a.py", "needle"]);
    assert!(
        answer.ends_with("\ndef f()  L1-2\n  L2:     needle()\n"),
        "{answer}"
    );
    let answer = ask(&["search", "--symbols", "--lang", "python", "f", "-"]);
    assert!(
        answer.ends_with("\n-:1-2  function f  def f()\n"),
        "{answer}"
    );
}

#[test]
fn odd_patterns_and_limits_are_answered() {
    let scratch = Scratch::new("search-odd");
    scratch.write(
        "a.py",
        "-x\n\nclass A:\n    def f(self): return 1\n    def g(self): return 2\n",
    );
    let ask = |arguments: &[&str]| {
        let output = scratch.run(&[&["search"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    let (code, text) = ask(&["-c", "-e", "-x", "a.py"]);
    assert_eq!((code, text.as_str()), (Some(0), "a.py:1\n"));
    let (code, text) = ask(&["-c", "--", "-x"]);
    assert_eq!((code, text.as_str()), (Some(0), "a.py:1\n"));
    // No match at all is not what it would find.
    assert_eq!(ask(&["-m0", "x"]), (Some(2), String::new()));
    let (_, text) = ask(&["--kind", "method", "-m1", "return", "a.py"]);
    assert!(text.contains("1 match and more"), "{text}");
    assert_eq!(text.matches("return").count(), 2, "{text}");
    let (_, text) = ask(&["-c", "-U", r"x\n\nclass", "a.py"]);
    assert_eq!(text, "a.py:1\n");
    // As `rg` counts: a line each, but with -U a match each that could go over line ends.
    assert_eq!(ask(&["-c", "-U", "return|self", "a.py"]).1, "a.py:2\n");
    assert_eq!(ask(&["-c", "-U", r"return|self\s", "a.py"]).1, "a.py:2\n");
    assert_eq!(ask(&["-c", "-U", r"self|\sreturn", "a.py"]).1, "a.py:4\n");
    // The last of two that exclude each other counts.
    assert_eq!(ask(&["-i", "-S", "-c", "CLASS"]).0, Some(1));
    assert_eq!(ask(&["-S", "-i", "-c", "CLASS"]).0, Some(0));
    // -C is context behind the verb, and a folder in front of it.
    let folder = scratch.path().to_string_lossy().into_owned();
    let output = program()
        .args(["-C", &folder, "search", "-C", "1", "^$"])
        .output();
    let text = String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned();
    assert!(text.ends_with("L1- -x\nL2:\nL3- class A:\n"), "{text}");
}

/// More than waits in memory for the first line, which counts all: the rest is searched again.
#[test]
fn answers_larger_than_memory_may_hold_are_whole() {
    let scratch = Scratch::new("search-large");
    let line = format!("needle {}\n", "x".repeat(390));
    for number in 0..30 {
        scratch.write(&format!("{number:02}.txt"), line.repeat(2000));
    }
    let output = scratch.run(&["search", "needle", "-j4"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.len() > 20 << 20, "{}", text.len());
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("(60000 matches in 30 files"), "{first}");
    let shown = text.lines().filter(|line| line.contains(": needle x"));
    assert_eq!(shown.count(), 60_000);
    let heads: Vec<&str> = text
        .lines()
        .filter_map(|line| line.get(3..9))
        .filter(|name| name.ends_with(".txt"))
        .collect();
    let expected: Vec<String> = (0..30).map(|number| format!("{number:02}.txt")).collect();
    assert_eq!(heads, expected);
}

/// As many matches as lines, each as deep as definitions go: neither is tried with each of the other.
#[test]
fn many_matches_in_deep_nesting_are_found_fast() {
    let scratch = Scratch::new("search-deep");
    let open: String = (0..2000)
        .map(|depth| format!("function f{depth}() {{\n"))
        .collect();
    scratch.write("a.js", format!("{open}{}", "}\n".repeat(2000)));
    let output = scratch.run(&["search", "--json", "--view", "places", "--no-cache", "[{}]"]);
    let file: Value = serde_json::from_slice(&output.stdout).expect("it is there");
    let matches = file["matches"].as_array().expect("it has matches");
    assert_eq!(matches.len(), 4000);
    assert_eq!(matches[1]["in"]["qualname"], "f0.f1");
    assert_eq!(matches[3998]["in"]["qualname"], "f0.f1");
}

/// The same answer, whatever the cache holds and however many threads run.
#[test]
fn neither_cache_nor_threads_change_an_answer() {
    let scratch = Scratch::new("search-cache");
    for number in 0..40 {
        let text = format!("class C{number}:\n    def f(self):\n        return needle\n");
        scratch.write(&format!("{number}/a.py"), text);
    }
    let arguments = ["search", "needle", "--cache-dir", "cache"];
    let first = scratch
        .run(&[&arguments[..], &["--no-cache", "-j1"]].concat())
        .stdout;
    for threads in ["-j1", "-j3", "-j8"] {
        let again = scratch.run(&[&arguments[..], &[threads]].concat()).stdout;
        assert_eq!(again, first, "{threads}");
    }
    scratch.write("7/a.py", "\n\n\ndef g():\n    needle()\n");
    let changed = scratch.run(&arguments).stdout;
    let changed = String::from_utf8_lossy(&changed).into_owned();
    assert!(
        changed.contains("def g()  L4-5\n  L5:     needle()\n"),
        "{changed}"
    );
}
