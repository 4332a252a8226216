//! Goes over a text once, with a stack of what is open, and tells from the indentation what was left open and what closes
//! nothing. Where that can be taken in several ways, a [`Manner`] decides.

use super::line::{Label, behind_branches, goes_on_at, is_said_by, is_word, label, word};
use super::open::{Open, Style};
use super::{Edit, Manner, Orphans, Why, closer_of, column, is_closer};
use crate::lang::lex::Lexis;

/// How many of the innermost open brackets a line or a closer is compared with: text that is deeper would take time with
/// the square of its depth.
const NEAR: usize = 256;

pub struct Mender<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    manner: Manner,
    stack: Vec<Open>,
    line: Line,
    before: Line,
    /// The last line at each column that others are or were indented under, outer ones first.
    heads: Vec<Head>,
    pub edits: Vec<Edit>,
}

/// The line under the cursor, or the one before.
#[derive(Default, Clone, Copy)]
struct Line {
    /// First byte of code.
    first: usize,
    column: usize,
    /// Column behind the operator it begins with.
    operator: usize,
    /// Column at which its statement begins.
    base: usize,
    /// End of the code before it.
    after: usize,
    continues: bool,
}

/// A line of code.
#[derive(Clone, Copy)]
struct Head {
    first: usize,
    /// Behind the brace it begins with, if it goes on with a word: `} else {`.
    code: usize,
    /// Where the first of the lines at its column begins that follow on each other.
    run: usize,
    column: usize,
    /// Behind its last byte; unknown while it is read.
    end: Option<usize>,
    /// Nothing is open before it.
    outside: bool,
}

impl<'a> Mender<'a> {
    pub fn new(text: &'a [u8], lexis: &'a Lexis, manner: Manner) -> Mender<'a> {
        Mender {
            text,
            lexis,
            manner,
            stack: vec![],
            line: Line::default(),
            before: Line::default(),
            heads: vec![],
            edits: vec![],
        }
    }

    pub fn line(&mut self, first: usize, after: usize) {
        let column = column(self.text, first);
        if let Some(head) = self.heads.last_mut() {
            head.end.get_or_insert(after);
        }
        let opened = self.stack.iter_mut().rev();
        for open in opened.take_while(|open| open.line_end.is_none()) {
            open.line_end = Some(after);
        }
        self.end_parentheses(first, after);
        let continues = self.continues(first, column, after);
        let base = match self.stack.last() {
            Some(open) if open.byte != b'{' => open.indent,
            _ if continues => self.line.base,
            _ => column,
        };
        let operators = self.text[first..].iter();
        let operator = operators.take_while(|byte| b"?:|&=,+ ".contains(byte));
        self.before = self.line;
        self.line = Line {
            first,
            column,
            operator: column + operator.count(),
            base,
            after,
            continues,
        };
        if is_closer(self.text[first]) {
            return;
        }
        match label(self.text, first, self.lexis) {
            // What is open deeper than a section was left open in the one before.
            Label::Section => return self.close_from(column + 1, first, after),
            Label::Jump => return,
            Label::None if continues => {}
            Label::None => self.leave(first, column, after),
        }
        self.end_head(Some(column), after);
        self.head(first, first);
    }

    /// Takes the line for the last one at its column.
    fn head(&mut self, first: usize, code: usize) {
        let column = self.line.column;
        let mut run = code;
        while let Some(head) = self.heads.pop_if(|head| head.column >= column) {
            if head.column == column {
                run = head.run;
            }
        }
        self.heads.push(Head {
            first,
            code,
            run,
            column,
            end: None,
            outside: self.stack.is_empty(),
        });
    }

    /// Decides by its column what a line that begins a statement stands inside of.
    fn leave(&mut self, first: usize, column: usize, after: usize) {
        // A line decides on all brackets before it: those not decided on are the innermost.
        let eager = self.manner.eager;
        let new = self.stack.iter_mut().rev();
        for open in new.take_while(|open| open.style == Style::Unknown) {
            open.style = match column.cmp(&open.indent) {
                std::cmp::Ordering::Greater => Style::Indented,
                std::cmp::Ordering::Equal
                    if open.around || !eager.contains(char::from(open.byte)) =>
                {
                    Style::Flat
                }
                _ => Style::Indented,
            };
        }
        self.close_from(column, first, after);
    }

    /// Closes what was opened at a column or further right, and all in it.
    fn close_from(&mut self, column: usize, first: usize, after: usize) {
        let outside = |open: &Open| {
            open.style == Style::Indented && open.indent >= column && open.line_start < first
        };
        let far = self.stack.len().saturating_sub(NEAR);
        if let Some(unclosed) = self.stack[far..].iter().position(outside) {
            let end = self.before_head(far + unclosed, after);
            self.insert(far + unclosed, end, true);
            self.line.base = column;
        }
    }

    /// Where what is open from `from` on ends: a line of mere words before this one, which nothing ends, belongs to it, as a
    /// type that stands above its function, further right.
    fn before_head(&self, from: usize, after: usize) -> usize {
        let line = &self.text[self.before.first..after];
        let inner = self.stack[from..].last();
        let words = |byte: &u8| is_word(*byte) || b" \t*&:<>".contains(byte);
        let between = self.text[after..self.line.first].iter();
        let begins = self.lexis.semicolons
            && !self.before.continues
            && inner.is_some_and(|open| open.byte == b'{' && open.line_start < self.before.first)
            && line.iter().all(words)
            && between.filter(|&&byte| byte == b'\n').count() == 1
            && !line.ends_with(b":");
        if begins { self.before.after } else { after }
    }

    /// A line that begins with a word that begins statements does not stand in parentheses, nor one that a semicolon ends.
    fn end_parentheses(&mut self, first: usize, after: usize) {
        let from = match self.innermost(|open| open.byte == b'{') {
            Some(brace) => brace + 1,
            None if self.stack.len() < NEAR => 0,
            None => return,
        };
        let Some(outermost) = self.stack.get(from) else {
            return;
        };
        let ended = after > 0
            && self.text[after - 1] == b';'
            && self
                .stack
                .last()
                .is_some_and(|open| open.line_end < Some(after))
            && word(self.text, outermost.line_start) != "for";
        if ended {
            let end = outermost.line_end.unwrap_or(after);
            self.insert(from, end, true);
        } else if self.lexis.statements.contains(&word(self.text, first)) {
            self.insert(from, after, true);
        }
    }

    /// Where blocks are told by indentation: a head that its line does not end, or that nothing stands under.
    fn end_head(&mut self, next: Option<usize>, after: usize) {
        let Some(&head) = self.heads.last() else {
            return;
        };
        if !head.outside
            || !self.stack.is_empty()
            || !self.lexis.heads.contains(&word(self.text, head.first))
        {
            return;
        }
        let text = &self.text[head.first..after];
        let empty = next.is_none_or(|column| column <= head.column);
        let ended = text.ends_with(b":");
        // A colon further left may be that of a body on the same line, of an annotation or of a slice.
        let closed = matches!(self.edits.last(), Some(Edit::Insert { at, .. }) if *at == after);
        match (ended, empty) {
            (true, true) => self.put(after, " pass"),
            (false, true) if closed || !text.contains(&b':') => self.put(after, ": pass"),
            (false, false) if closed || !text.contains(&b':') => self.put(after, ":"),
            _ => {}
        }
    }

    pub fn end(&mut self, at: usize) {
        self.insert(0, at, true);
        self.end_head(None, at);
    }

    pub fn open(&mut self, at: usize, byte: u8) {
        let Line {
            first,
            column,
            operator,
            base,
            ..
        } = self.line;
        let own = column + if byte == b'{' { 0 } else { at - first };
        self.stack.push(Open {
            byte,
            line_start: first,
            line_end: None,
            indent: if at == first { column } else { base },
            columns: [column, operator, own],
            style: Style::Unknown,
            terminated: byte == b'{' && is_said_by(self.lexis.terminated, self.text, at),
            around: byte == b'{' && is_said_by(self.lexis.around, self.text, at),
        });
    }

    pub fn close(&mut self, at: usize, byte: u8) {
        self.close_own(at, byte);
        let code = goes_on_at(self.text, at).filter(|_| at == self.line.first);
        code.into_iter().for_each(|code| self.head(at, code));
    }

    /// Closes what a closer is for, and before that what was left open in it.
    fn close_own(&mut self, at: usize, byte: u8) {
        let Line {
            first,
            column,
            after,
            ..
        } = self.line;
        let leads = at == first;
        let Some(top) = self.stack.last() else {
            return self.orphan(at, byte);
        };
        let same = closer_of(top.byte) == byte;
        let aligned = |open: &Open| closer_of(open.byte) == byte && open.aligns(column);
        if same && !(leads && top.line_start < first && !top.aligns(column)) {
            self.stack.pop();
            return;
        }
        // A leading closer stands where its opener's line begins: what is open above that is not closed.
        if leads && let Some(own) = self.innermost(aligned) {
            self.insert(own + 1, after, byte == b'}');
            self.stack.pop();
            return;
        }
        let own = self.innermost(|open| closer_of(open.byte) == byte);
        // Deeper than its opener, and nothing is open at its own column: the opener of this one is gone.
        let deeper = |own: usize| {
            let open = &self.stack[own];
            open.style == Style::Indented && column > open.indent
        };
        match own {
            Some(own) if leads && (same || byte == b'}') && deeper(own) => self.orphan(at, byte),
            Some(_) if same => drop(self.stack.pop()),
            // A brace ends what parentheses left open; a parenthesis ends a brace only on the same line.
            Some(own) if byte == b'}' || self.stack[own].line_start == first => {
                self.insert(own + 1, if leads { after } else { at }, byte == b'}');
                self.stack.pop();
            }
            _ => self.orphan(at, byte),
        }
    }

    /// A closer whose opener is gone.
    fn orphan(&mut self, at: usize, byte: u8) {
        let Line {
            first,
            column,
            after,
            ..
        } = self.line;
        let leads = at == first && byte == b'}';
        let place = self.heads.partition_point(|head| head.column < column);
        let head = self.heads.get(place).filter(|head| head.column == column);
        let Some(&Head {
            first, code, end, ..
        }) = head.filter(|_| leads && place + 1 < self.heads.len())
        else {
            if leads && self.manner.orphans == Orphans::Hide {
                // Only what is indented deeper than the closer is left of what it closed.
                let from = self.heads.get(place).map_or(first, |head| head.run);
                return self.hide(from, at);
            }
            return self.blank(at, 1, Why::Stray);
        };
        let end = end.unwrap_or(after);
        let inside = self.stack.partition_point(|open| open.line_start < first);
        // `})` ends a call whose last argument the brace is.
        let rest = self.text[at + 1..].iter();
        let kept = rest.take_while(|byte| **byte == b')').count();
        match self.manner.orphans {
            Orphans::Open => {
                self.insert(self.stack.len().min(inside + kept), end, false);
                self.put(end, " {");
            }
            Orphans::Drop => {
                self.insert(inside, end, true);
                self.blank(at, 1, Why::Stray);
            }
            Orphans::Hide => {
                self.stack.truncate(inside);
                self.hide(code, at);
            }
        }
    }

    /// Takes out all code from a byte to a closer, and the closers behind that.
    fn hide(&mut self, from: usize, closer: usize) {
        let rest = self.text[closer..].iter();
        let closers = rest
            .take_while(|&&byte| is_closer(byte) || byte == b';')
            .count();
        let len = closer + closers - from;
        self.blank(from, len, Why::Broken);
    }

    pub fn blank(&mut self, at: usize, len: usize, why: Why) {
        self.edits.push(Edit::Blank { at, len, why });
    }

    /// The innermost open bracket of a sort, if it is near.
    fn innermost(&self, is_it: impl Fn(&Open) -> bool) -> Option<usize> {
        let far = self.stack.len().saturating_sub(NEAR);
        let found = self.stack[far..].iter().rposition(is_it);
        found.map(|place| far + place)
    }

    /// Closes all brackets from `from` on, which ends a `statement` or only an expression.
    fn insert(&mut self, from: usize, at: usize, statement: bool) {
        let parentheses = self.stack[from..].iter().all(|open| open.byte != b'{');
        let own = self.stack.get(from).and_then(|open| open.line_end);
        let at = own
            .filter(|_| self.manner.tight && parentheses)
            .unwrap_or(at);
        let at = self.inside_head(from, at);
        let (text, grouping) = (self.text, self.lexis.grouping);
        let closers = self.stack.drain(from..).rev();
        let closers = closers.map(|open| open.closer(text, at, grouping));
        let mut closers: String = closers.collect();
        // What was left open in parentheses is a statement or a head without a body: without its semicolon it would take
        // what follows for its own.
        if statement && self.lexis.semicolons {
            closers = closers.replace(")}", ");}");
            closers.extend(closers.ends_with(')').then_some(';'));
        }
        let at = behind_branches(self.text, at, self.line.first, self.lexis);
        if !closers.is_empty() {
            self.put(at, &closers);
        }
    }

    /// Where what is left open in a head is closed: in front of the colon that ends it.
    fn inside_head(&self, from: usize, at: usize) -> usize {
        let first = self.stack.get(from).map(|open| open.line_start);
        let is_head = first.is_some_and(|at| self.lexis.heads.contains(&word(self.text, at)));
        match self.text[..at].ends_with(b":") && is_head {
            true => at - 1,
            false => at,
        }
    }

    /// Puts `more` in at a place, behind what was put in there before; an opener takes the place of a semicolon.
    pub fn put(&mut self, place: usize, more: &str) {
        let before = self.edits.iter_mut().rev();
        // Edits are made nearly in order: an opener is put in further up, behind closers if any.
        let mut near = before.take_while(|edit| edit.place() >= place);
        let same = near.find_map(|edit| match edit {
            Edit::Insert { at, text } if *at == place => Some(text),
            _ => None,
        });
        match same {
            Some(text) => {
                if more.starts_with(" {") && text.ends_with(';') {
                    text.pop();
                }
                text.push_str(more);
            }
            None => self.edits.push(Edit::Insert {
                at: place,
                text: more.to_string(),
            }),
        }
    }

    /// Whether a line is the comma that stood behind the closer of the innermost brace, which is gone.
    fn is_left_over(&self, first: usize, column: usize) -> bool {
        let alone = self.text[first..].split(|&byte| byte == b'\n').next();
        let alone = alone.is_some_and(|line| line.trim_ascii_end() == b",");
        let inner = self.stack.last();
        let outdented = inner.is_some_and(|open| {
            open.byte == b'{' && open.style == Style::Indented && column <= open.indent
        });
        alone && outdented
    }

    /// Whether a line goes on with the statement of the line before: it begins or that one ended with an operator, or it is
    /// indented deeper and nothing ended that statement.
    fn continues(&self, first: usize, column: usize, after: usize) -> bool {
        let begins =
            b".,?:&|+=<>%".contains(&self.text[first]) && !self.is_left_over(first, column);
        let last = self.text[..after].last();
        let ended = last.is_some_and(|last| b",=+-&|?<".contains(last));
        let in_braces = self.stack.last().is_none_or(|open| open.byte == b'{');
        let goes_on = self.lexis.semicolons
            && column > self.line.base
            && last.is_some_and(|last| !b";{}:".contains(last))
            && !self.lexis.statements.contains(&word(self.text, first));
        begins || in_braces && (ended || goes_on)
    }
}
