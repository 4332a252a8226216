//! The folder of the cache: where it lies, what in it is ours, how it is made and removed.
//! Writes nowhere else, and removes nothing that we did not put there.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::seen::is_log;
use super::session::SESSION;
use super::summary::SUMMARY;
use crate::walk::CACHE_FOLDER;

pub(super) const PACK: &str = "outlines.pack";
pub const TEMPORARY: &str = "writing-";
/// The graph's database and what SQLite keeps beside it.
pub const GRAPH: &[&str] = &["graph.db", "graph.db-wal", "graph.db-shm"];
const IGNORE: (&str, &str) = (".gitignore", "*\n");
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# Made by ast-outline; `ast-outline cache clean` removes it.\n",
);
/// A temporary file this old has no writer any more.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Where a cache lies.
#[derive(Debug, Clone)]
pub struct Folder {
    pub path: PathBuf,
    /// Named by the user, who may share it with other things.
    named: bool,
}

impl Folder {
    /// The folder named, else the one in the repository that `path` lies in, else in that of the working directory, else
    /// in the working directory itself.
    pub fn locate(named: Option<&Path>, path: Option<&Path>) -> io::Result<Folder> {
        let here = std::env::current_dir()?;
        if let Some(named) = named.filter(|named| !named.as_os_str().is_empty()) {
            let path = here.join(named);
            return Ok(Folder { path, named: true });
        }
        let asked = path.and_then(|path| fs::canonicalize(path).ok());
        let root = asked.iter().chain([&here]).find_map(|start| {
            let root = start
                .ancestors()
                .find(|folder| folder.join(".git").exists());
            root.map(Path::to_path_buf)
        });
        Ok(Folder {
            path: root.unwrap_or(here).join(CACHE_FOLDER),
            named: false,
        })
    }

    /// The folder in a root.
    pub fn in_root(root: &Path) -> Folder {
        Folder {
            path: root.join(CACHE_FOLDER),
            named: false,
        }
    }

    /// Makes the folder, and makes git and backups pass it by; not where it is shared with other things.
    pub fn make(&self) -> io::Result<()> {
        if self.is_link() {
            return Err(io::Error::other("a link where the cache should be"));
        }
        fs::create_dir_all(&self.path)?;
        if !self.named || fs::read_dir(&self.path)?.next().is_none() {
            for (name, text) in [IGNORE, TAG] {
                if let Ok(mut file) = File::create_new(self.path.join(name)) {
                    file.write_all(text.as_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// A repository must not make us write elsewhere.
    pub fn is_link(&self) -> bool {
        !self.named && fs::symlink_metadata(&self.path).is_ok_and(|data| data.is_symlink())
    }

    /// A new file, readable by its owner only: outlines say something about sources that others may not be able to read.
    pub fn create(&self, name: &str) -> io::Result<(PathBuf, File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let path = self.path.join(name);
        Ok((path.clone(), options.open(path)?))
    }

    /// Opens a file to append to, as [`Folder::create`] makes it.
    pub(super) fn append(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)
    }

    /// Whether a question about one file may leave a trace: it was named, is there, or lies in a repository.
    pub fn is_welcome(&self) -> bool {
        let repository = self.path.parent().map(|root| root.join(".git"));
        self.named || self.path.is_dir() || repository.is_some_and(|git| git.exists())
    }

    /// Our files in it: name and size.
    pub fn files(&self) -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut files: Vec<(PathBuf, u64)> = entries
            .filter(|entry| is_ours(&entry.file_name()))
            .map(|entry| (entry.path(), entry.metadata().map_or(0, |data| data.len())))
            .collect();
        files.sort();
        files
    }

    /// Removes our files, and the folder where nothing else lies in it.
    ///
    /// # Errors
    /// The first file that cannot be removed.
    pub fn clean(&self) -> io::Result<Vec<(PathBuf, u64)>> {
        let files = self.files();
        let remove = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        files.iter().try_for_each(|(path, _)| remove(path))?;
        if fs::read(self.path.join(TAG.0)).is_ok_and(|found| found == TAG.1.as_bytes()) {
            remove(&self.path.join(TAG.0))?;
            remove(&self.path.join(IGNORE.0))?;
        }
        // Fails where the folder holds other things, is not there, or is needed by its owner: all the same here.
        let _ = fs::remove_dir(&self.path);
        Ok(files)
    }

    /// Removes what killed writers left behind.
    pub fn sweep(&self) {
        for (path, _) in self.files() {
            let name = path.file_name().unwrap_or_default();
            let temporary = name
                .to_str()
                .is_some_and(|name| name.starts_with(TEMPORARY));
            let old = || {
                fs::metadata(&path)?
                    .modified()?
                    .elapsed()
                    .map_err(io::Error::other)
            };
            if temporary && old().is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn is_ours(name: &OsStr) -> bool {
    name == PACK
        || GRAPH.iter().any(|graph| name == *graph)
        || is_log(Path::new(name))
        || name.to_str().is_some_and(|name| {
            name.starts_with(TEMPORARY) || name.starts_with(SUMMARY) || name.starts_with(SESSION)
        })
}
