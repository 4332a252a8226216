//! Rust.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static RUST: Language = Language {
    name: "rust",
    aliases: &["rs"],
    extensions: &["rs"],
    file_names: &[],
    interpreters: &["rust-script"],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_rust::LANGUAGE,
        &[("rust.scm", include_str!("../../queries/rust.scm"))],
        "::",
        Docs {
            line: &["///"],
            not_line: &["////"],
            block: Some(("/**", "*/")),
            not_block: &["/***", "/**/"],
            detached: true,
            values_only: false,
        },
        Hooks::DEFAULT,
    )),
};
