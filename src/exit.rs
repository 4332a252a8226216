//! Exit codes and everything that goes to stderr: messages, hints, and the one flag that some file failed.
//! Never writes to stdout, decides nothing about answers.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::render::visible;

/// How a run ends. The numbers are a contract, listed in the README.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Asked and answered.
    Answered = 0,
    /// Asked for something that is not there.
    NotFound = 1,
    /// Bad usage, a missing or unreadable path, a format we do not know.
    Error = 2,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}

/// An error with its own exit code and, if there is something to type next, a hint.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    /// One word for programs: `not-found`, `unknown-language`, ...
    pub kind: &'static str,
    pub path: Option<String>,
    pub message: String,
    pub hint: Option<String>,
}

impl Failure {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Error,
            kind,
            path: None,
            message: message.into(),
            hint: None,
        }
    }

    pub fn not_found(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::NotFound,
            ..Failure::new(kind, message)
        }
    }

    pub fn path(mut self, path: &Path) -> Failure {
        self.path = Some(path.display().to_string());
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{path}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Failure {}

/// Where messages go. Shared by all threads of a run.
pub struct Messages {
    json: bool,
    quiet: bool,
    failed: AtomicBool,
}

#[derive(Serialize)]
struct JsonError<'a> {
    schema: &'static str,
    code: u8,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl Messages {
    pub fn new(json: bool, quiet: bool) -> Messages {
        Messages {
            json,
            quiet,
            failed: AtomicBool::new(false),
        }
    }

    /// Reports a failure that does not end the run; remembers an error for the exit code.
    pub fn fail(&self, failure: &Failure) {
        self.failed
            .fetch_or(failure.exit == Exit::Error, Ordering::Relaxed);
        self.print("error", failure.exit as u8, failure);
    }

    /// Says something that changes no exit code.
    pub fn note(&self, note: &Failure) {
        self.print("note", 0, note);
    }

    /// Says why there is no answer, where that is no error.
    pub fn miss(&self, miss: &Failure) {
        self.print("note", miss.exit as u8, miss);
    }

    /// What to type next, behind a message that somebody else printed.
    #[expect(clippy::print_stderr, reason = "the one place that writes messages")]
    pub fn hint(&self, hint: &str) {
        if !self.quiet && !self.json {
            eprintln!("hint: {}", visible(hint));
        }
    }

    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    #[expect(clippy::print_stderr, reason = "the one place that writes messages")]
    fn print(&self, level: &str, code: u8, failure: &Failure) {
        if self.quiet {
            return;
        }
        if self.json {
            let line = JsonError {
                schema: "ast-outline.error/1",
                code,
                kind: failure.kind,
                path: failure.path.as_deref(),
                message: &failure.message,
                hint: failure.hint.as_deref(),
            };
            eprintln!(
                "{}",
                serde_json::to_string(&line).expect("a message is plain strings")
            );
            return;
        }
        eprintln!("ast-outline: {level}: {}", visible(&failure.to_string()));
        if let Some(hint) = &failure.hint {
            eprintln!("hint: {}", visible(hint));
        }
    }
}
