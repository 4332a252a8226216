//! Which version the bytes at hand are: that of the commit checked out, or none that is committed.
//!
//! `git status` would answer from the times of files, and for another moment than the one a file was read at. So the names
//! and ids of HEAD's files are listed once a run (2 ms for a file, 10 ms for 5,000; in the background, while the first file
//! is parsed), and compared with the id of the bytes that were read: what is said is true of these.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use super::{Format, Repository, blob_id, path_to_bytes, without_crlf};
use crate::evidence::{Pointer, Revision};
use crate::model::Lines;

/// With more paths than this, all of HEAD is listed.
const MOST_PATHS: usize = 100;

/// Says of files which version their bytes are. Shared by all threads.
pub struct Witness {
    /// What is known of folders, by their paths as found.
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    /// Of repositories, by their roots.
    places: Mutex<HashMap<PathBuf, Arc<Place>>>,
    here: PathBuf,
}

/// A folder with the files of a run.
struct Folder {
    place: Arc<Place>,
    /// Its path from the root, with `/` behind it; whole where it lies outside.
    prefix: Vec<u8>,
}

/// A repository, or the working directory where there is none.
#[derive(Default)]
struct Place {
    format: Format,
    head: Option<String>,
    listing: Mutex<Option<Child>>,
    files: OnceLock<HashMap<Vec<u8>, String>>,
}

/// The bytes of a file, named by what git would call them.
pub struct Identity {
    path: Vec<u8>,
    version: Revision,
}

impl Witness {
    /// Begins to list what HEAD has at `paths`, in the background.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Witness {
        let here = std::env::current_dir().and_then(std::fs::canonicalize);
        let witness = Witness {
            folders: Mutex::default(),
            places: Mutex::default(),
            here: here.unwrap_or_default(),
        };
        let real = |path: &Path| match path.is_dir() {
            true => std::fs::canonicalize(path),
            false => super::real(path),
        };
        let paths: Vec<PathBuf> = paths
            .into_iter()
            .filter_map(|path| real(path).ok())
            .collect();
        let Some(first) = paths.first() else {
            return witness;
        };
        let folder = if first.is_dir() {
            Some(first.as_path())
        } else {
            first.parent()
        };
        if let Some(repository) = folder.and_then(Repository::around) {
            let inside = paths
                .iter()
                .filter_map(|path| path.strip_prefix(&repository.root).ok());
            let inside: Vec<&Path> = inside.collect();
            let place = Place::new(&repository, &inside);
            let mut places = witness
                .places
                .lock()
                .expect("no thread panics with the lock held");
            places.insert(repository.root, Arc::new(place));
        }
        witness
    }

    /// What the bytes of a file are called; none where its folder does not exist. `bytes` is asked for the file as it lies on
    /// disk, and only once.
    pub fn identify<'b>(&self, path: &Path, bytes: impl FnOnce() -> &'b [u8]) -> Option<Identity> {
        let folder = self.folder(path)?;
        let (place, path) = (&folder.place, folder.name(path)?);
        let bytes = bytes();
        let raw = blob_id(place.format, bytes);
        let committed = place.committed(&path);
        let clean = committed.is_some_and(|id| {
            let converted = || without_crlf(bytes).map(|bytes| blob_id(place.format, &bytes));
            *id == raw || converted().as_ref() == Some(id)
        });
        let version = place.version(clean, raw);
        Some(Identity { path, version })
    }

    /// As [`Witness::identify`], where the SHA-1 of the blob is known. None where that does not settle it.
    pub fn identify_known(&self, path: &Path, sha1: &str) -> Option<Identity> {
        let folder = self.folder(path)?;
        let (place, path) = (&folder.place, folder.name(path)?);
        let clean = place.committed(&path).is_some_and(|id| id == sha1);
        let known = place.format == Format::Sha1;
        let version = place.version(clean, sha1.to_string());
        known.then_some(Identity { path, version })
    }

    fn folder(&self, path: &Path) -> Option<Arc<Folder>> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut folders = self
            .folders
            .lock()
            .expect("no thread panics with the lock held");
        if let Some(known) = folders.get(folder) {
            return Some(known.clone());
        }
        let real = std::fs::canonicalize(folder).ok()?;
        let repository = Repository::around(&real);
        let root = super::base(repository.as_ref(), &self.here);
        let mut places = self
            .places
            .lock()
            .expect("no thread panics with the lock held");
        let mut prefix = path_to_bytes(real.strip_prefix(&root).unwrap_or(&real));
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        let place = places.entry(root).or_insert_with(|| {
            Arc::new(match &repository {
                Some(repository) => Place::new(repository, &[]),
                None => Place::default(),
            })
        });
        let place = place.clone();
        let known = Arc::new(Folder { place, prefix });
        folders.insert(folder.to_path_buf(), known.clone());
        Some(known)
    }
}

impl Folder {
    /// A file's path from the root.
    fn name(&self, path: &Path) -> Option<Vec<u8>> {
        let name = path_to_bytes(Path::new(path.file_name()?));
        Some([self.prefix.as_slice(), &name].concat())
    }
}

impl Place {
    /// `paths` are those of the run inside of the repository; none, or the root itself, for all.
    fn new(repository: &Repository, paths: &[&Path]) -> Place {
        let head = repository.head();
        let whole =
            paths.len() > MOST_PATHS || paths.iter().any(|path| path.as_os_str().is_empty());
        let listing = head.as_ref().and_then(|head| {
            let mut command = repository.command();
            command.args(["ls-tree", "-r", "-z", "--full-tree", head]);
            if !whole {
                command.arg("--").args(paths);
            }
            command.stdout(Stdio::piped()).stderr(Stdio::null());
            command.spawn().ok()
        });
        Place {
            format: repository.format(),
            head,
            listing: Mutex::new(listing),
            files: OnceLock::new(),
        }
    }

    /// The id of the blob that HEAD has at a path.
    fn committed(&self, path: &[u8]) -> Option<&String> {
        let read = || {
            let child = self
                .listing
                .lock()
                .expect("no thread panics with the lock held")
                .take();
            child.map(listed).unwrap_or_default()
        };
        self.files.get_or_init(read).get(path)
    }

    fn version(&self, clean: bool, blob: String) -> Revision {
        match self.head.as_ref().filter(|_| clean) {
            Some(head) => Revision::Commit(head.clone()).shortened(),
            None => Revision::Blob(blob),
        }
    }
}

/// Reads `MODE blob ID\tPATH\0...`.
fn listed(mut child: Child) -> HashMap<Vec<u8>, String> {
    let mut text = vec![];
    if let Some(mut out) = child.stdout.take() {
        let _ = out.read_to_end(&mut text);
    }
    let whole = child.wait().is_ok_and(|status| status.success());
    let entries = text.split(|&byte| byte == 0).filter_map(|entry| {
        let tab = memchr::memchr(b'\t', entry)?;
        let head = std::str::from_utf8(&entry[..tab]).ok()?;
        let mut words = head.split(' ').skip(1);
        let (kind, id) = (words.next()?, words.next()?);
        (kind == "blob").then(|| (entry[tab + 1..].to_vec(), id.to_string()))
    });
    if whole {
        entries.collect()
    } else {
        HashMap::new()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let listing = self.listing.get_mut().ok().and_then(Option::take);
        if let Some(mut child) = listing {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Identity {
    /// Of a file that git has at `path`.
    pub fn new(path: Vec<u8>, version: Revision) -> Identity {
        Identity { path, version }
    }

    /// A pointer to some of its lines, whose text has this hash.
    pub fn pointer(&self, lines: Lines, hash: String) -> Pointer {
        Pointer {
            path: self.path.clone(),
            version: self.version.clone(),
            lines,
            hash: Some(hash),
        }
    }
}
