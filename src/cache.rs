//! Outlines remembered from run to run: where they are kept, when one is still true, what is worth writing.
//! An answer never depends on what lies here: whatever does not fit is a miss, whatever fails is left undone, silently.
//! Knows no verb and no format; the file's bytes are `pack`'s.
//!
//! A record is the outline of some bytes in some language, so a renamed or copied file finds it too, and holds no path.
//! Path, size, times and inode only tell whether a file must be read again. Times are trusted as git trusts them: a file
//! changed at the time the cache was written, or later, is read and hashed, since the clock's grain may hide an edit.

mod folder;
mod pack;
mod seen;
mod session;
mod summary;
mod update;

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::evidence::{LineKey, keys_from_bytes, keys_to_bytes, line_keys, short_hash};
use crate::git::{Format, blob_id, without_crlf};
use crate::lang::{Language, REGISTRY};
use crate::model::{Item, Lines, Outline, ProblemKind};
use crate::source::{Encoding, Source, Version};
use folder::PACK;
use pack::{Entry, Pack, Place, Stat};

pub use folder::Folder;
pub use session::Session;
pub use summary::{Summary, keep_summary, summary};
pub use update::Update;

/// No file system's times are coarser.
const GRAIN: i64 = 2_000_000_000;

const MOST_LINES: u32 = 100_000;

/// What is known at the start of a run. Read by all threads.
pub struct Cache {
    folder: Folder,
    /// The folder that paths in the index start from.
    base: PathBuf,
    here: PathBuf,
    pack: Option<Pack>,
    fingerprint: [u8; 32],
    started: i64,
    versions: OnceLock<HashMap<Key, Place>>,
}

/// What a record is the outline of: bytes, and the language they were read in.
type Key = ([u8; 32], u16);

/// A file about to be asked for: its name in the index and what the file system said before it was read.
pub struct Look {
    name: Vec<u8>,
    stat: Stat,
    /// Its entry, if that is certainly true.
    entry: Option<Entry>,
}

pub struct Hit {
    pub outline: Outline,
    pub language: &'static Language,
    pub version: Version,
    pub bytes: u64,
    pub stamp: Option<Stamp>,
}

/// What evidence needs of a file, so that it need not be read for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stamp {
    /// Git's id of the bytes in a repository of SHA-1.
    pub blob: String,
    /// Of all lines, as pointers have it.
    pub hash: String,
}

/// What a run found out about one file, on its way to the thread that writes.
pub struct Fresh {
    name: Vec<u8>,
    stat: Stat,
    key: Key,
    /// The outline, and the keys of the lines. None where the record is known, and only the path or its times are not.
    record: Option<(Vec<u8>, Vec<u8>)>,
}

impl Cache {
    pub fn open(folder: Folder) -> std::io::Result<Cache> {
        let fingerprint = fingerprint();
        let pack = (!folder.is_link())
            .then(|| Pack::open(&folder.path.join(PACK), &fingerprint))
            .flatten();
        Ok(Cache {
            base: folder.path.parent().unwrap_or(&folder.path).to_path_buf(),
            here: std::env::current_dir()?,
            folder,
            pack,
            fingerprint,
            started: nanoseconds(SystemTime::now()),
            versions: OnceLock::new(),
        })
    }

    /// Paths and records in it.
    pub fn len(&self) -> (usize, usize) {
        let entries = self.pack.iter().flat_map(Pack::entries);
        let files = entries.filter(|(_, entry)| !entry.former).count();
        (files, self.versions().len())
    }

    /// When the run that wrote it began.
    pub fn written(&self) -> Option<SystemTime> {
        let stamp = self.pack.as_ref()?.stamp;
        Some(UNIX_EPOCH + Duration::from_nanos(u64::try_from(stamp).ok()?))
    }

    /// Looks a file up, to be asked before it is read. None for what is no file.
    pub fn look(&self, path: &Path) -> Option<Look> {
        let stat = stat(path)?;
        let name = self.name(path);
        let entry = self.pack.as_ref().and_then(|pack| {
            let entry = pack.find(&name)?;
            let same = entry.stat == stat && !entry.must_hash;
            (same && !is_racy(&stat, pack.stamp)).then_some(entry)
        });
        Some(Look { name, stat, entry })
    }

    /// The outline of a file that need not be read.
    pub fn hit(&self, look: &Look) -> Option<Hit> {
        let entry = look.entry?;
        let (outline, stamp) = self.outline(&entry.place)?;
        Some(Hit {
            outline,
            stamp,
            language: REGISTRY.get(entry.language as usize).copied()?,
            version: Version::from_hash(entry.version),
            bytes: entry.stat.size,
        })
    }

    /// The outline of a file that was read, and what is to be remembered of it. `make` is asked where nothing is known.
    pub fn resolve(
        &self,
        look: Look,
        source: &Source,
        language: &'static Language,
        make: impl FnOnce() -> Outline,
    ) -> (Outline, Option<Fresh>) {
        let number = REGISTRY
            .iter()
            .position(|known| std::ptr::eq(*known, language));
        let Some(number) = number.filter(|_| source.encoding() == Encoding::Bytes) else {
            return (make(), None);
        };
        let key = (*source.version().as_bytes(), number as u16);
        let Look { name, stat, entry } = look;
        let fresh = |record| Fresh {
            name,
            stat,
            key,
            record,
        };
        let place = self.versions().get(&key);
        if let Some((outline, _)) = place.and_then(|place| self.outline(place)) {
            let known = entry.is_some_and(|entry| (entry.version, entry.language) == key);
            return (outline, (!known).then(|| fresh(None)));
        }
        let outline = make();
        let lasting = outline
            .problems
            .iter()
            .all(|problem| problem.kind != ProblemKind::Timeout);
        let record = postcard::to_stdvec(&(&outline, Stamp::of(source)));
        let record = record.ok().filter(|_| lasting);
        let fresh = record.map(|record| fresh(Some((record, stored_keys(source)))));
        (outline, fresh)
    }

    /// The keys of the lines of a version that was seen, by the beginning of its hash.
    pub fn lines_of(&self, beginning: &[u8]) -> Option<Vec<LineKey>> {
        let entries = self.pack.iter().flat_map(Pack::entries);
        let places = entries
            .filter(|(_, entry)| entry.version.starts_with(beginning) && entry.place.has_lines())
            .map(|(_, entry)| entry.place);
        let mut packed = places.filter_map(|place| self.pack.as_ref()?.lines(&place));
        let bytes = packed
            .next()
            .or_else(|| seen::find(&self.folder, beginning));
        keys_from_bytes(&bytes?)
    }

    fn outline(&self, place: &Place) -> Option<(Outline, Option<Stamp>)> {
        let record = self.pack.as_ref()?.record(place)?;
        let known: Option<(Outline, Option<Stamp>)> = postcard::from_bytes(&record).ok();
        known.filter(|(outline, _)| is_sound(outline))
    }

    fn versions(&self) -> &HashMap<Key, Place> {
        self.versions.get_or_init(|| {
            let entries = self.pack.iter().flat_map(Pack::entries);
            entries
                .filter(|(_, entry)| !entry.former)
                .map(|(_, entry)| ((entry.version, entry.language), entry.place))
                .collect()
        })
    }

    /// A path from the base where it lies below, so that a repository can be moved; else the whole path.
    fn name(&self, path: &Path) -> Vec<u8> {
        let mut whole = PathBuf::new();
        for part in self.here.join(path).components() {
            match part {
                Component::ParentDir => {
                    whole.pop();
                }
                part => whole.push(part),
            }
        }
        path_to_bytes(whole.strip_prefix(&self.base).unwrap_or(&whole))
    }

    /// Whether the path of an entry still exists.
    fn exists(&self, name: &[u8]) -> bool {
        let end = memchr::memchr(0, name).unwrap_or(name.len());
        let name = &name[..end];
        fs::symlink_metadata(self.base.join(bytes_to_path(name))).is_ok()
    }
}

/// Remembers the lines of a file that was shown on its own, so that its line numbers can be found again when it has changed.
/// Leaves no trace where no cache is and no repository either.
pub fn remember(folder: &Folder, source: &Source) {
    if folder.is_welcome() {
        seen::remember(
            folder,
            &[(*source.version().as_bytes(), stored_keys(source))],
        );
    }
}

/// Eight bytes a line; none of a file with so many that nobody reads its numbers.
fn stored_keys(source: &Source) -> Vec<u8> {
    match source.lines() <= MOST_LINES {
        true => keys_to_bytes(&line_keys(source)),
        false => vec![],
    }
}

impl Stamp {
    /// None where git may hold the file with other line ends, and the bytes are needed to tell.
    fn of(source: &Source) -> Option<Stamp> {
        let bytes = source.original();
        let lines = Lines {
            start: 1,
            end: source.lines().max(1),
        };
        without_crlf(bytes).is_none().then(|| Stamp {
            blob: blob_id(Format::Sha1, bytes),
            hash: short_hash(source, lines),
        })
    }
}

/// Whether a file may have changed since without a trace, `stamp` being the start of the run that saw it.
fn is_racy(stat: &Stat, stamp: i64) -> bool {
    stat.mtime.max(stat.ctime) >= stamp.saturating_sub(GRAIN)
}

/// Whether the numbers in an outline fit together: checksums stop accidents, this stops everything else from a panic.
fn is_sound(outline: &Outline) -> bool {
    let items = &outline.items;
    let fits = |(id, item): (usize, &Item)| {
        let inside = item
            .parent
            .is_none_or(|parent| (parent as usize) < id && item.end <= items[parent as usize].end);
        inside
            && id < item.end as usize
            && item.end as usize <= items.len()
            && item.lines.start <= item.lines.end
            && item.lines.end < u32::MAX
    };
    items.iter().enumerate().all(fits)
}

/// What must be the same for an old record to be an answer of today: the program, its grammars, its patterns.
pub fn fingerprint() -> [u8; 32] {
    const LOCK: u64 = fold(include_bytes!("../Cargo.lock"));
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update(&LOCK.to_le_bytes());
    for language in REGISTRY {
        hash.update(language.name.as_bytes());
        for (_, text) in language
            .grammar()
            .map_or(&[][..], |grammar| grammar.queries)
        {
            hash.update(text.as_bytes());
        }
    }
    // Between releases hooks change without a trace in any text: the program file itself stands for them.
    if let Some(program) = std::env::current_exe().ok().as_deref().and_then(stat) {
        hash.update(&program.size.to_le_bytes());
        hash.update(&program.mtime.to_le_bytes());
    }
    *hash.finalize().as_bytes()
}

/// FNV-1a, at compile time: the locked versions of the grammars, without their text in the program.
const fn fold(bytes: &[u8]) -> u64 {
    let (mut sum, mut at) = (0xcbf2_9ce4_8422_2325, 0);
    while at < bytes.len() {
        sum = (sum ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    sum
}

fn stat(path: &Path) -> Option<Stat> {
    let data = fs::metadata(path).ok().filter(|data| data.is_file())?;
    #[cfg(unix)]
    let (ctime, inode, device) = {
        use std::os::unix::fs::MetadataExt;
        let ctime = data
            .ctime()
            .wrapping_mul(1_000_000_000)
            .wrapping_add(data.ctime_nsec());
        (ctime, data.ino(), data.dev())
    };
    #[cfg(not(unix))]
    let (ctime, inode, device) = (data.created().map_or(0, nanoseconds), 0, 0);
    let mtime = data.modified().map_or(0, nanoseconds);
    Some(Stat {
        size: data.len(),
        mtime,
        ctime,
        inode,
        device,
    })
}

/// Since 1970, negative before.
fn nanoseconds(time: SystemTime) -> i64 {
    let number = |span: Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => number(since),
        Err(before) => -number(before.duration()),
    }
}

#[cfg(unix)]
fn path_to_bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
fn path_to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(unix)]
fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
