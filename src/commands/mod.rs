//! One file a verb: arguments to core to renderer to exit code. What two verbs need stands here.

pub mod outline;

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::{Files, Global, Reading};
use crate::exit::{Exit, Failure, Messages};
use crate::lang::{Language, REGISTRY, detect};
use crate::outline::Limits;
use crate::source::Source;
use crate::walk::{self, Found};

/// What every verb is given.
pub struct Run<'a> {
    pub global: &'a Global,
    pub messages: &'a Messages,
    pub out: &'a mut dyn Write,
}

impl Run<'_> {
    /// The exit code of a run that answered `answers` times.
    pub fn exit(&self, answers: usize) -> Exit {
        match (self.messages.failed(), answers) {
            (true, _) => Exit::Error,
            (false, 0) => Exit::NotFound,
            (false, _) => Exit::Answered,
        }
    }
}

/// The paths of a run: arguments, then those of `--files-from`, else the current folder.
pub fn paths(given: &[PathBuf], files: &Files) -> Result<Vec<PathBuf>> {
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
        paths.push(PathBuf::from("."));
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
    let languages = files
        .types
        .iter()
        .map(|name| language(name).map(|language| language.name));
    Ok(walk::Options {
        globs: files.glob.clone(),
        languages: languages.collect::<Result<_>>()?,
        no_ignore: files.no_ignore,
        hidden: files.hidden,
        follow: files.follow,
        max_filesize: files.max_filesize,
    })
}

pub fn threads(files: &Files) -> usize {
    files.threads.filter(|&n| n > 0).unwrap_or_else(|| {
        std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(16)
    })
}

/// The language of that name.
pub fn language(name: &str) -> Result<&'static Language> {
    Language::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = REGISTRY.iter().map(|language| language.name).collect();
        let hint = format!("known are {}", known.join(", "));
        Failure::new("unknown-language", format!("unknown language `{name}`"))
            .hint(hint)
            .into()
    })
}

pub fn limits(reading: &Reading) -> Limits {
    Limits {
        timeout: reading.timeout,
        ..Limits::default()
    }
}

/// Reads a file and finds its language. `None` where a file met in a folder is passed over.
///
/// # Errors
/// Unreadable, binary or of an unknown format, as a [`Failure`].
pub fn open(
    found: &Found,
    reading: &Reading,
    messages: &Messages,
) -> Result<Option<(Source, &'static Language)>, Failure> {
    let failure = |kind, message: String| Failure::new(kind, message).path(&found.path);
    if let Some(error) = &found.error {
        return Err(failure("unreadable", error.to_string()));
    }
    let source =
        Source::read(&found.path).map_err(|error| failure("unreadable", error.to_string()))?;
    let language = match reading
        .lang
        .as_deref()
        .filter(|_| found.named)
        .map(language)
        .transpose()
    {
        Ok(Some(language)) => Some(language),
        Ok(None) => detect(&found.path, &source),
        Err(error) => return Err(failure("unknown-language", error.to_string())),
    };
    if source.is_binary() {
        let message = "binary, not read".to_string();
        if found.named {
            return Err(failure("binary", message));
        }
        messages.note(&failure("binary", message));
        return Ok(None);
    }
    match language {
        Some(language) => Ok(Some((source, language))),
        None if found.named => Err(failure("unknown-format", "unknown format".to_string())
            .hint("name it with --lang, see `ast-outline languages`")),
        None => Ok(None),
    }
}

/// Reads stdin as `-`.
pub fn open_stdin(reading: &Reading) -> Result<(Source, &'static Language, PathBuf), Failure> {
    let path = reading
        .stdin_path
        .clone()
        .unwrap_or_else(|| PathBuf::from("-"));
    let failure = |kind, message: String| Failure::new(kind, message).path(&path);
    let named = reading
        .lang
        .as_deref()
        .map(language)
        .transpose()
        .map_err(|error| failure("unknown-language", error.to_string()))?;
    if named.is_none() && reading.stdin_path.is_none() {
        let hint = "pass --lang LANG or --stdin-path PATH";
        return Err(failure("unknown-language", "stdin has no language".to_string()).hint(hint));
    }
    let bytes = read_stdin().map_err(|error| failure("unreadable", error.to_string()))?;
    let source =
        Source::from_bytes(bytes).map_err(|error| failure("unreadable", error.to_string()))?;
    let language = named
        .or_else(|| detect(&path, &source))
        .ok_or_else(|| failure("unknown-format", "unknown format".into()))?;
    if source.is_binary() {
        return Err(failure("binary", "binary, not read".to_string()));
    }
    Ok((source, language, path))
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
