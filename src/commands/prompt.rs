//! `prompt`: what to tell a coding agent about the program, for the file of instructions that it reads.
//!
//! Plain facts, since agents take orders in what they read for an attack; under 200 tokens, since it is paid for in every
//! session.

use anyhow::Result;
use serde::Serialize;

use super::Run;
use crate::exit::Exit;

const TEXT: &str = include_str!("prompt.md");

#[derive(Serialize)]
struct JsonPrompt {
    schema: &'static str,
    content: &'static str,
}

pub fn run(run: Run<'_>) -> Result<Exit> {
    if run.global.json {
        let answer = JsonPrompt {
            schema: "ast-outline.prompt/1",
            content: TEXT,
        };
        serde_json::to_writer(&mut *run.out, &answer)?;
        writeln!(run.out)?;
    } else {
        run.out.write_all(TEXT.as_bytes())?;
    }
    Ok(Exit::Answered)
}
