//! Runs a grammar over a file, within limits that do not depend on the machine: parser steps and bytes; wall time is
//! only the last safety.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Range, Tree};

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

/// Parses a whole file; where it has errors, once more with what the grammar does not know respelled.
pub fn parse(source: &Source, grammar: &Grammar, limits: &Limits) -> Parsed {
    let text = source.text();
    if text.len() as u64 > limits.max_bytes {
        let message = format!(
            "{} bytes are more than the {} that are parsed",
            text.len(),
            limits.max_bytes
        );
        return Parsed::Limit(message);
    }
    let most = CALLS_AT_LEAST.max(text.len() as u64 / 1024 * CALLS_PER_KB);
    let parsed = run(&mut parser(grammar), text, most, limits.timeout);
    let Parsed::Tree(tree) = parsed else {
        return parsed;
    };
    if !tree.root_node().has_error() {
        return Parsed::Tree(tree);
    }
    let respelled = (grammar.hooks.respell)(text);
    let respelled = respelled.map(|text| run(&mut parser(grammar), &text, most, limits.timeout));
    match respelled {
        Some(Parsed::Tree(better)) if cost(&better) < cost(&tree) => Parsed::Tree(better),
        _ => Parsed::Tree(tree),
    }
}

/// How badly a tree fits its text: the bytes the parser gave up on, and something for each place.
pub fn cost(tree: &Tree) -> usize {
    const PLACE: usize = 8;
    let mut cost = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            cost += node.end_byte() - node.start_byte() + PLACE;
        } else if node.is_missing() {
            cost += PLACE;
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return cost;
            }
        }
    }
}

/// Parses one range of a file as if it were all of it; offsets and lines stay those of the file.
pub fn parse_part(source: &Source, grammar: &Grammar, range: Range) -> Option<Tree> {
    let mut parser = parser(grammar);
    parser.set_included_ranges(&[range]).ok()?;
    let bytes = range.end_byte.saturating_sub(range.start_byte) as u64;
    let most = CALLS_PER_KB * (1 + bytes / 1024);
    match run(&mut parser, source.text(), most, Limits::default().timeout) {
        Parsed::Tree(tree) => Some(tree),
        Parsed::Limit(_) => None,
    }
}

fn parser(grammar: &Grammar) -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&grammar.parser.into())
        .expect("grammars are built for this tree-sitter");
    parser
}

fn run(parser: &mut Parser, text: &[u8], most: u64, timeout: Duration) -> Parsed {
    let started = Instant::now();
    let (mut calls, mut late) = (0u64, false);
    let mut progress = |_: &tree_sitter::ParseState| {
        calls += 1;
        // The clock is read at every 16th call: a call comes every 10 us or so.
        late |= calls % 16 == 0 && started.elapsed() > timeout;
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
        None if late => Parsed::Limit(format!("not parsed within {timeout:.0?}")),
        None => Parsed::Limit(format!("not parsed within {} steps", most * 100)),
    }
}
