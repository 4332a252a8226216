//! `languages`: what can be read, and how its files are known.

use anyhow::Result;
use serde::Serialize;

use super::Run;
use crate::exit::Exit;
use crate::lang::{Language, REGISTRY};

#[derive(Serialize)]
struct JsonLanguage {
    schema: &'static str,
    name: &'static str,
    aliases: &'static [&'static str],
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    interpreters: &'static [&'static str],
    grammar: bool,
}

pub fn run(run: Run<'_>) -> Result<Exit> {
    for language in REGISTRY {
        if run.global.json {
            serde_json::to_writer(&mut *run.out, &shape(language))?;
            writeln!(run.out)?;
        } else {
            let names = language
                .extensions
                .iter()
                .map(|extension| format!("*.{extension}"));
            let names: Vec<String> = names
                .chain(language.file_names.iter().map(ToString::to_string))
                .collect();
            writeln!(run.out, "{:<12}{}", language.name, names.join(" "))?;
        }
    }
    Ok(Exit::Answered)
}

fn shape(language: &Language) -> JsonLanguage {
    JsonLanguage {
        schema: "ast-outline.languages/1",
        name: language.name,
        aliases: language.aliases,
        extensions: language.extensions,
        file_names: language.file_names,
        interpreters: language.interpreters,
        grammar: language.grammar().is_some(),
    }
}
