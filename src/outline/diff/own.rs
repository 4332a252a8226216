//! What a definition says, as tokens: its own text without that of the definitions inside, and without documentation.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::Range;

use super::Side;
use crate::lang::Grammar;
use crate::model::{Item, ItemId, Kind, KindClass};
use crate::outline::doc;
use crate::outline::leaves::{Leaf, Sort};

/// The tokens of a definition.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Own {
    /// What is said, and how it is nested.
    pub strict: u64,
    /// What is said; where a file does not parse, nesting is a guess.
    pub plain: u64,
    /// A hash for each token.
    pub tokens: Vec<u64>,
}

/// The body or value of a definition.
pub(super) fn own(side: &Side, id: ItemId) -> Own {
    let item = side.item(id);
    match side.language.grammar() {
        Some(grammar) if side.leaves.know(id) => {
            let leaves = side.leaves.within(&item.rest);
            let documentation = inner_doc(side, grammar, id).len();
            tokens(side, &leaves[documentation..], &children(side, id))
        }
        _ => words(side, id),
    }
}

/// All that a type or scope says behind its name, the definitions inside included, word by word: tokens are known only of
/// what may have changed.
pub(super) fn whole(side: &Side, id: ItemId) -> Own {
    hashed(text(side, id, &[]).split_ascii_whitespace())
}

fn children(side: &Side, id: ItemId) -> Vec<Range<u32>> {
    let children = side.outline.children(Some(id));
    children
        .map(|child| side.item(child).bytes.clone())
        .collect()
}

/// Documentation that stands in the body, as tokens: a string that is a statement of its own, where a language has it so.
fn inner_doc<'a>(side: &'a Side, grammar: &Grammar, id: ItemId) -> &'a [Leaf] {
    let item = side.item(id);
    let leaves = side.leaves.within(&item.rest);
    let is_text = |leaf: &&Leaf| matches!(leaf.sort, Sort::Quote | Sort::Text);
    let documented = grammar.docs.values_only && !item.kind.is_value();
    if !documented || leaves.is_empty() {
        return &[];
    }
    let end = 1 + leaves[1..].iter().take_while(|leaf| !leaf.first).count();
    match leaves[..end].iter().all(|leaf| is_text(&leaf)) {
        true => &leaves[..end],
        false => &[],
    }
}

/// The documentation of a definition, word by word; empty where it has none.
pub(super) fn documentation(side: &Side, id: ItemId) -> String {
    let item = side.item(id);
    let Some(first) = &item.doc else {
        return String::new();
    };
    let Some(grammar) = side.language.grammar() else {
        return first.clone();
    };
    let inner = inner_doc(side, grammar, id);
    if let (Some(from), Some(to)) = (inner.first(), inner.last()) {
        let text = side.source.str(from.end as usize..to.start as usize);
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let (start, end) = (item.bytes.start as usize, item.bytes.end as usize);
    let words = match grammar.docs.values_only && !item.kind.is_value() {
        true => String::new(),
        false => doc::words(&side.source, &grammar.docs, start, end),
    };
    if words.is_empty() {
        first.clone()
    } else {
        words
    }
}

/// The tokens that lie in none of the ranges, nor part them.
fn tokens(side: &Side, leaves: &[Leaf], but: &[Range<u32>]) -> Own {
    let mut own = Own::default();
    let (mut strict, mut plain) = (DefaultHasher::new(), DefaultHasher::new());
    let base = leaves.first().map_or(0, |leaf| leaf.depth);
    let (mut behind, mut string, mut raw, mut joined) = (false, false, false, vec![]);
    for leaf in leaves {
        let next = but.partition_point(|range| range.end <= leaf.start);
        if but.get(next).is_some_and(|range| range.start <= leaf.start) {
            behind = true;
            continue;
        }
        let text = &side.source.text()[leaf.start as usize..leaf.end as usize];
        raw = match leaf.sort {
            Sort::Quote => text.iter().any(|byte| matches!(byte, b'r' | b'R')),
            _ => raw,
        };
        if mem::take(&mut behind) && matches!(text, b"," | b";" | b"|") {
            continue;
        }
        if leaf.sort == Sort::Text && mem::replace(&mut string, true) {
            // A string that is written in several parts.
            said(text, leaf.sort, raw, &mut joined);
            own.tokens.pop();
        } else {
            joined.clear();
            said(text, leaf.sort, raw, &mut joined);
            string = leaf.sort == Sort::Text;
            (leaf.depth.wrapping_sub(base), leaf.first).hash(&mut strict);
        }
        own.tokens.push(hash(&joined, leaf.sort));
    }
    own.tokens.hash(&mut strict);
    own.tokens.hash(&mut plain);
    (own.strict, own.plain) = (strict.finish(), plain.finish());
    own
}

/// A token as it is meant: which quotes a string is written in decides which of those inside need a backslash.
fn said(text: &[u8], sort: Sort, raw: bool, out: &mut Vec<u8>) {
    if sort != Sort::Text || raw {
        return out.extend_from_slice(text);
    }
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let escaped = rest.get(at + 1);
        out.extend_from_slice(&rest[..at]);
        if !matches!(escaped, Some(b'\'' | b'"')) {
            out.push(b'\\');
        }
        out.extend(escaped);
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

/// A word as a token.
pub(super) fn word(text: &str) -> u64 {
    hash(text.as_bytes(), Sort::Code)
}

fn hash(text: &[u8], sort: Sort) -> u64 {
    let mut hash = DefaultHasher::new();
    match sort {
        Sort::Code | Sort::Text if memchr::memchr(b'\r', text).is_none() => hash.write(text),
        Sort::Code | Sort::Text => {
            let parts = text.split(|&byte| byte == b'\r');
            parts.for_each(|part| hash.write(part));
        }
        Sort::Quote => text.iter().for_each(|byte| match byte {
            b'\'' => b'"'.hash(&mut hash),
            byte => byte.hash(&mut hash),
        }),
        Sort::Words => text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .for_each(|word| word.hash(&mut hash)),
    }
    hash.finish()
}

/// Text without what lies in the ranges.
fn text(side: &Side, id: ItemId, but: &[Range<u32>]) -> String {
    let item = side.item(id);
    let range = match item.kind.class() {
        KindClass::Entry if item.kind != Kind::Key => item.bytes.clone(),
        _ => item.rest.clone(),
    };
    let (mut at, mut out) = (range.start, String::new());
    for gap in but {
        out += &side.source.str(at as usize..gap.start.max(at) as usize);
        out.push('\n');
        at = gap.end.max(at);
    }
    out + &side.source.str(at as usize..range.end.max(at) as usize)
}

/// The body of what no tree is at hand for: words, of keys without brackets and comments, of headings without the heading.
fn words(side: &Side, id: ItemId) -> Own {
    let item = side.item(id);
    let text = text(side, id, &children(side, id));
    match item.kind {
        Kind::Key => hashed(scalars(&text)),
        Kind::Heading => {
            let lines = text.lines().skip(1);
            let prose = lines.filter(|line| !line.trim_matches(['=', '-', ' ']).is_empty());
            let words: Vec<&str> = prose.flat_map(str::split_whitespace).collect();
            hashed(words.into_iter())
        }
        Kind::Column => hashed(std::iter::empty()),
        _ => hashed(text.split_whitespace()),
    }
}

fn hashed<'a>(words: impl Iterator<Item = &'a str>) -> Own {
    let tokens: Vec<u64> = words
        .map(|word| hash(word.as_bytes(), Sort::Code))
        .collect();
    let mut all = DefaultHasher::new();
    tokens.hash(&mut all);
    Own {
        strict: all.finish(),
        plain: all.finish(),
        tokens,
    }
}

/// The scalars of a data file's text: what stands between brackets, commas and white space, strings whole, comments out.
fn scalars(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}');
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(part);
            if rest.starts_with("//") || rest.starts_with('#') {
                rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                let end = closing(rest, quote);
                let (word, behind) = rest.split_at(end);
                rest = behind;
                return Some(word);
            }
            let end = rest.find(part).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            rest = behind;
            match word {
                "" => return None,
                "-" => continue,
                word => return Some(word),
            }
        }
    })
}

/// Where a string ends that begins a text.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let inside = text.char_indices().skip(1);
    let end = inside.into_iter().find(|&(_, c)| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, c)| at + c.len_utf8())
}

/// A head without white space that says nothing, quotes alike, with placeholders for names that are not its own.
pub(super) fn head(item: &Item, names: &[&str]) -> String {
    let end = (item.head as usize).min(item.signature.len());
    let head = item.signature.get(..end).unwrap_or(&item.signature);
    let mut out = String::with_capacity(head.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let ordered = ordered(head.trim_end_matches([';', ',', ' ']));
    let mut rest = ordered.as_str();
    while let Some(c) = rest.chars().next() {
        let end = match c {
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '"' | '\'' if closing(rest, c) < rest.len() => closing(rest, c),
            c => c.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        let closes = matches!(word, ")" | "]" | "}" | ">");
        if closes && out.ends_with(',') {
            out.pop();
        }
        if is_word(c) && out.ends_with(is_word) {
            out.push(' ');
        }
        match names.iter().position(|name| *name == word) {
            Some(place) => out += &format!("\u{1}{place}"),
            None if c == '\'' => out += &word.replace('\'', "\""),
            None if c.is_whitespace() => {}
            None => out += word,
        }
        rest = behind;
    }
    match lone_parameter(&out) {
        Some((before, name)) if before.ends_with(is_word) => format!("{before} {name}=>"),
        Some((before, name)) => format!("{before}{name}=>"),
        None => out,
    }
}

/// Words in front of a definition whose order says nothing.
const MODIFIERS: &[&str] = &[
    "abstract",
    "const",
    "constexpr",
    "default",
    "explicit",
    "export",
    "extern",
    "final",
    "inline",
    "native",
    "override",
    "private",
    "protected",
    "public",
    "readonly",
    "static",
    "strictfp",
    "synchronized",
    "transient",
    "virtual",
    "volatile",
];

/// A head with the modifiers it begins with in order.
fn ordered(head: &str) -> String {
    let mut words: Vec<&str> = head.split(' ').collect();
    let count = words
        .iter()
        .take_while(|word| MODIFIERS.contains(word))
        .count();
    words[..count].sort_unstable();
    words.join(" ")
}

/// What stands in front of the only parameter of an arrow, and its name: the brackets around it may be left out.
fn lone_parameter(head: &str) -> Option<(&str, &str)> {
    let list = head.strip_suffix(")=>")?;
    let (before, name) = list.rsplit_once('(')?;
    let word = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    word.then_some((before, name))
}

/// How much two lists of tokens have in common, 0 to 1; both must be sorted.
pub(super) fn similarity(one: &[u64], other: &[u64]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let (mut at, mut common) = (0, 0);
    for token in one {
        while at < other.len() && other[at] < *token {
            at += 1;
        }
        if other.get(at) == Some(token) {
            (at, common) = (at + 1, common + 1);
        }
    }
    2.0 * f64::from(common) / (one.len() + other.len()) as f64
}
