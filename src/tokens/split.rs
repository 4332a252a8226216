//! Cuts a text into the pieces that tokens never cross, as the regular expressions of the vocabularies do, by hand: one
//! class of a character looked up, then one run. What the expressions do by going back is written out where it happens.
//! Takes valid UTF-8 as bytes; knows no vocabulary.

use super::class::{BLOCK, CASELESS, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};

static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/class.blocks"));
static INDEX: &[u8; 0x11_0000 / BLOCK] = include_bytes!(concat!(env!("OUT_DIR"), "/class.index"));

/// The class of each ASCII character; 0 for bytes of longer ones.
static ASCII: [u8; 256] = ascii();

const LETTER: u8 = UPPER | LOWER | CASELESS;
/// What may stand in the front of a word, and what may stand in its end.
const HEAD: u8 = UPPER | CASELESS | MARK;
const TAIL: u8 = LOWER | CASELESS | MARK;
/// What a word takes with it from before it.
const PREFIX: u8 = OTHER | SPACE | MARK;

const fn ascii() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut at = 0;
    while at < 128 {
        classes[at] = match at as u8 {
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => NUMBER,
            b'\r' | b'\n' => NEWLINE,
            b' ' | b'\t' | 0x0b | 0x0c => SPACE,
            _ => OTHER,
        };
        at += 1;
    }
    classes
}

/// Where the piece that begins at `at` ends, for o200k.
///
/// Its expression, first alternative first: an optional prefix, letters that end in lower case, a contraction; an optional
/// prefix, letters that begin in upper case, a contraction; up to three digits; an optional space, anything else, line ends
/// and slashes; white space to its last line end; white space but the last before text; white space.
pub fn o200k(text: &[u8], at: usize) -> usize {
    let (class, length) = class_at(text, at);
    let next = at + length;
    if class & LETTER != 0 {
        return contraction(text, word(text, at));
    }
    if class & PREFIX != 0 && class_at(text, next).0 & (LETTER | MARK) != 0 {
        if class != MARK {
            return contraction(text, word(text, next));
        }
        // A mark is a prefix first, if letters behind it end in lower case, and else the first of them.
        let end = lower_word(text, next).or_else(|| lower_word(text, at));
        return contraction(text, end.unwrap_or(next));
    }
    match class {
        MARK => contraction(text, next),
        NUMBER => number(text, next),
        OTHER => symbols(text, next, b"\r\n/"),
        _ => {
            if text[at] == b' ' && class_at(text, next).0 & OTHER != 0 {
                return symbols(text, next, b"\r\n/");
            }
            space(text, at).first()
        }
    }
}

/// Where the piece that begins at `at` ends, for cl100k.
///
/// Its expression: a contraction; an optional prefix and letters; up to three digits; an optional space, anything else, line
/// ends; white space at the end of the text; white space to its last line end; white space but the last before text; one.
pub fn cl100k(text: &[u8], at: usize) -> usize {
    let end = contraction(text, at);
    if end > at {
        return end;
    }
    let (class, length) = class_at(text, at);
    let next = at + length;
    if class & (LETTER | PREFIX) != 0 {
        let end = run(text, next, LETTER);
        if class & LETTER != 0 || end > next {
            return end;
        }
    }
    match class {
        NUMBER => number(text, next),
        OTHER | MARK => symbols(text, next, b"\r\n"),
        _ => {
            if text[at] == b' ' && class_at(text, next).0 & (OTHER | MARK) != 0 {
                return symbols(text, next, b"\r\n");
            }
            let space = space(text, at);
            match space.end == text.len() {
                true => space.end,
                false => space.first(),
            }
        }
    }
}

/// Class and length of the character at `at`; 0 at the end of the text.
#[inline(always)]
fn class_at(text: &[u8], at: usize) -> (u8, usize) {
    match text.get(at) {
        Some(&byte) if byte < 0x80 => (ASCII[byte as usize], 1),
        Some(_) => long_class_at(text, at),
        None => (0, 0),
    }
}

#[inline(never)]
fn long_class_at(text: &[u8], at: usize) -> (u8, usize) {
    let bits = |offset: usize| {
        let byte = text.get(at + offset).copied().unwrap_or(0);
        u32::from(byte & 0x3f)
    };
    let first = u32::from(text[at]);
    let (code, length) = match first {
        0..0xe0 => ((first & 0x1f) << 6 | bits(1), 2),
        0xe0..0xf0 => ((first & 0xf) << 12 | bits(1) << 6 | bits(2), 3),
        _ => (
            (first & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3),
            4,
        ),
    };
    let (block, within) = (code as usize / BLOCK, code as usize % BLOCK);
    (BLOCKS[INDEX[block] as usize * BLOCK + within], length)
}

/// The end of the characters of these classes that begin at `at`.
#[inline(always)]
fn run(text: &[u8], mut at: usize, classes: u8) -> usize {
    loop {
        while at < text.len() && ASCII[text[at] as usize] & classes != 0 {
            at += 1;
        }
        match class_at(text, at) {
            (class, length) if length > 1 && class & classes != 0 => at += length,
            _ => return at,
        }
    }
}

/// The end of a word whose first letter stands at `at`, whatever its case.
#[inline(always)]
fn word(text: &[u8], at: usize) -> usize {
    let end = run(text, at, LOWER);
    if end > at {
        return run(text, end, TAIL);
    }
    lower_word(text, at).unwrap_or_else(|| run(text, at, HEAD))
}

/// Letters that end in lower case: as many as there are, or up to the last one that counts as lower case too.
fn lower_word(text: &[u8], start: usize) -> Option<usize> {
    let mut at = run(text, start, UPPER);
    let mut last = None;
    loop {
        let (class, length) = class_at(text, at);
        match class {
            LOWER => return Some(run(text, at, TAIL)),
            CASELESS | MARK => last = Some(at + length),
            UPPER => {}
            _ => return last,
        }
        at += length;
    }
}

/// The end of a contraction at `at`; `at` where there is none. In these expressions `s` matches U+017F, too.
#[inline(always)]
fn contraction(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'\'') => at + suffix(&text[at..]),
        _ => at,
    }
}

#[cold]
fn suffix(text: &[u8]) -> usize {
    let lower = |at: usize| text.get(at).map_or(0, u8::to_ascii_lowercase);
    match (lower(1), lower(2)) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        _ if text[1..].starts_with("ſ".as_bytes()) => 3,
        _ => 0,
    }
}

/// The end of a number of which one digit stands before `at`: two more at most.
fn number(text: &[u8], mut at: usize) -> usize {
    for _ in 0..2 {
        match class_at(text, at) {
            (NUMBER, length) => at += length,
            _ => break,
        }
    }
    at
}

/// The end of what is neither letter, digit nor space, with what may follow it.
fn symbols(text: &[u8], at: usize, behind: &[u8]) -> usize {
    let end = run(text, at, OTHER | MARK);
    let more = text[end..].iter().take_while(|byte| behind.contains(byte));
    end + more.count()
}

/// White space.
struct Space {
    end: usize,
    /// Behind its last line end, or 0.
    line: usize,
    /// Where its last character begins.
    last: usize,
    start: usize,
}

impl Space {
    /// The end of its first piece: its last line end; all but what goes with the text behind it; all.
    fn first(&self) -> usize {
        match self {
            Space { line: 1.., .. } => self.line,
            _ if self.last > self.start => self.last,
            _ => self.end,
        }
    }
}

fn space(text: &[u8], start: usize) -> Space {
    let (mut at, mut last, mut line) = (start, start, 0);
    loop {
        let (class, length) = class_at(text, at);
        if class & (SPACE | NEWLINE) == 0 {
            break;
        }
        last = at;
        at += length;
        if class == NEWLINE {
            line = at;
        }
    }
    // At the end of the text nothing takes the last one with it.
    if at == text.len() {
        last = start;
    }
    Space {
        end: at,
        line,
        last,
        start,
    }
}
