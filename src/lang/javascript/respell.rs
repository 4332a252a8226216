//! Forms that the published grammars do not know, put into ones they do: variance of type parameters, `static accessor`,
//! fields and parameters named like keywords, decorators that are any expression, `global {` in a module, `export type *`.
//! Asked only where a file does not parse. Names and signatures are cut from the file itself, so words may be spoilt here.

/// A word or a mark, with what stands around it.
struct Token {
    start: usize,
    end: usize,
    /// First on its line, behind white space.
    indented: bool,
}

pub fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let tokens = tokens(text);
    let mut out = text.to_vec();
    let word = |at: usize| {
        let token = tokens.get(at);
        token.map_or(&b""[..], |token| &text[token.start..token.end])
    };
    let followed_by_line = |at: usize| tokens.get(at + 1).is_some_and(|next| next.indented);
    for (at, token) in tokens.iter().enumerate() {
        let (start, end) = (token.start, token.end);
        let before = at.checked_sub(1).map_or(&b""[..], word);
        let after = word(at + 1);
        match word(at) {
            // `<in out T>`
            b"in" | b"out" if matches!(before, b"<" | b"," | b"in") && is_word(after) => {
                out[start..end].fill(b' ');
            }
            b"accessor" if is_modifier(before) && is_word(after) && !followed_by_line(at) => {
                out[start..end].fill(b' ');
            }
            b"type" if before == b"export" && after == b"*" => out[start..end].fill(b' '),
            b"export" if after == b"import" && word(at + 4) == b"require" => {
                out[start..end].fill(b' ');
            }
            // `import("./types").List<T>`: a name as long; what is called is a promise.
            b"import" if after == b"(" && word(at + 4) == b"." && word(at + 6) != b"(" => {
                let path = &mut out[end..tokens[at + 4].start];
                let path = path.iter_mut().filter(|byte| **byte != b'\n');
                path.for_each(|byte| *byte = b'_');
            }
            here if is_keyword(here)
                && (ends_name(after) || before == b"(" && after == b")")
                && (token.indented || begins_name(before)) =>
            {
                out[start..end].fill(b'x');
            }
            // A block with a label is the one statement of this shape that is as long.
            b"global" if after == b"{" && before != b"declare" => out[end - 1] = b':',
            // A call signature behind a member without a semicolon.
            b"<" if token.indented && ends_member(before) => out[start - 1] = b';',
            b"(" if before == b"@" => spoil_group(&mut out, start),
            _ => {}
        }
    }
    (out != text).then_some(out)
}

/// Words that are names too: `accessor;`, `abstract: string`, `[symbol: Symbol]`, `(any) => void`.
fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"accessor"
            | b"abstract"
            | b"any"
            | b"boolean"
            | b"never"
            | b"number"
            | b"object"
            | b"string"
            | b"symbol"
            | b"unknown"
    )
}

fn is_modifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static" | b"override" | b"abstract" | b"readonly" | b"declare"
    )
}

fn ends_name(mark: &[u8]) -> bool {
    matches!(mark, b":" | b"=" | b";" | b"?" | b"!")
}

/// What a name, not a type, can stand behind.
fn begins_name(token: &[u8]) -> bool {
    matches!(token, b"(" | b"[" | b"{" | b"}" | b"," | b";") || is_modifier(token)
}

fn ends_member(word: &[u8]) -> bool {
    is_word(word) || matches!(word, b">" | b")" | b"]" | b"}")
}

fn is_word(token: &[u8]) -> bool {
    token
        .first()
        .is_some_and(|&byte| in_word(byte) || matches!(byte, b'"' | b'\''))
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#') || byte >= 0x80
}

/// Puts a name for what stands between the parenthesis at `open` and its partner.
fn spoil_group(out: &mut [u8], open: usize) {
    let mut depth = 0;
    let close = out[open..].iter().position(|byte| {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        depth == 0
    });
    let Some(close) = close.filter(|&close| close > 1) else {
        return;
    };
    let inner = &mut out[open + 1..open + close];
    for byte in inner.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    if inner[0] != b'\n' {
        inner[0] = b'x';
    }
}

/// Words and single marks; strings are one token, comments none. Regular expressions are read as marks: what is taken
/// wrongly for a string ends with its line.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = vec![];
    let (mut at, mut fresh) = (0, true);
    while at < text.len() {
        let start = at;
        let rest = &text[start..];
        at += match rest[0] {
            b'\n' => {
                fresh = true;
                1
            }
            byte if byte.is_ascii_whitespace() => 1,
            b'/' if rest.starts_with(b"//") => until(rest, 2, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(rest, 2, b"*/") + 2,
            quote @ (b'"' | b'\'' | b'`') => string(rest, quote),
            byte if in_word(byte) => rest
                .iter()
                .position(|&byte| !in_word(byte))
                .unwrap_or(rest.len()),
            _ => 1,
        };
        at = at.min(text.len());
        if rest[0].is_ascii_whitespace() || rest.starts_with(b"//") || rest.starts_with(b"/*") {
            continue;
        }
        tokens.push(Token {
            start,
            end: at,
            indented: fresh && start > 0 && matches!(text[start - 1], b' ' | b'\t'),
        });
        fresh = false;
    }
    tokens
}

/// Offset of `mark` in `text`, not before `from`.
fn until(text: &[u8], from: usize, mark: &[u8]) -> usize {
    let found = memchr::memmem::find(&text[from..], mark);
    found.map_or(text.len(), |at| from + at)
}

/// Length of the string at the start of `text`.
fn string(text: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    let end = text.iter().skip(1).position(|&byte| {
        let ends = !escaped && (byte == quote || byte == b'\n' && quote != b'`');
        escaped = !escaped && byte == b'\\';
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}
