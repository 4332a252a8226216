//! Which files differ between two versions, as git lists them: its renames, its ignore rules, its index.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use super::{Objects, Repository, bytes_to_path};

/// The two versions that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// A commit, or nothing where there is none yet, and the files as they lie there.
    WorkingTree(Option<String>),
    /// A commit, or nothing, and what the next commit is going to be.
    Index(Option<String>),
    Commits(String, String),
}

/// What one version has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From the repository's root.
    pub path: Vec<u8>,
    /// The blob; none where the file lies in the working tree.
    pub id: Option<String>,
    pub sort: Sort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    File,
    Link,
    Submodule,
}

/// A path that differs; one side is missing where the file came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// From the repository's root, in the later version if it is there.
    pub path: Vec<u8>,
    pub before: Option<Entry>,
    pub after: Option<Entry>,
    /// Both sides of a merge stand in the index.
    pub unmerged: bool,
}

/// Sorts of the tree without anything in it, which git knows without having it.
const EMPTY_SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

impl Repository {
    /// What differs between two versions, sorted by path. `renames` is git's threshold, such as `50%`; `paths` start from
    /// the root and limit the answer, none for all.
    ///
    /// # Errors
    /// What git says.
    pub fn changed(
        &self,
        range: &Range,
        renames: &str,
        paths: &[PathBuf],
    ) -> Result<Vec<Changed>, String> {
        let mut command = self.command();
        command.args([
            "diff",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-relative",
            "--no-ext-diff",
        ]);
        command.args([
            "--ignore-submodules=dirty",
            &format!("--find-renames={renames}"),
        ]);
        let commit = |commit: &Option<String>| commit.clone().unwrap_or_else(|| self.empty_tree());
        match range {
            Range::WorkingTree(old) => command.arg(commit(old)),
            Range::Index(old) => command.args(["--cached", &commit(old)]),
            Range::Commits(old, new) => command.args([old, new]),
        };
        command.arg("--").args(paths);
        let untracked =
            matches!(range, Range::WorkingTree(_)).then(|| self.untracked_command(paths));
        let (listed, untracked) = thread::scope(|scope| {
            let untracked = untracked.map(|command| scope.spawn(|| output(command)));
            let listed = output(command);
            (listed, untracked.map(|thread| thread.join()))
        });
        let mut changed = raw(&listed?);
        if let Some(Ok(paths)) = untracked {
            let paths = paths?;
            let paths = paths
                .split(|&byte| byte == 0)
                .filter(|path| !path.is_empty());
            changed.extend(paths.map(|path| Changed {
                path: path.to_vec(),
                before: None,
                after: Some(Entry {
                    path: path.to_vec(),
                    id: None,
                    sort: sort_on_disk(&self.root.join(bytes_to_path(path))),
                }),
                unmerged: false,
            }));
        }
        Ok(changed)
    }

    /// Files that are neither tracked nor ignored.
    fn untracked_command(&self, paths: &[PathBuf]) -> Command {
        let mut command = self.command();
        command.args(["ls-files", "--others", "--exclude-standard", "-z", "--"]);
        command.args(paths);
        command
    }

    fn empty_tree(&self) -> String {
        let id = match self.format() {
            super::Format::Sha1 => EMPTY_SHA1,
            super::Format::Sha256 => EMPTY_SHA256,
        };
        id.to_string()
    }

    /// The commit both histories have last.
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        self.ask(&["merge-base", one, other])
    }

    /// Whether the history was cut off when it was cloned.
    pub fn is_shallow(&self) -> bool {
        self.common.join("shallow").exists()
    }

    /// Whether a commit has a folder at a path.
    pub fn has_folder(&self, commit: &str, path: &[u8]) -> bool {
        Objects::new(Some(self.clone())).folder(commit, path)
    }

    /// A blob by `COMMIT:PATH`, or whatever else git takes for one.
    pub fn blob_named(&self, name: &str) -> Option<String> {
        let id = self.ask(&["rev-parse", "--verify", "-q", name])?;
        Objects::new(Some(self.clone())).blob(&id).ok().map(|_| id)
    }

    /// Whether the folder can be asked at all.
    pub fn answers(&self) -> bool {
        self.is_real()
    }
}

/// What a command prints.
fn output(mut command: Command) -> Result<Vec<u8>, String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or("git failed");
    Err(line.trim_start_matches("fatal: ").to_string())
}

/// Reads `:MODE MODE ID ID STATUS\0PATH\0[PATH\0]`.
fn raw(text: &[u8]) -> Vec<Changed> {
    let mut fields = text.split(|&byte| byte == 0);
    let mut changed: Vec<Changed> = vec![];
    while let Some(head) = fields.next().filter(|head| head.starts_with(b":")) {
        let head = String::from_utf8_lossy(&head[1..]).into_owned();
        let words: Vec<&str> = head.split(' ').collect();
        let &[old_mode, new_mode, old, new, status] = words.as_slice() else {
            break;
        };
        let path = fields.next().unwrap_or_default();
        let renamed = status.starts_with(['R', 'C']);
        let target = if renamed {
            fields.next().unwrap_or_default()
        } else {
            path
        };
        let entry = |path: &[u8], mode: &str, id: &str| {
            let known = !id.bytes().all(|byte| byte == b'0');
            (mode != "000000").then(|| Entry {
                path: path.to_vec(),
                id: known.then(|| id.to_string()),
                sort: sort(mode),
            })
        };
        changed.push(Changed {
            path: target.to_vec(),
            before: entry(path, old_mode, old),
            after: entry(target, new_mode, new),
            unmerged: status == "U",
        });
    }
    changed
}

fn sort(mode: &str) -> Sort {
    match mode {
        "120000" => Sort::Link,
        "160000" => Sort::Submodule,
        _ => Sort::File,
    }
}

fn sort_on_disk(path: &Path) -> Sort {
    match path.symlink_metadata() {
        Ok(data) if data.is_symlink() => Sort::Link,
        Ok(data) if data.is_dir() => Sort::Submodule,
        _ => Sort::File,
    }
}
