//! `status`: what is in the index, and from when.

use std::time::SystemTime;

use anyhow::Result;
use serde::Serialize;

use super::{Graph, root};
use crate::cli;
use crate::commands::Run;
use crate::exit::Exit;
use crate::graph::query::state::{self, State};

const SCHEMA: &str = "ast-outline.status/1";

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    root: String,
    files: u64,
    lines: u64,
    symbols: u64,
    calls: Vec<Calls>,
    uses: u64,
    unresolved: u64,
    languages: Vec<Share<'a>>,
    packages: u64,
    tests: u64,
    generated: u64,
    vendored: u64,
    damaged: u64,
    commit: Option<&'a str>,
    indexed_at: i64,
    stale: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct Calls {
    how: &'static str,
    count: u64,
}

#[derive(Serialize)]
struct Share<'a> {
    language: &'a str,
    lines: u64,
    percent: f64,
}

pub fn run(run: Run<'_>, arguments: &cli::Status) -> Result<Exit> {
    root(&arguments.path)?;
    let graph = Graph::open(&run, &arguments.path)?;
    print(run, &graph, arguments.line)
}

pub fn print(run: Run<'_>, graph: &Graph, line: bool) -> Result<Exit> {
    let state = graph.state()?;
    if line && !run.global.json {
        writeln!(run.out, "{}", one_line(&state, state::symbols(&graph.db)?))?;
        return Ok(Exit::Answered);
    }
    let state = state::counted(&graph.db, state)?;
    match run.global.json {
        true => json(run, graph, &state)?,
        false => text(run, graph, &state)?,
    }
    Ok(Exit::Answered)
}

/// `11,682 symbols | indexed 2 min ago | 3 files stale`.
fn one_line(state: &State, symbols: u64) -> String {
    format!(
        "{} symbols | indexed {} | {} stale",
        grouped(symbols),
        ago(state.indexed_at),
        files(state.stale)
    )
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_string(),
        count => format!("{} files", grouped(count as u64)),
    }
}

/// With a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How long ago, in the largest unit that there is one of.
fn ago(seconds: i64) -> String {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |now| now.as_secs() as i64);
    match now - seconds {
        age if age < 60 => "just now".to_string(),
        age if age < 3600 => format!("{} min ago", age / 60),
        age if age < 86_400 => format!("{} h ago", age / 3600),
        age => format!("{} days ago", age / 86_400),
    }
}

/// `python 92.1%, c 7.9%`, of the lines.
pub fn languages(state: &State) -> String {
    let languages = state
        .languages
        .iter()
        .map(|(language, lines)| format!("{language} {}%", percent(*lines, state.lines)));
    languages.collect::<Vec<_>>().join(", ")
}

fn percent(part: u64, whole: u64) -> f64 {
    (part as f64 / whole.max(1) as f64 * 1000.0).round() / 10.0
}

fn json(run: Run<'_>, graph: &Graph, state: &State) -> Result<()> {
    let json = Json {
        schema: SCHEMA,
        root: graph.root.display().to_string(),
        files: state.files,
        lines: state.lines,
        symbols: state.symbols,
        calls: state
            .calls
            .iter()
            .map(|&(grade, count)| Calls {
                how: grade.name(),
                count,
            })
            .collect(),
        uses: state.uses,
        unresolved: state.unresolved,
        languages: state
            .languages
            .iter()
            .map(|(language, lines)| Share {
                language,
                lines: *lines,
                percent: percent(*lines, state.lines),
            })
            .collect(),
        packages: state.packages,
        tests: state.tests,
        generated: state.generated,
        vendored: state.vendored,
        damaged: state.damaged,
        commit: state.indexed_head.as_deref(),
        indexed_at: state.indexed_at,
        stale: state.stale,
        bytes: state.size,
    };
    serde_json::to_writer(&mut *run.out, &json)?;
    writeln!(run.out)?;
    Ok(())
}

fn text(run: Run<'_>, graph: &Graph, state: &State) -> Result<()> {
    let out = run.out;
    writeln!(out, "{}", graph.root.display())?;
    writeln!(
        out,
        "files       {} ({} lines; {})",
        grouped(state.files),
        grouped(state.lines),
        languages(state)
    )?;
    writeln!(out, "symbols     {}", grouped(state.symbols))?;
    let total: u64 = state.calls.iter().map(|(_, count)| count).sum();
    let calls = state
        .calls
        .iter()
        .map(|(grade, count)| format!("{} {}", grade.name(), grouped(*count)));
    writeln!(
        out,
        "calls       {} ({})",
        grouped(total),
        calls.collect::<Vec<_>>().join(", ")
    )?;
    writeln!(out, "unresolved  {}", grouped(state.unresolved))?;
    writeln!(out, "uses        {}", grouped(state.uses))?;
    writeln!(out, "packages    {}", grouped(state.packages))?;
    writeln!(
        out,
        "flagged     {} tests, {} generated, {} vendored, {} damaged",
        grouped(state.tests),
        grouped(state.generated),
        grouped(state.vendored),
        grouped(state.damaged)
    )?;
    let head = state.indexed_head.as_deref().unwrap_or("none");
    writeln!(
        out,
        "commit      {head}, indexed {}, {} stale",
        ago(state.indexed_at),
        files(state.stale)
    )?;
    writeln!(out, "database    {} KB", grouped(state.size / 1024))?;
    Ok(())
}
