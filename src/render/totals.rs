//! How much there is to show, whatever is shown of it.

use serde::Serialize;

/// Of a file, or of several.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Totals {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
}

impl Totals {
    /// Of one file.
    pub fn of_lines(lines: u32) -> Totals {
        Totals {
            lines: Some(lines),
            ..Totals::default()
        }
    }

    pub fn of_files(files: usize) -> Totals {
        Totals {
            files: Some(files),
            ..Totals::default()
        }
    }

    pub fn of_matches(matches: usize, files: usize) -> Totals {
        Totals {
            matches: Some(matches),
            files: Some(files),
            ..Totals::default()
        }
    }

    /// Of changed definitions: in one file, or in several.
    pub fn of_changes(changes: usize, files: Option<usize>) -> Totals {
        Totals {
            changes: Some(changes),
            files,
            ..Totals::default()
        }
    }
}
