//! Names like a pattern, best first: one line, or one JSON object, a definition.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{SCHEMA, evidence};
use crate::lang::Language;
use crate::model::{Item, Lines};
use crate::render::declared::JsonDeclared;
use crate::render::{Declared, Elided, Evidence, Totals, visible};
use crate::search::names::Fit;
use crate::source::Version;

/// A definition whose name is like the pattern.
pub struct Named {
    /// As answers show it.
    pub path: String,
    pub path_bytes: Option<Vec<u8>>,
    pub language: &'static Language,
    pub version: Version,
    pub fit: Fit,
    pub item: Item,
}

#[derive(Serialize)]
struct JsonNamed<'a> {
    schema: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    language: &'static str,
    source_version: String,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    fit: &'static str,
    kind: &'static str,
    name: &'a str,
    qualname: &'a str,
    signature: &'a str,
    start_line: u32,
    end_line: u32,
    elided: Vec<Elided>,
    evidence: Vec<Evidence>,
    next: Vec<&'a str>,
}

impl Named {
    /// `src/a.py:17-24  method Notifier.send  def send(self)`; `pointer` is one to its lines, where that is asked for.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn text(&self, out: &mut dyn Write, pointer: Option<String>) -> io::Result<()> {
        let Item {
            kind,
            qualname,
            signature,
            lines: Lines { start, end },
            ..
        } = &self.item;
        let lines = match start == end {
            true => start.to_string(),
            false => format!("{start}-{end}"),
        };
        let kind = kind.name().replace('_', " ");
        let mut line = format!("{}:{lines}  {kind} {qualname}  {signature}", self.path);
        if let Some(pointer) = pointer {
            line += &format!("  evidence {pointer}");
        }
        writeln!(out, "{}", visible(&line))
    }

    /// `pointer` is one to its lines, `totals` those of all names.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn json(
        &self,
        out: &mut dyn Write,
        pointer: Option<String>,
        totals: Totals,
        declared: &Declared,
    ) -> io::Result<()> {
        let answer = JsonNamed {
            schema: SCHEMA,
            path: &self.path,
            path_bytes: self.path_bytes.as_deref(),
            language: self.language.name,
            source_version: self.version.to_string(),
            view: "symbols",
            declared: declared.json(),
            totals,
            fit: self.fit.name(),
            kind: self.item.kind.name(),
            name: &self.item.name,
            qualname: &self.item.qualname,
            signature: &self.item.signature,
            start_line: self.item.lines.start,
            end_line: self.item.lines.end,
            elided: declared.elided().collect(),
            evidence: evidence(pointer),
            next: declared.command.as_deref().into_iter().collect(),
        };
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)
    }
}
