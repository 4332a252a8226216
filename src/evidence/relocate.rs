//! Where the lines of an old version are today, by the keys of lines alone. Never guesses: lines are found again where a
//! line diff carries them over whole, or where their text stands once and nowhere else; everything else says what it is.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::ops::Range;

pub use imara_diff::Hunk;
use imara_diff::{Algorithm, Diff, IndentHeuristic, IndentLevel, InternedInput, TokenSource};

use super::text::{BLANK, LineKey};
use crate::model::Lines;
use crate::source::Source;

/// What became of some lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relocation {
    /// They are where they were, every one unchanged.
    Exact,
    /// Every line unchanged, together, at other numbers.
    Moved(Lines, By),
    /// Some lines changed; these stand in their place today.
    Changed(Lines, By),
    /// Their text stands in several places, and the diff prefers none.
    Ambiguous(Vec<Lines>),
    /// Nothing of them is left.
    Gone,
}

/// How lines were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The line diff carries them over.
    Diff,
    /// Their text stands in one place only, in both versions.
    Text,
    /// They were a definition, and one of that name is there.
    Name,
}

impl By {
    pub fn name(self) -> &'static str {
        match self {
            By::Diff => "diff",
            By::Text => "text",
            By::Name => "name",
        }
    }
}

/// More places than this are not listed.
const MOST_PLACES: usize = 10;

/// Finds `lines` of `old` in `new`. Lines past the end of `old` are [`Relocation::Gone`].
pub fn relocate(old: &[LineKey], new: &[LineKey], lines: Lines) -> Relocation {
    let region = lines.start.saturating_sub(1) as usize..lines.end as usize;
    let Some(text) = old.get(region).filter(|text| !text.is_empty()) else {
        return Relocation::Gone;
    };
    let region = lines.start - 1..lines.end;
    let hunks = hunks(old, new);
    let mapped = Mapped::new(&hunks, &region);
    if let Some(start) = mapped.together {
        return match start == region.start {
            true => Relocation::Exact,
            false => Relocation::Moved(place(start..start + lines.count()), By::Diff),
        };
    }
    if places(old, text).len() == 1 {
        match places(new, text).as_slice() {
            [] => {}
            [one] => return Relocation::Moved(*one, By::Text),
            several => return Relocation::Ambiguous(several.to_vec()),
        }
    }
    match mapped.span {
        Some(span) => Relocation::Changed(place(span), By::Diff),
        None => Relocation::Gone,
    }
}

/// What of `new` is not in `old`, as lines of `new`; where lines are only gone, the line that is now in their place.
pub fn changes(old: &[LineKey], new: &[LineKey]) -> Vec<Lines> {
    let last = new.len() as u32;
    let lines = |hunk: Hunk| Lines {
        start: (hunk.after.start + 1).min(last.max(1)),
        end: hunk.after.end.max((hunk.after.start + 1).min(last.max(1))),
    };
    hunks(old, new).into_iter().map(lines).collect()
}

/// The changes between two versions, as `git diff --histogram` sees them, in lines from 0; those of very long ones as `git diff`
/// does by default.
pub fn hunks(old: &[LineKey], new: &[LineKey]) -> Vec<Hunk> {
    let input = InternedInput::new(Keys(old), Keys(new));
    let mut diff = Diff::compute(algorithm(&input), &input);
    diff.postprocess_with_heuristic(
        &input,
        IndentHeuristic::new(|token| level(input.interner[token].indentation())),
    );
    diff.hunks().collect()
}

/// The same of two texts whose lines may end in different ways. Comparing lines as they are is five times as fast as
/// hashing each with blake3 first.
pub fn changed(old: &Source, new: &Source) -> Vec<Hunk> {
    let input = InternedInput::new(SourceLines(old), SourceLines(new));
    let mut diff = Diff::compute(algorithm(&input), &input);
    diff.postprocess_with_heuristic(
        &input,
        IndentHeuristic::new(|token| {
            IndentLevel::for_ascii_line(input.interner[token].iter().copied(), 8)
        }),
    );
    diff.hunks().collect()
}

/// Lines of both versions together above which a histogram takes too long: where changed lines alternate with unchanged ones,
/// it looks through all that follow for each of them. 20,000 changed keys took 5.6 s, and take 1.6 s (in a debug build).
const MOST_LINES: usize = 50_000;

fn algorithm<T>(input: &InternedInput<T>) -> Algorithm {
    match input.before.len() + input.after.len() {
        0..=MOST_LINES => Algorithm::Histogram,
        _ => Algorithm::Myers,
    }
}

struct SourceLines<'a>(&'a Source);

impl<'a> TokenSource for SourceLines<'a> {
    type Token = &'a [u8];
    type Tokenizer = Box<dyn Iterator<Item = &'a [u8]> + 'a>;

    fn tokenize(&self) -> Self::Tokenizer {
        let source = self.0;
        Box::new((1..=source.lines()).map(|line| source.line(line)))
    }

    fn estimate_tokens(&self) -> u32 {
        self.0.lines()
    }
}

/// The diff takes indentation only as text.
fn level(indentation: u8) -> IndentLevel {
    match indentation {
        BLANK => IndentLevel::for_ascii_line([], 8),
        depth => IndentLevel::for_ascii_line(repeat_n(b' ', depth.into()).chain([b'x']), 8),
    }
}

struct Keys<'a>(&'a [LineKey]);

impl<'a> TokenSource for Keys<'a> {
    type Token = LineKey;
    type Tokenizer = std::iter::Copied<std::slice::Iter<'a, LineKey>>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().copied()
    }

    fn estimate_tokens(&self) -> u32 {
        self.0.len() as u32
    }
}

/// What a diff says of one region, in lines from 0.
struct Mapped {
    /// Where it begins now, if all of it is unchanged and stands together.
    together: Option<u32>,
    /// What stands between its edges now; none where nothing of it can be told from what lies around.
    span: Option<Range<u32>>,
}

impl Mapped {
    fn new(hunks: &[Hunk], region: &Range<u32>) -> Mapped {
        // An insertion at the region's first line or behind its last is outside of it.
        let touching = |hunk: &&Hunk| match hunk.is_pure_insertion() {
            true => region.start < hunk.before.start && hunk.before.start < region.end,
            false => hunk.before.start < region.end && region.start < hunk.before.end,
        };
        let inside: Vec<&Hunk> = hunks.iter().filter(touching).collect();
        let before = hunks.iter().rfind(|hunk| hunk.before.end <= region.start);
        // Lines behind a hunk are as far from it as they were.
        let shifted = |hunk: Option<&Hunk>, line: u32| hunk.map_or(line, |hunk| after(hunk, line));
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
            return Mapped {
                together: Some(shifted(before, region.start)),
                span: None,
            };
        };
        let removed: u32 = inside.iter().map(|hunk| overlap(hunk, region)).sum();
        let survives = removed < region.end - region.start;
        let replaced = inside.len() == 1
            && region.start <= first.before.start
            && first.before.end <= region.end;
        let start = match first.before.start < region.start {
            true => first.after.end - overlap(first, region).min(added(first)),
            false => first.after.start - (first.before.start - region.start),
        };
        let end = match region.end < last.before.end {
            true => last.after.start + overlap(last, region).min(added(last)),
            false => after(last, region.end),
        };
        Mapped {
            together: None,
            span: (start < end && (survives || replaced)).then_some(start..end),
        }
    }
}

/// A line behind a hunk, in the new version.
fn after(hunk: &Hunk, line: u32) -> u32 {
    hunk.after.end + (line - hunk.before.end)
}

fn added(hunk: &Hunk) -> u32 {
    hunk.after.end - hunk.after.start
}

/// How many lines of the region a hunk removes.
fn overlap(hunk: &Hunk, region: &Range<u32>) -> u32 {
    let end = hunk.before.end.min(region.end);
    end.saturating_sub(hunk.before.start.max(region.start))
}

/// Where this text stands, up to some places. Starts from its rarest line, which keeps this linear in all but contrived
/// files.
fn places(keys: &[LineKey], text: &[LineKey]) -> Vec<Lines> {
    let mut counts: HashMap<LineKey, usize> = text.iter().map(|key| (*key, 0)).collect();
    for key in keys {
        if let Some(count) = counts.get_mut(key) {
            *count += 1;
        }
    }
    let rarest = (0..text.len()).min_by_key(|&at| counts[&text[at]]);
    let Some(rarest) = rarest else { return vec![] };
    let anchors = (rarest..keys.len()).filter(|&at| keys[at] == text[rarest]);
    let starts = anchors.map(|at| at - rarest);
    let found = starts.filter(|&start| keys[start..].starts_with(text));
    let found = found.map(|start| place(start as u32..(start + text.len()) as u32));
    found.take(MOST_PLACES).collect()
}

fn place(range: Range<u32>) -> Lines {
    Lines {
        start: range.start + 1,
        end: range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of short texts over three lines: what is said to be exact or moved is the same text.
    #[test]
    fn no_answer_is_another_text() {
        let texts: Vec<Vec<LineKey>> = (0..5_u32)
            .flat_map(|len| (0..3_u32.pow(len)).map(move |number| (len, number)))
            .map(|(len, number)| {
                let line = |at| LineKey(u64::from(number / 3_u32.pow(at) % 3 + 1) << 8);
                (0..len).map(line).collect()
            })
            .collect();
        for old in &texts {
            for new in &texts {
                for start in 1..=old.len() as u32 {
                    for end in start..=old.len() as u32 {
                        check(old, new, Lines { start, end });
                    }
                }
            }
        }
    }

    fn check(old: &[LineKey], new: &[LineKey], lines: Lines) {
        let cut = |keys: &[LineKey], lines: Lines| {
            keys[lines.start as usize - 1..lines.end as usize].to_vec()
        };
        let wanted = cut(old, lines);
        match relocate(old, new, lines) {
            Relocation::Exact => assert_eq!(cut(new, lines), wanted),
            Relocation::Moved(to, _) => assert_eq!(cut(new, to), wanted),
            Relocation::Changed(to, _) => {
                assert!(to.start <= to.end && to.end as usize <= new.len())
            }
            Relocation::Ambiguous(places) => {
                assert!(places.len() > 1);
                places
                    .iter()
                    .for_each(|&to| assert_eq!(cut(new, to), wanted));
            }
            Relocation::Gone => {}
        }
    }

    #[test]
    fn lines_past_the_end_are_gone() {
        let lines = Lines { start: 2, end: 3 };
        assert_eq!(
            relocate(&[LineKey(1), LineKey(2)], &[LineKey(1)], lines),
            Relocation::Gone
        );
        assert_eq!(relocate(&[], &[], lines), Relocation::Gone);
    }
}
