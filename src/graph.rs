//! The dependency graph: who calls what, from the facts of each file. Knows no verb and prints nothing.

pub mod broken;
pub mod cold;
pub mod eval;
pub mod facts;
pub mod fresh;
pub mod link;
mod lower;
pub mod packages;
pub mod past;
pub mod paths;
pub mod query;
pub mod resolve;
pub mod sorts;
pub mod store;
mod surface;
pub mod update;
pub mod value;
pub mod why;
pub mod world;

use crate::lang::Language;
use crate::model::{Kind, Outline};
use crate::outline::{Limits, outline_and};
use crate::source::Source;
use facts::Facts;
use resolve::Rules;

/// The outline of a file and what it says of its calls; no facts of formats without calls.
pub fn read(source: &Source, language: &Language, limits: &Limits) -> (Outline, Option<Facts>) {
    let rules = resolve::rules(language);
    let (outline, facts) = outline_and(source, language, limits, |reading, _, outline| {
        let rules = rules?;
        let text = reading.parsed.as_deref().unwrap_or(source.text());
        let mut lower = lower::Lower::new(source, text, outline);
        (rules.lower)(&mut lower, reading.tree.root_node());
        Some(with_constructors(lower.finish(), rules))
    });
    (outline, facts.flatten())
}

/// Marks the methods that make values of their types.
fn with_constructors(mut facts: Facts, rules: &Rules) -> Facts {
    for id in 0..facts.defs.len() {
        let def = &facts.defs[id];
        let named = def.parent.is_some() && rules.constructors.contains(&facts.name(def.name));
        if def.kind == Kind::Constructor || named {
            facts.defs[id].flags |= facts::flag::CONSTRUCTOR;
        }
    }
    facts
}
