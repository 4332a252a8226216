//! Cuts text into declarations and their parts, by brackets and punctuation alone: no grammar, no types.
//! Function bodies and initialisers are stepped over; namespaces, classes and enums are entered.

use super::Dialect;
use super::lexer::{Lexeme, Token, brackets};
use super::words::{is_access, is_class_key, is_keyword, is_trailing, word};

/// How far ahead the end of a list of arguments is looked for.
const MAX_AHEAD: usize = 1000;
/// A declaration with more parts than this is not looked at as a whole.
const MAX_PARTS: usize = 1000;

/// What a declaration is made of, outside of its brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A word or a name with scopes and arguments: `int`, `a::b<T>`, `~A`, `operator==`.
    Word,
    /// `( ... )`
    Parens,
    /// `[ ... ]`
    Brackets,
    /// `{ ... }` of an initialiser.
    Braces,
    /// `*`, `&`
    Pointer,
    Colon,
    Equals,
    Comma,
    Other,
}

/// Token indexes, both inclusive.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub what: What,
    pub first: usize,
    pub last: usize,
}

/// What ended a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Semicolon,
    /// `public:` and its like.
    Label,
    /// A body that is stepped over.
    Body,
    /// A body that is entered.
    Members,
    /// The end of what encloses it, a directive, the end of the file.
    Cut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    File,
    /// The tokens between the class key and the bases.
    Class(usize, usize),
    Enum,
}

pub struct Item {
    pub parts: Vec<Part>,
    pub end: End,
    pub level: Level,
    /// Behind the body of a class or enum: `} name;`.
    pub tail: bool,
    /// The token that ended it.
    pub at: usize,
}

pub struct Items<'a> {
    pub text: &'a [u8],
    pub tokens: &'a [Token],
    dialect: Dialect,
    /// For each opening bracket its closing one.
    close: Vec<usize>,
    at: usize,
    levels: Vec<Level>,
    tail: bool,
    /// Old C: the parameters' declarations between a function's head and its body.
    pub old_style: Vec<(usize, usize)>,
}

impl<'a> Items<'a> {
    pub fn new(text: &'a [u8], tokens: &'a [Token], dialect: Dialect) -> Items<'a> {
        Items {
            dialect,
            text,
            tokens,
            close: brackets(tokens),
            at: 0,
            levels: vec![],
            tail: false,
            old_style: vec![],
        }
    }

    pub fn word(&self, index: usize) -> &'a [u8] {
        let token = self.tokens.get(index);
        token.map_or(&[], |token| word(self.text, *token, self.dialect))
    }

    pub fn closer(&self, index: usize) -> usize {
        self.close[index].min(self.tokens.len() - 1)
    }

    fn level(&self) -> Level {
        self.levels.last().copied().unwrap_or(Level::File)
    }

    /// The next declaration; none at the end of the file.
    pub fn next(&mut self) -> Option<Item> {
        let mut parts: Vec<Part> = vec![];
        let (level, tail) = (self.level(), std::mem::take(&mut self.tail));
        while let Some(&token) = self.tokens.get(self.at) {
            let at = self.at;
            let end = match token.lexeme {
                Lexeme::Directive
                    if level != Level::Enum
                        && parts.len() < MAX_PARTS
                        && parts
                            .iter()
                            .all(|part| matches!(part.what, What::Word | What::Parens)) =>
                {
                    Some(End::Cut)
                }
                Lexeme::Punct(b';') => Some(End::Semicolon),
                Lexeme::Punct(b'}') => {
                    self.levels.pop();
                    self.tail = !matches!(level, Level::File);
                    Some(End::Cut)
                }
                Lexeme::Punct(b'{') => self.brace(&parts),
                Lexeme::Punct(b':') if self.is_label(level, &parts) => Some(End::Label),
                Lexeme::Punct(b',') if level == Level::Enum => Some(End::Semicolon),
                _ => None,
            };
            if let Some(end) = end {
                self.at = self.at.max(at + 1);
                return Some(Item {
                    parts,
                    end,
                    level,
                    tail,
                    at,
                });
            }
            if self.at == at {
                let part = self.part();
                self.at = part.last + 1;
                parts.push(part);
                self.skip_old_style(level, &part);
            } else {
                parts.push(Part {
                    what: What::Braces,
                    first: at,
                    last: self.at - 1,
                });
            }
        }
        let at = self.at;
        (!parts.is_empty()).then_some(Item {
            parts,
            end: End::Cut,
            level,
            tail,
            at,
        })
    }

    /// One part from the current token on.
    fn part(&self) -> Part {
        let first = self.at;
        let (what, last) = match self.tokens[first].lexeme {
            Lexeme::Punct(b'(') => (What::Parens, self.closer(first)),
            Lexeme::Punct(b'[') => (What::Brackets, self.closer(first)),
            Lexeme::Punct(b'*' | b'&') => (What::Pointer, first),
            Lexeme::Punct(b':') => (What::Colon, first),
            Lexeme::Punct(b'=') => (What::Equals, first),
            Lexeme::Punct(b',') => (What::Comma, first),
            Lexeme::Punct(b'~') => (What::Word, first + usize::from(self.is_word(first + 1))),
            Lexeme::Word | Lexeme::Scope => (What::Word, self.name_end(first)),
            _ => (What::Other, first),
        };
        Part { what, first, last }
    }

    fn is_word(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_word())
    }

    /// The last token of a name with its scopes and arguments.
    fn name_end(&self, first: usize) -> usize {
        let mut last = first;
        loop {
            if self.word(last) == b"operator" {
                return self.operator_end(last);
            }
            let next = last + 1;
            let lexeme = self.tokens.get(next).map(|token| token.lexeme);
            let after_scope = self.tokens[last].lexeme == Lexeme::Scope;
            match lexeme {
                Some(Lexeme::Scope) if !after_scope && !is_keyword(self.word(last)) => last = next,
                Some(Lexeme::Word) if after_scope => last = next,
                Some(Lexeme::Punct(b'~')) if after_scope && self.is_word(next + 1) => {
                    return next + 1;
                }
                Some(Lexeme::Punct(b'<')) if !after_scope => match self.angle_end(next) {
                    Some(end) => last = end,
                    None => return last,
                },
                _ => return last,
            }
        }
    }

    /// `operator`, and all up to its parameters.
    fn operator_end(&self, at: usize) -> usize {
        let call = self.tokens.get(at + 1).is_some_and(|token| token.is(b'('));
        let mut last = if call { self.closer(at + 1) } else { at };
        while let Some(next) = self.tokens.get(last + 1) {
            if matches!(
                next.lexeme,
                Lexeme::Punct(b'(' | b';' | b'{' | b'}') | Lexeme::Directive
            ) {
                break;
            }
            last += 1;
        }
        last
    }

    /// The `>` that closes a `<`, if this is a list of arguments.
    pub fn angle_end(&self, open: usize) -> Option<usize> {
        let (mut at, mut depth) = (open, 0);
        while let Some(token) = self.tokens.get(at).filter(|_| at < open + MAX_AHEAD) {
            match token.lexeme {
                Lexeme::Punct(b'<') => depth += 1,
                Lexeme::Punct(b'>') => depth -= 1,
                Lexeme::Punct(b'(' | b'[' | b'{') => at = self.closer(at),
                Lexeme::Punct(b';' | b'}' | b')' | b']') => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// `f(a, b) int a; char *b; {`: steps over what stands between the head and the body.
    fn skip_old_style(&mut self, level: Level, list: &Part) {
        let inner = &self.tokens[(list.first + 1).min(list.last)..list.last];
        let names = inner
            .iter()
            .enumerate()
            .all(|(index, token)| match index % 2 {
                0 => token.is_word(),
                _ => token.is(b','),
            });
        if level != Level::File
            || !self.is_word(list.last + 1)
            || list.what != What::Parens
            || inner.len().is_multiple_of(2)
            || !names
        {
            return;
        }
        let from = list.last + 1;
        let mut at = from;
        while let Some(token) = self.tokens.get(at).filter(|_| at < from + MAX_AHEAD) {
            match token.lexeme {
                Lexeme::Punct(b'{') if at > from && self.tokens[at - 1].is(b';') => {
                    self.old_style.push((from, at - 1));
                    self.at = at;
                    return;
                }
                Lexeme::Punct(b'(' | b'[') => at = self.closer(at),
                Lexeme::Word | Lexeme::Number | Lexeme::Punct(b';' | b',' | b'*') => {}
                _ => return,
            }
            at += 1;
        }
    }

    /// What a `{` opens; none where it is a part of the declaration, which is then stepped over.
    fn brace(&mut self, parts: &[Part]) -> Option<End> {
        if parts.len() > MAX_PARTS {
            self.at = self.closer(self.at) + 1;
            return None;
        }
        let key = parts.iter().find_map(|part| {
            let word = self.word(part.first);
            (part.what == What::Word && is_class_key(word)).then_some(word)
        });
        let called = parts
            .iter()
            .any(|part| part.what == What::Parens && !self.is_attribute(parts, part));
        let last = parts.last();
        let first = parts.first().map_or(&b""[..], |part| self.word(part.first));
        let opens = match key {
            _ if last.is_none() => None,
            _ if parts
                .iter()
                .any(|part| matches!(self.word(part.first), b"namespace")) =>
            {
                Some(Level::File)
            }
            _ if first == b"extern"
                && last.is_some_and(|part| self.tokens[part.first].lexeme == Lexeme::Literal) =>
            {
                Some(Level::File)
            }
            _ if matches!(first, b"export") && parts.len() == 1 => Some(Level::File),
            Some(b"enum") if called && self.are_enumerators() => Some(Level::Enum),
            Some(_) if last.is_some_and(|part| part.what == What::Parens) && called => None,
            Some(b"enum") if !parts.iter().any(|part| part.what == What::Equals) => {
                Some(Level::Enum)
            }
            Some(_)
                if !parts
                    .iter()
                    .any(|part| matches!(part.what, What::Equals | What::Pointer))
                    && (!called || self.is_head(parts)) =>
            {
                Some(self.class_level(parts))
            }
            _ => None,
        };
        if let Some(level) = opens {
            self.levels.push(level);
            return Some(End::Members);
        }
        let open = self.at;
        self.at = self.closer(open) + 1;
        let value = match last.map(|part| part.what) {
            Some(What::Equals | What::Comma) => true,
            Some(What::Braces) => parts.iter().any(|part| part.what == What::Equals),
            // `int x{1}`, and a member in the list of a constructor's initialisers.
            Some(What::Word) => {
                let trailing = last.is_some_and(|part| is_trailing(self.word(part.first)));
                let initialisers = called && parts.iter().any(|part| part.what == What::Colon);
                !trailing && (initialisers || !called && parts.len() > 1)
            }
            Some(What::Brackets) => !called,
            _ => false,
        };
        (!value).then_some(End::Body)
    }

    /// Whether a list begins between these braces, or no statement ends there.
    fn are_enumerators(&self) -> bool {
        let inside = &self.tokens[self.at + 1..self.closer(self.at)];
        let list = inside.get(1).is_some_and(|token| token.is(b','));
        !inside.is_empty() && (list || !inside.iter().any(|token| token.is(b';')))
    }

    /// `__attribute__((x))`, `alignas(8)`, and calls in front of a class's name.
    fn is_attribute(&self, parts: &[Part], parens: &Part) -> bool {
        let before = parts.iter().rfind(|part| part.last + 1 == parens.first);
        before.is_some_and(|part| {
            matches!(
                self.word(part.first),
                b"alignas" | b"_Alignas" | b"__attribute__" | b"__declspec" | b"decltype"
            )
        })
    }

    /// Whether the parts behind a class key are nothing but words, calls, a `:` and bases.
    fn is_head(&self, parts: &[Part]) -> bool {
        let key = parts
            .iter()
            .position(|part| is_class_key(self.word(part.first)));
        let Some(key) = key else { return false };
        let behind = &parts[key + 1..];
        let head = behind
            .split(|part| part.what == What::Colon)
            .next()
            .unwrap_or(&[]);
        head.last().is_some_and(|part| part.what == What::Word)
            && !parts[..key].iter().any(|part| part.what == What::Parens)
    }

    fn class_level(&self, parts: &[Part]) -> Level {
        let key = parts
            .iter()
            .position(|part| is_class_key(self.word(part.first)));
        let head = parts[key.unwrap_or(0)..]
            .split(|part| part.what == What::Colon)
            .next();
        match head {
            Some([first, .., last]) => Level::Class(first.last + 1, last.last),
            _ => Level::Class(1, 0),
        }
    }

    fn is_label(&self, level: Level, parts: &[Part]) -> bool {
        let (Level::Class(..), Some(last)) = (level, parts.last()) else {
            return false;
        };
        let words = parts.len() < MAX_PARTS
            && parts
                .iter()
                .all(|part| matches!(part.what, What::Word | What::Parens));
        let keyword = parts
            .iter()
            .rev()
            .take(2)
            .any(|part| is_access(self.word(part.first)));
        let next = self.tokens.get(self.at + 1);
        let alone = next.is_none_or(|next| next.leads)
            && last.what == What::Word
            && !parts.iter().any(|part| is_class_key(self.word(part.first)));
        words && (keyword || alone)
    }
}
