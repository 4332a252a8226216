//! `schema`: the JSON Schema of a verb's JSON.

use anyhow::Result;

use super::Run;
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::render::schema;

pub fn run(run: Run<'_>, arguments: &cli::Schema) -> Result<Exit> {
    let known: Vec<&str> = schema::ALL.iter().map(|(verb, _)| *verb).collect();
    let Some(verb) = &arguments.verb else {
        known
            .iter()
            .try_for_each(|verb| writeln!(run.out, "{verb}"))?;
        return Ok(Exit::Answered);
    };
    let found = schema::ALL.iter().find(|(known, _)| known == verb);
    let (_, text) = found.ok_or_else(|| {
        Failure::not_found("not-found", format!("`{verb}` has no JSON"))
            .hint(format!("known are {}", known.join(", ")))
    })?;
    run.out.write_all(text.as_bytes())?;
    Ok(Exit::Answered)
}
