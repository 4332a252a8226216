//! One form for all answers of the graph: places in sections, on rungs of a ladder from single sites over definitions, files and
//! packages to counts. What the places are is for the verbs.

mod group;
mod json;

use self::group::{by_definition, by_file, by_package, definitions_of, files_of};

use std::io::{self, Write};

use super::Risk;
use crate::graph::eval::Grade;
use crate::graph::query::find::Def;
use crate::graph::query::near::Hidden;
use crate::model::{Kind, Lines};
use crate::render::{plural, visible};
use crate::view::LeftOut;

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

/// An answer of the graph.
pub struct Listing {
    /// The verb, as its schema is called.
    pub verb: &'static str,
    /// Lines in front, in text.
    pub head: Vec<String>,
    pub asked: Vec<Place>,
    pub risk: Option<Risk>,
    /// Sites that do not work any more; of answers about changes.
    pub broken: Option<usize>,
    /// What one site is called.
    pub what: &'static str,
    /// Sites of a section stand by packages.
    pub by_package: bool,
    pub sections: Vec<Section>,
    pub trust: Trust,
}

/// Sites under one heading.
struct Group<'a> {
    name: String,
    sites: Vec<&'a Site>,
}

impl Site {
    /// `src/a.py:12  Store.flush -> Store.save  typed, via override`
    fn words(&self) -> String {
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
        let to = self.to.as_ref().map(|to| format!(" -> {}", to.qual));
        let why = self.why.as_ref().map(|why| format!(": {why}"));
        let marks = match marks.is_empty() {
            true => String::new(),
            false => format!("  {}", marks.join(", ")),
        };
        format!(
            "{}:{}  {}{}{marks}{}",
            self.path,
            self.line,
            self.def.qual,
            to.unwrap_or_default(),
            why.unwrap_or_default()
        )
    }
}

impl Step {
    fn words(&self) -> String {
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

impl Listing {
    pub fn sites(&self) -> impl Iterator<Item = &Site> {
        self.sections.iter().flat_map(|section| &section.sites)
    }

    pub fn sites_mut(&mut self) -> impl Iterator<Item = &mut Site> {
        self.sections
            .iter_mut()
            .flat_map(|section| &mut section.sites)
    }

    /// `12 calls by 5 definitions in 3 files`
    pub fn counted(&self) -> String {
        let sites: Vec<&Site> = self.sites().collect();
        self.summary(&sites)
    }

    fn summary(&self, sites: &[&Site]) -> String {
        let count = plural(sites.len(), self.what);
        match sites.is_empty() {
            true => count,
            false => format!("{count} in {}", plural(files_of(sites), "file")),
        }
    }

    /// What a rung leaves out.
    pub fn left_out(&self, rung: Rung) -> Vec<LeftOut> {
        let all: Vec<&Site> = self.sites().collect();
        let (what, count) = match rung {
            Rung::Sites => return vec![],
            Rung::Definitions => {
                let shown = self
                    .sections
                    .iter()
                    .map(|section| by_definition(&section.sites).len());
                ("sites", all.len() - shown.sum::<usize>())
            }
            Rung::Files => ("definitions", definitions_of(&all)),
            Rung::Packages => ("files", files_of(&all)),
            Rung::Counts => ("files", files_of(&all)),
        };
        Some(LeftOut { what, count })
            .filter(|left| left.count > 0)
            .into_iter()
            .collect()
    }

    /// The answer; `facts` is what it says of its budget, `more` the command that prints what is left out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn text(
        &self,
        out: &mut dyn Write,
        rung: Rung,
        facts: Option<&str>,
        more: Option<&str>,
    ) -> io::Result<()> {
        if let Some(facts) = facts {
            writeln!(out, "{}", visible(facts))?;
        }
        for line in &self.head {
            writeln!(out, "{}", visible(line))?;
        }
        for section in &self.sections {
            self.section(out, section, rung)?;
        }
        if let Some(more) = more {
            writeln!(out, "... more  ({})", visible(more))?;
        }
        writeln!(out, "{}", visible(&self.last_line()))
    }

    fn last_line(&self) -> String {
        let bound = if self.trust.exact {
            "exact"
        } else {
            "lower bound"
        };
        format!("{bound}: {}", self.trust.said.join("; "))
    }

    fn section(&self, out: &mut dyn Write, section: &Section, rung: Rung) -> io::Result<()> {
        let sites = &section.sites;
        if let Some(title) = &section.title {
            let all: Vec<&Site> = sites.iter().collect();
            let counted = match section.steps.is_empty() {
                true => format!(": {}", self.summary(&all)),
                false => String::new(),
            };
            writeln!(out, "{}{counted}", visible(title))?;
        }
        if let Some((old, new)) = section
            .change
            .as_ref()
            .and_then(|change| change.signatures.as_ref())
        {
            writeln!(out, "  - {}", visible(old))?;
            writeln!(out, "  + {}", visible(new))?;
        }
        if rung <= Rung::Definitions {
            for step in &section.steps {
                writeln!(out, "  {}", visible(&step.words()))?;
            }
        }
        match rung {
            Rung::Sites | Rung::Definitions if self.by_package => {
                for group in by_package(sites) {
                    let count = plural(group.sites.len(), self.what);
                    writeln!(out, "  {}: {count}", visible(&group.name))?;
                    let own: Vec<Site> = group.sites.into_iter().cloned().collect();
                    self.lines(out, &own, rung, "    ")?;
                }
                Ok(())
            }
            _ => self.lines(out, sites, rung, "  "),
        }
    }

    fn lines(
        &self,
        out: &mut dyn Write,
        sites: &[Site],
        rung: Rung,
        indent: &str,
    ) -> io::Result<()> {
        let groups = match rung {
            Rung::Sites => {
                return sites
                    .iter()
                    .try_for_each(|site| writeln!(out, "{indent}{}", visible(&site.words())));
            }
            Rung::Counts => return Ok(()),
            Rung::Definitions => by_definition(sites),
            Rung::Files => by_file(sites),
            Rung::Packages => by_package(sites),
        };
        for group in groups {
            let count = plural(group.sites.len(), self.what);
            let more = match rung {
                Rung::Files => format!(", {}", plural(definitions_of(&group.sites), "definition")),
                Rung::Packages => format!(" in {}", plural(files_of(&group.sites), "file")),
                _ => String::new(),
            };
            writeln!(out, "{indent}{}  {count}{more}", visible(&group.name))?;
        }
        Ok(())
    }
}
