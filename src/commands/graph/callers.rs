//! `callers`: who calls a definition.

use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::Exit;
use crate::graph::eval::Grade;
use crate::graph::query::near::{self, Scope, Step};
use crate::graph::query::packs::Packs;
use crate::graph::query::reach::Way;
use crate::render::graph::listing::{Listing, Rung, Section};
use crate::render::plural;

pub fn run(run: Run<'_>, arguments: &cli::Near) -> Result<Exit> {
    steps(run, arguments, Way::In)
}

/// One step along the graph in either direction.
pub fn steps(mut run: Run<'_>, arguments: &cli::Near, way: Way) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let defs = graph.one(&arguments.name)?;
    let scope = arguments.counted.scope(arguments.uses);
    let ids = near::stands_for(&graph.db, &defs)?;
    let steps = match way {
        Way::In => near::callers(&graph.db, &ids, Scope::ALL)?,
        Way::Out => near::callees(&graph.db, &ids, Scope::ALL)?,
    };
    let (steps, hidden) = near::asked_for(steps, scope);
    let packs = Packs::read(&graph.db)?;
    let honesty = match way {
        Way::In => graph.honesty(&defs, scope, hidden)?,
        Way::Out => graph.honesty_of_all(hidden)?,
    };
    let missing = match way {
        Way::In => 0,
        Way::Out => near::unresolved_in(&graph.db, &ids)?,
    };
    let exact = missing == 0 && steps.iter().all(|step| step.grade <= Grade::Inferred);
    let sites = steps.iter().map(|step| {
        let own = defs
            .iter()
            .find(|def| def.id == step.of)
            .unwrap_or(&defs[0]);
        let standing = if way == Way::In { &step.def } else { own };
        graph.site(step, &standing.path, &packs)
    });
    let sites: Vec<_> = sites.collect();
    let mut listing = Listing {
        verb: if way == Way::In { "callers" } else { "callees" },
        head: defs.iter().map(|def| graph.place(def).words()).collect(),
        asked: defs.iter().map(|def| graph.place(def)).collect(),
        risk: None,
        broken: None,
        what: "call",
        by_package: false,
        sections: vec![Section {
            sites,
            ..Section::default()
        }],
        trust: Default::default(),
    };
    let mut counted = said(&listing, &steps, way);
    if missing > 0 {
        counted += &format!("; {} in it not resolved", plural(missing, "call"));
    }
    listing.trust = graph.trust(exact, counted, &honesty);
    if way == Way::Out {
        listing.trust.unresolved = Some(missing as u32);
    }
    if steps.is_empty() {
        listing.trust.said[0] += &format!(" ({})", honesty.zero());
        listing.trust.zero = Some(honesty.zero().to_string());
    }
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

fn said(listing: &Listing, steps: &[Step], way: Way) -> String {
    let over = steps.iter().filter(|step| step.over).count();
    let via = match over {
        0 => String::new(),
        over => format!(" ({over} via override)"),
    };
    match way {
        Way::In => format!("{}{via}", listing.counted()),
        Way::Out => plural(steps.len(), "call"),
    }
}
