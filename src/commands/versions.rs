//! From a version's name to its text: the working file if it is that, else git, else the keys of its lines from the cache.
//! And from lines of that version to where they are today. What two verbs need to answer about old versions; prints nothing.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Folder};
use crate::evidence::{By, HASH_DIGITS, LineKey, Relocation, Revision, line_keys, relocate};
use crate::exit::Failure;
use crate::git::{
    Format, Miss, Objects, Repository, base, blob_id, bytes_to_path, path_to_bytes, real,
    without_crlf,
};
use crate::lang::detect;
use crate::model::{Kind, Lines, Outline};
use crate::outline::path::{ItemPath, spelled};
use crate::outline::{Limits, outline};
use crate::render::excerpt::Origin;
use crate::source::Source;

/// Finds versions of the files of one repository, or of a folder that lies in none.
pub struct Versions {
    /// Where paths of pointers start from.
    pub base: PathBuf,
    format: Format,
    repository: Option<Repository>,
    objects: Objects,
    cache_dir: Option<PathBuf>,
    use_cache: bool,
    cache: OnceCell<Option<Cache>>,
}

/// A version of a file.
pub enum Known {
    Text {
        source: Source,
        origin: Origin,
    },
    /// It was seen once, and only the keys of its lines were kept.
    Keys(Vec<LineKey>),
}

/// Why a version is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    Unknown,
    /// Several begin so.
    Ambiguous,
    /// The commit is known, and has no such file.
    NoSuchFile,
}

/// A version, with the path that it was found under.
pub struct Version {
    pub known: Known,
    /// From [`Versions::base`].
    pub path: Vec<u8>,
    /// What names it best: the commit in full, or the blob.
    pub revision: Revision,
}

impl Versions {
    /// Whether paths of this folder start from the same place.
    pub fn covers(&self, folder: &Path) -> bool {
        std::fs::canonicalize(folder)
            .is_ok_and(|folder| base(Repository::around(&folder).as_ref(), &folder) == self.base)
    }

    /// Of the repository around a folder. `cache` is none where it may not be used, else the folder that was named for it.
    pub fn around(folder: &Path, cache: Option<Option<&Path>>) -> Versions {
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let repository = Repository::around(&folder);
        Versions {
            base: base(repository.as_ref(), &folder),
            format: repository.as_ref().map_or(Format::Sha1, Repository::format),
            objects: Objects::new(repository.clone()),
            repository,
            cache_dir: cache.flatten().map(Path::to_path_buf),
            use_cache: cache.is_some(),
            cache: OnceCell::new(),
        }
    }

    /// The path of a file as pointers have it; whole where it lies outside of the base.
    pub fn path_of(&self, path: &Path) -> Option<Vec<u8>> {
        let real = real(path).ok()?;
        Some(path_to_bytes(
            real.strip_prefix(&self.base).unwrap_or(&real),
        ))
    }

    pub fn on_disk(&self, path: &[u8]) -> PathBuf {
        self.base.join(bytes_to_path(path))
    }

    /// The file as it is today; none where it is gone, unreadable or no text.
    pub fn today(&self, path: &[u8]) -> Option<Source> {
        let source = Source::read(&self.on_disk(path)).ok()?;
        (!source.is_binary()).then_some(source)
    }

    /// The version of one of these paths, the first that has it.
    ///
    /// # Errors
    /// A [`Lost`].
    pub fn find(&mut self, paths: &[&[u8]], revision: &Revision) -> Result<Version, Lost> {
        match revision {
            Revision::Blob(id) => self.blob(paths, id),
            Revision::Commit(id) if self.is_today(paths, id) => self.seen(paths, id),
            Revision::Commit(id) => match self.objects.commit(id) {
                Ok(commit) => self.file(paths, commit),
                Err(Miss::Ambiguous) => Err(Lost::Ambiguous),
                Err(Miss::Unknown) if id.len() == HASH_DIGITS => self.seen(paths, id),
                Err(Miss::Unknown) => Err(Lost::Unknown),
            },
        }
    }

    /// A version as users write it: as in pointers, or a revision of git's such as `HEAD~3`.
    ///
    /// # Errors
    /// A [`Lost`].
    pub fn find_written(&mut self, path: &[u8], written: &str) -> Result<Version, Lost> {
        let named = Revision::parse(written).ok_or(Lost::Unknown);
        let found = named.and_then(|revision| self.find(&[path], &revision));
        match found {
            Err(Lost::Unknown) => match self.objects.revision(written) {
                Some(commit) => self.file(&[path], commit),
                None => Err(Lost::Unknown),
            },
            found => found,
        }
    }

    /// Git's id of a text.
    pub fn blob_of(&self, source: &Source) -> Revision {
        Revision::Blob(blob_id(self.format, source.original()))
    }

    fn file(&mut self, paths: &[&[u8]], commit: String) -> Result<Version, Lost> {
        let objects = &mut self.objects;
        let found = paths
            .iter()
            .find_map(|path| Some((path, objects.file(&commit, path)?)));
        let (path, bytes) = found.ok_or(Lost::NoSuchFile)?;
        let today = self.today(path);
        let unchanged = |source: &Source| source.original() == bytes;
        let (source, origin) = match today.filter(unchanged) {
            Some(source) => (source, Origin::WorkingFile),
            None => (text(bytes)?, Origin::Git),
        };
        Ok(Version {
            known: Known::Text { source, origin },
            path: path.to_vec(),
            revision: Revision::Commit(commit),
        })
    }

    fn blob(&mut self, paths: &[&[u8]], id: &str) -> Result<Version, Lost> {
        let existing = paths.iter().find(|path| self.on_disk(path).is_file());
        let path = existing.or(paths.first()).ok_or(Lost::Unknown)?;
        if let Some(source) = self.today(path) {
            let raw = blob_id(self.format, source.original());
            let converted = || {
                let bytes = without_crlf(source.original())?;
                Some(blob_id(self.format, &bytes))
            };
            if raw.starts_with(id) || converted().is_some_and(|other| other.starts_with(id)) {
                return Ok(Version {
                    revision: Revision::Blob(raw),
                    known: Known::Text {
                        source,
                        origin: Origin::WorkingFile,
                    },
                    path: path.to_vec(),
                });
            }
        }
        let bytes = self.objects.blob(id).map_err(|miss| match miss {
            Miss::Unknown => Lost::Unknown,
            Miss::Ambiguous => Lost::Ambiguous,
        })?;
        self.of_git(path, bytes)
    }

    /// Whether it is the version of one of these files as they lie there: then git need not be asked. That a commit begins
    /// with the same 12 digits will not happen.
    fn is_today(&self, paths: &[&[u8]], version: &str) -> bool {
        let mut files = paths.iter().filter_map(|path| self.today(path));
        version.len() == HASH_DIGITS && files.any(|file| file.version().to_string() == version)
    }

    /// A version by the beginning of the hash of its bytes, as our answers name it.
    fn seen(&mut self, paths: &[&[u8]], version: &str) -> Result<Version, Lost> {
        let is_it = |source: &Source| source.version().to_string() == version;
        for path in paths {
            if let Some(source) = self.today(path).filter(is_it) {
                return Ok(Version {
                    revision: self.blob_of(&source),
                    known: Known::Text {
                        source,
                        origin: Origin::WorkingFile,
                    },
                    path: path.to_vec(),
                });
            }
        }
        for path in paths {
            let repository = self.repository.as_ref();
            for id in repository.map(|it| it.blobs_at(path)).unwrap_or_default() {
                let Ok(bytes) = self.objects.blob(&id) else {
                    continue;
                };
                if crate::source::Version::of(&bytes).to_string() == version {
                    return self.of_git(path, bytes);
                }
            }
        }
        let keys = self
            .cache(paths)
            .and_then(|cache| cache.lines_of(&digits(version)));
        let existing = paths.iter().find(|path| self.on_disk(path).is_file());
        let path = existing.or(paths.first()).ok_or(Lost::Unknown)?;
        Ok(Version {
            known: Known::Keys(keys.ok_or(Lost::Unknown)?),
            path: path.to_vec(),
            revision: Revision::Commit(version.to_string()),
        })
    }

    fn of_git(&self, path: &[u8], bytes: Vec<u8>) -> Result<Version, Lost> {
        let revision = Revision::Blob(blob_id(self.format, &bytes));
        Ok(Version {
            known: Known::Text {
                source: text(bytes)?,
                origin: Origin::Git,
            },
            path: path.to_vec(),
            revision,
        })
    }

    fn cache(&self, paths: &[&[u8]]) -> Option<&Cache> {
        let open = || {
            let path = paths
                .first()
                .map_or(self.base.clone(), |path| self.on_disk(path));
            let folder = Folder::locate(self.cache_dir.as_deref(), Some(&path));
            folder.and_then(Cache::open).ok().filter(|_| self.use_cache)
        };
        self.cache.get_or_init(open).as_ref()
    }
}

impl Version {
    /// How many lines it has, an empty file one.
    pub fn lines(&self) -> u32 {
        let lines = match &self.known {
            Known::Text { source, .. } => source.lines(),
            Known::Keys(keys) => keys.len() as u32,
        };
        lines.max(1)
    }

    /// What became of these lines, which are not past its end, in `today`.
    pub fn trace(&self, today: &Source, lines: Lines) -> Relocation {
        let keys = match &self.known {
            Known::Text { source, .. } if source.original() == today.original() => {
                return Relocation::Exact;
            }
            Known::Text { source, .. } => line_keys(source),
            Known::Keys(keys) => keys.clone(),
        };
        let found = relocate(&keys, &line_keys(today), lines);
        match &self.known {
            Known::Text { source, .. } if found == Relocation::Gone => {
                self.by_name(source, today, lines).unwrap_or(found)
            }
            _ => found,
        }
    }

    /// Lines that were a whole definition, by its name.
    fn by_name(&self, old: &Source, today: &Source, lines: Lines) -> Option<Relocation> {
        let before = self.outline_of(old);
        let item = before.items.iter().find(|item| item.lines == lines)?;
        let after = self.outline_of(today);
        let same = |other: &&crate::model::Item| {
            (other.kind, &other.qualname) == (item.kind, &item.qualname)
        };
        let mut named = after.items.iter().filter(same);
        let found = named.next()?;
        let only = named.next().is_none();
        only.then_some(Relocation::Changed(found.lines, By::Name))
    }

    /// The definition of today that is nearest to lines that are gone: the one of the same name as what was around them, or
    /// of the name around that.
    pub fn nearest(&self, today: &Source, lines: Lines) -> Option<String> {
        let after = self.outline_of(today);
        let named = |(name, lines): (String, Lines)| {
            format!("{name} ({})", crate::render::text::line_range(lines))
        };
        let Known::Text { source, .. } = &self.known else {
            let around = after.enclosing(lines).map(|id| &after.items[id as usize]);
            return around.map(|item| named((spelled(item), item.lines)));
        };
        let before = self.outline_of(source);
        let mut around = before.enclosing(lines);
        let path = bytes_to_path(&self.path);
        while let Some(item) = around.map(|id| &before.items[id as usize]) {
            if item.kind != Kind::Impl
                && let Some(hits) = ItemPath::parse(&item.qualname).find(&after, &path)
            {
                let item = &after.items[hits.ids[0] as usize];
                return Some(named((spelled(item), item.lines)));
            }
            around = item.parent;
        }
        None
    }

    fn outline_of(&self, source: &Source) -> Outline {
        let language = detect(&bytes_to_path(&self.path), source);
        language
            .map(|language| outline(source, language, &Limits::default()))
            .unwrap_or_default()
    }
}

impl Lost {
    /// What is said of a version that is none.
    pub fn failure(self, version: &str) -> Failure {
        let (kind, message) = match self {
            Lost::Unknown => (
                "unknown-version",
                format!("no version `{version}` is known"),
            ),
            Lost::Ambiguous => (
                "ambiguous",
                format!("several versions begin with `{version}`"),
            ),
            Lost::NoSuchFile => (
                "not-found",
                format!("the file is not in version `{version}`"),
            ),
        };
        let failure = Failure::not_found(kind, message);
        match self {
            Lost::Unknown => failure.hint(
                "commits, blob:ID and versions that an answer named are known; without git or with --no-cache fewer",
            ),
            _ => failure,
        }
    }
}

fn text(bytes: Vec<u8>) -> Result<Source, Lost> {
    let source = Source::from_bytes(bytes).map_err(|_| Lost::Unknown)?;
    (!source.is_binary())
        .then_some(source)
        .ok_or(Lost::NoSuchFile)
}

/// Bytes of hex digits.
fn digits(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks_exact(2);
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    pairs
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}
