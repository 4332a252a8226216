//! A table for each file, to be posted as a review comment.

use std::io::{self, Write};

use super::{Comparison, Definition, FileDiff, Moment, breaks, notes, paths, says, total};
use crate::outline::diff::Change;
use crate::render::text::range;
use crate::render::visible;

pub fn tables(out: &mut dyn Write, comparison: &Comparison<'_>) -> io::Result<()> {
    writeln!(out, "**{}**", cell(&total(comparison)))?;
    for file in comparison.shown() {
        table(out, comparison, file)?;
    }
    Ok(())
}

fn table(out: &mut dyn Write, comparison: &Comparison<'_>, file: &FileDiff<'_>) -> io::Result<()> {
    let (came, went) = file.lines();
    let status = file.status(comparison.single).name();
    writeln!(
        out,
        "\n### {}\n\n{status}, +{came} -{went} lines\n",
        code(&paths(comparison, file))
    )?;
    if !file.changes.is_empty() {
        writeln!(out, "| change | definition | before | after | |")?;
        writeln!(out, "| --- | --- | --- | --- | --- |")?;
    }
    for change in &file.changes {
        row(out, comparison, change)?;
    }
    let notes = notes::of(comparison, file);
    if !file.changes.is_empty() && !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "- {}", cell(&note.message))?;
    }
    Ok(())
}

fn row(out: &mut dyn Write, comparison: &Comparison<'_>, change: &Change) -> io::Result<()> {
    let ops: Vec<&str> = change.ops.iter().map(|op| op.name()).collect();
    let old = comparison.definition(Moment::Before, change.before);
    let new = comparison.definition(Moment::After, change.after);
    let name = match (old, new) {
        (Some(old), Some(new)) if old.item.qualname != new.item.qualname => {
            format!(
                "{} → {}",
                code(&old.item.qualname),
                code(&new.item.qualname)
            )
        }
        (old, new) => new
            .or(old)
            .map_or(String::new(), |one| code(&one.item.qualname)),
    };
    let kind = new.or(old).map_or("", |one| one.item.kind.name());
    let listed = change.after.or(change.before).map_or(0, |node| node.file);
    let place = |moment, one: Option<Definition<'_>>| {
        let range = one.map_or(String::new(), |one| range(one.item));
        match comparison.elsewhere(moment, change, listed) {
            Some(path) => format!("{} {range}", code(&path)),
            None => range,
        }
    };
    let why = breaks(comparison.pairs, change)
        .map_or(String::new(), |why| format!("**breaking: {why}** "));
    let said: Vec<String> = says::signatures(comparison, change)
        .iter()
        .map(|text| code(text))
        .collect();
    writeln!(
        out,
        "| {} | {kind} {name} | {} | {} | {why}{} |",
        ops.join(", "),
        place(Moment::Before, old),
        place(Moment::After, new),
        said.join("<br>")
    )
}

/// Text that stays in its cell and means nothing to Markdown.
fn cell(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' | '@'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// As code: only the bar that ends a cell needs an escape, and a fence longer than any inside.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}
