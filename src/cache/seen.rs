//! Versions of single files that were shown, by eight bytes of hash a line: so that line numbers of a version that was never
//! committed can be found again. The pack is written anew as a whole, which a question about one file does not pay for;
//! this is a log that is appended to, and starts again when it is full.
//!
//! ```text
//! record  magic [8], length of the keys u32, spare u32, version [32], keys, checksum of version and keys u64
//! ```
//! A writer that is killed, or two at once, leave a record that does not check; what follows is found by its magic.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::Folder;
use super::pack::{checksum, u32_at, u64_at};

pub(super) const LOG: &str = "seen.log";
/// What was the log before it was full.
pub(super) const FORMER: &str = "seen.old";

const MAGIC: &[u8; 8] = b"\x89aolines";
const HEAD: usize = 48;
/// Size of a log, in bytes: some four hundred versions. Two of them are read in a fifth of a millisecond.
const FULL: u64 = 1 << 20;

/// A version, and the keys of its lines as they are stored.
pub(super) type Version = ([u8; 32], Vec<u8>);

/// Remembers versions that are not known yet; whatever fails is left undone.
pub(super) fn remember(folder: &Folder, versions: &[Version]) {
    let wanted = |(_, keys): &&Version| !keys.is_empty();
    let known = known(folder);
    let fresh = versions.iter().filter(wanted);
    let fresh = fresh.filter(|(version, _)| !known.contains(version));
    let bytes: Vec<u8> = fresh
        .flat_map(|(version, keys)| record(version, keys))
        .collect();
    if !bytes.is_empty() {
        let _ = append(folder, &bytes);
    }
}

/// The newest version that begins with these bytes.
pub(super) fn find(folder: &Folder, beginning: &[u8]) -> Option<Vec<u8>> {
    [LOG, FORMER].iter().find_map(|name| {
        let bytes = read(folder, name);
        let found = records(&bytes).filter(|(version, _)| version.starts_with(beginning));
        found.last().map(|(_, keys)| keys.to_vec())
    })
}

fn known(folder: &Folder) -> HashSet<[u8; 32]> {
    let logs = [LOG, FORMER].map(|name| read(folder, name));
    let versions = logs.iter().flat_map(|bytes| records(bytes));
    versions.map(|(version, _)| version).collect()
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    let path = folder.path.join(name);
    // A pipe in its place would be waited for.
    let is_log = !folder.is_link() && fs::symlink_metadata(&path).is_ok_and(|data| data.is_file());
    if is_log {
        fs::read(path).unwrap_or_default()
    } else {
        vec![]
    }
}

fn append(folder: &Folder, bytes: &[u8]) -> io::Result<()> {
    folder.make()?;
    let path = folder.path.join(LOG);
    match fs::symlink_metadata(&path) {
        Ok(data) if !data.is_file() => return Err(io::ErrorKind::InvalidInput.into()),
        Ok(data) if data.len() >= FULL => fs::rename(&path, folder.path.join(FORMER))?,
        _ => {}
    }
    // One write, at the end wherever that is: writers do not mix.
    folder.append(&path)?.write_all(bytes)
}

fn record(version: &[u8; 32], keys: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + keys.len() + 8);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&(keys.len() as u32).to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(version);
    out.extend_from_slice(keys);
    let sum = checksum(&out[16..]);
    out.extend_from_slice(&sum.to_le_bytes());
    out
}

/// The records that check, in the order they were written.
fn records(bytes: &[u8]) -> impl Iterator<Item = ([u8; 32], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[memchr::memmem::find(rest, MAGIC)?..];
            match whole(rest) {
                Some((version, keys, len)) => {
                    rest = &rest[len..];
                    return Some((version, keys));
                }
                None => rest = &rest[MAGIC.len()..],
            }
        }
    })
}

/// The record at the beginning, and its length.
fn whole(bytes: &[u8]) -> Option<([u8; 32], &[u8], usize)> {
    let head = bytes.get(..HEAD)?;
    let end = HEAD + u32_at(head, 8) as usize;
    let sum = u64_at(bytes.get(end..end + 8)?, 0);
    let mut version = [0; 32];
    version.copy_from_slice(&head[16..]);
    (checksum(&bytes[16..end]) == sum).then(|| (version, &bytes[HEAD..end], end + 8))
}

/// Our files besides the pack.
pub(super) fn is_log(name: &Path) -> bool {
    name == Path::new(LOG) || name == Path::new(FORMER)
}
