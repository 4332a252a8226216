//! One change as text: what, of which definition, where it was and is.

use std::io::{self, Write};

use super::{Comparison, Moment, Rung, breaks, count, patch, says};
use crate::model::{Item, Lines};
use crate::outline::diff::{Change, Node};
use crate::render::header::plural;
use crate::render::text::{line_range, range};
use crate::render::visible;

pub fn write(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    change: &Change,
    rung: Rung,
) -> io::Result<()> {
    writeln!(out, "{}", visible(&line(comparison, change, rung)))?;
    if comparison.evidence {
        let sides = [
            (Moment::Before, change.before),
            (Moment::After, change.after),
        ];
        for (moment, node) in sides {
            if let Some(pointer) = says::pointer(comparison, moment, node) {
                writeln!(out, "  @ {pointer}")?;
            }
        }
    }
    let hunks = match rung {
        Rung::Hunks => patch::of(comparison, change),
        _ => vec![],
    };
    if rung <= Rung::Signatures && hunks.is_empty() {
        for text in says::signatures(comparison, change) {
            writeln!(out, "  {}", visible(&text))?;
        }
    }
    patch::write(out, comparison, change, hunks)
}

/// `signature, body  method Notifier.send  L17-24 -> L17-26`
fn line(comparison: &Comparison<'_>, change: &Change, rung: Rung) -> String {
    let ops: Vec<&str> = change.ops.iter().map(|op| op.name()).collect();
    let listed = change.after.or(change.before).map_or(0, |node| node.file);
    let place = |moment: Moment, node: Option<Node>| {
        let definition = comparison.definition(moment, node)?;
        let path = comparison.elsewhere(moment, change, listed);
        let place = path.map_or(range(definition.item), |path| {
            format!("{path} {}", range(definition.item))
        });
        Some((definition.item, place))
    };
    let (was, is) = (
        place(Moment::Before, change.before),
        place(Moment::After, change.after),
    );
    let mut line = format!("{}  ", ops.join(", "));
    match (was, is) {
        (Some((old, from)), Some((new, to))) => {
            line += &match old.qualname == new.qualname {
                true => named(new),
                false => format!("{} -> {}", named(old), new.qualname),
            };
            line += &if from == to {
                format!("  {to}")
            } else {
                format!("  {from} -> {to}")
            };
        }
        (Some((item, place)), None) | (None, Some((item, place))) => {
            line += &format!("{}  {place}", named(item));
        }
        (None, None) => {}
    }
    if change.members > 0 {
        line += &format!("  ({})", plural(change.members as usize, "member"));
    }
    if rung == Rung::Names || rung == Rung::Hunks {
        let (came, went) = count(&patch::of(comparison, change));
        line += &format!("  +{came} -{went}");
    }
    if let Some(why) = breaks(comparison.pairs, change) {
        line += &format!("  ! breaking: {why}");
    }
    line
}

pub fn named(item: &Item) -> String {
    format!("{} {}", item.kind.name().replace('_', " "), item.qualname)
}

/// `add L1 -> L1-3`
pub fn both(name: &str, old: Lines, new: Lines) -> String {
    match old == new {
        true => format!("{name} {}", line_range(new)),
        false => format!("{name} {} -> {}", line_range(old), line_range(new)),
    }
}
