//! Strings and regular expressions, closed or not.

use super::{Lexer, Lexis, MarkKind, Quote, Raw};

/// What a quote counts that is stray or that nothing closes, in lines of code that would stand in strings.
const UNCLOSED: usize = 100;

/// What two stray quotes count together: they turn all between them around and nothing behind.
const PAIR: usize = 60;

/// How much better a reading must be that takes another quote than the last for the stray one.
const MARGIN: usize = 3;

/// Quotes that are tried out, and bytes that are read for it.
const MOST_TRIALS: usize = 64;
const MOST_READ: usize = 16 << 20;

impl Lexer<'_> {
    pub(super) fn string(&mut self) -> bool {
        let lexis = self.lexis;
        let Some(quote) = lexis
            .strings
            .iter()
            .find(|quote| self.rest().starts_with(quote.open.as_bytes()))
        else {
            return false;
        };
        let start = self.at;
        if lexis.lifetimes && quote.open == "'" && !is_char_literal(self.rest()) {
            self.at += 1;
            self.last = b'\'';
            return true;
        }
        self.at += quote.open.len();
        if self.strays.contains(&start) {
            self.mark(start, MarkKind::Stray);
            return true;
        }
        self.inside(quote, start);
        self.last = b'"';
        true
    }

    /// Goes on inside a string that began at `start`; a quote that is not closed is stray.
    pub(super) fn inside(&mut self, quote: &Quote, start: usize) {
        let begun = self.at;
        let hopeless = self.unclosed.contains(&quote.close);
        let (end, stop) = match hopeless {
            true => (begun, Stop::Text),
            false => self.find_end(quote),
        };
        match stop {
            Stop::Closed => self.at = end + quote.close.len(),
            Stop::Code => {
                self.at = end + 2;
                self.interpolations.push(0);
            }
            Stop::Line | Stop::Text => {
                self.mark(start, MarkKind::Stray);
                if quote.multiline && !hopeless {
                    self.unclosed.push(quote.close);
                }
                self.against += if quote.multiline { UNCLOSED } else { 0 };
                return;
            }
        }
        let inside = &self.text[begun..end];
        if quote.multiline && inside.contains(&b'\n') {
            self.openers.push(Opener {
                at: start,
                until: end,
                before: self.against,
            });
            self.against += lines_of_code(inside, self.lexis);
        }
    }

    /// Where a string ends that goes on at the cursor.
    fn find_end(&self, quote: &Quote) -> (usize, Stop) {
        let mut at = self.at;
        while at < self.text.len() {
            let rest = &self.text[at..];
            if rest.starts_with(quote.close.as_bytes()) {
                return (at, Stop::Closed);
            }
            match rest[0] {
                b'\\' if quote.escape => at += 1 + usize::from(rest.len() > 1),
                b'\n' if !quote.multiline => return (at, Stop::Line),
                b'$' if quote.interpolates && rest.get(1) == Some(&b'{') => {
                    return (at, Stop::Code);
                }
                _ => at += 1,
            }
        }
        (at, Stop::Text)
    }

    pub(super) fn raw_string(&mut self) -> bool {
        let rest = self.rest();
        let after_word = self.word.1 == self.at && self.word.1 > 0;
        let (open, close) = match self.lexis.raw {
            Raw::Hashes
                if !after_word
                    && matches!(
                        rest,
                        [b'r', b'"' | b'#', ..] | [b'b' | b'c', b'r', b'"' | b'#', ..]
                    ) =>
            {
                let prefix = if rest[0] == b'r' { 1 } else { 2 };
                let hashes = rest[prefix..]
                    .iter()
                    .take_while(|&&byte| byte == b'#')
                    .count();
                if rest.get(prefix + hashes) != Some(&b'"') {
                    return false;
                }
                (
                    prefix + hashes + 1,
                    [b"\"".as_slice(), &b"#".repeat(hashes)].concat(),
                )
            }
            Raw::Delimited if rest.starts_with(b"R\"") => {
                let Some(paren) = rest.iter().take(20).position(|&byte| byte == b'(') else {
                    return false;
                };
                (
                    paren + 1,
                    [b")".as_slice(), &rest[2..paren], b"\""].concat(),
                )
            }
            _ => return false,
        };
        let end = memchr::memmem::find(&rest[open..], &close);
        self.at += end.map_or(rest.len(), |end| open + end + close.len());
        self.last = b'"';
        true
    }

    /// A slash begins a regular expression where a value may stand, and only if it is closed on its line.
    pub(super) fn regex(&mut self) -> bool {
        if !self.lexis.regex || self.text[self.at] != b'/' || self.at < self.no_regex {
            return false;
        }
        let word = &self.text[self.word.0..self.word.1];
        let keyword = matches!(
            word,
            b"return"
                | b"typeof"
                | b"case"
                | b"in"
                | b"of"
                | b"delete"
                | b"void"
                | b"throw"
                | b"new"
                | b"else"
                | b"do"
                | b"yield"
                | b"await"
        );
        let doubled = self.at > 1
            && matches!(
                self.text[..self.at].trim_ascii_end(),
                [.., b'+', b'+'] | [.., b'-', b'-']
            );
        if doubled || matches!(self.last, b')' | b']' | b'"') || self.last == b'a' && !keyword {
            return false;
        }
        let (mut at, mut class) = (1, false);
        let rest = self.rest();
        while at < rest.len() {
            match rest[at] {
                b'\n' => break,
                b'\\' => at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    self.at += at + 1;
                    self.last = b'"';
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        self.no_regex = self.at + at;
        false
    }
}

/// Quotes that open nothing and close nothing though another follows somewhere: one quote too many turns code into strings and
/// strings into code, so each is judged by what becomes of the rest of the text without it.
pub(super) fn strays(text: &[u8], lexis: &Lexis) -> Vec<usize> {
    let mut strays = vec![];
    if !lexis.strings.iter().any(|quote| quote.multiline) {
        return strays;
    }
    let mut trials = MOST_TRIALS.min(MOST_READ / text.len().max(1));
    let read_from = |at: usize, strays: &[usize]| {
        let mut lexer = Lexer::new(text, lexis, at, strays.to_vec());
        lexer.run();
        lexer
    };
    // The likeliest stray quote from a byte on, of those that a reading takes for openers, and what it leaves against that.
    let mut likeliest = |known: &Lexer<'_>, from: usize| {
        let open = known.openers.iter().filter(|opener| opener.at >= from);
        let open: Vec<Opener> = open.copied().take(trials).collect();
        trials -= open.len();
        let without = open.into_iter().map(|opener| {
            let rest = read_from(opener.at, &[opener.at]);
            (opener.before + UNCLOSED + rest.against, opener)
        });
        without.min_by_key(|&(against, opener)| (against, opener.at))
    };
    let mut known = read_from(0, &strays);
    let mut from = 0;
    // Strings in quotes of their own kind are often code, and two of those quotes taken away can leave less of it.
    let everyday = |quote: &Quote| quote.multiline && quote.open == "\"";
    let pairs = lexis.strings.iter().any(everyday);
    while let Some((mut least, stray)) = likeliest(&known, from) {
        let mut more = vec![stray.at];
        // One of two without the other makes it worse. The quote that would close the first is none: a string has two.
        if pairs && least + MARGIN >= known.against && known.against > PAIR + MARGIN {
            let one = read_from(0, &[strays.as_slice(), &[stray.at]].concat());
            if let Some((against, second)) = likeliest(&one, stray.until + 1) {
                least = against - UNCLOSED + PAIR;
                more.push(second.at);
            }
        }
        if least + MARGIN >= known.against {
            break;
        }
        from = more[more.len() - 1] + 1;
        strays.extend(more);
        known = read_from(0, &strays);
    }
    strays
}

/// A quote of a string that runs over a line end.
#[derive(Clone, Copy)]
pub(super) struct Opener {
    at: usize,
    /// Where the string ends.
    until: usize,
    /// What spoke against the reading before it.
    before: usize,
}

/// Why a string ends.
enum Stop {
    Closed,
    /// Code begins inside of it.
    Code,
    /// The line ends, and it may not go on.
    Line,
    Text,
}

fn is_char_literal(rest: &[u8]) -> bool {
    let char_len = |byte: u8| match byte {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    match rest.get(1) {
        Some(b'\\') => true,
        Some(&byte) => rest.get(1 + char_len(byte)) == Some(&b'\''),
        None => false,
    }
}

/// Lines that look like code rather than like text.
fn lines_of_code(text: &[u8], lexis: &Lexis) -> usize {
    let is_code = |line: &&[u8]| {
        let line = line.trim_ascii();
        let word = line.iter().take_while(|byte| byte.is_ascii_lowercase());
        let word = str::from_utf8(&line[..word.count()]).unwrap_or_default();
        match line.last() {
            Some(b';' | b'{' | b'}') => true,
            Some(b':' | b')' | b'(' | b',') => {
                lexis.statements.contains(&word) || lexis.heads.contains(&word)
            }
            _ => false,
        }
    };
    text.split(|&byte| byte == b'\n').filter(is_code).count()
}
