//! `verify`: whether what pointers point to is still there.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Result;

use super::versions::{Known, Lost, Version, Versions};
use super::{Run, read_stdin};
use crate::cli;
use crate::evidence::{Pointer, Relocation, short_hash, text_hash};
use crate::exit::{Exit, Failure};
use crate::git::Witness;
use crate::render::checks::{Check, Status};
use crate::source::Source;

pub fn run(run: Run<'_>, arguments: &cli::Verify) -> Result<Exit> {
    let words = words(&arguments.pointers)?;
    let cache = (!arguments.no_cache).then_some(arguments.cache_dir.as_deref());
    let mut versions = Versions::around(Path::new("."), cache);
    // What git has at the paths that are asked for is listed once for all of them.
    let parsed: Vec<_> = words
        .iter()
        .map(|word| (word, Pointer::parse(word)))
        .collect();
    let pointers = parsed
        .iter()
        .filter_map(|(_, pointer)| pointer.as_ref().ok());
    let paths = pointers
        .flat_map(Pointer::paths)
        .map(|path| versions.on_disk(path));
    let paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
    let witness = Witness::new(paths.iter().map(std::path::PathBuf::as_path));
    let mut holding = 0;
    for (word, pointer) in parsed {
        let pointer = match pointer {
            Ok(pointer) => pointer,
            Err(what) => {
                run.messages.fail(&malformed(word, what));
                continue;
            }
        };
        let check = check(&mut versions, &witness, word, &pointer);
        holding += usize::from(check.status.holds());
        match run.global.json {
            true => check.json(run.out)?,
            false => check.text(run.out)?,
        }
    }
    Ok(run.exit(holding, words.len()))
}

/// Arguments, or the lines of stdin for `-` and for none.
fn words(given: &[String]) -> Result<Vec<String>> {
    let from_stdin = given.is_empty() || given == ["-"];
    if given.is_empty() && std::io::stdin().is_terminal() {
        let failure = Failure::new("usage", "no pointer given");
        return Err(failure.hint("write PATH@VERSION#L12-L18~HASH").into());
    }
    if !from_stdin {
        return Ok(given.to_vec());
    }
    let text = read_stdin()?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(str::to_string).collect())
}

pub fn malformed(word: &str, what: &str) -> Failure {
    Failure::new("usage", format!("`{word}` {what}")).hint(
        "a pointer is PATH@VERSION#L12-L18, with ~HASH behind it where the text is to be checked",
    )
}

/// Compares what a pointer points to with the file of today.
fn check(versions: &mut Versions, witness: &Witness, word: &str, pointer: &Pointer) -> Check {
    let mut check = Check {
        pointer: word.to_string(),
        status: Status::Gone,
        path: None,
        from: pointer.lines,
        to: None,
        by: None,
        places: vec![],
        hash_checked: false,
        message: None,
        evidence: None,
    };
    let version = match versions.find(&pointer.paths(), &pointer.version) {
        Ok(version) => version,
        Err(lost) => {
            check.status = match lost {
                Lost::Unknown => Status::UnknownVersion,
                Lost::Ambiguous => Status::Ambiguous,
                Lost::NoSuchFile => Status::Gone,
            };
            let still = lost == Lost::Unknown && is_today(versions, pointer);
            let still = if still {
                ", but today these lines have its hash"
            } else {
                ""
            };
            let message = lost.failure(&pointer.version.to_string()).message;
            check.message = Some(message + still);
            return check;
        }
    };
    check.path = Some(String::from_utf8_lossy(&version.path).into_owned());
    if let Some((status, message)) = refuted(&version, pointer) {
        (check.status, check.message) = (status, Some(message));
        check.hash_checked = status == Status::Changed;
        return check;
    }
    let Some(today) = versions.today(&version.path) else {
        check.message = Some("there is no such text file today".to_string());
        return check;
    };
    compare(&mut check, &version, pointer, &today);
    if let Some(to) = check.to {
        let path = versions.on_disk(&version.path);
        let identity = witness.identify(&path, || today.original());
        check.evidence =
            identity.map(|identity| identity.pointer(to, short_hash(&today, to)).to_string());
    }
    check
}

/// Whether today's lines at that place have the hash of a pointer: its commit may have been rewritten.
fn is_today(versions: &Versions, pointer: &Pointer) -> bool {
    let Some(hash) = &pointer.hash else {
        return false;
    };
    let mut files = pointer.paths().into_iter();
    files
        .find_map(|path| versions.today(path))
        .is_some_and(|today| {
            let inside = pointer.lines.end <= today.lines().max(1);
            inside && text_hash(&today, pointer.lines).starts_with(hash.as_str())
        })
}

/// Where the pointer is wrong about its own version.
pub fn refuted(version: &Version, pointer: &Pointer) -> Option<(Status, String)> {
    let (lines, total) = (pointer.lines, version.lines());
    if lines.end > total {
        let message = format!("that version has {total} lines");
        return Some((Status::Gone, message));
    }
    let (Known::Text { source, .. }, Some(hash)) = (&version.known, &pointer.hash) else {
        return None;
    };
    let other = !text_hash(source, lines).starts_with(hash.as_str());
    other.then(|| {
        (
            Status::Changed,
            "the hash is not that of these lines at that version".to_string(),
        )
    })
}

fn compare(check: &mut Check, version: &Version, pointer: &Pointer, today: &Source) {
    let found = version.trace(today, pointer.lines);
    check.hash_checked = pointer.hash.is_some() && matches!(version.known, Known::Text { .. });
    (check.status, check.to, check.by) = match found {
        Relocation::Exact => (Status::Exact, Some(pointer.lines), None),
        Relocation::Moved(to, by) => (Status::Moved, Some(to), Some(by)),
        Relocation::Changed(to, by) => (Status::Changed, Some(to), Some(by)),
        Relocation::Gone => (Status::Gone, None, None),
        Relocation::Ambiguous(ref places) => {
            check.places = places.clone();
            (Status::Ambiguous, None, None)
        }
    };
    // Of a version whose text nobody has, the lines of today must do.
    if let (Some(to), Some(hash), true, false) = (
        check.to,
        &pointer.hash,
        check.status.holds(),
        check.hash_checked,
    ) {
        check.hash_checked = true;
        if !text_hash(today, to).starts_with(hash.as_str()) {
            check.status = Status::Changed;
            check.message = Some("the hash is not that of these lines".to_string());
        }
    }
    if check.status == Status::Gone {
        let nearest = version.nearest(today, pointer.lines);
        check.message = nearest.map(|nearest| format!("nearest is {nearest}"));
    }
}
