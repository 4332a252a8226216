//! The README shows real output: every `$ ast-outline ...` in it is run in a copy of `fixtures/repos/shop`, and its tables agree with
//! the program's own words.

use crate::check::{VERBS, program, root, shop, stdout};

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("there is a README")
}

/// Runs one command line as a shell would split it (no quotes are used in the README).
fn run(line: &str) -> String {
    let words = line.split_whitespace().skip(1);
    let output = program().current_dir(shop()).args(words).output();
    let output = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// `UPDATE=1` writes the outputs into the README.
#[test]
fn every_example_is_real() {
    let text = readme();
    let mut out = String::new();
    let mut example = false;
    let mut shown = 0;
    for line in text.lines() {
        match line {
            "```console" => example = true,
            "```" => example = false,
            _ => {}
        }
        let command = line.strip_prefix("$ ").filter(|_| example);
        if command.is_some() || !example || line == "```console" {
            out += line;
            out.push('\n');
        }
        if let Some(command) = command {
            out += &run(command);
            shown += 1;
        }
    }
    assert!(shown > 5, "the README has examples");
    crate::check::check(&root().join("README.md"), &out);
}

#[test]
fn the_tables_agree_with_the_program() {
    let text = readme();
    let help = stdout(&["--help"]);
    for verb in VERBS {
        assert!(help.contains(verb), "{verb} is no verb");
        assert!(
            text.contains(&format!("## {verb}\n")) || text.contains(&format!("| `{verb}")),
            "{verb} is not in the README"
        );
    }
    let outline = stdout(&["outline", "--help"]);
    let schema: serde_json::Value =
        serde_json::from_str(&stdout(&["schema", "outline"])).expect("a schema is JSON");
    let views = schema["properties"]["view"]["oneOf"]
        .as_array()
        .expect("each view says what it holds");
    for view in views {
        let (name, about) = (
            view["const"].as_str().unwrap_or(""),
            view["description"].as_str().unwrap_or(""),
        );
        assert!(
            text.contains(&format!("| `{name}` | {about}")),
            "the README says something else of {name}: {about}"
        );
        assert!(
            outline.to_lowercase().contains(&format!("- {name}:")),
            "{name} is no view"
        );
    }
    assert_eq!(views.len(), 7);
    for (language, _) in stdout(&["languages"])
        .lines()
        .filter_map(|line| line.split_once(' '))
    {
        let known = text.to_lowercase().replace("c++", "cpp");
        assert!(
            known.contains(language),
            "the README does not name {language}"
        );
    }
}

/// Nine flags stood nowhere but in `--help`.
#[test]
fn every_flag_is_in_the_readme() {
    let text = readme();
    for verb in [
        "outline", "region", "symbol", "diff", "read", "search", "verify", "tokens", "tree",
    ] {
        let help = stdout(&[verb, "--help"]);
        let flags = help
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('-'));
        for flag in flags {
            let mut names = flag
                .split([' ', ',', '='])
                .filter(|word| word.starts_with('-'));
            let known = names.any(|name| text.contains(&format!("`{name}")) || name == "--help");
            assert!(known, "`{verb} {flag}` is not in the README");
        }
    }
}
