//! Exact lines of a file under one header line, as text and as JSON.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::checks::{JsonLines, Status};
use super::text::line_range;
use super::{Evidence, path_bytes, visible};
use crate::evidence::{By, Revision};
use crate::lang::Language;
use crate::model::{Item, Lines, Trust};
use crate::source::Source;

/// Lines of one file, with what is known about them.
pub struct Excerpt<'a> {
    pub path: &'a Path,
    pub language: Option<&'static Language>,
    pub source: &'a Source,
    pub lines: Lines,
    /// The innermost definition around the lines; none at the top level.
    pub enclosing: Option<&'a Item>,
    /// Whether the lines were asked for by name: `enclosing` is then the answer itself.
    pub named: bool,
    /// Heads of the definitions around it, outermost first, to be printed above.
    pub parents: Vec<&'a Item>,
    pub provenance: Provenance,
}

/// Where lines come from, where they are not simply those of the file as it lies there.
#[derive(Debug, Default)]
pub struct Provenance {
    /// To these lines, where that is said.
    pub pointer: Option<String>,
    /// Of a pointer: what the bytes were read from, and which version they are.
    pub origin: Option<(Origin, Revision)>,
    /// What became of lines of another version.
    pub change: Option<Change>,
    /// The pointer that was asked for has no hash to check.
    pub unchecked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    WorkingFile,
    Git,
}

#[derive(Debug)]
pub struct Change {
    pub status: Status,
    /// The lines asked for.
    pub from: Lines,
    /// The version they were asked of, as it was given.
    pub at: String,
    /// None where nothing had to be found.
    pub by: Option<By>,
}

pub struct Options {
    /// The bytes alone.
    pub raw: bool,
    /// A line number in front of each line.
    pub numbers: bool,
    /// Control bytes as `\xNN`: on a terminal.
    pub escape: bool,
    /// Colour codes for headers and numbers.
    pub color: bool,
}

#[derive(Serialize)]
struct JsonExcerpt<'a> {
    schema: &'static str,
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    source_version: String,
    lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    qualname: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    damaged: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    guessed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parents: Vec<Parent<'a>>,
    start_line: u32,
    end_line: u32,
    start_byte: u64,
    end_byte: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<JsonLines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
    /// Bytes that are not UTF-8 were replaced in `content`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Parent<'a> {
    qualname: &'a str,
    signature: &'a str,
    start_line: u32,
    end_line: u32,
}

impl Provenance {
    /// As the header says it.
    fn facts(&self) -> Vec<String> {
        let mut facts = vec![];
        facts.extend(self.origin.as_ref().map(|(origin, revision)| {
            let origin = match origin {
                Origin::Git => "git",
                Origin::WorkingFile => "the working file, which is",
            };
            format!("from {origin} {}", revision.named())
        }));
        if self.unchecked {
            facts.push("hash not checked".to_string());
        }
        if let Some(Change {
            status,
            from,
            at,
            by,
        }) = &self.change
        {
            let from = line_range(*from);
            let found = by.filter(|by| *by != By::Diff).map(By::name);
            let found = found.map_or(String::new(), |by| format!(", found by its {by}"));
            facts.push(match status {
                Status::Exact => format!("unchanged since {at}"),
                Status::Moved => format!("moved from {from} at {at}{found}"),
                _ => format!("CHANGED since {at}, where it was {from}{found}"),
            });
        }
        let pointer = self.pointer.as_ref();
        facts.extend(pointer.map(|pointer| format!("evidence {pointer}")));
        facts
    }
}

impl Excerpt<'_> {
    fn bytes(&self) -> &[u8] {
        self.source.slice(self.lines)
    }

    /// `## src/a.py:17-24 of 412 (version 3fa9c1d2e4b5, method Notifier.send)`
    fn header(&self) -> String {
        let Lines { start, end } = self.lines;
        let range = if start == end {
            start.to_string()
        } else {
            format!("{start}-{end}")
        };
        let mut facts = vec![format!("version {}", self.source.version())];
        if let Some(item) = self.enclosing {
            let within = if self.named { "" } else { "in " };
            facts.push(format!(
                "{within}{} {}",
                item.kind.name().replace('_', " "),
                item.qualname
            ));
            match item.trust {
                Trust::Whole => {}
                Trust::Truncated => {
                    facts.push("NOT CLOSED in the file: its end is inferred".to_string())
                }
                Trust::Damaged => facts.push("with a syntax error inside".to_string()),
                Trust::Guessed => facts.push("GUESSED from how a line begins".to_string()),
            }
        }
        facts.extend(self.provenance.facts());
        format!(
            "## {}:{range} of {} ({})",
            self.path.display(),
            self.source.lines(),
            facts.join(", ")
        )
    }

    /// # Errors
    /// Those of the writer.
    pub fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        if options.raw {
            return out.write_all(self.bytes());
        }
        let (bold, dim, end) = if options.color {
            ("\x1b[1m", "\x1b[2m", "\x1b[0m")
        } else {
            ("", "", "")
        };
        writeln!(out, "{bold}{}{end}", visible(&self.header()))?;
        for parent in &self.parents {
            writeln!(
                out,
                "{dim}# in {}  {}{end}",
                visible(&parent.signature),
                line_range(parent.lines)
            )?;
        }
        if !options.numbers && !options.escape {
            out.write_all(self.bytes())?;
            return if self.bytes().ends_with(b"\n") {
                Ok(())
            } else {
                writeln!(out)
            };
        }
        for line in self.lines.start..=self.lines.end {
            if options.numbers {
                write!(out, "{dim}{line}:{end}")?;
            }
            let bytes = self.source.line(line);
            match options.escape {
                true => writeln!(out, "{}", visible(&String::from_utf8_lossy(bytes)))?,
                false => writeln!(out, "{}", String::from_utf8_lossy(bytes))?,
            }
        }
        Ok(())
    }

    /// `src/a.py:17-24  def send(self)`: one line to choose by.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        let Lines { start, end } = self.lines;
        let what = self.enclosing.map_or(String::new(), |item| {
            format!(
                "{} {}  {}",
                item.kind.name().replace('_', " "),
                item.qualname,
                item.signature
            )
        });
        writeln!(
            out,
            "{}:{start}-{end}  {}",
            visible(&self.path.to_string_lossy()),
            visible(&what)
        )
    }

    /// # Errors
    /// Those of the writer.
    pub fn json(
        &self,
        out: &mut dyn Write,
        schema: &'static str,
        with_content: bool,
    ) -> io::Result<()> {
        let content = with_content.then(|| String::from_utf8_lossy(self.bytes()));
        let item = self.enclosing;
        let start = self.source.line_start(self.lines.start);
        let provenance = &self.provenance;
        let change = provenance.change.as_ref();
        let pointers = provenance.pointer.iter().cloned();
        let answer = JsonExcerpt {
            schema,
            path: self.path.to_string_lossy(),
            path_bytes: path_bytes(self.path),
            language: self.language.map(|language| language.name),
            source_version: self.source.version().to_string(),
            lines: self.source.lines(),
            kind: item.map(|item| item.kind.name()),
            name: item.filter(|_| self.named).map(|item| item.name.as_str()),
            qualname: item.map(|item| item.qualname.as_str()),
            signature: item
                .filter(|_| self.named)
                .map(|item| item.signature.as_str()),
            truncated: item.is_some_and(|item| item.trust == Trust::Truncated),
            damaged: item.is_some_and(|item| item.trust == Trust::Damaged),
            guessed: item.is_some_and(|item| item.trust == Trust::Guessed),
            parents: self.parents.iter().map(|item| parent(item)).collect(),
            start_line: self.lines.start,
            end_line: self.lines.end,
            start_byte: self.source.original_offset(start),
            end_byte: self
                .source
                .original_offset(start + self.bytes().len() as u32),
            status: change.map(|change| change.status.name()),
            from: change.map(|change| JsonLines::from(change.from)),
            at: change.map(|change| change.at.as_str()),
            found_by: change.and_then(|change| change.by.map(By::name)),
            origin: provenance.origin.as_ref().map(|(origin, _)| *origin),
            hash_checked: provenance.origin.as_ref().map(|_| !provenance.unchecked),
            lossy: matches!(content, Some(Cow::Owned(_))),
            content,
            evidence: pointers.map(|pointer| Evidence { pointer }).collect(),
        };
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)
    }
}

fn parent(item: &Item) -> Parent<'_> {
    Parent {
        qualname: &item.qualname,
        signature: &item.signature,
        start_line: item.lines.start,
        end_line: item.lines.end,
    }
}
