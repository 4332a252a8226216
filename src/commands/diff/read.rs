//! Reads both sides of a file, finds the lines that differ, and parses each side once.

use super::files::{Job, Text, Where};
use crate::cli::Reading;
use crate::commands::{is_stdin, language, limits, read_text};
use crate::evidence::{Hunk, Revision, changed};
use crate::exit::Failure;
use crate::git::{Identity, Repository, blob_id};
use crate::lang::{Language, detect};
use crate::model::{Lines, Outline};
use crate::outline::diff::{Changes, Pair, Side};
use crate::outline::leaves::Leaves;
use crate::outline::{Version, both_with_leaves, outline_with_leaves};
use crate::render::diff::{FileDiff, FileSide, Plain};
use crate::source::Source;

/// One file, read.
#[derive(Default)]
pub struct Read {
    before: Option<One>,
    after: Option<One>,
    hunks: Vec<Hunk>,
    unmerged: bool,
    pub failure: Option<Failure>,
}

/// One side of it.
struct One {
    given: Where,
    content: Content,
    identity: Option<Identity>,
}

enum Content {
    Outlined(Box<Side>),
    /// Text of a format that is not known.
    Text(Source),
    /// No text: what there is in its place.
    Other(Plain),
}

/// What is in a file, before it is parsed.
enum Raw {
    Text(Source),
    Other(Plain),
}

pub fn read(job: Job, reading: &Reading) -> Read {
    let unmerged = job.unmerged;
    match both(job, reading) {
        Ok(read) => Read { unmerged, ..read },
        Err(failure) => Read {
            failure: Some(failure),
            ..Read::default()
        },
    }
}

fn both(job: Job, reading: &Reading) -> Result<Read, Failure> {
    let (one, other) = (on_disk(&job.before), on_disk(&job.after));
    if one.is_some() && one == other && !job.unmerged && same_path(&job) {
        return Ok(Read::default());
    }
    let open = |given: &Option<Where>, bytes| {
        let given = given.as_ref();
        given.map(|given| open(given, job.link, bytes)).transpose()
    };
    let (old, new) = (open(&job.before, one)?, open(&job.after, other)?);
    let hunks = difference(old.as_ref(), new.as_ref());
    let sides = [
        (&job.before, &job.after, &old),
        (&job.after, &job.before, &new),
    ];
    let mut languages = sides.map(|(given, other, raw)| match (given, raw) {
        (Some(given), Some(Raw::Text(source))) => {
            Some(spoken(given, other.as_ref(), source, reading))
        }
        _ => None,
    });
    if languages.iter().flatten().any(Option::is_none) {
        // What is known of one side only cannot be compared.
        languages = [None, None];
    }
    let lines = [
        stretches(&hunks, |hunk| &hunk.before),
        stretches(&hunks, |hunk| &hunk.after),
    ];
    let identities = [(&job.before, &old), (&job.after, &new)]
        .map(|(given, raw)| identity(&job, given.as_ref()?, raw.as_ref()?));
    let contents = contents(
        [old, new],
        languages.map(Option::flatten),
        &hunks,
        lines,
        reading,
    );
    let one = |(given, (content, identity))| {
        Some(One {
            given: given?,
            content: content?,
            identity,
        })
    };
    let sides = [job.before, job.after].into_iter();
    let mut sides = sides.zip(contents.into_iter().zip(identities)).map(one);
    Ok(Read {
        before: sides.next().flatten(),
        after: sides.next().flatten(),
        hunks,
        unmerged: job.unmerged,
        failure: None,
    })
}

/// Both sides parsed: as two versions of one file, or each by itself.
fn contents(
    raws: [Option<Raw>; 2],
    languages: [Option<&'static Language>; 2],
    hunks: &[Hunk],
    lines: [Vec<Lines>; 2],
    reading: &Reading,
) -> [Option<Content>; 2] {
    match (raws, languages) {
        ([Some(Raw::Text(old)), Some(Raw::Text(new))], [Some(language), Some(other)])
            if std::ptr::eq(language, other) =>
        {
            let version = |source, lines| Version { source, lines };
            let versions = [version(&old, &lines[0]), version(&new, &lines[1])];
            let [before, after] = both_with_leaves(versions, hunks, language, &limits(reading));
            [
                Some(outlined(old, language, before)),
                Some(outlined(new, language, after)),
            ]
        }
        ([old, new], [old_language, new_language]) => [
            old.map(|raw| content(raw, old_language, &lines[0], reading)),
            new.map(|raw| content(raw, new_language, &lines[1], reading)),
        ],
    }
}

fn content(
    raw: Raw,
    language: Option<&'static Language>,
    lines: &[Lines],
    reading: &Reading,
) -> Content {
    match (raw, language) {
        (Raw::Other(other), _) => Content::Other(other),
        (Raw::Text(source), None) => Content::Text(source),
        (Raw::Text(source), Some(language)) => {
            let read = outline_with_leaves(&source, language, &limits(reading), lines);
            outlined(source, language, read)
        }
    }
}

fn outlined(
    source: Source,
    language: &'static Language,
    (outline, leaves): (Outline, Leaves),
) -> Content {
    Content::Outlined(Box::new(Side {
        source,
        language,
        outline,
        leaves,
    }))
}

/// A file as it lies on disk. Most files of two releases are the same: then nothing else is looked at.
fn on_disk(given: &Option<Where>) -> Option<Vec<u8>> {
    match &given.as_ref()?.text {
        Text::Disk(path) if !is_stdin(path) => std::fs::read(path).ok(),
        _ => None,
    }
}

fn same_path(job: &Job) -> bool {
    let local = |given: &'_ Option<Where>| given.as_ref().map(|given| given.local.clone());
    local(&job.before) == local(&job.after)
}

/// The lines that differ; all of them where there is one side only.
fn difference(old: Option<&Raw>, new: Option<&Raw>) -> Vec<Hunk> {
    let nothing = Source::from_bytes(vec![]).ok();
    match (old, new, nothing) {
        (Some(Raw::Text(old)), Some(Raw::Text(new)), _) => changed(old, new),
        (None, Some(Raw::Text(new)), Some(nothing)) => changed(&nothing, new),
        (Some(Raw::Text(old)), None, Some(nothing)) => changed(old, &nothing),
        _ => vec![],
    }
}

/// The lines of one side that differ, with the one in front and the one behind, so that both sides begin and end alike.
fn stretches(hunks: &[Hunk], side: impl Fn(&Hunk) -> &std::ops::Range<u32>) -> Vec<Lines> {
    let around = |range: &std::ops::Range<u32>| Lines {
        start: range.start.max(1),
        end: range.end + 1,
    };
    hunks.iter().map(|hunk| around(side(hunk))).collect()
}

/// `bytes` are those of the file, where it was read already.
fn open(given: &Where, link: bool, bytes: Option<Vec<u8>>) -> Result<Raw, Failure> {
    let failure = |kind, message: String| Failure::new(kind, message).path(&given.shown);
    let unreadable = |error: std::io::Error| failure("unreadable", error.to_string());
    let source = match &given.text {
        Text::Submodule(id) => return Ok(Raw::Other(Plain::Submodule(id.clone()))),
        Text::Link(path) => {
            let target = std::fs::read_link(path).map_err(unreadable)?;
            return Ok(Raw::Other(Plain::Link(
                target.to_string_lossy().into_owned(),
            )));
        }
        Text::Missing(id) | Text::Blob(id) => {
            let message = format!("git does not have its blob {id}");
            return Err(failure("missing-blob", message).hint(
                "a partial clone leaves blobs out: with GIT_NO_LAZY_FETCH=0 git fetches them",
            ));
        }
        Text::Bytes(bytes) if link => {
            let target = String::from_utf8_lossy(bytes).into_owned();
            return Ok(Raw::Other(Plain::Link(target)));
        }
        Text::Bytes(bytes) => Source::from_bytes(bytes.to_vec()).map_err(unreadable)?,
        Text::Disk(path) if is_stdin(path) => read_text(path, &given.shown)?,
        Text::Disk(path) => match bytes {
            Some(bytes) => Source::from_bytes(bytes),
            None => Source::read(path),
        }
        .map_err(unreadable)?,
    };
    Ok(match source.is_binary() {
        true => Raw::Other(Plain::Binary(source.version(), source.len())),
        false => Raw::Text(source),
    })
}

/// What a side is written in. Stdin has no name, nor has nothing (`/dev/null`): without one that was told, both are versions
/// of the `other` side.
fn spoken(
    given: &Where,
    other: Option<&Where>,
    source: &Source,
    reading: &Reading,
) -> Option<&'static Language> {
    let told = reading.lang.as_deref().and_then(|name| language(name).ok());
    let path = match &reading.stdin_path {
        Some(path) if is_stdin(&given.shown) => path,
        _ if is_stdin(&given.shown) || source.text().is_empty() => &other.unwrap_or(given).shown,
        _ => &given.shown,
    };
    told.or_else(|| detect(path, source))
}

/// What the bytes of a side are called: the commit that has them, or git's name for them.
fn identity(job: &Job, given: &Where, raw: &Raw) -> Option<Identity> {
    let Raw::Text(source) = raw else { return None };
    let version = match (&given.commit, &given.text, &job.witness) {
        (Some(commit), _, _) => Revision::Commit(commit.clone()).shortened(),
        (None, Text::Disk(path), Some(witness)) if !is_stdin(path) => {
            return witness.identify(path, || source.original());
        }
        _ => {
            let format = job.repository.as_ref().map(Repository::format);
            Revision::Blob(blob_id(format.unwrap_or_default(), source.original()))
        }
    };
    Some(Identity::new(given.path.clone(), version))
}

impl Read {
    /// Whether there is anything to say: the bytes differ, or the path does.
    pub fn differs(&self) -> bool {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                self.unmerged
                    || before.given.local != after.given.local
                    || !before.content.same(&after.content)
            }
            (None, None) => false,
            _ => true,
        }
    }

    pub fn pair(&self) -> Pair<'_> {
        Pair {
            before: self.before.as_ref().and_then(One::side),
            after: self.after.as_ref().and_then(One::side),
        }
    }

    pub fn file(&self, changes: Changes) -> FileDiff<'_> {
        FileDiff {
            before: self.before.as_ref().map(One::file),
            after: self.after.as_ref().map(One::file),
            hunks: &self.hunks,
            unmerged: self.unmerged,
            changes: changes.changes,
            layout: changes.layout,
            shifted: changes.shifted,
            unclear: changes.unclear,
            filtered: false,
        }
    }
}

impl One {
    fn side(&self) -> Option<&Side> {
        match &self.content {
            Content::Outlined(side) => Some(side),
            _ => None,
        }
    }

    fn file(&self) -> FileSide<'_> {
        FileSide {
            path: &self.given.shown,
            local: &self.given.local,
            source: match &self.content {
                Content::Outlined(side) => Some(&side.source),
                Content::Text(source) => Some(source),
                Content::Other(_) => None,
            },
            side: self.side(),
            plain: match &self.content {
                Content::Other(plain) => Some(plain),
                _ => None,
            },
            identity: self.identity.as_ref(),
        }
    }
}

impl Content {
    fn same(&self, other: &Content) -> bool {
        let source = |content: &'_ Content| match content {
            Content::Outlined(side) => Some(side.source.version()),
            Content::Text(source) => Some(source.version()),
            Content::Other(_) => None,
        };
        match (self, other) {
            (Content::Other(one), Content::Other(other)) => one == other,
            (one, other) => source(one) == source(other),
        }
    }
}
