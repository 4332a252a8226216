//! What a line says by itself: its first word, whether it is a label, what its braces open.

use memchr::memmem;

use crate::lang::lex::Lexis;

/// A line that stands further left than what is around it.
pub enum Label {
    None,
    /// `case 1:`, `public:`: begins a section of a block.
    Section,
    /// `done:`, or a word in front of an operator.
    Jump,
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The word at a byte.
pub fn word(text: &[u8], at: usize) -> &str {
    let rest = &text[at..];
    let len = rest.iter().take_while(|byte| is_word(**byte)).count();
    str::from_utf8(&rest[..len]).unwrap_or_default()
}

/// Whether a text begins with one of some words; a word that is as long as a file is not looked through.
pub fn begins_with(words: &[&str], text: &[u8]) -> bool {
    let behind = |word: &&str| text.strip_prefix(word.as_bytes());
    let mut rests = words.iter().filter_map(behind);
    rests.any(|rest| rest.first().is_none_or(|byte| !is_word(*byte)))
}

/// Where a line that begins with a closing brace goes on with a word: `} else {`.
pub fn goes_on_at(text: &[u8], first: usize) -> Option<usize> {
    let behind = text[first..].strip_prefix(b"}")?;
    let spaces = behind.iter().take_while(|&&byte| byte == b' ').count();
    let begins = behind.get(spaces).is_some_and(|byte| is_word(*byte));
    begins.then_some(first + 1 + spaces)
}

/// Which label a line begins with.
pub fn label(text: &[u8], first: usize, lexis: &Lexis) -> Label {
    if !lexis.heads.is_empty() {
        return Label::None;
    }
    let rest = &text[first..];
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let words = line.iter().position(|&byte| !is_word(byte) && byte != b' ');
    let (words, behind) = line.split_at(words.unwrap_or(line.len()));
    let several = words.contains(&b' ');
    let alone = behind.trim_ascii() == b":";
    match word(text, first) {
        "case" | "default" if line.contains(&b':') || memmem::find(line, b"->").is_some() => {
            Label::Section
        }
        "public" | "private" | "protected" if alone || !several && behind.starts_with(b":") => {
            Label::Section
        }
        "" => Label::None,
        _ if alone => Label::Jump,
        _ => Label::None,
    }
}

/// Whether one of these words says what the brace at a byte opens: it stands in front, and no parameters between.
pub fn is_said_by(words: &[&str], text: &[u8], at: usize) -> bool {
    if words.is_empty() {
        return false;
    }
    let from = text[..at]
        .iter()
        .rposition(|byte| matches!(byte, b';' | b'{' | b'}'));
    let head = &text[from.map_or(0, |at| at + 1)..at];
    let mut own = head.split(|byte| !is_word(*byte));
    let known = |word: &[u8]| words.iter().any(|known| known.as_bytes() == word);
    !head.contains(&b'(') && own.any(known)
}

/// Where a closer goes that is missing behind a byte, before the code at another: not into a branch that may not be read.
pub fn behind_branches(text: &[u8], at: usize, next: usize, lexis: &Lexis) -> usize {
    let gap = text.get(at..next).filter(|_| lexis.preprocessor);
    let mut behind = at;
    let mut end = at;
    for line in gap
        .unwrap_or_default()
        .split_inclusive(|&byte| byte == b'\n')
    {
        end += line.len();
        let directive = line.trim_ascii_start().strip_prefix(b"#");
        if directive.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"endif")) {
            behind = end;
        }
    }
    behind
}
