//! `symbol`: source by name, several matches, misses.

use crate::check::check_run;
use crate::input::Scratch;

#[test]
fn a_name_gives_its_source() {
    check_run("symbol", &["symbol", "Notifier.connect"]);
    check_run(
        "symbol-in-file",
        &["symbol", "src/notifier.py", "send", "default_notifier"],
    );
    check_run(
        "symbol-path-and-name",
        &["symbol", "src/notifier.py::Notifier.send"],
    );
    check_run("symbol-path-and-line", &["symbol", "src/notifier.py:14"]);
    check_run("symbol-json", &["symbol", "--json", "Notifier.connect"]);
    check_run("symbol-signature", &["symbol", "--signature", "send"]);
    check_run(
        "symbol-with-parents",
        &["symbol", "--with-parents", "web", "total"],
    );
    check_run("symbol-in", &["symbol", "--in", "web", "Cart.add"]);
    check_run("symbol-raw", &["symbol", "--raw", "connect"]);
}

#[test]
fn sections_and_values_have_names_too() {
    check_run("symbol-section", &["symbol", "docs/runbook.md", "Renewal"]);
    check_run(
        "symbol-section-path",
        &["symbol", "docs/runbook.md", "Renewal > Dates"],
    );
    check_run("symbol-key", &["symbol", "deploy.yaml", "/spec/replicas"]);
    check_run("symbol-key-suffix", &["symbol", "settings.json", "host"]);
    check_run(
        "symbol-key-dotted",
        &["symbol", "deploy.yaml", "spec.replicas"],
    );
}

#[test]
fn a_miss_says_what_is_near() {
    check_run("symbol-miss", &["symbol", "Notifier.sned"]);
    check_run("symbol-miss-json", &["symbol", "--json", "Notifier.sned"]);
    check_run("symbol-miss-far", &["symbol", "src", "zebra"]);
    check_run(
        "symbol-no-definition-there",
        &["symbol", "src/notifier.py:3"],
    );
}

/// The same letters in another case are an answer only where there is no better one.
#[test]
fn case_matters_only_if_it_must() {
    check_run("symbol-case", &["symbol", "notifier"]);
}

/// An exact name hid the methods of that name without a word.
#[test]
fn what_an_exact_name_hides_is_said() {
    let scratch = Scratch::new("hidden");
    scratch.write("a.py", "def send():\n    pass\n");
    scratch.write("b.js", "class Mail {\n  send() {}\n}\n");
    scratch.write("c.go", "package c\n\nfunc (m *Mail) send() {}\n");
    scratch.write("d.java", "class Point {\n  Point() {}\n}\n");
    let output = scratch.run(&["symbol", "--raw", "send"]);
    assert_eq!(output.stdout, b"def send():\n    pass\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("2 more definitions are named `send`"),
        "{said}"
    );
    assert!(
        said.contains("ast-outline outline --match send ."),
        "{said}"
    );
    // The constructor is printed with its class.
    assert_eq!(scratch.run(&["symbol", "Point"]).stderr, b"");
}

/// As tracebacks, imports and stack traces spell them.
#[test]
fn names_may_begin_with_their_module() {
    let scratch = Scratch::new("modules");
    scratch.write(
        "db/models/query.py",
        "class QuerySet:\n    def get(self):\n        pass\n",
    );
    scratch.write(
        "rt/src/runtime/runtime.rs",
        "impl Runtime {\n    fn new() {}\n}\nmacro_rules! select {\n    () => {};\n}\n",
    );
    scratch.write(
        "net/http/server.go",
        "package http\n\nfunc (s *Server) Serve() {}\n\nfunc (c *conn) Serve() {}\n",
    );
    scratch.write("lib/reply.js", "Reply.prototype.send = function () {}\n");
    scratch.write(
        "j/demo/Cart.java",
        "package j.demo;\nclass Cart {\n  void add() {}\n}\n",
    );
    scratch.write(
        "v.hpp",
        "struct V {\n  V operator/(int n);\n  V operator/=(int n);\n};\n",
    );
    for (name, place) in [
        ("db.models.query.QuerySet.get", "db/models/query.py:2-3  "),
        ("db.models.QuerySet.get", "db/models/query.py:2-3  "),
        (
            "rt::runtime::Runtime::new",
            "rt/src/runtime/runtime.rs:2-2  ",
        ),
        ("net/http.(*Server).Serve", "net/http/server.go:3-3  "),
        ("(*conn).Serve", "net/http/server.go:5-5  "),
        ("Reply.prototype.send", "lib/reply.js:1-1  "),
        ("j.demo.Cart.add", "j/demo/Cart.java:3-3  "),
        ("select!", "rt/src/runtime/runtime.rs:4-6  "),
        ("V::operator/", "v.hpp:2-2  "),
        ("V::operator/=", "v.hpp:3-3  "),
        ("db/models/query.py:get", "db/models/query.py:2-3  "),
    ] {
        let output = scratch.run(&["symbol", "--signature", name]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.starts_with(place) && text.lines().count() == 1,
            "{name}: {text}"
        );
    }
    // Another module's.
    let output = scratch.run(&["symbol", "db.forms.QuerySet.get"]);
    assert_eq!(output.status.code(), Some(1));
}

/// `symbol src/gone.py send` looked for both as names, everywhere.
#[test]
fn a_path_that_is_not_there_is_no_name() {
    check_run("symbol-no-path", &["symbol", "src/gone.py", "send"]);
    check_run("symbol-no-path-with-line", &["symbol", "src/gone.py:12"]);
    check_run("symbol-no-path-with-name", &["symbol", "src/gone.py::send"]);
    check_run("symbol-path-alone", &["symbol", "src"]);
}

/// A heading `Step #2` was looked for as the second `Step`, `Go!` as a macro, `f(* b` as a receiver.
#[test]
fn a_name_as_it_is_listed_finds_it_whatever_its_signs() {
    let scratch = Scratch::new("signs");
    scratch.write(
        "a.md",
        "# A\n\n## Step #2\n\n## Go!\n\n## f(* b\n\n## Go!\n",
    );
    for (name, line) in [
        ("A > Step #2", 3),
        ("Step #2", 3),
        ("Go!", 5),
        ("Go!#2", 9),
        ("A > f(* b", 7),
    ] {
        let output = scratch.run(&["symbol", "--signature", "--in", "a.md", name]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with(&format!("a.md:{line}")), "{name}: {text}");
    }
}
