//! Reads code within a budget. `main` maps the result of `run` to an exit code and knows nothing else.

mod cache;
mod cli;
mod commands;
mod evidence;
mod exit;
mod git;
mod graph;
mod lang;
mod model;
mod outline;
mod render;
mod search;
mod source;
mod tokens;
mod view;
mod walk;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::FromArgMatches;
use clap::error::ContextKind;

use cli::Command;
use commands::Run;
use exit::{Exit, Failure, Messages};

fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let messages = Messages::new(cli.global.json, cli.global.no_messages);
    match run(&cli, &messages) {
        Ok(exit) => exit.into(),
        Err(error) if is_broken_pipe(&error) => Exit::Answered.into(),
        Err(error) => {
            let failure = error
                .downcast()
                .unwrap_or_else(|error| Failure::new("error", format!("{error:#}")));
            messages.fail(&failure);
            failure.exit.into()
        }
    }
}

/// Reads the command line. Help and version are answers; what does not parse is an error, under `--json` as JSON.
fn parse() -> Result<cli::Cli, ExitCode> {
    let parsed = cli::command()
        .try_get_matches_from(cli::respelled(std::env::args_os()))
        .and_then(|matches| cli::Cli::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let json = std::env::args_os().any(|argument| argument == "--json");
        if json && error.use_stderr() {
            let text = error.to_string();
            let message = text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("error: ");
            Messages::new(true, false).fail(&Failure::new("usage", message));
        } else if error.print().is_err() {
            // The reader of the help text is gone.
            return Exit::Answered.into();
        }
        if let Some(word) = error.get(ContextKind::InvalidSubcommand)
            && std::path::Path::new(&word.to_string()).exists()
        {
            Messages::new(json, false).hint(&render::outline_command(&word.to_string()));
        }
        // Exit code 2 of a hook would forbid an agent what it is about to do.
        let hook = std::env::args_os()
            .nth(1)
            .is_some_and(|verb| verb == "hook");
        if error.use_stderr() && !hook {
            Exit::Error.into()
        } else {
            Exit::Answered.into()
        }
    })
}

fn run(cli: &cli::Cli, messages: &Messages) -> Result<Exit> {
    if let Some(directory) = &cli.global.directory {
        std::env::set_current_dir(directory)
            .with_context(|| format!("cannot enter {}", directory.display()))?;
        render::work_in(&directory.to_string_lossy());
    }
    let mut out: Box<dyn Write> = match cli.global.quiet {
        true => Box::new(io::sink()),
        false => Box::new(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
    };
    let run = Run {
        global: &cli.global,
        messages,
        out: &mut out,
    };
    let exit = match &cli.command {
        Command::Outline(arguments) => commands::outline::run(run, arguments)?,
        Command::Region(arguments) => commands::region::run(run, arguments)?,
        Command::Symbol(arguments) => commands::symbol::run(run, arguments)?,
        Command::Search(arguments) => commands::search::run(run, arguments)?,
        Command::Read(arguments) => commands::read::run(run, arguments)?,
        Command::Diff(arguments) => commands::diff::run(run, arguments)?,
        Command::Verify(arguments) => commands::verify::run(run, arguments)?,
        Command::Tokens(arguments) => commands::tokens::run(run, arguments)?,
        Command::Prompt => commands::prompt::run(run)?,
        Command::Cache(arguments) => commands::cache::run(run, arguments)?,
        Command::Languages => commands::languages::run(run)?,
        Command::Schema(arguments) => commands::schema::run(run, arguments)?,
        Command::Index(arguments) => commands::graph::index::run(run, arguments)?,
        Command::Callers(arguments) => commands::graph::callers::run(run, arguments)?,
        Command::Callees(arguments) => commands::graph::callees::run(run, arguments)?,
        Command::Impact(arguments) => commands::graph::impact::run(run, arguments)?,
        Command::Path(arguments) => commands::graph::path::run(run, arguments)?,
        Command::Tests(arguments) => commands::graph::tested::run(run, arguments)?,
        Command::Unused(arguments) => commands::graph::unused::run(run, arguments)?,
        Command::Deps(arguments) => commands::graph::deps::deps(run, arguments)?,
        Command::Rdeps(arguments) => commands::graph::deps::rdeps(run, arguments)?,
        Command::Why(arguments) => commands::graph::why::run(run, arguments)?,
        Command::Brief(arguments) => commands::graph::brief::run(run, arguments)?,
        Command::Hook(arguments) => commands::hook::run(run, arguments)?,
        Command::Status(arguments) => commands::graph::status::run(run, arguments)?,
        Command::Tree(arguments) => commands::tree::run(run, arguments)?,
        Command::Completions(arguments) => {
            clap_complete::generate(
                arguments.shell,
                &mut cli::command(),
                "ast-outline",
                &mut out,
            );
            Exit::Answered
        }
    };
    out.flush()?;
    Ok(exit)
}

/// The reader of a pipe has seen enough: that is success.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_errors = error.chain().filter_map(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| {
            cause
                .downcast_ref::<serde_json::Error>()
                .and_then(serde_json::Error::io_error_kind)
        })
    });
    io_errors
        .into_iter()
        .any(|kind| kind == io::ErrorKind::BrokenPipe)
}
