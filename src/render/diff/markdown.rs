//! A table for each file, to be posted as a review comment.

use std::io::{self, Write};

use super::{
    Comparison, Definition, FileDiff, Moment, Rung, breaks, count, counted, notes, patch, paths,
    says,
};
use crate::outline::diff::Change;
use crate::render::text::range;
use crate::render::visible;

/// A file on one rung: a table of its changes, or one line of a list.
pub fn block(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    file: &FileDiff<'_>,
    rung: Rung,
) -> io::Result<()> {
    if rung >= Rung::Counts {
        return counts(out, comparison, file);
    }
    let (came, went) = file.lines();
    let status = file.status(comparison.single).name();
    writeln!(
        out,
        "\n### {}\n\n{status}, +{came} -{went} lines\n",
        span(&paths(comparison, file))
    )?;
    if !file.changes.is_empty() {
        writeln!(out, "| change | definition | before | after | |")?;
        writeln!(out, "| --- | --- | --- | --- | --- |")?;
    }
    for change in &file.changes {
        row(out, comparison, change, rung)?;
    }
    let notes = notes::of(comparison, file);
    if !file.changes.is_empty() && !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "- {}", cell(&note.message))?;
    }
    if rung == Rung::Hunks {
        for change in &file.changes {
            hunks(out, comparison, change)?;
        }
    }
    Ok(())
}

/// ``- `src/a.py`: modified, +12 -4 lines, 2 definitions changed (1 added, 1 body)``
fn counts(out: &mut dyn Write, comparison: &Comparison<'_>, file: &FileDiff<'_>) -> io::Result<()> {
    let (came, went) = file.lines();
    writeln!(
        out,
        "- {}: {}, +{came} -{went} lines, {}",
        span(&paths(comparison, file)),
        file.status(comparison.single).name(),
        counted(file.changes.iter())
    )
}

/// The changed lines of a definition, in a fence that none of them ends.
fn hunks(out: &mut dyn Write, comparison: &Comparison<'_>, change: &Change) -> io::Result<()> {
    let lines = patch::lines(comparison, change)?;
    if lines.is_empty() {
        return Ok(());
    }
    let fence = "`".repeat(3.max(longest_ticks(&lines) + 1));
    writeln!(out, "\n{fence}diff\n{lines}{fence}")
}

fn row(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    change: &Change,
    rung: Rung,
) -> io::Result<()> {
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
    let mut said: Vec<String> = match rung {
        Rung::Hunks | Rung::Signatures => says::signatures(comparison, change),
        _ => vec![],
    };
    said.iter_mut().for_each(|text| *text = code(text));
    if rung == Rung::Names {
        let (came, went) = count(&patch::of(comparison, change));
        said.push(format!("+{came} -{went}"));
    }
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
pub fn cell(text: &str) -> String {
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

/// As code in a cell, which a bar would end.
fn code(text: &str) -> String {
    span(&text.replace('|', "\\|"))
}

/// As code, between more ticks than any inside.
pub fn span(text: &str) -> String {
    let text = visible(text);
    let longest = longest_ticks(&text);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
