//! `tokens`: what files cost a model, by each tokenizer there is.

use std::path::PathBuf;

use anyhow::Result;

use super::{Run, is_stdin};
use super::{list_types, paths, read_text, shown, threads, walk_options};
use crate::cli;
use crate::exit::{Exit, Failure, Messages};
use crate::render::tokens::{Counted, json, table};
use crate::tokens::Tokenizer;
use crate::walk::{self, Found};

/// Files a thread may be ahead of the one printed.
const WINDOW: usize = 64;

pub fn run(run: Run<'_>, arguments: &cli::Tokens) -> Result<Exit> {
    if arguments.files.type_list {
        list_types(run.out)?;
        return Ok(Exit::Answered);
    }
    let given = paths(&arguments.paths, &arguments.files, None)?;
    let found = walk::files(given, walk_options(&arguments.files)?)?;
    let asked = arguments.counting.tokenizer;
    let typed = !arguments.paths.is_empty();
    let work = |found: Found| count(&found, asked, typed, run.messages);
    let mut files = vec![];
    let mut answers = 0;
    walk::in_order(found, threads(&arguments.files), WINDOW, work, |counted| {
        let Some(counted) = counted else {
            return Ok(());
        };
        answers += 1;
        if run.global.json {
            return json(&mut *run.out, &counted);
        }
        files.push(counted);
        Ok(())
    })?;
    // Columns are as wide as their widest number.
    table(&mut *run.out, &files)?;
    let exit = run.exit(answers, 1);
    if exit == Exit::NotFound {
        let failure = Failure::not_found("no-files", "no file in a known language")
            .hint("`ast-outline languages` lists them; others are counted by name");
        run.messages.miss(&failure);
    }
    Ok(exit)
}

/// Counts one file; of any format, if it was named.
fn count(found: &Found, asked: Tokenizer, typed: bool, messages: &Messages) -> Option<Counted> {
    let error = found.error.as_ref().filter(|_| !is_stdin(&found.path));
    let source = match error {
        Some(error) => Err(Failure::new("unreadable", error.to_string()).path(&found.path)),
        None => read_text(&found.path, &found.path),
    };
    let source = match source {
        Ok(source) => source,
        Err(failure) if failure.kind == "binary" && !found.named => {
            messages.note(&failure);
            return None;
        }
        Err(failure) => {
            messages.fail(&failure);
            return None;
        }
    };
    let others = Tokenizer::ALL.into_iter().filter(|&other| other != asked);
    let tokens = [asked].into_iter().chain(others);
    Some(Counted {
        path: PathBuf::from(shown(&found.path, typed)),
        bytes: source.len(),
        lines: source.lines().into(),
        tokens: tokens
            .map(|tokenizer| (tokenizer, tokenizer.count(source.text()) as u64))
            .collect(),
    })
}
