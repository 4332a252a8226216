//! `hook session`: the index brought up to date when a session starts, if that is little work; else begun in the background.
//! Says in one line what there is to ask.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::cache::Folder;
use crate::commands::graph::{root, status};
use crate::commands::threads_of;
use crate::graph::query::state::{self, State};
use crate::graph::store;
use crate::graph::update::{self, Options, Report};
use crate::outline::Limits;

/// Changed files that are read in place.
const MOST: usize = 50;

pub fn answer() -> Option<String> {
    let root = root(Path::new(".")).ok()?;
    let folder = Folder::in_root(&root);
    let known = store::path(&folder).is_file();
    // What nobody asked for is not made of a folder that is no project.
    if !known && !root.join(".git").exists() {
        return None;
    }
    match brought(&root, &folder) {
        Ok((
            state,
            Report {
                left: None, read, ..
            },
        )) => Some(line(&state, read)),
        Ok((
            _,
            Report {
                left: Some((count, _)),
                ..
            },
        )) => {
            let begun = begin(&root, &folder)?;
            Some(format!(
                "ast-outline: up to {count} files changed since the index was written; {begun}"
            ))
        }
        Err(_) => {
            let begun = begin(&root, &folder)?;
            Some(format!("ast-outline: no index of calls yet; {begun}"))
        }
    }
}

/// The graph of a tree, if it can be brought up to date at once.
fn brought(root: &Path, folder: &Folder) -> Result<(State, Report)> {
    let options = Options {
        others: None,
        threads: threads_of(None),
        vendored: false,
        most: Some(MOST),
        limits: Limits::default(),
    };
    let (db, report) = update::open(root, folder, &options)?;
    let state = state::counted(&db, state::state(&db, 0)?)?;
    Ok((state, report))
}

/// `ast-outline: python 92.1%, c 7.9%; 11,682 symbols, 45,010 calls; index up to date (3 files read)`
fn line(state: &State, read: usize) -> String {
    let languages = status::languages(state);
    let calls: u64 = state.calls.iter().map(|(_, count)| count).sum();
    let read = match read {
        0 => String::new(),
        1 => " (1 file read)".to_string(),
        read => format!(" ({read} files read)"),
    };
    format!(
        "ast-outline: {languages}; {} symbols, {} calls; index up to date{read}",
        status::grouped(state.symbols),
        status::grouped(calls)
    )
}

/// Starts `index` in the background, unless somebody is at it. Says which; none where it cannot be started.
fn begin(root: &Path, folder: &Folder) -> Option<&'static str> {
    if store::is_being_made(folder) {
        return Some("it is being made");
    }
    let mut command = Command::new(std::env::current_exe().ok()?);
    command
        .arg("index")
        .arg("--quiet")
        .arg("--no-messages")
        .arg(root);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Of a group of its own: what ends the session's does not end it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().ok()?;
    Some("it is made now, in the background")
}
