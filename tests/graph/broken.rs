//! `impact --diff`: in each language a function is deleted, one renamed and one given another signature, and the call sites that
//! are left behind must be named, in files that did not change and in the one that did.

use std::path::Path;

use crate::check::{check, root};
use crate::folder::Folder;

/// The tree in `before`, committed, with what is in `after` put over it.
fn changed(from: &Path) -> Folder {
    let folder = Folder::new();
    folder.copy(&from.join("before"), ".");
    Folder::commit(folder.path(), "Begin");
    folder.copy(&from.join("after"), ".");
    folder
}

#[test]
fn what_a_change_leaves_behind_is_named_in_every_language() {
    let languages = [
        "python",
        "javascript",
        "typescript",
        "java",
        "go",
        "rust",
        "c",
        "cpp",
    ];
    for language in languages {
        let from = root().join(format!("fixtures/repos/broken-{language}"));
        let folder = changed(&from);
        let output = folder.run(&["impact", "--diff", "HEAD", "--exit-code", "--no-messages"]);
        assert_eq!(output.status.code(), Some(1), "{language}");
        let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
        check(&from.join("broken.txt"), &text);
        // An index that saw the tree as it was answers the same.
        let folder = Folder::new();
        folder.copy(&from.join("before"), ".");
        Folder::commit(folder.path(), "Begin");
        folder.stdout(&["index", ".", "--no-messages"]);
        folder.copy(&from.join("after"), ".");
        let output = folder.run(&["impact", "--diff", "HEAD", "--no-messages"]);
        assert_eq!(output.status.code(), Some(0), "{language}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{language}");
    }
}

/// Before and after of a file, and one that uses it.
struct Case {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    user: (&'static str, &'static str),
}

#[test]
fn what_still_works_is_not_called_broken() {
    let cases = [
        Case {
            name: "a.py",
            before: "def f(x):\n    return x\n\ndef g():\n    pass\n",
            after: "def g():\n    return 1\n\ndef f(x, y=1, *rest):\n    return y\n",
            user: ("b.py", "from a import f, g\nf(1)\ng()\nf(*[1])\n"),
        },
        Case {
            name: "a.js",
            before: "export function f(x) {}\n",
            after: "export function f(x, y = 1) {}\nexport { f as h };\n",
            user: ("b.js", "import { f } from './a.js';\nf(1);\n"),
        },
        Case {
            name: "A.java",
            before: "class A {\n  static void f(int x) {}\n}\n",
            after: "class A {\n  static void f(int x) {}\n  static void f(int x, int y) {}\n}\n",
            user: ("B.java", "class B {\n  void g() { A.f(1); }\n}\n"),
        },
        Case {
            name: "a.c",
            before: "static int h(int x) { return x; }\nint f(int x) { return h(x); }\n",
            after: "int f(int x) { return x; }\n",
            user: ("b.c", "int f(int x);\nint g(void) { return f(1); }\n"),
        },
    ];
    for Case {
        name,
        before,
        after,
        user,
    } in cases
    {
        let folder = Folder::new();
        folder.write(name, before);
        folder.write(user.0, user.1);
        Folder::commit(folder.path(), "Begin");
        folder.write(name, after);
        folder.stdout(&["impact", "--diff", "HEAD", "--exit-code", "--no-messages"]);
    }
}

/// Nothing in a file changes when it moves, but everybody who imports it has to follow.
#[test]
fn a_file_that_moved_breaks_its_importers() {
    let folder = Folder::new();
    folder.write("pkg/__init__.py", "");
    folder.write(
        "pkg/a.py",
        "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n",
    );
    folder.write("b.py", "from pkg.a import f\n\n\ndef h():\n    f(1)\n");
    Folder::commit(folder.path(), "Begin");
    std::fs::rename(folder.at("pkg/a.py"), folder.at("pkg/c.py")).expect("it can be moved");
    let text = folder.stdout(&["impact", "--diff", "HEAD", "--no-messages"]);
    assert!(
        text.contains("moved  pkg/a.py:1  f  function -> pkg/c.py:1  f  2 broken"),
        "{text}"
    );
    assert!(
        text.contains("  b.py:5  h  broken, exact: reaches nothing; it is `f` in pkg/c.py now"),
        "{text}"
    );
    folder.write("b.py", "from pkg.c import f\n\n\ndef h():\n    f(1)\n");
    folder.stdout(&["impact", "--diff", "HEAD", "--exit-code", "--no-messages"]);
}

#[test]
fn a_revision_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    folder.write("a.py", "def f():\n    pass\n");
    Folder::commit(folder.path(), "Begin");
    let output = folder.run(&["impact", "--diff", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
