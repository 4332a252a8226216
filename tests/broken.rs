//! Files in the midst of an edit: the outline around the damage stays what it was, and no answer takes long.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::input::Scratch;

/// `qualname start-end`, with `!` where the end is inferred, of all definitions in order.
fn names(file: &Value) -> Vec<String> {
    let mut found = vec![];
    let mut open = vec![&file["definitions"]];
    while let Some(list) = open.pop() {
        for definition in list.as_array().into_iter().flatten() {
            let mark = if definition["truncated"] == true {
                "!"
            } else {
                ""
            };
            found.push((
                definition["start_line"].as_u64(),
                format!(
                    "{} {}-{}{mark}",
                    definition["qualname"].as_str().unwrap_or("?"),
                    definition["start_line"],
                    definition["end_line"]
                ),
            ));
            open.extend(definition.get("children"));
        }
    }
    found.sort_by_key(|(line, _)| *line);
    found.into_iter().map(|(_, name)| name).collect()
}

fn outline(name: &str, text: &str) -> (Vec<String>, Value) {
    let scratch = Scratch::new(&format!("broken-{name}"));
    scratch.write(name, text);
    let file = scratch.outline(name);
    (names(&file), file)
}

#[test]
fn repairs_take_time_with_the_length_of_the_file() {
    let unclosed: String = (0..20_000).map(|n| format!("void f{n}() {{\n")).collect();
    let stray: String = (0..20_000)
        .map(|n| format!("void f{n}() {{\n}}\n}}\n"))
        .collect();
    for (name, text) in [
        ("words.c", "a ".repeat(60_000)),
        ("braces.js", "{\n".repeat(60_000)),
        ("closers.go", "(\n".repeat(30_000) + &" }\n".repeat(30_000)),
        ("unclosed.java", unclosed),
        ("stray.java", stray),
        ("directives.c", "#endif\n".repeat(60_000)),
        (
            "branches.c",
            "#ifdef A\nvoid f() {\n".repeat(10_000) + &"#endif\n".repeat(10_000),
        ),
        (
            "lambdas.cpp",
            "auto a = []() {\n".repeat(10_000) + &"};\n".repeat(10_000),
        ),
        ("uses.rs", "use a::{".repeat(10_000) + &"};".repeat(10_000)),
        ("actions.yaml", "{a(){".repeat(30_000)),
    ] {
        let started = Instant::now();
        outline(name, &text);
        let took = started.elapsed();
        assert!(took < Duration::from_secs(20), "{name} took {took:?}");
    }
}

#[test]
fn what_is_said_of_a_line_is_said_once() {
    let (_, file) = outline("closers.rs", &")".repeat(1000));
    assert_eq!(file["problems"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_inferred_stays_inside_of_what_is_around_it() {
    let text = "mod a {\n    fn cut(b: &[str {\n    }\n}\n\nfn next() {\n}\n";
    let (_, file) = outline("inside.rs", text);
    let outer = &file["definitions"][0];
    for inner in outer["children"].as_array().into_iter().flatten() {
        assert!(
            inner["end_line"].as_u64() <= outer["end_line"].as_u64(),
            "{file}"
        );
        assert!(
            inner["end_byte"].as_u64() <= outer["end_byte"].as_u64(),
            "{file}"
        );
    }
    assert!(names(&file).contains(&"next 6-7".to_string()), "{file}");
}

#[test]
fn what_begins_on_the_line_of_a_head_is_inside() {
    let text = "#[test]\nfn a() { fn b() {\n    }\n    c(\n";
    let (found, _) = outline("line.rs", text);
    assert_eq!(found, ["a 1-4!", "a::b 2-3"]);
}

#[test]
fn a_namespace_keeps_what_is_not_indented_in_it() {
    let (found, _) = outline(
        "flat.hpp",
        "namespace a {\n\nclass B {\n    int c;\n};\n\nvoid d();\n\n// [end]\n",
    );
    assert_eq!(found, ["a 1-9!", "a::B 3-5", "a::B::c 4-4", "a::d 7-7"]);
    // A head that was begun in it is closed before the next, and nothing else.
    let (found, _) = outline(
        "begun.hpp",
        "namespace a {\n\nvoid begun(\nvoid b(int c) {\n    c++;\n}\n\n}\n",
    );
    assert_eq!(found, ["a 1-8", "a::begun 3-3!", "a::b 4-6"]);
}

#[test]
fn a_half_edited_branch_is_not_dropped() {
    let text = "#if TAGS\n\nint a;\n\nint b(void)\n{\n    if (a) {\n    return 1;\n}\n\nint c(void)\n{\n    return 2;\n}\n\nint d;\n\n#endif\n";
    let (found, file) = outline("branch.c", text);
    assert!(found.contains(&"a 3-3".to_string()), "{found:?}");
    assert!(found.contains(&"c 11-14".to_string()), "{found:?}");
    assert!(found.contains(&"d 16-16".to_string()), "{found:?}");
    assert_eq!(file["complete"], false);
}

#[test]
fn a_branch_of_one_hurt_function_is_not_dropped() {
    let body = "    if (b) {\n        c();\n    }\n}\n";
    let begun = format!("int d(\nint a(int b)\n{{\n{body}");
    let unclosed = "int a(int b) {\n    if (b) {\n        c();\n}\n".to_string();
    let stray = format!("int a(int b) {{\n        c();\n    }}\n{body}");
    let opened = format!("int a(int b) {{\n    if (d) {{\n{body}");
    for text in [begun, unclosed, stray, opened] {
        let whole = format!("#ifdef A\n{text}#endif\n\nint e;\n");
        let (found, _) = outline("hurt.c", &whole);
        assert!(found.iter().any(|name| name.starts_with("a ")), "{found:?}");
        let last = found.last().expect("e is whole");
        assert!(last.starts_with("e "), "{found:?}");
    }
}

#[test]
fn what_is_left_of_a_list_does_not_take_what_follows() {
    let words = "        \"word\",\n".repeat(12);
    for (name, function) in [("list.go", "func"), ("list.rs", "fn")] {
        let text = format!("{function} a() {{\n{words}    }})\n}}\n\n{function} b() {{\n}}\n");
        let (found, file) = outline(name, &text);
        assert_eq!(found, ["a 1-15", "b 17-18"], "{name}");
        assert_eq!(file["problems"].as_array().map(Vec::len), Some(1), "{file}");
    }
}

#[test]
fn a_head_behind_a_closer_gets_its_own_opener() {
    for (name, head) in [("catch.java", "catch (Exc"), ("catch.cpp", "catch (exc")] {
        let body = format!(
            "        try {{\n            b(c);\n        }} {head}\n            d(e);\n        }}\n"
        );
        let text =
            format!("class A {{\n    void a() {{\n{body}    }}\n\n    void f() {{\n    }}\n}};\n");
        let (found, file) = outline(name, &text);
        let found: Vec<&str> = found.iter().map(|name| &name[name.len() - 5..]).collect();
        assert_eq!(
            found,
            ["A 1-12", "a 2-8", "f 10-11"].map(|name| &name[name.len() - 5..])
        );
        let problems = file["problems"].as_array().expect("a list");
        assert!(
            problems.iter().all(|problem| problem["start_line"] == 5),
            "{file}"
        );
    }
}

#[test]
fn a_function_is_read_where_the_parser_was_lost_before_it() {
    let lost = "void b() {\n  do {\n    F(G(\"0x\" #value));\n  } while (0)\n  H(unsigned long long, 1);\n}\n";
    let body = "  struct D {\n    const char *e;\n  };\n  static const D f[] = {\n    { \"g\", 2 },\n  };\n  for (const D* t = f; t->e != 0; t++) {\n  }\n";
    let text = format!("namespace a {{\n{lost}void c() {{\n{body}}}\n}}\n");
    let (found, _) = outline("lost.cpp", &text);
    assert!(found.contains(&"a::c::D 9-11".to_string()), "{found:?}");
}

#[test]
fn a_comment_without_an_end_is_not_code() {
    let (found, _) = outline(
        "open.c",
        "/* Permission is\n * hereby granted to deal\n * in the software\n",
    );
    assert_eq!(found, Vec::<String>::new());
    let (found, _) = outline(
        "open.java",
        "class A {\n    /** Half a comment\n    void b() {\n    }\n}\n",
    );
    assert_eq!(found, ["A 1-5", "A.b 3-4"]);
}

#[test]
fn both_sides_of_a_conflict_are_read() {
    for (name, a, b) in [
        ("sides.py", "def a():\n    pass\n", "def b():\n    pass\n"),
        ("sides.go", "func a() {\n}\n", "func b() {\n}\n"),
        ("sides.rs", "fn a() {\n}\n", "fn b() {\n}\n"),
        ("sides.ts", "function a() {\n}\n", "function b() {\n}\n"),
        ("sides.cpp", "void a() {\n}\n", "void b() {\n}\n"),
    ] {
        let text = format!("<<<<<<< HEAD\n{a}=======\n{b}>>>>>>> other\n");
        let (found, file) = outline(name, &text);
        assert_eq!(found, ["a 2-3", "b 5-6"], "{name}");
        assert_eq!(file["problems"][0]["message"], "conflict marker", "{name}");
    }
}

#[test]
fn a_conflict_in_a_text_is_text() {
    let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";
    let (_, file) = outline("text.py", &format!("A = \"\"\"\n{conflict}\"\"\"\n"));
    assert_eq!(file["complete"], true, "{file}");
    let (found, file) = outline("text.md", &format!("```\n{conflict}```\n\nb\n=======\n"));
    assert_eq!(file["complete"], true, "{file}");
    assert_eq!(found, ["b 9-10"]);
}

#[test]
fn what_has_no_name_is_not_listed() {
    let text = "class A {\n    A() {\n        <T, E>super();\n    }\n    <T> A(T a) {\n        <T, E>super(a);\n    }\n}\n";
    let (found, _) = outline("nameless.java", text);
    assert!(
        found
            .iter()
            .all(|name| !name.contains(". ") && !name.starts_with(' ')),
        "{found:?}"
    );
}

#[test]
fn a_trait_implementation_is_found_by_the_name_it_is_listed_under() {
    let scratch = Scratch::new("broken-impl");
    scratch.write(
        "a.rs",
        "struct A;\nimpl From<B> for A {\n    fn from(b: B) -> A { A }\n}\n",
    );
    let output = scratch.run(&["symbol", "--raw", "a.rs", "<A as From<B>>"]);
    assert!(output.stdout.starts_with(b"impl From<B> for A"));
    scratch.write("b.rs", "impl Elsewhere {\n}\n");
    let output = scratch.run(&["symbol", "b.rs", "Elsewhere"]);
    let hint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(hint.contains("did you mean impl Elsewhere"), "{hint}");
    let output = scratch.run(&["symbol", "--raw", "b.rs", "impl Elsewhere"]);
    assert!(output.stdout.starts_with(b"impl Elsewhere"));
}

#[test]
fn a_printed_command_works_whatever_the_path() {
    let scratch = Scratch::new("broken-command");
    let many: String = (0..50)
        .map(|n| format!("    def m{n}(self): pass\n"))
        .collect();
    scratch.write("-d.py", format!("class A:\n{many}"));
    let output = scratch.run(&["outline", "--", "-d.py"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("(ast-outline region -- -d.py:42-51)"),
        "{text}"
    );
    assert_eq!(
        scratch.run(&["region", "--", "-d.py:42-51"]).status.code(),
        Some(0)
    );
}

#[test]
fn a_file_may_end_anywhere() {
    for (name, text) in [
        ("paren.c", "int f(int a) {\n}\n__attribute__ b("),
        ("paren.cpp", "class A {\n    explicit A("),
        ("slash.c", "int a(\n\\"),
        ("slash.rs", "fn a(\n\\"),
    ] {
        for end in 0..=text.len() {
            outline(name, &text[..end]);
        }
    }
}

#[test]
fn edits_at_one_place_are_all_made() {
    // The backslash takes the line end: code ends where the marker begins.
    let text = "int a(int b {\n    c \\\n<<<<<<< HEAD\nint d;\n";
    let (found, _) = outline("place.c", text);
    assert!(found.contains(&"d 4-4".to_string()), "{found:?}");
}
