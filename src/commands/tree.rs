//! `tree`: the syntax tree of a file, for those who write patterns; `--explain` names the pattern that matched.

use std::io::{self, Write};

use anyhow::Result;
use tree_sitter::Tree;

use super::{Opened, Run, limits, open_text, unknown_format};
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::graph;
use crate::lang::rules::Rules;
use crate::outline::{parse, within};
use crate::render::visible;
use crate::source::Source;

/// Longest text of a leaf shown, in characters.
const MAX_LEAF: usize = 60;
/// Levels that are indented: deeper trees would take the square of their depth.
const MAX_INDENT: usize = 100;

pub fn run(run: Run<'_>, arguments: &cli::Tree) -> Result<Exit> {
    let Opened {
        source,
        path,
        language,
    } = open_text(&arguments.path, &arguments.reading)?;
    let language = language.ok_or_else(|| unknown_format(&path))?;
    let Some(grammar) = language.grammar() else {
        let message = format!(
            "{} is read without a grammar: there is no tree",
            language.name
        );
        return Err(Failure::not_found("no-tree", message).path(&path).into());
    };
    if arguments.facts {
        let (_, facts) = graph::read(&source, language, &limits(&arguments.reading));
        let Some(facts) = facts else {
            let message = format!("{} has no calls", language.name);
            return Err(Failure::not_found("no-facts", message).path(&path).into());
        };
        write!(run.out, "{}", facts)?;
        return Ok(Exit::Answered);
    }
    let printed = within(&source, &limits(&arguments.reading), |limits| {
        let reading = parse(&source, grammar, limits);
        let mut text = vec![];
        print(
            &mut text,
            &source,
            &reading.tree,
            arguments.explain.then(|| grammar.rules()),
        )
        .map(|()| text)
    });
    let text =
        printed.map_err(|(_, message)| Failure::not_found("limit", message).path(&path))??;
    run.out.write_all(&text)?;
    Ok(Exit::Answered)
}

/// One node a line, in source order, without recursion: trees are as deep as files say.
fn print(
    out: &mut dyn Write,
    source: &Source,
    tree: &Tree,
    rules: Option<&Rules>,
) -> io::Result<()> {
    let mut cursor = tree.walk();
    let mut depth = 0;
    let mut hits = vec![];
    loop {
        let node = cursor.node();
        if node.is_named() || node.is_missing() {
            let (from, to) = (node.start_position(), node.end_position());
            write!(out, "{:indent$}", "", indent = 2 * depth.min(MAX_INDENT))?;
            if let Some(field) = cursor.field_name() {
                write!(out, "{field}: ")?;
            }
            let missing = if node.is_missing() { "MISSING " } else { "" };
            write!(
                out,
                "({missing}{}) {}:{}-{}:{}",
                node.kind(),
                from.row + 1,
                from.column + 1,
                to.row + 1,
                to.column + 1
            )?;
            if node.child_count() == 0 {
                let text: String = source
                    .str(node.byte_range())
                    .chars()
                    .take(MAX_LEAF)
                    .collect();
                write!(out, " `{}`", visible(&text))?;
            }
            hits.clear();
            if rules.is_some_and(|rules| rules.find(node, &mut hits)) {
                write!(
                    out,
                    "  <- {}",
                    hits[0]
                        .rule
                        .text
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" ")
                )?;
            }
            writeln!(out)?;
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
            depth -= 1;
        }
    }
}
