//! Tokens of C-like text as its preprocessor sees them: words, numbers, strings, single punctuation bytes, whole
//! directive lines. Comments are left out. Reads bytes, never fails, knows no grammar.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lexeme {
    /// An identifier or keyword.
    Word,
    Number,
    /// A string or character literal.
    Literal,
    Punct(u8),
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// From `#` to the end of the line, continuation lines included.
    Directive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub lexeme: Lexeme,
    pub start: usize,
    pub end: usize,
    /// First on its line.
    pub leads: bool,
}

impl Token {
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub fn is(self, byte: u8) -> bool {
        self.lexeme == Lexeme::Punct(byte)
    }

    pub fn is_word(self) -> bool {
        self.lexeme == Lexeme::Word
    }
}

pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut out = Vec::with_capacity(text.len() / 5);
    let (mut at, mut leads) = (0, true);
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied().unwrap_or(0);
        let (lexeme, end) = match byte {
            b'\n' => {
                leads = true;
                at += 1;
                continue;
            }
            b'\\' => {
                at += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() || byte < b' ' => {
                at += 1;
                continue;
            }
            b'/' if next == b'/' => {
                at = logical_line_end(text, at);
                continue;
            }
            b'/' if next == b'*' => {
                at = find(text, at + 2, b"*/");
                continue;
            }
            b'#' if leads => (Lexeme::Directive, directive_end(text, at)),
            b'"' | b'\'' => (Lexeme::Literal, quoted_end(text, at)),
            b':' if next == b':' => (Lexeme::Scope, at + 2),
            b'-' if next == b'>' => (Lexeme::Arrow, at + 2),
            _ if byte.is_ascii_digit() => (Lexeme::Number, number_end(text, at)),
            _ if is_word(byte) => word(text, at),
            _ => (Lexeme::Punct(byte), at + 1),
        };
        out.push(Token {
            lexeme,
            start: at,
            end,
            leads,
        });
        leads = false;
        at = end;
    }
    out
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn run(text: &[u8], at: usize, accept: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest.iter().take_while(|&&byte| accept(byte)).count()
}

/// A word, or the string it is the prefix of: `L"..."`, `R"x(...)x"`.
fn word(text: &[u8], at: usize) -> (Lexeme, usize) {
    let end = run(text, at, is_word);
    let quote = text.get(end) == Some(&b'"');
    match &text[at..end] {
        b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if quote => (Lexeme::Literal, raw_end(text, end)),
        b"L" | b"u" | b"U" | b"u8" if quote => (Lexeme::Literal, quoted_end(text, end)),
        _ => (Lexeme::Word, end),
    }
}

/// Digits with separators, exponents and suffixes.
fn number_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(&byte) = text.get(end) {
        let sign =
            matches!(byte, b'+' | b'-') && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
        let quote = byte == b'\'' && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(is_word(byte)
            || byte == b'.'
            || quote
            || end > at && sign && text[at + 1..].first() != Some(&b'x'))
        {
            break;
        }
        end += 1;
    }
    end
}

/// Behind the closing quote; an unclosed literal ends with its line.
fn quoted_end(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => return end,
            _ if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    text.len()
}

fn raw_end(text: &[u8], quote: usize) -> usize {
    let open = run(text, quote + 1, |byte| byte != b'(' && byte != b'\n');
    let mut close = vec![b')'];
    close.extend(&text[quote + 1..open]);
    close.push(b'"');
    find(text, open, &close)
}

/// Behind the next `wanted`, or the end of the text.
fn find(text: &[u8], at: usize, wanted: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let found = memchr::memmem::find(rest, wanted);
    found.map_or(text.len(), |found| at + found + wanted.len())
}

/// The end of a line, a backslash at its end joins the next one to it.
fn logical_line_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        end = run(text, end, |byte| byte != b'\n');
        let line = text[at..end].strip_suffix(b"\r").unwrap_or(&text[at..end]);
        if end == text.len() || line.last() != Some(&b'\\') {
            return end;
        }
        end += 1;
    }
}

/// Like `logical_line_end`, but a block comment inside may hold line ends.
fn directive_end(text: &[u8], at: usize) -> usize {
    let mut from = at;
    loop {
        let end = logical_line_end(text, from);
        let line = &text[from..end];
        let Some(open) = line
            .windows(2)
            .position(|pair| pair == b"/*" || pair == b"//")
        else {
            return end;
        };
        if line[open + 1] == b'/' {
            return end;
        }
        let close = find(text, from + open + 2, b"*/");
        if close <= end {
            from = close;
            continue;
        }
        from = close;
    }
}

/// For each opening bracket the index of its closing one. A `}` closes what was left open inside of it.
pub fn brackets(tokens: &[Token]) -> Vec<usize> {
    let mut close = vec![tokens.len(); tokens.len()];
    let mut open: Vec<(u8, usize)> = vec![];
    for (index, token) in tokens.iter().enumerate() {
        let Lexeme::Punct(byte) = token.lexeme else {
            continue;
        };
        let opener = match byte {
            b'(' | b'[' | b'{' => {
                open.push((byte, index));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        let found = match opener {
            b'{' => open.iter().rposition(|&(byte, _)| byte == b'{'),
            _ => open
                .len()
                .checked_sub(1)
                .filter(|&top| open[top].0 == opener),
        };
        if let Some(found) = found {
            for (_, left) in open.drain(found..) {
                close[left] = index;
            }
        }
    }
    close
}
