//! Pointers: `path@VERSION#L12-L18~HASH`. Parses and prints them, without loss; whether a version exists and what it
//! holds is for others to find out.

use std::fmt;

use super::parse_range;
use crate::model::Lines;

/// What some lines of one version of a file are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// From the root of the repository, with `/`; the bytes of the name, which need not be UTF-8.
    pub path: Vec<u8>,
    pub version: Revision,
    /// 1-based, inclusive.
    pub lines: Lines,
    /// Hex digits of the hash of the lines' text, 12 as we print it; none where the pointer does not say.
    pub hash: Option<String>,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// Hex digits of a commit, or the beginning of a source version: 12 digits may be either.
    Commit(String),
    /// Git's id of a blob.
    Blob(String),
}

/// Schemes of paths that name a place outside of any repository, and are looked up by their end.
const PREFIX: &str = "nas://";
/// Digits of a commit as we print it.
const COMMIT_DIGITS: usize = 12;
/// Shorter beginnings of ids name nothing.
const SHORTEST: usize = 4;
/// Digits of the longest ids there are (SHA-256, blake3).
const LONGEST: usize = 64;
const SHORTEST_HASH: usize = 6;

impl Pointer {
    /// # Errors
    /// What is missing or malformed, as a sentence without its subject.
    pub fn parse(text: &str) -> Result<Pointer, &'static str> {
        let (rest, hash) = match text.rsplit_once('~') {
            // A path may hold one where somebody wrote it by hand.
            Some((rest, hash)) if rest.contains('#') => (rest, Some(hash)),
            _ => (text, None),
        };
        let (rest, lines) = rest.rsplit_once('#').ok_or("has no #LINES")?;
        let lines = parse_range(lines).ok_or("its lines do not read as L12-L18")?;
        let (path, version) = rest.rsplit_once('@').ok_or("has no @VERSION")?;
        let path = decode(path);
        if path.is_empty() {
            return Err("has no path");
        }
        if path.split(|&byte| byte == b'/').any(|part| part == b"..") {
            return Err("its path leads upwards; paths start from the repository's root");
        }
        let version =
            Revision::parse(version).ok_or("its version is neither a commit nor blob:ID")?;
        let is_hash = |hash: &&str| is_hex(hash, SHORTEST_HASH);
        let hash = match hash {
            Some(hash) => Some(Some(hash).filter(is_hash).ok_or("its hash is no hash")?),
            None => None,
        };
        Ok(Pointer {
            path,
            version,
            lines,
            hash: hash.map(str::to_ascii_lowercase),
        })
    }

    /// The path for messages; bytes that are not UTF-8 are replaced.
    pub fn shown_path(&self) -> String {
        String::from_utf8_lossy(&self.path).into_owned()
    }

    /// Paths to look up, best first: the path itself, or the ends of a path that begins with `nas://`, longest first.
    pub fn paths(&self) -> Vec<&[u8]> {
        let Some(mut rest) = self.path.strip_prefix(PREFIX.as_bytes()) else {
            return vec![&self.path];
        };
        let mut paths = vec![];
        loop {
            if !rest.is_empty() {
                paths.push(rest);
            }
            match memchr::memchr(b'/', rest) {
                Some(at) => rest = &rest[at + 1..],
                None => return paths,
            }
        }
    }
}

impl Revision {
    /// As pointers print it: blobs in full, since git can complete only what it has, commits by 12 digits.
    pub fn shortened(&self) -> Revision {
        match self {
            Revision::Commit(id) => Revision::Commit(id.chars().take(COMMIT_DIGITS).collect()),
            Revision::Blob(id) => Revision::Blob(id.clone()),
        }
    }

    /// `blob:ID`, or hex digits.
    pub fn parse(text: &str) -> Option<Revision> {
        match text.strip_prefix("blob:") {
            Some(id) => is_hex(id, SHORTEST).then(|| Revision::Blob(id.to_ascii_lowercase())),
            None => is_hex(text, SHORTEST).then(|| Revision::Commit(text.to_ascii_lowercase())),
        }
    }
}

impl Revision {
    /// For people: `commit 9f2c1deb0340`, `blob 8fa1e2...` by 12 digits.
    pub fn named(&self) -> String {
        let (kind, id) = match self {
            Revision::Commit(id) => ("commit", id),
            Revision::Blob(id) => ("blob", id),
        };
        format!("{kind} {}", &id[..COMMIT_DIGITS.min(id.len())])
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Revision::Commit(id) => f.write_str(id),
            Revision::Blob(id) => write!(f, "blob:{id}"),
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lines { start, end } = self.lines;
        write!(f, "{}@{}#L{start}-L{end}", encode(&self.path), self.version)?;
        match &self.hash {
            Some(hash) => write!(f, "~{hash}"),
            None => Ok(()),
        }
    }
}

fn is_hex(text: &str, shortest: usize) -> bool {
    (shortest..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What separates a pointer's parts, ends a word or breaks a line stands as `%XX`, and so do bytes that are no UTF-8.
fn encode(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '%' | '@' | '#' | '~' | ' ' => out.push_str(&format!("%{:02X}", c as u32)),
                c if c.is_control() || c.is_whitespace() => {
                    let mut bytes = [0; 4];
                    let bytes = c.encode_utf8(&mut bytes).bytes();
                    bytes.for_each(|byte| out.push_str(&format!("%{byte:02X}")));
                }
                c => out.push(c),
            }
        }
        let invalid = chunk.invalid().iter();
        invalid.for_each(|byte| out.push_str(&format!("%{byte:02X}")));
    }
    out
}

/// A `%` that no two hex digits follow stands for itself.
fn decode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |at: usize| char::from(*tail.get(at)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_read_and_printed_without_loss() {
        for text in [
            "src/a.py@9f2c1de4a1b2#L12-L18~0123456789ab",
            "a%20b/c%40d.py@blob:8fa1e2b3#L1-L1",
            "%FF/%25.py@1234#L2-L3",
            "nas://home-box/agents/cleo/memory/notes/customer-acme.md@9f2c1de#L12-L18",
        ] {
            let pointer = Pointer::parse(text).expect("it is one");
            assert_eq!(pointer.to_string(), text);
        }
        // Other spellings, as they are typed by hand.
        for (text, printed) in [
            ("a~b.py@ABCDEF#12-18", "a%7Eb.py@abcdef#L12-L18"),
            ("node@v/x.ts@1234567#L5", "node%40v/x.ts@1234567#L5-L5"),
            ("100%.md@1234567#L5", "100%25.md@1234567#L5-L5"),
        ] {
            let pointer = Pointer::parse(text).expect("it is one");
            assert_eq!(pointer.to_string(), printed);
            assert_eq!(Pointer::parse(printed), Ok(pointer));
        }
    }

    #[test]
    fn what_is_no_pointer_is_refused() {
        for text in [
            "",
            "#",
            "@#L1",
            "a.py",
            "a.py@1234567",
            "a.py#L1",
            "@1234567#L1",
            "a.py@123#L1",
            "a.py@blob:#L1",
            "a.py@xyzw#L1",
            "a.py@1234567#L0",
            "a.py@1234567#L3-L2",
            "a.py@1234567#L1~",
            "a.py@1234567#L1~xyzxyz",
            "../a.py@1234567#L1",
            "a/%2E%2E/b@1234567#L1",
            "a.py@1234567#L99999999999",
        ] {
            assert!(Pointer::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn paths_elsewhere_are_looked_up_by_their_ends() {
        let pointer = Pointer::parse("nas://box/a/b.md@1234567#L1").expect("it is one");
        let ends: [&[u8]; 3] = [b"box/a/b.md", b"a/b.md", b"b.md"];
        assert_eq!(pointer.paths(), ends);
        let pointer = Pointer::parse("a/b.md@1234567#L1").expect("it is one");
        assert_eq!(pointer.paths(), [b"a/b.md"]);
    }
}
