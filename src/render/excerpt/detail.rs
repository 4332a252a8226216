//! How much of a definition or region is shown below its header: the rungs of a budget's ladder for single definitions.

use crate::render::outline_command;
use std::io::{self, Write};

use super::{Excerpt, Options};
use crate::model::{Item, Lines};
use crate::render::text::{line_range, range, shortened};
use crate::render::{plural, region_command, visible};
use crate::view::LeftOut;

/// Finest first.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail<'a> {
    /// All its lines.
    Text,
    /// All but the bodies of some definitions inside.
    Folded(Vec<Fold<'a>>),
    /// Its signature, and those of all that is defined inside, each with how deep it stands.
    Members(Vec<(usize, &'a Item)>),
    /// Its signature and the first sentence of its documentation.
    Docs,
    Signature,
    /// Where it is.
    Pointer,
    /// Where it is, and where it stood when the same was given before.
    Given(Lines),
    /// What could be had instead of lines that do not fit, and how many more definitions there are in them.
    Sizes(Vec<Size<'a>>, usize),
}

/// Lines that are left out of a text, and what stands there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fold<'a> {
    pub item: &'a Item,
    pub lines: Lines,
    pub tokens: usize,
}

/// Lines to choose instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Size<'a> {
    pub item: &'a Item,
    pub tokens: usize,
    pub command: Option<String>,
}

impl Detail<'_> {
    pub fn name(&self) -> &'static str {
        match self {
            Detail::Text => "full",
            Detail::Folded(_) => "folded",
            Detail::Members(_) => "members",
            Detail::Docs => "docs",
            Detail::Signature => "signatures",
            Detail::Pointer => "pointer",
            Detail::Given(_) => "given",
            Detail::Sizes(..) => "sizes",
        }
    }

    /// Whether it shows the lines themselves.
    pub fn has_text(&self) -> bool {
        matches!(self, Detail::Text | Detail::Folded(_))
    }
}

impl Fold<'_> {
    /// `        ... L40-88 (612 tokens)`, as deep as what it stands for.
    pub fn line(&self, excerpt: &Excerpt<'_>) -> String {
        let text = excerpt.source.line(self.lines.start);
        let blank = text.len() - text.trim_ascii_start().len();
        let indent = String::from_utf8_lossy(&text[..blank]).into_owned();
        let (lines, tokens) = (line_range(self.lines), plural(self.tokens, "token"));
        format!("{indent}... {lines} ({tokens})")
    }
}

impl<'a> Excerpt<'a> {
    pub(super) fn body(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        let item = self.enclosing;
        match &self.detail {
            Detail::Text => self.source_lines(out, self.lines, options),
            Detail::Folded(folds) => self.folded(out, folds, options),
            Detail::Members(inside) => {
                let own = item.map(|item| (0, item));
                let mut all = own.iter().chain(inside);
                all.try_for_each(|(depth, item)| head(out, item, *depth, item.doc.as_deref()))
            }
            Detail::Docs | Detail::Signature => match item {
                Some(item) => head(out, item, 0, self.doc()),
                None => Ok(()),
            },
            Detail::Pointer | Detail::Given(_) => Ok(()),
            Detail::Sizes(sizes, more) => self.sizes(out, sizes, *more),
        }
    }

    fn sizes(&self, out: &mut dyn Write, sizes: &[Size<'_>], more: usize) -> io::Result<()> {
        for size in sizes {
            let kind = size.item.kind.name().replace('_', " ");
            let (name, lines) = (&size.item.qualname, range(size.item));
            let tokens = plural(size.tokens, "token");
            let mut line = format!("{kind} {name}  {lines} ({tokens})");
            if let Some(command) = &size.command {
                line += &format!("  ({command})");
            }
            writeln!(out, "{}", visible(&line))?;
        }
        match self.outline_command().filter(|_| more > 0) {
            Some(command) => writeln!(out, "... {more} more  ({})", visible(&command)),
            None => Ok(()),
        }
    }

    /// The same lines, shown in another way.
    pub fn with(&self, detail: Detail<'a>) -> Excerpt<'a> {
        Excerpt {
            parents: self.parents.clone(),
            provenance: self.provenance.clone(),
            detail,
            ..*self
        }
    }

    /// What lists all definitions of the file.
    pub(super) fn outline_command(&self) -> Option<String> {
        let path = self.path.to_string_lossy();
        self.is_file.then(|| outline_command(&path))
    }

    /// What the detail leaves out of the lines.
    pub fn left_out(&self) -> LeftOut {
        let callable = |item: &Item| self.named && item.kind.is_callable();
        let (what, count) = match &self.detail {
            Detail::Text => ("lines", 0),
            Detail::Folded(folds) => ("bodies", folds.len()),
            _ if self.enclosing.is_some_and(callable) => ("bodies", 1),
            _ => ("lines", self.lines.count() as usize),
        };
        LeftOut { what, count }
    }

    /// The documentation, if that is shown.
    pub(super) fn doc(&self) -> Option<&'a str> {
        let item = self.enclosing?;
        let shows = matches!(self.detail, Detail::Docs | Detail::Members(_));
        item.doc.as_deref().filter(|_| shows)
    }

    fn folded(&self, out: &mut dyn Write, folds: &[Fold<'_>], options: &Options) -> io::Result<()> {
        self.between(folds, |lines, fold| {
            if lines.start <= lines.end {
                self.source_lines(&mut *out, lines, options)?;
            }
            fold.map_or(Ok(()), |fold| self.fold(&mut *out, fold))
        })
    }

    /// The line that stands for lines that are folded, with the command that prints these.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn fold(&self, out: &mut dyn Write, fold: &Fold<'_>) -> io::Result<()> {
        let mut line = fold.line(self);
        if let Some(command) = self.command(fold.lines) {
            line += &format!("  ({command})");
        }
        writeln!(out, "{}", visible(&line))
    }

    /// Hands on the lines in front of each fold with it, and those behind the last.
    pub(super) fn between(
        &self,
        folds: &[Fold<'a>],
        mut each: impl FnMut(Lines, Option<&Fold<'a>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut start = self.lines.start;
        for fold in folds {
            let end = fold.lines.start - 1;
            each(Lines { start, end }, Some(fold))?;
            start = fold.lines.end + 1;
        }
        let end = self.lines.end;
        each(Lines { start, end }, None)
    }

    /// What prints all of the lines.
    pub fn own_command(&self) -> Option<String> {
        self.command(self.lines)
    }

    /// What prints lines of the file.
    pub fn command(&self, lines: Lines) -> Option<String> {
        let path = self.path.to_string_lossy();
        self.is_file.then(|| region_command(&path, lines))
    }
}

/// `  def send(self)  L17-24  # Sends.`
fn head(out: &mut dyn Write, item: &Item, depth: usize, doc: Option<&str>) -> io::Result<()> {
    let (indent, lines) = (2 * depth, range(item));
    let mut line = format!(
        "{:indent$}{}  {lines}",
        "",
        shortened(item.signature.clone())
    );
    line += &doc.map_or(String::new(), |doc| format!("  # {doc}"));
    writeln!(out, "{}", visible(&line))
}
