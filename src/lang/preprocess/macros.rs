//! Words that only the preprocessor can have put where they stand, blanked so that a grammar can read the rest.
//! Decided by position: a word in front of a class's name, a second type in a declaration, a call at file level with
//! no `;`. What a word looks like, or that this file defines it, only breaks ties.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::Dialect;
use super::conditions::{directive, first_word};
use super::declarators::Candidate;
use super::items::{End, Item, Items, Level, Part, What};
use super::lexer::{Lexeme, Token, is_word};
use super::words::{is_access, is_builtin, is_class_key, is_keyword, is_starter, word};

/// Where a line begins further right than this does not matter.
const MAX_COLUMN: usize = 200;

/// The text with macros blanked, and those that belong to the declaration behind them.
pub fn blank(
    text: &[u8],
    tokens: &[Token],
    known: HashMap<&[u8], usize>,
    dialect: Dialect,
) -> (Vec<u8>, Vec<Range<usize>>, Vec<Range<usize>>) {
    let mut items = Items::new(text, tokens, dialect);
    let mut edit = Edit {
        text,
        tokens,
        out: text.to_vec(),
        attached: vec![],
        known,
        dialect,
    };
    let mut bodies = vec![];
    while let Some(item) = items.next() {
        if item.end == End::Body {
            let first = item.parts.first().map_or(item.at, |part| part.first);
            bodies.extend(edit.body(first, item.at, items.closer(item.at)));
        }
        match item.level {
            Level::Enum => edit.enumerator(&item),
            _ if item.tail => {}
            level => edit.declaration(&mut items, item, level),
        }
    }
    for (first, last) in std::mem::take(&mut items.old_style) {
        edit.erase(first, last);
    }
    edit.attached.sort_by_key(|range| range.start);
    (edit.out, edit.attached, bodies)
}

/// Names this file defines as macros, and where first.
pub fn defined<'a>(text: &'a [u8], tokens: &[Token]) -> HashMap<&'a [u8], usize> {
    let mut known = HashMap::new();
    for token in tokens
        .iter()
        .filter(|token| token.lexeme == Lexeme::Directive)
    {
        let (word, rest) = directive(&text[token.range()]);
        let name = first_word(rest);
        let value = rest[name.len()..].trim_ascii();
        // One name for another, or around itself: no macro in the sense of this file.
        let renames = !value.is_empty() && first_word(value) == value && !is_keyword(value);
        let mut words = value.split(|byte| !is_word(*byte));
        let renames = renames || words.any(|word| word == name);
        if word == b"define" && !renames {
            known.entry(name).or_insert(token.start);
        }
    }
    known
}

pub(super) struct Edit<'a> {
    pub(super) text: &'a [u8],
    pub(super) tokens: &'a [Token],
    pub(super) out: Vec<u8>,
    pub(super) attached: Vec<Range<usize>>,
    /// Where this file defines macros.
    pub(super) known: HashMap<&'a [u8], usize>,
    pub(super) dialect: Dialect,
}

impl Edit<'_> {
    pub(super) fn word(&self, index: usize) -> &[u8] {
        word(self.text, self.tokens[index], self.dialect)
    }

    pub(super) fn lead(&self, part: &Part) -> &[u8] {
        self.word(part.first)
    }

    /// The inside of a function's body, if its brackets can be believed: nothing in it begins as far left as the function.
    fn body(&self, first: usize, open: usize, close: usize) -> Option<Range<usize>> {
        let margin = self.column(first);
        let starts = |at: usize| {
            let token = self.tokens[at];
            let label = self.tokens.get(at + 1).is_some_and(|next| next.is(b':'));
            token.leads && token.is_word() && !label && self.column(at) <= margin
        };
        let believed =
            self.tokens[close].is(b'}') && close > open && !(open + 1..close).any(starts);
        believed.then(|| self.tokens[open].end..self.tokens[close].start)
    }

    fn column(&self, at: usize) -> usize {
        let head = &self.text[..self.tokens[at].start];
        let head = head.iter().rev().take(MAX_COLUMN);
        head.take_while(|&&byte| byte != b'\n').count()
    }

    /// A single word that is no keyword.
    pub(super) fn is_name(&self, part: &Part) -> bool {
        part.what == What::Word
            && part.first == part.last
            && self.tokens[part.first].is_word()
            && !is_keyword(self.lead(part))
    }

    pub(super) fn is(&self, parts: &[Part], index: usize, what: What) -> bool {
        parts.get(index).is_some_and(|part| part.what == what)
    }

    /// Overwrites tokens `first..=last` with spaces; line ends stay.
    pub(super) fn erase(&mut self, first: usize, last: usize) {
        self.erase_bytes(self.tokens[first].start..self.tokens[last].end);
    }

    pub(super) fn erase_bytes(&mut self, range: Range<usize>) {
        for byte in &mut self.out[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    pub(super) fn declaration(&mut self, items: &mut Items<'_>, item: Item, level: Level) {
        let mut parts = item.parts;
        if parts.is_empty() {
            return;
        }
        if item.end == End::Label {
            return self.label(&parts, item.at);
        }
        if self.is_whole_noise(&parts, item.end) {
            let last = if item.end == End::Semicolon {
                item.at
            } else {
                parts[parts.len() - 1].last
            };
            return self.erase(parts[0].first, last);
        }
        let lone = |part: &Part| {
            self.is_name(part) || part.what == What::Parens && part.first > parts[0].first
        };
        if item.end == End::Cut && parts.iter().all(lone) {
            return self.erase(parts[0].first, parts[parts.len() - 1].last);
        }
        if item.end == End::Semicolon && self.is_call(&parts, level) {
            return self.erase(parts[0].first, item.at);
        }
        if item.end == End::Members && self.lead(&parts[0]) == b"export" && parts.len() == 1 {
            let close = items.closer(item.at);
            self.erase(parts[0].first, item.at);
            return self.erase(close, close);
        }
        self.directives_inside(&parts);
        self.unnamed_bits(&parts);
        self.leading(&mut parts, level);
        if parts.is_empty() {
            return;
        }
        let key = self.class_key(&parts);
        if key.is_some_and(|key| self.class_head(&parts, key, item.end)) {
            return;
        }
        self.declarator(items, &parts, item.end, level);
    }

    /// Nothing but calls and single macros, the last a call that is no constructor.
    pub(super) fn is_call(&self, parts: &[Part], level: Level) -> bool {
        let [.., name, list] = parts else {
            return false;
        };
        let names = parts[..parts.len() - 1].iter();
        let calls = parts.len() == 2;
        let macros = self.tokens[name.first].leads
            && names
                .clone()
                .all(|part| part.what == What::Parens || self.suspicion(part) > 0);
        let plain = list.what == What::Parens
            && names
                .clone()
                .all(|part| part.what == What::Parens || self.is_name(part));
        plain && (calls || macros) && !self.is_own_name(level, self.lead(name))
    }

    /// Whether a word is the name of the class around it.
    pub(super) fn is_own_name(&self, level: Level, name: &[u8]) -> bool {
        let Level::Class(first, last) = level else {
            return false;
        };
        let mut depth = 0;
        (first..=last).any(|at| {
            depth += i32::from(self.tokens[at].is(b'<')) - i32::from(self.tokens[at].is(b'>'));
            depth == 0 && self.word(at) == name
        })
    }

    /// Between brackets the grammar knows no directives.
    pub(super) fn directives_inside(&mut self, parts: &[Part]) {
        let bracketed = |part: &&Part| {
            matches!(
                part.what,
                What::Braces | What::Parens | What::Brackets | What::Other
            )
        };
        for part in parts.iter().filter(bracketed) {
            for at in part.first..=part.last {
                if self.tokens[at].lexeme == Lexeme::Directive {
                    self.erase(at, at);
                }
            }
        }
    }

    /// Modules, deduction guides and explicit instantiations: the grammar knows none of them, nor do they define anything.
    pub(super) fn is_whole_noise(&self, parts: &[Part], end: End) -> bool {
        if self.dialect != Dialect::Cpp || end != End::Semicolon {
            return false;
        }
        let first = self.lead(&parts[0]);
        let second = parts.get(1).map_or(&b""[..], |part| self.lead(part));
        let instantiation =
            |part: &Part, word: &[u8]| word == b"template" && part.first == part.last;
        match first {
            b"template" => instantiation(&parts[0], first),
            b"extern" => parts.get(1).is_some_and(|part| instantiation(part, second)),
            b"module" | b"import" => parts.len() <= 2 || !self.is(parts, 1, What::Parens),
            b"export" => matches!(second, b"module" | b"import"),
            _ => {
                let guide = parts
                    .get(2)
                    .is_some_and(|part| self.tokens[part.first].lexeme == Lexeme::Arrow);
                guide && self.is(parts, 1, What::Parens) && self.is_name(&parts[0])
            }
        }
    }

    /// `public slots:`, `signals:`.
    pub(super) fn label(&mut self, parts: &[Part], colon: usize) {
        let access = parts.iter().rposition(|part| is_access(self.lead(part)));
        if let Some(access) = access {
            for (index, part) in parts.iter().enumerate() {
                if index != access {
                    self.erase(part.first, part.last);
                }
            }
            return;
        }
        let last = parts[parts.len() - 1];
        self.erase(parts[0].first, last.last);
        let word = self.tokens[last.first];
        match self.out.get_mut(word.start..word.start + 6) {
            Some(place) if word.end - word.start >= 6 => place.copy_from_slice(b"public"),
            _ => self.erase(colon, colon),
        }
    }

    /// Macros in front of the word a declaration begins with.
    pub(super) fn leading(&mut self, parts: &mut Vec<Part>, level: Level) {
        let begins = |part: &Part| {
            let word = self.lead(part);
            part.what == What::Word && (is_starter(word) || is_builtin(word) || word == b"operator")
        };
        let Some(start) = parts.iter().position(begins) else {
            return;
        };
        let mut end = 0;
        while end < start {
            let called = self.is(parts, end + 1, What::Parens) && end + 1 < start;
            let exported = self.dialect == Dialect::Cpp && self.lead(&parts[end]) == b"export";
            if !self.is_name(&parts[end]) && !exported {
                break;
            }
            end += 1 + usize::from(called);
        }
        if end != start {
            return;
        }
        if start > 0 {
            self.attach(&parts[..start], &parts[start], level);
            self.erase(parts[0].first, parts[start - 1].last);
        }
        parts.drain(..start);
    }

    /// Remembers which of these macros a reader takes for a part of the declaration behind them: those on its line,
    /// and words alone on the line above a function or an object.
    pub(super) fn attach(&mut self, macros: &[Part], next: &Part, level: Level) {
        let class = is_class_key(self.lead(next))
            || matches!(self.lead(next), b"namespace" | b"using" | b"typedef");
        let mut start = self.tokens[next.first].start;
        let end = start;
        for (index, part) in macros.iter().enumerate().rev() {
            let token = self.tokens[part.first];
            if part.what == What::Parens {
                continue;
            }
            let last = macros
                .get(index + 1)
                .filter(|next| next.what == What::Parens)
                .unwrap_or(part);
            let gap = &self.text[self.tokens[last.last].end..start];
            let lines = gap.iter().filter(|&&byte| byte == b'\n').count();
            let plain = last.first == part.first && level == Level::File && !class;
            if !gap.trim_ascii().is_empty() || lines > 1 || lines == 1 && !plain {
                break;
            }
            start = token.start;
        }
        if start < end {
            self.attached.push(start..end);
        }
    }

    /// The class key of a definition or declaration of a type.
    pub(super) fn class_key(&self, parts: &[Part]) -> Option<usize> {
        let key = parts
            .iter()
            .position(|part| part.what == What::Word && is_class_key(self.lead(part)))?;
        let before = |part: &Part| matches!(part.what, What::Word | What::Parens);
        parts[..key].iter().all(before).then_some(key)
    }

    /// `class MACRO MACRO(x) Name FINAL : bases {`. False if this is no head of a type.
    pub(super) fn class_head(&mut self, parts: &[Part], key: usize, end: End) -> bool {
        for (index, part) in parts[..key].iter().enumerate() {
            if self.is_name(part) {
                let called = self.is(parts, index + 1, What::Parens);
                self.erase(part.first, parts[index + usize::from(called)].last);
            }
        }
        let mut at = key + 1;
        let mut words: Vec<Candidate> = vec![];
        while let Some(part) = parts.get(at) {
            let word = self.lead(part);
            let called = self.is(parts, at + 1, What::Parens);
            match part.what {
                What::Word if is_class_key(word) || word == b"final" => {}
                What::Word
                    if matches!(
                        word,
                        b"__attribute__" | b"alignas" | b"_Alignas" | b"__declspec"
                    ) =>
                {
                    at += 1
                }
                What::Word => {
                    let suspicion = if called { 4 } else { self.suspicion(part) };
                    words.push(Candidate {
                        first: at,
                        last: at + usize::from(called),
                        suspicion,
                    });
                    at += usize::from(called);
                }
                What::Brackets => {}
                _ => break,
            }
            at += 1;
        }
        let defines =
            end == End::Members && parts.get(at).is_none_or(|part| part.what == What::Colon);
        let declares =
            end == End::Semicolon && at == parts.len() && self.lead(&parts[key]) == b"class";
        if !defines && !declares {
            return false;
        }
        let least = words.iter().map(|word| word.suspicion).min().unwrap_or(0);
        let name = words.iter().rposition(|word| word.suspicion == least);
        for (index, word) in words.iter().enumerate() {
            if Some(index) != name {
                self.erase(parts[word.first].first, parts[word.last].last);
            }
        }
        defines
    }

    /// Whether a macro of this name is defined above.
    pub(super) fn is_known(&self, part: &Part) -> bool {
        let defined = self.known.get(self.lead(part));
        defined.is_some_and(|&defined| defined < self.tokens[part.first].start)
    }

    /// How much a word looks like a macro.
    pub(super) fn suspicion(&self, part: &Part) -> u8 {
        let word = self.lead(part);
        if !self.is_name(part) {
            return 0;
        }
        let caps = word.len() > 1
            && !word.iter().any(u8::is_ascii_lowercase)
            && word.iter().any(u8::is_ascii_uppercase);
        match () {
            () if self.is_known(part) => 3,
            // `int NAME MAYBE_UNUSED = 1;`: nobody names an object so.
            () if caps && memmem::find(word, b"UNUSED").is_some() => 2,
            () if caps || word.starts_with(b"__") => 1,
            () => 0,
        }
    }
}
