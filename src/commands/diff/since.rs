//! `diff --since VERSION PATH`: a file of today and what it was when an answer named that version.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::ask::Asked;
use super::files::{Text, Where, two};
use crate::cli;
use crate::commands::is_stdin;
use crate::commands::versions::{Known, Versions};
use crate::evidence::Revision;
use crate::exit::Failure;
use crate::render::diff::Label;
use crate::render::{argument, command};

pub fn ask(version: &str, arguments: &cli::Diff) -> Result<Asked> {
    let named = arguments.versions.iter().map(PathBuf::from);
    let paths: Vec<PathBuf> = named.chain(arguments.paths.iter().cloned()).collect();
    if paths.is_empty() {
        let failure = Failure::new("usage", "--since wants the PATH of a file");
        return Err(failure
            .hint(format!("ast-outline diff --since {version} PATH"))
            .into());
    }
    if paths.iter().any(|path| is_stdin(path)) {
        let failure = Failure::new("usage", "stdin has no older version");
        return Err(failure.hint("ast-outline diff REV:PATH -").into());
    }
    let mut jobs = vec![];
    for path in &paths {
        let before =
            before(version, path, &arguments.reading).map_err(|failure| failure.path(path))?;
        jobs.push(two(before, Where::disk(path)));
    }
    let label = |name: &str| Label {
        name: name.to_string(),
        id: None,
    };
    let single = jobs.len() == 1;
    let to = match paths.as_slice() {
        [one] => label(&one.display().to_string()),
        _ => label("working tree"),
    };
    Ok(Asked::of_files(label(version), to, single, jobs))
}

/// The file as it was.
fn before(version: &str, path: &Path, reading: &cli::Reading) -> Result<Where, Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let cache = (!reading.no_cache).then_some(reading.cache_dir.as_deref());
    let mut versions = Versions::around(folder.unwrap_or(Path::new(".")), cache);
    let name = versions
        .path_of(path)
        .ok_or_else(|| Failure::new("unreadable", "no such file"))?;
    let found = versions
        .find_written(&name, version)
        .map_err(|lost| lost.failure(version))?;
    match found.known {
        Known::Text { source, .. } => Ok(Where {
            shown: path.to_path_buf(),
            local: path.to_path_buf(),
            path: found.path,
            text: Text::Bytes(source.original().into()),
            commit: match found.revision {
                Revision::Commit(id) => Some(id),
                Revision::Blob(_) => None,
            },
        }),
        Known::Keys(_) => {
            let message =
                format!("of version `{version}` only hashes of its lines were kept, not its text");
            let shown = argument(&path.to_string_lossy());
            let read = command(&format!("read --since {version} {shown}"));
            let hint = format!("`{read}` shows the definitions of today that have other lines");
            Err(Failure::not_found("unknown-version", message).hint(hint))
        }
    }
}
