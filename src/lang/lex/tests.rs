//! What counts as a bracket, by examples.

use super::*;

fn brackets(text: &str, lexis: &Lexis) -> String {
    let marks = marks(text.as_bytes(), lexis);
    let shown = marks.iter().filter_map(|mark| match mark.kind {
        MarkKind::Open(byte) | MarkKind::Close(byte) => Some(char::from(byte)),
        MarkKind::Stray => Some('!'),
        MarkKind::Comment => Some('*'),
        MarkKind::Conflict { .. } => Some('='),
        MarkKind::Line { .. } | MarkKind::End => None,
    });
    shown.collect()
}

#[test]
fn brackets_in_strings_and_comments_do_not_count() {
    assert_eq!(brackets("f(\"(\") // (\n/* { */ [ ]", &C_LIKE), "()[]");
    assert_eq!(
        brackets("x = '''(''' + \"\"\"{\n[\"\"\" # (\n()", &PYTHON),
        "()"
    );
    assert_eq!(
        brackets("a = `{${ b({}) + `[` }(`; c(/[(]/g)", &JAVASCRIPT),
        "({})()"
    );
    assert_eq!(
        brackets("a = b / c(1) / d[0]; if (x) {}", &JAVASCRIPT),
        "()[](){}"
    );
    assert_eq!(
        brackets(
            "fn f<'a>(c: &'a str) { '{'; '\\''; r#\"(\"#; /* /* ( */ ( */ }",
            &RUST
        ),
        "(){}"
    );
    assert_eq!(
        brackets("#define A (\\\n (\nR\"x( )\" ( )x\" { '\\'' }", &CPP),
        "{}"
    );
    assert_eq!(brackets("s := `(\"` + '('; f()", &GO), "()");
}

#[test]
fn a_quote_left_open_is_stray_and_the_rest_is_read() {
    assert_eq!(
        brackets("open() { return 'x },\nclose() { }", &JAVASCRIPT),
        "(){!}(){}"
    );
    assert_eq!(brackets("it's { }", &JAVASCRIPT), "!{}");
}

#[test]
fn two_stray_quotes_are_found_together() {
    let body = "    let b = c;\n".repeat(80);
    let whole = format!("fn a() {{\n{body}    d(\"e\"); \"\n}}\n");
    let text = [&whole.repeat(2), "fn f() {\n    g(\"h\");\n}\n"].concat();
    assert_eq!(brackets(&text, &RUST), "(){()!}(){()!}(){()}");
}

#[test]
fn a_comment_left_open_ends_with_its_lines() {
    assert_eq!(brackets("/* (\n * {\nf() {}", &C_LIKE), "*(){}");
    assert_eq!(brackets("a(); /* b\n/* c\n}", &C_LIKE), "()**}");
}

#[test]
fn what_is_never_closed_is_looked_for_once() {
    let deep = ["`${".repeat(40_000), "}".repeat(40_000)].concat();
    assert_eq!(brackets(&deep, &JAVASCRIPT), "!".repeat(40_000));
    assert_eq!(
        brackets(&"/[".repeat(40_000), &JAVASCRIPT),
        "[".repeat(40_000)
    );
    assert_eq!(
        brackets(&"/*\n".repeat(40_000), &C_LIKE),
        "*".repeat(40_000)
    );
}
