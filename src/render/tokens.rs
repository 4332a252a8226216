//! Token counts of files, as a table and as JSON.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{path_bytes, visible};
use crate::tokens::Tokenizer;

/// What is counted of one file.
pub struct Counted {
    /// As answers show it.
    pub path: PathBuf,
    pub bytes: u64,
    pub lines: u64,
    /// The tokenizer asked for first.
    pub tokens: Vec<(Tokenizer, u64)>,
}

#[derive(Serialize)]
struct JsonCounted<'a> {
    schema: &'static str,
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    bytes: u64,
    lines: u64,
    tokenizer: &'static str,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_error: Option<[f32; 2]>,
    counts: Map<String, Value>,
}

/// One file, on one line.
pub fn json(out: &mut dyn Write, counted: &Counted) -> io::Result<()> {
    let (tokenizer, tokens) = counted.tokens[0];
    let named = |(tokenizer, tokens): (Tokenizer, u64)| (tokenizer.to_string(), tokens.into());
    let answer = JsonCounted {
        schema: "ast-outline.tokens/1",
        path: counted.path.to_string_lossy(),
        path_bytes: path_bytes(&counted.path),
        bytes: counted.bytes,
        lines: counted.lines,
        tokenizer: tokenizer.name(),
        tokens,
        tokens_error: tokenizer.error().map(|band| [band.low, band.high]),
        counts: counted.tokens.iter().copied().map(named).collect(),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

/// All files, one a line under a line of titles, and what several come to.
pub fn table(out: &mut dyn Write, files: &[Counted]) -> io::Result<()> {
    let Some(first) = files.first() else {
        return Ok(());
    };
    let tokenizers = first.tokens.iter().map(|(tokenizer, _)| tokenizer.name());
    let titles: Vec<&str> = ["bytes", "lines"].into_iter().chain(tokenizers).collect();
    let rows: Vec<Vec<u64>> = files.iter().map(numbers).collect();
    let total: Vec<u64> = (0..titles.len())
        .map(|column| rows.iter().map(|row| row[column]).sum())
        .collect();
    let widths: Vec<usize> = titles
        .iter()
        .zip(&total)
        .map(|(title, total)| title.len().max(total.to_string().len()))
        .collect();
    for (title, width) in titles.iter().zip(&widths) {
        write!(out, "{title:>width$}  ")?;
    }
    writeln!(out, "file")?;
    let mut line = |row: &[u64], name: &str| {
        for (number, width) in row.iter().zip(&widths) {
            write!(out, "{number:>width$}  ")?;
        }
        writeln!(out, "{}", visible(name))
    };
    for (row, file) in rows.iter().zip(files) {
        line(row, &name(&file.path))?;
    }
    match files.len() {
        1 => Ok(()),
        _ => line(&total, "total"),
    }
}

fn numbers(file: &Counted) -> Vec<u64> {
    let tokens = file.tokens.iter().map(|&(_, tokens)| tokens);
    [file.bytes, file.lines].into_iter().chain(tokens).collect()
}

fn name(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}
