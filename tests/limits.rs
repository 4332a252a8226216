//! Whatever a file holds, in whatever language it claims to be: an answer, soon, in bounded memory, without a panic.

use std::process::Output;

use serde_json::Value;

use crate::check::stdout;
use crate::folder::Folder;

const DEEP: usize = 100_000;

/// Every language there is, by the name `--lang` takes.
fn languages() -> Vec<String> {
    let list = stdout(&["outline", "--type-list"]);
    let names = list.lines().filter_map(|line| line.split(':').next());
    names.map(str::to_string).collect()
}

/// Runs the program under the shell's limits, on its main thread.
#[cfg(unix)]
fn limited(folder: &Folder, limits: &str, arguments: &[&str]) -> Output {
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    let program = env!("CARGO_BIN_EXE_ast-outline");
    let mut command = std::process::Command::new("sh");
    command
        .current_dir(folder.path())
        .env("RUST_MIN_STACK", (1 << 20).to_string());
    command
        .args(["-c", &script, program])
        .args(arguments)
        .args(["--no-cache", "-j1"]);
    command.output().expect("there is a shell")
}

#[cfg(not(unix))]
fn limited(folder: &Folder, _: &str, arguments: &[&str]) -> Output {
    folder.run(&[arguments, &["--no-cache"]].concat())
}

/// The answer in JSON to `file` read as `language`, with a stack of 1 MiB; nothing may stand on stderr.
fn answer(folder: &Folder, file: &str, language: &str) -> Vec<u8> {
    let arguments = ["outline", "--json", "--lang", language, file];
    let output = limited(folder, "ulimit -s 1024", &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let fine = output.status.success() && errors.is_empty();
    assert!(fine, "{file} as {language}: {:?} {errors}", output.status);
    output.stdout
}

fn outline(folder: &Folder, file: &str, language: &str) -> Value {
    serde_json::from_slice(&answer(folder, file, language)).expect("one object")
}

/// Whether a file is said to be incomplete for this reason.
fn says(folder: &Folder, file: &str, language: &str, reason: &str) -> bool {
    let answer = String::from_utf8(answer(folder, file, language)).expect("answers are UTF-8");
    answer.contains("\"complete\":false") && answer.contains(&format!("\"message\":\"{reason}"))
}

/// Bytes without rhyme or reason, the same in every run, none of them NUL.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| next().max(1)).collect()
}

#[test]
fn brackets_nested_100_000_deep() {
    let folder = Folder::new();
    let closed = ["()", "[]", "{}"].map(|pair| {
        let (open, close) = pair.split_at(1);
        format!("x = {}{}\n", open.repeat(DEEP), close.repeat(DEEP))
    });
    folder.write("closed", closed.concat());
    let open = ["(", "[", "{"].map(|open| open.repeat(DEEP) + "\n");
    folder.write("open", open.concat());
    for language in languages() {
        answer(&folder, "closed", &language);
        answer(&folder, "open", &language);
    }
}

/// The indentation of a deep tree was wider than a formatter takes.
#[test]
fn the_tree_of_a_deep_file_is_printed() {
    let folder = Folder::new();
    folder.write("a.js", "[".repeat(40_000) + &"]".repeat(40_000));
    let tree = folder.stdout(&["tree", "a.js"]);
    let longest = tree.lines().map(str::len);
    assert!(longest.max() < Some(300), "lines grow with the depth");
}

#[test]
fn scopes_nested_30_000_deep() {
    let folder = Folder::new();
    let blocks = "namespace a { struct b { void c() { ".repeat(10_000);
    folder.write("blocks", blocks);
    let indents = (0..1000).map(|n| " ".repeat(n) + "class a:\n");
    folder.write("indents", indents.collect::<String>());
    for language in languages() {
        answer(&folder, "blocks", &language);
        answer(&folder, "indents", &language);
    }
}

/// Heads that are not closed hold all that follows: the signatures of n of them took n squared bytes.
#[test]
fn heads_that_hold_each_other_are_cut() {
    let folder = Folder::new();
    folder.write("a.rs", "struct A { a: [u8; {\n".repeat(5_000));
    let answer = folder.stdout(&["outline", "--json", "--no-cache", "a.rs"]);
    assert!(answer.len() < 20 << 20, "{} bytes", answer.len());
    let text = folder.stdout(&["outline", "--no-cache", "a.rs"]);
    let longest = text
        .lines()
        .map(|line| line.trim_start().chars().count())
        .max();
    assert!(longest < Some(500), "{longest:?}");
}

#[test]
fn a_line_of_3_mb() {
    let folder = Folder::new();
    let numbers = |count| (0..count).map(|n| format!("{n},")).collect::<String>();
    folder.write("long", format!("x = [{}0]", numbers(420_000)));
    folder.write("longest", "word ".repeat(600_000));
    for language in ["javascript", "json", "python", "c"] {
        answer(&folder, "long", language);
    }
    for language in ["markdown", "java"] {
        answer(&folder, "longest", language);
    }
}

#[test]
fn less_than_for_ever() {
    let folder = Folder::new();
    folder.write("a", "a<".repeat(200_000));
    for language in languages() {
        answer(&folder, "a", &language);
    }
    for language in ["cpp", "java"] {
        assert!(says(&folder, "a", language, "not parsed"), "{language}");
    }
}

/// Without a limit each of these takes gigabytes in a single step of the parser.
#[test]
fn what_makes_a_parser_explode() {
    let folder = Folder::new();
    let inputs = [
        ("java", "*a?"),
        ("c", "=><a"),
        ("rust", "a(="),
        ("typescript", "[&fn "),
    ];
    for (language, text) in inputs {
        folder.write("a", text.repeat(10_000));
        assert!(says(&folder, "a", language, "not parsed"), "{language}");
    }
    folder.write("a", "\n\\".repeat(100_000));
    assert!(says(&folder, "a", "python", "not parsed: far more work"));
    // The parser's own recursion needs more stack than threads usually have.
    for (language, text) in [("java", "a<:"), ("c", "{\n*")] {
        folder.write("a", text.repeat(66_000));
        answer(&folder, "a", language);
    }
    // The next file is read as if nothing had happened.
    folder.write("b.py", "def a(): pass\n");
    folder.write("a.java", "*a?".repeat(10_000));
    let both = folder.stdout(&["outline", "--no-cache", "-j1", "a.java", "b.py"]);
    assert!(
        both.contains("not parsed: a tree of more than 512 MB") && both.contains("def a()"),
        "{both}"
    );
}

#[test]
fn noise_as_anything() {
    let folder = Folder::new();
    folder.write("short", noise(40_000));
    folder.write("long", noise(300_000));
    for language in languages() {
        answer(&folder, "short", &language);
    }
    for language in ["c", "javascript"] {
        let first = answer(&folder, "long", language);
        assert_eq!(
            first,
            answer(&folder, "long", language),
            "limits do not depend on the machine"
        );
    }
}

#[test]
fn a_file_of_100_mb() {
    let folder = Folder::new();
    let one = "class Alpha(Base):\n    \"\"\"Words.\"\"\"\n\n    async def beta(self, x):\n        return x\n\n\n";
    folder.write("a.py", one.repeat((100 << 20) / one.len()));
    let output = limited(&folder, "ulimit -v 524288", &["outline", "a.py"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{:?} {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        answer.contains("\nclass Alpha(Base)  L1-5!\n  async def beta(self, x)  L4-5!\nclass"),
        "{}",
        &answer[..400]
    );
    assert!(answer.contains("10000 definitions are guessed"));
    assert!(answer.contains("not parsed: more than 16 MB; "));
}

#[test]
fn guesses_are_marked() {
    let folder = Folder::new();
    let text = "class A:\n    def b(self):\n        pass\n\n    LIMIT = 1\n\n\ndef c(): pass\n\nclassy = defy\n";
    let padding = "# padding\n".repeat((16 << 20) / 10);
    folder.write("a.py", format!("{text}{padding}"));
    let answer = outline(&folder, "a.py", "python");
    let class = &answer["definitions"][0];
    assert_eq!(
        (&class["kind"], &class["guessed"], &class["end_line"]),
        (&"class".into(), &true.into(), &5.into())
    );
    assert_eq!(
        (
            &class["children"][0]["kind"],
            &class["children"][0]["qualname"]
        ),
        (&"method".into(), &"A.b".into())
    );
    assert_eq!(answer["definitions"].as_array().map(Vec::len), Some(2));
    assert!(says(
        &folder,
        "a.py",
        "python",
        "not parsed: more than 16 MB"
    ));
}

#[test]
fn time_is_the_last_limit() {
    let folder = Folder::new();
    folder.write("a.py", "def a(): pass\n".repeat(50_000));
    let answer = folder.stdout(&[
        "outline",
        "--json",
        "--no-cache",
        "--timeout",
        "1ms",
        "a.py",
    ]);
    let answer: Value = serde_json::from_str(&answer).expect("one object");
    assert_eq!(answer["problems"][0]["kind"], "timeout");
    let message = "not parsed within 1ms; 40000 more lines look like definitions";
    assert_eq!(answer["problems"][0]["message"], message);
}

/// Every language with a grammar has words to guess by.
#[test]
fn every_language_guesses() {
    let texts = [
        ("python", "class A:\n    async def b(self):\n", "// x\n"),
        (
            "javascript",
            "export default class A {\n  async function b() {\n",
            "x = 1;\n",
        ),
        (
            "typescript",
            "export interface A<T> {\n}\ndeclare function b(): void;\n",
            "x = 1;\n",
        ),
        ("tsx", "export enum A {\n}\nfunction* b() {\n", "x = 1;\n"),
        (
            "java",
            "public final class A {\n  private static enum b {\n",
            "x = 1;\n",
        ),
        (
            "go",
            "type A struct {\n}\nfunc (r *A) b(x int) {\n",
            "var x = 1\n",
        ),
        (
            "rust",
            "pub(crate) struct A<T> {\n}\npub async unsafe fn b() {\n",
            "const X: u8 = 1;\n",
        ),
        (
            "c",
            "typedef struct A {\n} A;\n#define b 1\n",
            "int x = 1;\n",
        ),
        (
            "cpp",
            "template <class T> class A {\n};\ninline namespace b {\n",
            "int x = 1;\n",
        ),
    ];
    for (language, text, padding) in texts {
        let folder = Folder::new();
        folder.write("a", text.to_string() + &padding.repeat(5000));
        let answer = folder.stdout(&[
            "outline",
            "--json",
            "--lang",
            language,
            "--timeout",
            "0ms",
            "a",
        ]);
        assert!(answer.contains("\"guessed\":true"), "{language}: {answer}");
        assert!(
            answer.contains("\"name\":\"A\"") && answer.contains("\"name\":\"b\""),
            "{language}: {answer}"
        );
    }
}
