//! Words that only the preprocessor can have put where they stand, blanked so that a grammar can read the rest.
//! Decided by position: a word in front of a class's name, a second type in a declaration, a call at file level with
//! no `;`. What a word looks like, or that this file defines it, only breaks ties.

use std::collections::HashMap;
use std::ops::Range;

use super::Dialect;
use super::branches::{directive, first_word};
use super::items::{
    End, Item, Items, Level, Part, What, is_access, is_builtin, is_class_key, is_keyword,
    is_starter, is_trailing, word,
};
use super::lexer::{Lexeme, Token};

/// The text with macros blanked, and those that belong to the declaration behind them.
pub fn blank(
    text: &[u8],
    tokens: &[Token],
    dialect: Dialect,
) -> (Vec<u8>, Vec<Range<usize>>, Vec<Range<usize>>) {
    let mut items = Items::new(text, tokens, dialect);
    let mut edit = Edit {
        text,
        tokens,
        out: text.to_vec(),
        attached: vec![],
        known: defined(text, tokens),
        dialect,
    };
    let mut bodies = vec![];
    while let Some(item) = items.next() {
        if item.end == End::Body {
            let close = items.closer(item.at);
            bodies.push(tokens[item.at].end..tokens[close].start.max(tokens[item.at].end));
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
fn defined<'a>(text: &'a [u8], tokens: &[Token]) -> HashMap<&'a [u8], usize> {
    let mut known = HashMap::new();
    for token in tokens
        .iter()
        .filter(|token| token.lexeme == Lexeme::Directive)
    {
        let (word, rest) = directive(&text[token.range()]);
        let name = first_word(rest);
        let value = rest[name.len()..].trim_ascii();
        // One name for another: no macro in the sense of this file.
        let renames = !value.is_empty() && first_word(value) == value && !is_keyword(value);
        if word == b"define" && !renames {
            known.entry(name).or_insert(token.start);
        }
    }
    known
}

struct Edit<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    out: Vec<u8>,
    attached: Vec<Range<usize>>,
    /// Where this file defines macros.
    known: HashMap<&'a [u8], usize>,
    dialect: Dialect,
}

/// A declaration with more words than this is none.
const MAX_WORDS: usize = 32;
/// The suspicion of a call that can be no type.
const NO_TYPE: u8 = 9;

/// A word in a declaration that could be its type, its name or a macro.
#[derive(Clone, Copy)]
struct Candidate {
    /// Part index of the word, and of its arguments' end.
    first: usize,
    last: usize,
    suspicion: u8,
}

impl Edit<'_> {
    fn word(&self, index: usize) -> &[u8] {
        word(self.text, self.tokens[index], self.dialect)
    }

    fn lead(&self, part: &Part) -> &[u8] {
        self.word(part.first)
    }

    /// A single word that is no keyword.
    fn is_name(&self, part: &Part) -> bool {
        part.what == What::Word
            && part.first == part.last
            && self.tokens[part.first].is_word()
            && !is_keyword(self.lead(part))
    }

    fn is(&self, parts: &[Part], index: usize, what: What) -> bool {
        parts.get(index).is_some_and(|part| part.what == what)
    }

    /// Overwrites tokens `first..=last` with spaces; line ends stay.
    fn erase(&mut self, first: usize, last: usize) {
        self.erase_bytes(self.tokens[first].start..self.tokens[last].end);
    }

    fn erase_bytes(&mut self, range: Range<usize>) {
        for byte in &mut self.out[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    fn declaration(&mut self, items: &mut Items<'_>, item: Item, level: Level) {
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
        self.directives_inside(&parts);
        self.leading(&mut parts, level);
        if parts.is_empty() {
            return;
        }
        if let Some(key) = self.class_key(&parts) {
            if self.class_head(&parts, key, item.end) {
                return;
            }
        }
        self.declarator(items, &parts, item.end, level);
    }

    /// Nothing but calls and single macros, the last a call that is no constructor.
    fn is_call(&self, parts: &[Part], level: Level) -> bool {
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
    fn is_own_name(&self, level: Level, name: &[u8]) -> bool {
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
    fn directives_inside(&mut self, parts: &[Part]) {
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
    fn is_whole_noise(&self, parts: &[Part], end: End) -> bool {
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
    fn label(&mut self, parts: &[Part], colon: usize) {
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
    fn leading(&mut self, parts: &mut Vec<Part>, level: Level) {
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
    fn attach(&mut self, macros: &[Part], next: &Part, level: Level) {
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
    fn class_key(&self, parts: &[Part]) -> Option<usize> {
        let key = parts
            .iter()
            .position(|part| part.what == What::Word && is_class_key(self.lead(part)))?;
        let before = |part: &Part| matches!(part.what, What::Word | What::Parens);
        parts[..key].iter().all(before).then_some(key)
    }

    /// `class MACRO MACRO(x) Name FINAL : bases {`. False if this is no head of a type.
    fn class_head(&mut self, parts: &[Part], key: usize, end: End) -> bool {
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
                    let suspicion = if called { 3 } else { self.suspicion(part) };
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
    fn is_known(&self, part: &Part) -> bool {
        let defined = self.known.get(self.lead(part));
        defined.is_some_and(|&defined| defined < self.tokens[part.first].start)
    }

    /// How much a word looks like a macro.
    fn suspicion(&self, part: &Part) -> u8 {
        let word = self.lead(part);
        if !self.is_name(part) {
            return 0;
        }
        let caps = word.len() > 1
            && !word.iter().any(u8::is_ascii_lowercase)
            && word.iter().any(u8::is_ascii_uppercase);
        match () {
            () if self.is_known(part) => 2,
            () if caps || word.starts_with(b"__") => 1,
            () => 0,
        }
    }

    /// Functions and objects: more words than a type and a name need are macros.
    fn declarator(&mut self, items: &mut Items<'_>, parts: &[Part], end: End, level: Level) {
        if matches!(
            self.lead(&parts[0]),
            b"using" | b"namespace" | b"static_assert" | b"_Static_assert" | b"friend" | b"concept"
        ) {
            return;
        }
        let mut head = Head::default();
        let stop = self.words(parts, level, end, &mut head);
        let (calls, words): (Vec<Candidate>, Vec<Candidate>) = head
            .words
            .iter()
            .copied()
            .partition(|word| word.suspicion == NO_TYPE);
        for call in calls {
            self.erase(parts[call.first].first, parts[call.last].last);
        }
        let allowed = match () {
            () if words
                .last()
                .is_some_and(|name| self.is_untyped(&parts[name.first], level)) =>
            {
                1
            }
            () => usize::from(!head.typed) + usize::from(!head.named),
        };
        self.drop_extra(parts, words.clone(), allowed, level);
        let Some(list) = stop.filter(|&stop| self.is(parts, stop, What::Parens)) else {
            return;
        };
        if let Some(brackets) = list.checked_sub(1).map(|at| parts[at]) {
            if brackets.what == What::Parens && brackets.first + 2 == brackets.last {
                self.erase(brackets.first, brackets.first);
                self.erase(brackets.last, brackets.last);
            } else if brackets.what == What::Parens && self.tokens[brackets.first + 2].is(b'*') {
                self.erase(brackets.first + 1, brackets.first + 1);
            }
        }
        let name = words.last().copied();
        let typeless = words.len() == 1 && !head.typed && !head.pointer && !head.named;
        if typeless && end == End::Body && level == Level::File {
            if let Some(name) = name.filter(|name| self.is_name(&parts[name.first])) {
                self.typeless(&parts[name.first], &parts[list]);
            }
            return;
        }
        self.parameters(items, &parts[list]);
        self.trailing(parts, list + 1);
    }

    /// Collects the words in front of the parameters, or of the end of the first declarator.
    fn words(&self, parts: &[Part], level: Level, end: End, head: &mut Head) -> Option<usize> {
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            let word = self.lead(part);
            match part.what {
                What::Word if is_class_key(word) || word == b"typename" => {
                    head.typed = true;
                    at += 1;
                }
                What::Word if is_builtin(word) => head.typed = true,
                What::Word
                    if is_trailing(word) && at > 0 && self.is(parts, at - 1, What::Parens) =>
                {
                    return Some(at);
                }
                What::Word
                    if matches!(
                        word,
                        b"__attribute__"
                            | b"__attribute"
                            | b"alignas"
                            | b"_Alignas"
                            | b"__declspec"
                    ) =>
                {
                    at += 1
                }
                What::Word if is_keyword(word) && word != b"operator" => {
                    at += usize::from(self.is(parts, at + 1, What::Parens));
                }
                What::Word
                    if self.is(parts, at + 1, What::Parens)
                        && !self.is_bracketed_name(parts, at + 1) =>
                {
                    let call = Candidate {
                        first: at,
                        last: at + 1,
                        suspicion: self.suspicion(part),
                    };
                    let calls = head.words.iter().all(|word| word.last > word.first);
                    let macros = head.words.iter().all(|word| word.suspicion > 0);
                    let first =
                        !head.typed && !head.pointer && (calls || macros && call.suspicion > 0);
                    if first && self.is_macro_call(parts, at, level, end)
                        || self.is_inner_call(parts, at, head)
                    {
                        head.words.push(Candidate {
                            suspicion: match self.are_values(&parts[at + 1]) {
                                true => NO_TYPE,
                                false => call.suspicion.max(1),
                            },
                            ..call
                        });
                        at += 1;
                    } else {
                        head.words.push(Candidate { last: at, ..call });
                        return Some(at + 1);
                    }
                }
                What::Word => head.words.push(Candidate {
                    first: at,
                    last: at,
                    suspicion: self.suspicion(part),
                }),
                What::Pointer => head.pointer = true,
                What::Brackets => {}
                What::Parens if self.is_bracketed_name(parts, at) => {
                    head.named = true;
                    return Some(at + 1);
                }
                What::Parens => {
                    head.named = true;
                    return None;
                }
                _ => return Some(at),
            }
            at += 1;
        }
        None
    }

    /// Constructors, destructors and conversions: names with no type in front of them.
    fn is_untyped(&self, name: &Part, level: Level) -> bool {
        let text = &self.text[self.tokens[name.first].start..self.tokens[name.last].end];
        let last = self.word(name.last);
        let owner = name
            .last
            .checked_sub(2)
            .filter(|&owner| owner >= name.first);
        let conversion = (name.first..name.last).any(|at| {
            self.word(at) == b"operator"
                && self.tokens[at + 1].is_word()
                && !matches!(self.word(at + 1), b"new" | b"delete")
        });
        let own = self.is_own_name(level, text);
        own || conversion
            || text.starts_with(b"~")
            || owner.is_some_and(|owner| self.word(owner) == last)
            || name.last > name.first && self.tokens[name.last - 1].is(b'~')
    }

    /// `Type (name)(...)`: brackets around the name, against a macro of that name.
    fn is_bracketed_name(&self, parts: &[Part], at: usize) -> bool {
        let list = parts[at];
        let named = self.tokens[list.first + 1].is_word() && list.first + 3 < list.last;
        let star = list.first + 1 + usize::from(named);
        let pointer = self.tokens[star].is(b'*')
            && !self.is(parts, at.wrapping_sub(1), What::Pointer);
        let single = list.first + 2 == list.last && self.tokens[list.first + 1].is_word();
        self.is(parts, at + 1, What::Parens) && (single || pointer)
    }

    /// `MACRO(x) Type name`, `MACRO(x) name(...)`: a call in the place of a type or in front of it.
    fn is_macro_call(&self, parts: &[Part], at: usize, level: Level, end: End) -> bool {
        let Some(next) = parts.get(at + 2) else {
            return false;
        };
        let own = self.is_own_name(level, self.lead(&parts[at]));
        let follows = match next.what {
            What::Word => !is_trailing(self.lead(next)),
            What::Pointer => end != End::Body || parts.len() > at + 3,
            _ => false,
        };
        !own && self.is_name(&parts[at]) && follows
    }

    /// A call this file defines as a macro, with the name still to come.
    fn is_inner_call(&self, parts: &[Part], at: usize, head: &Head) -> bool {
        let next = parts.get(at + 2);
        let goes_on = next.is_some_and(|next| {
            next.what == What::Word && !is_trailing(self.lead(next)) || next.what == What::Pointer
        });
        let values = self.are_values(&parts[at + 1]);
        (!head.words.is_empty() || head.typed) && goes_on && (values || self.is_known(&parts[at]))
    }

    /// Whether arguments hold a number or a string, which no type's and no parameter list does.
    fn are_values(&self, list: &Part) -> bool {
        let mut inner = self.tokens[list.first..list.last].iter();
        inner.any(|token| matches!(token.lexeme, Lexeme::Number | Lexeme::Literal))
    }

    /// Blanks the most suspicious words until the rest is a type and a name.
    fn drop_extra(
        &mut self,
        parts: &[Part],
        mut words: Vec<Candidate>,
        allowed: usize,
        level: Level,
    ) {
        if words.len() > MAX_WORDS {
            return;
        }
        while words.len() > allowed {
            let most = words.iter().map(|word| word.suspicion).max().unwrap_or(0);
            let Some(index) = words.iter().position(|word| word.suspicion == most) else {
                return;
            };
            let word = words.remove(index);
            let (first, last) = (parts[word.first], parts[word.last]);
            if !self.is_name(&first) {
                continue;
            }
            if word.first == 0 {
                let next = parts.get(word.last + 1).copied().unwrap_or(last);
                self.attach(&parts[..=word.last], &next, level);
            }
            let arguments = parts.get(word.last + 1).filter(|part| {
                part.what == What::Parens
                    && word.last + 2 == parts.len()
                    && most > 0
                    && index == words.len()
            });
            self.erase(first.first, arguments.map_or(last.last, |part| part.last));
        }
        // As a type the grammar knows a call with one argument only.
        for word in words.iter().filter(|word| word.last > word.first) {
            let list = parts[word.last];
            if (list.first..list.last).any(|at| self.tokens[at].is(b',')) {
                self.erase(list.first, list.last);
            }
        }
    }

    /// A function a macro defines (`TEST(a, "b") {`), or one of old C that leaves out `int`.
    fn typeless(&mut self, name: &Part, list: &Part) {
        let inner = self.tokens[list.first + 1..list.last].iter();
        let plain = inner
            .clone()
            .all(|token| matches!(token.lexeme, Lexeme::Word | Lexeme::Punct(b',')));
        if !plain {
            self.erase_bytes(self.tokens[list.first].end..self.tokens[list.last].start);
        }
        let token = self.tokens[name.first];
        // C has no function without a type: the first letter becomes one, and the name is read from the text.
        if self.dialect == Dialect::C && token.end - token.start > 2 {
            self.erase_bytes(token.start + 1..token.start + 2);
        }
    }

    /// Behind the parameters only a few words are known to the language.
    fn trailing(&mut self, parts: &[Part], from: usize) {
        let mut at = from;
        while let Some(part) = parts.get(at) {
            let called = self.is(parts, at + 1, What::Parens);
            match part.what {
                What::Word if self.is_name(part) => {
                    let last = parts[at + usize::from(called)].last;
                    self.erase(part.first, last);
                }
                What::Word if is_trailing(self.lead(part)) => {}
                What::Pointer | What::Brackets | What::Parens => {}
                _ => return,
            }
            if self.lead(part) == b"requires" {
                return;
            }
            at += 1 + usize::from(called);
        }
    }

    /// Each parameter is a type and a name.
    fn parameters(&mut self, items: &Items<'_>, list: &Part) {
        let mut at = list.first + 1;
        while at < list.last {
            let mut words: Vec<(usize, bool)> = vec![];
            let mut typed = false;
            while at < list.last && !self.tokens[at].is(b',') {
                let token = self.tokens[at];
                let word = self.word(at);
                match token.lexeme {
                    Lexeme::Word if is_class_key(word) || word == b"typename" => {
                        typed = true;
                        at += 1;
                    }
                    Lexeme::Word if is_builtin(word) => typed = true,
                    Lexeme::Word if is_keyword(word) => {}
                    Lexeme::Word => words.push((at, self.tokens[at - 1].lexeme == Lexeme::Scope)),
                    Lexeme::Punct(b'(' | b'[' | b'{') => at = items.closer(at),
                    Lexeme::Punct(b'<') => at = items.angle_end(at).unwrap_or(at),
                    Lexeme::Punct(b'=') => {
                        while at + 1 < list.last && !self.tokens[at + 1].is(b',') {
                            at += 1;
                            if matches!(self.tokens[at].lexeme, Lexeme::Punct(b'(' | b'[' | b'{')) {
                                at = items.closer(at);
                            }
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            at += 1;
            words.retain(|&(_, scoped)| !scoped);
            let allowed = if typed { 1 } else { 2 };
            while words.len() > allowed && words.len() <= MAX_WORDS {
                let rank = |&(at, _): &(usize, bool)| {
                    self.suspicion(&Part {
                        what: What::Word,
                        first: at,
                        last: at,
                    })
                };
                let most = words.iter().map(rank).max().unwrap_or(0);
                let Some(index) = words.iter().position(|word| rank(word) == most) else {
                    break;
                };
                let (word, _) = words.remove(index);
                let next_is_scope = self
                    .tokens
                    .get(word + 1)
                    .is_some_and(|next| matches!(next.lexeme, Lexeme::Scope | Lexeme::Punct(b'<')));
                if !next_is_scope {
                    let called = self.tokens.get(word + 1).is_some_and(|next| next.is(b'('));
                    let last = if called { items.closer(word + 1) } else { word };
                    self.erase(word, last.min(list.last - 1).max(word));
                }
            }
        }
    }

    /// Behind an enumerator's name stands its value or nothing.
    fn enumerator(&mut self, item: &Item) {
        self.directives_inside(&item.parts);
        let names = item.parts.iter().take_while(|part| part.what != What::Equals);
        let names: Vec<usize> = names
            .enumerate()
            .filter(|(_, part)| part.what == What::Word)
            .map(|(at, _)| at)
            .collect();
        // Macros that make enumerators stand on lines of their own in front of it.
        let leading = names.iter().rfind(|&&at| self.tokens[item.parts[at].first].leads);
        let Some(&name) = leading.or(names.first()) else {
            return;
        };
        for part in &item.parts[..name] {
            self.erase(part.first, part.last);
        }
        if self.is(&item.parts, name + 1, What::Parens) {
            // A call that makes enumerators, with the next one behind it.
            let part = &item.parts[name];
            self.erase(part.first, item.parts[name + 1].last);
            return;
        }
        for part in &item.parts[name + 1..] {
            if !matches!(part.what, What::Word | What::Parens | What::Brackets) {
                return;
            }
            self.erase(part.first, part.last);
        }
    }
}

/// The words in front of a declarator's parameters.
#[derive(Default)]
struct Head {
    words: Vec<Candidate>,
    /// A built-in type or `struct X` is among them.
    typed: bool,
    pointer: bool,
    /// The name stands in brackets of its own.
    named: bool,
}
