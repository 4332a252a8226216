//! Answers of the graph: places by sections, and the line that says how far they can be trusted.

pub mod brief;
pub mod listing;
pub mod named;
mod risk;

pub use risk::Risk;

use crate::graph::eval::Shape;
use crate::graph::query::near::Hidden;
use crate::graph::query::state::State;

/// How far an answer can be trusted.
pub struct Honesty {
    /// The name that was asked for.
    pub name: String,
    /// Calls of that name that were not resolved, by [`Shape`].
    pub unresolved: Vec<(u8, u32)>,
    /// Files of it that could not be read whole.
    pub damaged: usize,
    pub state: State,
    /// What was not asked for.
    pub hidden: Hidden,
}

impl Honesty {
    pub fn unresolved_count(&self) -> u32 {
        self.unresolved.iter().map(|(_, count)| count).sum()
    }

    /// `no unresolved calls of "save"`, `3 unresolved calls of "save" (2 chain, 1 receiver)`.
    pub fn unresolved_words(&self) -> String {
        let count = self.unresolved_count();
        if count == 0 {
            return format!("no unresolved calls named `{}`", self.name);
        }
        let shapes = self
            .unresolved
            .iter()
            .map(|(shape, count)| format!("{count} {}", Shape::from(*shape).name()));
        let calls = if count == 1 { "call" } else { "calls" };
        format!(
            "{count} unresolved {calls} named `{}` ({})",
            self.name,
            shapes.collect::<Vec<_>>().join(", ")
        )
    }

    /// `its file does not parse whole`; none where it does.
    pub fn damaged_words(&self) -> Option<&'static str> {
        match self.damaged {
            0 => None,
            1 => Some("its file does not parse whole"),
            _ => Some("its files do not parse whole"),
        }
    }

    /// `index = 1a2b3c4d5e6f`, `index = 1a2b3c4d5e6f, 3 files behind`.
    pub fn index_words(&self) -> String {
        let head = self.state.indexed_head.as_deref();
        let head = head.map(|head| &head[..head.len().min(12)]);
        match (head, self.state.stale) {
            (Some(head), 0) => format!("index = {head} and the working tree"),
            (Some(head), stale) => format!("index = {head}, {stale} files behind"),
            (None, 0) => "index = the working tree".to_string(),
            (None, stale) => format!("index = {stale} files behind the working tree"),
        }
    }

    /// `2 more by tests (--tests)`; none where nothing was passed over.
    pub fn hidden_words(&self) -> Option<String> {
        let Hidden {
            tests,
            guesses,
            uses,
        } = self.hidden;
        let sorts = [
            (tests, "by tests (--tests)"),
            (guesses, "by guess (--guesses)"),
            (uses, "that only name it (--uses)"),
        ];
        let said = sorts.iter().filter(|(count, _)| *count > 0);
        let said: Vec<String> = said
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        (!said.is_empty()).then(|| format!("{} not shown", said.join(", ")))
    }

    /// Which zero it is, where nothing is shown.
    pub fn zero(&self) -> &'static str {
        match self.hidden {
            Hidden { tests: 1.., .. } => "only tests",
            Hidden { uses: 1.., .. } => "only uses that are no calls",
            Hidden { guesses: 1.., .. } => "only guesses",
            _ if self.unresolved_count() > 0 => "none that could be resolved",
            _ if self.damaged > 0 => "none, and its file does not parse whole",
            _ => "none is known",
        }
    }
}
