//! How far a change reaches, in one word.

/// By who depends on what changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Nobody, as far as calls were resolved.
    Low,
    /// Nobody that is known, but calls that were not resolved may.
    Unknown,
    /// Other files.
    Medium,
    /// Other packages.
    High,
}

impl Risk {
    pub fn name(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Unknown => "unknown",
            Risk::Medium => "medium",
            Risk::High => "high",
        }
    }
}
