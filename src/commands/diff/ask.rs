//! From the words of a command line to the files that are compared. What exists as a path is a path where two are given;
//! else git says what is a revision; `--` decides.

use crate::render::{argument, command};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use super::files::{self, Job, Text, Where};
use crate::cli;
use crate::commands::is_stdin;
use crate::exit::Failure;
use crate::git::{Objects, Range, Repository, Witness, bytes_to_path, path_to_bytes, real};
use crate::render::diff::{Label, Moment};

/// What is compared.
pub struct Asked {
    pub from: Label,
    pub to: Label,
    /// Two files that were named.
    pub single: bool,
    jobs: Vec<Job>,
    /// Where blobs come from.
    repository: Option<Repository>,
    witness: Option<Arc<Witness>>,
    folders: Folders,
}

/// Where folders of the two versions are looked up.
enum Folders {
    Paths(PathBuf, PathBuf),
    Git(Repository, [Option<String>; 2]),
}

/// Digits of a commit that are shown.
const SHOWN: usize = 12;

pub fn ask(arguments: &cli::Diff) -> Result<Asked> {
    let words = &arguments.versions;
    let named = !arguments.paths.is_empty();
    if let [one, other] = words.as_slice()
        && !named
        && !arguments.staged
    {
        let (old, new) = (Path::new(one), Path::new(other));
        if exists(old) && exists(new) {
            return paths(old, new, arguments);
        }
        if let Some(asked) = blobs(one, other)? {
            return Ok(asked);
        }
    }
    if let ([one], false, false) = (words.as_slice(), named, arguments.staged)
        && let Some((_, path)) = one.split_once(':')
        && !Path::new(one).exists()
        && Path::new(path).is_file()
        && let Some(asked) = blobs(one, path)?
    {
        return Ok(asked);
    }
    in_git(arguments)
}

fn exists(path: &Path) -> bool {
    is_stdin(path) || path.exists()
}

/// Two paths.
fn paths(old: &Path, new: &Path, arguments: &cli::Diff) -> Result<Asked> {
    let label = |path: &Path| Label {
        name: path.display().to_string(),
        id: None,
    };
    let (from, to) = (label(old), label(new));
    if [old, new].into_iter().all(is_stdin) {
        let failure = Failure::new("usage", "stdin can be one side, not both");
        return Err(failure.hint("name a file, a folder or REV:PATH").into());
    }
    let (jobs, single) = match (old.is_dir(), new.is_dir()) {
        (true, true) => (files::folders(old, new, arguments.find_renames)?, false),
        (false, false) => (vec![files::two(Where::disk(old), Where::disk(new))], true),
        (is_folder, _) => {
            let folder = if is_folder { old } else { new };
            let failure = Failure::new("usage", "a file cannot be compared with a folder");
            return Err(failure
                .path(folder)
                .hint("name two files or two folders")
                .into());
        }
    };
    Ok(Asked {
        from,
        to,
        single,
        jobs,
        repository: None,
        witness: Some(Arc::new(Witness::new([old, new]))),
        folders: Folders::Paths(old.to_path_buf(), new.to_path_buf()),
    })
}

/// Two files of which at least one is `REV:PATH`; none where one is neither that nor a path.
fn blobs(one: &str, other: &str) -> Result<Option<Asked>> {
    let Some(repository) = here() else {
        return Ok(None);
    };
    let side = |word: &str| {
        let path = Path::new(word);
        if path.is_file() || is_stdin(path) {
            return Some(Where::disk(path));
        }
        let (_, name) = word.split_once(':')?;
        let id = repository.blob_named(word)?;
        Some(Where {
            shown: PathBuf::from(name),
            local: PathBuf::from(name),
            path: name.as_bytes().to_vec(),
            text: Text::Blob(id),
            commit: None,
        })
    };
    let (Some(old), Some(new)) = (side(one), side(other)) else {
        return Ok(None);
    };
    let label = |word: &str| Label {
        name: word.to_string(),
        id: None,
    };
    Ok(Some(Asked {
        from: label(one),
        to: label(other),
        single: true,
        jobs: vec![files::two(old, new)],
        witness: Some(Arc::new(Witness::new([Path::new(other)]))),
        folders: Folders::Paths(PathBuf::new(), PathBuf::new()),
        repository: Some(repository),
    }))
}

fn here() -> Option<Repository> {
    let folder = std::fs::canonicalize(".").ok()?;
    Repository::around(&folder).filter(Repository::answers)
}

/// Versions that git knows.
fn in_git(arguments: &cli::Diff) -> Result<Asked> {
    let Some(repository) = here() else {
        let failure = Failure::new("not-a-repository", "this folder lies in no git repository");
        return Err(failure
            .hint("FILE1 FILE2 and DIR1 DIR2 are compared without git")
            .into());
    };
    let mut asking = Asking {
        objects: Objects::new(Some(repository.clone())),
        repository,
    };
    let (range, from, to, paths) = asking.range(arguments)?;
    let limits = asking.inside(&paths)?;
    asking.between(range, (from, to), &limits, arguments.find_renames)
}

/// A revision and the working tree.
pub fn since_revision(name: &str, find_renames: u8) -> Result<Asked> {
    let Some(repository) = here() else {
        let failure = Failure::new("not-a-repository", "this folder lies in no git repository");
        return Err(failure.into());
    };
    let mut asking = Asking {
        objects: Objects::new(Some(repository.clone())),
        repository,
    };
    let commit = asking.commit(name)?;
    let label = |name: &str, id: Option<&str>| Label {
        name: name.to_string(),
        id: id.map(|id| id.chars().take(SHOWN).collect()),
    };
    let labels = (label(name, Some(&commit)), label("working tree", None));
    asking.between(Range::WorkingTree(Some(commit)), labels, &[], find_renames)
}

struct Asking {
    repository: Repository,
    objects: Objects,
}

impl Asking {
    /// All files that differ.
    fn between(
        mut self,
        range: Range,
        (from, to): (Label, Label),
        limits: &[PathBuf],
        find_renames: u8,
    ) -> Result<Asked> {
        let renames = format!("{find_renames}%");
        let changed = self.repository.changed(&range, &renames, limits);
        let changed = changed.map_err(|message| Failure::new("git", message))?;
        let commits = match &range {
            Range::WorkingTree(old) | Range::Index(old) => [old.clone(), None],
            Range::Commits(old, new) => [Some(old.clone()), Some(new.clone())],
        };
        let jobs = files::listed(&self.repository, changed, &commits);
        let jobs = match range {
            // Git pairs no file that it does not track.
            Range::WorkingTree(_) => files::with_renames(jobs, &mut self.objects, find_renames),
            _ => jobs,
        };
        Ok(Asked {
            from,
            to,
            single: false,
            jobs,
            witness: None,
            folders: Folders::Git(self.repository.clone(), commits),
            repository: Some(self.repository),
        })
    }

    fn range(&mut self, arguments: &cli::Diff) -> Result<(Range, Label, Label, Vec<PathBuf>)> {
        let (revisions, paths) = self.words(arguments)?;
        let tree = |name: &str| Label {
            name: name.to_string(),
            id: None,
        };
        let label = |name: &str, id: &Option<String>| Label {
            name: if id.is_some() { name } else { "nothing" }.to_string(),
            id: id.as_ref().map(|id| id.chars().take(SHOWN).collect()),
        };
        let label = |name: &str, id: &Option<String>| match id {
            // A commit that git found for two others has no name of its own.
            Some(full) if full == name => label(&name[..SHOWN], id),
            _ => label(name, id),
        };
        Ok(match revisions.as_slice() {
            [one, other] if !arguments.staged => {
                let (old, new) = (self.commit(one)?, self.commit(other)?);
                let (from, to) = (
                    label(one, &Some(old.clone())),
                    label(other, &Some(new.clone())),
                );
                (Range::Commits(old, new), from, to, paths)
            }
            [_, other, ..] => {
                let failure = Failure::new("usage", "--staged compares with one revision");
                return Err(failure.hint(format!("leave `{other}` out")).into());
            }
            few => {
                let name = few.first().map_or("HEAD", String::as_str);
                let old = match (few.first(), self.repository.head()) {
                    // Before the first commit there is nothing to compare with.
                    (None, None) => None,
                    _ => Some(self.commit(name)?),
                };
                let from = label(name, &old);
                match arguments.staged {
                    true => (Range::Index(old), from, tree("index"), paths),
                    false => (Range::WorkingTree(old), from, tree("working tree"), paths),
                }
            }
        })
    }

    /// Revisions in front, paths behind, as git tells them apart.
    fn words(&mut self, arguments: &cli::Diff) -> Result<(Vec<String>, Vec<PathBuf>)> {
        let dashed = !arguments.paths.is_empty();
        let (mut revisions, mut paths) = (vec![], arguments.paths.clone());
        let most = if arguments.staged { 1 } else { 2 };
        for word in &arguments.versions {
            if is_stdin(Path::new(word)) {
                let failure = Failure::new("usage", "stdin is compared with one file");
                return Err(failure.hint("ast-outline diff FILE -").into());
            }
            let is_path = !dashed && Path::new(word).exists();
            let range = word.split_once("..").filter(|_| !is_path);
            if let Some((one, other)) = range {
                let or_head = |name: &str| if name.is_empty() { "HEAD" } else { name }.to_string();
                let one = or_head(one);
                revisions.push(match other.strip_prefix('.') {
                    Some(other) => self.merge_base(&one, &or_head(other))?,
                    None => one,
                });
                revisions.push(or_head(other.trim_start_matches('.')));
                continue;
            }
            let is_revision =
                paths.len() == arguments.paths.len() && self.objects.revision(word).is_some();
            if is_revision && !is_path && revisions.len() == most {
                let message = format!("`{word}` is a revision too many");
                let hint = match arguments.staged {
                    true => "--staged compares with one revision",
                    false => "diff compares two versions",
                };
                return Err(Failure::new("usage", message).hint(hint).into());
            }
            let is_revision = is_revision && revisions.len() < most;
            match (is_revision, is_path) {
                (true, true) => {
                    let failure =
                        Failure::new("ambiguous", format!("`{word}` is a revision and a path"));
                    let hint =
                        format!("`{word} --` PATH... means the revision, `-- {word}` the path");
                    return Err(failure.hint(hint).into());
                }
                (true, false) => revisions.push(word.clone()),
                (false, true) => paths.push(PathBuf::from(word)),
                (false, false) => return Err(self.unknown(word, dashed).into()),
            }
        }
        Ok((revisions, paths))
    }

    fn merge_base(&mut self, one: &str, other: &str) -> Result<String> {
        let (old, new) = (self.commit(one)?, self.commit(other)?);
        let base = self.repository.merge_base(&old, &new);
        base.ok_or_else(|| {
            let message = format!("`{one}` and `{other}` have no commit in common");
            self.with_depth(Failure::new("unknown-revision", message))
                .into()
        })
    }

    fn commit(&mut self, name: &str) -> Result<String, Failure> {
        let found = self.objects.revision(name);
        found.ok_or_else(|| self.unknown(name, true))
    }

    fn unknown(&self, word: &str, revision: bool) -> Failure {
        let message = match revision {
            true => format!("no revision `{word}`"),
            false => format!("`{word}` is neither a revision nor a path"),
        };
        let failure = Failure::new("unknown-revision", message);
        match word.split_once(':') {
            Some((path, lines)) if Path::new(path).exists() && !lines.is_empty() => {
                failure.hint(format!(
                    "diff compares whole files; `{}` prints lines",
                    command(&format!("region {}", argument(word)))
                ))
            }
            _ => self.with_depth(failure),
        }
    }

    /// A history that was cut off is the likeliest reason.
    fn with_depth(&self, failure: Failure) -> Failure {
        match self.repository.is_shallow() {
            true => failure.hint(
                "this clone is shallow: `git fetch --unshallow` brings the rest of its history",
            ),
            false => failure.hint("`git log --oneline` and `git tag` list what there is"),
        }
    }

    /// Paths from the repository's root.
    fn inside(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let here = std::fs::canonicalize(".")?;
        let inside = paths.iter().map(|path| {
            let real = real(path).unwrap_or_else(|_| here.join(path));
            match real.strip_prefix(&self.repository.root) {
                Ok(path) if path.as_os_str().is_empty() => Ok(PathBuf::from(".")),
                Ok(path) => Ok(path.to_path_buf()),
                Err(_) => Err(Failure::new("usage", "lies outside of the repository")
                    .path(path)
                    .into()),
            }
        });
        inside.collect()
    }
}

impl Asked {
    /// The root of the repository, where there is one.
    pub fn root(&self) -> Option<&Path> {
        self.repository.as_ref().map(|repository| &*repository.root)
    }

    /// Two versions of named files.
    pub fn of_files(from: Label, to: Label, single: bool, jobs: Vec<Job>) -> Asked {
        let paths: Vec<PathBuf> = jobs
            .iter()
            .filter_map(|job| Some(job.after.as_ref()?.shown.clone()))
            .collect();
        let witness = Witness::new(paths.iter().map(PathBuf::as_path));
        Asked {
            from,
            to,
            single,
            jobs,
            repository: None,
            witness: Some(Arc::new(witness)),
            folders: Folders::Paths(PathBuf::new(), PathBuf::new()),
        }
    }

    /// The files, blobs read from git one after the other.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + Send + use<> {
        let mut objects = Objects::new(self.repository.clone());
        let witness = self.witness.clone();
        let jobs = self.jobs.clone();
        jobs.into_iter().map(move |mut job| {
            job.load(&mut objects);
            job.witness.clone_from(&witness);
            job
        })
    }

    /// Whether a version has a folder.
    pub fn has_folder(&self, moment: Moment, folder: &Path) -> bool {
        match &self.folders {
            Folders::Paths(old, new) => {
                let root = if moment == Moment::Before { old } else { new };
                root.join(folder).is_dir()
            }
            Folders::Git(repository, commits) => {
                let commit = &commits[usize::from(moment == Moment::After)];
                match commit {
                    Some(commit) => repository.has_folder(commit, &path_to_bytes(folder)),
                    None if moment == Moment::Before => false,
                    None => repository
                        .root
                        .join(bytes_to_path(&path_to_bytes(folder)))
                        .is_dir(),
                }
            }
        }
    }
}
