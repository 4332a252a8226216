//! `why`: how the edge between two definitions was resolved.

use std::path::Path;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::Run;
use crate::exit::{Exit, Failure};
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Hidden, Scope, Step};
use crate::graph::query::packs::Packs;
use crate::graph::why::{Reason, why};
use crate::render::graph::listing::{self, Listing, Rung, Section};
use crate::render::{command, plural, shell_word};

pub fn run(mut run: Run<'_>, arguments: &cli::Why) -> Result<Exit> {
    let graph = Graph::open(&run, Path::new("."))?;
    let (from, to) = (graph.one(&arguments.from)?, graph.one(&arguments.to)?);
    let packs = Packs::read(&graph.db)?;
    let ids = near::stands_for(&graph.db, &to)?;
    let steps = near::callers(&graph.db, &ids, Scope::ALL)?;
    let steps = steps.into_iter();
    let steps: Vec<Step> = steps
        .filter(|step| from.iter().any(|def| def.id == step.def.id))
        .collect();
    if steps.is_empty() {
        return Err(none(arguments).into());
    }
    let packages = graph.packages()?;
    let (targets, sups) = targets(&graph, &ids)?;
    let mut reasons = vec![];
    for def in &from {
        reasons.extend(why(&graph.db, &packages, def, &targets, &sups)?);
    }
    let sections = steps.iter().map(|step| {
        let reason = reasons
            .iter()
            .find(|reason| reason.line == step.line && reason.used == step.used);
        section(&graph, step, reason, &packs)
    });
    let mut listing = Listing {
        verb: "why",
        head: [&from[0], &to[0]]
            .map(|def| graph.place(def).words())
            .into(),
        asked: [&from[0], &to[0]].map(|def| graph.place(def)).into(),
        risk: None,
        broken: None,
        what: "site",
        by_package: false,
        sections: sections.collect(),
        trust: Default::default(),
    };
    let counted = format!("{} from the one to the other", plural(steps.len(), "edge"));
    listing.trust = graph.trust(true, counted, &graph.honesty_of_all(Hidden::default())?);
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(if kept { Exit::Answered } else { Exit::NotFound })
}

fn none(arguments: &cli::Why) -> Failure {
    let (from, to) = (&arguments.from, &arguments.to);
    let message = format!("`{from}` neither calls nor uses `{to}`, as far as calls were resolved");
    let path = command(&format!("path {} {}", shell_word(from), shell_word(to)));
    Failure::not_found("no-edge", message).hint(format!("{path} looks for longer ways"))
}

/// What calls may reach: definitions, and the members of bases that they stand for.
fn targets(graph: &Graph, ids: &[i64]) -> Result<(Vec<Def>, Vec<Def>)> {
    let (mut targets, mut sups) = (vec![], vec![]);
    let mut statement = graph.db.prepare("SELECT sup FROM over WHERE sub = ?1")?;
    for id in ids {
        targets.push(find::by_id(&graph.db, *id)?);
        let rows: Vec<i64> = statement
            .query_map([id], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for sup in rows {
            sups.push(find::by_id(&graph.db, sup)?);
        }
    }
    Ok((targets, sups))
}

fn section(graph: &Graph, step: &Step, reason: Option<&Reason>, packs: &Packs) -> Section {
    let what = if step.used { "use" } else { "call" };
    let meaning = format!("{} ({:.2})", step.grade.name(), step.grade.confidence());
    let how = match reason {
        Some(reason) if !step.used => format!(", on {}", reason.shape.words()),
        _ => String::new(),
    };
    let mut steps: Vec<listing::Step> = vec![];
    for part in reason.iter().flat_map(|reason| &reason.steps) {
        let place = part.place.as_ref();
        steps.push(listing::Step {
            written: part.written.clone(),
            bound: part.bound.clone(),
            means: part.means.clone(),
            place: place.map(|place| (graph.shown(&place.path), place.line)),
        });
    }
    if let Some(over) = reason.and_then(|reason| reason.over.as_ref()) {
        steps.push(listing::Step {
            written: over.qual.clone(),
            bound: None,
            means: "the member of a base that it stands for".to_string(),
            place: Some((graph.shown(&over.path), over.line)),
        });
    }
    if reason.is_none() {
        steps.push(listing::Step {
            written: step.def.name.clone(),
            bound: None,
            means: "not resolved: it is the only definition of that name".to_string(),
            place: None,
        });
    }
    Section {
        title: Some(format!(
            "{}:{}  {what}, {meaning}{how}",
            graph.shown(&step.def.path),
            step.line
        )),
        sites: vec![graph.site(step, &step.def.path, packs)],
        steps,
        ..Section::default()
    }
}
