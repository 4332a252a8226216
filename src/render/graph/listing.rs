//! One form for all answers of the graph: places in sections, on rungs of a ladder from single sites over definitions, files and
//! packages to counts. What the places are is for the verbs.

mod json;
mod parts;

use std::io::{self, Write};

pub use parts::{Change, Place, Rung, Section, Site, Sort, Status, Step, Trust};

use super::Risk;
use crate::render::{plural, visible};
use crate::view::LeftOut;

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

/// In the order in which they come first.
fn grouped<'a>(sites: &'a [Site], name: impl Fn(&Site) -> String) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = vec![];
    let mut known = std::collections::HashMap::new();
    for site in sites {
        let name = name(site);
        let at = *known.entry(name.clone()).or_insert_with(|| {
            groups.push(Group {
                name,
                sites: vec![],
            });
            groups.len() - 1
        });
        groups[at].sites.push(site);
    }
    groups
}

fn by_definition(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| {
        let def = &site.def;
        format!("{}:{}  {}", def.path, def.line, def.qual)
    })
}

fn by_file(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| site.def.path.clone())
}

fn by_package(sites: &[Site]) -> Vec<Group<'_>> {
    grouped(sites, |site| site.package.clone())
}

fn files_of(sites: &[&Site]) -> usize {
    let mut paths: Vec<&str> = sites.iter().map(|site| &*site.def.path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

fn definitions_of(sites: &[&Site]) -> usize {
    let mut defs: Vec<(&str, u32, &str)> = sites
        .iter()
        .map(|site| (&*site.def.path, site.def.line, &*site.def.qual))
        .collect();
    defs.sort_unstable();
    defs.dedup();
    defs.len()
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
            _ if !section.steps.is_empty() => Ok(()),
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
