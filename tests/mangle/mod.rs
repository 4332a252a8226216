//! Makes half-edited files out of whole ones, and noise: what people, merges and broken disks do to text. Knows no language:
//! tokens are runs of letters, of spaces, or single signs.

mod random;

use std::ops::Range;

pub use random::Random;

/// No input grows beyond this.
const MOST: usize = 100_000;

/// What opens, closes, quotes or begins something in one language or another.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "\"", "'", "`", "\"\"\"", "'''", "```\n", "~~~\n", "r#\"", "\"#", "R\"x(", "$", "${", "#{", "{{", "}}", "{%", "<%",
    "(", ")", "[", "]", "{", "}", "<", ">", "</", "/>", "=>", "->", "::", "..", "...", "/*", "*/", "/**", "//", "///", "#", "--",
    "<!--", "-->", "<![CDATA[", "\\", "\\\n", "\\u{", ",", ";", ":", "=", "==", "+", "-", "*", "&", "&&", "|", "||", "!", "?", "%",
    "@", "~", "^", "/", ".", "_", "0x", "1e", "\n", "\r", "\r\n", "\n\n", "\t", "\x0c", " ", "\u{feff}", "\u{2028}", "é", "\u{1f600}",
    "---\n", "+++\n", "...\n", "- ", "? ", ": ", ": |\n", ": >-\n", "&a ", "*a ", "!!t ", "# ", "## ", "=====\n", "-----\n", "> ",
    "\n#if X\n", "\n#else\n", "\n#endif\n", "\n#define X(a) \\\n", "\n[a.b]\n", "\n[[a]]\n",
];
const MARKERS: &[&str] = &[
    "<<<<<<< HEAD\n",
    "||||||| 0123abc\n",
    "=======\n",
    ">>>>>>> topic\n",
];

/// A file as a few edits leave it; `other` is a file to take text from.
pub fn mangled(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(3) {
        edit(&mut text, other, random);
    }
    text.truncate(MOST);
    text
}

/// Bytes of any sort.
pub fn noise(count: usize, random: &mut Random) -> Vec<u8> {
    (0..count).map(|_| random.byte()).collect()
}

/// The tokens of a text in any order.
pub fn soup(text: &[u8], count: usize, random: &mut Random) -> Vec<u8> {
    let tokens = tokens(text);
    let mut out = vec![];
    for _ in 0..count {
        match random.below(8) {
            0 => out.extend(random.pick(SIGNS).bytes()),
            _ if tokens.is_empty() => break,
            _ => out.extend_from_slice(&text[tokens[random.below(tokens.len())].clone()]),
        }
    }
    out.truncate(MOST);
    out
}

fn edit(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let parts = match random.below(4) {
        0 => bytes(text, random),
        1 => tokens(text),
        2 => lines(text, 1, random),
        _ => {
            let most = 1 + random.below(20);
            lines(text, most, random)
        }
    };
    let part = |random: &mut Random| parts.get(random.below(parts.len())).cloned();
    let (Some(one), Some(two)) = (part(random), part(random)) else {
        text.extend_from_slice(other);
        return;
    };
    match random.below(14) {
        0..=2 => drop(text.drain(one)),
        3 => {
            let copy = text[two].to_vec();
            insert(text, one.start, &copy);
        }
        4 => swap(text, one, two),
        5 => {
            let own = lines(other, 1 + random.below(10), random);
            let taken = own.get(random.below(own.len())).cloned().unwrap_or(0..0);
            insert(text, one.start, &other[taken]);
        }
        6 => text.truncate(one.start),
        7 => {
            text.truncate(one.start);
            text.extend_from_slice(&other[random.below(other.len())..]);
        }
        8..=10 => insert(text, one.start, random.pick(SIGNS).as_bytes()),
        11 => conflict(text, one, random),
        12 => {
            let count = random.below(300);
            let many = text[one.clone()].repeat(count.min(20_000 / one.len().max(1)));
            insert(text, one.start, &many);
        }
        _ => respace(text, one, random),
    }
}

/// Single bytes, and a few together.
fn bytes(text: &[u8], random: &mut Random) -> Vec<Range<usize>> {
    let few = 1 + random.below(6);
    let at = random.below(text.len());
    let other = random.below(text.len());
    let until = |at: usize| at..(at + few).min(text.len());
    vec![until(at), until(other)]
}

/// Runs of word characters, of spaces, or single bytes.
pub fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0x80.. => 1,
        b' ' | b'\t' => 2,
        _ => 0,
    };
    let mut found: Vec<Range<usize>> = vec![];
    for (at, &byte) in text.iter().enumerate() {
        match found.last_mut() {
            Some(last) if class(byte) > 0 && class(text[at - 1]) == class(byte) => {
                last.end = at + 1;
            }
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Blocks of up to `most` lines, one at each line.
pub fn lines(text: &[u8], most: usize, random: &mut Random) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    starts.extend(ends.map(|(at, _)| at + 1));
    let end = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let all = 0..starts.len();
    all.map(|line| end(line)..end(line + 1 + random.below(most)))
        .filter(|block| !block.is_empty())
        .collect()
}

fn insert(text: &mut Vec<u8>, at: usize, what: &[u8]) {
    text.splice(at..at, what.iter().copied());
}

fn swap(text: &mut Vec<u8>, one: Range<usize>, two: Range<usize>) {
    let (first, second) = match one.start <= two.start {
        true => (one, two),
        false => (two, one),
    };
    if first.end <= second.start {
        let (a, b) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        text.splice(second, a);
        text.splice(first, b);
    }
}

/// Two sides of a block, or a marker alone.
fn conflict(text: &mut Vec<u8>, block: Range<usize>, random: &mut Random) {
    let at = text[..block.start].iter().rposition(|&byte| byte == b'\n');
    let at = at.map_or(0, |at| at + 1);
    if random.below(2) == 0 {
        return insert(text, at, random.pick(MARKERS).as_bytes());
    }
    let mine = text[at..block.end].to_vec();
    let theirs = soup(&mine, mine.len() / 3, random);
    let [begin, base, between, end] = MARKERS else {
        unreachable!("there are four");
    };
    let mut sides = [begin.as_bytes(), &mine].concat();
    if random.below(3) == 0 {
        sides.extend([base.as_bytes(), &theirs, b"\n"].concat());
    }
    sides.extend([between.as_bytes(), &theirs, b"\n", end.as_bytes()].concat());
    text.splice(at..block.end, sides);
}

/// Other line ends or another indentation.
fn respace(text: &mut Vec<u8>, block: Range<usize>, random: &mut Random) {
    let (from, to) = *random.pick(&[
        &("\n", "\r\n"),
        &("\n", "\n  "),
        &("\n  ", "\n"),
        &("\n", " "),
        &("    ", "\t"),
    ]);
    let old = String::from_utf8_lossy(&text[block.clone()]).into_owned();
    let new = old.replace(from, to);
    text.splice(block, new.into_bytes());
}
