//! The tree as it was: of files that changed since, the facts they had; of all others, those that are stored. What changed
//! stands in it twice: as it was, where others find it, and as it is now, where nothing does, so that its calls can be linked
//! against what the rest was. Packages are those of today.

use std::collections::{HashMap, HashSet};

use super::facts::Facts;
use super::link::provides;
use super::packages::Packages;
use super::resolve::Rules;
use super::store::shelf::Stored;
use super::world::{Entry, FileId, Files, Key, Shelf};

/// A file that is not what it was. Paths are from the root of the index.
pub struct Changed {
    /// None where the file came.
    pub old: Option<Old>,
    /// None where it went.
    pub new: Option<String>,
}

/// A file as it was.
pub struct Old {
    pub path: String,
    pub rules: &'static Rules,
    pub facts: Facts,
}

/// Where the facts of the past come from.
pub struct Past<'c> {
    stored: &'c Stored<'c>,
    /// The stored file of each of ours, and ours of each that is stored and did not change.
    stored_as: Vec<Option<FileId>>,
    ours: HashMap<FileId, FileId>,
    /// Who provided what, of the files that changed.
    provided: HashMap<Key, Vec<FileId>>,
}

/// Where a file of today stands in the past.
pub struct Places {
    /// By the place among those of today.
    pub now: HashMap<FileId, FileId>,
    /// Of each file that changed, as it was.
    pub old: Vec<Option<FileId>>,
    /// Files of today that changed.
    pub changed: Vec<FileId>,
    /// All keys that files which changed could be found by.
    pub keys: Vec<Key>,
}

impl<'c> Past<'c> {
    /// `today` are the files of the store.
    pub fn new(
        stored: &'c Stored<'c>,
        today: &Files,
        changed: Vec<Changed>,
        packages: &Packages,
    ) -> (Past<'c>, Files, Places) {
        let count = changed.len();
        let came: HashSet<String> = changed.iter().filter_map(|one| one.new.clone()).collect();
        let copied = |id: FileId| {
            let entry = today.entry(id);
            Entry {
                path: entry.path.clone(),
                rules: entry.rules,
                home: entry.home.clone(),
                facts: None,
            }
        };
        // What the path leads to: a stored file, or one of those that changed.
        let mut entries: Vec<(Entry, Result<FileId, usize>)> = (0..today.len() as FileId)
            .filter(|&id| !came.contains(&today.entry(id).path))
            .map(|id| (copied(id), Ok(id)))
            .collect();
        for (at, old) in changed.into_iter().map(|one| one.old).enumerate() {
            let Some(old) = old else { continue };
            let home = (old.rules.home)(&old.path, &old.facts, packages);
            let entry = Entry {
                path: old.path,
                rules: old.rules,
                home,
                facts: Some(old.facts),
            };
            entries.push((entry, Err(at)));
        }
        entries.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        let mut past = Past {
            stored,
            stored_as: vec![],
            ours: HashMap::new(),
            provided: HashMap::new(),
        };
        let mut places = Places {
            now: HashMap::new(),
            old: vec![None; count],
            changed: vec![],
            keys: vec![],
        };
        for ((entry, from), id) in entries.iter().zip(0..) {
            past.stored_as.push(from.ok());
            match from {
                Ok(stored) => drop(past.ours.insert(*stored, id)),
                Err(at) => {
                    places.old[*at] = Some(id);
                    past.provide(entry, id, &mut places.keys);
                }
            }
        }
        places.now = past.ours.clone();
        let mut entries: Vec<Entry> = entries.into_iter().map(|(entry, _)| entry).collect();
        for id in (0..today.len() as FileId).filter(|&id| came.contains(&today.entry(id).path)) {
            places.now.insert(id, entries.len() as FileId);
            places.changed.push(id);
            past.stored_as.push(Some(id));
            entries.push(copied(id));
        }
        (past, Files::new(entries), places)
    }

    fn provide(&mut self, entry: &Entry, id: FileId, all: &mut Vec<Key>) {
        let facts = entry.facts.as_ref().expect("it was given");
        for key in provides(&entry.path, &entry.home, entry.rules, facts) {
            self.provided.entry(key).or_default().push(id);
            all.push(key);
        }
    }
}

impl Shelf for Past<'_> {
    fn facts(&self, file: FileId) -> Facts {
        let stored = self.stored_as.get(file as usize).copied().flatten();
        stored.map_or_else(Facts::default, |stored| self.stored.facts(stored))
    }

    fn find(&self, key: Key) -> Vec<FileId> {
        let stored = self.stored.find(key).into_iter();
        let mut files: Vec<FileId> = stored
            .filter_map(|id| self.ours.get(&id).copied())
            .collect();
        files.extend(self.provided.get(&key).into_iter().flatten());
        files.sort_unstable();
        files.dedup();
        files
    }
}
