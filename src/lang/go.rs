//! Go.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static GO: Language = Language {
    name: "go",
    aliases: &["golang"],
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_go::LANGUAGE,
        &[("go.scm", include_str!("../../queries/go.scm"))],
        ".",
        Docs {
            line: &["//"],
            not_line: &[],
            block: Some(("/*", "*/")),
            not_block: &[],
            detached: false,
            values_only: false,
        },
        Hooks::DEFAULT,
    )),
};
