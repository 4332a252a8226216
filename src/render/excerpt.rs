//! Exact lines of a file under one header line, as text and as JSON.

mod around;
mod detail;
mod json;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::checks::Status;
use super::text::line_range;
use super::{Declared, visible};
use crate::evidence::{By, Revision};
use crate::lang::Language;
use crate::model::{Item, Lines, Trust};
use crate::source::Source;

pub use around::{Around, End, Ends, Reached};
pub use detail::{Detail, Fold, Size};

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
    /// How much of it is shown.
    pub detail: Detail<'a>,
    /// Whether the file can be read again by its path, so that commands can name it.
    pub is_file: bool,
    /// What it is tied to, where that was asked for.
    pub around: Option<&'a Around>,
    /// How it was come to, where nobody named it.
    pub reached: Option<&'a Reached>,
}

/// Where lines come from, where they are not simply those of the file as it lies there.
#[derive(Debug, Clone, Default)]
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

#[derive(Debug, Clone)]
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
    fn header(&self, declared: Option<&Declared>) -> String {
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
        facts.extend(declared.map(|declared| declared.facts(self.detail.name())));
        facts.extend(self.given());
        facts.extend(self.reached.map(Reached::fact));
        facts.extend(self.provenance.facts());
        format!(
            "## {} of {} ({})",
            self.place(),
            self.source.lines(),
            facts.join(", ")
        )
    }

    /// That the same was given before, where it was.
    fn given(&self) -> Option<String> {
        let Detail::Given(lines) = self.detail else {
            return None;
        };
        let at = line_range(lines);
        Some(format!(
            "given before in this session at {at}, unchanged: --again prints it"
        ))
    }

    /// `src/a.py:17-24`
    fn place(&self) -> String {
        let Lines { start, end } = self.lines;
        match start == end {
            true => format!("{}:{start}", self.path.display()),
            false => format!("{}:{start}-{end}", self.path.display()),
        }
    }

    /// The header says what is `declared`, where there is a budget or a view was asked for.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn text(
        &self,
        out: &mut dyn Write,
        options: &Options,
        declared: Option<&Declared>,
    ) -> io::Result<()> {
        if options.raw {
            return out.write_all(self.bytes());
        }
        let (bold, dim, end) = options.codes();
        writeln!(out, "{bold}{}{end}", visible(&self.header(declared)))?;
        for parent in &self.parents {
            let (signature, lines) = (visible(&parent.signature), line_range(parent.lines));
            writeln!(out, "{dim}# in {signature}  {lines}{end}")?;
        }
        self.body(out, options)?;
        self.tied(out, (dim, end))?;
        let command = declared.and_then(|declared| declared.command.as_ref());
        // Commands stand where the lines are folded away.
        match command.filter(|_| !matches!(self.detail, Detail::Folded(_))) {
            Some(command) => writeln!(out, "... {}", visible(command)),
            None => Ok(()),
        }
    }

    /// Lines as they stand in the file.
    fn source_lines(&self, out: &mut dyn Write, lines: Lines, options: &Options) -> io::Result<()> {
        let bytes = self.source.slice(lines);
        if !options.numbers && !options.escape {
            out.write_all(bytes)?;
            return match bytes.ends_with(b"\n") {
                true => Ok(()),
                false => writeln!(out),
            };
        }
        let (_, dim, end) = options.codes();
        for line in lines.start..=lines.end {
            if options.numbers {
                write!(out, "{dim}{line}:{end}")?;
            }
            let text = String::from_utf8_lossy(self.source.line(line));
            match options.escape {
                true => writeln!(out, "{}", visible(&text))?,
                false => writeln!(out, "{text}")?,
            }
        }
        Ok(())
    }

    /// `src/a.py:17-24  method Notifier.send  def send(self)`: one line to choose by, as much of it as the detail says.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        let Lines { start, end } = self.lines;
        let mut line = format!("{}:{start}-{end}", self.path.to_string_lossy());
        if let Some(item) = self.enclosing.filter(|_| self.detail != Detail::Pointer) {
            let kind = item.kind.name().replace('_', " ");
            line += &format!("  {kind} {}  {}", item.qualname, item.signature);
        }
        line += &self
            .given()
            .map_or(String::new(), |given| format!("  {given}"));
        line += &self.doc().map_or(String::new(), |doc| format!("  # {doc}"));
        writeln!(out, "{}", visible(&line))?;
        self.tied(out, ("", ""))
    }

    /// What it is tied to, but for what only says where it is.
    fn tied(&self, out: &mut dyn Write, codes: (&str, &str)) -> io::Result<()> {
        let bare = matches!(self.detail, Detail::Pointer | Detail::Given(_));
        match self.around.filter(|_| !bare) {
            Some(around) => around.text(out, codes),
            None => Ok(()),
        }
    }
}

impl Options {
    /// What makes text bold, dim, and neither.
    fn codes(&self) -> (&'static str, &'static str, &'static str) {
        match self.color {
            true => ("\x1b[1m", "\x1b[2m", "\x1b[0m"),
            false => ("", "", ""),
        }
    }
}
