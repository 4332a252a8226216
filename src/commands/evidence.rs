//! Pointers beside answers, and the memory of versions that were shown: what `outline`, `region` and `symbol` do alike.

use std::path::Path;

use super::{Outlined, is_stdin};
use crate::cache::{Folder, remember};
use crate::cli::Reading;
use crate::evidence::short_hash;
use crate::git::{Identity, Witness};
use crate::model::Lines;
use crate::source::Source;

/// Makes pointers, where they are wanted.
pub struct Evidence(pub Option<Witness>);

impl Evidence {
    /// Git begins to list what it has at `paths`, if pointers are wanted.
    pub fn new<'p>(wanted: bool, paths: impl IntoIterator<Item = &'p Path>) -> Evidence {
        Evidence(wanted.then(|| Witness::new(paths)))
    }

    /// What a file is called as it was read, to make several pointers with; none for stdin without a path.
    pub fn of(&self, path: &Path, source: &Source) -> Option<Identity> {
        let witness = self.0.as_ref().filter(|_| !is_stdin(path))?;
        witness.identify(path, || source.original())
    }

    /// A pointer to lines of a file as it was read; none for stdin without a path.
    pub fn pointer(&self, path: &Path, source: &Source, lines: Lines) -> Option<String> {
        let identity = self.of(path, source)?;
        let pointer = identity.pointer(lines, short_hash(source, lines));
        Some(pointer.to_string())
    }

    /// What a file is called, and a pointer to all of it.
    pub fn identify(&self, file: &Outlined) -> Option<(Identity, String)> {
        let witness = self.0.as_ref().filter(|_| !is_stdin(&file.path))?;
        let (identity, hash) = match (&file.source, &file.stamp) {
            (Some(source), _) => {
                let identity = witness.identify(&file.path, || source.original())?;
                (identity, short_hash(source, whole(source.lines())))
            }
            (None, Some(stamp)) => {
                let known = witness.identify_known(&file.path, &stamp.blob);
                (known.or_else(|| self.read(&file.path))?, stamp.hash.clone())
            }
            (None, None) => return None,
        };
        let pointer = identity.pointer(whole(file.outline.lines), hash);
        Some((identity, pointer.to_string()))
    }

    /// Of a file in a repository of SHA-256, which the cache knows nothing of.
    fn read(&self, path: &Path) -> Option<Identity> {
        let source = Source::read(path).ok()?;
        self.0.as_ref()?.identify(path, || source.original())
    }
}

/// All lines of a file; an empty one has one that is empty.
fn whole(lines: u32) -> Lines {
    Lines {
        start: 1,
        end: lines.max(1),
    }
}

/// Remembers the lines of a file that was shown on its own.
pub fn remember_shown(path: &Path, source: &Source, reading: &Reading) {
    if reading.no_cache || reading.stdin_path.is_some() || is_stdin(path) {
        return;
    }
    if let Ok(folder) = Folder::locate(reading.cache_dir.as_deref(), Some(path)) {
        remember(&folder, source);
    }
}
