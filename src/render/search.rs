//! Matches under the definitions they stand in, and names like a pattern, as text and as JSON.

mod json;
mod names;

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use super::header::plural;
use super::text::range;
use super::visible;
use crate::lang::Language;
use crate::model::{ItemId, Outline};
use crate::search::Hits;
use crate::source::Source;

pub use json::{Detail, json};
pub use names::Named;

/// Most characters shown of a line.
const MOST: usize = 400;
/// Of these, in front of the first match of a long line.
const BEFORE: usize = 100;

/// The matches of one file.
pub struct Found<'a> {
    pub path: Cow<'a, str>,
    pub path_bytes: Option<&'a [u8]>,
    /// None for a format we do not know: then there is no outline either.
    pub language: Option<&'static Language>,
    pub source: &'a Source,
    pub outline: Option<&'a Outline>,
    pub hits: &'a Hits,
    /// A pointer to the whole text, where that is said.
    pub pointer: Option<String>,
}

/// `## search "smtp" (5 matches in 2 files, -i)`
pub fn head(
    out: &mut dyn Write,
    patterns: &[String],
    found: &str,
    flags: &[String],
) -> io::Result<()> {
    let patterns: Vec<String> = patterns.iter().map(|text| format!("\"{text}\"")).collect();
    let facts: Vec<&str> = [found]
        .into_iter()
        .chain(flags.iter().map(String::as_str))
        .collect();
    let line = format!("## search {} ({})", patterns.join(" or "), facts.join(", "));
    writeln!(out, "{}", visible(&line))
}

/// `5 matches in 2 files`
pub fn found(count: usize, what: &str, files: usize) -> String {
    format!("{} in {}", plural(count, what), plural(files, "file"))
}

/// One file: a line about it, then its matches, each definition around them on a line of its own.
pub fn text(out: &mut dyn Write, found: &Found<'_>, color: bool) -> io::Result<()> {
    let (bold, end) = if color {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    writeln!(out, "{bold}{}{end}", visible(&header(found)))?;
    let mut beside = found.hits.beside.iter().peekable();
    let mut printer = Printer {
        out,
        found,
        color,
        open: vec![],
    };
    for (index, hit) in found.hits.list.iter().enumerate() {
        printer.open(hit.within)?;
        while let Some(beside) =
            beside.next_if(|beside| beside.hit == index && beside.line < hit.lines.start)
        {
            printer.line(beside.line, '-', &[])?;
        }
        (hit.lines.start..=hit.lines.end)
            .try_for_each(|line| printer.line(line, ':', &hit.parts))?;
        while let Some(beside) = beside.next_if(|beside| beside.hit == index) {
            printer.line(beside.line, '-', &[])?;
        }
    }
    Ok(())
}

/// `## src/a.py (python, 28 lines, 2 matches, version 8c2524491398)`
fn header(found: &Found<'_>) -> String {
    let mut facts = vec![];
    facts.extend(found.language.map(|language| language.name.to_string()));
    facts.push(plural(found.source.lines() as usize, "line"));
    let count = plural(found.hits.list.len(), "match");
    facts.push(match found.hits.more {
        true => format!("{count} and more"),
        false => count,
    });
    facts.push(format!("version {}", found.source.version()));
    if found.outline.is_some_and(|outline| !outline.complete()) {
        facts.push("incomplete".to_string());
    }
    let pointer = found.pointer.as_ref();
    facts.extend(pointer.map(|pointer| format!("evidence {pointer}")));
    format!("## {} ({})", found.path, facts.join(", "))
}

struct Printer<'a, 'w> {
    out: &'w mut dyn Write,
    found: &'a Found<'a>,
    color: bool,
    /// The definitions around the line printed last, outermost first.
    open: Vec<ItemId>,
}

impl Printer<'_, '_> {
    /// Prints the heads of the definitions around `within` that do not stand above yet.
    fn open(&mut self, within: Option<ItemId>) -> io::Result<()> {
        let Some(outline) = self.found.outline else {
            return Ok(());
        };
        let mut chain = vec![];
        let mut around = within;
        while let Some(id) = around {
            chain.push(id);
            around = outline.items[id as usize].parent;
        }
        chain.reverse();
        let known = self.open.iter().zip(&chain);
        let known = known.take_while(|(open, id)| open == id).count();
        for (depth, &id) in chain.iter().enumerate().skip(known) {
            let item = &outline.items[id as usize];
            let indent = 2 * depth;
            let line = format!("{:indent$}{}  {}", "", item.signature, range(item));
            writeln!(self.out, "{}", visible(&line))?;
        }
        self.open = chain;
        Ok(())
    }

    /// `  L14: text`, with `-` for a line beside a match.
    fn line(&mut self, number: u32, mark: char, parts: &[Range<u32>]) -> io::Result<()> {
        let source = self.found.source;
        let (start, bytes) = (source.line_start(number), source.line(number));
        let end = start + bytes.len() as u32;
        // In order, and as many as lines where a match goes over all of these.
        let first = parts.partition_point(|part| part.end < start);
        let last = parts.partition_point(|part| part.start <= end);
        let inside = |byte: u32| (byte.clamp(start, end) - start) as usize;
        let parts = parts[first..last].iter();
        let line = Line::new(
            bytes,
            parts.map(|part| inside(part.start)..inside(part.end)),
        );
        let indent = 2 * self.open.len();
        write!(self.out, "{:indent$}L{number}{mark}", "")?;
        match bytes.is_empty() {
            true => writeln!(self.out),
            false => writeln!(self.out, " {}", line.shown(self.color)),
        }
    }
}

/// A line as it is shown, and where in it the matches are.
struct Line {
    text: String,
    parts: Vec<Range<usize>>,
}

impl Line {
    /// Piece by piece, since a byte that is no UTF-8 moves what stands behind it.
    fn new(bytes: &[u8], parts: impl Iterator<Item = Range<usize>>) -> Line {
        let mut line = Line {
            text: String::new(),
            parts: vec![],
        };
        let mut at = 0;
        for part in parts {
            line.text += &String::from_utf8_lossy(&bytes[at..part.start.max(at)]);
            let start = line.text.len();
            line.text += &String::from_utf8_lossy(&bytes[part.start.max(at)..part.end.max(at)]);
            line.parts.push(start..line.text.len());
            at = part.end.max(at);
        }
        line.text += &String::from_utf8_lossy(&bytes[at..]);
        line
    }

    /// What is shown of a long line: some of it around the first match.
    fn window(&self) -> Range<usize> {
        let text = &self.text;
        if text.len() <= MOST || text.chars().count() <= MOST {
            return 0..text.len();
        }
        let back = |from: usize, count: usize| {
            let mut starts = text[..from].char_indices().rev();
            starts.nth(count - 1).map_or(0, |(at, _)| at)
        };
        let first = self.parts.first().map_or(0, |part| part.start);
        let start = back(first, BEFORE).min(back(text.len(), MOST));
        let mut ends = text[start..].char_indices();
        let end = ends.nth(MOST).map_or(text.len(), |(at, _)| start + at);
        start..end
    }

    /// The line, with what is left out of it counted on both sides.
    fn shown(&self, color: bool) -> String {
        let window = self.window();
        let cut = |range: Range<usize>| self.text[range].chars().count();
        let mut shown = match cut(0..window.start) {
            0 => String::new(),
            cut => format!("(+{cut} chars) "),
        };
        let mut at = window.start;
        for part in self.parts.iter().filter(|_| color) {
            let part = part.start.clamp(at, window.end)..part.end.clamp(at, window.end);
            if !part.is_empty() {
                shown += &visible(&self.text[at..part.start]);
                shown += &format!("\x1b[1;31m{}\x1b[0m", visible(&self.text[part.clone()]));
                at = part.end;
            }
        }
        shown += &visible(&self.text[at..window.end]);
        let behind = self.parts.iter().filter(|part| part.start >= window.end);
        let behind = match behind.count() {
            0 => String::new(),
            1 => ", 1 match in them".to_string(),
            more => format!(", {more} matches in them"),
        };
        match cut(window.end..self.text.len()) {
            0 => shown,
            cut => format!("{shown} (+{cut} chars{behind})"),
        }
    }
}
