//! What can be said of a file that is not parsed: lines that begin as definitions do. Names, kinds, nesting and ends are
//! guesses, and marked so; knows no language but the words its patterns file gives (`;! scan`, `;! before`).

use crate::lang::Grammar;
use crate::lang::rules::Rules;
use crate::model::{Item, ItemId, Kind, Lines, Outline, Trust};
use crate::source::Source;

/// Entries of one file; a hundred thousand lines of guesses help nobody, and take memory.
const MOST: usize = 10_000;
/// Bytes of a signature: the line may be the whole file.
const SIGNATURE: usize = 160;
const NAME: usize = 100;
/// Guesses within guesses; qualified names take memory with the square of it.
const DEPTH: usize = 20;

/// A guess, before it is an item.
struct Found<'a> {
    kind: Kind,
    name: &'a [u8],
    indent: usize,
}

/// Adds what the lines say. Returns how many more lines look like definitions.
pub fn scan(source: &Source, grammar: &Grammar, outline: &mut Outline) -> usize {
    let rules = grammar.rules();
    let mut open: Vec<(usize, ItemId)> = vec![];
    // The last line with text, and the lines left out.
    let (mut last, mut more) = (0, 0);
    if rules.scan.is_empty() {
        return 0;
    }
    for number in 1..=source.lines() {
        let line = source.line(number);
        if let Some(found) = look(line, rules) {
            let out = open.iter().rposition(|(indent, _)| *indent < found.indent);
            let inner = open.drain(out.map_or(0, |out| out + 1)..);
            inner
                .rev()
                .for_each(|(_, id)| close(id, last, source, outline));
            let parent = open.last().map(|(_, id)| *id);
            if outline.items.len() == MOST || open.len() == DEPTH {
                more += 1;
            } else if let Some(item) = item(&found, parent, number, line, source, grammar, outline)
            {
                if !item.kind.is_value() {
                    open.push((found.indent, outline.items.len() as ItemId));
                }
                outline.items.push(item);
            }
        }
        if !line.trim_ascii().is_empty() {
            last = number;
        }
    }
    let rest = open.drain(..).rev();
    rest.for_each(|(_, id)| close(id, last, source, outline));
    more
}

/// Modifiers, a word that defines, a name.
fn look<'a>(line: &'a [u8], rules: &Rules) -> Option<Found<'a>> {
    let text = line.trim_ascii_start();
    let indent = line.len() - text.len();
    let mut rest = text;
    // No language has more modifiers; a line may be a whole file.
    for _ in 0..8 {
        if rest.first() == Some(&b'<') {
            rest = behind(rest, b'>');
        }
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<';
        let end = rest.iter().position(ends)?;
        let (word, behind) = (&rest[..end], rest[end..].trim_ascii_start());
        let defines = rules
            .scan
            .iter()
            .find(|(known, _)| known.as_bytes() == word);
        if let Some(&(_, kind)) = defines {
            let name = name(behind);
            return (!name.is_empty()).then_some(Found { kind, name, indent });
        }
        if !rules.before.iter().any(|known| known.as_bytes() == word) {
            return None;
        }
        rest = behind;
    }
    None
}

/// The name at the start of a text, behind one bracket (a receiver, type parameters).
fn name(text: &[u8]) -> &[u8] {
    let text = match text.first() {
        Some(b'(') => behind(text, b')'),
        Some(b'<') => behind(text, b'>'),
        _ => text,
    };
    let part =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte) || !byte.is_ascii();
    &text[..text.iter().take(NAME).take_while(part).count()]
}

fn behind(text: &[u8], closer: u8) -> &[u8] {
    let head = &text[..text.len().min(SIGNATURE)];
    let end = head.iter().position(|byte| *byte == closer);
    end.map_or(&[], |end| text[end + 1..].trim_ascii_start())
}

/// None for a local.
fn item(
    found: &Found<'_>,
    parent: Option<ItemId>,
    number: u32,
    line: &[u8],
    source: &Source,
    grammar: &Grammar,
    outline: &Outline,
) -> Option<Item> {
    let name = String::from_utf8_lossy(found.name).into_owned();
    let owner = parent.map(|id| &outline.items[id as usize]);
    let method = found.kind == Kind::Function && owner.is_some_and(|owner| owner.kind.is_type());
    if found.kind.is_value() && owner.is_some_and(|owner| owner.kind.is_callable()) {
        return None;
    }
    let scope = owner.map_or("", |owner| &owner.qualname);
    let start = source.line_start(number) + found.indent as u32;
    let id = outline.items.len() as ItemId;
    let kind = if method { Kind::Method } else { found.kind };
    let lines = Lines {
        start: number,
        end: number,
    };
    let bytes = start..source.line_start(number) + line.len() as u32;
    Some(Item {
        qualname: (grammar.hooks.join)(scope, &name, grammar.separator),
        signature: signature(&line[found.indent..]),
        trust: Trust::Guessed,
        parent,
        end: id + 1,
        ..Item::new(kind, name, lines, bytes)
    })
}

fn signature(line: &[u8]) -> String {
    let head = String::from_utf8_lossy(&line[..line.len().min(SIGNATURE)]);
    let head = head.trim_end_matches(char::REPLACEMENT_CHARACTER);
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || "{:;".contains(c));
    match line.len() > SIGNATURE {
        true => format!("{head}..."),
        false => head.to_string(),
    }
}

/// Ends an item, and what lies in it, with line `last`.
fn close(id: ItemId, last: u32, source: &Source, outline: &mut Outline) {
    let end = outline.items.len() as ItemId;
    let item = &mut outline.items[id as usize];
    item.end = end;
    item.lines.end = last.max(item.lines.start);
    item.bytes.end = source.line_start(item.lines.end) + source.line(item.lines.end).len() as u32;
}
