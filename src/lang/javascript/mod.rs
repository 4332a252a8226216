//! JavaScript, TypeScript and TSX: how their files are known, which grammar reads them, what documents them.
//! What the patterns cannot say stands beside: `define` (names and what they are bound to), `assign` (names written in
//! front of functions), `modules` (imports and exports of all module systems), `respell` (forms the grammars lag behind).

mod assign;
mod define;
mod modules;
mod respell;

use tree_sitter::Node;
use tree_sitter_language::LanguageFn;

use super::fold::fold;
use super::lex;
use super::{Context, Docs, Grammar, Hooks, Language, Reader};

pub static JAVASCRIPT: Language = Language {
    name: "javascript",
    aliases: &["js", "jsx"],
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &[],
    interpreters: &["node", "nodejs", "bun"],
    sniff: None,
    reader: Reader::Grammar(grammar(
        tree_sitter_javascript::LANGUAGE,
        &[
            (
                "javascript.scm",
                include_str!("../../../queries/javascript.scm"),
            ),
            SHARED,
        ],
    )),
};

pub static TYPESCRIPT: Language = Language {
    name: "typescript",
    aliases: &["ts"],
    extensions: &["ts", "mts", "cts"],
    file_names: &[],
    interpreters: &["deno", "ts-node", "tsx"],
    sniff: None,
    reader: Reader::Grammar(grammar(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TYPED)),
};

pub static TSX: Language = Language {
    name: "tsx",
    aliases: &[],
    extensions: &["tsx"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(grammar(tree_sitter_typescript::LANGUAGE_TSX, TYPED)),
};

const SHARED: (&str, &str) = (
    "ecmascript.scm",
    include_str!("../../../queries/ecmascript.scm"),
);

const TYPED: &[(&str, &str)] = &[
    (
        "typescript.scm",
        include_str!("../../../queries/typescript.scm"),
    ),
    SHARED,
];

const fn grammar(parser: LanguageFn, queries: &'static [(&'static str, &'static str)]) -> Grammar {
    let docs = Docs {
        line: &["//"],
        // Orders to tools, regions, references.
        not_line: &[
            "///",
            "//#",
            "// #",
            "//@",
            "// @",
            "// eslint",
            "// tslint",
            "// prettier-",
            "// biome-",
            "// istanbul",
            "// c8 ",
            "// v8 ",
        ],
        block: Some(("/*", "*/")),
        not_block: &[
            "/* eslint",
            "/*eslint",
            "/* global",
            "/*global",
            "/* jshint",
            "/*jshint",
            "/* istanbul",
            "/* c8 ",
            "/* v8 ",
            "/*#",
            "/* @",
            "/*@",
            "/*!",
        ],
        detached: false,
        values_only: false,
    };
    let hooks = Hooks {
        define: define::define,
        exported: modules::exported,
        imports: modules::imports,
        call: modules::call,
        respell: respell::respell,
        ..Hooks::DEFAULT
    };
    Grammar::new(parser, queries, ".", docs, hooks)
        .lexis(&lex::JAVASCRIPT)
        .decorated_inside()
}

/// How many parentheses, casts and chained assignments are looked behind; no one writes more.
const MAX_LAYERS: usize = 64;

/// What is left of a value without parentheses, casts and assignments, whose targets are added to `targets`.
fn strip<'t>(mut value: Node<'t>, targets: &mut Vec<Node<'t>>) -> Node<'t> {
    for _ in 0..MAX_LAYERS {
        let inner = match value.kind() {
            "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression" => first_child(value),
            "type_assertion" => {
                value.named_child(value.named_child_count().saturating_sub(1) as u32)
            }
            "assignment_expression" => {
                targets.extend(value.child_by_field_name("left"));
                value.child_by_field_name("right")
            }
            _ => None,
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    value
}

fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| child.kind() != "comment")
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

fn text(cx: &Context<'_, '_>, node: Node<'_>) -> String {
    fold(cx.source, cx.rules, node)
}

/// A name without its quotes; `["a"]` is `a`, other names in brackets are left as they are written.
fn plain_name(name: &str) -> &str {
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
        .unwrap_or(name);
    ['"', '\'', '`']
        .iter()
        .find_map(|&quote| bare.strip_prefix(quote)?.strip_suffix(quote))
        .filter(|inner| !inner.contains(&bare[..1]))
        .unwrap_or(name)
}
