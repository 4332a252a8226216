//! An open bracket: where its closer may stand and how its inside is written.

use super::line::begins_with;

/// An open bracket.
pub struct Open {
    pub byte: u8,
    pub line_start: usize,
    /// Behind the last code of its line; unknown while that is read.
    pub line_end: Option<usize>,
    /// Column at which the statement that opens it begins.
    pub indent: usize,
    /// Columns at which its closer may stand: of its line, behind an operator its line begins with, its own if it is no brace.
    pub columns: [usize; 3],
    pub style: Style,
    /// Its closer needs a semicolon.
    pub terminated: bool,
    /// What is opened for nothing but what stands inside, wherever that begins.
    pub around: bool,
}

impl Open {
    /// What closes it in front of byte `at`; a group of statements ends the last of them, too.
    pub fn closer(&self, text: &[u8], at: usize, grouping: &[&str]) -> &'static str {
        let groups = || begins_with(grouping, &text[self.line_start..]);
        match self.byte {
            b'(' if !text[..at].ends_with(b"(") && groups() => ";)",
            b'(' => ")",
            b'[' => "]",
            _ if self.terminated => "};",
            _ => "}",
        }
    }

    /// Whether its closer may stand at a column.
    pub fn aligns(&self, column: usize) -> bool {
        self.indent == column || self.columns.contains(&column)
    }
}

/// How the inside of a bracket is written, known from its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Unknown,
    Indented,
    /// At the column of the opener, as some write namespaces and wrapper functions: dedents say nothing.
    Flat,
}
