//! The same in JSON: one object. Sites stand in one list, each with the number of its group.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Group, Listing, Place, Rung, Section, Site, by_definition, by_file, by_package, definitions_of,
    files_of,
};
use crate::render::declared::JsonDeclared;
use crate::render::{Declared, Elided};

#[derive(Serialize)]
struct Json<'a> {
    schema: String,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    definitions: Vec<JsonPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<usize>,
    totals: Totals,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<JsonGroup<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sites: Option<Vec<JsonSite<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_definition: Option<Vec<Counted<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_file: Option<Vec<Counted<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_package: Option<Vec<Counted<'a>>>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unresolved: Option<u32>,
    hidden: JsonHidden,
    #[serde(skip_serializing_if = "Option::is_none")]
    zero: Option<&'a str>,
    honesty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    stale: usize,
    elided: Vec<Elided>,
    next: Vec<&'a str>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    path: &'a str,
    qualname: &'a str,
    kind: &'static str,
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct Totals {
    sites: usize,
    definitions: usize,
    files: usize,
    packages: usize,
}

#[derive(Serialize)]
struct JsonHidden {
    tests: usize,
    guesses: usize,
    uses: usize,
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<JsonChange<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<JsonStep<'a>>,
    totals: Totals,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    ops: &'a [&'static str],
    was: JsonPlace<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    was_pointer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<JsonPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_signature: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_signature: Option<&'a str>,
    broken: usize,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    written: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'a str>,
    means: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
struct JsonSite<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    path: &'a str,
    line: u32,
    kind: &'static str,
    definition: JsonPlace<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<JsonPlace<'a>>,
    package: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    via_override: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dead: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
}

/// Sites under one heading.
#[derive(Serialize)]
struct Counted<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<JsonPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    sites: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    definitions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
}

fn place(place: &Place) -> JsonPlace<'_> {
    JsonPlace {
        path: &place.path,
        qualname: &place.qual,
        kind: place.kind.name(),
        start_line: place.lines.start,
        end_line: place.lines.end,
    }
}

fn totals(sites: &[Site]) -> Totals {
    let all: Vec<&Site> = sites.iter().collect();
    Totals {
        sites: all.len(),
        definitions: definitions_of(&all),
        files: files_of(&all),
        packages: by_package(sites).len(),
    }
}

fn group(section: &Section) -> Option<JsonGroup<'_>> {
    Some(JsonGroup {
        title: section.title.as_deref()?,
        depth: section.depth,
        direction: section.direction,
        tier: section.tier,
        change: section.change.as_ref().map(|change| JsonChange {
            ops: &change.ops,
            was: place(&change.was),
            was_pointer: change.was_pointer.as_deref(),
            now: change.now.as_ref().map(place),
            old_signature: change.signatures.as_ref().map(|(old, _)| &**old),
            new_signature: change.signatures.as_ref().map(|(_, new)| &**new),
            broken: change.broken,
        }),
        steps: section.steps.iter().map(json_step).collect(),
        totals: totals(&section.sites),
    })
}

fn json_step(step: &super::Step) -> JsonStep<'_> {
    JsonStep {
        written: &step.written,
        bound: step.bound.as_deref(),
        means: &step.means,
        path: step.place.as_ref().map(|(path, _)| &**path),
        line: step.place.as_ref().map(|(_, line)| *line),
    }
}

fn site(site: &Site, group: Option<usize>) -> JsonSite<'_> {
    JsonSite {
        group,
        path: &site.path,
        line: site.line,
        kind: site.sort.name(),
        definition: place(&site.def),
        to: site.to.as_ref().map(place),
        package: &site.package,
        how: site.grade.map(|grade| grade.name()),
        confidence: site.grade.map(|grade| grade.confidence()),
        via_override: site.over,
        dead: site.dead,
        test: site.test,
        status: site.status.map(|status| status.name()),
        why: site.why.as_deref(),
        pointer: site.pointer.as_deref(),
    }
}

impl Listing {
    /// The answer as one line.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn json(&self, out: &mut dyn Write, rung: Rung, declared: &Declared) -> io::Result<()> {
        let all: Vec<Site> = self.sites().cloned().collect();
        let json = Json {
            schema: format!("ast-outline.{}/1", self.verb),
            view: rung.name(),
            declared: declared.json(),
            definitions: self.asked.iter().map(place).collect(),
            risk: self.risk.map(|risk| risk.name()),
            broken: self.broken,
            totals: totals(&all),
            groups: self.sections.iter().filter_map(group).collect(),
            sites: (rung == Rung::Sites).then(|| {
                self.each(|section, at| section.sites.iter().map(|one| site(one, at)).collect())
            }),
            by_definition: (rung == Rung::Definitions).then(|| {
                self.counts(by_definition, |counted, one| {
                    counted.definition = Some(place(&one.def));
                })
            }),
            by_file: (rung == Rung::Files).then(|| {
                self.counts(by_file, |counted, one| {
                    counted.path = Some(&one.def.path);
                })
            }),
            by_package: (rung == Rung::Packages).then(|| {
                self.counts(by_package, |counted, one| {
                    counted.package = Some(&one.package);
                })
            }),
            exact: self.trust.exact,
            unresolved: self.trust.unresolved,
            hidden: JsonHidden {
                tests: self.trust.hidden.tests,
                guesses: self.trust.hidden.guesses,
                uses: self.trust.hidden.uses,
            },
            zero: self.trust.zero.as_deref(),
            honesty: self.last_line(),
            commit: self.trust.commit.as_deref(),
            stale: self.trust.stale,
            elided: declared.elided().collect(),
            next: declared.command.as_deref().into_iter().collect(),
        };
        serde_json::to_writer(&mut *out, &json)?;
        writeln!(out)
    }

    /// What sections give, each with its number where it has a title.
    fn each<'a, T>(&'a self, mut of: impl FnMut(&'a Section, Option<usize>) -> Vec<T>) -> Vec<T> {
        let mut number = 0;
        let mut all = vec![];
        for section in &self.sections {
            let at = section.title.as_ref().map(|_| number);
            number += usize::from(at.is_some());
            all.extend(of(section, at));
        }
        all
    }

    fn counts<'a>(
        &'a self,
        groups: fn(&'a [Site]) -> Vec<Group<'a>>,
        name: fn(&mut Counted<'a>, &'a Site),
    ) -> Vec<Counted<'a>> {
        self.each(|section, at| {
            let counted = groups(&section.sites).into_iter().map(|group| {
                let mut counted = Counted {
                    group: at,
                    path: None,
                    definition: None,
                    package: None,
                    sites: group.sites.len(),
                    definitions: Some(definitions_of(&group.sites)),
                    files: Some(files_of(&group.sites)),
                };
                name(&mut counted, group.sites[0]);
                counted
            });
            counted.collect()
        })
    }
}
