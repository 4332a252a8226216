//! Whether a tree that was taken over is the tree that reading the whole text gives.

use std::path::Path;

use imara_diff::Hunk;
use tree_sitter::Tree;

use super::super::{Limits, parse, within};
use super::parse_later;
use crate::lang::{Grammar, REGISTRY};
use crate::source::Source;

/// Every node: its kind and where it stands.
fn nodes(tree: &Tree) -> Vec<(u16, tree_sitter::Range)> {
    let (mut cursor, mut found) = (tree.walk(), vec![]);
    loop {
        found.push((cursor.node().kind_id(), cursor.node().range()));
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

/// Whether both versions read without errors; then the later tree must be the same either way.
fn same_tree([old, new]: [&Source; 2], hunk: Hunk, grammar: &Grammar) -> bool {
    let limits = Limits::default();
    let trees = within(old, &limits, |limits| {
        let earlier = parse(old, grammar, limits);
        let later = parse_later(&earlier, [old, new], std::slice::from_ref(&hunk), grammar)?;
        let alone = parse(new, grammar, limits);
        Some((nodes(&later.tree), nodes(&alone.tree)))
    });
    let Ok(Some((later, alone))) = trees else {
        return false;
    };
    assert!(
        later == alone,
        "{hunk:?} of\n{}",
        new.str(0..new.text().len())
    );
    true
}

/// A text, and the same without some lines, either way round.
fn try_without(text: &[u8], at: u32, count: u32, grammar: &Grammar) -> usize {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let (start, end) = (at as usize, (at + count) as usize);
    let less = [&lines[..start], &lines[end..]].concat().concat();
    let source = |text: Vec<u8>| Source::from_bytes(text).expect("it is short");
    let (more, less) = (source(text.to_vec()), source(less));
    let hunk = |before, after| Hunk { before, after };
    let came = same_tree([&less, &more], hunk(at..at, at..at + count), grammar);
    let went = same_tree([&more, &less], hunk(at..at + count, at..at), grammar);
    usize::from(came) + usize::from(went)
}

#[test]
fn a_tree_that_was_taken_over_is_that_of_the_whole_text() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (name, grammar) in REGISTRY
        .iter()
        .filter_map(|language| Some((language.name, language.grammar()?)))
    {
        let folder = std::fs::read_dir(fixtures.join(name)).expect("every language has fixtures");
        let mut compared = 0;
        for entry in folder {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() || path.extension().is_some_and(|end| end == "golden") {
                continue;
            }
            let text = std::fs::read(&path).expect("it can be read");
            let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u32;
            for at in 0..lines.saturating_sub(5) {
                compared += try_without(&text, at, 1 + at % 5, grammar);
            }
        }
        assert!(compared > 0, "{name}: {compared}");
    }
}
