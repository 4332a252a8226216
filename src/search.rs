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

/// How much is shown of matches, finest first: the rungs of a budget's ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// Matching lines and those around them, under the definitions they stand in.
    Context,
    /// Matching lines alone, under these.
    Lines,
    /// Their numbers, one line a definition.
    Places,
    /// How many each file has.
    Counts,
    /// Which files have some.
    Paths,
    /// How many there are in how many files.
    Total,
}

impl View {
    pub fn name(self) -> &'static str {
        match self {
            View::Context => "context",
            View::Lines => "lines",
            View::Places => "places",
            View::Counts => "counts",
            View::Paths => "paths",
            View::Total => "total",
        }
    }

    /// Whether it says which definition a match stands in.
    pub fn is_located(self) -> bool {
        self <= View::Places
    }
}

/// What to look for.
#[derive(Debug, Default)]
pub struct Options {
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
    /// Matches may go over line ends, and some could.
    multi_line: bool,
}

/// One match: a line, or a run of lines where a match goes over line ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Match {
    pub lines: Lines,
    /// What of them matches, as offsets in the text; nothing where lines are wanted that do not match.
    pub submatches: Vec<Range<u32>>,
    /// The innermost definition around it.
    pub within: Option<ItemId>,
}

/// A line that is no match, shown beside one.
#[derive(Debug, PartialEq, Eq)]
pub struct ContextLine {
    pub line: u32,
    /// Index of the match.
    pub of: usize,
}

/// All matches of a file, in order.
#[derive(Debug, Default)]
pub struct Matches {
    pub list: Vec<Match>,
    pub context: Vec<ContextLine>,
    /// Whether there are more, past the limit that was given.
    pub more: bool,
    /// Where a NUL byte ended the search.
    pub binary: Option<u64>,
}

impl Query {
    /// # Errors
    /// If a pattern is none.
    pub fn new(options: &Options) -> Result<Query, grep_regex::Error> {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .case_insensitive(options.ignore_case)
            .case_smart(options.smart_case)
            .fixed_strings(options.fixed)
            .word(options.words)
            .ban_byte(Some(0));
        if !options.multi_line {
            builder.line_terminator(Some(b'\n'));
        }
        let mut query = Query {
            matcher: builder.build_many(&options.patterns)?,
            invert: options.invert,
            multi_line: options.multi_line,
        };
        // Patterns that cannot match a line end are searched for line by line: then -U means nothing, as for `rg`.
        query.multi_line = query.searcher(None).multi_line_with_matcher(&query.matcher);
        Ok(query)
    }

    /// Whether what is counted are matches and not lines, as `rg` does where they may go over line ends.
    pub fn counts_matches(&self) -> bool {
        self.multi_line && !self.invert
    }

    /// Whether there is a match: cheaper than looking for all of them. Never no where there is one, but yes where a pattern
    /// asks for the very beginning or end of the text and a line has it at its own.
    pub fn is_match(&self, text: &[u8]) -> bool {
        let mut rest = text.strip_prefix(MARK).unwrap_or(text);
        // Of most texts some line does not match.
        if self.invert || self.multi_line {
            return self.invert || self.matcher.is_match(rest).unwrap_or(true);
        }
        while !rest.is_empty() {
            let at = match self.matcher.find_candidate_line(rest) {
                // It holds what every match must hold, and may hold no match.
                Ok(Some(LineMatchKind::Candidate(at))) => at,
                Ok(Some(LineMatchKind::Confirmed(_))) | Err(_) => return true,
                Ok(None) => return false,
            };
            let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &rest[at..]).map_or(rest.len(), |end| at + end);
            if self.matcher.is_match(&rest[start..end]).unwrap_or(true) {
                return true;
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        false
    }

    /// The matches in a text, the first `most` of them.
    ///
    /// # Errors
    /// If the search itself fails.
    pub fn find(&self, source: &Source, most: Option<u64>) -> io::Result<Matches> {
        let text = source.text();
        let bare = text.strip_prefix(MARK).unwrap_or(text);
        let before = text.len() - bare.len();
        let mut matches = Matches::default();
        let mut sink = Collect {
            take: |range: Range<usize>| {
                let range = range.start + before..range.end + before;
                matches.list.push(self.matched(source, range));
            },
            binary: None,
        };
        // One more says whether there are more.
        let searched = self
            .searcher(most.map(|most| most.saturating_add(1)))
            .search_slice(&self.matcher, bare, &mut sink);
        matches.binary = sink.binary.map(|at| at + before as u64);
        searched?;
        if let Some(most) = most {
            matches.limit(most);
        }
        Ok(matches)
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
    fn matched(&self, source: &Source, range: Range<usize>) -> Match {
        let ended = source.text()[range.clone()].ends_with(b"\n");
        let end = range.end - usize::from(ended);
        Match {
            lines: Lines {
                start: source.line_at(range.start as u32),
                end: source.line_at(end.max(range.start) as u32),
            },
            submatches: match self.invert {
                true => vec![],
                false => self.submatches(source.text(), range.start..end, ended),
            },
            within: None,
        }
    }

    /// What matches in `range`, whole lines of `text` without the last line end. Empty submatches stand for nothing where there
    /// are others; else the first of them does.
    fn submatches(&self, text: &[u8], range: Range<usize>, ended: bool) -> Vec<Range<u32>> {
        // A match over line ends may look at what follows; one in a line must not see its end.
        let (haystack, last) = match self.multi_line {
            true => (text, range.end + usize::from(ended)),
            false => (&text[..range.end], range.end + 1),
        };
        let (mut submatches, mut empty) = (vec![], None);
        let found = self.matcher.find_iter_at(haystack, range.start, |found| {
            let part = found.start() as u32..found.end() as u32;
            match found.start() < last {
                true if part.is_empty() => _ = empty.get_or_insert(part),
                true => submatches.push(part),
                false => return false,
            }
            true
        });
        debug_assert!(found.is_ok(), "a regular expression always answers");
        if submatches.is_empty() {
            submatches.extend(empty);
        }
        submatches
    }
}

/// Hands on the lines of each match.
struct Collect<F> {
    take: F,
    binary: Option<u64>,
}

impl<F: FnMut(Range<usize>)> Sink for Collect<F> {
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

impl Matches {
    /// Forgets what is past the first `most`.
    pub fn limit(&mut self, most: u64) {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.more |= self.list.len() > most;
        self.list.truncate(most);
    }

    /// Adds the lines around each match: each once, and none that is a match itself.
    pub fn surround(&mut self, before: u32, after: u32, total: u32) {
        let mut next = 1;
        for (index, matched) in self.list.iter().enumerate() {
            let first = matched.lines.start.saturating_sub(before).max(next);
            let following = self.list.get(index + 1);
            let until = following.map_or(total, |following| following.lines.start - 1);
            let last = matched.lines.end.saturating_add(after).min(until);
            let lines = (first..matched.lines.start).chain(matched.lines.end + 1..=last);
            self.context
                .extend(lines.map(|line| ContextLine { line, of: index }));
            next = last.max(matched.lines.end) + 1;
        }
    }

    pub fn count_submatches(&self) -> usize {
        let counts = self.list.iter().map(|matched| matched.submatches.len());
        counts.sum()
    }
}
