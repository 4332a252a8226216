//! JSON, YAML and TOML: keys by JSON Pointer.

use super::{Docs, Grammar, Hooks, Language, Reader};

pub static JSON: Language = Language {
    name: "json",
    aliases: &["jsonc", "jsonl"],
    extensions: &[
        "json",
        "jsonc",
        "jsonl",
        "ndjson",
        "json5",
        "geojson",
        "webmanifest",
        "ipynb",
    ],
    file_names: &[".babelrc", ".eslintrc", "composer.lock", "Pipfile.lock"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_json::LANGUAGE,
        &[("json.scm", include_str!("../../queries/json.scm"))],
        "/",
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

pub static YAML: Language = Language {
    name: "yaml",
    aliases: &["yml"],
    extensions: &["yaml", "yml"],
    file_names: &[".clang-format", ".clang-tidy"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_yaml::LANGUAGE,
        &[("yaml.scm", include_str!("../../queries/yaml.scm"))],
        "/",
        Docs {
            line: &["#"],
            not_line: &[],
            block: None,
            not_block: &[],
            detached: false,
            values_only: false,
        },
        Hooks::DEFAULT,
    )),
};

pub static TOML: Language = Language {
    name: "toml",
    aliases: &[],
    extensions: &["toml"],
    file_names: &["Cargo.lock", "poetry.lock", "uv.lock"],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(Grammar::new(
        tree_sitter_toml_ng::LANGUAGE,
        &[("toml.scm", include_str!("../../queries/toml.scm"))],
        "/",
        Docs {
            line: &["#"],
            not_line: &[],
            block: None,
            not_block: &[],
            detached: false,
            values_only: false,
        },
        Hooks::DEFAULT,
    )),
};
