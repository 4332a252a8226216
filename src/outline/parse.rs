//! Runs a grammar over a file, within limits that do not depend on the machine: parser steps and bytes; wall time is
//! only the last safety.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::lang::Grammar;
use crate::source::Source;

/// What a parse may cost.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Larger files are not parsed.
    pub max_bytes: u64,
    /// Wall time, the last safety; what it cut is never cached.
    pub timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_bytes: 16 << 20,
            timeout: Duration::from_secs(30),
        }
    }
}

pub enum Parsed {
    Tree(Tree),
    /// Which limit was hit.
    Limit(String),
}

/// The parser calls back every 100 operations, about six times per KB of ordinary source; random bytes take hundreds
/// of times more. Past this many calls per byte the file is not what its name says.
const CALLS_PER_KB: u64 = 400;
const CALLS_AT_LEAST: u64 = 200_000;

/// Parses a file; where the grammar lags behind the language, once more with those forms put into older ones.
pub fn parse(source: &Source, grammar: &Grammar, limits: &Limits) -> Parsed {
    let parsed = parse_text(source.text(), grammar, limits);
    match &parsed {
        Parsed::Tree(tree) if tree.root_node().has_error() => {
            let mended =
                (grammar.hooks.mend)(source.text()).map(|text| parse_text(&text, grammar, limits));
            match mended {
                Some(Parsed::Tree(better)) if faults(&better) < faults(tree) => {
                    Parsed::Tree(better)
                }
                _ => parsed,
            }
        }
        _ => parsed,
    }
}

/// How many nodes of a tree are errors.
fn faults(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

fn parse_text(text: &[u8], grammar: &Grammar, limits: &Limits) -> Parsed {
    if text.len() as u64 > limits.max_bytes {
        return Parsed::Limit(format!(
            "{} bytes are more than the {} that are parsed",
            text.len(),
            limits.max_bytes
        ));
    }
    let mut parser = Parser::new();
    parser
        .set_language(&grammar.parser.into())
        .expect("grammars are built for this tree-sitter");
    let most = CALLS_AT_LEAST.max(text.len() as u64 / 1024 * CALLS_PER_KB);
    let started = Instant::now();
    let (mut calls, mut late) = (0u64, false);
    let mut progress = |_: &tree_sitter::ParseState| {
        calls += 1;
        // The clock is read at every 16th call: a call comes every 10 us or so.
        late |= calls % 16 == 0 && started.elapsed() > limits.timeout;
        if late || calls > most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| text.get(at..).unwrap_or(&[]);
    match parser.parse_with_options(&mut read, None, Some(options)) {
        Some(tree) => Parsed::Tree(tree),
        None if late => Parsed::Limit(format!("not parsed within {:.0?}", limits.timeout)),
        None => Parsed::Limit(format!("not parsed within {} steps", most * 100)),
    }
}
