//! Runs a grammar over a file, within limits that do not depend on the machine: bytes of the file, memory of its trees, work
//! (blocks allocated, pages read); wall time is only the last safety. What the grammar cannot read as it stands is read once
//! more as a hook has rewritten it.

mod later;

use std::mem::ManuallyDrop;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::memory::{self, Bounds, Stop};
use crate::lang::{Grammar, Rewrite};
use crate::model::{Lines, ProblemKind};
use crate::source::Source;

pub use later::parse_later;

/// What reading a file may cost.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Larger files are not parsed.
    pub max_bytes: u64,
    /// Bytes that trees may hold.
    pub max_tree: usize,
    /// Wall time, the last safety; what it cut is never cached.
    pub timeout: Duration,
    /// A text with errors may be read again, respelled, rewritten or mended.
    pub again: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_bytes: 16 << 20,
            max_tree: 512 << 20,
            timeout: Duration::from_secs(30),
            again: true,
        }
    }
}

/// Blocks that trees may take: about a second's work, and five times the most that any of 20,000 sources took.
const BLOCKS_AT_LEAST: u64 = 4_000_000;
const BLOCKS_PER_KB: u64 = 1_500;

/// The text is handed over in pages, so that a lexer that looks ahead again and again is seen (`\` at the end of every line of
/// Python): 189 pages for a file of 12 are the most that was seen, and a page takes 27 us.
const PAGE: usize = 4096;
const PAGES_AT_LEAST: u64 = 40_000;
const READS_PER_PAGE: u64 = 100;

/// Runs `work`, which may parse, within the limits; where that is too much, once more with nothing read twice. Nothing of
/// tree-sitter may be kept.
///
/// # Errors
/// Which limit was hit.
pub fn within<T: Send>(
    source: &Source,
    limits: &Limits,
    work: impl Fn(&Limits) -> T + Sync,
) -> Result<T, (ProblemKind, String)> {
    let bytes = source.text().len() as u64;
    if bytes > limits.max_bytes {
        let message = format!("not parsed: more than {} MB", limits.max_bytes >> 20);
        return Err((ProblemKind::Limit, message));
    }
    let bounds = Bounds {
        bytes: limits.max_tree,
        blocks: BLOCKS_AT_LEAST.max(bytes / 1024 * BLOCKS_PER_KB),
        timeout: limits.timeout,
    };
    let once = Limits {
        again: false,
        ..limits.clone()
    };
    let mut result = memory::confined(bounds, || work(limits));
    if matches!(result, Err(Stop::Bytes | Stop::Work | Stop::Broken)) {
        result = memory::confined(bounds, || work(&once));
    }
    result.map_err(|stop| {
        let (kind, why) = match stop {
            Stop::Bytes => (
                ProblemKind::Limit,
                format!(": a tree of more than {} MB", limits.max_tree >> 20),
            ),
            Stop::Work => (
                ProblemKind::Limit,
                ": far more work than a file of its size should be".to_string(),
            ),
            Stop::Broken => (
                ProblemKind::Limit,
                ": the grammar cannot cope with it".to_string(),
            ),
            Stop::Time => (
                ProblemKind::Timeout,
                format!(" within {:.0?}", limits.timeout),
            ),
            Stop::NoThread => (ProblemKind::Timeout, ": no thread to do it in".to_string()),
        };
        (kind, format!("not parsed{why}"))
    })
}

/// A file's tree and what was done to the text to get it. All offsets are those of the file.
pub struct Reading {
    /// Not taken apart: its memory goes all at once.
    pub tree: ManuallyDrop<Tree>,
    /// What was parsed, if it is not the file's text.
    pub parsed: Option<Vec<u8>>,
    /// The text names and signatures come from, if it is not the file's own.
    pub shown: Option<Source>,
    /// Text the parser did not see that belongs to the definition behind it, in source order.
    pub attached: Vec<Range<usize>>,
    /// Where the parser failed in text that was then left out.
    pub left_out: Vec<usize>,
}

/// Parses a whole file: as a hook has rewritten it, if it has one, or as it stands. Where that has errors, other ways to
/// read the file are tried, and the one that fits its text best is taken.
pub fn parse(source: &Source, grammar: &Grammar, limits: &Limits) -> Box<Reading> {
    Box::new(match grammar.hooks.rewrite {
        Some(rewrite) => parse_rewritten(source, rewrite(source.text()), grammar, limits),
        None => parse_as_it_stands(source, grammar, limits),
    })
}

/// The file as it stands; where it has errors, once more with what the grammar does not know respelled.
fn parse_as_it_stands(source: &Source, grammar: &Grammar, limits: &Limits) -> Reading {
    let text = source.text();
    let tree = run(&mut parser(grammar), text);
    let mut reading = Reading {
        tree: ManuallyDrop::new(tree),
        parsed: None,
        shown: None,
        attached: vec![],
        left_out: vec![],
    };
    if limits.again
        && reading.tree.root_node().has_error()
        && let Some(other) = (grammar.hooks.respell)(text)
    {
        let better = run(&mut parser(grammar), &other);
        if cost(&better) < cost(&reading.tree) {
            (reading.tree, reading.parsed) = (ManuallyDrop::new(better), Some(other));
        }
    }
    reading
}

/// The file as its preprocessor would leave it; where that has errors, without the insides of broken functions, or as it
/// stands.
fn parse_rewritten(
    source: &Source,
    rewrite: Rewrite,
    grammar: &Grammar,
    limits: &Limits,
) -> Reading {
    let mut tree = run(&mut parser(grammar), &rewrite.parsed);
    let mut left_out = vec![];
    if limits.again && tree.root_node().has_error() {
        let (text, found) = without_bodies(&rewrite, &tree, &errors(&tree), grammar);
        if !found.is_empty() {
            let again = run(&mut parser(grammar), &text);
            if cost(&again) < cost(&tree) {
                (tree, left_out) = (again, found);
            }
        }
    }
    if limits.again && tree.root_node().has_error() {
        let plain = run(&mut parser(grammar), &rewrite.plain);
        if cost(&plain) < cost(&tree) {
            let shown = Some(source.with_text(rewrite.plain.clone()));
            return Reading {
                tree: ManuallyDrop::new(plain),
                parsed: Some(rewrite.plain),
                shown,
                attached: vec![],
                left_out: vec![],
            };
        }
    }
    let Rewrite {
        shown,
        parsed,
        attached,
        ..
    } = rewrite;
    Reading {
        tree: ManuallyDrop::new(tree),
        parsed: Some(parsed),
        shown: Some(source.with_text(shown)),
        attached,
        left_out,
    }
}

/// Parses one range of a file as if it were all of it; offsets and lines stay those of the file.
pub fn parse_part(source: &Source, grammar: &Grammar, range: tree_sitter::Range) -> Option<Tree> {
    let mut parser = parser(grammar);
    parser.set_included_ranges(&[range]).ok()?;
    Some(run(&mut parser, source.text()))
}

/// What [`cost`] a text has as it stands, or respelled where that is better.
pub fn cost_of(text: &[u8], grammar: &Grammar) -> usize {
    let as_it_stands = cost(&run(&mut parser(grammar), text));
    if as_it_stands == 0 {
        return 0;
    }
    let respelled = (grammar.hooks.respell)(text);
    respelled.map_or(as_it_stands, |text| {
        as_it_stands.min(cost(&run(&mut parser(grammar), &text)))
    })
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

/// The first and the last line of each place that does not parse.
pub fn places(tree: &Tree) -> Vec<Lines> {
    let line = |point: tree_sitter::Point| point.row as u32 + 1;
    let place = |node: Node| Lines {
        start: line(node.start_position()),
        end: line(node.end_position()),
    };
    errors(tree).into_iter().map(place).collect()
}

/// Blanks the insides of functions that the parser did not find the end of. Also where it failed in them first.
/// It may have been lost before: a function that it can read by itself stays.
fn without_bodies(
    rewrite: &Rewrite,
    tree: &Tree,
    errors: &[Node<'_>],
    grammar: &Grammar,
) -> (Vec<u8>, Vec<usize>) {
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
        if contained || reads_alone(&rewrite.parsed[open..close], grammar) {
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

/// Whether a block has no errors without what stands around it.
fn reads_alone(block: &[u8], grammar: &Grammar) -> bool {
    !run(&mut parser(grammar), block).root_node().has_error()
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
    let mut parser = memory::parser();
    parser
        .set_language(&grammar.parser.into())
        .expect("grammars are built for this tree-sitter");
    parser
}

/// One run of the parser. Where it is too much, it does not return.
fn run(parser: &mut Parser, text: &[u8]) -> Tree {
    run_from(parser, text, None)
}

/// The same from the tree of an earlier version that was told of the edits.
fn run_from(parser: &mut Parser, text: &[u8], earlier: Option<&Tree>) -> Tree {
    let most = PAGES_AT_LEAST.max((text.len() / PAGE) as u64 * READS_PER_PAGE);
    let (mut calls, mut reads) = (0u64, 0);
    let mut progress = |_: &tree_sitter::ParseState| {
        calls += 1;
        // The clock is read at every 16th call: a call comes every 10 us or so.
        if calls % 16 == 0 {
            memory::check_time();
        }
        ControlFlow::Continue(())
    };
    let mut read = |at: usize, _| {
        reads += 1;
        if reads > most {
            memory::give_up(Stop::Work);
        }
        &text[at.min(text.len())..(at + PAGE).min(text.len())]
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, earlier, Some(options));
    tree.expect("nothing stops a parser that has a language")
}
