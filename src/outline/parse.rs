//! Runs a grammar over a file, within limits that do not depend on the machine: parser steps and bytes; wall time is
//! only the last safety. What the grammar cannot read as it stands is read once more as a hook has rewritten it.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use crate::lang::{Grammar, Rewrite};
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

/// A file's tree and what was done to the text to get it. All offsets are those of the file.
pub struct Reading {
    pub tree: Tree,
    /// What was parsed, if it is not the file's text.
    pub parsed: Option<Vec<u8>>,
    /// The text names and signatures come from, if it is not the file's own.
    pub shown: Option<Source>,
    /// Text the parser did not see that belongs to the definition behind it, in source order.
    pub attached: Vec<Range<usize>>,
    /// Where the parser failed in text that was then left out.
    pub left_out: Vec<usize>,
}

pub enum Parsed {
    Tree(Box<Reading>),
    /// Which limit was hit.
    Limit(String),
}

/// The parser calls back every 100 operations, about six times per KB of ordinary source; random bytes take hundreds
/// of times more. Past this many calls per byte the file is not what its name says.
const CALLS_PER_KB: u64 = 400;
const CALLS_AT_LEAST: u64 = 200_000;

/// Parses a whole file: as a hook has rewritten it, if it has one, or as it stands. Where that has errors, other ways to
/// read the file are tried, and the one that fits its text best is taken.
pub fn parse(source: &Source, grammar: &Grammar, limits: &Limits) -> Parsed {
    let size = source.text().len() as u64;
    if size > limits.max_bytes {
        return Parsed::Limit(format!(
            "{size} bytes are more than the {} that are parsed",
            limits.max_bytes
        ));
    }
    let reading = match grammar.hooks.rewrite {
        Some(rewrite) => parse_rewritten(source, rewrite(source.text()), grammar, limits),
        None => parse_as_it_stands(source, grammar, limits),
    };
    match reading {
        Ok(reading) => Parsed::Tree(Box::new(reading)),
        Err(message) => Parsed::Limit(message),
    }
}

/// The file as it stands; where it has errors, once more with what the grammar does not know respelled.
fn parse_as_it_stands(
    source: &Source,
    grammar: &Grammar,
    limits: &Limits,
) -> Result<Reading, String> {
    let text = source.text();
    let tree = run(&mut parser(grammar), text, limits)?;
    let mut reading = Reading {
        tree,
        parsed: None,
        shown: None,
        attached: vec![],
        left_out: vec![],
    };
    if reading.tree.root_node().has_error()
        && let Some(other) = (grammar.hooks.respell)(text)
        && let Ok(better) = run(&mut parser(grammar), &other, limits)
        && cost(&better) < cost(&reading.tree)
    {
        (reading.tree, reading.parsed) = (better, Some(other));
    }
    Ok(reading)
}

/// The file as its preprocessor would leave it; where that has errors, without the insides of broken functions, or as it
/// stands.
fn parse_rewritten(
    source: &Source,
    rewrite: Rewrite,
    grammar: &Grammar,
    limits: &Limits,
) -> Result<Reading, String> {
    let mut tree = run(&mut parser(grammar), &rewrite.parsed, limits)?;
    let mut left_out = vec![];
    if tree.root_node().has_error() {
        let (text, found) = without_bodies(&rewrite, &tree, &errors(&tree));
        if !found.is_empty()
            && let Ok(again) = run(&mut parser(grammar), &text, limits)
            && cost(&again) < cost(&tree)
        {
            (tree, left_out) = (again, found);
        }
    }
    if tree.root_node().has_error()
        && let Ok(plain) = run(&mut parser(grammar), &rewrite.plain, limits)
        && cost(&plain) < cost(&tree)
    {
        let shown = Some(source.with_text(rewrite.plain.clone()));
        return Ok(Reading {
            tree: plain,
            parsed: Some(rewrite.plain),
            shown,
            attached: vec![],
            left_out: vec![],
        });
    }
    let Rewrite {
        shown,
        parsed,
        attached,
        ..
    } = rewrite;
    Ok(Reading {
        tree,
        parsed: Some(parsed),
        shown: Some(source.with_text(shown)),
        attached,
        left_out,
    })
}

/// Parses one range of a file as if it were all of it; offsets and lines stay those of the file.
pub fn parse_part(source: &Source, grammar: &Grammar, range: tree_sitter::Range) -> Option<Tree> {
    let mut parser = parser(grammar);
    parser.set_included_ranges(&[range]).ok()?;
    run(&mut parser, source.text(), &Limits::default()).ok()
}

/// What [`cost`] a text has as it stands.
pub fn cost_of(text: &[u8], grammar: &Grammar, limits: &Limits) -> usize {
    run(&mut parser(grammar), text, limits).map_or(usize::MAX, |tree| cost(&tree))
}

/// How badly a tree fits its text: the bytes the parser gave up on, and something for each place.
pub fn cost(tree: &Tree) -> usize {
    const PLACE: usize = 8;
    let outermost = errors(tree).into_iter().scan(0, |end, node| {
        let inside = node.end_byte() <= *end && !node.is_missing();
        *end = node.end_byte().max(*end);
        Some(if inside {
            0
        } else {
            PLACE + node.end_byte() - node.start_byte()
        })
    });
    outermost.sum()
}

/// Blanks the insides of functions that the parser did not find the end of. Also where it failed in them first.
fn without_bodies(rewrite: &Rewrite, tree: &Tree, errors: &[Node<'_>]) -> (Vec<u8>, Vec<usize>) {
    let mut text = rewrite.parsed.clone();
    let mut found = vec![];
    for body in &rewrite.bodies {
        let next = errors.partition_point(|error| error.start_byte() < body.start);
        let Some(error) = errors
            .get(next)
            .filter(|error| error.start_byte() < body.end)
        else {
            continue;
        };
        let (open, close) = (body.start - 1, body.end + 1);
        let node = tree.root_node().descendant_for_byte_range(open, close);
        let contained =
            node.is_some_and(|node| node.byte_range() == (open..close) && !node.is_error());
        if contained {
            continue;
        }
        found.push(error.start_byte());
        for byte in &mut text[body.clone()] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    (text, found)
}

/// The nodes the parser made up or could not place, in source order.
fn errors(tree: &Tree) -> Vec<Node<'_>> {
    let mut found = vec![];
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(node);
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn parser(grammar: &Grammar) -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&grammar.parser.into())
        .expect("grammars are built for this tree-sitter");
    parser
}

/// One run of the parser. The message of an error says which limit was hit.
fn run(parser: &mut Parser, text: &[u8], limits: &Limits) -> Result<Tree, String> {
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
        Some(tree) => Ok(tree),
        None if late => Err(format!("not parsed within {:.0?}", limits.timeout)),
        None => Err(format!("not parsed within {} steps", most * 100)),
    }
}
