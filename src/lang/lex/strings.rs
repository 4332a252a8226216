//! Strings and regular expressions, closed or not.

use super::{Lexer, Lexis, MarkKind, Quote, Raw};

/// What a quote counts that is stray or that nothing closes, in lines of code that would stand in strings.
const UNCLOSED: usize = 100;

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
            self.openers.push((start, self.against));
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
    let mut known = read_from(0, &strays);
    loop {
        let last = strays.last().copied();
        let open = known.openers.iter().filter(|&&(at, _)| Some(at) > last);
        let open: Vec<_> = open.copied().take(trials).collect();
        trials -= open.len();
        let without = open.into_iter().map(|(at, before)| {
            let rest = read_from(at, &[at]);
            (before + UNCLOSED + rest.against, at)
        });
        match without.min() {
            Some((against, at)) if against + MARGIN < known.against => strays.push(at),
            _ => return strays,
        }
        known = read_from(0, &strays);
    }
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
