//! What became of lines that were pointed to, as text and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::text::line_range;
use super::{Evidence, visible};
use crate::evidence::By;
use crate::model::Lines;

/// How lines of a version stand to the file as it is today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The same text at the same lines.
    Exact,
    /// The same text at other lines.
    Moved,
    Changed,
    Gone,
    /// Nobody knows the version.
    UnknownVersion,
    /// Several versions or places are meant.
    Ambiguous,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Exact => "exact",
            Status::Moved => "moved",
            Status::Changed => "changed",
            Status::Gone => "gone",
            Status::UnknownVersion => "unknown-version",
            Status::Ambiguous => "ambiguous",
        }
    }

    /// Whether the text that was pointed to is there.
    pub fn holds(self) -> bool {
        matches!(self, Status::Exact | Status::Moved)
    }
}

/// The answer to one pointer.
#[derive(Debug)]
pub struct Check {
    /// As it was given.
    pub pointer: String,
    pub status: Status,
    /// The file, from the root of the repository; none where the version is not known.
    pub path: Option<String>,
    pub from: Lines,
    /// Where the lines are, or what stands in their place.
    pub to: Option<Lines>,
    /// None where nothing had to be found.
    pub by: Option<By>,
    /// Where their text stands, if in several places.
    pub places: Vec<Lines>,
    /// Whether the pointer's hash was compared with the text of that version.
    pub hash_checked: bool,
    /// Why, where the status alone does not say it.
    pub message: Option<String>,
    /// A pointer to the lines as they are today.
    pub evidence: Option<String>,
}

#[derive(Serialize)]
pub struct JsonLines {
    start_line: u32,
    end_line: u32,
}

impl From<Lines> for JsonLines {
    fn from(lines: Lines) -> JsonLines {
        JsonLines {
            start_line: lines.start,
            end_line: lines.end,
        }
    }
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    schema: &'static str,
    pointer: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    from: JsonLines,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<JsonLines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<JsonLines>,
    hash_checked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
}

impl Check {
    /// `moved L12-18 -> L20-26  src/a.py@...`: the status, what it is about, and why.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = self.status.name().to_string();
        if let Some(to) = self.to.filter(|_| self.status != Status::Exact) {
            line += &format!(" {} -> {}", line_range(self.from), line_range(to));
        }
        line += &format!("  {}", self.pointer);
        let mut notes: Vec<String> = self.message.iter().cloned().collect();
        if !self.places.is_empty() {
            let places: Vec<String> = self.places.iter().map(|&lines| line_range(lines)).collect();
            notes.push(format!("stands at {}", places.join(", ")));
        }
        if self.status.holds() && !self.hash_checked {
            notes.push("hash not checked".to_string());
        }
        if let Some(evidence) = self
            .evidence
            .as_ref()
            .filter(|_| self.status == Status::Moved)
        {
            notes.push(format!("now {evidence}"));
        }
        if !notes.is_empty() {
            line += &format!("  ({})", notes.join("; "));
        }
        writeln!(out, "{}", visible(&line))
    }

    /// # Errors
    /// Those of the writer.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let pointers = self.evidence.iter().cloned();
        let answer = JsonCheck {
            schema: "ast-outline.verify/1",
            pointer: &self.pointer,
            status: self.status.name(),
            path: self.path.as_deref(),
            from: self.from.into(),
            to: self.to.map(JsonLines::from),
            found_by: self.by.map(By::name),
            places: self.places.iter().map(|&lines| lines.into()).collect(),
            hash_checked: self.hash_checked,
            message: self.message.as_deref(),
            evidence: pointers.map(|pointer| Evidence { pointer }).collect(),
        };
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)
    }
}
