//! The first sentence of a definition's documentation, from the comment that touches it or stands behind it.
//! Reads text, not trees: where comments hang in a tree differs between grammars, the lines above a definition do not.

use crate::lang::Docs;
use crate::source::Source;

/// Longest documentation shown, in characters.
const MAX_CHARS: usize = 160;
/// How many lines of a plain comment count as documentation.
const MAX_LINES: usize = 3;

/// The comment in front of byte `start`, which is the first byte of a definition.
pub fn before(source: &Source, docs: &Docs, start: usize) -> Option<String> {
    let text = source.text();
    // From the last line to the first.
    let mut lines: Vec<&str> = vec![];
    let mut at = start;
    loop {
        let head = trim_blank_end(&text[..at]);
        let gap = &text[head.len()..at];
        let breaks = gap.iter().filter(|&&byte| byte == b'\n').count();
        if head.is_empty() || breaks == 0 && !ends_block(head, docs) || breaks > 1 && !docs.detached
        {
            break;
        }
        let line_start = head
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let line = std::str::from_utf8(&head[line_start..])
            .unwrap_or("")
            .trim();
        if let Some(content) = line_comment(line, docs) {
            lines.push(content);
        } else if ends_block(head, docs) && (lines.is_empty() || docs.detached) {
            lines.extend(block_comment(head, docs).unwrap_or("").lines().rev());
            break;
        } else if !(docs.detached && is_plain(line, docs)) {
            break;
        }
        at = line_start;
    }
    let most = if docs.detached {
        lines.len()
    } else {
        MAX_LINES
    };
    first_sentence(lines.into_iter().rev().take(most))
}

/// Whether a line is nothing but a comment that is no documentation, in a language whose documentation is a kind of
/// line comment.
fn is_plain(line: &str, docs: &Docs) -> bool {
    let marks = docs.line.first().and_then(|open| open.get(..2));
    marks.is_some_and(|marks| line.starts_with(marks))
}

/// The comment behind a definition that ends at byte `end`, on the same line.
pub fn behind(source: &Source, docs: &Docs, end: usize) -> Option<String> {
    let rest = &source.text()[end..];
    let line = &rest[..rest
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(rest.len())];
    let line = std::str::from_utf8(line)
        .ok()?
        .trim()
        .trim_start_matches([',', ';'])
        .trim_start();
    if let Some(content) = line_comment(line, docs) {
        return first_sentence(std::iter::once(content.trim_start_matches('<')));
    }
    let (open, close) = docs.block?;
    let content = line.strip_prefix(open)?.strip_suffix(close)?;
    first_sentence(std::iter::once(content.trim_start_matches('<')))
}

/// Cuts documentation to its first sentence; none where nothing is said (separators, licences).
pub fn first_sentence<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let clean = |line: &'a str| line.trim().trim_start_matches(['*', '!']).trim();
    let spoken = |line: &&str| line.chars().any(char::is_alphanumeric);
    let lines = lines
        .map(clean)
        .skip_while(|line| !spoken(line) && !is_tag(line))
        .take_while(|line| spoken(line) && !is_tag(line));
    let lines: Vec<&str> = lines.collect();
    let first = *lines.first()?;
    if lines.iter().any(|line| is_licence(line)) {
        return None;
    }
    let text = lines.join(" ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = sentence_end(&text).map_or_else(
        || first.trim_end_matches(['*', '/']).trim(),
        |end| &text[..end],
    );
    Some(sentence.chars().take(MAX_CHARS).collect())
}

/// Byte behind the full stop that ends the first sentence.
fn sentence_end(text: &str) -> Option<usize> {
    let stops = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。'));
    stops.map(|(at, c)| at + c.len_utf8()).find(|&end| {
        let word = text[..end].rsplit([' ', '(']).next().unwrap_or("");
        let abbreviation = matches!(
            word,
            "e.g." | "i.e." | "etc." | "cf." | "vs." | "resp." | "approx."
        );
        let next = text[end..].chars().next();
        next.is_none_or(|c| c.is_whitespace() || word.ends_with('。'))
            && !(abbreviation && next.is_some())
    })
}

fn is_tag(line: &str) -> bool {
    line.starts_with('@')
        || line.starts_with(":param")
        || line.starts_with("\\param")
        || line.starts_with("```")
}

fn is_licence(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "copyright",
        "license",
        "licence",
        "spdx-",
        "all rights reserved",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn trim_blank_end(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace())
        .map_or(0, |at| at + 1);
    &text[..end]
}

/// Text of a line that is nothing but a line comment that can be documentation.
fn line_comment<'a>(line: &'a str, docs: &Docs) -> Option<&'a str> {
    if docs.not_line.iter().any(|open| line.starts_with(open)) {
        return None;
    }
    docs.line.iter().find_map(|open| line.strip_prefix(open))
}

fn ends_block(head: &[u8], docs: &Docs) -> bool {
    docs.block
        .is_some_and(|(_, close)| head.ends_with(close.as_bytes()))
}

/// Text of the block comment that ends `head`.
fn block_comment<'a>(head: &'a [u8], docs: &Docs) -> Option<&'a str> {
    let (open, close) = docs.block?;
    let inner = &head[..head.len() - close.len()];
    let start = inner.windows(2).rposition(|pair| pair == b"/*")?;
    let comment = std::str::from_utf8(&inner[start..]).ok()?;
    if docs.not_block.iter().any(|not| comment.starts_with(not)) {
        return None;
    }
    comment.strip_prefix(open)
}
