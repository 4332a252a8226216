//! `brief`: what the rest of the tree wants of a file, in at most 100 tokens.

use std::path::Path;

use anyhow::Result;
use rusqlite::Connection;

use super::{Graph, root, shown_from};
use crate::cache::Folder;
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::fresh;
use crate::graph::paths::relative;
use crate::graph::query::brief::{self, Brief, File};
use crate::graph::store;
use crate::render::graph::brief::Briefing;

/// Calls that may be named: the files of these are looked at.
const NAMED: usize = 3;

pub fn run(run: Run<'_>, arguments: &cli::Brief) -> Result<Exit> {
    let Some((graph, file)) = find(&run, &arguments.file)? else {
        let message = "not in the index: no source of calls, generated, vendored or ignored";
        return Err(Failure::not_found("not-indexed", message)
            .path(&arguments.file)
            .into());
    };
    let brief = brief::brief(&graph.db, &file)?;
    let shown = shown_from(&graph.root, &std::env::current_dir()?);
    let briefing = Briefing {
        file: &file,
        brief: &brief,
        stale: graph
            .report
            .left
            .map(|_| "stale: files changed since the index was written"),
        shown: &shown,
    };
    match (run.global.json, briefing.text()) {
        (true, _) => briefing.json(run.out)?,
        (false, text) if text.is_empty() => {
            let message =
                "nothing outside calls or needs it, and nothing in it is exported for nothing";
            run.messages
                .miss(&Failure::not_found("nothing-to-say", message).path(&arguments.file));
            return Ok(Exit::NotFound);
        }
        (false, text) => writeln!(run.out, "{text}")?,
    }
    Ok(Exit::Answered)
}

/// The graph that knows a file: that of the working directory, which may be of several roots, else that of the file.
fn find(run: &Run<'_>, asked: &Path) -> Result<Option<(Graph, File)>> {
    let own = root(asked)?;
    let path = std::fs::canonicalize(asked)?;
    let here = root(Path::new("."))?;
    let indexed = store::path(&Folder::in_root(&here)).is_file();
    let here = Some(here).filter(|here| indexed && *here != own);
    for root in here.into_iter().chain([own]) {
        let graph = Graph::open(run, &root)?;
        if let Some(file) = brief::file(&graph.db, &relative(&graph.root, &path))? {
            return Ok(Some((graph, file)));
        }
    }
    Ok(None)
}

/// What is known to be out of date in what may be said of a file: looks at it and at the few files that may be named.
pub fn stale(
    db: &Connection,
    root: &Path,
    file: &File,
    brief: &Brief,
) -> rusqlite::Result<Option<&'static str>> {
    let current = |file: &File| fresh::is_current(&root.join(&file.path), file.stamp, &file.hash);
    if !current(file) {
        return Ok(Some("stale: edited since it was indexed"));
    }
    let called = brief.called.iter().take(NAMED);
    let mut paths: Vec<&str> = called
        .flat_map(|called| called.calls.iter().take(NAMED))
        .map(|site| &*site.path)
        .collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        if brief::file(db, path)?.is_some_and(|file| !current(&file)) {
            return Ok(Some("stale: callers edited since they were indexed"));
        }
    }
    Ok(None)
}
