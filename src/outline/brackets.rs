//! Where a broken text lacks a closer or has one too many, judged by brackets and indentation together.
//! Proposes edits to a copy of the text; whether they make things better is for the caller to measure. Trusts the
//! indentation: text without any gives no edits but at its end.

use crate::lang::lex::{Lexis, Mark, MarkKind};

/// A change to a copy of the text. Line numbers stay what they are: nothing inserted or removed is a line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Closers that are missing in front of byte `at`.
    Insert { at: usize, closers: String },
    /// A closer or quote that belongs to nothing.
    Blank { at: usize },
    /// A conflict marker.
    Conflict { at: usize, len: usize },
}

/// How many of the innermost open brackets a line or a closer is compared with: text that is deeper would take time with
/// the square of its depth.
const NEAR: usize = 256;

impl Edit {
    pub fn place(&self) -> usize {
        match self {
            Edit::Insert { at, .. } | Edit::Blank { at } | Edit::Conflict { at, .. } => *at,
        }
    }
}

/// An open bracket.
struct Open {
    byte: u8,
    line_start: usize,
    /// Column at which the statement that opens it begins.
    indent: usize,
    /// Columns at which its closer may stand: of its line, behind an operator its line begins with, its own.
    columns: [usize; 3],
    style: Style,
    /// Its closer needs a semicolon.
    terminated: bool,
}

impl Open {
    fn aligns(&self, column: usize) -> bool {
        self.indent == column || self.columns.contains(&column)
    }
}

/// How the inside of a bracket is written, known from its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Unknown,
    Indented,
    /// At the column of the opener, as some write namespaces and wrapper functions: dedents say nothing.
    Flat,
}

/// The edits that make brackets and indentation agree, in order. A line at the column of an `eager` opener is taken for one
/// outside of it, if nothing inside was seen before.
pub fn mend(text: &[u8], marks: &[Mark], lexis: &Lexis, eager: &str) -> Vec<Edit> {
    let mut mender = Mender {
        text,
        lexis,
        eager,
        stack: vec![],
        line: Line::default(),
        edits: vec![],
    };
    for mark in marks {
        match mark.kind {
            MarkKind::Line { after } => mender.line(mark.at, after),
            MarkKind::Open(byte) => mender.open(mark.at, byte),
            MarkKind::Close(byte) => mender.close(mark.at, byte),
            MarkKind::Stray => mender.edits.push(Edit::Blank { at: mark.at }),
            MarkKind::Conflict { len } => mender.edits.push(Edit::Conflict { at: mark.at, len }),
            MarkKind::Comment => mender.end_comment(mark.at),
            MarkKind::End => mender.insert(0, mark.at, true),
        }
    }
    // What is put in at a place stands before what is taken out there.
    mender
        .edits
        .sort_by_key(|edit| (edit.place(), !matches!(edit, Edit::Insert { .. })));
    mender.edits
}

struct Mender<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    eager: &'a str,
    stack: Vec<Open>,
    line: Line,
    edits: Vec<Edit>,
}

/// The line under the cursor.
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
}

impl Mender<'_> {
    fn line(&mut self, first: usize, after: usize) {
        let column = self.column(first);
        let continues = self.continues(first, after);
        let base = match self.stack.last() {
            Some(open) if open.byte != b'{' => open.indent,
            _ if continues => self.line.base,
            _ => column,
        };
        let operators = self.text[first..].iter();
        let operator = operators.take_while(|byte| b"?:|&=,+ ".contains(byte));
        self.line = Line {
            first,
            column,
            operator: column + operator.count(),
            base,
            after,
        };
        if continues || matches!(self.text[first], b')' | b']' | b'}') || self.is_label(first) {
            return;
        }
        let eager = self.eager;
        // A line decides on all brackets before it: those not decided on are the innermost.
        let new = self.stack.iter_mut().rev();
        for open in new.take_while(|open| open.style == Style::Unknown) {
            open.style = match column.cmp(&open.indent) {
                std::cmp::Ordering::Greater => Style::Indented,
                std::cmp::Ordering::Equal if !eager.contains(char::from(open.byte)) => Style::Flat,
                _ => Style::Indented,
            };
        }
        let outside = |open: &Open| {
            open.style == Style::Indented && open.indent >= column && open.line_start < first
        };
        let far = self.stack.len().saturating_sub(NEAR);
        if let Some(unclosed) = self.stack[far..].iter().position(outside) {
            self.insert(far + unclosed, after, true);
            self.line.base = column;
        }
    }

    fn open(&mut self, at: usize, byte: u8) {
        let Line {
            first,
            column,
            operator,
            base,
            ..
        } = self.line;
        let own = column + (at - first);
        self.stack.push(Open {
            byte,
            line_start: first,
            indent: base,
            columns: [column, operator, own],
            style: Style::Unknown,
            terminated: byte == b'{' && self.is_terminated(at),
        });
    }

    fn close(&mut self, at: usize, byte: u8) {
        let opener = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let Line {
            first,
            column,
            after,
            ..
        } = self.line;
        let leads = at == first;
        let Some(top) = self.stack.last() else {
            return self.edits.push(Edit::Blank { at });
        };
        let same = top.byte == opener;
        let aligned = |open: &Open| open.byte == opener && open.aligns(column);
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
        if same {
            // Deeper than its opener, and nothing is open at its own column: the opener of this one is gone.
            let orphan = leads && top.style == Style::Indented && column > top.indent;
            match orphan {
                true => self.edits.push(Edit::Blank { at }),
                false => drop(self.stack.pop()),
            }
            return;
        }
        match self.innermost(|open| open.byte == opener) {
            // A brace ends what parentheses left open; a parenthesis ends a brace only on the same line.
            Some(own) if byte == b'}' || self.stack[own].line_start == first => {
                self.insert(own + 1, if leads { after } else { at }, byte == b'}');
                self.stack.pop();
            }
            _ => self.edits.push(Edit::Blank { at }),
        }
    }

    fn end_comment(&mut self, at: usize) {
        let close = self.lexis.block_comment.map_or("", |(_, close)| close);
        let closers = close.to_string();
        self.edits.push(Edit::Insert { at, closers });
    }

    /// The innermost open bracket of a sort, if it is near.
    fn innermost(&self, is_it: impl Fn(&Open) -> bool) -> Option<usize> {
        let far = self.stack.len().saturating_sub(NEAR);
        let found = self.stack[far..].iter().rposition(is_it);
        found.map(|place| far + place)
    }

    /// Closes all brackets from `from` on, which ends a `statement` or only an expression.
    fn insert(&mut self, from: usize, at: usize, statement: bool) {
        let closers = self.stack.drain(from..).rev().map(|open| match open.byte {
            b'(' => ")",
            b'[' => "]",
            _ if open.terminated => "};",
            _ => "}",
        });
        let mut closers: String = closers.collect();
        // What was left open in parentheses is a statement or a head without a body: without its semicolon it would take
        // what follows for its own.
        if statement && self.lexis.semicolons && closers.ends_with(')') {
            closers.push(';');
        }
        if !closers.is_empty() {
            self.edits.push(Edit::Insert { at, closers });
        }
    }

    /// Whether the brace at a byte opens what ends with a semicolon: a word says so, and no parameters stand between.
    fn is_terminated(&self, at: usize) -> bool {
        if self.lexis.terminated.is_empty() {
            return false;
        }
        let from = self.text[..at]
            .iter()
            .rposition(|byte| matches!(byte, b';' | b'{' | b'}'))
            .map_or(0, |at| at + 1);
        let head = &self.text[from..at];
        let mut words = head.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        !head.contains(&b'(')
            && words.any(|word| {
                self.lexis
                    .terminated
                    .iter()
                    .any(|known| known.as_bytes() == word)
            })
    }

    /// Column of a byte; a tab goes to the next multiple of eight.
    fn column(&self, at: usize) -> usize {
        let start = self.text[..at]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        self.text[start..at].iter().fold(0, |column, &byte| {
            if byte == b'\t' {
                column / 8 * 8 + 8
            } else {
                column + 1
            }
        })
    }

    /// Whether a line goes on with the statement of the line before: it begins or that one ended with an operator.
    fn continues(&self, first: usize, after: usize) -> bool {
        let begins = matches!(
            self.text[first],
            b'.' | b',' | b'?' | b':' | b'&' | b'|' | b'+' | b'=' | b'<' | b'>' | b'%'
        );
        let ended = after.checked_sub(1).is_some_and(|last| {
            matches!(
                self.text[last],
                b',' | b'=' | b'+' | b'-' | b'&' | b'|' | b'?' | b'<'
            )
        });
        begins || ended && self.stack.last().is_none_or(|open| open.byte == b'{')
    }

    /// `case 1:`, `public:`, `done:` stand further left than what is around them.
    fn is_label(&self, first: usize) -> bool {
        let rest = &self.text[first..];
        let line = &rest[..rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len())];
        let word = line
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        matches!(
            &line[..word],
            b"case" | b"default" | b"public" | b"private" | b"protected"
        ) && line.contains(&b':')
            || word > 0 && line[word..].trim_ascii() == b":"
    }
}
