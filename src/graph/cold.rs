//! Which files provide a key, in memory: for a tree that is linked from nothing.

use std::collections::HashMap;

use super::facts::Facts;
use super::world::{FileId, Key, Shelf};

#[derive(Debug, Default)]
pub struct Keys(HashMap<Key, Vec<FileId>>);

impl Keys {
    /// Files come in their order.
    pub fn add(&mut self, file: FileId, keys: &[Key]) {
        for key in keys {
            self.0.entry(*key).or_default().push(file);
        }
    }
}

impl Shelf for Keys {
    /// All facts are at hand: nobody asks for them here.
    fn facts(&self, _: FileId) -> Facts {
        Facts::default()
    }

    fn find(&self, key: Key) -> Vec<FileId> {
        self.0.get(&key).cloned().unwrap_or_default()
    }
}
