//! Lines that match a pattern, found as `rg` finds them, with the definitions they stand in; and names that are like a
//! pattern. Plain data: what of it is shown, and how, is for others. Opens no file and parses none.

pub mod names;
mod place;

use std::io;
use std::ops::Range;

use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkFinish, SinkMatch};

use crate::model::{ItemId, Lines};
use crate::source::Source;

pub use place::{is_of_kind, place};

/// What stands in front of some UTF-8: no part of the first line.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What to look for.
#[derive(Debug, Default)]
pub struct Asked {
    /// A line that matches one of them matches.
    pub patterns: Vec<String>,
    pub fixed: bool,
    pub ignore_case: bool,
    /// Ignore case where the pattern has no upper case letter.
    pub smart_case: bool,
    pub words: bool,
    /// The lines that do not match.
    pub invert: bool,
    /// Matches may go over line ends.
    pub multi_line: bool,
}

/// Patterns ready to be looked for, by any number of threads.
pub struct Query {
    matcher: RegexMatcher,
    invert: bool,
    multi_line: bool,
}

/// One match: a line, or a run of lines where a match goes over line ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Hit {
    pub lines: Lines,
    /// What of them matches, as offsets in the text; nothing where lines are wanted that do not match.
    pub parts: Vec<Range<u32>>,
    /// The innermost definition around it.
    pub within: Option<ItemId>,
}

/// A line that is no match, shown beside one.
#[derive(Debug, PartialEq, Eq)]
pub struct Beside {
    pub line: u32,
    /// Index of the match.
    pub hit: usize,
}

/// All matches of a file, in order.
#[derive(Debug, Default)]
pub struct Hits {
    pub list: Vec<Hit>,
    pub beside: Vec<Beside>,
    /// Whether there are more, past the limit that was given.
    pub more: bool,
    /// Where a NUL byte ended the search.
    pub binary: Option<u64>,
}

impl Query {
    /// # Errors
    /// If a pattern is none.
    pub fn new(asked: &Asked) -> Result<Query, grep_regex::Error> {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .case_insensitive(asked.ignore_case)
            .case_smart(asked.smart_case)
            .fixed_strings(asked.fixed)
            .word(asked.words)
            .ban_byte(Some(0));
        if !asked.multi_line {
            builder.line_terminator(Some(b'\n'));
        }
        Ok(Query {
            matcher: builder.build_many(&asked.patterns)?,
            invert: asked.invert,
            multi_line: asked.multi_line,
        })
    }

    /// Whether there is a match: cheaper than looking for all of them.
    pub fn is_match(&self, text: &[u8]) -> bool {
        let mut rest = text.strip_prefix(MARK).unwrap_or(text);
        // Of most texts some line does not match.
        if self.invert || self.multi_line {
            return self.invert || self.matcher.is_match(rest).unwrap_or(true);
        }
        loop {
            let at = match self.matcher.find_candidate_line(rest) {
                Ok(Some(LineMatchKind::Candidate(at))) => at,
                Ok(Some(LineMatchKind::Confirmed(_))) | Err(_) => return true,
                Ok(None) => return false,
            };
            // A candidate holds what every match must hold.
            let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &rest[at..]).map_or(rest.len(), |end| at + end);
            if self.matcher.is_match(&rest[start..end]).unwrap_or(true) {
                return true;
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }

    /// The matches in a text, the first `most` of them.
    ///
    /// # Errors
    /// If the search itself fails.
    pub fn find(&self, source: &Source, most: Option<u64>) -> io::Result<Hits> {
        let text = source.text();
        let before = if text.starts_with(MARK) {
            MARK.len()
        } else {
            0
        };
        let mut hits = Hits::default();
        let mut sink = Each {
            take: |range: Range<usize>| {
                let range = range.start + before..range.end + before;
                hits.list.push(self.hit(source, range));
            },
            binary: None,
        };
        // One more says whether there are more.
        let most = most.map(|most| most.saturating_add(1));
        let searched = self
            .searcher(most)
            .search_slice(&self.matcher, &text[before..], &mut sink);
        hits.binary = sink.binary;
        searched?;
        if let Some(most) = most {
            hits.limit(most - 1);
        }
        Ok(hits)
    }

    fn searcher(&self, most: Option<u64>) -> Searcher {
        SearcherBuilder::new()
            .line_number(false)
            .bom_sniffing(false)
            .multi_line(self.multi_line)
            .invert_match(self.invert)
            .max_matches(most)
            .binary_detection(BinaryDetection::quit(0))
            .build()
    }

    /// A match that covers `range`, whole lines.
    fn hit(&self, source: &Source, range: Range<usize>) -> Hit {
        let text = source.text();
        let end = match text[range.clone()].ends_with(b"\n") {
            true => range.end - 1,
            false => range.end,
        };
        let lines = Lines {
            start: source.line_at(range.start as u32),
            end: source.line_at(end.max(range.start) as u32),
        };
        // A match over line ends may look at what follows; one in a line must not see its end.
        let (haystack, last) = match self.multi_line {
            true => (text, range.end),
            false => (&text[..end], end + 1),
        };
        let mut parts: Vec<Range<u32>> = vec![];
        let mut empty = None;
        if !self.invert {
            let found = self.matcher.find_iter_at(haystack, range.start, |found| {
                let part = found.start() as u32..found.end() as u32;
                match found.start() < last {
                    true if part.is_empty() => _ = empty.get_or_insert(part),
                    true => parts.push(part),
                    false => return false,
                }
                true
            });
            debug_assert!(found.is_ok(), "a regular expression always answers");
        }
        if parts.is_empty() {
            parts.extend(empty);
        }
        Hit {
            lines,
            parts,
            within: None,
        }
    }
}

/// Hands on the lines of each match.
struct Each<F> {
    take: F,
    binary: Option<u64>,
}

impl<F: FnMut(Range<usize>)> Sink for Each<F> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let start = found.absolute_byte_offset() as usize;
        (self.take)(start..start + found.bytes().len());
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.binary = finish.binary_byte_offset();
        Ok(())
    }
}

impl Hits {
    /// Forgets what is past the first `most`.
    pub fn limit(&mut self, most: u64) {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.more |= self.list.len() > most;
        self.list.truncate(most);
    }

    /// Adds the lines around each match: each once, and none that is a match itself.
    pub fn surround(&mut self, before: u32, after: u32, total: u32) {
        let mut next = 1;
        for (index, hit) in self.list.iter().enumerate() {
            let first = hit.lines.start.saturating_sub(before).max(next);
            let following = self.list.get(index + 1);
            let until = following.map_or(total, |following| following.lines.start - 1);
            let last = hit.lines.end.saturating_add(after).min(until);
            let lines = (first..hit.lines.start).chain(hit.lines.end + 1..=last);
            self.beside
                .extend(lines.map(|line| Beside { line, hit: index }));
            next = last.max(hit.lines.end) + 1;
        }
    }

    /// How many parts of lines match.
    pub fn parts(&self) -> usize {
        self.list.iter().map(|hit| hit.parts.len()).sum()
    }
}
