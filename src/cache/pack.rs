//! The cache's one file: records, then a path-sorted index, then a footer of fixed size. Reading is two small reads (footer
//! and index) and one for each record asked for; replacing is a new file and a rename. Owns the bytes and their checks,
//! knows nothing about what a record means nor when it is still true.
//!
//! A file that is foreign, cut off or half-written does not open, a record whose bytes changed is not handed out. The
//! checksum is for accidents: who can write the folder can write the sources too.
//!
//! ```text
//! footer  index_at u64, count u32, names_len u32, stamp i64, fingerprint [32], checksum of index and footer u64, magic [16]
//! entry   name_at u32, name_len u32, size u64, mtime i64, ctime i64, inode u64, device u64, version [32],
//!         at u64, len u32, lines_len u32, sum u64, lines_sum u64, language u16, flags u16, spare u32
//! ```
//! `lines_len` bytes behind a record are eight bytes of hash a line, by which stale line numbers are found again; they are
//! carried over from pack to pack. A former version of a path is an entry of its own, named `PATH\0VERSION`, that has only
//! those.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

const MAGIC: [u8; 16] = *b"ast-outline pk 2";
const ENTRY: usize = 120;
const FOOTER: usize = 80;
/// Far above any real pack; a damaged footer must not ask for memory.
const MOST_INDEX: u64 = 1 << 30;
const MUST_HASH: u16 = 1;
const FORMER: u16 = 2;

/// What the file system says about a file, to tell whether it must be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stat {
    pub size: u64,
    /// Nanoseconds since 1970.
    pub mtime: i64,
    pub ctime: i64,
    pub inode: u64,
    pub device: u64,
}

/// One path of the index.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub stat: Stat,
    pub version: [u8; 32],
    pub language: u16,
    /// The file may have changed behind `stat`.
    pub must_hash: bool,
    /// What the path held once: only its lines are known.
    pub former: bool,
    pub place: Place,
}

/// Where a record lies, and its checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    at: u64,
    len: u32,
    lines_len: u32,
    sum: u64,
    lines_sum: u64,
}

impl Place {
    pub fn has_lines(&self) -> bool {
        self.lines_len > 0
    }

    pub fn len(&self) -> u64 {
        u64::from(self.len) + u64::from(self.lines_len)
    }
}

/// An open pack. Shared by all threads: every read says where.
pub struct Pack {
    file: File,
    /// When the run that wrote it began, in nanoseconds since 1970.
    pub stamp: i64,
    index_at: u64,
    count: usize,
    /// Entries, then names.
    index: Vec<u8>,
}

impl Pack {
    /// None for anything but a whole pack of this program.
    pub fn open(path: &Path, fingerprint: &[u8; 32]) -> Option<Pack> {
        let file = File::open(path).ok()?;
        let len = file.metadata().ok().filter(|data| data.is_file())?.len();
        let footer_at = len.checked_sub(FOOTER as u64)?;
        let mut footer = [0; FOOTER];
        read_at(&file, &mut footer, footer_at).ok()?;
        let (index_at, count, names_len) =
            (u64_at(&footer, 0), u32_at(&footer, 8), u32_at(&footer, 12));
        let index_len = u64::from(count) * ENTRY as u64 + u64::from(names_len);
        let whole = index_len <= MOST_INDEX && index_at.checked_add(index_len) == Some(footer_at);
        if footer[64..] != MAGIC || footer[24..56] != *fingerprint || !whole {
            return None;
        }
        let mut index = vec![0; index_len as usize];
        read_at(&file, &mut index, index_at).ok()?;
        let sum = checksum(&index) ^ checksum(&footer[..56]);
        (sum == u64_at(&footer, 56)).then(|| Pack {
            file,
            stamp: u64_at(&footer, 16) as i64,
            index_at,
            count: count as usize,
            index,
        })
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Size of the records, in bytes.
    pub fn record_bytes(&self) -> u64 {
        self.index_at
    }

    pub fn find(&self, name: &[u8]) -> Option<Entry> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.name(middle).cmp(name) {
                std::cmp::Ordering::Equal => return Some(self.entry(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub fn entries(&self) -> impl Iterator<Item = (&[u8], Entry)> {
        (0..self.count).map(|at| (self.name(at), self.entry(at)))
    }

    /// A record's bytes, if they are what was written.
    pub fn record(&self, place: &Place) -> Option<Vec<u8>> {
        self.bytes(place.at, place.len, place.sum)
    }

    /// The line hashes behind a record.
    pub fn lines(&self, place: &Place) -> Option<Vec<u8>> {
        self.bytes(
            place.at.checked_add(place.len.into())?,
            place.lines_len,
            place.lines_sum,
        )
    }

    fn bytes(&self, at: u64, len: u32, sum: u64) -> Option<Vec<u8>> {
        let end = at.checked_add(len.into())?;
        if end > self.index_at {
            return None;
        }
        let mut bytes = vec![0; len as usize];
        read_at(&self.file, &mut bytes, at).ok()?;
        (checksum(&bytes) == sum).then_some(bytes)
    }

    fn name(&self, at: usize) -> &[u8] {
        let entry = &self.index[at * ENTRY..];
        let start = self.count * ENTRY + u32_at(entry, 0) as usize;
        self.index
            .get(start..start + u32_at(entry, 4) as usize)
            .unwrap_or(&[])
    }

    fn entry(&self, at: usize) -> Entry {
        let entry = &self.index[at * ENTRY..][..ENTRY];
        let mut version = [0; 32];
        version.copy_from_slice(&entry[48..80]);
        Entry {
            stat: Stat {
                size: u64_at(entry, 8),
                mtime: u64_at(entry, 16) as i64,
                ctime: u64_at(entry, 24) as i64,
                inode: u64_at(entry, 32),
                device: u64_at(entry, 40),
            },
            version,
            place: Place {
                at: u64_at(entry, 80),
                len: u32_at(entry, 88),
                lines_len: u32_at(entry, 92),
                sum: u64_at(entry, 96),
                lines_sum: u64_at(entry, 104),
            },
            language: u16_at(entry, 112),
            must_hash: u16_at(entry, 114) & MUST_HASH != 0,
            former: u16_at(entry, 114) & FORMER != 0,
        }
    }
}

/// A pack being written. Held in memory until it has a file; then never more than [`Writer::BUFFER`] of it.
#[derive(Default)]
pub struct Writer {
    buffer: Vec<u8>,
    file: Option<File>,
    at: u64,
}

impl Writer {
    pub const BUFFER: usize = 1 << 20;

    /// Whether it is time for a file.
    pub fn is_full(&self) -> bool {
        self.file.is_none() && self.buffer.len() >= Writer::BUFFER
    }

    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    pub fn set_file(&mut self, file: File) {
        self.file = Some(file);
    }

    /// Size of the records so far.
    pub fn len(&self) -> u64 {
        self.at
    }

    /// Takes a record over from another pack. None if it is damaged there.
    pub fn copy(&mut self, from: &Pack, place: &Place) -> io::Result<Option<Place>> {
        match (from.record(place), from.lines(place)) {
            (Some(record), Some(lines)) => self.put(&record, &lines).map(Some),
            _ => Ok(None),
        }
    }

    /// Takes the lines of a record over from another pack. None if they are damaged there.
    pub fn copy_lines(&mut self, from: &Pack, place: &Place) -> io::Result<Option<Place>> {
        match from.lines(place) {
            Some(lines) => self.put(&[], &lines).map(Some),
            None => Ok(None),
        }
    }

    /// Adds a record and the hashes of its lines.
    pub fn put(&mut self, record: &[u8], lines: &[u8]) -> io::Result<Place> {
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(io::Error::other);
        let place = Place {
            at: self.at,
            len: len(record)?,
            lines_len: len(lines)?,
            sum: checksum(record),
            lines_sum: checksum(lines),
        };
        self.write(record)?;
        self.write(lines)?;
        self.at += place.len();
        Ok(place)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        match self.buffer.len() >= Writer::BUFFER {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Writes index and footer. `entries` are sorted by name, and there is a file.
    pub fn finish(
        mut self,
        entries: &[(Vec<u8>, Entry)],
        stamp: i64,
        fingerprint: &[u8; 32],
    ) -> io::Result<()> {
        let mut index = Vec::with_capacity(entries.len() * (ENTRY + 48));
        let mut names = vec![];
        for (name, entry) in entries {
            put_entry(&mut index, names.len() as u32, name.len() as u32, entry);
            names.extend_from_slice(name);
        }
        index.extend_from_slice(&names);
        if index.len() as u64 > MOST_INDEX {
            return Err(io::Error::other("too many files for one index"));
        }
        let mut footer = Vec::with_capacity(FOOTER);
        footer.extend_from_slice(&self.at.to_le_bytes());
        footer.extend_from_slice(&(entries.len() as u32).to_le_bytes());
        footer.extend_from_slice(&(names.len() as u32).to_le_bytes());
        footer.extend_from_slice(&stamp.to_le_bytes());
        footer.extend_from_slice(fingerprint);
        let sum = checksum(&index) ^ checksum(&footer);
        footer.extend_from_slice(&sum.to_le_bytes());
        footer.extend_from_slice(&MAGIC);
        self.write(&index)?;
        self.write(&footer)?;
        self.flush()
    }
}

fn put_entry(out: &mut Vec<u8>, name_at: u32, name_len: u32, entry: &Entry) {
    let Entry {
        stat,
        version,
        language,
        must_hash,
        former,
        place,
    } = entry;
    out.extend_from_slice(&name_at.to_le_bytes());
    out.extend_from_slice(&name_len.to_le_bytes());
    out.extend_from_slice(&stat.size.to_le_bytes());
    out.extend_from_slice(&stat.mtime.to_le_bytes());
    out.extend_from_slice(&stat.ctime.to_le_bytes());
    out.extend_from_slice(&stat.inode.to_le_bytes());
    out.extend_from_slice(&stat.device.to_le_bytes());
    out.extend_from_slice(version);
    out.extend_from_slice(&place.at.to_le_bytes());
    out.extend_from_slice(&place.len.to_le_bytes());
    out.extend_from_slice(&place.lines_len.to_le_bytes());
    out.extend_from_slice(&place.sum.to_le_bytes());
    out.extend_from_slice(&place.lines_sum.to_le_bytes());
    out.extend_from_slice(&language.to_le_bytes());
    let flags = if *must_hash { MUST_HASH } else { 0 } | if *former { FORMER } else { 0 };
    out.extend_from_slice(&flags.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
}

/// Finds accidents at 5 GB/s: every step is a bijection, so one changed word always shows. (blake3 would be a tenth of a
/// warm run over records of this size.)
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = bytes.len() as u64 ^ K;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        sum = (sum.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(K);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    sum = (sum.rotate_left(23) ^ u64::from_le_bytes(last)).wrapping_mul(K);
    sum ^ (sum >> 29)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut out: &mut [u8], mut at: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (out, at) = (&mut out[read..], at + read as u64),
        }
    }
    Ok(())
}
