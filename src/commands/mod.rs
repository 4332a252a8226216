//! One file a verb: arguments to core to renderer to exit code. What two verbs need stands here.

mod again;
pub mod cache;
mod dated;
pub mod diff;
mod evidence;
mod fitted;
pub mod graph;
pub mod hook;
pub mod languages;
pub mod outline;
pub mod prompt;
pub mod read;
mod references;
pub mod region;
pub mod schema;
pub mod search;
mod shares;
mod summary;
pub mod symbol;
pub mod tokens;
pub mod tree;
pub mod verify;
mod versions;

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cache::{Cache, Folder, Fresh, Look, Stamp};
use crate::cli::{Color, Files, Global, Printing, Reading};
use crate::exit::{Exit, Failure, Messages};
use crate::lang::{Language, REGISTRY, detect};
use crate::model::{Kind, Outline};
use crate::outline::{Limits, outline};
use crate::render::excerpt;
use crate::source::{Source, Version};
use crate::walk::{self, Found};

/// What every verb is given.
pub struct Run<'a> {
    pub global: &'a Global,
    pub messages: &'a Messages,
    pub out: &'a mut dyn Write,
}

impl Run<'_> {
    /// The exit code of a run that was asked `asked` things and answered `answers`.
    pub fn exit(&self, answers: usize, asked: usize) -> Exit {
        match self.messages.failed() {
            true => Exit::Error,
            false if answers < asked => Exit::NotFound,
            false => Exit::Answered,
        }
    }
}

/// The paths of a run: arguments, then those of `--files-from`, else the current folder - or stdin where that was given a
/// path, which can mean nothing else.
pub fn paths(given: &[PathBuf], files: &Files, stdin_path: Option<&Path>) -> Result<Vec<PathBuf>> {
    let mut paths = given.to_vec();
    if let Some(list) = &files.files_from {
        let text = if list.as_os_str() == "-" {
            read_stdin()?
        } else {
            read_list(list)?
        };
        paths.extend(
            text.split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty())
                .map(path_of_bytes),
        );
    } else if paths.is_empty() {
        paths.push(PathBuf::from(if stdin_path.is_some() { "-" } else { "." }));
    }
    Ok(paths)
}

fn read_list(list: &Path) -> Result<Vec<u8>> {
    std::fs::read(list).map_err(|error| {
        Failure::new("unreadable", error.to_string())
            .path(list)
            .into()
    })
}

pub fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(
        bytes.strip_suffix(b"\r").unwrap_or(bytes),
    ))
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes)).into_owned())
}

/// The walk that the flags ask for.
pub fn walk_options(files: &Files) -> Result<walk::Options> {
    let named = |name: &String| language(name).map(|language| language.name);
    let languages = files.types.iter().map(named);
    let others = files.types_not.iter().map(named);
    Ok(walk::Options {
        languages: languages.collect::<Result<_, _>>()?,
        not_languages: others.collect::<Result<_, _>>()?,
        ..walk_any(files)
    })
}

/// The same but for `-t` and `-T`.
fn walk_any(files: &Files) -> walk::Options {
    walk::Options {
        globs: files.glob.clone(),
        no_ignore: files.no_ignore,
        hidden: files.hidden,
        follow: files.follow,
        max_filesize: files.max_filesize,
        ..walk::Options::default()
    }
}

/// The kinds that `--kind` names.
pub fn kinds(names: &[String]) -> Result<Vec<Kind>, Failure> {
    let kind = |name: &String| {
        let unknown = || {
            let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            Failure::new("usage", format!("unknown kind `{name}`"))
                .hint(format!("known are {}", known.join(", ")))
        };
        Kind::from_name(name).ok_or_else(unknown)
    };
    names.iter().map(kind).collect()
}

pub fn threads(files: &Files) -> usize {
    threads_of(files.threads)
}

/// As many as were asked for, else as there are cores.
pub fn threads_of(asked: Option<usize>) -> usize {
    asked.filter(|&n| n > 0).unwrap_or_else(|| {
        std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(16)
    })
}

/// The language of that name.
///
/// # Errors
/// If there is none, with the known ones as a hint.
pub fn language(name: &str) -> Result<&'static Language, Failure> {
    Language::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = REGISTRY.iter().map(|language| language.name).collect();
        let hint = format!("known are {}", known.join(", "));
        Failure::new("unknown-language", format!("unknown language `{name}`")).hint(hint)
    })
}

pub fn limits(reading: &Reading) -> Limits {
    Limits {
        timeout: reading.timeout,
        ..Limits::default()
    }
}

/// A source with the path that answers show.
pub struct Opened {
    pub source: Source,
    pub path: PathBuf,
    /// None for a format we do not know.
    pub language: Option<&'static Language>,
}

/// Reads a file, or stdin for `-`, and finds its language.
///
/// # Errors
/// Unreadable, binary, or a `--lang` that does not exist.
pub fn open_text(path: &Path, reading: &Reading) -> Result<Opened, Failure> {
    let shown = match &reading.stdin_path {
        Some(shown) if is_stdin(path) => shown,
        _ => path,
    };
    let named = reading
        .lang
        .as_deref()
        .map(|name| language(name).map_err(|error| error.path(shown)))
        .transpose()?;
    let source = read_text(path, shown)?;
    let language = named.or_else(|| detect(shown, &source));
    Ok(Opened {
        source,
        path: shown.to_path_buf(),
        language,
    })
}

/// Reads a file, or stdin for `-`; failures call it `shown`.
///
/// # Errors
/// Unreadable or binary.
pub fn read_text(path: &Path, shown: &Path) -> Result<Source, Failure> {
    let failure = |kind, message: String| Failure::new(kind, message).path(shown);
    let source = match is_stdin(path) {
        true => read_stdin().and_then(Source::from_bytes),
        false => Source::read(path),
    };
    let source = source.map_err(|error| failure("unreadable", error.to_string()))?;
    match source.is_binary() {
        true => Err(failure("binary", "binary, not read".to_string())),
        false => Ok(source),
    }
}

/// Reads what a walk found. `None` where a file met in a folder is passed over: binary (said) or of an unknown format.
///
/// # Errors
/// Unreadable; for files named by the user also binary and of an unknown format.
pub fn open(
    found: &Found,
    reading: &Reading,
    messages: &Messages,
) -> Result<Option<(Opened, &'static Language)>, Failure> {
    if let Some(error) = found.error.as_ref().filter(|_| !is_stdin(&found.path)) {
        return Err(Failure::new("unreadable", error.to_string()).path(&found.path));
    }
    let in_folder = Reading {
        lang: reading.lang.clone().filter(|_| found.named),
        ..reading.clone()
    };
    let opened = match open_text(&found.path, &in_folder) {
        Err(failure) if failure.kind == "binary" && !found.named => {
            messages.note(&failure);
            return Ok(None);
        }
        opened => opened?,
    };
    match opened.language {
        Some(language) => Ok(Some((opened, language))),
        None if found.named => Err(unknown_format(&opened.path)),
        None => Ok(None),
    }
}

/// Less than this, named file by file, is not worth a cache: parsing takes 0.1 ms a KB, reading the index of 2,600 files and
/// one record 0.9 ms, of 50,000 files several.
const CACHED_FROM: u64 = 32 << 10;

/// The cache that a question about `paths` uses; none where it would not pay, or cannot be had.
pub fn cache(paths: &[PathBuf], reading: &Reading) -> Option<Cache> {
    let size = |path: &PathBuf| match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => CACHED_FROM,
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    let pays = || paths.iter().map(size).fold(0, u64::saturating_add) >= CACHED_FROM;
    if reading.no_cache || !pays() {
        return None;
    }
    let first = paths.first().filter(|path| !is_stdin(path));
    let folder = Folder::locate(reading.cache_dir.as_deref(), first.map(PathBuf::as_path));
    folder.and_then(Cache::open).ok()
}

/// What is known of one file.
pub struct Outlined {
    /// As answers show it.
    pub path: PathBuf,
    /// Named by the user, not met in a folder.
    pub named: bool,
    pub language: &'static Language,
    pub version: Version,
    pub bytes: u64,
    pub outline: Outline,
    /// What evidence needs, where the text was not read and that is known.
    pub stamp: Option<Stamp>,
    /// The text, if it was read.
    pub source: Option<Source>,
    /// For the cache.
    pub fresh: Option<Fresh>,
}

/// What is wanted of a file besides its outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Nothing,
    /// What a pointer to it needs.
    Stamp,
    Text,
}

/// Outlines a file, or takes what the cache knows of it, if that is all that is wanted.
///
/// # Errors
/// As [`open`].
pub fn outlined(
    found: &Found,
    reading: &Reading,
    cache: Option<&Cache>,
    wanted: Wanted,
    messages: &Messages,
) -> Result<Option<Outlined>, Failure> {
    let told = found.named && reading.lang.is_some();
    let cache = cache.filter(|_| !told && found.error.is_none() && !is_stdin(&found.path));
    let look = cache.and_then(|cache| Some((cache, cache.look(&found.path)?)));
    let hit = look
        .as_ref()
        .filter(|_| wanted != Wanted::Text)
        .and_then(|(cache, look)| cache.hit(look));
    if let Some(hit) = hit.filter(|hit| wanted == Wanted::Nothing || hit.stamp.is_some()) {
        let (language, version) = (hit.language, hit.version);
        let (bytes, outline) = (hit.bytes, hit.outline);
        return Ok(Some(Outlined {
            path: found.path.clone(),
            named: found.named,
            language,
            version,
            bytes,
            outline,
            stamp: hit.stamp,
            source: None,
            fresh: None,
        }));
    }
    let opened = open(found, reading, messages)?;
    Ok(opened.map(|(opened, language)| {
        let parsed = parsed(opened, language, reading, look);
        Outlined {
            named: found.named,
            ..parsed
        }
    }))
}

/// The outline of a text at hand.
fn parsed(
    Opened { source, path, .. }: Opened,
    language: &'static Language,
    reading: &Reading,
    look: Option<(&Cache, Look)>,
) -> Outlined {
    let (outline, fresh) = resolved(&source, language, reading, look);
    Outlined {
        path,
        named: true,
        language,
        version: source.version(),
        bytes: source.len(),
        outline,
        stamp: None,
        source: Some(source),
        fresh,
    }
}

/// The outline of a text at hand, from the cache if that knows it, and what that is to know of it.
pub fn resolved(
    source: &Source,
    language: &'static Language,
    reading: &Reading,
    look: Option<(&Cache, Look)>,
) -> (Outline, Option<Fresh>) {
    let make = || outline(source, language, &limits(reading));
    match look {
        Some((cache, look)) => cache.resolve(look, source, language, make),
        None => (make(), None),
    }
}

pub fn unknown_format(path: &Path) -> Failure {
    let failure = Failure::new("unknown-format", "unknown format").path(path);
    match is_stdin(path) {
        true => failure.hint("pass --lang LANG or --stdin-path PATH"),
        false => failure.hint("name it with --lang; `ast-outline languages` lists them"),
    }
}

/// Why `--raw` knows no budget.
pub fn no_raw() -> Failure {
    Failure::new(
        "usage",
        "--raw has no place to say what does not fit a budget",
    )
    .hint("leave out --raw or --budget")
}

/// How excerpts are printed on this output.
pub fn excerpt_options(run: &Run<'_>, printing: &Printing) -> excerpt::Options {
    let terminal = io::stdout().is_terminal();
    excerpt::Options {
        raw: printing.raw,
        numbers: printing.number || terminal,
        escape: terminal,
        color: color(run),
    }
}

/// Whether the answer is coloured.
pub fn color(run: &Run<'_>) -> bool {
    match run.global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            io::stdout().is_terminal() && !refused
        }
    }
}

/// A path as answers show it: as typed, without the `./` that a walk of the current folder puts in front.
pub fn shown(path: &Path, typed: bool) -> &Path {
    if typed {
        path
    } else {
        path.strip_prefix(".").unwrap_or(path)
    }
}

pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prints the languages `-t` and `--lang` take.
pub fn list_types(out: &mut dyn Write) -> io::Result<()> {
    REGISTRY.iter().try_for_each(|language| {
        writeln!(
            out,
            "{}: {}",
            language.name,
            language
                .extensions
                .iter()
                .map(|e| format!("*.{e}"))
                .collect::<Vec<_>>()
                .join(", ")
        )
    })
}
