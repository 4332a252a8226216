//! What is said of one change: whether others see it, whether it breaks them, its signatures and pointers.

use super::{Comparison, Moment, definition};
use crate::model::{Item, Kind, KindClass};
use crate::outline::diff::{Change, Node, Op, Pair};

/// What filters ask of a change.
pub struct Facts {
    /// Visible outside of its file, before or after.
    pub exported: bool,
}

pub fn facts(pairs: &[Pair<'_>], change: &Change) -> Facts {
    let exported =
        |moment, node| definition(pairs, moment, node).is_some_and(|one| one.item.exported);
    Facts {
        exported: exported(Moment::Before, change.before) || exported(Moment::After, change.after),
    }
}

/// Why a change breaks who uses the definition; none where it does not.
pub fn breaks(pairs: &[Pair<'_>], change: &Change) -> Option<&'static str> {
    let old = definition(pairs, Moment::Before, change.before)?.item;
    if !old.exported || old.kind.class() == KindClass::Entry {
        return None;
    }
    let Some(new) = definition(pairs, Moment::After, change.after) else {
        return Some("removed");
    };
    let said = |op| change.has(op);
    match () {
        () if said(Op::Renamed) => Some("renamed"),
        () if !new.item.exported => Some("no longer exported"),
        () if old.qualname != new.item.qualname && said(Op::Moved) => {
            Some("moved to another scope")
        }
        () if said(Op::Kind) => Some("another kind"),
        () if said(Op::Signature) => Some("another signature"),
        () => None,
    }
}

pub fn pointer(comparison: &Comparison<'_>, moment: Moment, node: Option<Node>) -> Option<String> {
    let one = comparison.definition(moment, node)?;
    let file = comparison.files.get(one.node.file)?;
    file.side(moment)?.pointer(one.item.lines)
}

/// Old and new signature, one under the other, where there is something to see in them.
pub fn signatures(comparison: &Comparison<'_>, change: &Change) -> Vec<String> {
    let old = comparison
        .definition(Moment::Before, change.before)
        .map(|one| one.item);
    let new = comparison
        .definition(Moment::After, change.after)
        .map(|one| one.item);
    let mut lines = vec![];
    let said = |item: &Item| head(item, change.has(Op::Decorators));
    match (old, new) {
        (Some(old), Some(new)) => {
            let (was, is) = (said(old), said(new));
            if was != is {
                lines.extend([format!("- {was}"), format!("+ {is}")]);
            }
            if change.has(Op::Doc) && old.doc != new.doc {
                let sign =
                    |sign: char, item: &Item| Some(format!("{sign} # {}", item.doc.as_ref()?));
                lines.extend(sign('-', old));
                lines.extend(sign('+', new));
            }
        }
        (Some(old), None) => lines.push(format!("- {}", said(old))),
        (None, Some(new)) => lines.push(format!("+ {}", said(new))),
        (None, None) => {}
    }
    lines.retain(|line| line.len() > 2);
    lines
}

/// Longest signature shown, in characters.
const MOST: usize = 400;

fn head(item: &Item, decorated: bool) -> String {
    let mut parts: Vec<&str> = vec![];
    if decorated {
        parts.extend(item.decorators.iter().map(String::as_str));
    }
    match item.kind {
        Kind::Column | Kind::Heading if item.signature.is_empty() => parts.push(&item.name),
        _ => parts.push(&item.signature),
    }
    let text = parts.join(" ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} (+{} chars)", &text[..end], text[end..].chars().count()),
        None => text,
    }
}
