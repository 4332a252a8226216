//! Addresses of lines: `src/a.py:10-20`, `src/a.py#L10-L20`, `src/a.py:10`, and pointers, which name a version too; where
//! lines of an old version are today. Never opens a file and knows no git, so whether `a:1-2.py` is a file of that name is
//! for the caller to say first.

mod pointer;
mod relocate;
mod text;

pub use pointer::{Pointer, Revision};
pub use relocate::{By, Hunk, Relocation, changed, changes, hunks, relocate};
pub use text::{
    HASH_DIGITS, LineKey, hex, keys_from_bytes, keys_to_bytes, line_keys, line_keys_of, short_hash,
    text_hash,
};

use crate::model::Lines;

/// Splits `path:10-20` into path and lines; none where no range stands at the end.
pub fn split_range(text: &str) -> Option<(&str, Lines)> {
    let at = text.rfind([':', '#'])?;
    let (path, range) = (&text[..at], &text[at + 1..]);
    if path.is_empty() {
        return None;
    }
    let lines = parse_range(range)?;
    // `path:10:5`, as compilers print it: the column is not needed.
    let with_column = split_range(path).filter(|_| lines.start == lines.end);
    with_column.or(Some((path, lines)))
}

/// `10`, `10-20`, `L10-L20`, `L10-20`, `10:20`, `10,20`; lines are 1-based and in order.
pub fn parse_range(text: &str) -> Option<Lines> {
    let number = |text: &str| {
        text.strip_prefix(['L', 'l'])
            .unwrap_or(text)
            .parse::<u32>()
            .ok()
            .filter(|&n| n > 0)
    };
    let (start, end) = match text.split_once(['-', ',', ':']) {
        Some((start, end)) => (number(start)?, number(end)?),
        None => (number(text)?, number(text)?),
    };
    (start <= end).then_some(Lines { start, end })
}

/// A range that reads as one but counts backwards or from zero, to say so.
pub fn is_impossible(text: &str) -> bool {
    let range = text.rsplit([':', '#']).next().unwrap_or(text);
    let digits = |part: &str| {
        let part = part.strip_prefix(['L', 'l']).unwrap_or(part);
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    range.split('-').all(digits) && range.split('-').count() <= 2 && parse_range(range).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_in_every_spelling() {
        let lines = |start, end| Some(Lines { start, end });
        for (text, path, expected) in [
            ("a.py:10-20", "a.py", lines(10, 20)),
            ("a.py#L10-L20", "a.py", lines(10, 20)),
            ("a.py:L8-11", "a.py", lines(8, 11)),
            ("a.py:7", "a.py", lines(7, 7)),
            ("a.py:7:3", "a.py", lines(7, 7)),
            ("c:/x/a.py:7", "c:/x/a.py", lines(7, 7)),
            ("dir:1/a.py:2-3", "dir:1/a.py", lines(2, 3)),
        ] {
            assert_eq!(
                split_range(text),
                expected.map(|lines| (path, lines)),
                "{text}"
            );
        }
        for text in ["a.py", "a.py:", "a.py:0", "a.py:9-3", ":5", "a.py:x"] {
            assert_eq!(split_range(text), None, "{text}");
        }
        assert!(is_impossible("a.py:9-3") && is_impossible("a.py:0") && !is_impossible("a.py"));
    }
}
