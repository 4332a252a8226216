//! The bytes of one file: read, decoded when they are UTF-16, cut into lines, named by their hash.
//! Slices are lossless: what comes out are the bytes that went in. Knows no language and no path rules.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::model::Lines;

/// One file's text with its version. Offsets are `u32`: files of 4 GiB and more are refused by [`Source::read`].
pub struct Source {
    text: Vec<u8>,
    /// Byte offset of each line's first byte.
    line_starts: Vec<u32>,
    version: Version,
    encoding: Encoding,
    original_len: u64,
    /// The file's bytes, where `text` is not the same.
    original: Option<Arc<[u8]>>,
    /// UTF-16 units before each block of [`BLOCK`] bytes of decoded text; empty for other encodings.
    units: Vec<u64>,
}

/// Bytes counted to find an offset in a UTF-16 file; counting from the start takes the square of its length.
const BLOCK: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or another superset of ASCII that is passed through as it is.
    Bytes,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// By the mark that a file begins with.
    pub fn of(bytes: &[u8]) -> Encoding {
        match bytes {
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ => Encoding::Bytes,
        }
    }
}

/// blake3 of a file's bytes, shown as its first 12 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version([u8; 32]);

impl Version {
    pub fn of(bytes: &[u8]) -> Version {
        Version(*blake3::hash(bytes).as_bytes())
    }

    pub fn from_hash(hash: [u8; 32]) -> Version {
        Version(hash)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..6]
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The bytes of a whole file. `read` and not mmap: mapping costs 5 us more a file and turns a file that shrinks meanwhile
/// into a signal.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    let hint = file.metadata().map_or(0, |data| data.len().min(1 << 30));
    bytes.reserve(hint as usize + 1);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// One NUL in so many bytes of text is no sign of a binary: in UTF-16 it is every other, in archives of text most.
const MOST_NULS: usize = 16;

/// Whether bytes are UTF-8, to the last character that may be cut, without control characters but NUL and what moves a
/// cursor.
fn is_text(bytes: &[u8]) -> bool {
    let odd = |byte: &u8| matches!(byte, 1..=7 | 14..=26 | 28..=31 | 127);
    let utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    utf8 && !bytes.iter().any(odd)
}

impl Source {
    pub fn read(path: &Path) -> io::Result<Source> {
        Source::from_bytes(read(path)?)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> io::Result<Source> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "files of 4 GiB and more are not read",
            ));
        }
        let version = Version::of(&bytes);
        let original_len = bytes.len() as u64;
        let encoding = Encoding::of(&bytes);
        let (text, original) = match encoding {
            Encoding::Bytes => (bytes, None),
            Encoding::Utf16Le => (decode_utf16(&bytes[2..], u16::from_le_bytes), Some(bytes)),
            Encoding::Utf16Be => (decode_utf16(&bytes[2..], u16::from_be_bytes), Some(bytes)),
        };
        let line_starts = line_starts(&text);
        let units = match encoding {
            Encoding::Bytes => vec![],
            _ => units_before_blocks(&text),
        };
        Ok(Source {
            text,
            line_starts,
            version,
            encoding,
            original_len,
            original: original.map(Arc::from),
            units,
        })
    }

    /// The same file with other text, as a repair would have it: same version, same line numbers.
    pub fn with_text(&self, text: Vec<u8>) -> Source {
        Source {
            line_starts: line_starts(&text),
            text,
            units: self.units.clone(),
            original: self.original.clone(),
            ..*self
        }
    }

    /// The text as parsed: the file's bytes, or UTF-8 decoded from UTF-16.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The file's bytes as they were read.
    pub fn original(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(&self.text)
    }

    pub fn version(&self) -> Version {
        self.version
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Size of the file in bytes.
    pub fn len(&self) -> u64 {
        self.original_len
    }

    /// Count of LFs, plus one if the last line is not empty.
    pub fn lines(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// NUL bytes early in the file mean that it is no text, as `rg` and `git` have it - but for a few in what else is: C lets
    /// them stand in literals and comments, and other formats in strings.
    pub fn is_binary(&self) -> bool {
        let head = &self.text[..self.text.len().min(8000)];
        let nuls = head.iter().filter(|&&byte| byte == 0).count();
        nuls > 0 && (nuls > head.len() / MOST_NULS || !is_text(head))
    }

    /// 1-based line of a byte offset.
    pub fn line_at(&self, byte: u32) -> u32 {
        self.line_starts
            .partition_point(|&start| start <= byte)
            .max(1) as u32
    }

    /// Offset of the first byte of a 1-based line; the end of the text for lines past it.
    pub fn line_start(&self, line: u32) -> u32 {
        let index = line.max(1) as usize - 1;
        self.line_starts
            .get(index)
            .copied()
            .unwrap_or(self.text.len() as u32)
    }

    /// The exact bytes of these lines, line ends included.
    pub fn slice(&self, lines: Lines) -> &[u8] {
        &self.text[self.line_start(lines.start) as usize..self.line_start(lines.end + 1) as usize]
    }

    /// One line without its line end.
    pub fn line(&self, line: u32) -> &[u8] {
        let bytes = self.slice(Lines {
            start: line,
            end: line,
        });
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }

    /// Text of a byte range; bytes that are not UTF-8 are replaced.
    pub fn str(&self, range: Range<usize>) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text[range])
    }

    /// Where a byte of [`Source::text`] lies in the file on disk.
    pub fn original_offset(&self, byte: u32) -> u64 {
        let block = byte as usize / BLOCK;
        match self.units.get(block) {
            Some(before) => {
                let rest = &self.text[block * BLOCK..byte as usize];
                2 + 2 * (before + utf16_units(rest))
            }
            None => u64::from(byte),
        }
    }
}

fn units_before_blocks(text: &[u8]) -> Vec<u64> {
    let mut units = vec![0];
    for block in text.chunks(BLOCK) {
        units.push(units[units.len() - 1] + utf16_units(block));
    }
    units
}

/// UTF-16 units of characters that begin in this piece of UTF-8.
fn utf16_units(text: &[u8]) -> u64 {
    let units = text.iter().map(|byte| match byte {
        0x80..=0xbf => 0,
        0xf0.. => 2,
        _ => 1,
    });
    units.sum()
}

fn line_starts(text: &[u8]) -> Vec<u32> {
    // Counted first: growing step by step takes twice the memory, and a file may be nothing but line ends.
    let count = text.iter().filter(|&&byte| byte == b'\n').count();
    let mut starts = Vec::with_capacity(count + 1);
    if !text.is_empty() {
        starts.push(0);
    }
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1);
    starts.extend(ends.filter(|&start| (start as usize) < text.len()));
    starts
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes
        .chunks(2)
        .map(|pair| unit([pair[0], *pair.get(1).unwrap_or(&0)]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}
