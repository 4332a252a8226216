//! Answers as text and as JSON. Writes into a given writer, decides nothing about what is shown.

pub mod checks;
mod declared;
pub mod diff;
mod elements;
pub mod excerpt;
pub mod folders;
pub mod graph;
mod header;
pub mod json;
pub mod schema;
pub mod search;
pub mod text;
pub mod tokens;
mod totals;

pub use declared::{Declared, Elided};
pub use totals::Totals;

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use serde::Serialize;

use crate::git::Identity;
use crate::lang::Language;
use crate::model::{Item, Kind, Lines, Outline};
use crate::source::{Source, Version};

pub use header::plural;

/// One file with everything an answer says about it.
pub struct File<'a> {
    /// As typed or found, lossy where it is not UTF-8.
    pub path: Cow<'a, str>,
    /// The path's bytes, where they are not UTF-8.
    pub path_bytes: Option<&'a [u8]>,
    pub language: &'static Language,
    pub version: Version,
    pub bytes: u64,
    pub outline: &'a Outline,
    /// The text, for views that show it.
    pub source: Option<&'a Source>,
    /// What somebody else wrote about it, for the view of that.
    pub summary: Option<&'a str>,
    /// A pointer to the whole file, where that is said.
    pub pointer: Option<String>,
    /// To make pointers to each definition with, where these are asked for; the text is at hand then.
    pub each: Option<&'a Identity>,
}

/// One element of `evidence` in JSON.
#[derive(Debug, Serialize)]
pub struct Evidence {
    pub pointer: String,
}

/// Control characters but tab as `\xNN`, so that nothing from a file reaches the terminal raw.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() && c != '\t') {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        '\t' => c.to_string(),
        c if c.is_control() => format!("\\x{:02x}", c as u32),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// A path's bytes, where they are not UTF-8 and the text of an answer cannot hold them.
#[cfg(unix)]
pub fn path_bytes(path: &Path) -> Option<&[u8]> {
    use std::os::unix::ffi::OsStrExt;
    path.to_str().is_none().then(|| path.as_os_str().as_bytes())
}

#[cfg(not(unix))]
pub fn path_bytes(_: &Path) -> Option<&[u8]> {
    None
}

/// A word as a POSIX shell takes it. Control characters are escaped for the shell, since what [`visible`] makes of them
/// would be another word.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:+@%,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else if word.chars().any(|c| c.is_control() && c != '\t') {
        format!("$'{}'", word.chars().map(escaped).collect::<String>())
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A character between `$'` and `'`: three octal digits a byte, for no digit behind them to be read with them.
fn escaped(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        c if c.is_control() => c
            .encode_utf8(&mut [0; 4])
            .bytes()
            .map(|byte| format!("\\{byte:03o}"))
            .collect(),
        c => c.to_string(),
    }
}

/// A name with the scope it is written with, where nothing printed around it says so: the type of a method that stands
/// outside of it, the path of a table.
fn full_name(item: &Item) -> &str {
    let scoped = match item.kind {
        Kind::Key => item.qualname.matches('/').count() > 1,
        Kind::Impl => false,
        _ => true,
    };
    if item.parent.is_none() && scoped {
        &item.qualname
    } else {
        &item.name
    }
}

/// A path in a printed command.
pub fn argument(path: &str) -> String {
    let options_end = if path.starts_with('-') { "-- " } else { "" };
    options_end.to_string() + &visible(&shell_word(path))
}

/// Where this run works, if not where it was started.
static DIRECTORY: OnceLock<String> = OnceLock::new();

/// Says that paths are meant from a folder that was named with `-C`: printed commands name it, too.
pub fn work_in(directory: &str) {
    DIRECTORY.get_or_init(|| format!("-C {} ", visible(&shell_word(directory))));
}

/// A command of ours that works as printed, where this run was started.
pub fn command(words: &str) -> String {
    let directory = DIRECTORY.get().map_or("", String::as_str);
    format!("ast-outline {directory}{words}")
}

/// The command that lists what a file or folder defines.
pub fn outline_command(path: &str) -> String {
    command(&format!("outline {}", argument(path)))
}

/// The command that prints lines of a file.
pub fn region_command(path: &str, Lines { start, end }: Lines) -> String {
    command(&format!(
        "region {}",
        argument(&format!("{path}:{start}-{end}"))
    ))
}
