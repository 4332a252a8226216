//! What an answer is made of, and how each part reads on one line.

use crate::graph::eval::Grade;
use crate::graph::query::find::Def;
use crate::graph::query::near::Hidden;
use crate::model::{Kind, Lines};

/// How much is shown, finest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// Every site.
    Sites,
    /// One line a definition.
    Definitions,
    /// One line a file.
    Files,
    /// One line a package.
    Packages,
    Counts,
}

impl Rung {
    pub const ALL: [Rung; 5] = [
        Rung::Sites,
        Rung::Definitions,
        Rung::Files,
        Rung::Packages,
        Rung::Counts,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rung::Sites => "sites",
            Rung::Definitions => "definitions",
            Rung::Files => "files",
            Rung::Packages => "packages",
            Rung::Counts => "counts",
        }
    }
}

/// A definition as answers name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// As shown.
    pub path: String,
    pub qual: String,
    pub kind: Kind,
    /// Line of the name.
    pub line: u32,
    pub lines: Lines,
}

impl Place {
    /// `path` is how the file of the definition is shown.
    pub fn new(path: String, def: &Def) -> Place {
        Place {
            path,
            qual: def.qual.clone(),
            kind: def.kind,
            line: def.line,
            lines: def.lines,
        }
    }

    /// `src/a.py:10  Store.save  method`
    pub fn words(&self) -> String {
        let kind = self.kind.name().replace('_', " ");
        format!("{}:{}  {}  {kind}", self.path, self.line, self.qual)
    }
}

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Call,
    /// Named, not called.
    Use,
    Import,
    /// A member that stands for one of a base.
    Override,
    /// The definition itself.
    Definition,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::Call => "call",
            Sort::Use => "use",
            Sort::Import => "import",
            Sort::Override => "override",
            Sort::Definition => "definition",
        }
    }
}

/// A place of an answer.
#[derive(Debug, Clone)]
pub struct Site {
    /// Where it stands, as shown.
    pub path: String,
    pub line: u32,
    pub sort: Sort,
    /// The definition that it speaks of.
    pub def: Place,
    /// The other end, where it is none of those asked for.
    pub to: Option<Place>,
    /// The definition is what the other end calls.
    pub called: bool,
    pub grade: Option<Grade>,
    pub over: bool,
    pub dead: bool,
    pub test: bool,
    /// Of the definition's file.
    pub package: String,
    pub why: Option<String>,
    /// Of a site that a change left behind.
    pub status: Option<Status>,
    pub pointer: Option<String>,
}

/// What a change did to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It does not work any more.
    Broken,
    /// It may not: it is not known what it calls.
    Possible,
    /// It reaches what changed, and may work.
    Check,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Broken => "broken",
            Status::Possible => "possible",
            Status::Check => "check",
        }
    }
}

/// A part of how a call was resolved.
#[derive(Debug, Clone)]
pub struct Step {
    pub written: String,
    pub bound: Option<String>,
    pub means: String,
    /// Path as shown, and line.
    pub place: Option<(String, u32)>,
}

/// Sites that belong together.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// None where it is the only one.
    pub title: Option<String>,
    pub depth: Option<u32>,
    pub direction: Option<&'static str>,
    /// Of what is not reached: how sure that is.
    pub tier: Option<&'static str>,
    /// What was changed, and what became of it.
    pub change: Option<Change>,
    pub sites: Vec<Site>,
    pub steps: Vec<Step>,
}

/// A definition that is not what it was.
#[derive(Debug, Clone)]
pub struct Change {
    pub ops: Vec<&'static str>,
    pub was: Place,
    pub was_pointer: Option<String>,
    pub now: Option<Place>,
    pub signatures: Option<(String, String)>,
    /// Sites that do not work any more.
    pub broken: usize,
}

/// How far an answer can be trusted.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// Nothing that belongs to the answer is missing.
    pub exact: bool,
    /// What is said of it, in the last line.
    pub said: Vec<String>,
    pub unresolved: Option<u32>,
    pub hidden: Hidden,
    /// Why nothing is shown.
    pub zero: Option<String>,
    pub commit: Option<String>,
    pub stale: usize,
}

impl Site {
    /// `src/a.py:12  Store.flush -> Store.save  typed, via override`
    pub(super) fn words(&self) -> String {
        let mut marks: Vec<&str> = vec![];
        marks.extend(self.status.map(Status::name));
        marks.extend(match self.sort {
            Sort::Call | Sort::Definition => None,
            Sort::Use => Some("use"),
            Sort::Import => Some("import"),
            Sort::Override => Some("stands for it"),
        });
        marks.extend(
            self.grade
                .filter(|_| self.sort != Sort::Override)
                .map(Grade::name),
        );
        marks.extend((self.over && self.sort != Sort::Override).then_some("via override"));
        marks.extend(self.dead.then_some("dead branch"));
        marks.extend(self.test.then_some("test"));
        let ends = match &self.to {
            None => self.def.qual.clone(),
            Some(to) if self.called => format!("{} -> {}", to.qual, self.def.qual),
            Some(to) => format!("{} -> {}", self.def.qual, to.qual),
        };
        let why = self.why.as_ref().map(|why| format!(": {why}"));
        let marks = match marks.is_empty() {
            true => String::new(),
            false => format!("  {}", marks.join(", ")),
        };
        format!(
            "{}:{}  {ends}{marks}{}",
            self.path,
            self.line,
            why.unwrap_or_default()
        )
    }
}

impl Step {
    pub(super) fn words(&self) -> String {
        let bound = self.bound.as_ref().map(|bound| format!(" {bound},"));
        let place = self
            .place
            .as_ref()
            .map(|(path, line)| format!("  {path}:{line}"));
        format!(
            "`{}`{} is {}{}",
            self.written,
            bound.map_or(String::new(), |bound| format!(",{bound}")),
            self.means,
            place.unwrap_or_default()
        )
    }
}
