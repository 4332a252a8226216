//! What is said of a file besides its changed definitions, so that nothing is passed over: what differs in text alone, what
//! does not parse, what is no code.

use std::io::{self, Write};

use super::line::both;
use super::{Comparison, FileDiff, FileSide, Plain};
use crate::model::{Kind, Lines, Outline, ProblemKind};
use crate::outline::diff::Side;
use crate::render::header::plural;
use crate::render::text::line_range;
use crate::render::visible;
use crate::source::Source;

/// Places that are told one by one.
const SHOWN: usize = 8;

/// One note, and a word for programs.
pub struct Note {
    pub kind: &'static str,
    pub message: String,
}

/// Everything that is to be said of a file.
pub fn of(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> Vec<Note> {
    let mut notes = vec![];
    let mut say = |kind: &'static str, message: Option<String>| {
        notes.extend(message.map(|message| Note { kind, message }));
    };
    let (before, after) = (file.before.as_ref(), file.after.as_ref());
    let sides = || Some((before?.side?, after?.side?));
    say("path", renamed(comparison, file));
    say(
        "unmerged",
        file.unmerged
            .then(|| "not merged: both sides of a merge are in the index".to_string()),
    );
    say("plain", plain(before, after));
    if let Some((old, new)) = sides() {
        say("imports", imports(&old.outline, &new.outline));
        say("rows", rows(&old.outline, &new.outline));
        say("keys", order(old, new));
    }
    if !file.filtered {
        if let Some((old, new)) = sides().filter(|(_, new)| new.outline.table.is_none()) {
            say("layout", layout(file, old, new));
            say("outside", outside(file, old, new));
        }
        say("shifted", shifted(file));
    }
    if let (Some(old), Some(new)) = (
        before.and_then(|side| side.source),
        after.and_then(|side| side.source),
    ) {
        say("line-ends", line_ends(old, new));
        say("lines", unknown(file, old, new));
    }
    for (moment, side) in [("before", before), ("after", after)] {
        let side = side.and_then(|side| side.side);
        say(
            "incomplete",
            side.and_then(|side| incomplete(moment, &side.outline)),
        );
    }
    say("unclear", unclear(file));
    notes
}

pub fn text(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    file: &FileDiff<'_>,
) -> io::Result<()> {
    for note in of(comparison, file) {
        let mark = if matches!(note.kind, "incomplete" | "unclear" | "unmerged") {
            '!'
        } else {
            '~'
        };
        writeln!(out, "{mark} {}", visible(&note.message))?;
    }
    Ok(())
}

fn renamed(comparison: &Comparison<'_>, file: &FileDiff<'_>) -> Option<String> {
    let same = file.hunks.is_empty() && file.changes.is_empty();
    let renamed = file.status(comparison.single) == super::Status::Renamed;
    (renamed && same && file.main().source.is_some())
        .then(|| "the file has another path, nothing in it changed".to_string())
}

fn plain(before: Option<&FileSide<'_>>, after: Option<&FileSide<'_>>) -> Option<String> {
    let of = |side: Option<&FileSide<'_>>| match side {
        None => Some("nothing".to_string()),
        Some(side) => match side.plain {
            Some(Plain::Binary(_, bytes)) => Some(plural(*bytes as usize, "byte")),
            Some(Plain::Link(target)) => Some(format!("a link to {target}")),
            Some(Plain::Submodule(Some(id))) => Some(format!("commit {}", &id[..id.len().min(12)])),
            Some(Plain::Submodule(None)) => Some("what is checked out".to_string()),
            None => Some("text".to_string()),
        },
    };
    let plain = after
        .and_then(|side| side.plain)
        .or(before.and_then(|side| side.plain))?;
    let what = match plain {
        Plain::Binary(..) => "binary, not compared",
        Plain::Link(_) => "a symbolic link",
        Plain::Submodule(_) => "a submodule, not looked into",
    };
    Some(format!("{what}: {} -> {}", of(before)?, of(after)?))
}

fn imports(old: &Outline, new: &Outline) -> Option<String> {
    let names = |outline: &Outline| -> Vec<String> {
        let imports = outline.imports.iter();
        imports
            .flat_map(|import| match import.names.is_empty() {
                true => vec![import.module.clone()],
                false => import
                    .names
                    .iter()
                    .map(|name| format!("{}: {name}", import.module))
                    .collect(),
            })
            .collect()
    };
    let (old, new) = (names(old), names(new));
    let less = |these: &[String], those: &[String], sign: char| -> Vec<String> {
        let gone = these.iter().filter(|name| !those.contains(name));
        gone.map(|name| format!("{sign} {name}")).collect()
    };
    let mut all = less(&new, &old, '+');
    all.extend(less(&old, &new, '-'));
    let more = all.len().saturating_sub(SHOWN);
    all.truncate(SHOWN);
    if more > 0 {
        all.push(format!("{more} more"));
    }
    (!all.is_empty()).then(|| format!("imports: {}", all.join(", ")))
}

fn rows(old: &Outline, new: &Outline) -> Option<String> {
    let (old, new) = (old.table?, new.table?);
    let delimiter = (old.delimiter != new.delimiter).then(|| {
        format!(
            "delimiter {:?} -> {:?}",
            char::from(old.delimiter),
            char::from(new.delimiter)
        )
    });
    let rows = (old.rows != new.rows).then(|| format!("rows {} -> {}", old.rows, new.rows));
    let parts: Vec<String> = rows.into_iter().chain(delimiter).collect();
    match parts.is_empty() {
        true => Some(format!(
            "values of some of {} differ",
            plural(new.rows as usize, "row")
        )),
        false => Some(parts.join(", ")),
    }
}

/// Keys in another order mean the same.
fn order(old: &Side, new: &Side) -> Option<String> {
    let names = |side: &Side| -> Vec<String> {
        let keys = side
            .outline
            .items
            .iter()
            .filter(|item| item.kind == Kind::Key);
        keys.map(|item| item.qualname.clone()).collect()
    };
    let (mut one, mut other) = (names(old), names(new));
    if one == other {
        return None;
    }
    one.sort_unstable();
    other.sort_unstable();
    (one == other).then(|| "keys stand in another order".to_string())
}

fn layout(file: &FileDiff<'_>, old: &Side, new: &Side) -> Option<String> {
    let each = file.layout.iter().take(SHOWN).map(|&(was, is)| {
        both(
            &new.item(is).qualname,
            old.item(was).lines,
            new.item(is).lines,
        )
    });
    let mut each: Vec<String> = each.collect();
    let more = file.layout.len() - each.len();
    if more > 0 {
        each.push(format!("{more} more"));
    }
    let count = plural(file.layout.len(), "definition");
    (!each.is_empty()).then(|| format!("layout or comments only in {count}: {}", each.join(", ")))
}

fn shifted(file: &FileDiff<'_>) -> Option<String> {
    let (count, are) = (
        file.shifted as usize,
        if file.shifted == 1 { "stands" } else { "stand" },
    );
    (count > 0).then(|| {
        format!(
            "{} unchanged {are} at other lines",
            plural(count, "definition")
        )
    })
}

/// Lines that differ and lie in no definition.
fn outside(file: &FileDiff<'_>, old: &Side, new: &Side) -> Option<String> {
    let data = |side: &Side| {
        side.outline
            .items
            .first()
            .is_some_and(|item| item.kind == Kind::Key)
    };
    if data(old) || data(new) {
        return None;
    }
    let (old_lone, new_lone) = (lone_lines(old), lone_lines(new));
    let lie = |lone: &[bool], range: &std::ops::Range<u32>| {
        let mut lone = (range.start + 1..=range.end).filter(|&line| lone[line as usize - 1]);
        let first = lone.next()?;
        Some(Lines {
            start: first,
            end: lone.next_back().unwrap_or(first),
        })
    };
    let places = file.hunks.iter().filter_map(|hunk| {
        let (was, is) = (lie(&old_lone, &hunk.before), lie(&new_lone, &hunk.after));
        match (was, is) {
            (Some(was), Some(is)) if was == is => Some(line_range(is)),
            (Some(was), Some(is)) => Some(format!("{} -> {}", line_range(was), line_range(is))),
            (Some(was), None) => Some(format!("-{}", line_range(was))),
            (None, Some(is)) => Some(format!("+{}", line_range(is))),
            (None, None) => None,
        }
    });
    let mut places: Vec<String> = places.collect();
    let more = places.len().saturating_sub(SHOWN);
    places.truncate(SHOWN);
    if more > 0 {
        places.push(format!("{more} more"));
    }
    (!places.is_empty())
        .then(|| format!("text outside of definitions differs: {}", places.join(", ")))
}

/// For each line whether it says something and lies in no definition.
fn lone_lines(side: &Side) -> Vec<bool> {
    let lines = 1..=side.source.lines();
    let mut lone: Vec<bool> = lines
        .map(|line| !side.source.line(line).trim_ascii().is_empty())
        .collect();
    for id in side.outline.children(None) {
        let Lines { start, end } = side.item(id).lines;
        let end = (end as usize).min(lone.len());
        lone[(start as usize - 1).min(end)..end].fill(false);
    }
    lone
}

fn line_ends(old: &Source, new: &Source) -> Option<String> {
    let ends = |source: &Source| {
        let crlf = memchr::memmem::find_iter(source.text(), b"\r\n").count();
        let all = memchr::memchr_iter(b'\n', source.text()).count();
        match crlf {
            0 => "LF",
            _ if crlf == all => "CRLF",
            _ => "mixed",
        }
    };
    let empty = old.lines() == 0 || new.lines() == 0;
    let (was, is) = (ends(old), ends(new));
    (was != is && !empty).then(|| format!("line ends differ: {was} -> {is}"))
}

/// Of a format that is not known, lines are counted.
fn unknown(file: &FileDiff<'_>, old: &Source, new: &Source) -> Option<String> {
    let unknown = file.main().side.is_none();
    unknown.then(|| format!("unknown format: lines {} -> {}", old.lines(), new.lines()))
}

fn incomplete(moment: &str, outline: &Outline) -> Option<String> {
    if outline.complete() {
        return None;
    }
    let problems = outline
        .problems
        .iter()
        .filter(|problem| problem.kind != ProblemKind::Encoding);
    let mut each: Vec<String> = problems
        .map(|problem| format!("{}: {}", line_range(problem.lines), problem.message))
        .collect();
    let more = each.len().saturating_sub(SHOWN);
    each.truncate(SHOWN);
    if more > 0 {
        each.push(format!("{more} more"));
    }
    Some(format!(
        "{moment}: does not parse everywhere, definitions there may be missing ({})",
        each.join("; ")
    ))
}

fn unclear(file: &FileDiff<'_>) -> Option<String> {
    let sides = [&file.before, &file.after].into_iter().zip(&file.unclear);
    let each = sides.filter_map(|(side, ids)| Some((side.as_ref()?.side?, ids)));
    let each = each.flat_map(|(side, ids)| ids.iter().map(|&id| side.item(id)));
    let each: Vec<String> = each
        .map(|item| format!("{} {}", item.qualname, line_range(item.lines)))
        .collect();
    (!each.is_empty()).then(|| {
        format!(
            "not judged, for the other version does not parse where the name stands: {}",
            each.join(", ")
        )
    })
}
