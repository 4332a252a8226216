//! The first sentence of a definition's documentation, from the comment that touches it or stands behind it.
//! Reads text, not trees: where comments hang in a tree differs between grammars, the lines above a definition do not.

use memchr::memmem;

use crate::lang::Docs;
use crate::source::Source;

/// Longest documentation shown, in characters.
const MAX_CHARS: usize = 160;
/// How many lines of a plain comment count as documentation.
const MAX_LINES: usize = 3;

/// The first sentence of the comment in front of byte `start`, which is the first byte of a definition.
pub fn before(source: &Source, docs: &Docs, start: usize) -> Option<String> {
    let (lines, block) = comment_lines(source, docs, start);
    let most = if docs.detached || block {
        lines.len()
    } else {
        MAX_LINES
    };
    first_sentence(lines.into_iter().rev().take(most))
}

/// All of the comment in front of byte `start`, or behind byte `end` on its line, word by word.
pub fn words(source: &Source, docs: &Docs, start: usize, end: usize) -> String {
    let (lines, _) = comment_lines(source, docs, start);
    let clean = |line: &str| line.trim().trim_start_matches(['*', '!']).to_string();
    let lines: Vec<String> = match lines.is_empty() {
        true => behind(source, docs, end).into_iter().collect(),
        false => lines.into_iter().rev().map(clean).collect(),
    };
    let words: Vec<&str> = lines
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    words.join(" ")
}

/// The lines of the comment in front of byte `start`, the last one first, and whether it is a block.
fn comment_lines<'a>(source: &'a Source, docs: &Docs, start: usize) -> (Vec<&'a str>, bool) {
    let text = source.text();
    // From the last line to the first.
    let mut lines: Vec<&str> = vec![];
    let (mut at, mut block) = (start, false);
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
        // A line comment ends the line; what stands in front of a definition on its own line can be long.
        let line = match breaks {
            0 => "",
            _ => std::str::from_utf8(&head[line_start..])
                .unwrap_or("")
                .trim(),
        };
        if let Some(content) = line_comment(line, docs) {
            lines.push(content);
        } else if ends_block(head, docs) && (lines.is_empty() || docs.detached) {
            let Some((open, content)) = block_comment(head, docs) else {
                break;
            };
            // Behind something on an earlier line, it speaks of that.
            if breaks > 0 && !begins_line(head, open) {
                break;
            }
            if let Some(content) = content {
                lines.extend(content.lines().rev());
                block = true;
                break;
            }
            at = open;
            continue;
        } else if !is_plain(line, docs) {
            break;
        }
        at = line_start;
    }
    (lines, block)
}

/// Whether a line is nothing but a comment that never documents (a directive), or does not in a language whose
/// documentation is a kind of line comment: such a line does not part documentation from its definition.
fn is_plain(line: &str, docs: &Docs) -> bool {
    let marks = docs
        .line
        .first()
        .filter(|_| docs.detached)
        .and_then(|open| open.get(..2));
    docs.not_line.iter().any(|open| line.starts_with(open))
        || marks.is_some_and(|marks| line.starts_with(marks))
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
    let lines: Vec<&str> = lines.map(clean).take_while(|line| !is_tag(line)).collect();
    let mut paragraphs = lines
        .split(|line| !spoken(line))
        .filter(|lines| !lines.is_empty());
    let first = paragraphs.next()?;
    // A heading that repeats the name (`Mutex::Lock()`) says nothing; what comes behind it does.
    let is_word = first.len() == 1 && !first[0].contains(' ');
    let lines = if is_word {
        paragraphs.next().unwrap_or(first)
    } else {
        first
    };
    let first = lines[0];
    if lines.iter().any(|line| is_licence(line)) {
        return None;
    }
    let text = lines.join(" ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = sentence_end(&text).map_or_else(
        || first.trim_end_matches(['*', '/']).trim(),
        |end| &text[..end],
    );
    let mut shown: String = sentence.chars().take(MAX_CHARS).collect();
    if shown.len() < sentence.len() {
        shown.pop();
        shown.push('…');
    }
    Some(shown)
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
        // `{@code List<? extends T>}`
        let in_tag = text[..end].rfind("{@") > text[..end].rfind('}');
        next.is_none_or(|c| c.is_whitespace() || word.ends_with('。'))
            && !(abbreviation && next.is_some())
            && !(in_tag && text[end..].contains('}'))
    })
}

fn is_tag(line: &str) -> bool {
    line.starts_with("# ")
        || line.starts_with('@')
        || line.starts_with(":param")
        || line.starts_with("\\param")
        || line.starts_with("```")
}

fn is_licence(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let heads = [
        "copyright",
        "spdx-",
        "licensed under",
        "all rights reserved",
        "@license",
    ];
    heads.iter().any(|head| lower.contains(head))
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

/// Where the block comment that ends `head` begins, and what it says if it can be documentation.
fn block_comment<'a>(head: &'a [u8], docs: &Docs) -> Option<(usize, Option<&'a str>)> {
    let (open, close) = docs.block?;
    let inner = &head[..head.len() - close.len()];
    let previous = memmem::rfind(inner, close.as_bytes()).map_or(0, |at| at + close.len());
    // A comment may speak of `src/*.c`: what begins a line is likelier the opener than what stands nearest.
    let all = || memmem::find_iter(&inner[previous..], b"/*").map(|at| previous + at);
    let first = all()
        .find(|&at| begins_line(inner, at))
        .or_else(|| all().last())?;
    let comment = std::str::from_utf8(&inner[first..]).ok()?;
    let never = docs.not_block.iter().any(|not| comment.starts_with(not));
    Some((first, comment.strip_prefix(open).filter(|_| !never)))
}

/// Whether there is nothing but white space in front of a byte on its line.
fn begins_line(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().take_while(|byte| **byte != b'\n');
    before.copied().all(|byte| byte.is_ascii_whitespace())
}
