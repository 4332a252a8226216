//! Files, modules and packages that came, went or moved: what those want to know who keep notes on an architecture.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::line::named;
use super::{Comparison, FileDiff, Moment, Status};
use crate::model::KindClass;
use crate::outline::diff::Op;
use crate::render::header::plural;
use crate::render::text::range;
use crate::render::visible;

/// `has` says whether a version has a folder.
pub fn text(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    has: &dyn Fn(Moment, &Path) -> bool,
) -> io::Result<()> {
    let mut lines = packages(comparison, has);
    for file in comparison.shown() {
        lines.extend(file_line(comparison, file));
        lines.extend(module_lines(comparison, file));
    }
    let what = match lines.len() {
        0 => "no file, module or package came, went or moved".to_string(),
        count => plural(count, "change"),
    };
    writeln!(
        out,
        "## {}",
        visible(&format!("{} -> {}: {what}", comparison.from, comparison.to))
    )?;
    lines
        .iter()
        .try_for_each(|line| writeln!(out, "{}", visible(line)))
}

fn file_line(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> Option<String> {
    let defined = |file: &FileDiff<'_>| {
        let side = file.main().side;
        side.map_or(String::new(), |side| {
            let count = plural(side.outline.items.len(), "definition");
            format!("  ({}, {count})", side.language.name)
        })
    };
    match file.status(comparison.single) {
        Status::Modified => None,
        Status::Renamed => {
            let (before, after) = (file.before.as_ref()?.name(), file.after.as_ref()?.name());
            Some(format!("moved  file {before} -> {after}{}", defined(file)))
        }
        status => Some(format!(
            "{}  file {}{}",
            status.name(),
            file.main().name(),
            defined(file)
        )),
    }
}

/// Modules and namespaces that are written in a file.
fn module_lines(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> Vec<String> {
    let lines = file.changes.iter().filter_map(|change| {
        let old = comparison
            .definition(Moment::Before, change.before)
            .map(|one| one.item);
        let new = comparison
            .definition(Moment::After, change.after)
            .map(|one| one.item);
        let item = new
            .or(old)
            .filter(|item| item.kind.class() == KindClass::Scope)?;
        let shown = [Op::Added, Op::Removed, Op::Renamed, Op::Moved];
        let op = change.ops.iter().find(|op| shown.contains(op))?;
        let to = match (old, new) {
            (Some(old), Some(new)) if old.qualname != new.qualname => {
                format!("{} -> {}", named(old), new.qualname)
            }
            _ => named(item),
        };
        Some(format!(
            "{}  {to}  {} {}",
            op.name(),
            file.main().name(),
            range(item)
        ))
    });
    lines.collect()
}

/// Folders that one version has and the other has not; one of which a file came from moved.
fn packages(comparison: &Comparison<'_>, has: &dyn Fn(Moment, &Path) -> bool) -> Vec<String> {
    let (mut came, mut gone): (BTreeMap<PathBuf, usize>, BTreeMap<PathBuf, usize>) =
        Default::default();
    let mut moved: BTreeSet<(PathBuf, PathBuf)> = BTreeSet::new();
    let folder =
        |side: &super::FileSide<'_>| side.local.parent().unwrap_or(Path::new("")).to_path_buf();
    for file in comparison.shown() {
        let (before, after) = (
            file.before.as_ref().map(folder),
            file.after.as_ref().map(folder),
        );
        if before == after {
            continue;
        }
        let new =
            after.filter(|folder| !folder.as_os_str().is_empty() && !has(Moment::Before, folder));
        let old =
            before.filter(|folder| !folder.as_os_str().is_empty() && !has(Moment::After, folder));
        if let (Some(old), Some(new)) = (&old, &new) {
            moved.insert((old.clone(), new.clone()));
        }
        new.into_iter()
            .for_each(|folder| *came.entry(folder).or_default() += 1);
        old.into_iter()
            .for_each(|folder| *gone.entry(folder).or_default() += 1);
    }
    let mut lines = vec![];
    for (old, new) in moved {
        if came.remove(&new).is_some() {
            gone.remove(&old);
            lines.push(format!(
                "moved  package {}/ -> {}/",
                old.display(),
                new.display()
            ));
        }
    }
    let say = |(folder, files): (PathBuf, usize), op: &str| {
        format!(
            "{op}  package {}/  ({})",
            folder.display(),
            plural(files, "file")
        )
    };
    lines.extend(came.into_iter().map(|package| say(package, "added")));
    lines.extend(gone.into_iter().map(|package| say(package, "removed")));
    lines
}
