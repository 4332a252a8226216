//! Conditional text: which branches of `#if` a parser can read side by side, and which have to make way.
//! Branches that are whole in themselves stay, all of them. Where a group splits a construct (a brace opened in one
//! branch, an `else`, half an expression), the branch that an unconfigured compiler takes stays, the rest is blanked. A
//! branch of several declarations at the top of a file, or of one that its indentation shows to be hurt, is none of those,
//! but half edited: it stays.

use std::ops::Range;

use super::conditions::{Values, directive, first_word, is_number, number, truth_of};
use super::lexer::{Lexeme, Token};

/// What to blank. With `constants`, only groups whose first condition is a plain number are looked at.
pub fn blanked<'a>(
    text: &'a [u8],
    tokens: &[Token],
    mut values: Values<'a>,
    constants: bool,
) -> Vec<Range<usize>> {
    let mut open: Vec<Group> = vec![];
    let mut outside = Branch::default();
    let mut out = vec![];
    // The first token behind a run of directives.
    let mut ahead = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.lexeme != Lexeme::Directive {
            current(&mut open, &mut outside).take(text, *token);
            continue;
        }
        let (word, rest) = directive(&text[token.range()]);
        match word {
            b"if" | b"ifdef" | b"ifndef" => {
                let around = open.iter().filter_map(|group| group.branches.last());
                let top = around
                    .chain([&outside])
                    .all(|branch| branch.depth == [0, 0]);
                let mut group = Group {
                    top,
                    before: current(&mut open, &mut outside).last,
                    branches: vec![],
                    constant: is_number(rest),
                };
                group.next(*token, truth_of(word, rest, &values));
                open.push(group);
            }
            b"elif" | b"else" | b"elifdef" | b"elifndef" => {
                if let Some(group) = open.last_mut() {
                    let holds = word == b"else" || truth_of(&word[2..], rest, &values);
                    group.next(*token, holds);
                }
            }
            b"endif" => {
                ahead = ahead.max(index);
                let more = tokens[ahead..].iter();
                ahead += more
                    .take_while(|token| token.lexeme == Lexeme::Directive)
                    .count();
                let next = tokens.get(ahead).map(|next| Edge::of(text, *next));
                if let Some(group) = open.pop() {
                    let kept = group.settle(*token, next, constants, &mut out);
                    current(&mut open, &mut outside).absorb(&kept);
                }
            }
            b"define" => {
                let name = first_word(rest);
                let value = rest[name.len()..].trim_ascii();
                values.insert(name, number(value).unwrap_or(1));
            }
            b"undef" => {
                values.remove(first_word(rest));
            }
            _ => {}
        }
    }
    out
}

fn current<'g>(open: &'g mut [Group], outside: &'g mut Branch) -> &'g mut Branch {
    match open.last_mut() {
        Some(group) => group
            .branches
            .last_mut()
            .expect("a group opens with a branch"),
        None => outside,
    }
}

struct Group {
    /// No bracket is open around it.
    top: bool,
    before: Option<Edge>,
    branches: Vec<Branch>,
    /// Its first condition is a number.
    constant: bool,
}

/// What one branch holds, without its dead parts.
#[derive(Clone, Default)]
struct Branch {
    directive: Option<Token>,
    holds: bool,
    depth: [i32; 2],
    lowest: [i32; 2],
    /// How many declarations or statements end in it, outside of brackets or at the margin.
    ended: usize,
    /// For each open bracket, whether its line is indented; whether the line under the cursor is.
    open: Vec<bool>,
    indented: bool,
    /// In one of its declarations a bracket was lost or is left over.
    hurt: bool,
    /// It ends with a brace at the margin.
    at_margin: bool,
    first: Option<Edge>,
    last: Option<Edge>,
    /// It ends with a word, or a call, that has its line to itself: a macro without `;`.
    call: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Punct(u8),
    /// `else`, `catch`: goes on with what stands in front.
    Else,
    Word,
    Value,
}

impl Edge {
    fn of(text: &[u8], token: Token) -> Edge {
        match token.lexeme {
            Lexeme::Punct(byte) => Edge::Punct(byte),
            Lexeme::Word if matches!(&text[token.range()], b"else" | b"catch") => Edge::Else,
            Lexeme::Word | Lexeme::Scope => Edge::Word,
            _ => Edge::Value,
        }
    }

    /// Whether a token goes on with what stands in front of it.
    fn goes_on(self) -> bool {
        matches!(
            self,
            Edge::Else | Edge::Punct(b'{' | b')' | b']' | b',' | b'=' | b'?')
        )
    }
}

impl Branch {
    fn take(&mut self, text: &[u8], token: Token) {
        let edge = Edge::of(text, token);
        let outside = self.depth == [0, 0];
        let margin = token.start == 0 || text[..token.start].ends_with(b"\n");
        if token.leads && self.depth[1] == 0 {
            self.indented = !margin;
        }
        if outside && !token.is(b'(') {
            let begins = matches!(self.last, None | Some(Edge::Punct(b';' | b'}' | b':')));
            self.call = token.leads && edge == Edge::Word && (begins || self.call);
        }
        self.first.get_or_insert(edge);
        self.last = Some(edge);
        let (kind, step) = match token.lexeme {
            Lexeme::Punct(b'{') => (0, 1),
            Lexeme::Punct(b'}') => (0, -1),
            Lexeme::Punct(b'(' | b'[') => (1, 1),
            Lexeme::Punct(b')' | b']') => (1, -1),
            _ => (0, 0),
        };
        match step {
            1 => self.open.push(self.indented),
            -1 => {
                let opened = self.open.pop();
                let aside = token.leads && kind == 0 && opened.is_some_and(|open| open == margin);
                self.hurt |= aside || margin && self.depth[1] > 0;
            }
            _ => {}
        }
        self.depth[kind] += step;
        self.lowest[kind] = self.lowest[kind].min(self.depth[kind]);
        let ends = matches!(edge, Edge::Punct(b';' | b'}')) && self.depth == [0, 0];
        // Behind what is not closed, the margin tells.
        self.at_margin = token.is(b'}') && margin;
        self.ended += usize::from(ends || self.at_margin);
    }

    /// Goes on behind a group of which `inner` was kept.
    fn absorb(&mut self, inner: &Branch) {
        for kind in 0..2 {
            self.lowest[kind] = self.lowest[kind].min(self.depth[kind] + inner.lowest[kind]);
            self.depth[kind] += inner.depth[kind];
        }
        self.ended += inner.ended;
        self.first = self.first.or(inner.first);
        self.last = inner.last.or(self.last);
        self.call = if inner.last.is_some() {
            inner.call
        } else {
            self.call
        };
    }

    fn balanced(&self) -> bool {
        self.depth == [0, 0] && self.lowest == [0, 0]
    }

    /// Whether it holds whole declarations or statements only.
    fn is_whole(&self, before: Option<Edge>) -> bool {
        let starts = match self.first {
            Some(Edge::Punct(b'{')) => before != Some(Edge::Punct(b'{')),
            Some(Edge::Punct(byte)) => matches!(byte, b'~' | b'*' | b'(' | b'[' | b';'),
            Some(Edge::Word) => true,
            Some(Edge::Else | Edge::Value) => false,
            None => return true,
        };
        let lone = !matches!(before, Some(Edge::Word | Edge::Punct(b')'))) && self.call;
        let ends = lone || matches!(self.last, Some(Edge::Punct(b';' | b'}' | b':')));
        starts && ends && self.balanced()
    }

    /// Whether it holds whole items of a list.
    fn is_listed(&self) -> bool {
        self.first.is_none() || self.last == Some(Edge::Punct(b',')) && self.balanced()
    }
}

impl Group {
    fn next(&mut self, directive: Token, holds: bool) {
        self.branches.push(Branch {
            directive: Some(directive),
            holds,
            ..Branch::default()
        });
    }

    /// Decides what stays, at the group's end. What goes on behind it.
    fn settle(
        self,
        endif: Token,
        next: Option<Edge>,
        constants: bool,
        out: &mut Vec<Range<usize>>,
    ) -> Branch {
        let before = self.before;
        let between = matches!(
            before,
            None | Some(Edge::Punct(b';' | b'{' | b'}' | b':' | b')') | Edge::Word)
        );
        let split = next.is_some_and(Edge::goes_on);
        let edited =
            |branch: &Branch| self.top && (branch.ended > 2 || branch.hurt && branch.at_margin);
        let whole = |branch: &Branch| branch.is_whole(before) || edited(branch);
        let whole = between && !split && self.branches.iter().all(whole);
        if !self.constant && (constants || whole) {
            let mut kept = self
                .branches
                .into_iter()
                .rev()
                .find(|branch| branch.last.is_some())
                .unwrap_or_default();
            (kept.depth, kept.lowest) = match whole {
                true => ([0, 0], [0, 0]),
                false => (kept.depth, kept.lowest),
            };
            return kept;
        }
        let starts: Vec<usize> = self
            .branches
            .iter()
            .filter_map(|branch| branch.directive)
            .map(|token| token.start)
            .chain([endif.start])
            .collect();
        let list = matches!(before, Some(Edge::Punct(b'{' | b',' | b'(')))
            && self.branches.iter().all(Branch::is_listed);
        if list && !self.constant {
            out.extend(
                self.branches
                    .iter()
                    .filter_map(|branch| branch.directive)
                    .map(Token::range),
            );
            out.push(endif.range());
            return self
                .branches
                .into_iter()
                .rev()
                .find(|branch| branch.last.is_some())
                .unwrap_or_default();
        }
        let chosen = self.branches.iter().position(|branch| branch.holds);
        for (index, branch) in self.branches.iter().enumerate() {
            let directive = branch.directive.map_or(0..0, Token::range);
            let end = if Some(index) == chosen {
                directive.end
            } else {
                starts[index + 1]
            };
            out.push(directive.start..end);
        }
        out.push(endif.range());
        let chosen = chosen.map(|index| self.branches[index].clone());
        chosen.unwrap_or_default()
    }
}
