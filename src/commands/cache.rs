//! `cache`: what is remembered of files, and forgetting it.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use anyhow::Result;
use serde::Serialize;

use super::Run;
use crate::cache::{Cache, Folder};
use crate::cli::{self, CacheAction};
use crate::exit::{Exit, Failure};
use crate::render::visible;

const SCHEMA: &str = "ast-outline.cache/1";

#[derive(Serialize)]
struct Stat<'a> {
    schema: &'static str,
    action: &'static str,
    folder: &'a str,
    exists: bool,
    /// Paths whose outline is known.
    files: usize,
    /// Outlines; files of equal content share one.
    outlines: usize,
    bytes: u64,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<u64>,
}

#[derive(Serialize)]
struct Clean<'a> {
    schema: &'static str,
    action: &'static str,
    folder: &'a str,
    removed: Vec<String>,
    bytes: u64,
}

pub fn run(run: Run<'_>, arguments: &cli::Cache) -> Result<Exit> {
    let (CacheAction::Stat(place) | CacheAction::Clean(place)) = &arguments.action;
    let folder = Folder::locate(place.cache_dir.as_deref(), place.path.as_deref())?;
    match &arguments.action {
        CacheAction::Stat(_) => stat(run, folder),
        CacheAction::Clean(_) => clean(run, &folder),
    }
}

fn stat(run: Run<'_>, folder: Folder) -> Result<Exit> {
    let path = folder.path.to_string_lossy().into_owned();
    let (exists, bytes) = (folder.path.is_dir(), total(&folder.files()));
    let cache = Cache::open(folder)?;
    let (files, outlines) = cache.len();
    let written = cache
        .written()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let answer = Stat {
        schema: SCHEMA,
        action: "stat",
        folder: &path,
        exists,
        files,
        outlines,
        bytes,
        written: written.map(|time| time.as_secs()),
    };
    if run.global.json {
        serde_json::to_writer(&mut *run.out, &answer)?;
        writeln!(run.out)?;
    } else if exists {
        writeln!(
            run.out,
            "{}: {files} files, {outlines} outlines, {bytes} bytes",
            visible(&path)
        )?;
    } else {
        writeln!(run.out, "{}: nothing yet", visible(&path))?;
    }
    Ok(Exit::Answered)
}

fn clean(run: Run<'_>, folder: &Folder) -> Result<Exit> {
    let failed =
        |error: std::io::Error| Failure::new("unwritable", error.to_string()).path(&folder.path);
    let removed = folder.clean().map_err(failed)?;
    let path = folder.path.to_string_lossy();
    let bytes = total(&removed);
    if run.global.json {
        let names = removed
            .iter()
            .map(|(path, _)| path.to_string_lossy().into_owned());
        let answer = Clean {
            schema: SCHEMA,
            action: "clean",
            folder: &path,
            removed: names.collect(),
            bytes,
        };
        serde_json::to_writer(&mut *run.out, &answer)?;
        writeln!(run.out)?;
    } else {
        writeln!(
            run.out,
            "{}: {} files removed, {bytes} bytes",
            visible(&path),
            removed.len()
        )?;
    }
    Ok(Exit::Answered)
}

fn total(files: &[(PathBuf, u64)]) -> u64 {
    files.iter().map(|(_, bytes)| bytes).sum()
}
