//! `index`: brings the graph of a tree up to date; `--edges` prints its calls, one a line.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;
use serde::Serialize;

use super::Graph;
use crate::cli;
use crate::commands::{Run, threads_of};
use crate::exit::{Exit, Failure};
use crate::graph::query::{self, EdgeRow};
use crate::graph::update::Options;
use crate::outline::Limits;

/// An edge as `--edges` prints it.
#[derive(Serialize)]
struct Line<'a> {
    caller: &'a str,
    callee: &'a str,
    line: u32,
    how: &'static str,
    conf: f64,
    caller_kind: &'static str,
    callee_kind: &'static str,
    caller_line: u32,
    callee_line: u32,
    test: bool,
    dead: bool,
}

pub fn run(run: Run<'_>, arguments: &cli::Index) -> Result<Exit> {
    let asked = arguments
        .paths
        .first()
        .cloned()
        .unwrap_or_else(|| PathBuf::from("."));
    let root = folder(&asked)?;
    let others: Vec<PathBuf> = arguments
        .paths
        .iter()
        .skip(1)
        .map(|other| folder(other))
        .collect::<Result<_>>()?;
    let options = Options {
        others: (!others.is_empty()).then_some(others),
        threads: threads_of(arguments.threads),
        vendored: arguments.vendored,
        most: None,
        limits: Limits::default(),
    };
    let graph = Graph::open_at(&run, root, &options)?;
    if arguments.edges {
        print(run.out, &graph.db)?;
        return Ok(Exit::Answered);
    }
    super::status::print(run, &graph, false)
}

/// The real path of a folder.
fn folder(path: &Path) -> Result<PathBuf> {
    let failed = |why: String| Failure::new("unreadable", why).path(path);
    let real = std::fs::canonicalize(path).map_err(|error| failed(error.to_string()))?;
    match real.is_dir() {
        true => Ok(real),
        false => Err(failed("not a folder".to_string()).into()),
    }
}

fn print(out: &mut dyn io::Write, db: &Connection) -> Result<()> {
    query::edges(db, |edge| {
        serde_json::to_writer(&mut *out, &line(&edge))?;
        writeln!(out)?;
        Ok(())
    })
}

fn line(edge: &EdgeRow) -> Line<'_> {
    Line {
        caller: &edge.caller,
        callee: &edge.callee,
        line: edge.line,
        how: edge.grade.name(),
        conf: edge.grade.confidence(),
        caller_kind: edge.caller_kind.name(),
        callee_kind: edge.callee_kind.name(),
        caller_line: edge.caller_line,
        callee_line: edge.callee_line,
        test: edge.test,
        dead: edge.dead,
    }
}
