//! Java.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static JAVA: Language = Language {
    name: "java",
    aliases: &[],
    extensions: &["java"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_java::LANGUAGE,
        &[("java.scm", include_str!("../../queries/java.scm"))],
        ".",
        Docs {
            line: &[],
            not_line: &[],
            block: Some(("/**", "*/")),
            not_block: &["/**/"],
            detached: true,
            values_only: false,
        },
        Hooks::DEFAULT,
    )),
};
