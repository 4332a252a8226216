//! Pairs of files to compare: from git's list, from two folders, from two names; and which of those that came is one that
//! went, where git does not say so.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::git::{
    Changed, Entry, Objects, Repository, Sort, Witness, bytes_to_path, path_to_bytes,
};
use crate::walk;

/// A file of one version.
#[derive(Clone)]
pub struct Where {
    /// As answers show it.
    pub shown: PathBuf,
    /// The same from the folder that was named.
    pub local: PathBuf,
    /// As pointers have it.
    pub path: Vec<u8>,
    pub text: Text,
    /// The commit that has it so.
    pub commit: Option<String>,
}

/// Where a text is, or what there is in its place.
#[derive(Clone)]
pub enum Text {
    Disk(PathBuf),
    Blob(String),
    Bytes(Arc<[u8]>),
    /// A link on disk.
    Link(PathBuf),
    Submodule(Option<String>),
    /// A blob that git does not have.
    Missing(String),
}

/// A file of both versions, or of one of them.
#[derive(Clone)]
pub struct Job {
    pub before: Option<Where>,
    pub after: Option<Where>,
    pub unmerged: bool,
    pub link: bool,
    pub repository: Option<Repository>,
    pub witness: Option<Arc<Witness>>,
}

/// Pairs of files that are compared to find renames.
const MOST_PAIRS: usize = 250_000;
/// Larger files are renamed only where nothing of them changed.
const LARGEST: u64 = 1 << 20;

impl Where {
    pub fn disk(path: &Path) -> Where {
        Where {
            shown: path.to_path_buf(),
            local: path.to_path_buf(),
            path: path_to_bytes(path),
            text: Text::Disk(path.to_path_buf()),
            commit: None,
        }
    }

    /// A file of a folder that was named.
    fn in_folder(path: PathBuf, local: &Path) -> Where {
        Where {
            local: local.to_path_buf(),
            ..Where::disk(&path)
        }
    }
}

pub fn two(before: Where, after: Where) -> Job {
    job(Some(before), Some(after))
}

fn job(before: Option<Where>, after: Option<Where>) -> Job {
    Job {
        before,
        after,
        unmerged: false,
        link: false,
        repository: None,
        witness: None,
    }
}

impl Job {
    /// Reads what lies in git.
    pub fn load(&mut self, objects: &mut Objects) {
        for side in [&mut self.before, &mut self.after].into_iter().flatten() {
            if let Text::Blob(id) = &side.text {
                side.text = match objects.blob(id) {
                    Ok(bytes) => Text::Bytes(bytes.into()),
                    Err(_) => Text::Missing(id.clone()),
                };
            }
        }
    }

    fn local(&self) -> PathBuf {
        let side = self.after.as_ref().or(self.before.as_ref());
        side.map_or_else(PathBuf::new, |side| side.local.clone())
    }

    fn key(&self) -> &[u8] {
        let side = self.after.as_ref().or(self.before.as_ref());
        side.map_or(b"", |side| &side.path)
    }
}

/// What git lists, sorted by the components of paths.
pub fn listed(
    repository: &Repository,
    changed: Vec<Changed>,
    commits: &[Option<String>; 2],
) -> Vec<Job> {
    let side = |entry: Entry, commit: &Option<String>| {
        let on_disk = repository.root.join(bytes_to_path(&entry.path));
        let text = match (entry.sort, entry.id) {
            (Sort::Submodule, id) => Text::Submodule(id),
            (_, Some(id)) => Text::Blob(id),
            (Sort::Link, None) => Text::Link(on_disk),
            (Sort::File, None) => Text::Disk(on_disk),
        };
        Where {
            shown: bytes_to_path(&entry.path),
            local: bytes_to_path(&entry.path),
            path: entry.path,
            text,
            commit: commit.clone(),
        }
    };
    // In a merge, git lists a path as unmerged, without sides.
    let unmerged = changed.iter().filter(|one| one.unmerged);
    let unmerged: Vec<Vec<u8>> = unmerged.map(|one| one.path.clone()).collect();
    let mut jobs: BTreeMap<(Vec<Vec<u8>>, bool), Job> = BTreeMap::new();
    for one in changed {
        let link =
            |entry: &Option<Entry>| entry.as_ref().is_some_and(|entry| entry.sort == Sort::Link);
        let mut made = job(None, None);
        made.link = link(&one.before) || link(&one.after);
        made.unmerged = unmerged.contains(&one.path);
        made.repository = Some(repository.clone());
        made.before = one.before.map(|entry| side(entry, &commits[0]));
        made.after = one.after.map(|entry| side(entry, &commits[1]));
        if made.before.is_none() && made.after.is_none() {
            // What is staged is neither version; that it is so is all there is to say.
            let on_disk = bytes_to_path(&one.path);
            let there = Where {
                text: Text::Disk(repository.root.join(&on_disk)),
                ..Where::disk(&on_disk)
            };
            (made.before, made.after) = (Some(there.clone()), Some(there));
        }
        let parts = made
            .key()
            .split(|&byte| byte == b'/')
            .map(<[u8]>::to_vec)
            .collect();
        let came = made.before.is_none();
        jobs.entry((parts, came)).or_insert(made);
    }
    jobs.into_values().collect()
}

/// The files of two folders, by their paths in these.
pub fn folders(old: &Path, new: &Path, renames: u8) -> Result<Vec<Job>> {
    let found = |root: &Path| -> Result<BTreeMap<PathBuf, PathBuf>> {
        let found = walk::files(vec![root.to_path_buf()], walk::Options::default())?;
        let local = |found: walk::Found| {
            let local = found.path.strip_prefix(root).ok()?.to_path_buf();
            Some((local, found.path))
        };
        Ok(found.filter_map(local).collect())
    };
    let (mut before, after) = (found(old)?, found(new)?);
    let mut jobs = vec![];
    for (local, path) in after {
        let partner = before.remove(&local);
        let partner = partner.map(|path| Where::in_folder(path, &local));
        jobs.push(job(partner, Some(Where::in_folder(path, &local))));
    }
    let gone = before.into_iter();
    jobs.extend(gone.map(|(local, path)| job(Some(Where::in_folder(path, &local)), None)));
    let mut jobs = with_renames(jobs, &mut Objects::new(None), renames);
    jobs.sort_by_key(Job::local);
    Ok(jobs)
}

/// Joins files that went with files that came and are as much alike as `share` percent, the likeliest first.
pub fn with_renames(mut jobs: Vec<Job>, objects: &mut Objects, share: u8) -> Vec<Job> {
    let lone = |jobs: &[Job], came: bool| -> Vec<usize> {
        let is =
            |job: &Job| !job.link && job.before.is_none() == came && job.after.is_none() != came;
        (0..jobs.len()).filter(|&at| is(&jobs[at])).collect()
    };
    let (gone, came) = (lone(&jobs, false), lone(&jobs, true));
    if gone.is_empty() || came.is_empty() {
        return jobs;
    }
    for &at in gone.iter().chain(&came) {
        jobs[at].load(objects);
    }
    let lines = |at: &usize| lines(&jobs[*at]);
    let (old, new): (Vec<_>, Vec<_>) = (
        gone.iter().map(lines).collect(),
        came.iter().map(lines).collect(),
    );
    let mut scores: Vec<(f64, bool, usize, usize)> = vec![];
    let many = gone.len() * came.len() > MOST_PAIRS;
    for (one, before) in old.iter().enumerate() {
        for (other, after) in new.iter().enumerate() {
            let alike = match many {
                true => f64::from(u8::from(before == after)),
                false => similarity(before, after),
            };
            let named = |at: usize| {
                Path::new(&bytes_to_path(jobs[at].key()))
                    .file_name()
                    .map(ToOwned::to_owned)
            };
            if alike * 100.0 >= f64::from(share.max(1)) {
                scores.push((alike, named(gone[one]) == named(came[other]), one, other));
            }
        }
    }
    scores.sort_by(|one, other| {
        let rank = other.0.total_cmp(&one.0).then(other.1.cmp(&one.1));
        rank.then((one.2, one.3).cmp(&(other.2, other.3)))
    });
    let (mut taken, mut filled) = (vec![false; jobs.len()], vec![false; jobs.len()]);
    for (_, _, one, other) in scores {
        let (from, to) = (gone[one], came[other]);
        if !taken[from] && !filled[to] {
            jobs[to].before = jobs[from].before.clone();
            (taken[from], filled[to]) = (true, true);
        }
    }
    let left = jobs.into_iter().zip(taken);
    left.filter(|(_, taken)| !taken)
        .map(|(job, _)| job)
        .collect()
}

/// How often each line stands in a file, by its hash.
fn lines(job: &Job) -> HashMap<u64, u32> {
    let side = job.after.as_ref().or(job.before.as_ref());
    let read = |path: &Path| {
        let small = std::fs::metadata(path).is_ok_and(|data| data.len() <= LARGEST);
        small.then(|| std::fs::read(path).ok()).flatten()
    };
    let bytes: Arc<[u8]> = match side.map(|side| &side.text) {
        Some(Text::Bytes(bytes)) => bytes.clone(),
        Some(Text::Disk(path)) => read(path).unwrap_or_default().into(),
        _ => Arc::default(),
    };
    let mut counts = HashMap::new();
    for line in bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end)
    {
        let mut hash = DefaultHasher::new();
        line.hash(&mut hash);
        *counts.entry(hash.finish()).or_insert(0) += u32::from(!line.is_empty());
    }
    counts
}

fn similarity(one: &HashMap<u64, u32>, other: &HashMap<u64, u32>) -> f64 {
    let total: u32 = one.values().chain(other.values()).sum();
    let common = one
        .iter()
        .map(|(line, count)| (*count).min(other.get(line).copied().unwrap_or(0)));
    match total {
        0 => 0.0,
        total => f64::from(2 * common.sum::<u32>()) / f64::from(total),
    }
}
