//! What a definition is tied to: who calls it, what it calls, how it was come to. Beside its lines, not in place of them.

use std::io::{self, Write};

use serde::Serialize;

use crate::render::{plural, visible};

/// Callers and callees of a definition.
#[derive(Debug, Clone, Serialize)]
pub struct Around {
    pub callers: Ends,
    pub callees: Ends,
    /// Calls of its name that were not resolved.
    pub unresolved: u32,
}

/// The other ends of calls.
#[derive(Debug, Clone, Serialize)]
pub struct Ends {
    /// Calls of it; of what it calls, definitions.
    pub count: usize,
    pub files: usize,
    /// The first few.
    pub first: Vec<End>,
}

#[derive(Debug, Clone, Serialize)]
pub struct End {
    pub qualname: String,
    pub path: String,
    /// Of a caller, where it calls; of a callee, where it is defined.
    pub line: u32,
}

/// How a definition was come to that nobody named, or what of its calls leads in a circle.
#[derive(Debug, Clone, Serialize)]
pub struct Reached {
    /// Calls from what was asked for; 0 of that itself.
    pub depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_by: Option<String>,
    /// What it calls that led to it: not followed again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<String>,
}

impl Around {
    /// `# called 9 times in 4 files: Api.post src/api.py:41 +8` and `# calls 3 definitions in 2 files: ...`
    pub fn text(&self, out: &mut dyn Write, (dim, end): (&str, &str)) -> io::Result<()> {
        let callers = &self.callers;
        let called = match callers.count {
            0 => "no calls found".to_string(),
            count => format!(
                "called {} in {}",
                plural(count, "time"),
                plural(callers.files, "file")
            ),
        };
        let unresolved = match self.unresolved {
            0 => String::new(),
            count => format!(
                "; {} of that name",
                plural(count as usize, "unresolved call")
            ),
        };
        let line = format!("# {called}{}{unresolved}", callers.listed());
        writeln!(out, "{dim}{}{end}", visible(&line))?;
        let callees = &self.callees;
        let calls = match callees.count {
            0 => return Ok(()),
            count => format!(
                "# calls {} in {}",
                plural(count, "definition"),
                plural(callees.files, "file")
            ),
        };
        writeln!(out, "{dim}{}{end}", visible(&(calls + &callees.listed())))
    }
}

impl Ends {
    fn listed(&self) -> String {
        let place = |end: &End| format!("{} {}:{}", end.qualname, end.path, end.line);
        let places: Vec<String> = self.first.iter().map(place).collect();
        let more = match self.count - self.first.len() {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        match places.is_empty() {
            true => String::new(),
            false => format!(": {}{more}", places.join(", ")),
        }
    }
}

impl Reached {
    /// `called by Store.save, depth 1`
    pub fn fact(&self) -> String {
        let by = self.called_by.as_ref();
        let by = by.map(|by| format!("called by {by}, depth {}", self.depth));
        let cycles = self.cycles.join(", ");
        let again =
            (!cycles.is_empty()).then(|| format!("CYCLE: calls {cycles} again, not followed"));
        let facts: Vec<String> = by.into_iter().chain(again).collect();
        facts.join(", ")
    }
}
