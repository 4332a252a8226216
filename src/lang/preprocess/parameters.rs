//! What stands behind a name: its parameters, each a type and a name, and the few words behind them that the language
//! knows; the widths of bit fields; the values of enumerators.

use super::declarators::MAX_WORDS;
use super::items::{Item, Items, Part, What};
use super::lexer::Lexeme;
use super::macros::Edit;
use super::words::{is_builtin, is_class_key, is_keyword, is_trailing};

impl Edit<'_> {
    /// Behind the parameters only a few words are known to the language.
    pub(super) fn trailing(&mut self, parts: &[Part], from: usize) {
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
    pub(super) fn parameters(&mut self, items: &Items<'_>, list: &Part) {
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

    /// `int a : 1, : 3;`: the grammar wants a name in front of each `:`.
    pub(super) fn unnamed_bits(&mut self, parts: &[Part]) {
        for at in 1..parts.len() {
            if parts[at - 1].what == What::Comma && parts[at].what == What::Colon {
                let behind = parts[at + 1..].iter();
                let width = behind.take_while(|part| part.what != What::Comma).count();
                self.erase(parts[at - 1].first, parts[at + width].last);
            }
        }
    }

    /// Behind an enumerator's name stands its value or nothing.
    pub(super) fn enumerator(&mut self, item: &Item) {
        self.directives_inside(&item.parts);
        let names = item
            .parts
            .iter()
            .take_while(|part| part.what != What::Equals);
        let names: Vec<usize> = names
            .enumerate()
            .filter(|(_, part)| part.what == What::Word)
            .map(|(at, _)| at)
            .collect();
        // Macros that make enumerators stand on lines of their own in front of it.
        let leading = names
            .iter()
            .rfind(|&&at| self.tokens[item.parts[at].first].leads);
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
