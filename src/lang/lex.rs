//! Finds the brackets of a text that stand outside of strings and comments, without a grammar.
//! For broken files, where the tree says little and brackets and indentation say a lot. Approximate on purpose: a quote
//! that does not close on its line is taken for a stray one, and what was misread costs a repair, never an answer.

mod dialects;
mod strings;

pub use dialects::*;

/// How a language writes strings and comments.
pub struct Lexis {
    pub line_comments: &'static [&'static str],
    pub block_comment: Option<(&'static str, &'static str)>,
    /// Block comments nest.
    pub nested_comments: bool,
    /// Longer openers first.
    pub strings: &'static [Quote],
    /// `'a` without a closing quote is a lifetime, not a stray quote.
    pub lifetimes: bool,
    /// `/.../` can be a regular expression.
    pub regex: bool,
    /// `r#"..."#` and `R"x(...)x"`.
    pub raw: Raw,
    /// Lines that begin with `#` are not code; a backslash continues them.
    pub preprocessor: bool,
    /// Statements end with a semicolon, not with their line.
    pub semicolons: bool,
    /// Words that begin a statement and nothing that stands in parentheses.
    pub statements: &'static [&'static str],
    /// Where blocks are told by indentation: words that begin the line above one, which a colon ends.
    pub heads: &'static [&'static str],
    /// Words before a brace whose closer needs a semicolon behind it.
    pub terminated: &'static [&'static str],
    /// Words before a brace whose inside is often not indented and never empty.
    pub around: &'static [&'static str],
    /// Words before a parenthesis that holds statements: one of them that ends with neither its line nor a semicolon is none.
    pub grouping: &'static [&'static str],
}

pub struct Quote {
    pub open: &'static str,
    pub close: &'static str,
    pub escape: bool,
    /// May run over line ends.
    pub multiline: bool,
    /// `${` begins code inside.
    pub interpolates: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raw {
    None,
    Hashes,
    Delimited,
}

/// One thing that matters to the structure of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub at: usize,
    pub kind: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// One of `(`, `[`, `{`.
    Open(u8),
    /// One of `)`, `]`, `}`.
    Close(u8),
    /// A quote that is not closed where it should be.
    Stray,
    /// A line that a version control system has put between the sides of a conflict.
    Conflict { len: usize },
    /// Where a block comment that nothing closes may be meant to end.
    Comment,
    /// The first byte of code on a line; the code before it ends at `after`.
    Line { after: usize },
    /// The end of the code.
    End,
}

/// All marks of a text in order.
pub fn marks(text: &[u8], lexis: &Lexis) -> Vec<Mark> {
    let mut lexer = Lexer::new(text, lexis, 0, strings::strays(text, lexis));
    lexer.run();
    lexer.mark(lexer.code_end, MarkKind::End);
    lexer.marks
}

struct Lexer<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    at: usize,
    /// Code was seen on this line.
    line_begun: bool,
    /// The last byte of code.
    last: u8,
    /// The last word: a regular expression may follow `return`, but not a name.
    word: (usize, usize),
    /// Open braces inside of each open `${`.
    interpolations: Vec<usize>,
    /// Whether each open parenthesis holds a condition; only kept where regular expressions are told from divisions.
    conditions: Vec<bool>,
    /// What is looked for in vain in the rest of the text.
    unclosed: Vec<&'static str>,
    /// No regular expression begins before this byte.
    no_regex: usize,
    /// Behind the last byte of code.
    code_end: usize,
    /// Quotes that are known to be stray.
    strays: Vec<usize>,
    /// What speaks against this reading: code in strings.
    against: usize,
    openers: Vec<strings::Opener>,
    marks: Vec<Mark>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a [u8], lexis: &'a Lexis, at: usize, strays: Vec<usize>) -> Lexer<'a> {
        Lexer {
            text,
            lexis,
            at,
            line_begun: false,
            last: b'\n',
            word: (0, 0),
            interpolations: vec![],
            conditions: vec![],
            unclosed: vec![],
            no_regex: 0,
            code_end: 0,
            strays,
            against: 0,
            openers: vec![],
            marks: vec![],
        }
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            self.step();
        }
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn step(&mut self) {
        let byte = self.text[self.at];
        if byte == b'\n' {
            self.line_begun = false;
            self.at += 1;
        } else if byte.is_ascii_whitespace() {
            self.at += 1;
        } else if self.conflict() || self.comment() || self.directive() {
        } else {
            self.begin_line();
            if !self.raw_string() && !self.string() && !self.regex() {
                self.code(byte);
            }
            self.code_end = self.at;
        }
    }

    fn mark(&mut self, at: usize, kind: MarkKind) {
        self.marks.push(Mark { at, kind });
    }

    fn begin_line(&mut self) {
        if !std::mem::replace(&mut self.line_begun, true) {
            let after = self.code_end;
            self.mark(self.at, MarkKind::Line { after });
        }
    }

    fn code(&mut self, byte: u8) {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
            let start = self.at;
            let more = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
            self.at += self.rest().iter().take_while(|byte| more(byte)).count();
            self.word = (start, self.at);
            self.last = b'a';
            return;
        }
        match byte {
            b'(' | b'[' | b'{' => self.open(byte),
            b')' | b']' | b'}' => self.close(byte),
            b'\\' if self.at + 1 < self.text.len() => self.at += 1,
            _ => {}
        }
        // Behind a condition a statement begins.
        let condition = byte == b')' && self.conditions.pop() == Some(true);
        self.last = if condition { b';' } else { byte };
        self.at += 1;
    }

    fn open(&mut self, byte: u8) {
        if let Some(depth) = self.interpolations.last_mut().filter(|_| byte == b'{') {
            *depth += 1;
        }
        if byte == b'(' && self.lexis.regex {
            let word = &self.text[self.word.0..self.word.1];
            let condition =
                self.last == b'a' && matches!(word, b"if" | b"while" | b"for" | b"with");
            self.conditions.push(condition);
        }
        self.mark(self.at, MarkKind::Open(byte));
    }

    fn close(&mut self, byte: u8) {
        match self.interpolations.last_mut().filter(|_| byte == b'}') {
            Some(0) => {
                // The end of `${...}`: the template goes on.
                self.interpolations.pop();
                let start = self.at;
                self.at += 1;
                self.inside(&TEMPLATE, start);
                self.at -= 1;
                return;
            }
            Some(depth) => *depth -= 1,
            None => {}
        }
        self.mark(self.at, MarkKind::Close(byte));
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        if self
            .lexis
            .line_comments
            .iter()
            .any(|open| rest.starts_with(open.as_bytes()))
        {
            self.at += rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len());
            return true;
        }
        let Some((open, close)) = self.lexis.block_comment else {
            return false;
        };
        if !rest.starts_with(open.as_bytes()) {
            return false;
        }
        let (mut depth, mut at) = (1, open.len());
        let hopeless = self.unclosed.contains(&close);
        while depth > 0 && at < rest.len() && !hopeless {
            if rest[at..].starts_with(close.as_bytes()) {
                depth -= 1;
                at += close.len();
            } else if self.lexis.nested_comments && rest[at..].starts_with(open.as_bytes()) {
                depth += 1;
                at += open.len();
            } else {
                at += 1;
            }
        }
        if depth > 0 {
            at = unclosed_comment(rest);
            if !hopeless {
                self.unclosed.push(close);
            }
            self.mark(self.at + at, MarkKind::Comment);
        }
        self.at += at;
        true
    }

    fn conflict(&mut self) -> bool {
        let begins = self.at == 0 || self.text[self.at - 1] == b'\n';
        let len = if begins {
            conflict_marker(self.rest())
        } else {
            0
        };
        if len > 0 {
            self.mark(self.at, MarkKind::Conflict { len });
            self.at += len;
        }
        len > 0
    }

    fn directive(&mut self) -> bool {
        if !self.lexis.preprocessor || self.line_begun || self.text[self.at] != b'#' {
            return false;
        }
        while self.at < self.text.len() {
            let line = self
                .rest()
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(self.rest().len());
            let continued = self.text[self.at..self.at + line]
                .trim_ascii_end()
                .ends_with(b"\\");
            self.at += line;
            if !continued {
                break;
            }
            self.at += 1;
        }
        true
    }
}

/// Length of the conflict marker that is the first line of a text.
fn conflict_marker(text: &[u8]) -> usize {
    let [first @ (b'<' | b'=' | b'>' | b'|'), ..] = text else {
        return 0;
    };
    let run = text.iter().take_while(|byte| *byte == first).count();
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
    let rest = line[run..].trim_ascii_end();
    let named = rest.first() == Some(&b' ');
    match run == 7 && (named || rest.is_empty() && *first == b'=') {
        true => run + rest.len(),
        false => 0,
    }
}

/// Length of a comment that nothing closes: its first line, and those that go on with a star.
fn unclosed_comment(text: &[u8]) -> usize {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().map_or(0, <[u8]>::len);
    let more = lines.take_while(|line| line.trim_ascii_start().starts_with(b"*"));
    let len = first + more.map(<[u8]>::len).sum::<usize>();
    text[..len].trim_ascii_end().len()
}

#[cfg(test)]
mod tests;
