//! How each family of languages writes strings and comments.

use super::{Lexis, Quote, Raw};

const fn quote(open: &'static str, escape: bool, multiline: bool) -> Quote {
    Quote {
        open,
        close: open,
        escape,
        multiline,
        interpolates: false,
    }
}

const SINGLE: Quote = quote("'", true, false);
const DOUBLE: Quote = quote("\"", true, false);
const TRIPLE_DOUBLE: Quote = quote("\"\"\"", true, true);
const TRIPLE_SINGLE: Quote = quote("'''", true, true);
pub const TEMPLATE: Quote = Quote {
    open: "`",
    close: "`",
    escape: true,
    multiline: true,
    interpolates: true,
};

const C: Lexis = Lexis {
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    nested_comments: false,
    strings: &[DOUBLE, SINGLE],
    lifetimes: false,
    regex: false,
    raw: Raw::None,
    preprocessor: false,
    semicolons: true,
    statements: &[
        "break", "case", "continue", "do", "else", "for", "if", "return", "throw", "try", "while",
    ],
    heads: &[],
    terminated: &[],
    around: &[],
    grouping: &[],
};

/// Strings in single and double quotes, comments of two kinds.
pub static C_LIKE: Lexis = C;
pub static PYTHON: Lexis = Lexis {
    line_comments: &["#"],
    block_comment: None,
    semicolons: false,
    strings: &[TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    // `if`, `else`, `for` and `async` may stand in a conditional expression or a comprehension.
    statements: &[
        "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally",
        "global", "import", "nonlocal", "pass", "raise", "return", "try", "while", "with",
    ],
    heads: &[
        "async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while",
        "with",
    ],
    ..C
};
pub static JAVASCRIPT: Lexis = Lexis {
    strings: &[DOUBLE, SINGLE, TEMPLATE],
    regex: true,
    ..C
};
pub static JAVA: Lexis = Lexis {
    strings: &[TRIPLE_DOUBLE, DOUBLE, SINGLE],
    ..C
};
pub static GO: Lexis = Lexis {
    strings: &[DOUBLE, SINGLE, quote("`", false, true)],
    semicolons: false,
    statements: &[
        "break", "case", "const", "continue", "default", "defer", "for", "go", "goto", "if",
        "return", "select", "switch", "type", "var",
    ],
    grouping: &["const", "import", "type", "var"],
    ..C
};
pub static RUST: Lexis = Lexis {
    nested_comments: true,
    strings: &[quote("\"", true, true), SINGLE],
    lifetimes: true,
    raw: Raw::Hashes,
    // Most else is an expression.
    statements: &["enum", "let", "mod", "static", "struct", "trait", "use"],
    ..C
};
pub static CPP: Lexis = Lexis {
    raw: Raw::Delimited,
    preprocessor: true,
    terminated: &["class", "struct", "union", "enum"],
    around: &["namespace", "extern"],
    ..C
};
