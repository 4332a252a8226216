//! Bad input of every sort: nothing panics, nothing hangs, nothing is passed over without a word.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::check::program;

/// A folder of its own for one test, removed at its end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let folder =
            std::env::temp_dir().join(format!("ast-outline-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Scratch(folder)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("it can be made");
        fs::write(path, bytes).expect("the file can be written");
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let output = self
            .command(arguments)
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !errors.contains("panicked") && output.status.code().is_some(),
            "{arguments:?}: {errors}"
        );
        output
    }

    /// The one JSON outline of a file that must be readable.
    pub fn outline(&self, name: &str) -> Value {
        let output = self.run(&["outline", "--json", "--no-cache", "--", name]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("one object")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `name start-end` of the top level.
fn names(file: &Value) -> Vec<String> {
    let definitions = file["definitions"].as_array().expect("a list");
    let shown = |d: &Value| {
        format!(
            "{} {}-{}",
            d["name"].as_str().unwrap_or("?"),
            d["start_line"],
            d["end_line"]
        )
    };
    definitions.iter().map(shown).collect()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TWO: &str = "def f():\n    pass\n\ndef g():\n    pass\n";

#[test]
fn what_is_not_there_is_an_error() {
    let scratch = Scratch::new("missing");
    scratch.write("a.py", TWO);
    let output = scratch.run(&["outline", "missing.py", "a.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("missing.py"));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("def f()"),
        "the other file is still answered"
    );
    let output = scratch.run(&["region", ".:1-2"]);
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_folders_are_said_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new("unreadable");
    scratch.write("t/a.py", TWO);
    scratch.write("t/b.py", TWO);
    scratch.write("t/closed/c.py", TWO);
    let close = |name: &str, mode: u32| {
        fs::set_permissions(scratch.path().join(name), fs::Permissions::from_mode(mode))
            .expect("it is ours");
    };
    close("t/b.py", 0);
    close("t/closed", 0);
    // Root reads everything: then there is nothing to see here.
    if fs::read(scratch.path().join("t/b.py")).is_err() {
        let output = scratch.run(&["outline", "t"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("b.py") && stderr(&output).contains("closed"),
            "{}",
            stderr(&output)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("t/a.py"));
    }
    close("t/b.py", 0o644);
    close("t/closed", 0o755);
}

#[test]
fn binary_files_are_passed_over_with_a_word_and_refused_by_name() {
    let scratch = Scratch::new("binary");
    scratch.write("a.py", TWO);
    scratch.write("fake.py", b"def f():\n\x00\x01\x02\xff");
    let output = scratch.run(&["outline"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    let output = scratch.run(&["outline", "fake.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("binary"));
}

/// A NUL in a literal or a comment made a binary of the file.
#[test]
fn a_nul_in_source_makes_no_binary_of_it() {
    let scratch = Scratch::new("nul");
    for (name, text) in [
        (
            "a.c",
            "int a(void) {\n  char *s = \"x\0y\";\n  return 1;\n}\n/* \0 */\nint b(void) {\n}\n",
        ),
        (
            "a.cpp",
            "int a() {\n  auto s = \"x\0y\";\n  return 1;\n}\n// \0\nint b() {\n}\n",
        ),
        (
            "a.py",
            "def a():\n    s = \"x\0y\"\n    return 1\n\n# \0\ndef b():\n    pass\n",
        ),
        (
            "a.js",
            "function a() {\n  const s = \"x\0y\";\n}\n// \0\nfunction b() {\n}\n",
        ),
        (
            "a.ts",
            "function a(): string {\n  return `x\0y`;\n}\n// \0\nfunction b(): void {\n}\n",
        ),
        (
            "a.java",
            "int a() {\n  String s = \"x\0y\";\n}\n// \0\nint b() {\n}\n",
        ),
        (
            "a.go",
            "package p\n\nfunc a() {\n\ts := \"x\0y\"\n}\n\n// \0\nfunc b() {\n}\n",
        ),
        (
            "a.rs",
            "fn a() {\n    let s = \"x\0y\";\n}\n// \0\nfn b() {\n}\n",
        ),
        ("a.md", "# a\n\nmuch text \0 here\n\n# b\n\nmore text\n"),
        ("a.json", "{\"a\": \"some text x\0y\", \"b\": 1}\n"),
    ] {
        scratch.write(name, text);
        let file = scratch.outline(name);
        let found: Vec<String> = names(&file)
            .iter()
            .map(|found| found.split(' ').next().unwrap_or_default().to_string())
            .collect();
        assert_eq!(found, ["a", "b"], "{name}");
    }
    scratch.write(
        "b.py",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and more of it, as text",
    );
    let output = scratch.run(&["outline", "b.py"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn control_bytes_never_reach_the_terminal() {
    let scratch = Scratch::new("control");
    scratch.write(
        "esc.py",
        b"def h(a=\"\x1b[2J\x07\"):\n    '''Rings the \x07 bell.'''\n\n# \x1b]0;t\x07\nX\x1b = 1\n",
    );
    scratch.write("n\x1b\x07.py", TWO);
    let output = scratch.run(&["outline", "--view", "docs", ".", "missing\x1b.py"]);
    for bytes in [&output.stdout, &output.stderr] {
        assert!(
            !bytes.iter().any(|byte| matches!(byte, 0x1b | 0x07)),
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("\\x1b[2J\\x07"));
}

#[test]
fn empty_and_blank_files_have_empty_outlines() {
    let scratch = Scratch::new("empty");
    for (name, bytes, lines) in [
        ("a.py", "", 0),
        ("b.go", "\n", 1),
        ("c.rs", "// only\n", 1),
        ("d.json", "", 0),
        ("e.md", "", 0),
        ("f.csv", "", 0),
    ] {
        scratch.write(name, bytes);
        let file = scratch.outline(name);
        assert_eq!(
            (names(&file).len(), file["lines"].as_i64()),
            (0, Some(lines)),
            "{name}"
        );
    }
}

#[test]
fn line_ends_are_those_of_grep() {
    let scratch = Scratch::new("lines");
    let expected = vec!["f 1-2", "g 4-5"];
    scratch.write("crlf.py", TWO.replace('\n', "\r\n"));
    scratch.write("bom.py", format!("\u{feff}{TWO}"));
    scratch.write("cut.py", TWO.trim_end());
    for name in ["crlf.py", "bom.py", "cut.py"] {
        assert_eq!(names(&scratch.outline(name)), expected, "{name}");
    }
    // A lone CR, a form feed and the line separators of Unicode end no line.
    scratch.write(
        "odd.py",
        "a = 1\rb = 2\n\x0c\ndef f():\n    x = '\u{2028}\u{85}'\n    return x\n",
    );
    let file = scratch.outline("odd.py");
    assert_eq!(file["lines"], 5);
    assert!(
        names(&file).contains(&"f 3-5".to_string()),
        "{:?}",
        names(&file)
    );
}

#[test]
fn encodings_lose_no_definition() {
    let scratch = Scratch::new("encodings");
    scratch.write(
        "latin.py",
        b"# caf\xe9\ndef f():\n    return '\xe7'\n\ndef g(): pass\n",
    );
    assert_eq!(names(&scratch.outline("latin.py")), ["f 2-3", "g 5-5"]);
    let text = "class Wide {\n  grüße() {}\n}\nfunction after() {}\n";
    for (name, bom, bytes) in [
        (
            "le.js",
            [0xff, 0xfe],
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        ),
        (
            "be.js",
            [0xfe, 0xff],
            text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        ),
    ] {
        scratch.write(name, [bom.as_slice(), &bytes].concat());
        let file = scratch.outline(name);
        assert_eq!(names(&file), ["Wide 1-3", "after 4-4"], "{name}");
        assert_eq!(
            file["problems"][0]["kind"], "encoding",
            "the answer says that it was decoded"
        );
        // Byte offsets are those of the file on disk: two bytes a character behind the mark.
        let after = &file["definitions"][1];
        let start = 2 + 2 * text
            .find("function")
            .expect("it is there")
            .saturating_sub(2);
        assert_eq!(after["start_byte"].as_u64(), Some(start as u64), "{name}");
    }
}

#[test]
fn odd_names_are_names() {
    let scratch = Scratch::new("names");
    for name in [
        "with space.py",
        "it's.py",
        "[x].py",
        "-dash.py",
        "#h.py",
        "a:1-2.py",
        "new\nline.py",
        "ünïcode.py",
    ] {
        scratch.write(name, TWO);
        assert_eq!(names(&scratch.outline(name)).len(), 2, "{name}");
    }
    let output = scratch.run(&["outline", "--json"]);
    assert_eq!(
        output.stdout.iter().filter(|&&byte| byte == b'\n').count(),
        8,
        "a line a file, whatever its name"
    );
    let output = scratch.run(&["region", "--raw", "a:1-2.py:1"]);
    assert_eq!(output.stdout, b"def f():\n");
    let output = scratch.run(&["symbol", "--raw", "[x].py", "g"]);
    assert_eq!(output.stdout, b"def g():\n    pass\n");
}

/// A line break was printed as `\x0a` within quotes: another name, which no shell finds.
#[cfg(unix)]
#[test]
fn a_command_prints_a_name_with_a_line_break_as_a_shell_reads_it() {
    let scratch = Scratch::new("commands");
    for name in ["new\nline.py", "it's\n7\\.py", "-tab\t.py", "\u{85}.py"] {
        scratch.write(name, TWO.replace("pass", &"pass\n    ".repeat(200)));
        let output = scratch.run(&["read", "--budget", "150", "--", name]);
        let answer = String::from_utf8(output.stdout).expect("it is UTF-8");
        let last = answer.lines().last().expect("there are lines");
        let command = last.strip_prefix("... ast-outline ").expect("a command");
        let shown = std::process::Command::new("bash")
            .args([
                "-c",
                &format!("\"$0\" {command}"),
                env!("CARGO_BIN_EXE_ast-outline"),
            ])
            .current_dir(scratch.path())
            .output()
            .expect("there is a shell");
        let text = String::from_utf8(shown.stdout).expect("it is UTF-8");
        assert!(text.contains("view full"), "{name:?}: {command}: {text}");
    }
}

/// A folder whose name begins with a dash was taken for an option by the commands of hints.
#[test]
fn hints_tell_a_name_with_a_dash_from_an_option() {
    let scratch = Scratch::new("dashes");
    scratch.write("-d/a.py", TWO);
    for (asked, command) in [
        (&["read", "--", "-d"][..], "ast-outline outline -- -d"),
        (&["symbol", "--", "-d"], "ast-outline outline -- -d"),
        (
            &["symbol", "--in=-d", "zzz"],
            "ast-outline search -Fw -- zzz -d",
        ),
    ] {
        let said = scratch.run(asked).stderr;
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(command), "{asked:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_carry_their_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new("bytes");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    if fs::write(scratch.path().join(name), TWO).is_err() {
        return; // Not every file system takes such a name.
    }
    let output = scratch.run(&["outline", "--json"]);
    let file: Value = serde_json::from_slice(&output.stdout).expect("one object");
    let bytes: Vec<u64> = file["path_bytes"]
        .as_array()
        .expect("the bytes")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert_eq!(
        bytes,
        b"caf\xe9.py"
            .iter()
            .map(|&byte| u64::from(byte))
            .collect::<Vec<_>>()
    );
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_end() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("links");
    scratch.write("src/a.py", TWO);
    let link =
        |to: &str, name: &str| symlink(to, scratch.path().join(name)).expect("links can be made");
    link(".", "src/self");
    link("loop1", "src/loop2");
    link("loop2", "src/loop1");
    link("nowhere.py", "src/dangling.py");
    link("a.py", "src/link.py");
    let output = scratch.run(&["outline", "--json", "src"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        output.stdout.iter().filter(|&&byte| byte == b'\n').count(),
        1
    );
    assert_eq!(
        names(&scratch.outline("src/link.py")).len(),
        2,
        "a link named on the command line is followed"
    );
    scratch.run(&["outline", "--json", "-L", "src"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success() {
    let scratch = Scratch::new("pipe");
    let many: String = (0..20_000)
        .map(|n| format!("def function_{n}(): pass\n"))
        .collect();
    scratch.write("many.py", many);
    let mut child = scratch
        .command(&["outline", "many.py"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        (output.status.code(), stderr(&output).as_str()),
        (Some(0), "")
    );
}

#[test]
fn stdin_needs_a_language() {
    let scratch = Scratch::new("stdin");
    let feed = |arguments: &[&str]| {
        let mut child = scratch
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        std::io::Write::write_all(
            &mut child.stdin.take().expect("it is piped"),
            TWO.as_bytes(),
        )
        .expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let output = feed(&["outline", "--lang", "python", "-"]);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("def g()"));
    let output = feed(&["outline", "--stdin-path", "x/y.py", "-"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("## x/y.py"));
    // A path for stdin can only mean stdin - unless there are files of its own.
    let output = feed(&["outline", "--stdin-path", "x/y.py"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("## x/y.py"));
    let output = feed(&["symbol", "--stdin-path", "x/y.py", "g", "--raw"]);
    assert_eq!(output.stdout, b"def g():\n    pass\n");
    scratch.write("list", "z.py\n");
    scratch.write("z.py", TWO);
    let output = feed(&["outline", "--stdin-path", "x/y.py", "--files-from", "list"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("## z.py"));
    let output = feed(&["outline", "-"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("--lang"));
    let output = feed(&["symbol", "--lang", "python", "-", "g", "--raw"]);
    assert_eq!(output.stdout, b"def g():\n    pass\n");
    let output = feed(&["region", "-", "1", "2", "--raw"]);
    assert_eq!(output.stdout, b"def f():\n    pass\n");
}

#[test]
fn a_line_of_three_megabytes_is_a_line() {
    let scratch = Scratch::new("long");
    let items: String = (0..400_000).map(|n| format!("{n},")).collect();
    scratch.write(
        "long.js",
        format!("var data=[{items}];function after(){{}}\n"),
    );
    let file = scratch.outline("long.js");
    assert!(
        names(&file).contains(&"after 1-1".to_string()),
        "{:?}",
        names(&file)
    );
    let output = scratch.run(&["outline", "long.js"]);
    assert!(
        output.stdout.len() < 1000,
        "values of any length have a short signature"
    );
}

#[test]
fn a_folder_without_a_known_file_is_no_answer() {
    let scratch = Scratch::new("nothing");
    scratch.write("notes.xyz", "hello");
    let output = scratch.run(&["outline"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let output = scratch.run(&["outline", "notes.xyz"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("unknown format"));
}
