//! What a summarizer wrote about a file, one record a file, with the version it was written about. What cannot be read or
//! written is as if it were not there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::folder::{Folder, TEMPORARY};

/// Names of records begin so.
pub(super) const SUMMARY: &str = "summary-";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Of the text that it is about.
    pub version: String,
    /// The command that wrote it.
    pub summarizer: String,
    pub text: String,
}

/// The last summary of a file.
pub fn summary(folder: &Folder, file: &Path) -> Option<Summary> {
    let bytes = fs::read(folder.path.join(name(file)?)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Keeps a summary of a file in place of the last.
///
/// # Errors
/// Where the folder cannot be written.
pub fn keep_summary(folder: &Folder, file: &Path, summary: &Summary) -> io::Result<()> {
    let name = name(file).ok_or(io::ErrorKind::NotFound)?;
    folder.make()?;
    let temporary = format!("{TEMPORARY}{}-{name}", std::process::id());
    let (path, mut out) = folder.create(&temporary)?;
    out.write_all(&serde_json::to_vec(summary)?)?;
    fs::rename(&path, folder.path.join(name))
}

/// Of the record about a file; none where it is gone.
fn name(file: &Path) -> Option<String> {
    let path = fs::canonicalize(file).ok()?;
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes());
    Some(format!("{SUMMARY}{}.json", &hash.to_hex()[..16]))
}
