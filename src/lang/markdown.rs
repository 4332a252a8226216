//! Markdown: headings, each with its section and the paragraph that it begins with. Block structure is left to a CommonMark parser; headings inside of quotes,
//! lists and footnotes belong to what quotes them and are not listed.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::conflicts::{conflicts, without_markers};
use super::scan::{after_bom, entry};
use super::{Language, Reader};
use crate::model::{Item, ItemId, Kind, Lines, Outline};
use crate::source::Source;

pub static MARKDOWN: Language = Language {
    name: "markdown",
    aliases: &["md"],
    extensions: &["md", "markdown", "mdx", "mkd", "mdown"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(scan),
};

/// Conflict markers in code are somebody's example.
fn scan(source: &Source) -> Outline {
    let mut markers = conflicts(source.text());
    if !markers.is_empty() {
        let (_, code) = read(source);
        markers.retain(|marker| !code.iter().any(|code| code.contains(&marker.start)));
    }
    without_markers(source, markers, b' ', |source| read(source).0)
}

/// The outline, and where code stands.
fn read(source: &Source) -> (Outline, Vec<Range<usize>>) {
    let start = body(source.text());
    let text = utf8(&source.text()[start..]);
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut items: Vec<Item> = vec![];
    let mut code = vec![];
    let mut depth = 0u32;
    for (event, bytes) in Parser::new_ext(&text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                let bytes = bytes.start + start..bytes.end + start;
                items.push(heading(source, level, bytes));
            }
            Event::Start(Tag::Paragraph) if depth == 0 => {
                if let Some(section) = items.last_mut().filter(|item| item.doc.is_none()) {
                    section.doc = Some(text[bytes].to_string());
                }
            }
            Event::Start(Tag::CodeBlock(_)) => code.push(bytes.start + start..bytes.end + start),
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::FootnoteDefinition(_)) => {
                depth += 1;
            }
            Event::End(end) if closes(end) => depth -= 1,
            _ => {}
        }
    }
    nest(source, &mut items);
    let outline = Outline {
        items,
        ..Outline::default()
    };
    (outline, code)
}

fn closes(end: pulldown_cmark::TagEnd) -> bool {
    use pulldown_cmark::TagEnd::{BlockQuote, FootnoteDefinition, List};
    matches!(end, BlockQuote(_) | List(_) | FootnoteDefinition)
}

/// The parser wants UTF-8: bytes that are none become question marks, one for one, so that offsets stay.
fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let chunks = bytes.utf8_chunks().map(|chunk| {
                let invalid = "?".repeat(chunk.invalid().len());
                chunk.valid().to_string() + &invalid
            });
            Cow::Owned(chunks.collect())
        }
    }
}

/// Where the text begins behind front matter: `---` or `+++` on the first line and again below it. A thematic break
/// on the first line opens no front matter: that has no blank line at its top and at least one `key:` or `key =`.
fn body(text: &[u8]) -> usize {
    let bom = after_bom(text);
    let mut at = bom;
    let mut fence: &[u8] = b"";
    let mut has_key = false;
    for (number, line) in text[bom..]
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
    {
        at += line.len();
        let line = line.trim_ascii_end();
        match number {
            0 if line == b"---" || line == b"+++" => fence = line,
            0 => break,
            1 if line.is_empty() => break,
            _ if line == fence || line == b"..." && fence == b"---" => {
                return if has_key || number == 1 { at } else { bom };
            }
            _ => has_key |= is_key(line, if fence == b"+++" { b'=' } else { b':' }),
        }
    }
    bom
}

/// A line such as `key: value`.
fn is_key(line: &[u8], separator: u8) -> bool {
    let key = line.iter().position(|&byte| byte == separator);
    key.is_some_and(|end| {
        let blank = line.get(end + 1).is_none_or(u8::is_ascii_whitespace);
        (blank || separator == b'=') && !line.starts_with(b"#") && end > 0
    })
}

/// A heading with its own lines as range.
fn heading(source: &Source, level: HeadingLevel, bytes: Range<usize>) -> Item {
    let text = source.str(bytes.clone());
    let name = match atx(text.trim()) {
        Some(name) => name.to_string(),
        None => setext(&text),
    };
    let level = level as u8;
    let signature = format!("{} {name}", "#".repeat(level.into()));
    let mut item = entry(source, Kind::Heading, name, bytes);
    item.signature = signature.trim_end().to_string();
    item.level = Some(level);
    item
}

/// The text between the markers of `## Text ##`.
fn atx(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let opened = (1..=6).contains(&(line.len() - text.len()));
    if !opened || !text.is_empty() && !text.starts_with([' ', '\t']) {
        return None;
    }
    let bare = text.trim_end_matches('#');
    let closed = bare.is_empty() || bare.ends_with([' ', '\t']);
    Some(if closed { bare } else { text }.trim())
}

/// The lines above the underline, on one line.
fn setext(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines[..lines.len().saturating_sub(1)].join(" ")
}

/// Makes ranges of sections: up to the next heading of the same or a higher level, without the blank lines at the end.
fn nest(source: &Source, items: &mut [Item]) {
    let mut open: Vec<usize> = vec![];
    for id in 0..=items.len() {
        let level = items.get(id).map_or(0, |item| item.level.unwrap_or(0));
        let until = items.get(id).map(|item| item.lines.start);
        let mut end = last_line(source, until.map_or(source.lines(), |line| line - 1));
        while let Some(&last) = open
            .last()
            .filter(|&&last| items[last].level >= Some(level))
        {
            open.pop();
            let next = items.get(id).map(|next| next.bytes.start);
            close(source, &mut items[last], end, next, id);
            // Headings can share a line: a lone CR ends none.
            end = items[last].lines.end;
        }
        let Some(&parent) = open.last().filter(|_| id < items.len()) else {
            open.push(id);
            continue;
        };
        items[id].parent = Some(parent as ItemId);
        items[id].qualname = format!("{} > {}", items[parent].qualname, items[id].name);
        open.push(id);
    }
}

/// The last line up to `line` that is not blank.
fn last_line(source: &Source, mut line: u32) -> u32 {
    while line > 1 && source.line(line).trim_ascii().is_empty() {
        line -= 1;
    }
    line
}

/// Ends a section with a line, or where the `next` heading begins on it.
fn close(source: &Source, item: &mut Item, line: u32, next: Option<u32>, end: usize) {
    let line = line.max(item.lines.end);
    item.lines = Lines {
        start: item.lines.start,
        end: line,
    };
    let line_end = source.line_start(line) + source.line(line).len() as u32;
    item.bytes.end = next.map_or(line_end, |next| line_end.min(next));
    item.end = end as ItemId;
}
