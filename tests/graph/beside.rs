//! What other verbs have of the graph: definitions with what they are tied to, answers ranked by references, several roots.

use super::asked;
use crate::check::{check, root};
use crate::folder::Folder;

fn joined() -> Folder {
    let folder = Folder::repository();
    folder.copy(&root().join("fixtures/repos/joined"), ".");
    folder.stdout(&["index", "."]);
    folder
}

fn golden(name: &str, folder: &Folder, runs: &[&[&str]]) {
    let path = root().join(format!("fixtures/answers/{name}.txt"));
    check(&path, &asked(folder, runs));
}

#[test]
fn definitions_are_shown_with_who_calls_them() {
    let runs = [
        &["symbol", "save_item", "--graph"][..],
        &["symbol", "open_store", "tidy", "--graph", "--signature"],
        &["symbol", "save_item", "--graph", "--budget", "60"],
        &["symbol", "save_item", "--graph", "--json"],
    ];
    golden("symbol-graph", &joined(), &runs);
}

#[test]
fn definitions_are_shown_with_what_they_call() {
    let runs = [
        &["symbol", "sell", "--expand", "1"][..],
        &["symbol", "sell", "--expand"],
        &["symbol", "save_item", "--expand"],
        &["symbol", "sell", "--expand", "--budget", "180"],
        &["symbol", "check", "--expand", "1", "--json"],
        &["symbol", "sell", "--expand", "4"],
    ];
    golden("symbol-expand", &joined(), &runs);
}

#[test]
fn what_a_session_was_given_it_is_not_given_again() {
    let folder = joined();
    let sell = ["symbol", "shop", "sell", "--session", "one"];
    let whole = folder.stdout(&sell);
    let again = folder.stdout(&sell);
    assert_eq!(
        again,
        "shop/shop/till.py:4-6  function sell  def sell(item)  given before in this session at L4-6, unchanged: --again prints it\n"
    );
    assert_eq!(folder.stdout(&[&sell[..], &["--again"]].concat()), whole);
    let other = ["symbol", "shop", "sell", "--session", "two"];
    assert_eq!(
        folder.stdout(&other),
        whole,
        "the other session saw nothing"
    );
    // Its signature is not its text.
    let signature = [
        "symbol",
        "shop",
        "restock",
        "--session",
        "one",
        "--signature",
    ];
    folder.stdout(&signature);
    let restock = folder.stdout(&["symbol", "shop", "restock", "--session", "one"]);
    assert!(restock.contains("for item in items"), "{restock}");
    let text = std::fs::read_to_string(folder.at("shop/shop/till.py")).expect("it is there");
    folder.write("shop/shop/till.py", format!("# A line above.\n{text}"));
    let moved = folder.stdout(&sell);
    assert!(
        moved.starts_with("shop/shop/till.py:5-7") && moved.contains("at L4-6, unchanged"),
        "{moved}"
    );
    folder.write(
        "shop/shop/till.py",
        text.replace("shelf.save_item(item)", "shelf.save_item(item + item)"),
    );
    let changed = folder.stdout(&sell);
    assert!(changed.contains("item + item"), "it changed: {changed}");
    // What a budget left out was not given.
    let short = folder.stdout(&[
        "symbol",
        "store",
        "Shelf",
        "--session",
        "one",
        "--budget",
        "50",
    ]);
    assert!(!short.contains("return self.check"), "{short}");
    let whole = folder.stdout(&[
        "symbol",
        "store",
        "Shelf",
        "--session",
        "one",
        "--budget",
        "500",
    ]);
    assert!(whole.contains("return self.check"), "{whole}");
    let again = folder.stdout(&[
        "symbol",
        "store",
        "Shelf",
        "--session",
        "one",
        "--budget",
        "500",
    ]);
    assert!(again.contains("given before"), "{again}");
    folder.stdout(&["cache", "clean"]);
    assert!(
        folder.stdout(&sell).contains("item + item"),
        "it is forgotten with the cache"
    );
}

/// A run with ranking, as users have it.
fn ranked(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = folder.command(arguments);
    let output = command
        .env_remove("AST_OUTLINE_RANKING")
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

/// Eight functions alike, of which others call the last.
fn alike() -> Folder {
    let folder = Folder::repository();
    let body = "    return 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10\n";
    let functions = (0..8).map(|index| {
        format!("def make_{index}(first: int, second: int, third: int) -> int:\n{body}\n\n")
    });
    folder.write("made.py", functions.collect::<String>());
    let calls = (0..20).map(|index| format!("def call_{index}():\n    made.make_7(1, 2, 3)\n\n\n"));
    folder.write(
        "calls.py",
        format!("import made\n\n\n{}", calls.collect::<String>()),
    );
    folder
}

#[test]
fn within_a_budget_what_others_call_is_shown_finer() {
    let folder = alike();
    let read = ["read", "made.py", "--budget", "260"];
    let plain = ranked(&folder, &read);
    assert!(
        !plain.contains("ranked by") && !plain.contains("return 1 + 2"),
        "{plain}"
    );
    folder.stdout(&["index", "."]);
    for (question, shown) in [
        (&read[..], "make_7(first"),
        (&["outline", "made.py", "--budget", "165"], "make_7(first"),
        (&["outline", ".", "--budget", "250"], "made.py"),
        (&["search", "return", ".", "--budget", "90"], "made.py"),
        (
            &["symbol", "made.py", "make_1", "make_7", "--budget", "130"],
            "make_7",
        ),
    ] {
        let answer = ranked(&folder, question);
        assert!(answer.contains("ranked by references"), "{answer}");
        assert!(answer.contains(shown), "{answer}");
        assert_eq!(answer, ranked(&folder, question), "twice the same");
        let plain = folder.stdout(question);
        assert!(!plain.contains("ranked by references"), "{plain}");
    }
    let read = ranked(&folder, &["outline", "made.py", "--budget", "165"]);
    assert!(!read.contains("make_6(first"), "{read}");
    let json = ranked(
        &folder,
        &["outline", "made.py", "--budget", "600", "--json"],
    );
    assert!(json.contains("\"ranked_by\":\"references\""), "{json}");
    let off = ranked(
        &folder,
        &["outline", "made.py", "--budget", "165", "--no-cache"],
    );
    assert!(!off.contains("ranked by"), "{off}");
}

#[test]
fn names_that_fit_alike_are_ranked_by_references() {
    let folder = alike();
    folder.write("notes.md", "# Make\n\nText.\n");
    folder.write(
        "parts.py",
        "def remakeAll():\n    pass\n\n\ndef remake():\n    pass\n",
    );
    let first = |question: &[&str]| {
        let answer = ranked(&folder, question);
        answer.lines().nth(1).expect("a name is found").to_string()
    };
    assert!(first(&["search", "--symbols", "make_"]).contains("make_0"));
    folder.stdout(&["index", "."]);
    assert!(first(&["search", "--symbols", "make_"]).contains("make_7"));
    assert!(
        first(&["search", "--symbols", "Make"]).contains("heading"),
        "what is no source of calls is found, too"
    );
    let parts = ranked(&folder, &["search", "--symbols", "all"]);
    assert!(
        parts.contains("remakeAll") && !parts.contains("call_0"),
        "{parts}"
    );
    let typo = ranked(&folder, &["search", "--symbols", "remaek"]);
    assert!(
        typo.contains("remake"),
        "what no word begins with is looked for as ever: {typo}"
    );
    let json = ranked(&folder, &["search", "--symbols", "make_7", "--json"]);
    assert!(json.contains("\"ranked_by\":\"references\""), "{json}");
}

#[test]
fn roots_that_are_indexed_together_stay_so() {
    let folder = Folder::new();
    folder.copy(&root().join("fixtures/repos/joined"), ".");
    folder.write("store/.gitattributes", "spare.py linguist-generated\n");
    folder.write("store/spare.py", "def spare():\n    pass\n");
    for root in ["shop", "store"] {
        std::fs::create_dir(folder.at(&format!("{root}/.git"))).expect("it can be made");
    }
    folder.stdout(&["index", "shop", "store"]);
    let shop = |arguments: &[&str]| folder.stdout(&[&["-C", "shop"], arguments].concat());
    let callers = shop(&["callers", "save_item"]);
    assert!(
        callers.contains("till.py:6") && callers.contains("store/store/shelf.py"),
        "{callers}"
    );
    // An edit in the other root is seen, and the roots are kept where the index is brought up to date or made anew.
    folder.write(
        "store/store/more.py",
        "from store import open_store\n\n\ndef more():\n    open_store().save_item('x')\n",
    );
    assert!(shop(&["callers", "save_item"]).contains("more.py:5"));
    folder.write("store/pyproject.toml", "[project]\nname = \"store\"\nversion = \"2\"\n[tool.setuptools]\npackage-dir = { \"\" = \".\" }\n");
    assert!(shop(&["callers", "save_item"]).contains("more.py:5"));
    folder.stdout(&["index", "shop"]);
    assert!(shop(&["callers", "save_item"]).contains("more.py:5"));
    let brief = shop(&["brief", "../store/store/__init__.py"]);
    assert!(brief.contains("HIGH: crosses packages"), "{brief}");
    let status = shop(&["status", "--json"]);
    assert!(
        status.contains("\"generated\":1"),
        "attributes of the other root count: {status}"
    );
    assert!(
        !folder.at("store/.ast_outline_cache").exists(),
        "the index lies in the first root alone"
    );
}
