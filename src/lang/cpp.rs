//! C and C++.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static C: Language = Language {
    name: "c",
    aliases: &[],
    extensions: &["c", "h"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_c::LANGUAGE,
        &[("c.scm", include_str!("../../queries/c.scm"))],
        "::",
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

pub static CPP: Language = Language {
    name: "cpp",
    aliases: &["c++", "cxx"],
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp", "ixx", "cppm",
    ],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_cpp::LANGUAGE,
        &[
            ("cpp.scm", include_str!("../../queries/cpp.scm")),
            ("c.scm", include_str!("../../queries/c.scm")),
        ],
        "::",
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
