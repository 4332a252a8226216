//! Checks every query file against the real query engine and the grammars' own lists of nodes.

use std::collections::BTreeSet;
use std::path::Path;

use tree_sitter::{Parser, Query, QueryCursor, StreamingIterator, Tree};

use super::*;
use crate::lang::{Grammar, REGISTRY};

fn grammars() -> impl Iterator<Item = (&'static str, &'static Grammar)> {
    REGISTRY
        .iter()
        .filter_map(|language| Some((language.name, language.grammar()?)))
}

fn query_text(grammar: &Grammar) -> String {
    grammar
        .queries
        .iter()
        .map(|(_, text)| *text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn by_engine(
    grammar: &Grammar,
    tree: &Tree,
    text: &[u8],
) -> BTreeSet<(usize, usize, usize, usize)> {
    let query = Query::new(&grammar.parser.into(), &query_text(grammar))
        .expect("the engine reads the file");
    let name = query.capture_index_for_name("name");
    let mut found = BTreeSet::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text);
    while let Some(hit) = matches.next() {
        // The role's capture stands last in the pattern and is listed first: it begins before all others.
        let whole = hit
            .captures()
            .iter()
            .map(|capture| capture.node)
            .max_by_key(|node| node.end_byte() - node.start_byte());
        let name = hit
            .captures()
            .iter()
            .find(|capture| Some(capture.index) == name)
            .map(|capture| capture.node.start_byte());
        let whole = whole.expect("every pattern captures its role");
        found.insert((
            hit.pattern_index,
            whole.start_byte(),
            whole.end_byte(),
            name.unwrap_or(usize::MAX),
        ));
    }
    found
}

fn by_reader(grammar: &Grammar, tree: &Tree) -> BTreeSet<(usize, usize, usize, usize)> {
    let rules = grammar.rules();
    let mut found = BTreeSet::new();
    let mut cursor = tree.walk();
    let mut hits = vec![];
    loop {
        hits.clear();
        rules.find(cursor.node(), &mut hits);
        for hit in &hits {
            let index = rules
                .rules
                .iter()
                .position(|rule| std::ptr::eq(rule, hit.rule))
                .expect("a hit has a rule");
            let name = hit
                .get(Capture::Name)
                .map_or(usize::MAX, |node| node.start_byte());
            found.insert((index, hit.node.start_byte(), hit.node.end_byte(), name));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The engine and the reader must find the same, but for what an earlier pattern shadows.
#[test]
fn the_reader_agrees_with_the_query_engine() {
    for (name, grammar) in grammars() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(name);
        let files = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for file in files.map(|file| file.expect("the folder can be read").path()) {
            if file
                .extension()
                .is_some_and(|extension| extension == "golden")
            {
                continue;
            }
            let text = std::fs::read(&file).expect("a fixture can be read");
            let mut parser = Parser::new();
            parser
                .set_language(&grammar.parser.into())
                .expect("the grammar fits");
            let tree = parser.parse(&text, None).expect("no limit is set");
            let (engine, reader) = (by_engine(grammar, &tree, &text), by_reader(grammar, &tree));
            let rule = |hit: &(usize, usize, usize, usize)| grammar.rules().rules[hit.0].text;
            // Of several names on one node, the engine may report the first only: it drops a state that looks like an
            // earlier one.
            let known = |hit: &(usize, usize, usize, usize)| {
                engine
                    .iter()
                    .any(|other| (other.0, other.1, other.2) == (hit.0, hit.1, hit.2))
            };
            if let Some(hit) = reader.iter().find(|hit| !known(hit)) {
                panic!(
                    "{}: only the reader finds {hit:?} with {}",
                    file.display(),
                    rule(hit)
                );
            }
            for hit in engine.difference(&reader) {
                let shadowed = reader
                    .iter()
                    .any(|other| other.0 < hit.0 && (other.1, other.2) == (hit.1, hit.2));
                assert!(
                    shadowed,
                    "{}: only the engine finds {hit:?} with {}",
                    file.display(),
                    rule(hit)
                );
            }
        }
    }
}

/// A grammar's update must not lose a form unseen: every node with a name has a pattern, or a reason to have none.
#[test]
fn every_named_node_is_known_or_ignored() {
    let mut unknown = vec![];
    for (name, grammar) in grammars() {
        let language: tree_sitter::Language = grammar.parser.into();
        let rules = grammar.rules();
        let types: serde_json::Value =
            serde_json::from_str(node_types(name)).expect("node types are JSON");
        for node in types.as_array().expect("a list of nodes") {
            let kind = node["type"].as_str().expect("a node has a type");
            let named = node["named"] == true && node["fields"].get("name").is_some();
            let id = language.id_for_node_kind(kind, true) as usize;
            if named && rules.by_kind[id].is_empty() && !rules.ignored.contains(&kind) {
                unknown.push(format!("{name}: {kind}"));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "no pattern and no `;! ignore` for\n{}",
        unknown.join("\n")
    );
}

/// Every language can be found by its name and has files it is known by, and no two share one.
#[test]
fn the_registry_is_whole() {
    let mut names = BTreeSet::new();
    for language in REGISTRY {
        assert!(
            !language.extensions.is_empty(),
            "{} has no extension",
            language.name
        );
        for name in language.extensions.iter().chain(language.file_names) {
            assert!(names.insert(*name), "{name} belongs to two languages");
        }
        for name in language.aliases.iter().chain([&language.name]) {
            assert!(
                std::ptr::eq(
                    crate::lang::Language::by_name(name).expect("names are known"),
                    *language
                ),
                "{name}"
            );
        }
        if let Some(grammar) = language.grammar() {
            let parser: tree_sitter::Language = grammar.parser.into();
            let texts: Vec<&'static str> = grammar.queries.iter().map(|(_, text)| *text).collect();
            if let Err(error) = Rules::read(&texts, &parser) {
                panic!("{}: {error}", language.name);
            }
        }
    }
}

fn node_types(language: &str) -> &'static str {
    match language {
        "python" => tree_sitter_python::NODE_TYPES,
        "javascript" => tree_sitter_javascript::NODE_TYPES,
        "typescript" => tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
        "tsx" => tree_sitter_typescript::TSX_NODE_TYPES,
        "java" => tree_sitter_java::NODE_TYPES,
        "go" => tree_sitter_go::NODE_TYPES,
        "rust" => tree_sitter_rust::NODE_TYPES,
        "c" => tree_sitter_c::NODE_TYPES,
        "cpp" => tree_sitter_cpp::NODE_TYPES,
        other => panic!("no node types for {other}"),
    }
}
