//! What changed between two versions, as text: one line a change, old and new signature one under the other, on rungs of a
//! ladder from changed lines to one line in all. Each rung is a function of the comparison alone.

mod form;
pub mod json;
mod line;
mod markdown;
pub mod modules;
mod notes;
mod patch;
mod says;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use super::header::plural;
use super::visible;
use crate::evidence::{Hunk, short_hash};
use crate::git::Identity;
use crate::model::{Item, ItemId, Lines};
use crate::outline::diff::{Change, Node, Op, Pair, Side};
use crate::source::{Source, Version};

pub use form::Form;
pub use json::Line;
pub use says::{breaks, facts};

/// How much is shown, finest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// The changed lines of each changed definition.
    Hunks,
    /// Old and new signatures.
    Signatures,
    /// Names, and how many lines came and went.
    Names,
    /// How many changes in each file.
    Counts,
    /// One line.
    Total,
}

impl Rung {
    pub const ALL: [Rung; 5] = [
        Rung::Hunks,
        Rung::Signatures,
        Rung::Names,
        Rung::Counts,
        Rung::Total,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rung::Hunks => "hunks",
            Rung::Signatures => "signatures",
            Rung::Names => "names",
            Rung::Counts => "counts",
            Rung::Total => "total",
        }
    }
}

/// How much of a file only finer rungs tell.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told {
    /// Of changed lines.
    pub hunks: usize,
    /// Changes of which more is said than the name.
    pub signatures: usize,
    pub definitions: usize,
    pub notes: usize,
}

impl Comparison<'_> {
    /// What there is to tell of a file.
    pub fn told(&self, file: &FileDiff<'_>) -> Told {
        let changes = || file.changes.iter();
        let said = changes().filter(|change| !says::signatures(self, change).is_empty());
        Told {
            hunks: changes().map(|change| patch::of(self, change).len()).sum(),
            signatures: said.count(),
            definitions: file.changes.len(),
            notes: notes::of(self, file).len(),
        }
    }
}

/// One of the two versions, as it was asked for and by its commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    pub id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Before,
    After,
}

/// Everything that changed between two versions.
pub struct Comparison<'a> {
    pub from: Label,
    pub to: Label,
    /// Two files that were named.
    pub single: bool,
    /// All files that differ, as [`Comparison::pairs`] has them.
    pub files: Vec<FileDiff<'a>>,
    pub pairs: &'a [Pair<'a>],
    /// Whether pointers are printed.
    pub evidence: bool,
}

/// What changed in one file.
pub struct FileDiff<'a> {
    pub before: Option<FileSide<'a>>,
    pub after: Option<FileSide<'a>>,
    pub hunks: &'a [Hunk],
    /// Git has both sides of a merge.
    pub unmerged: bool,
    pub changes: Vec<Change>,
    /// Definitions that differ in layout or comments only.
    pub layout: Vec<(ItemId, ItemId)>,
    pub shifted: u32,
    /// Of the earlier version and of the later one.
    pub unclear: [Vec<ItemId>; 2],
    /// Only some changes were asked for: a file without any of them is not shown.
    pub filtered: bool,
}

/// One version of a file.
pub struct FileSide<'a> {
    pub path: &'a Path,
    /// The same from the folder that was named.
    pub local: &'a Path,
    pub source: Option<&'a Source>,
    /// What is defined in it, where its format is known.
    pub side: Option<&'a Side>,
    /// What there is in place of text.
    pub plain: Option<&'a Plain>,
    pub identity: Option<&'a Identity>,
}

/// What is no text.
#[derive(Clone, PartialEq, Eq)]
pub enum Plain {
    /// With its size in bytes.
    Binary(Version, u64),
    Link(String),
    /// The commit, where it is known.
    Submodule(Option<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Added,
    Removed,
    Renamed,
    Modified,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Added => "added",
            Status::Removed => "removed",
            Status::Renamed => "renamed",
            Status::Modified => "modified",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) if *id != self.name => write!(f, "{} {id}", self.name),
            _ => f.write_str(&self.name),
        }
    }
}

impl<'a> FileDiff<'a> {
    /// The later version, or the only one.
    pub fn main(&self) -> &FileSide<'a> {
        let side = self.after.as_ref().or(self.before.as_ref());
        side.expect("a file is in one of two versions")
    }

    pub fn side(&self, moment: Moment) -> Option<&FileSide<'a>> {
        match moment {
            Moment::Before => self.before.as_ref(),
            Moment::After => self.after.as_ref(),
        }
    }

    pub fn status(&self, single: bool) -> Status {
        match (&self.before, &self.after) {
            (None, _) => Status::Added,
            (_, None) => Status::Removed,
            (Some(before), Some(after)) if before.local != after.local && !single => {
                Status::Renamed
            }
            _ => Status::Modified,
        }
    }

    /// Lines that came and lines that went.
    pub fn lines(&self) -> (u32, u32) {
        count(self.hunks)
    }
}

pub fn count(hunks: &[Hunk]) -> (u32, u32) {
    let lines = hunks
        .iter()
        .map(|hunk| (hunk.after.len() as u32, hunk.before.len() as u32));
    lines.fold((0, 0), |(came, went), (more, less)| {
        (came + more, went + less)
    })
}

impl FileSide<'_> {
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// A pointer to some lines.
    pub fn pointer(&self, lines: Lines) -> Option<String> {
        let (source, identity) = (self.source?, self.identity?);
        Some(
            identity
                .pointer(lines, short_hash(source, lines))
                .to_string(),
        )
    }
}

/// A definition as it was or is.
#[derive(Clone, Copy)]
pub struct Definition<'a> {
    pub item: &'a Item,
    pub side: &'a Side,
    pub node: Node,
}

impl<'a> Comparison<'a> {
    /// The files that answers speak of.
    pub fn shown(&self) -> impl Iterator<Item = &FileDiff<'a>> {
        let shown = |file: &&FileDiff<'_>| !file.filtered || !file.changes.is_empty();
        self.files.iter().filter(shown)
    }

    pub fn definition(&self, moment: Moment, node: Option<Node>) -> Option<Definition<'_>> {
        definition(self.pairs, moment, node)
    }

    /// The file a definition stands in, where it is another than the one it is listed in.
    pub fn elsewhere(&self, moment: Moment, change: &Change, listed: usize) -> Option<String> {
        let node = match moment {
            Moment::Before => change.before,
            Moment::After => change.after,
        }?;
        (node.file != listed).then(|| self.path_of(moment, node))?
    }

    fn path_of(&self, moment: Moment, node: Node) -> Option<String> {
        Some(self.files.get(node.file)?.side(moment)?.name())
    }
}

pub fn definition<'a>(
    pairs: &'a [Pair<'a>],
    moment: Moment,
    node: Option<Node>,
) -> Option<Definition<'a>> {
    let node = node?;
    let pair = pairs.get(node.file)?;
    let side = match moment {
        Moment::Before => pair.before,
        Moment::After => pair.after,
    }?;
    Some(Definition {
        item: side.item(node.item),
        side,
        node,
    })
}

/// Paths of files with changes, one a line or each with a NUL behind it.
pub fn names(out: &mut dyn Write, comparison: &Comparison<'_>, nul: bool) -> io::Result<()> {
    for file in comparison.shown() {
        let path = file.main().path;
        match nul {
            true => {
                out.write_all(
                    super::path_bytes(path).unwrap_or(path.display().to_string().as_bytes()),
                )?;
                out.write_all(b"\0")?;
            }
            false => writeln!(out, "{}", visible(&path.display().to_string()))?,
        }
    }
    Ok(())
}

/// One file on one rung of the ladder.
fn text_block(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    file: &FileDiff<'_>,
    rung: Rung,
) -> io::Result<()> {
    if rung >= Rung::Counts {
        return writeln!(out, "{}", visible(&counts(comparison, file)));
    }
    if !comparison.single {
        writeln!(out, "\n## {}", visible(&heading(comparison, file)))?;
    }
    for change in &file.changes {
        line::write(out, comparison, change, rung)?;
    }
    notes::text(out, comparison, file)
}

/// `HEAD 3fa9c1d2e4b5 -> working tree: 3 files, 5 definitions changed (1 added, 4 body), +12 -4 lines`
pub fn total(comparison: &Comparison<'_>) -> String {
    let files: Vec<&FileDiff<'_>> = comparison.shown().collect();
    let changes = files.iter().flat_map(|file| &file.changes);
    let (came, went) = files
        .iter()
        .map(|file| file.lines())
        .fold((0, 0), |(came, went), (more, less)| {
            (came + more, went + less)
        });
    let what = match (files.as_slice(), comparison.single) {
        ([file], true) => format!(" ({})", facts_of_file(file).join(", ")),
        _ => String::new(),
    };
    let counted = match (files.len(), comparison.single) {
        (0, _) => "nothing changed".to_string(),
        (_, true) => counted(changes),
        (count, false) => format!("{}, {}", plural(count, "file"), counted(changes)),
    };
    let lines = if files.is_empty() {
        String::new()
    } else {
        format!(", +{came} -{went} lines")
    };
    format!(
        "{} -> {}{what}: {counted}{lines}",
        comparison.from, comparison.to
    )
}

/// `2 definitions changed (1 added, 1 body)`
pub fn counted<'c>(changes: impl Iterator<Item = &'c Change>) -> String {
    let changes: Vec<&Change> = changes.collect();
    let each = each_op(changes.iter().copied());
    let each: Vec<String> = each.map(|(op, count)| format!("{count} {op}")).collect();
    match changes.len() {
        0 => "no definition changed".to_string(),
        count => format!(
            "{} changed ({})",
            plural(count, "definition"),
            each.join(", ")
        ),
    }
}

/// The operations that changes have, and how many have each.
fn each_op<'c>(
    changes: impl IntoIterator<Item = &'c Change> + Clone,
) -> impl Iterator<Item = (&'static str, usize)> {
    let count = move |op: Op| {
        let changes = changes.clone().into_iter();
        (op.name(), changes.filter(|change| change.has(op)).count())
    };
    let each = Op::ALL.iter().map(move |&op| count(op));
    each.filter(|(_, count)| *count > 0)
}

/// Language and versions.
fn facts_of_file(file: &FileDiff<'_>) -> Vec<String> {
    let mut facts = vec![];
    let language = file.main().side.map(|side| side.language.name.to_string());
    facts.extend(language);
    let version = |side: &FileSide<'_>| side.source.map(|source| source.version().to_string());
    let versions = (
        file.before.as_ref().and_then(version),
        file.after.as_ref().and_then(version),
    );
    facts.extend(match versions {
        (Some(old), Some(new)) if old == new => Some(format!("version {new}")),
        (Some(old), Some(new)) => Some(format!("versions {old} -> {new}")),
        (one, other) => one.or(other).map(|one| format!("version {one}")),
    });
    facts
}

/// `src/a.py (python, versions 3fa9c1d2e4b5 -> 8c2524491398, +12 -4 lines)`
fn heading(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> String {
    let mut facts = facts_of_file(file);
    let status = file.status(comparison.single);
    if matches!(status, Status::Added | Status::Removed) {
        facts.insert(0, status.name().to_string());
    }
    let (came, went) = file.lines();
    if file.main().plain.is_none() {
        facts.push(format!("+{came} -{went} lines"));
    }
    if facts.is_empty() {
        return paths(comparison, file);
    }
    format!("{} ({})", paths(comparison, file), facts.join(", "))
}

/// The path, or both where it was another.
pub fn paths(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> String {
    match (&file.before, &file.after) {
        (Some(before), Some(after)) if file.status(comparison.single) == Status::Renamed => {
            format!("{} -> {}", before.name(), after.name())
        }
        _ => file.main().name(),
    }
}

/// `src/a.py  +12 -4  1 added, 2 body`
fn counts(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> String {
    let (came, went) = file.lines();
    let status = match file.status(comparison.single) {
        Status::Modified | Status::Renamed => String::new(),
        status => format!(" {},", status.name()),
    };
    let counted = counted(file.changes.iter());
    format!(
        "{}  +{came} -{went} {status} {counted}",
        paths(comparison, file)
    )
}
