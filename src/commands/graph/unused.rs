//! `unused`: definitions that nothing was seen to reach. That nothing does is not said.

use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::query::near::Hidden;
use crate::graph::query::packs::Packs;
use crate::graph::query::unused::{Tier, Unused, Wanted, unused};
use crate::render::graph::listing::{Listing, Rung, Section, Site, Sort};
use crate::render::plural;

pub fn run(mut run: Run<'_>, arguments: &cli::Unused) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let within = match &arguments.path {
        None => String::new(),
        Some(path) => graph.inside(&path.to_string_lossy()).ok_or_else(|| {
            let failure = Failure::new(
                "unreadable",
                "no such file or folder in the tree of the index",
            );
            failure.path(path)
        })?,
    };
    let wanted = Wanted {
        within: &within,
        private: arguments.private,
    };
    let found = unused(&graph.db, &graph.packages()?, &wanted)?;
    let packs = Packs::read(&graph.db)?;
    let sections = Tier::ALL.into_iter().filter_map(|tier| {
        let of_tier = found.iter().filter(|one| one.tier == tier);
        let sites: Vec<Site> = of_tier.map(|one| site(&graph, one, &packs)).collect();
        (!sites.is_empty()).then(|| Section {
            title: Some(title(tier).to_string()),
            tier: Some(tier.name()),
            sites,
            ..Section::default()
        })
    });
    let mut listing = Listing {
        verb: "unused",
        head: vec![],
        asked: vec![],
        risk: None,
        broken: None,
        what: "definition",
        by_package: false,
        sections: sections.collect(),
        trust: Default::default(),
    };
    let honesty = graph.honesty_of_all(Hidden::default())?;
    let counted = format!(
        "{}; calls by reflection, by name or from outside of the tree leave no trace",
        listing.counted()
    );
    listing.trust = graph.trust(false, counted, &honesty);
    if found.is_empty() {
        listing.trust.zero = Some(honesty.zero().to_string());
    }
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

fn title(tier: Tier) -> &'static str {
    match tier {
        Tier::Unreached => "unreached: no call, use, import or override of them in the tree",
        Tier::Tests => "tests-only: nothing but tests reaches them",
        Tier::Unclear => "unclear: calls that were not resolved may reach them",
    }
}

fn site(graph: &Graph, unused: &Unused, packs: &Packs) -> Site {
    let def = graph.place(&unused.def);
    let mut evidence = vec![def.kind.name().replace('_', " ")];
    if unused.tests > 0 {
        evidence.push(format!(
            "reached by tests at {}",
            plural(unused.tests, "place")
        ));
    }
    if unused.unresolved > 0 {
        evidence.push(format!(
            "{} of that name",
            plural(unused.unresolved, "unresolved call")
        ));
    }
    if unused.damaged {
        evidence.push("its file does not parse whole".to_string());
    }
    Site {
        path: def.path.clone(),
        line: def.line,
        sort: Sort::Definition,
        def,
        to: None,
        called: false,
        grade: None,
        over: false,
        dead: false,
        test: false,
        package: packs.label(&unused.def.path).to_string(),
        why: Some(evidence.join(", ")),
        status: None,
        pointer: None,
    }
}
