//! JavaScript, TypeScript and TSX.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static JAVASCRIPT: Language = Language {
    name: "javascript",
    aliases: &["js", "jsx"],
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &[],
    interpreters: &["node", "nodejs", "bun"],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_javascript::LANGUAGE,
        &[(
            "javascript.scm",
            include_str!("../../queries/javascript.scm"),
        )],
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

pub static TYPESCRIPT: Language = Language {
    name: "typescript",
    aliases: &["ts"],
    extensions: &["ts", "mts", "cts"],
    file_names: &[],
    interpreters: &["deno", "ts-node", "tsx"],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        &[
            (
                "typescript.scm",
                include_str!("../../queries/typescript.scm"),
            ),
            (
                "javascript.scm",
                include_str!("../../queries/javascript.scm"),
            ),
        ],
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

pub static TSX: Language = Language {
    name: "tsx",
    aliases: &[],
    extensions: &["tsx"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_typescript::LANGUAGE_TSX,
        &[
            (
                "typescript.scm",
                include_str!("../../queries/typescript.scm"),
            ),
            (
                "javascript.scm",
                include_str!("../../queries/javascript.scm"),
            ),
        ],
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
