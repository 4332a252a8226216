//! What one run adds: records as they come, then the merge with what lies there, then one rename.
//! Whatever goes wrong, the old cache stays and nobody is told.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use super::folder::{PACK, TEMPORARY};
use super::pack::{Entry, Pack, Place, Stat, Writer};
use super::{Cache, Fresh, GRAIN, Key, is_racy, nanoseconds, seen};
use crate::source::Version;

/// Bytes of lines of former versions that a pack carries.
const MOST_FORMER: u64 = 4 << 20;
/// Versions that are remembered one by one.
const MOST_UNSEEN: usize = 64;

/// What one run adds to the cache. Records go to a temporary file as they come; dropping it without `finish` removes that.
pub struct Update<'c> {
    cache: &'c Cache,
    writer: Writer,
    temporary: Option<PathBuf>,
    entries: BTreeMap<Vec<u8>, (Stat, Key)>,
    /// Where records lie in the new pack.
    placed: HashMap<Key, Place>,
    /// What the next run need not do again, in microseconds.
    saved: u64,
    failed: bool,
    /// Versions that no pack knows yet, for the log where none is written.
    unseen: Vec<seen::Version>,
    /// Start of this run; 0 where times prove nothing.
    stamp: i64,
}

impl<'c> Update<'c> {
    pub fn new(cache: &'c Cache) -> Update<'c> {
        let clock_is_foreign = cache.pack.as_ref().is_some_and(|pack| pack.stamp == 0);
        Update {
            cache,
            writer: Writer::default(),
            temporary: None,
            entries: BTreeMap::new(),
            placed: HashMap::new(),
            saved: 0,
            failed: false,
            unseen: vec![],
            stamp: if clock_is_foreign { 0 } else { cache.started },
        }
    }

    pub fn take(&mut self, fresh: Fresh) {
        if self.failed {
            return;
        }
        let Fresh {
            name,
            stat,
            key,
            record,
        } = fresh;
        // Reading and hashing a file takes 20 us, parsing 1 us for 10 bytes.
        if !is_racy(&stat, self.stamp) {
            self.saved += 20;
        }
        if let Some((record, lines)) = record {
            self.saved += stat.size / 10;
            if !self.placed.contains_key(&key) {
                match self.append(&record, &lines) {
                    Ok(place) => self.placed.insert(key, place),
                    Err(_) => return self.failed = true,
                };
                // More than these, and a pack pays.
                if self.unseen.len() < MOST_UNSEEN {
                    self.unseen.push((key.0, lines));
                }
            }
        }
        self.entries.insert(name, (stat, key));
    }

    /// Writes the cache anew, if that pays. Whatever goes wrong, the old one stays.
    pub fn finish(mut self) {
        if self.failed {
            return;
        }
        match self.pays() {
            true => drop(self.replace()),
            false => seen::remember(&self.cache.folder, &self.unseen),
        }
    }

    /// Writing must cost less than half of what it saves (12 ms for 2,650 files in 13.6 MB); the first cache always pays.
    fn pays(&self) -> bool {
        let Some(pack) = &self.cache.pack else {
            return !self.entries.is_empty();
        };
        let copied = pack.record_bytes() + self.writer.len();
        let cost = 500 + copied / 500 + 2 * pack.len() as u64;
        self.saved >= cost
    }

    fn append(&mut self, record: &[u8], lines: &[u8]) -> io::Result<Place> {
        if self.writer.is_full() {
            self.open()?;
        }
        self.writer.put(record, lines)
    }

    /// Opens the temporary file.
    fn open(&mut self) -> io::Result<()> {
        let folder = &self.cache.folder;
        folder.make()?;
        folder.sweep();
        let now = SystemTime::now();
        let name = format!("{TEMPORARY}{}-{}", std::process::id(), nanoseconds(now));
        let (path, file) = folder.create(&name)?;
        self.temporary = Some(path);
        // Where the file system's clock is not ours (a network's), times prove nothing: every file is hashed again.
        let theirs = file.metadata()?.modified()?;
        let apart = (nanoseconds(theirs) - nanoseconds(now)).abs();
        if apart > GRAIN / 2 {
            self.stamp = 0;
        }
        self.writer.set_file(file);
        Ok(())
    }

    fn replace(&mut self) -> io::Result<()> {
        if !self.writer.has_file() {
            self.open()?;
        }
        let entries = self.merge()?;
        let writer = std::mem::take(&mut self.writer);
        writer.finish(&entries, self.stamp, &self.cache.fingerprint)?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, self.cache.folder.path.join(PACK))?;
        }
        self.temporary = None;
        Ok(())
    }

    /// All entries of the new pack: what this run found out, and what the old one knows of files that still exist.
    fn merge(&mut self) -> io::Result<Vec<(Vec<u8>, Entry)>> {
        let mut all = BTreeMap::new();
        let cache = self.cache;
        for (name, (stat, key)) in std::mem::take(&mut self.entries) {
            let known = cache.pack.as_ref().zip(cache.versions().get(&key));
            if let Some(place) = self.place(key, known)? {
                let (version, language) = key;
                let entry = Entry {
                    stat,
                    version,
                    language,
                    must_hash: false,
                    former: false,
                    place,
                };
                all.insert(name, entry);
            }
        }
        // Another process may have replaced the cache meanwhile; what it learnt is kept.
        let Some(latest) = Pack::open(&cache.folder.path.join(PACK), &cache.fingerprint) else {
            return Ok(all.into_iter().collect());
        };
        let mut former: Vec<(Vec<u8>, Entry)> = vec![];
        for (name, old) in latest.entries() {
            let replaced = |new: &Entry| new.version != old.version && old.place.has_lines();
            if old.former || all.get(name).is_some_and(replaced) {
                former.push((
                    former_name(name, &old),
                    Entry {
                        former: true,
                        ..old
                    },
                ));
            }
            if old.former || all.contains_key(name) || !cache.exists(name) {
                continue;
            }
            let key = (old.version, old.language);
            if let Some(place) = self.place(key, Some((&latest, &old.place)))? {
                let must_hash = old.must_hash || is_racy(&old.stat, latest.stamp);
                all.insert(
                    name.to_vec(),
                    Entry {
                        must_hash,
                        place,
                        ..old
                    },
                );
            }
        }
        self.keep_former(&latest, former, &mut all)?;
        Ok(all.into_iter().collect())
    }

    /// Carries the lines of former versions over, those of the youngest files first, until there are too many.
    fn keep_former(
        &mut self,
        latest: &Pack,
        mut former: Vec<(Vec<u8>, Entry)>,
        all: &mut BTreeMap<Vec<u8>, Entry>,
    ) -> io::Result<()> {
        former.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.stat.mtime));
        let mut size = 0;
        for (name, entry) in former {
            if size > MOST_FORMER || !self.cache.exists(&name) {
                continue;
            }
            if let Some(place) = self.writer.copy_lines(latest, &entry.place)? {
                size += place.len();
                all.insert(name, Entry { place, ..entry });
            }
        }
        Ok(())
    }

    /// Where a record lies in the new pack; copied there if it is not yet.
    fn place(&mut self, key: Key, known: Option<(&Pack, &Place)>) -> io::Result<Option<Place>> {
        if let Some(place) = self.placed.get(&key) {
            return Ok(Some(*place));
        }
        let Some((pack, place)) = known else {
            return Ok(None);
        };
        let place = self.writer.copy(pack, place)?;
        if let Some(place) = place {
            self.placed.insert(key, place);
        }
        Ok(place)
    }
}

/// Behind the path, so that both lie together and no path is like it.
fn former_name(name: &[u8], entry: &Entry) -> Vec<u8> {
    let path = name.split(|&byte| byte == 0).next().unwrap_or(name);
    let version = Version::from_hash(entry.version).to_string();
    [path, b"\0", version.as_bytes()].concat()
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}
