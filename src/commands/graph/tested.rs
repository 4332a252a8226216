//! `tests`: the tests that reach a definition, nearest first.

use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::Exit;
use crate::graph::eval::Grade;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Hidden, Scope};
use crate::graph::query::packs::Packs;
use crate::graph::query::reach::{self, Way};
use crate::graph::query::walk::Walk;
use crate::render::graph::listing::{Listing, Rung, Section, Site};
use crate::render::plural;

pub fn run(mut run: Run<'_>, arguments: &cli::Tested) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let defs = graph.one(&arguments.name)?;
    let scope = Scope {
        tests: true,
        guesses: arguments.guesses,
        uses: false,
    };
    let ids = reach::with_members(&graph.db, &defs)?;
    let walk = Walk::new(&graph.db, &ids, Way::In, scope, |_| false)?;
    let packs = Packs::read(&graph.db)?;
    let (mut sites, mut grades) = (vec![], vec![]);
    for id in runs_by_itself(&graph, &walk, scope)? {
        let Some(steps) = walk.to(id) else { continue };
        grades.extend(steps.iter().map(|step| step.grade).max());
        let test = find::by_id(&graph.db, id)?;
        sites.extend(site(&graph, &test, &steps, &packs)?);
    }
    sites.sort_by_key(|(far, site): &(usize, Site)| (*far, site.path.clone(), site.line));
    let nearest = sites.first().map_or(0, |(far, _)| *far);
    let mut listing = Listing {
        verb: "tests",
        head: defs.iter().map(|def| graph.place(def).words()).collect(),
        asked: defs.iter().map(|def| graph.place(def)).collect(),
        risk: None,
        broken: None,
        what: "test",
        by_package: false,
        sections: vec![Section {
            sites: sites.into_iter().map(|(_, site)| site).collect(),
            ..Section::default()
        }],
        trust: Default::default(),
    };
    let counted = match nearest {
        0 => "no test is known to reach it".to_string(),
        far => format!(
            "{}, the nearest {} away",
            listing.counted(),
            plural(far, "call")
        ),
    };
    let honesty = graph.honesty(&defs, scope, Hidden::default())?;
    let sure = nearest > 0 && grades.iter().all(|grade| *grade <= Grade::Inferred);
    listing.trust = graph.trust(sure, counted, &honesty);
    listing.trust.zero = (nearest == 0).then(|| honesty.zero().to_string());
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

/// Test code that was come to and that nothing calls: helpers of tests are none. Where tests call each other in a circle,
/// all of them.
fn runs_by_itself(graph: &Graph, walk: &Walk, scope: Scope) -> Result<Vec<i64>> {
    let (mut alone, mut all) = (vec![], vec![]);
    for &id in &walk.order {
        if !find::by_id(&graph.db, id)?.is_test() {
            continue;
        }
        all.push(id);
        let callers = near::callers(&graph.db, &[id], scope)?;
        if callers.iter().all(|step| step.def.id == id) {
            alone.push(id);
        }
    }
    Ok(if alone.is_empty() { all } else { alone })
}

/// A test and how far it is away: where it makes the first call of the way.
fn site(
    graph: &Graph,
    test: &Def,
    steps: &[near::Step],
    packs: &Packs,
) -> Result<Option<(usize, Site)>> {
    let Some(last) = steps.last() else {
        return Ok(None);
    };
    let mut site = graph.site(last, &test.path, packs);
    site.grade = steps.iter().map(|step| step.grade).max();
    site.over = steps.iter().any(|step| step.over);
    let next = find::by_id(&graph.db, last.of)?;
    site.to = (steps.len() > 1).then(|| graph.place(&next));
    site.why = Some(format!("{} away", plural(steps.len(), "call")));
    Ok(Some((steps.len(), site)))
}
