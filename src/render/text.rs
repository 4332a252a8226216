//! The default format: one line a definition, two spaces a level, a line range at the end of each.

mod imports;
mod part;

use crate::render::command;
use std::io::{self, Write};

pub use part::{Places, part};

use super::elements::Elements;
use super::header::{fence_for, header, plural};
use super::{Declared, File, argument, full_name, region_command, visible};
use crate::model::{Item, Lines, Problem, Trust};
use crate::view::{Level, Omitted, Plan, View};

/// Longest argument list of a decorator, in characters.
const MAX_ARGUMENTS: usize = 40;
/// Longest head of a definition, in characters.
const MAX_LINE: usize = 400;

pub struct Options {
    pub imports: bool,
    /// Wraps each answer for Markdown documents.
    pub fence: bool,
}

/// The outline of one file.
pub fn outline(
    out: &mut dyn Write,
    file: &File<'_>,
    plan: &Plan,
    options: &Options,
    declared: &Declared,
) -> io::Result<()> {
    let header = header(file, plan, declared);
    if plan.view == View::Counts {
        return writeln!(out, "{header}");
    }
    let fence = if plan.view == View::Full {
        fence_for(file)
    } else {
        "```".to_string()
    };
    if options.fence {
        writeln!(out, "{fence}")?;
    }
    writeln!(out, "{header}")?;
    if let (View::Summary, Some(summary)) = (plan.view, file.summary) {
        out.write_all(summary.as_bytes())?;
    } else if let (View::Full, Some(source)) = (plan.view, file.source) {
        out.write_all(source.text())?;
        if !source.text().ends_with(b"\n") {
            writeln!(out)?;
        }
    } else {
        let mut printer = Printer {
            out: &mut *out,
            file,
            plan,
            excerpts: &plan.excerpts,
        };
        printer.imports(options)?;
        printer.items()?;
        printer.trust()?;
        printer.problems()?;
        if let Some(command) = declared
            .command
            .as_ref()
            .filter(|_| plan.view != View::Ends)
        {
            writeln!(out, "... {}", visible(command))?;
        }
    }
    if options.fence {
        writeln!(out, "{fence}")?;
    }
    Ok(())
}

struct Printer<'a, 'w> {
    out: &'w mut dyn Write,
    file: &'a File<'a>,
    plan: &'a Plan,
    /// Those still to be shown.
    excerpts: &'a [Lines],
}

impl<'a> Printer<'a, '_> {
    fn items(&mut self) -> io::Result<()> {
        let outline = self.file.outline;
        if outline.table.is_some() {
            // The first of the records that are shown has their names.
            if self.excerpts.is_empty() {
                self.columns()?;
            }
            return self.excerpts_before(u32::MAX);
        }
        let mut omitted = self.omitted_after().into_iter().peekable();
        let mut depths: Vec<usize> = vec![0; outline.items.len()];
        let mut elements = Elements::new(self.plan.view);
        let mut run = vec![];
        for (id, item) in outline.items.iter().enumerate() {
            let element = elements.of(outline, item);
            let outside = item.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths[id] = outside + usize::from(element.is_some());
            if !self.plan.shows(id) || self.plan.shows_within(outline, id) {
                continue;
            }
            self.excerpts_before(item.lines.start)?;
            let first = elements.is_first(element, depths[id]);
            let level = self.plan.levels[id];
            let joins = level == Level::Name && self.joins(id);
            if !joins
                || run
                    .first()
                    .is_some_and(|first: &&Item| first.parent != item.parent)
            {
                self.run(&mut run, &depths)?;
            }
            match level {
                Level::Name if joins => run.push(item),
                _ => self.line(id, level, depths[id], first)?,
            }
            while let Some((_, omitted)) = omitted.next_if(|(after, _)| *after <= id) {
                self.run(&mut run, &depths)?;
                self.omitted(omitted, depths[omitted.parent as usize] + 1)?;
            }
        }
        self.run(&mut run, &depths)?;
        self.excerpts_before(u32::MAX)
    }

    /// Lines that are shown as they stand, up to one.
    fn excerpts_before(&mut self, line: u32) -> io::Result<()> {
        while let [lines, rest @ ..] = self.excerpts
            && lines.start < line
        {
            let ends = self.plan.view == View::Ends;
            if !ends {
                writeln!(self.out, "{}:", line_range(*lines))?;
            }
            self.excerpt(*lines)?;
            self.excerpts = rest;
            if let (true, Some(next)) = (ends, rest.first()) {
                let between = Lines {
                    start: lines.end + 1,
                    end: next.start - 1,
                };
                self.gap(between)?;
            }
        }
        Ok(())
    }

    /// The line that stands for lines left out.
    fn gap(&mut self, lines: Lines) -> io::Result<()> {
        if lines.end < lines.start {
            return Ok(());
        }
        let command = region_command(&self.file.path, lines);
        let count = plural(lines.count() as usize, "more line");
        writeln!(self.out, "... {count}  {}  ({command})", line_range(lines))
    }

    fn excerpt(&mut self, lines: Lines) -> io::Result<()> {
        let Some(source) = self.file.source else {
            return Ok(());
        };
        let text = source.slice(lines);
        self.out.write_all(text)?;
        match text.ends_with(b"\n") {
            true => Ok(()),
            false => writeln!(self.out),
        }
    }

    /// For each run of left out methods, the last shown item of its type.
    fn omitted_after(&self) -> Vec<(usize, &'a Omitted)> {
        let last_shown = |omitted: &Omitted| {
            let parent = omitted.parent as usize;
            let subtree = parent..self.file.outline.items[parent].end as usize;
            subtree
                .rev()
                .find(|&id| self.plan.shows(id))
                .unwrap_or(parent)
        };
        let omitted = self.plan.omitted.iter().rev();
        let mut omitted: Vec<_> = omitted
            .map(|omitted| (last_shown(omitted), omitted))
            .collect();
        omitted.sort_by_key(|(after, _)| *after);
        omitted
    }

    /// All columns on one line: they share the header's range.
    fn columns(&mut self) -> io::Result<()> {
        let shown: Vec<&Item> = self.shown().collect();
        let Some(first) = shown.first() else {
            return Ok(());
        };
        let names = shown.iter().map(|item| match &item.signature {
            bare if bare.contains(',') && !bare.starts_with('"') => format!("\"{bare}\""),
            written => written.clone(),
        });
        let names: Vec<String> = names.collect();
        let line = format!("columns: {}  {}", names.join(", "), range(first));
        writeln!(self.out, "{}", visible(&line))
    }

    fn shown(&self) -> impl Iterator<Item = &'a Item> {
        let (file, plan) = (self.file, self.plan);
        let items = file.outline.items.iter().enumerate();
        items
            .filter(|(id, _)| plan.shows(*id))
            .map(|(_, item)| item)
    }

    /// A definition on a line of its own, or as it stands in the file.
    fn line(&mut self, id: usize, level: Level, depth: usize, first: bool) -> io::Result<()> {
        let item = &self.file.outline.items[id];
        let line = match level {
            Level::Whole => self.title(id, depth),
            Level::Name => self.name(id, depth),
            _ => self.head(item, level, depth, first),
        };
        if level != Level::Whole {
            return writeln!(self.out, "{}", visible(&line));
        }
        writeln!(self.out, "{}:", visible(&line))?;
        self.excerpt(item.lines)
    }

    /// The signature; the first key of an element is marked as in a list.
    fn head(&self, item: &Item, level: Level, depth: usize, first: bool) -> String {
        let decorators = item.decorators.iter().filter(|text| !self.is_noise(text));
        let decorators: String = decorators
            .map(|text| shorten_arguments(text) + " ")
            .collect();
        let line = format!(
            "{:>depth$}{}  {}{}",
            if first { "- " } else { "" },
            shortened(decorators + &item.signature),
            range(item),
            data(item),
            depth = 2 * depth
        );
        match &item.doc {
            Some(doc) if level >= Level::Docs => format!("{line}  # {doc}"),
            _ => line,
        }
    }

    fn is_noise(&self, decorator: &str) -> bool {
        let noise = self
            .file
            .language
            .grammar()
            .map_or(&[][..], |grammar| &grammar.rules().noise);
        let bare = decorator.split(['(', ' ']).next().unwrap_or(decorator);
        noise.iter().any(|word| *word == bare || *word == decorator)
    }

    /// `class Notifier  L7-24`
    fn title(&self, id: usize, depth: usize) -> String {
        let item = &self.file.outline.items[id];
        format!(
            "{:depth$}{} {}  {}",
            "",
            item.kind.name(),
            full_name(item),
            range(item),
            depth = 2 * depth
        )
    }

    /// The same with what there is inside.
    fn name(&self, id: usize, depth: usize) -> String {
        let item = &self.file.outline.items[id];
        let line = self.title(id, depth) + data(item);
        match item.end as usize - id - 1 {
            members if self.plan.view == View::Top && members > 0 => {
                format!("{line}  ({})", plural(members, "member"))
            }
            _ => line,
        }
    }

    /// Whether an item stands on one line with its siblings: a member without anything shown inside, in a list anything but types.
    fn joins(&self, id: usize) -> bool {
        let item = &self.file.outline.items[id];
        let alone = match self.plan.view {
            View::Names => item.parent.is_some(),
            View::List => item.parent.is_some() || !item.kind.is_type(),
            _ => false,
        };
        let mut inside = id + 1..item.end as usize;
        alone && !inside.any(|id| self.plan.shows(id))
    }

    /// An item as it stands on a line with others.
    fn joined(&self, item: &Item) -> String {
        match self.plan.view {
            View::List => item.name.clone(),
            _ => format!("{} {}", item.name, range(item)),
        }
    }

    /// `  connect L13-15, send L17-24`: writes the joined siblings and forgets them.
    fn run(&mut self, run: &mut Vec<&Item>, depths: &[usize]) -> io::Result<()> {
        let Some(first) = run.first() else {
            return Ok(());
        };
        let depth = first.parent.map_or(0, |parent| depths[parent as usize] + 1);
        let mut names: Vec<String> = run.drain(..).map(|item| self.joined(item)).collect();
        // In a list, overloads are told by nothing.
        names.dedup();
        let indent = 2 * depth;
        writeln!(self.out, "{:indent$}{}", "", visible(&names.join(", ")))
    }

    /// The line that stands for methods past the cap.
    fn omitted(&mut self, omitted: &Omitted, depth: usize) -> io::Result<()> {
        let Lines { start, end } = omitted.lines;
        let command = region_command(&self.file.path, omitted.lines);
        let count = omitted.methods;
        let methods = if count == 1 { "method" } else { "methods" };
        writeln!(
            self.out,
            "{:depth$}... {count} more {methods}  L{start}-{end}  ({command})",
            "",
            depth = 2 * depth
        )
    }

    fn trust(&mut self) -> io::Result<()> {
        let count = |trust| {
            let shown = self.shown();
            shown.filter(|item| item.trust == trust).count()
        };
        let (open, guessed) = (count(Trust::Truncated), count(Trust::Guessed));
        if open > 0 {
            let (are, ends) = if open == 1 {
                ("is", "its end is")
            } else {
                ("are", "their ends are")
            };
            let open = plural(open, "definition");
            writeln!(
                self.out,
                "! {open} {are} not closed in the file; {ends} inferred"
            )?;
        }
        match guessed {
            0 => Ok(()),
            1 => writeln!(
                self.out,
                "! 1 definition is guessed from how its line begins"
            ),
            _ => writeln!(
                self.out,
                "! {guessed} definitions are guessed from how their lines begin"
            ),
        }
    }

    fn problems(&mut self) -> io::Result<()> {
        let problems = &self.file.outline.problems;
        const SHOWN: usize = 5;
        for Problem { lines, message, .. } in problems.iter().take(SHOWN) {
            writeln!(self.out, "! {}: {}", line_range(*lines), visible(message))?;
        }
        if problems.len() > SHOWN {
            let more = problems.len() - SHOWN;
            let problems = if more == 1 { "problem" } else { "problems" };
            writeln!(
                self.out,
                "! {more} more {problems}  ({})",
                command(&format!("outline --json {}", argument(&self.file.path)))
            )?;
        }
        Ok(())
    }
}

/// A long line up to [`MAX_LINE`], and how much more there is; JSON has it whole.
pub fn shortened(line: String) -> String {
    let Some((end, _)) = line.char_indices().nth(MAX_LINE) else {
        return line;
    };
    let more = line[end..].chars().count();
    format!("{} (+{more} chars)", &line[..end])
}

/// `L8-11`, with `!` where the end is not certain.
pub fn range(item: &Item) -> String {
    let mark = match item.trust {
        Trust::Truncated | Trust::Guessed => "!",
        Trust::Whole | Trust::Damaged => "",
    };
    line_range(item.lines) + mark
}

pub fn line_range(Lines { start, end }: Lines) -> String {
    if start == end {
        format!("L{start}")
    } else {
        format!("L{start}-{end}")
    }
}

fn data(item: &Item) -> &'static str {
    if item.data {
        "  (data: read it whole)"
    } else {
        ""
    }
}

fn shorten_arguments(decorator: &str) -> String {
    match (decorator.find('('), decorator.rfind(')')) {
        (Some(open), Some(close))
            if decorator[open..close.max(open)].chars().count() > MAX_ARGUMENTS =>
        {
            format!("{}(...){}", &decorator[..open], &decorator[close + 1..])
        }
        _ => decorator.to_string(),
    }
}
