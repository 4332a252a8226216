//! Partners by name, within a file: from the outside in, equals among siblings told apart by what they say.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{Half, Matching, Node, own, scope};
use crate::model::{Item, ItemId, Kind, KindClass};

/// Equals beyond which the rest is paired in order: comparing each with each takes the square.
const MOST_EQUALS: usize = 64;

/// Pairs what is called alike in both versions of a file.
pub(super) fn by_name(matching: &mut Matching<'_>, file: usize) {
    let pair = matching.files[file];
    if pair.before.is_none() || pair.after.is_none() {
        return;
    }
    inside(matching, vec![(file, None, file, None)]);
    // What changed its place but not its scope: blocks of one namespace or type that were joined or split.
    let all = |half| {
        let count = matching.side(half, file).outline.items.len();
        free(
            matching,
            half,
            (0..count as ItemId).map(|item| Node { file, item }),
        )
    };
    let (before, after) = (all(Half::Before), all(Half::After));
    groups(matching, &before, &after, |_, item| {
        (steady(item.kind, &item.qualname), class(item.kind))
    });
}

/// Pairs what is called alike and is something else now: a function that became a type, or with `all` also what is likelier
/// to have another name now, a method in whose place stands a value.
pub(super) fn across_kinds(matching: &mut Matching<'_>, file: usize, all: bool) {
    if matching.files[file].before.is_none() || matching.files[file].after.is_none() {
        return;
    }
    let left = |half| {
        let side = matching.side(half, file);
        let nodes = (0..side.outline.items.len() as ItemId).map(|item| Node { file, item });
        let wanted = |node: &Node| all || matches!(class(side.item(node.item).kind), 2 | 3);
        free(matching, half, nodes.filter(wanted))
    };
    let (before, after) = (left(Half::Before), left(Half::After));
    let joined = groups(matching, &before, &after, |_, item| {
        steady(item.kind, &item.qualname)
    });
    for (before, after) in joined {
        members(matching, before, after);
    }
}

/// Pairs the members of partners, and theirs.
pub(super) fn members(matching: &mut Matching<'_>, before: Node, after: Node) {
    let place = (before.file, Some(before.item), after.file, Some(after.item));
    inside(matching, vec![place]);
}

type Place = (usize, Option<ItemId>, usize, Option<ItemId>);

fn inside(matching: &mut Matching<'_>, mut places: Vec<Place>) {
    while let Some((old, outer, new, around)) = places.pop() {
        let of = |half, file, parent| {
            let children = matching.side(half, file).outline.children(parent);
            free(matching, half, children.map(|item| Node { file, item }))
        };
        let (before, after) = (of(Half::Before, old, outer), of(Half::After, new, around));
        let scopes = |half: Half| {
            let (file, parent) = match half {
                Half::Before => (old, outer),
                Half::After => (new, around),
            };
            let side = matching.files[file].side(half);
            side.zip(parent)
                .map_or("", |(side, parent)| side.item(parent).qualname.as_str())
        };
        let (outer, around) = (scopes(Half::Before), scopes(Half::After));
        let local = |half: Half, item: &Item| {
            let outside = if half == Half::Before { outer } else { around };
            local_name(item, outside)
        };
        let joined = groups(matching, &before, &after, |half, item| {
            (local(half, item), class(item.kind))
        });
        places.extend(
            joined.into_iter().map(|(before, after)| {
                (before.file, Some(before.item), after.file, Some(after.item))
            }),
        );
    }
}

/// Those without a partner yet.
fn free(matching: &Matching<'_>, half: Half, nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    nodes
        .filter(|&node| matching.partner(half, node).is_none())
        .collect()
}

/// The name inside of a scope. A constructor has the name of its type, which may be another one now.
fn local_name(item: &Item, outside: &str) -> String {
    if is_constructor(item) {
        return item.name.replace(|c: char| c != '~', "") + "()";
    }
    let name = item.qualname.strip_prefix(outside);
    steady(item.kind, name.unwrap_or(&item.qualname))
}

/// A name without the numbers of elements, which shift with every element that comes or goes.
pub(super) fn steady(kind: Kind, name: &str) -> String {
    if kind != Kind::Key {
        return name.to_string();
    }
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = name
        .split('/')
        .map(|part| if number(part) { "#" } else { part })
        .collect();
    parts.join("/")
}

/// Whether a callable is named like the type it is written in.
pub(super) fn is_constructor(item: &Item) -> bool {
    let scope = scope(item).trim_end_matches(['.', ':']);
    let owner = scope.rsplit(['.', ':']).next().unwrap_or("");
    item.kind.is_callable() && !owner.is_empty() && item.name.trim_start_matches('~') == owner
}

/// What may be a partner of what.
pub(super) fn class(kind: Kind) -> u8 {
    match (kind, kind.class()) {
        (Kind::Impl, _) => 1,
        (Kind::Property, _) | (_, KindClass::Callable) => 2,
        (_, KindClass::Type) => 3,
        (_, KindClass::Scope) => 4,
        (_, KindClass::Value) => 5,
        (_, KindClass::Macro) => 6,
        (_, KindClass::Entry) => 7,
    }
}

/// Pairs nodes with equal keys; what was paired.
fn groups<K: Hash + Eq>(
    matching: &mut Matching<'_>,
    before: &[Node],
    after: &[Node],
    key: impl Fn(Half, &Item) -> K,
) -> Vec<(Node, Node)> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<(Vec<Node>, Vec<Node>)> = vec![];
    for (half, nodes) in [(Half::Before, before), (Half::After, after)] {
        for &node in nodes {
            let key = key(half, matching.item(half, node));
            let place = *places.entry(key).or_insert_with(|| {
                groups.push((vec![], vec![]));
                groups.len() - 1
            });
            match half {
                Half::Before => groups[place].0.push(node),
                Half::After => groups[place].1.push(node),
            }
        }
    }
    let mut joined = vec![];
    for (before, after) in groups {
        joined.extend(equals(matching, before, after));
    }
    for (before, after) in &joined {
        matching.join(*before, *after);
    }
    joined
}

/// Pairs definitions of one name: those that are the same, then those that begin the same, then those that say the same,
/// then the most alike.
fn equals(
    matching: &Matching<'_>,
    mut before: Vec<Node>,
    mut after: Vec<Node>,
) -> Vec<(Node, Node)> {
    if before.len() <= 1 && after.len() <= 1 {
        return before.into_iter().zip(after).collect();
    }
    let mut joined = vec![];
    let text = |half, node: Node| {
        let side = matching.side(half, node.file);
        let bytes = &side.item(node.item).bytes;
        let text = &side.source.text()[bytes.start as usize..bytes.end as usize];
        text.iter()
            .filter(|byte| **byte != b'\r')
            .copied()
            .collect::<Vec<u8>>()
    };
    let head = |half, node| {
        let item = matching.item(half, node);
        (
            own::head(item, &[]),
            item.declaration,
            item.decorators.clone(),
        )
    };
    let bare_head = |half, node| own::head(matching.item(half, node), &[]);
    let body = |half, node: Node| own::own(matching.side(half, node.file), node.item).plain;
    joined.extend(alike(&mut before, &mut after, text));
    joined.extend(alike(&mut before, &mut after, head));
    joined.extend(alike(&mut before, &mut after, bare_head));
    joined.extend(alike(&mut before, &mut after, body));
    if before.len() > MOST_EQUALS || after.len() > MOST_EQUALS || before.len() == after.len() {
        joined.extend(before.into_iter().zip(after));
        return joined;
    }
    joined.extend(most_alike(matching, &before, &after));
    joined
}

/// Takes those out that have the same key, in order.
fn alike<K: Hash + Eq>(
    before: &mut Vec<Node>,
    after: &mut Vec<Node>,
    key: impl Fn(Half, Node) -> K,
) -> Vec<(Node, Node)> {
    if before.is_empty() || after.is_empty() {
        return vec![];
    }
    let mut known: HashMap<K, Vec<Node>> = HashMap::new();
    for &node in after.iter().rev() {
        known.entry(key(Half::After, node)).or_default().push(node);
    }
    let mut joined = vec![];
    before.retain(|&node| {
        let partner = known.get_mut(&key(Half::Before, node)).and_then(Vec::pop);
        joined.extend(partner.map(|partner| (node, partner)));
        partner.is_none()
    });
    let taken: HashSet<Node> = joined.iter().map(|(_, partner)| *partner).collect();
    after.retain(|node| !taken.contains(node));
    joined
}

fn most_alike(matching: &Matching<'_>, before: &[Node], after: &[Node]) -> Vec<(Node, Node)> {
    let tokens = |half, nodes: &[Node]| -> Vec<(Node, Vec<u64>)> {
        let of = |node: &Node| {
            let mut tokens = own::own(matching.side(half, node.file), node.item).tokens;
            let item = matching.item(half, *node);
            tokens.extend(item.params.iter().map(|text| own::word(text)));
            tokens.sort_unstable();
            (*node, tokens)
        };
        nodes.iter().map(of).collect()
    };
    let (before, after) = (tokens(Half::Before, before), tokens(Half::After, after));
    let mut scores: Vec<(f64, usize, usize)> = vec![];
    for (old, (_, one)) in before.iter().enumerate() {
        for (new, (_, other)) in after.iter().enumerate() {
            scores.push((own::similarity(one, other), old, new));
        }
    }
    scores.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    let (mut old_taken, mut new_taken) = (vec![false; before.len()], vec![false; after.len()]);
    let mut joined = vec![];
    for (_, old, new) in scores {
        if !old_taken[old] && !new_taken[new] {
            (old_taken[old], new_taken[new]) = (true, true);
            joined.push((before[old].0, after[new].0));
        }
    }
    joined
}
