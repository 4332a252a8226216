//! `path`: the shortest way from one definition to another along calls.

use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::eval::Grade;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{Hidden, Step};
use crate::graph::query::packs::Packs;
use crate::graph::query::reach::{self, Way};
use crate::graph::query::walk::Walk;
use crate::render::graph::listing::{Listing, Rung, Section};
use crate::render::{command, plural, shell_word};

pub fn run(mut run: Run<'_>, arguments: &cli::Between) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let (from, to) = (graph.one(&arguments.from)?, graph.one(&arguments.to)?);
    let Some(steps) = way(&graph, &from, &to, arguments)? else {
        let message = format!(
            "no calls lead from `{}` to `{}`",
            arguments.from, arguments.to
        );
        let failure = Failure::not_found("no-path", message);
        let back = way(&graph, &to, &from, arguments)?;
        return Err(match back {
            Some(_) => failure.hint(format!(
                "they lead the other way: {}",
                command(&format!(
                    "path {} {}",
                    shell_word(&arguments.to),
                    shell_word(&arguments.from)
                ))
            )),
            None => failure,
        }
        .into());
    };
    let packs = Packs::read(&graph.db)?;
    let mut sites = vec![];
    for step in &steps {
        let caller = find::by_id(&graph.db, step.of)?;
        let mut site = graph.site(step, &caller.path, &packs);
        site.to = Some(std::mem::replace(&mut site.def, graph.place(&caller)));
        sites.push(site);
    }
    let asked = [&from[0], &to[0]].map(|def| graph.place(def));
    let mut listing = Listing {
        verb: "path",
        head: asked.iter().map(|place| place.words()).collect(),
        asked: asked.into(),
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
    let sure = steps.iter().all(|step| step.grade <= Grade::Inferred);
    let counted = format!(
        "{}, the shortest way that is known",
        plural(steps.len(), "call")
    );
    listing.trust = graph.trust(sure, counted, &graph.honesty_of_all(Hidden::default())?);
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

/// The steps of a way; of a type, from and to any of its members.
fn way(
    graph: &Graph,
    from: &[Def],
    to: &[Def],
    arguments: &cli::Between,
) -> Result<Option<Vec<Step>>> {
    let scope = cli::Counted {
        tests: true,
        ..arguments.counted.clone()
    };
    let scope = scope.scope(arguments.uses);
    let start = reach::with_members(&graph.db, from)?;
    let goal = reach::with_members(&graph.db, to)?;
    let walk = Walk::new(&graph.db, &start, Way::Out, scope, |id| goal.contains(&id))?;
    let found = walk.order.last().filter(|id| goal.contains(id));
    Ok(found.and_then(|id| walk.to(*id)))
}
