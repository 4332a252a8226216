//! `impact`: what depends on a definition or a file, by depth and by package; with `--diff`, what a change broke.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::print::print;
use super::{Graph, broken};
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::eval::Grade;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Scope};
use crate::graph::query::packs::Packs;
use crate::graph::query::reach::{self, MOST_OVERRIDES, Reach, Reached, Way};
use crate::render::graph::Risk;
use crate::render::graph::listing::{Listing, Rung, Section, Site, Sort};

/// What is asked about.
struct Asked {
    /// What stands in the answer for it.
    defs: Vec<Def>,
    head: Vec<String>,
    ids: Vec<i64>,
    /// A name whose calls may not be resolved.
    named: bool,
    /// Files that it stands in, from the root of the index.
    paths: Vec<String>,
}

pub fn run(mut run: Run<'_>, arguments: &cli::Impact) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    if let Some(revision) = &arguments.diff {
        return broken::run(run, &graph, revision, arguments);
    }
    let what = arguments.what.as_ref();
    let what =
        what.ok_or_else(|| Failure::new("usage", "impact wants a name, a file or --diff REV"))?;
    let asked = asked(&graph, what)?;
    let scope = arguments.counted.scope(true);
    let packs = Packs::read(&graph.db)?;
    let mut found = Found::default();
    for (way, word) in ways(arguments.direction) {
        let reach = reach::reach(&graph.db, &asked.ids, way, arguments.depth, scope)?;
        found.add(&graph, &asked, reach, (way, word), &packs)?;
    }
    let all = near::callers(&graph.db, &asked.ids, Scope::ALL)?;
    let outside = all
        .into_iter()
        .filter(|step| !asked.ids.contains(&step.def.id));
    let hidden = near::asked_for(outside.collect(), scope).1;
    let honesty = match asked.named {
        true => graph.honesty(&asked.defs, scope, hidden)?,
        false => graph.honesty_of_all(hidden)?,
    };
    let (risk, risk_words) = found.risk(honesty.unresolved_count());
    let depends = arguments.direction != cli::Direction::Out;
    let mut listing = Listing {
        verb: "impact",
        head: asked.head,
        asked: asked.defs.iter().map(|def| graph.place(def)).collect(),
        risk: depends.then_some(risk),
        broken: None,
        what: "site",
        by_package: true,
        sections: found.sections,
        trust: Default::default(),
    };
    listing.head.extend(depends.then_some(risk_words));
    let mut counted = listing.counted();
    if found.capped > 0 {
        counted += &format!(
            ", {} overriding members past the first {MOST_OVERRIDES} not followed",
            found.capped
        );
    }
    let sure = listing
        .sites()
        .all(|site| site.grade <= Some(Grade::Inferred));
    listing.trust = graph.trust(sure && found.capped == 0, counted, &honesty);
    if listing.sites().next().is_none() {
        listing.trust.said[0] += &format!(" ({})", honesty.zero());
        listing.trust.zero = Some(honesty.zero().to_string());
    }
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

fn ways(direction: cli::Direction) -> Vec<(Way, &'static str)> {
    match direction {
        cli::Direction::In => vec![(Way::In, "in")],
        cli::Direction::Out => vec![(Way::Out, "out")],
        cli::Direction::Both => vec![(Way::In, "in"), (Way::Out, "out")],
    }
}

/// A file, else a name.
fn asked(graph: &Graph, what: &str) -> Result<Asked> {
    if let Some(path) = graph.inside(what).filter(|_| Path::new(what).is_file()) {
        let [file] = find::files(&graph.db, &path)?[..] else {
            return Err(graph.not_indexed(&path)?.into());
        };
        let ids = reach::of_file(&graph.db, file)?;
        return Ok(Asked {
            defs: vec![],
            head: vec![graph.shown(&path)],
            ids,
            paths: vec![path],
            named: false,
        });
    }
    let defs = graph.one(what)?;
    let ids = reach::with_members(&graph.db, &defs)?;
    Ok(Asked {
        head: defs.iter().map(|def| graph.place(def).words()).collect(),
        ids,
        paths: defs.iter().map(|def| def.path.clone()).collect(),
        named: true,
        defs,
    })
}

/// Sites by depth, and how far they lie from what was asked for.
#[derive(Default)]
struct Found {
    sections: Vec<Section>,
    /// Overriding members that were not followed.
    capped: usize,
    /// Other packages that depend on it.
    apart: BTreeSet<String>,
    /// Other files do.
    elsewhere: bool,
}

impl Found {
    fn add(
        &mut self,
        graph: &Graph,
        asked: &Asked,
        reach: Reach,
        (way, word): (Way, &'static str),
        packs: &Packs,
    ) -> Result<()> {
        self.capped += reach.capped;
        let first = self.sections.len();
        for reached in reach.sites {
            let path = &reached.step.def.path;
            if way == Way::In {
                self.elsewhere |= !asked.paths.contains(path);
                if asked.paths.iter().all(|own| packs.apart(own, path)) {
                    self.apart.insert(packs.label(path).to_string());
                }
            }
            let depth = Some(reached.depth);
            if self.sections.len() == first
                || self.sections.last().is_none_or(|last| last.depth != depth)
            {
                self.sections.push(Section {
                    title: Some(format!("depth {} {word}", reached.depth)),
                    depth,
                    direction: Some(word),
                    ..Section::default()
                });
            }
            let site = site(graph, asked, &reached, way, packs)?;
            if let Some(last) = self.sections.last_mut() {
                last.sites.push(site);
            }
        }
        for section in &mut self.sections[first..] {
            let key = |site: &Site| (site.package.clone(), site.path.clone(), site.line);
            section.sites.sort_by_key(key);
        }
        Ok(())
    }

    /// How far a change reaches, and the line that says so.
    fn risk(&self, unresolved: u32) -> (Risk, String) {
        let others: Vec<&str> = self.apart.iter().map(|name| &**name).collect();
        let risk = match () {
            () if !others.is_empty() => Risk::High,
            () if self.elsewhere => Risk::Medium,
            () if unresolved > 0 => Risk::Unknown,
            () => Risk::Low,
        };
        let words = match risk {
            Risk::High => format!("risk HIGH: crosses packages ({})", others.join(", ")),
            Risk::Medium => "risk medium: other files depend on it".to_string(),
            Risk::Unknown => "risk unknown: calls of that name were not resolved".to_string(),
            Risk::Low => {
                "risk low: nothing outside of its file is known to depend on it".to_string()
            }
        };
        (risk, words)
    }
}

fn site(graph: &Graph, asked: &Asked, reached: &Reached, way: Way, packs: &Packs) -> Result<Site> {
    let step = &reached.step;
    let near = find::by_id(&graph.db, step.of)?;
    let standing = match (way, reached.stands) {
        (Way::Out, false) => &near.path,
        _ => &step.def.path,
    };
    let mut site = graph.site(step, standing, packs);
    if reached.stands {
        site.sort = Sort::Override;
    }
    let alone = asked.defs.len() == 1 && asked.defs[0].id == step.of;
    site.to = (!alone).then(|| graph.place(&near));
    site.called = way == Way::Out;
    Ok(site)
}
