//! `deps` and `rdeps`: the files and packages that a file, folder or package depends on, or that depend on it.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::eval::Grade;
use crate::graph::query::across::{across, files_within};
use crate::graph::query::near;
use crate::graph::query::packs::Packs;
use crate::graph::query::reach::Way;
use crate::render::graph::Risk;
use crate::render::graph::listing::{Listing, Rung, Section};
use crate::render::plural;

pub fn deps(run: Run<'_>, arguments: &cli::Deps) -> Result<Exit> {
    answer(run, arguments, Way::Out)
}

pub fn rdeps(run: Run<'_>, arguments: &cli::Deps) -> Result<Exit> {
    answer(run, arguments, Way::In)
}

fn answer(mut run: Run<'_>, arguments: &cli::Deps, way: Way) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let packs = Packs::read(&graph.db)?;
    let (title, files) = asked(&graph, &arguments.what, &packs)?;
    let scope = arguments.counted.scope(true);
    let all = across(&graph.db, &files, way)?;
    let hidden = near::asked_for(all.iter().map(|(step, _)| step.clone()).collect(), scope).1;
    let shown = all
        .into_iter()
        .filter(|(step, own)| scope.counts(step) && (scope.tests || !own.is_test()));
    let (mut sites, mut apart) = (vec![], false);
    for (step, own) in shown {
        let standing = if way == Way::Out { &own } else { &step.def };
        let mut site = graph.site(&step, &standing.path, &packs);
        site.to = Some(graph.place(&own));
        site.called = way == Way::Out;
        apart |= packs.apart(&own.path, &step.def.path);
        sites.push(site);
    }
    let sure = sites.iter().all(|site| site.grade <= Some(Grade::Inferred));
    let honesty = graph.honesty_of_all(hidden)?;
    let mut listing = Listing {
        verb: if way == Way::Out { "deps" } else { "rdeps" },
        head: vec![title],
        asked: vec![],
        risk: (way == Way::In && apart).then_some(Risk::High),
        broken: None,
        what: "site",
        by_package: false,
        sections: vec![Section {
            sites,
            ..Section::default()
        }],
        trust: Default::default(),
    };
    let counted = format!(
        "{}, {} looked at",
        listing.counted(),
        plural(files.len(), "file")
    );
    listing.trust = graph.trust(sure, counted, &honesty);
    if listing.sites().next().is_none() {
        listing.trust.said[0] += &format!(" ({})", honesty.zero());
        listing.trust.zero = Some(honesty.zero().to_string());
    }
    let start = match arguments.sites {
        true => Rung::Sites,
        false => Rung::Files,
    };
    let kept = print(&mut run, listing, &arguments.budgeting, start)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

/// The files of a file, a folder or a package, and what to call it.
fn asked(graph: &Graph, what: &str, packs: &Packs) -> Result<(String, HashSet<i64>)> {
    let path = graph.inside(what);
    let package = packs.named(what).filter(|_| path.is_none());
    let (title, path) = match (&path, package) {
        (Some(path), _) => (graph.shown(path), path),
        (None, Some(pack)) => (
            format!("{} ({})", pack.name, graph.shown(&pack.root)),
            &pack.root,
        ),
        (None, None) => {
            let message = format!("`{what}` is neither a path nor a package of the index");
            return Err(Failure::not_found("not-found", message).into());
        }
    };
    let files = files_within(&graph.db, path)?;
    match files.is_empty() {
        true => Err(graph.not_indexed(path)?.into()),
        false => Ok((title, files.into_iter().collect())),
    }
}
