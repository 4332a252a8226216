//! The parts of an answer for readers, as plain text or as Markdown: a head, a block for each file, a last line.

use std::io::{self, Write};

use super::{Comparison, FileDiff, Rung, markdown, text_block, total};
use crate::render::visible;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Markdown,
}

impl Form {
    /// The whole comparison on one rung.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(
        self,
        out: &mut dyn Write,
        comparison: &Comparison<'_>,
        rung: Rung,
    ) -> io::Result<()> {
        self.head(out, comparison, None)?;
        let mut before = self.before_all();
        for file in comparison.shown().filter(|_| rung != Rung::Total) {
            self.gap(out, &mut before, rung)?;
            self.block(out, comparison, file, rung)?;
        }
        Ok(())
    }

    /// The line of all files together, with what is declared of the answer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn head(
        self,
        out: &mut dyn Write,
        comparison: &Comparison<'_>,
        declared: Option<&str>,
    ) -> io::Result<()> {
        let total = total(comparison);
        let declared = declared.map_or(String::new(), |facts| format!(" ({facts})"));
        match self {
            Form::Text => writeln!(out, "## {}{declared}", visible(&total)),
            Form::Markdown => writeln!(out, "**{}**{declared}", markdown::cell(&total)),
        }
    }

    /// The text of some files, each on a rung of its own.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn blocks<'b>(
        self,
        out: &mut dyn Write,
        blocks: impl Iterator<Item = (Rung, &'b [u8])>,
    ) -> io::Result<()> {
        let mut before = self.before_all();
        for (rung, block) in blocks {
            self.gap(out, &mut before, rung)?;
            out.write_all(block)?;
        }
        Ok(())
    }

    /// What the head is like, seen from the first file.
    fn before_all(self) -> Option<Rung> {
        (self == Form::Text).then_some(Rung::Counts)
    }

    /// A count is no change of the file above it.
    fn gap(self, out: &mut dyn Write, before: &mut Option<Rung>, rung: Rung) -> io::Result<()> {
        if rung == Rung::Counts && *before != Some(rung) {
            writeln!(out)?;
        }
        *before = Some(rung);
        Ok(())
    }

    /// One file: nothing on the coarsest rung.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn block(
        self,
        out: &mut dyn Write,
        comparison: &Comparison<'_>,
        file: &FileDiff<'_>,
        rung: Rung,
    ) -> io::Result<()> {
        match self {
            _ if rung == Rung::Total => Ok(()),
            Form::Text => text_block(out, comparison, file, rung),
            Form::Markdown => markdown::block(out, comparison, file, rung),
        }
    }

    /// What prints all that is left out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn command(self, out: &mut dyn Write, command: &str) -> io::Result<()> {
        match self {
            Form::Text => writeln!(out, "... {}", visible(command)),
            Form::Markdown => writeln!(out, "\n... {}", markdown::span(command)),
        }
    }
}
