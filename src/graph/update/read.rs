//! Files read: what each is to the graph, and the facts of those that are sources. Many at once, in their order.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;

use super::Options;
use super::roots::AllAttributes;
use crate::graph::facts::Facts;
use crate::graph::fresh::{self, Seen};
use crate::graph::resolve::{self, Rules};
use crate::graph::sorts;
use crate::graph::store::write::{FileRow, Role};
use crate::lang::detect;
use crate::source::Source;
use crate::walk;

/// Results that wait to be used, at most.
const WINDOW: usize = 64;

/// A file that was read.
pub struct Read {
    pub row: FileRow,
    /// Of a source.
    pub source: Option<(&'static Rules, Facts)>,
}

/// Does `work` on each of many things with some threads, and hands the results on in order.
///
/// # Errors
/// The first of `emit`.
pub fn each<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut emit: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let mut failed = None;
    let ended = walk::in_order(items, threads, WINDOW, work, |result| {
        emit(result).map_err(|error| {
            failed = Some(error);
            io::Error::other("the results cannot be used")
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(ended?),
    }
}

/// The texts of manifests, by their paths.
pub fn manifests(root: &Path, paths: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let read = |path: String| {
        let text = fs::read(root.join(&path)).ok()?;
        Some((path, String::from_utf8_lossy(&text).into_owned()))
    };
    paths.filter_map(read).collect()
}

/// Reads a file; none where it cannot be read.
pub fn read(
    root: &Path,
    seen: &Seen,
    attributes: &AllAttributes,
    options: &Options,
) -> Option<Read> {
    let path = root.join(&seen.path);
    let now = SystemTime::now();
    let stamp = fresh::stamp(&fs::symlink_metadata(&path).ok()?, now);
    let mut row = FileRow {
        path: seen.path.clone(),
        role: seen.role,
        stamp,
        ..FileRow::default()
    };
    if matches!(seen.role, Role::Manifest | Role::Rule) {
        row.hash = fresh::hash(&fs::read(&path).ok()?);
        return Some(Read { row, source: None });
    }
    let source = Source::read(&path).ok()?;
    row.hash = fresh::hash(source.text());
    row.lines = source.lines();
    row.flags = sorts::by_path(&seen.path) | sorts::by_header(source.text());
    row.flags |= attributes.of(&seen.path);
    let facts = facts(&path, &source, &mut row, options);
    row.role = match facts {
        Some(_) => Role::Source,
        None => Role::Skipped,
    };
    Some(Read { row, source: facts })
}

/// The facts of a source, unless it is passed over.
fn facts(
    path: &Path,
    source: &Source,
    row: &mut FileRow,
    options: &Options,
) -> Option<(&'static Rules, Facts)> {
    let passed = row.flags & (sorts::GENERATED | sorts::VENDORED) != 0 && !options.vendored;
    if passed || source.is_binary() {
        return None;
    }
    let language = detect(path, source)?;
    let rules = resolve::rules(language)?;
    let (outline, facts) = crate::graph::read(source, language, &options.limits);
    row.language = Some(language.name);
    row.damaged = !outline.complete();
    Some((rules, facts?))
}
