//! What stands around the answers about several files within a budget: a first line or a last one, and files by the count.

use std::io::{self, Write};

use super::header::plural;
use super::{Declared, Elided, Totals, visible};

/// All files of an answer.
pub struct Total {
    /// The paths asked for.
    pub roots: String,
    pub files: usize,
    pub definitions: usize,
    /// That all files are shown in at least.
    pub view: &'static str,
}

/// Files of one folder that are not listed.
pub struct Counted {
    pub path: String,
    pub files: usize,
    pub definitions: usize,
    /// Lists them.
    pub command: String,
}

/// `## src (58 files, 912 definitions, view names, 1890 of 20113 tokens (o200k), budget 2000, 40 files left out)`
///
/// # Errors
/// Those of the writer.
pub fn head(out: &mut dyn Write, total: &Total, declared: &Declared) -> io::Result<()> {
    let facts = [
        plural(total.files, "file"),
        plural(total.definitions, "definition"),
        declared.facts(total.view),
    ];
    writeln!(out, "## {} ({})", visible(&total.roots), facts.join(", "))
}

/// A line for each folder: `... src/render  9 more files, 340 definitions  (ast-outline outline src/render)`
///
/// # Errors
/// Those of the writer.
pub fn lines(out: &mut dyn Write, counted: &[Counted]) -> io::Result<()> {
    counted.iter().try_for_each(|folder| {
        let files = plural(folder.files, "more file");
        let definitions = plural(folder.definitions, "definition");
        let (path, command) = (visible(&folder.path), visible(&folder.command));
        writeln!(out, "... {path}  {files}, {definitions}  ({command})")
    })
}

/// The last line in JSON.
///
/// # Errors
/// Those of the writer.
pub fn end(
    out: &mut dyn Write,
    total: &Total,
    counted: &[Counted],
    declared: &Declared,
) -> io::Result<()> {
    let elided = counted.iter().map(|folder| Elided {
        path: Some(folder.path.clone()),
        definitions: Some(folder.definitions),
        command: Some(folder.command.clone()),
        ..Elided::new("files", folder.files)
    });
    declared.end(
        out,
        Totals::of_files(total.files),
        total.view,
        elided.collect(),
    )
}
