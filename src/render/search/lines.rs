//! Matching lines, and those beside them, under the heads of the definitions they stand in: the views `context` and `lines`.

use std::io::{self, Write};
use std::ops::Range;

use super::Found;
use crate::model::ItemId;
use crate::render::text::range;
use crate::render::visible;
use crate::search::View;

/// Most characters shown of a line.
const MAX_LINE: usize = 400;
/// Of these, in front of the first match of a long line.
const MAX_BEFORE: usize = 100;

/// Each match with its lines, each definition around it on a line of its own.
pub fn lines(out: &mut dyn Write, found: &Found<'_>, view: View, color: bool) -> io::Result<()> {
    let context = found.matches.context.iter();
    let mut context = context.filter(|_| view == View::Context).peekable();
    let mut printer = Printer {
        out,
        found,
        color,
        open: vec![],
    };
    for (index, matched) in found.matches.list.iter().enumerate() {
        printer.open(matched.within)?;
        let before = |line| line < matched.lines.start;
        while let Some(beside) = context.next_if(|beside| beside.of == index && before(beside.line))
        {
            printer.line(beside.line, '-', &[])?;
        }
        for line in matched.lines.start..=matched.lines.end {
            printer.line(line, ':', &matched.submatches)?;
        }
        while let Some(beside) = context.next_if(|beside| beside.of == index) {
            printer.line(beside.line, '-', &[])?;
        }
    }
    Ok(())
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
            let (range, evidence) = (range(item), self.found.evidence(item));
            let line = format!("{:indent$}{}  {range}{evidence}", "", item.signature);
            writeln!(self.out, "{}", visible(&line))?;
        }
        self.open = chain;
        Ok(())
    }

    /// `  L14: text`, with `-` for a line beside a match.
    fn line(&mut self, number: u32, mark: char, submatches: &[Range<u32>]) -> io::Result<()> {
        let source = self.found.source;
        let (start, bytes) = (source.line_start(number), source.line(number));
        let end = start + bytes.len() as u32;
        // In order, and as many as lines where a match goes over all of these.
        let first = submatches.partition_point(|part| part.end < start);
        let last = submatches.partition_point(|part| part.start <= end);
        let inside = |byte: u32| (byte.clamp(start, end) - start) as usize;
        let parts = submatches[first..last].iter();
        let parts = parts.map(|part| inside(part.start)..inside(part.end));
        let line = Line::new(bytes, parts);
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
        if text.len() <= MAX_LINE || text.chars().count() <= MAX_LINE {
            return 0..text.len();
        }
        let back = |from: usize, count: usize| {
            let mut starts = text[..from].char_indices().rev();
            starts.nth(count - 1).map_or(0, |(at, _)| at)
        };
        let first = self.parts.first().map_or(0, |part| part.start);
        let start = back(first, MAX_BEFORE).min(back(text.len(), MAX_LINE));
        let mut ends = text[start..].char_indices();
        let end = ends.nth(MAX_LINE).map_or(text.len(), |(at, _)| start + at);
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
