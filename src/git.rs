//! What git knows: the repository around a folder, its commits, the bytes of old versions. Git is asked as a process (2 ms,
//! and it honours alternates, worktrees, SHA-256 and partial clones, which no library of a tolerable size does); where it
//! is not installed, or a folder is no repository, every answer is "not known" and nothing else changes.
//!
//! Nothing here writes, runs hooks or filters, or reaches for the network.

mod changed;
mod objects;
mod state;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, io};

use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::evidence::hex;

pub use changed::{Changed, Entry, Range, Sort};
pub use objects::{Miss, Objects};
pub use state::{Identity, Witness};

/// A repository with a working tree.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The real path of the folder that holds `.git`.
    pub root: PathBuf,
    /// Where its HEAD lies.
    git: PathBuf,
    /// Where branches and objects lie: of the main one, for a linked working tree.
    common: PathBuf,
}

/// How a repository names its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Sha1,
    Sha256,
}

/// Commits of a path's history that are looked through for a version.
const MOST_COMMITS: &str = "--max-count=2000";
/// A history of a million commits is not walked to its end.
const LONGEST_WALK: Duration = Duration::from_secs(5);

impl Repository {
    /// The repository that a folder lies in; the folder's path must be absolute.
    pub fn around(folder: &Path) -> Option<Repository> {
        let root = folder
            .ancestors()
            .find(|folder| folder.join(".git").exists())?;
        let dot_git = root.join(".git");
        let git = match fs::read_to_string(&dot_git) {
            Ok(text) => root.join(text.strip_prefix("gitdir:")?.trim()),
            Err(_) => dot_git,
        };
        let common = match fs::read_to_string(git.join("commondir")) {
            Ok(text) => git.join(text.trim()),
            Err(_) => git.clone(),
        };
        Some(Repository {
            root: root.to_path_buf(),
            git,
            common,
        })
    }

    /// The commit that is checked out, in full; none before the first one. Read from the files of git, which takes a
    /// fortieth of asking it.
    pub fn head(&self) -> Option<String> {
        let head = fs::read_to_string(self.git.join("HEAD")).ok()?;
        let Some(name) = head.trim().strip_prefix("ref:") else {
            return full_id(head.trim());
        };
        let name = name.trim();
        let loose = [&self.git, &self.common]
            .into_iter()
            .find_map(|folder| fs::read_to_string(folder.join(name)).ok());
        if let Some(text) = loose {
            return full_id(text.trim());
        }
        if self.common.join("reftable").is_dir() {
            return self.ask(&["rev-parse", "--verify", "-q", "HEAD"]);
        }
        let packed = fs::read_to_string(self.common.join("packed-refs")).ok()?;
        let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
        let (id, _) = lines.find(|(_, packed)| *packed == name)?;
        full_id(id)
    }

    /// Whether git would take it for one: an empty `.git` is none.
    fn is_real(&self) -> bool {
        self.git.join("HEAD").exists()
    }

    pub fn format(&self) -> Format {
        let config = fs::read_to_string(self.common.join("config")).unwrap_or_default();
        let sha256 = config.lines().any(|line| {
            let line = line.to_ascii_lowercase();
            let value = line
                .split_once('=')
                .map(|(key, value)| (key.trim(), value.trim()));
            value == Some(("objectformat", "sha256"))
        });
        if sha256 { Format::Sha256 } else { Format::Sha1 }
    }

    /// Ids of the blobs that stood at a path, from the newest commits of all branches; empty where git does not answer.
    pub fn blobs_at(&self, path: &[u8]) -> Vec<String> {
        if !self.is_real() {
            return vec![];
        }
        let mut command = self.command();
        command.args(["rev-list", "--objects", MOST_COMMITS, "--all", "--"]);
        command.arg(bytes_to_path(path));
        let text = within(command, LONGEST_WALK).unwrap_or_default();
        let lines = text.split(|&byte| byte == b'\n');
        let blobs = lines.filter_map(|line| {
            let at = memchr::memchr(b' ', line)?;
            let id = std::str::from_utf8(&line[..at]).ok()?;
            (line[at + 1..] == *path).then(|| id.to_string())
        });
        blobs.collect()
    }

    /// The first line that git answers.
    fn ask(&self, arguments: &[&str]) -> Option<String> {
        let output = self
            .command()
            .args(arguments)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        full_id(text.lines().next()?)
    }

    /// Git in this repository, and in no other: what a hook or a shell has set for another one is dropped.
    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.args(["--no-replace-objects", "--literal-pathspecs", "-C"]);
        command.arg(&self.root);
        for name in [
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
        ] {
            command.env_remove(name);
        }
        if let Some(parent) = self.root.parent() {
            command.env("GIT_CEILING_DIRECTORIES", parent);
        }
        // A partial clone would fetch what it lacks; who wants that sets it to 0.
        if env::var_os("GIT_NO_LAZY_FETCH").is_none() {
            command.env("GIT_NO_LAZY_FETCH", "1");
        }
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command.stdin(Stdio::null());
        command
    }
}

/// Where paths of pointers start from: the repository around a folder, or the folder itself.
pub fn base(repository: Option<&Repository>, folder: &Path) -> PathBuf {
    repository.map_or(folder.to_path_buf(), |repository| repository.root.clone())
}

/// The absolute path of a file; a link in its place stays, those in its folders are followed.
///
/// # Errors
/// Where its folder does not exist.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => {
            let empty = parent.as_os_str().is_empty();
            let parent = if empty { Path::new(".") } else { parent };
            Ok(fs::canonicalize(parent)?.join(name))
        }
        _ => fs::canonicalize(path),
    }
}

/// Git's id of a blob of these bytes. (Collisions that are made on purpose are not looked for: a pointer has a blake3 hash
/// besides.)
pub fn blob_id(format: Format, bytes: &[u8]) -> String {
    let head = format!("blob {}\0", bytes.len());
    match format {
        Format::Sha1 => hex(&Sha1::new()
            .chain_update(head)
            .chain_update(bytes)
            .finalize()),
        Format::Sha256 => hex(&Sha256::new()
            .chain_update(head)
            .chain_update(bytes)
            .finalize()),
    }
}

/// The bytes with every CRLF as LF, as a repository holds them that converts line ends; none where there is no CRLF.
pub fn without_crlf(bytes: &[u8]) -> Option<Vec<u8>> {
    memchr::memmem::find(bytes, b"\r\n")?;
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, b"\r\n") {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// What a command prints, if it ends in time.
fn within(mut command: Command, time: Duration) -> Option<Vec<u8>> {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut out = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = vec![];
        let read = out.read_to_end(&mut text);
        send.send(read.map(|_| text))
    });
    let text = receive.recv_timeout(time);
    let _ = child.kill();
    let _ = child.wait();
    text.ok()?.ok()
}

fn full_id(text: &str) -> Option<String> {
    let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    whole.then(|| text.to_string())
}

#[cfg(unix)]
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(unix)]
pub fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
