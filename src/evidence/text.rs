//! Fingerprints of text: the hash that a pointer carries, and eight bytes a line to find lines again by.
//! Neither sees how lines end, so that a file checked out with CRLF has those of the commit.

use std::fmt::Write;

use crate::model::Lines;
use crate::source::Source;

/// Hex digits of a text's hash that pointers print.
pub const HASH_DIGITS: usize = 12;
/// The indentation of a line of white space; others are at most 200 deep.
pub const BLANK: u8 = u8::MAX;
const DEEPEST: u8 = 200;
const TAB: u8 = 8;

/// All 64 hex digits of blake3 of these lines, joined by LF, without the CR before it. Lines past the end are empty.
pub fn text_hash(source: &Source, lines: Lines) -> String {
    let mut hash = blake3::Hasher::new();
    let bytes = source.slice(lines);
    if memchr::memchr(b'\r', bytes).is_none() {
        hash.update(bytes.strip_suffix(b"\n").unwrap_or(bytes));
    } else {
        for line in lines.start..=lines.end.min(source.lines()) {
            if line > lines.start {
                hash.update(b"\n");
            }
            hash.update(source.line(line));
        }
    }
    hash.finalize().to_hex().to_string()
}

/// [`text_hash`] as pointers print it.
pub fn short_hash(source: &Source, lines: Lines) -> String {
    let mut hash = text_hash(source, lines);
    hash.truncate(HASH_DIGITS);
    hash
}

/// Hex digits of bytes.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A line without its text: 56 bits of its hash, and its indentation, which tells a diff where a change is best cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineKey(pub u64);

impl LineKey {
    fn of(line: &[u8]) -> LineKey {
        let hash = blake3::hash(line);
        let (first, _) = hash.as_bytes().split_at(8);
        let mut bytes = [0; 8];
        bytes.copy_from_slice(first);
        LineKey(u64::from_le_bytes(bytes) & !0xff | u64::from(indentation(line)))
    }

    /// Columns of white space in front, at most 200; [`BLANK`] for a line of nothing else.
    pub fn indentation(self) -> u8 {
        self.0 as u8
    }
}

/// One key a line.
pub fn line_keys(source: &Source) -> Vec<LineKey> {
    let (start, end) = (1, source.lines());
    line_keys_of(source, Lines { start, end })
}

/// One key for each of these lines.
pub fn line_keys_of(source: &Source, lines: Lines) -> Vec<LineKey> {
    let lines = lines.start..=lines.end.min(source.lines());
    lines.map(|line| LineKey::of(source.line(line))).collect()
}

/// As they are stored: eight bytes a key.
pub fn keys_to_bytes(keys: &[LineKey]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.0.to_le_bytes()).collect()
}

/// None for bytes that are no keys.
pub fn keys_from_bytes(bytes: &[u8]) -> Option<Vec<LineKey>> {
    let (keys, rest) = bytes.as_chunks::<8>();
    let keys = keys.iter().map(|key| LineKey(u64::from_le_bytes(*key)));
    rest.is_empty().then(|| keys.collect())
}

fn indentation(line: &[u8]) -> u8 {
    let mut depth = 0;
    for byte in line {
        match byte {
            b' ' => depth += 1,
            b'\t' => depth += TAB - depth % TAB,
            b'\r' | b'\x0c' => {}
            _ => return depth,
        }
        if depth >= DEEPEST {
            return DEEPEST;
        }
    }
    BLANK
}
