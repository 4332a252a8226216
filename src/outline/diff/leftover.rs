//! Partners of what has none of its name in its place: moved, renamed, or both. One to one, the likeliest first; types and
//! scopes before what may stand in them, so that members go with their type.

use std::collections::HashMap;
use std::hash::Hash;

use super::own::{head, own, similarity, whole, word};
use super::pair::{class, is_constructor, members};
use super::{Half, Matching, Node, scope};
use crate::model::{Item, ItemId, Kind, KindClass};

/// How alike two definitions of one name must be to be one that moved.
pub const MOVED: f64 = 0.5;
/// How alike two definitions of one file must be to be one that has another name now.
pub const RENAMED: f64 = 0.75;
/// The likeness is that of the bodies, less up to this share where the heads are not alike.
const HEAD: f64 = 0.3;
/// Fewer tokens than these say too little to tell definitions of different names apart from others.
const SPEAKING: usize = 5;
/// Pairs of one file, or of one name, that are compared.
const MOST_PAIRS: usize = 250_000;

/// A definition without a partner.
struct Candidate<'a> {
    node: Node,
    item: &'a Item,
    /// Its body, whatever it is called.
    print: u64,
    tokens: Vec<u64>,
    head: Vec<u64>,
}

/// Pairs what is left.
pub(super) fn pair(matching: &mut Matching<'_>) {
    for containers in [true, false] {
        let before = candidates(matching, Half::Before, containers);
        let after = candidates(matching, Half::After, containers);
        let mut round = Round {
            scores: vec![],
            before: &before,
            after: &after,
        };
        round.of_one_body();
        round.of_one_name();
        round.of_one_file(matching);
        let joined = round.best();
        for (old, new) in joined {
            matching.join(before[old].node, after[new].node);
            members(matching, before[old].node, after[new].node);
        }
    }
}

fn candidates<'a>(matching: &Matching<'a>, half: Half, containers: bool) -> Vec<Candidate<'a>> {
    let mut out = vec![];
    for (file, pair) in matching.files.iter().enumerate() {
        let Some(side) = pair.side(half) else {
            continue;
        };
        for id in 0..side.outline.items.len() as ItemId {
            let (node, item) = (Node { file, item: id }, side.item(id));
            let free = matching.partner(half, node).is_none();
            if free && is_container(item) == containers {
                // A section is known by its own text, a type or a key by all there is in it.
                let mut text = match containers && item.kind != Kind::Heading && item.end > id + 1 {
                    true => whole(side, id),
                    false => own(side, id),
                };
                text.tokens.sort_unstable();
                out.push(Candidate {
                    node,
                    item,
                    print: text.plain,
                    tokens: text.tokens,
                    head: head_words(item),
                });
            }
        }
    }
    out
}

fn is_container(item: &Item) -> bool {
    match item.kind.class() {
        KindClass::Type | KindClass::Scope => true,
        KindClass::Entry => item.kind != Kind::Column,
        _ => false,
    }
}

/// The words of a head but for its names, in order of their hashes.
fn head_words(item: &Item) -> Vec<u64> {
    let text = head(item, &names(item));
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\u{1}');
    let mut words: Vec<u64> = parts.filter(|part| !part.is_empty()).map(word).collect();
    words.sort_unstable();
    words
}

/// What a definition and the type it belongs to are called.
pub(super) fn names(item: &Item) -> [&str; 2] {
    let scope = scope(item).trim_end_matches(['.', ':', '/', '>', ' ']);
    // `<Type as Trait>`, `Type<T>`.
    let owner = scope.rsplit_once(" as ").map_or(scope, |(owner, _)| owner);
    let owner = owner.trim_start_matches('<');
    let owner = owner.split(['<', ' ']).next().unwrap_or(owner);
    let owner = owner
        .rsplit(['.', ':', '/', '>', ' ', '&'])
        .next()
        .unwrap_or("");
    let owner = item.receiver.as_deref().map_or(owner, |receiver| {
        receiver.trim_start_matches(['*', '&', ' '])
    });
    [item.name.as_str(), owner]
}

struct Round<'a> {
    scores: Vec<(Rank, usize, usize)>,
    before: &'a [Candidate<'a>],
    after: &'a [Candidate<'a>],
}

/// How likely two are one, better ones larger.
#[derive(PartialEq, PartialOrd)]
struct Rank {
    alike: f64,
    name: f64,
    file: bool,
    size: usize,
}

impl<'a> Round<'a> {
    /// Whatever they are called and wherever they stand: the same body and head.
    fn of_one_body(&mut self) {
        let key = |one: &Candidate<'a>| {
            let speaks = one.tokens.len() >= SPEAKING;
            speaks.then(|| (class(one.item.kind), one.print, one.head.clone()))
        };
        self.grouped(key, |_, _, _| true);
    }

    fn of_one_name(&mut self) {
        let key = |one: &Candidate<'a>| Some((class(one.item.kind), one.item.name.as_str()));
        self.grouped(key, |one, other, alike| {
            let speaks = one.tokens.len().max(other.tokens.len()) >= SPEAKING;
            let same = one.print == other.print && one.head == other.head;
            match one.item.kind.class() {
                // Fields and entries have common names: they move only with what they say.
                KindClass::Entry => same && speaks,
                KindClass::Value => same && (speaks || one.item.parent.is_none()),
                // Members of different types can share a name and mean different things.
                _ if one.item.parent.is_some() || other.item.parent.is_some() => {
                    same && !is_constructor(one.item) || speaks && alike >= RENAMED
                }
                _ => same || speaks && alike >= MOVED,
            }
        });
    }

    /// In one file, with another name.
    fn of_one_file(&mut self, matching: &Matching<'_>) {
        for file in 0..matching.files.len() {
            let of = |list: &[Candidate<'_>]| -> Vec<usize> {
                let from = list.partition_point(|one| one.node.file < file);
                let until = list.partition_point(|one| one.node.file <= file);
                (from..until).collect()
            };
            let (before, after) = (of(self.before), of(self.after));
            if before.len() * after.len() > MOST_PAIRS {
                continue;
            }
            for &old in &before {
                for &new in &after {
                    self.other_name(matching, old, new);
                }
            }
        }
    }

    fn other_name(&mut self, matching: &Matching<'_>, old: usize, new: usize) {
        let (one, other) = (&self.before[old], &self.after[new]);
        if class(one.item.kind) != class(other.item.kind) {
            return;
        }
        let rank = rank(one, other);
        let same = rank.alike >= 1.0;
        let speaks = one.tokens.len().min(other.tokens.len()) >= SPEAKING;
        let akin = || rank.name >= 0.6 || akin(&one.item.name, &other.item.name);
        let within = || parent(matching, one, other);
        let fits = match one.item.kind.class() {
            _ if same && replaced(matching, one.node, other.node) => true,
            _ if one.item.kind == Kind::Column => false,
            KindClass::Entry => speaks && rank.alike >= RENAMED,
            KindClass::Value => same && within() && (speaks || akin()),
            _ if speaks => rank.alike >= RENAMED,
            _ => same && within() && akin(),
        };
        if fits {
            self.scores.push((rank, old, new));
        }
    }

    /// Ranks the pairs that have a key in common.
    fn grouped<K: Hash + Eq>(
        &mut self,
        key: impl Fn(&Candidate<'a>) -> Option<K>,
        fits: impl Fn(&Candidate<'a>, &Candidate<'a>, f64) -> bool,
    ) {
        let (before, after) = (self.before, self.after);
        let mut groups: HashMap<K, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (old, one) in before.iter().enumerate() {
            if let Some(key) = key(one) {
                groups.entry(key).or_default().0.push(old);
            }
        }
        for (new, one) in after.iter().enumerate() {
            if let Some(group) = key(one).and_then(|key| groups.get_mut(&key)) {
                group.1.push(new);
            }
        }
        for (olds, news) in groups.into_values() {
            if olds.len() * news.len() > MOST_PAIRS {
                continue;
            }
            for &old in &olds {
                for &new in &news {
                    let rank = rank(&before[old], &after[new]);
                    if fits(&before[old], &after[new], rank.alike) {
                        self.scores.push((rank, old, new));
                    }
                }
            }
        }
    }

    /// One to one, the likeliest first; ties go by place.
    fn best(self) -> Vec<(usize, usize)> {
        let mut scores = self.scores;
        scores.sort_by(|one, other| {
            let rank = other.0.partial_cmp(&one.0).expect("no likeness is NaN");
            rank.then((one.1, one.2).cmp(&(other.1, other.2)))
        });
        let (mut old_taken, mut new_taken) = (
            vec![false; self.before.len()],
            vec![false; self.after.len()],
        );
        let mut joined = vec![];
        for (_, old, new) in scores {
            if !old_taken[old] && !new_taken[new] {
                (old_taken[old], new_taken[new]) = (true, true);
                joined.push((old, new));
            }
        }
        joined
    }
}

fn rank(one: &Candidate<'_>, other: &Candidate<'_>) -> Rank {
    let body = similarity(&one.tokens, &other.tokens);
    let head = similarity(&one.head, &other.head);
    let same = one.print == other.print && one.head == other.head;
    let name = strsim::normalized_levenshtein(&one.item.name, &other.item.name);
    Rank {
        alike: if same {
            1.0
        } else {
            (body * (1.0 - HEAD + HEAD * head)).min(0.999)
        },
        name,
        file: one.node.file == other.node.file,
        size: one.tokens.len(),
    }
}

/// Whether both stand in the same scope.
fn parent(matching: &Matching<'_>, one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    let outer = one.item.parent.map(|item| Node { item, ..one.node });
    let around = other.item.parent.map(|item| Node { item, ..other.node });
    match (outer, around) {
        (None, None) => scope(one.item) == scope(other.item),
        (Some(outer), around) => {
            matching.partner(Half::Before, outer) == around && around.is_some()
        }
        _ => false,
    }
}

/// Whether one stands where the other stood: in the same scope, between the same siblings.
fn replaced(matching: &Matching<'_>, old: Node, new: Node) -> bool {
    let (before, after) = (
        matching.item(Half::Before, old),
        matching.item(Half::After, new),
    );
    let scopes = match (before.parent, after.parent) {
        (None, None) => true,
        (Some(outer), Some(around)) => {
            let (outer, around) = (
                Node { item: outer, ..old },
                Node {
                    item: around,
                    ..new
                },
            );
            matching.partner(Half::Before, outer) == Some(around)
        }
        _ => false,
    };
    let (front, behind) = siblings(matching, Half::Before, old);
    let (ahead, back) = siblings(matching, Half::After, new);
    let partners = |one: Option<Node>, other: Option<Node>| match one {
        None => other.is_none(),
        Some(one) => other.is_some() && matching.partner(Half::Before, one) == other,
    };
    // Columns that come are mostly put behind.
    let column = before.kind == Kind::Column && ahead.is_some();
    scopes && partners(front, ahead) && (column || partners(behind, back))
}

/// The siblings in front and behind.
fn siblings(matching: &Matching<'_>, half: Half, node: Node) -> (Option<Node>, Option<Node>) {
    let outline = &matching.side(half, node.file).outline;
    let item = &outline.items[node.item as usize];
    let until = item.parent.map_or(outline.items.len() as u32, |id| {
        outline.items[id as usize].end
    });
    let first = item.parent.map_or(0, |id| id + 1);
    // The one in front is the last definition before it, or the outermost below the same parent around that.
    let mut front = node.item.checked_sub(1).filter(|&id| id >= first);
    while let Some(outer) = front
        .and_then(|id| outline.items[id as usize].parent)
        .filter(|&id| id >= first)
    {
        front = Some(outer);
    }
    let behind = Some(item.end).filter(|&id| id < until);
    let of = |id: Option<ItemId>| id.map(|item| Node { item, ..node });
    (of(front), of(behind))
}

/// Whether one name holds the other, but for case and underscores.
fn akin(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let (one, other) = (plain(one), plain(other));
    let shorter = one.len().min(other.len());
    shorter >= 3 && (one.contains(&other) || other.contains(&one))
}
