//! What lies on disk, and what of it the graph does not know yet. A look at every known file and folder, no walk: a new file
//! changes the time of its folder, and only such folders are listed again.
//!
//! Times are trusted as git trusts them: a file that changed when it was read, or just before, is read again the next time,
//! since the clock's grain may hide an edit.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Result;
use rusqlite::Connection;

use super::packages::is_manifest;
use super::paths::relative;
use super::resolve;
use super::store::write::Role;
use crate::lang::Language;
use crate::walk;

/// No file system's times are coarser.
const GRAIN: Duration = Duration::from_secs(2);

/// Files that say what is ignored, or what files are.
const RULES: &[&str] = &[".gitignore", ".ignore", ".rgignore", ".gitattributes"];

/// A file of interest on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// From the root, with `/`.
    pub path: String,
    pub role: Role,
}

/// What differs from what the graph knows.
#[derive(Debug, Default)]
pub struct Changes {
    /// Came, or may have changed.
    pub files: Vec<Seen>,
    /// Rows of files that went.
    pub gone: Vec<i64>,
    /// Folders with their new stamps; none for those that went.
    pub folders: Vec<(String, Option<i64>)>,
}

impl Changes {
    fn listed(&mut self, folders: Vec<(String, i64)>) {
        let stamped = folders.into_iter().map(|(path, stamp)| (path, Some(stamp)));
        self.folders.extend(stamped);
    }
}

/// A file's or folder's times as one number; 0 where they cannot be trusted yet.
pub fn stamp(data: &Metadata, now: SystemTime) -> i64 {
    let modified = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let settled = now.duration_since(modified).is_ok_and(|age| age > GRAIN);
    if !settled {
        return 0;
    }
    let since = modified
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut eat = |number: u64| {
        hash = (hash ^ number)
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    };
    eat(data.len());
    eat(since.as_nanos() as u64);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        eat(data.ctime() as u64);
        eat(data.ctime_nsec() as u64);
        eat(data.ino());
    }
    (hash | 1) as i64
}

/// What tells one text from another.
pub fn hash(bytes: &[u8]) -> Vec<u8> {
    blake3::hash(bytes).as_bytes()[..16].to_vec()
}

/// Whether a file is as it was when it was read; where its times say nothing, its text does.
pub fn is_current(path: &Path, known: i64, text: &[u8]) -> bool {
    let Ok(data) = fs::symlink_metadata(path) else {
        return false;
    };
    let same_times = known != 0 && stamp(&data, SystemTime::now()) == known;
    same_times || fs::read(path).is_ok_and(|bytes| hash(&bytes) == text)
}

/// What a file of that name is to the graph; none for what it passes by.
fn role(path: &Path) -> Option<Role> {
    let name = path.file_name()?.to_string_lossy();
    if is_manifest(&name) {
        return Some(Role::Manifest);
    }
    if RULES.contains(&&*name) {
        return Some(Role::Rule);
    }
    match Language::by_path(path) {
        Some(language) => resolve::rules(language).map(|_| Role::Source),
        None => walk::script(path)
            .and_then(resolve::rules)
            .map(|_| Role::Source),
    }
}

/// A path from the root; `../other/file` in other roots.
fn shown(root: &Path, path: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
        Err(_) => relative(root, path),
    }
}

/// What lies on disk.
#[derive(Debug, Default)]
pub struct Survey {
    /// In the order of their paths.
    pub files: Vec<Seen>,
    /// With their stamps, taken before they were listed.
    pub folders: Vec<(String, i64)>,
}

/// All that lies in folders, and below them unless `shallow`.
///
/// # Errors
/// Where the walk cannot begin.
pub fn survey(root: &Path, folders: &[PathBuf], shallow: bool) -> Result<Survey> {
    let options = walk::Options {
        any_format: true,
        folders: true,
        max_depth: shallow.then_some(1),
        ..walk::Options::default()
    };
    let mut survey = Survey::default();
    for found in walk::files(folders.to_vec(), options)? {
        let path = shown(root, &found.path);
        if found.folder {
            // The walk lists a folder after it has named it.
            let data = fs::symlink_metadata(&found.path);
            let stamp = data.map_or(0, |data| stamp(&data, SystemTime::now()));
            survey.folders.push((path, stamp));
            let rules = RULES.iter().map(|name| found.path.join(name));
            survey
                .files
                .extend(rules.filter(|path| path.is_file()).map(|path| Seen {
                    path: shown(root, &path),
                    role: Role::Rule,
                }));
        } else if found.error.is_none() {
            let role = role(&found.path).filter(|role| *role != Role::Rule);
            survey.files.extend(role.map(|role| Seen { path, role }));
        }
    }
    survey.files.sort_by(|one, other| one.path.cmp(&other.path));
    // Of roots that lie in each other files are found twice.
    survey.files.dedup();
    Ok(survey)
}

/// What is known of a file.
struct Known {
    id: i64,
    role: Role,
    stamp: i64,
}

/// What changed in its roots since the graph was written.
pub fn changes(db: &Connection, roots: &[PathBuf]) -> Result<Changes> {
    let root = &roots[0];
    let known = known(db)?;
    let now = SystemTime::now();
    let mut changes = Changes::default();
    let mut rules = false;
    for (path, file) in &known {
        match fs::symlink_metadata(root.join(path)) {
            Ok(data) if data.is_file() && file.stamp != 0 && stamp(&data, now) == file.stamp => {
                continue;
            }
            Ok(data) if data.is_file() => changes.files.push(Seen {
                path: path.clone(),
                role: file.role,
            }),
            _ => changes.gone.push(file.id),
        }
        rules |= file.role == Role::Rule;
    }
    let folders = folders(db)?;
    let mut again = vec![];
    for (path, known) in &folders {
        match fs::symlink_metadata(root.join(path)) {
            Ok(data) if data.is_dir() => {
                let stamp = stamp(&data, now);
                if stamp != *known || stamp == 0 {
                    again.push(root.join(path));
                    changes.folders.push((path.clone(), Some(stamp)));
                }
            }
            _ => changes.folders.push((path.clone(), None)),
        }
    }
    match rules {
        true => everything(roots, &known, &folders, &mut changes)?,
        false => listed_again(root, &known, &folders, again, &mut changes)?,
    }
    changes
        .files
        .sort_by(|one, other| one.path.cmp(&other.path));
    changes.files.dedup();
    Ok(changes)
}

/// What folders hold that were not listed since they changed; new folders with all that is in them.
fn listed_again(
    root: &Path,
    known: &HashMap<String, Known>,
    folders: &HashMap<String, i64>,
    again: Vec<PathBuf>,
    changes: &mut Changes,
) -> Result<()> {
    if again.is_empty() {
        return Ok(());
    }
    let listed = survey(root, &again, true)?;
    let mut files = listed.files;
    let new = listed
        .folders
        .into_iter()
        .filter(|(path, _)| !folders.contains_key(path));
    let new: Vec<PathBuf> = new.map(|(path, _)| root.join(path)).collect();
    if !new.is_empty() {
        let more = survey(root, &new, false)?;
        files.extend(more.files);
        changes.listed(more.folders);
    }
    changes.files.extend(
        files
            .into_iter()
            .filter(|file| !known.contains_key(&file.path)),
    );
    Ok(())
}

/// The whole tree looked at anew: what is ignored may have changed.
fn everything(
    roots: &[PathBuf],
    known: &HashMap<String, Known>,
    folders: &HashMap<String, i64>,
    changes: &mut Changes,
) -> Result<()> {
    let survey = survey(&roots[0], roots, false)?;
    let here: HashSet<&str> = survey.files.iter().map(|file| &*file.path).collect();
    let gone = known.iter().filter(|(path, _)| !here.contains(&***path));
    changes.gone.extend(gone.map(|(_, file)| file.id));
    changes.gone.sort_unstable();
    changes.gone.dedup();
    changes.files.retain(|file| here.contains(&*file.path));
    let new = survey
        .files
        .iter()
        .filter(|file| !known.contains_key(&file.path));
    changes.files.extend(new.cloned());
    let listed: HashSet<&str> = survey.folders.iter().map(|(path, _)| &**path).collect();
    let lost = folders.keys().filter(|path| !listed.contains(&***path));
    changes
        .folders
        .extend(lost.map(|path| (path.clone(), None)));
    changes.listed(survey.folders);
    Ok(())
}

fn known(db: &Connection) -> Result<HashMap<String, Known>> {
    let mut statement = db.prepare_cached("SELECT path, id, role, stamp FROM file")?;
    let rows = statement.query_map([], |row| {
        let known = Known {
            id: row.get(1)?,
            role: Role::from(row.get(2)?),
            stamp: row.get(3)?,
        };
        Ok((row.get(0)?, known))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn folders(db: &Connection) -> Result<HashMap<String, i64>> {
    let mut statement = db.prepare_cached("SELECT path, stamp FROM folder")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
