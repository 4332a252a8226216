//! All files of a tree as the evaluator sees them: their facts, and which of them provide a key. Where facts come from, fresh
//! from parsing or out of the store, is a [`Shelf`]'s part. Knows no language.

use std::sync::OnceLock;

use super::facts::{Facts, Sym};
use super::packages::Packages;
use super::resolve::Rules;

/// Index into the files of a world, which are in the order of their paths.
pub type FileId = u32;

/// Something that a file provides and others look up: a path, a module's name, a member of a package. The same everywhere, so
/// that what was looked up in vain yesterday is found when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

impl Key {
    /// `sort` keeps keys of different meaning apart.
    pub fn new(sort: &str, parts: &[&str]) -> Key {
        // FNV-1a; 47 bits are six bytes in SQLite. A collision costs a look at a file that does not have it.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for part in std::iter::once(&sort).chain(parts) {
            part.bytes().for_each(&mut eat);
            eat(0xff);
        }
        Key(hash >> 17)
    }

    /// The file itself: whoever looks at it depends on its surface.
    pub fn file(path: &str) -> Key {
        Key::new("file", &[path])
    }

    /// Members that are written outside of a type of this name.
    pub fn extension(family: &str, name: &str) -> Key {
        Key::new("extension", &[family, name])
    }
}

/// Where facts that are not at hand come from, and which files provide a key.
pub trait Shelf {
    fn facts(&self, file: FileId) -> Facts;
    /// Files that provide a key, in order.
    fn find(&self, key: Key) -> Vec<FileId>;
}

/// What is known of a file without its facts.
pub struct Entry {
    /// From the root of the index, with `/`.
    pub path: String,
    pub rules: &'static Rules,
    /// What the file's definitions are members of, as the language's rules name it: a module, a package, a crate's module.
    pub home: String,
    /// If they are at hand; else the shelf is asked once they are needed.
    pub facts: Option<Facts>,
}

/// The files of a world, in the order of their paths.
pub struct Files {
    entries: Vec<Entry>,
    facts: Vec<OnceLock<(Facts, Names)>>,
}

/// Names in their order: found by halves.
type Names = Box<[Sym]>;

impl Files {
    pub fn new(mut entries: Vec<Entry>) -> Files {
        let facts = entries.iter_mut().map(|entry| match entry.facts.take() {
            Some(facts) => OnceLock::from(with_names(facts)),
            None => OnceLock::new(),
        });
        let facts = facts.collect();
        Files { entries, facts }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn entry(&self, file: FileId) -> &Entry {
        &self.entries[file as usize]
    }
}

/// What one thread links with.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub packages: &'a Packages,
    pub files: &'a Files,
    pub shelf: &'a dyn Shelf,
}

impl<'a> World<'a> {
    pub fn entry(&self, file: FileId) -> &'a Entry {
        self.files.entry(file)
    }

    fn loaded(&self, file: FileId) -> &'a (Facts, Names) {
        self.files.facts[file as usize].get_or_init(|| with_names(self.shelf.facts(file)))
    }

    pub fn facts(&self, file: FileId) -> &'a Facts {
        &self.loaded(file).0
    }

    /// A name as a file has it, if it is there at all.
    pub fn sym(&self, file: FileId, name: &str) -> Option<Sym> {
        let (facts, names) = self.loaded(file);
        let found = names.binary_search_by(|&sym| facts.name(sym).cmp(name));
        found.ok().map(|place| names[place])
    }

    pub fn find(&self, key: Key) -> Vec<FileId> {
        self.shelf.find(key)
    }
}

fn with_names(facts: Facts) -> (Facts, Names) {
    let mut names: Names = (0..facts.names.len() as Sym).collect();
    names.sort_unstable_by(|&one, &other| facts.name(one).cmp(facts.name(other)));
    (facts, names)
}
