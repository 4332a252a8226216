//! Functions and objects: of the words in front of a name all but its type are macros.

use super::Dialect;
use super::items::{End, Items, Level, Part, What};
use super::lexer::Lexeme;
use super::macros::Edit;
use super::words::{
    are_parameters, is_builtin, is_class_key, is_convention, is_keyword, is_trailing,
};

/// A declaration with more words than this is none.
pub(super) const MAX_WORDS: usize = 256;
/// The suspicion of a call that can be no type.
const NO_TYPE: u8 = 9;

/// A word in a declaration that could be its type, its name or a macro.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// Part index of the word, and of its arguments' end.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) suspicion: u8,
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

impl Edit<'_> {
    /// Functions and objects: more words than a type and a name need are macros.
    pub(super) fn declarator(
        &mut self,
        items: &mut Items<'_>,
        parts: &[Part],
        end: End,
        level: Level,
    ) {
        if matches!(
            self.lead(&parts[0]),
            b"using" | b"namespace" | b"static_assert" | b"_Static_assert" | b"friend" | b"concept"
        ) {
            return;
        }
        let mut head = Head::default();
        let stop = self.words(parts, level, end, &mut head);
        for part in parts.iter().filter(|part| part.what == What::Word) {
            if is_convention(self.lead(part)) {
                self.erase(part.first, part.last);
            }
        }
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
        if level == Level::File && words.len() == 1 && head.named && end != End::Body {
            self.as_type(&parts[words[0].first]);
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
        while let Some(part) = parts.get(at).filter(|_| head.words.len() <= MAX_WORDS) {
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
                    let call = self.call(parts, at, (level, end), head);
                    head.words.push(call);
                    if call.last == at {
                        return Some(at + 1);
                    }
                    at += 1;
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

    /// A word with arguments behind it: a macro with them, or the name of a function without.
    fn call(&self, parts: &[Part], at: usize, place: (Level, End), head: &Head) -> Candidate {
        let suspicion = self.suspicion(&parts[at]);
        let calls = head.words.iter().all(|word| word.last > word.first);
        let macros = head.words.iter().all(|word| word.suspicion > 0);
        let first = !head.typed && !head.pointer && (calls || macros && suspicion > 0);
        // Behind a type that is a call, words behind parameters are macros.
        let list = &self.tokens[parts[at + 1].first..=parts[at + 1].last];
        let first = first && (head.words.is_empty() || !are_parameters(self.text, list));
        let is_macro = first && self.is_macro_call(parts, at, place.0, place.1)
            || self.is_inner_call(parts, at, head);
        Candidate {
            first: at,
            last: at + usize::from(is_macro),
            suspicion: match is_macro {
                true if self.are_values(&parts[at + 1]) => NO_TYPE,
                true => suspicion.max(1),
                false => suspicion,
            },
        }
    }

    /// Constructors, destructors and conversions: names with no type in front of them.
    fn is_untyped(&self, name: &Part, level: Level) -> bool {
        let text = &self.text[self.tokens[name.first].start..self.tokens[name.last].end];
        let last = self.word(name.last);
        let owner = name
            .last
            .checked_sub(2)
            .filter(|&owner| owner >= name.first)
            .map(|owner| self.before_arguments(name.first, owner));
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

    /// The word that the arguments of a template, which end at a token, belong to.
    fn before_arguments(&self, first: usize, last: usize) -> usize {
        let (mut at, mut depth) = (last, 0);
        while at > first {
            depth += i32::from(self.tokens[at].is(b'>')) - i32::from(self.tokens[at].is(b'<'));
            if depth == 0 {
                break;
            }
            at -= 1;
        }
        at.saturating_sub(usize::from(at < last)).max(first)
    }

    /// `Type (name)(...)`: brackets around the name, against a macro of that name.
    fn is_bracketed_name(&self, parts: &[Part], at: usize) -> bool {
        let list = parts[at];
        // The list may be cut off with the file.
        let word = self.tokens[list.first..]
            .get(1)
            .is_some_and(|token| token.is_word());
        let star = list.first + 1 + usize::from(word && list.first + 3 < list.last);
        let pointer = self.tokens.get(star).is_some_and(|token| token.is(b'*'))
            && !self.is(parts, at.wrapping_sub(1), What::Pointer);
        let single = list.first + 2 == list.last && word;
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

    /// `type_t (*f)(void);`, which the grammar reads as a call: with a type that the language has it is none.
    fn as_type(&mut self, name: &Part) {
        let token = self.tokens[name.first];
        if self.is_name(name) && token.end - token.start >= 3 {
            self.erase(name.first, name.last);
            self.out[token.start..token.start + 3].copy_from_slice(b"int");
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
}
