//! `read --view summary`: what a command of the user's writes about a file. It is run only when asked for, and not again for
//! a text it has seen. The one place besides git that starts a process; where there is no command, the last summary is
//! answered, and called stale if the file moved on.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::is_stdin;
use crate::cache::{Folder, Summary, keep_summary, summary};
use crate::cli::Reading;
use crate::exit::Failure;
use crate::source::Source;

const SUMMARIZER: &str = "AST_OUTLINE_SUMMARIZER";

/// A text about a file.
pub struct Written {
    pub text: String,
    /// The file is another now than the one it is about.
    pub stale: bool,
}

/// The summary of a file.
///
/// # Errors
/// The command fails, or there is none and nothing is known.
pub fn written(path: &Path, source: &Source, reading: &Reading) -> Result<Written, Failure> {
    let version = source.version().to_string();
    let folder = match reading.no_cache || is_stdin(path) {
        true => None,
        false => Folder::locate(reading.cache_dir.as_deref(), Some(path)).ok(),
    };
    let known = folder.as_ref().and_then(|folder| summary(folder, path));
    let summarizer = std::env::var(SUMMARIZER).unwrap_or_default();
    if let Some(known) = known.as_ref().filter(|known| {
        known.version == version && (summarizer.is_empty() || known.summarizer == summarizer)
    }) {
        return Ok(Written {
            text: known.text.clone(),
            stale: false,
        });
    }
    match (summarizer.is_empty(), known) {
        (true, Some(known)) => Ok(Written {
            text: known.text,
            stale: true,
        }),
        (true, None) => {
            let failure = Failure::not_found("no-summary", "no summary is known").path(path);
            let hint = format!(
                "set {SUMMARIZER} to a command that reads source on stdin and writes a summary"
            );
            Err(failure.hint(hint))
        }
        (false, _) => {
            let text = ask(&summarizer, source.original())
                .map_err(|message| Failure::new("summarizer", message).path(path))?;
            let new = Summary {
                version,
                summarizer,
                text,
            };
            if let Some(folder) = folder {
                // What cannot be kept is written again next time.
                let _ = keep_summary(&folder, path, &new);
            }
            Ok(Written {
                text: new.text,
                stale: false,
            })
        }
    }
}

/// Runs the command as a shell does.
fn ask(summarizer: &str, text: &[u8]) -> Result<String, String> {
    let (shell, flag) = match cfg!(windows) {
        true => ("cmd", "/C"),
        false => ("sh", "-c"),
    };
    let mut command = Command::new(shell);
    command.arg(flag).arg(summarizer);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let failed = |what: String| format!("{SUMMARIZER} `{summarizer}`: {what}");
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A command that answers before it has read all must not keep us waiting, nor we it.
        scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(text)));
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    let mut text = String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_string();
    text.push('\n');
    Ok(text)
}
