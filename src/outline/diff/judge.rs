//! How partners differ, and what has none.

use std::collections::HashMap;

use super::differ::{
    Two, decorators, documented, is_block, is_hidden, kind_changed, own_lines, same_body, text,
};
use super::own::head;
use super::pair::{is_constructor, steady};
use super::{Change, Changes, Half, Matching, Node, Op, Side, leftover, order, scope};
use crate::model::{ItemId, Kind, KindClass};

/// Everything that changed, file by file.
pub(super) fn judge(matching: &Matching<'_>) -> Vec<Changes> {
    let judge = Judge {
        matching,
        renamed: renamed(matching),
    };
    let mut all: Vec<Changes> = (0..matching.files.len())
        .map(|file| judge.file(file))
        .collect();
    for file in 0..matching.files.len() {
        judge.gone(file, &mut all);
    }
    for (file, changes) in all.iter_mut().enumerate() {
        let anchors = judge.anchors(file);
        changes
            .changes
            .sort_by_key(|change| judge.place(&anchors, change));
    }
    all
}

/// Qualified names of types and scopes that have others now.
fn renamed(matching: &Matching<'_>) -> HashMap<String, String> {
    let mut names = HashMap::new();
    for (file, partners) in matching.after.iter().enumerate() {
        for (id, partner) in partners.iter().enumerate() {
            let Some(partner) = partner else { continue };
            let node = Node {
                file,
                item: id as ItemId,
            };
            let (one, other) = (
                matching.item(Half::Before, node),
                matching.item(Half::After, *partner),
            );
            let shifted = || steady(one.kind, &one.qualname) == steady(other.kind, &other.qualname);
            if one.qualname != other.qualname && !one.kind.is_value() && !shifted() {
                names
                    .entry(one.qualname.clone())
                    .or_insert_with(|| other.qualname.clone());
            }
        }
    }
    names
}

struct Judge<'m, 'a> {
    matching: &'m Matching<'a>,
    renamed: HashMap<String, String>,
}

impl<'a> Judge<'_, 'a> {
    fn two(&self, before: Node, after: Node) -> Two<'a> {
        let old_side = self.matching.side(Half::Before, before.file);
        let new_side = self.matching.side(Half::After, after.file);
        Two {
            before,
            after,
            old: old_side.item(before.item),
            new: new_side.item(after.item),
            old_side,
            new_side,
        }
    }

    /// What the later version of a file has.
    fn file(&self, file: usize) -> Changes {
        let mut changes = Changes::default();
        let Some(side) = self.matching.files[file].after else {
            return changes;
        };
        let mut ops: Vec<Vec<Op>> = vec![vec![]; side.outline.items.len()];
        for (id, ops) in ops.iter_mut().enumerate() {
            let after = Node {
                file,
                item: id as ItemId,
            };
            if let Some(before) = self.matching.partner(Half::After, after) {
                *ops = self.ops(&self.two(before, after));
            }
        }
        self.reordered(file, side, &mut ops);
        let listed: Vec<bool> = ops.iter().map(|ops| !ops.is_empty()).collect();
        for (id, ops) in ops.into_iter().enumerate() {
            let after = Node {
                file,
                item: id as ItemId,
            };
            match self.matching.partner(Half::After, after) {
                Some(before) if ops.is_empty() => {
                    self.unchanged(&self.two(before, after), &listed, &mut changes);
                }
                Some(before) => changes.changes.push(Change {
                    ops,
                    before: Some(before),
                    after: Some(after),
                    members: 0,
                }),
                None => self.single(Half::After, after, &mut changes),
            }
        }
        changes
    }

    /// What the earlier version of a file had and no file has now.
    fn gone(&self, file: usize, all: &mut [Changes]) {
        let count = self.matching.after[file].len();
        for id in 0..count as ItemId {
            let node = Node { file, item: id };
            if self.matching.partner(Half::Before, node).is_none() {
                self.single(Half::Before, node, &mut all[file]);
            }
        }
    }

    /// A definition without a partner, if what is around it has one.
    fn single(&self, half: Half, node: Node, changes: &mut Changes) {
        let side = self.matching.side(half, node.file);
        let item = side.item(node.item);
        let lone = |id: ItemId| {
            let node = Node { item: id, ..node };
            self.matching.partner(half, node).is_none()
        };
        if is_block(item)
            || item
                .parent
                .is_some_and(|id| lone(id) && !is_block(side.item(id)))
        {
            return;
        }
        let other = match half {
            Half::Before => self.matching.files[node.file].after,
            Half::After => self.matching.files[node.file].before,
        };
        if other.is_some_and(|other| is_hidden(other, item)) {
            changes.unclear[usize::from(half == Half::After)].push(node.item);
            return;
        }
        let members = (node.item + 1..item.end).filter(|&id| lone(id)).count() as u32;
        let (op, before, after) = match half {
            Half::Before => (Op::Removed, Some(node), None),
            Half::After => (Op::Added, None, Some(node)),
        };
        changes.changes.push(Change {
            ops: vec![op],
            before,
            after,
            members,
        });
    }

    fn ops(&self, two: &Two<'a>) -> Vec<Op> {
        let (old, new) = (two.old, two.new);
        let mut ops = vec![];
        let renamed = match old.kind == Kind::Impl && new.kind == Kind::Impl {
            true => !is_block(new) && self.words(&old.qualname) != new.qualname,
            false => old.name != new.name && !(is_constructor(old) && is_constructor(new)),
        };
        let moved = self.moved(two);
        let decorated = old.decorators != new.decorators && decorators(old) != decorators(new);
        let mut say = |op, is: bool| {
            if is {
                ops.push(op);
            }
        };
        say(Op::Renamed, renamed);
        say(Op::Moved, moved);
        say(Op::Signature, self.signature(two));
        say(Op::Body, old.kind != Kind::Type && !same_body(two));
        say(Op::Doc, documented(two));
        say(Op::Decorators, decorated);
        say(Op::Kind, kind_changed(old, new, renamed, moved, decorated));
        say(Op::Exported, self.exported(two) && !renamed && !moved);
        ops
    }

    /// Whether the scope or the file is another one.
    fn moved(&self, two: &Two<'_>) -> bool {
        if two.before.file != two.after.file {
            // With the type or scope around it, it moved as a part of that.
            return !self.with_parent(two);
        }
        if self.with_parent(two) || is_block(two.new) {
            return false;
        }
        let (was, is) = (scope(two.old), scope(two.new));
        let steady = |name| steady(two.new.kind, name);
        was != is && steady(was) != steady(is) && steady(&self.called_now(was)) != steady(is)
    }

    fn with_parent(&self, two: &Two<'_>) -> bool {
        match (two.old.parent, two.new.parent) {
            (Some(outer), Some(around)) => {
                let outer = Node {
                    item: outer,
                    ..two.before
                };
                let around = Node {
                    item: around,
                    ..two.after
                };
                self.matching.partner(Half::Before, outer) == Some(around)
                    && !is_block(self.matching.item(Half::After, around))
            }
            _ => false,
        }
    }

    /// A scope as it is called after all renames.
    fn called_now(&self, scope: &str) -> String {
        let bare = scope.trim_end_matches(['.', ':', '/', '>', ' ']);
        let ends = bare
            .char_indices()
            .filter(|(_, c)| matches!(c, '.' | ':' | '/' | '>'));
        let mut ends: Vec<usize> = ends.map(|(at, _)| at).collect();
        ends.push(bare.len());
        let known = ends
            .iter()
            .rev()
            .find_map(|&end| Some((end, self.renamed.get(&bare[..end])?)));
        known.map_or(scope.to_string(), |(end, name)| {
            format!("{name}{}", &scope[end..])
        })
    }

    /// A text with all types called what they are called now.
    fn words(&self, text: &str) -> String {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut out = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let end = match word(c) {
                true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
                false => c.len_utf8(),
            };
            let (name, behind) = rest.split_at(end);
            out += self.renamed.get(name).map_or(name, String::as_str);
            rest = behind;
        }
        out
    }

    /// Heads are compared without names that changed, which is said already.
    fn signature(&self, two: &Two<'_>) -> bool {
        let (old, new) = (two.old, two.new);
        if old.kind.class() == KindClass::Entry {
            return old.level != new.level;
        }
        if old.kind != Kind::Type && old.signature == new.signature && old.head == new.head {
            return false;
        }
        let (was, is) = (leftover::names(old), leftover::names(new));
        let differs = match was == is {
            true => head(old, &[]) != head(new, &[]),
            false => head(old, &was) != head(new, &is),
        };
        differs || old.kind == Kind::Type && !same_body(two)
    }

    /// Whether it is visible to others now or no longer, and what it stands in has nothing to do with that.
    fn exported(&self, two: &Two<'_>) -> bool {
        let around = two.old.parent.zip(two.new.parent);
        let with_parent = around.is_some_and(|(outer, around)| {
            let (outer, around) = (two.old_side.item(outer), two.new_side.item(around));
            (outer.exported, around.exported) == (two.old.exported, two.new.exported)
        });
        two.old.exported != two.new.exported && !with_parent
    }

    /// Siblings that changed places.
    fn reordered(&self, file: usize, side: &Side, ops: &mut [Vec<Op>]) {
        let parents = (0..side.outline.items.len() as ItemId).map(Some);
        for parent in std::iter::once(None).chain(parents) {
            let mut siblings: Vec<(ItemId, (usize, u64))> = vec![];
            for id in side.outline.children(parent) {
                let after = Node { file, item: id };
                let Some(before) = self.matching.partner(Half::After, after) else {
                    continue;
                };
                let item = side.item(id);
                let outer = self.matching.item(Half::Before, before).parent;
                let outer = outer.map(|item| Node { item, ..before });
                let same = outer.and_then(|outer| self.matching.partner(Half::Before, outer))
                    == parent.map(|item| Node { file, item });
                let place = before.file == file && same && (outer.is_none() == parent.is_none());
                if place && item.kind != Kind::Key && !ops[id as usize].contains(&Op::Moved) {
                    let quiet = if ops[id as usize].is_empty() {
                        1000
                    } else {
                        900
                    };
                    let size = u64::from(item.lines.count().min(99));
                    siblings.push((id, (before.item as usize, quiet + size)));
                }
            }
            let places: Vec<(usize, u64)> = siblings.iter().map(|(_, place)| *place).collect();
            if places.is_sorted_by_key(|(place, _)| *place) {
                continue;
            }
            for ((id, _), moved) in siblings.iter().zip(order::moved(&places)) {
                if moved && !is_block(side.item(*id)) {
                    ops[*id as usize].push(Op::Moved);
                    ops[*id as usize].sort();
                }
            }
        }
    }

    /// Notes whether an unchanged definition stands elsewhere or is laid out in another way.
    fn unchanged(&self, two: &Two<'a>, listed: &[bool], changes: &mut Changes) {
        let inside = two.after.item as usize..two.new.end as usize;
        if listed[inside.clone()].iter().any(|listed| *listed) {
            return;
        }
        if text(two.old_side, two.old) != text(two.new_side, two.new)
            && own_lines(two.old_side, two.before.item) != own_lines(two.new_side, two.after.item)
        {
            changes.layout.push((two.before.item, two.after.item));
        } else if two.old.lines != two.new.lines {
            changes.shifted += 1;
        }
    }

    /// For each definition of the earlier version, where in the later one the last partner in front of it begins.
    fn anchors(&self, file: usize) -> Vec<u32> {
        let mut last = 0;
        let anchor = |partner: &Option<Node>| {
            let before = last;
            if let Some(partner) = partner.filter(|partner| partner.file == file) {
                last = self.matching.item(Half::After, partner).bytes.start;
            }
            before
        };
        self.matching.after[file].iter().map(anchor).collect()
    }

    /// By the place in the later version; what is gone behind the partner of what stood in front of it.
    fn place(&self, anchors: &[u32], change: &Change) -> (u32, u32) {
        match (change.after, change.before) {
            (Some(after), _) => (self.matching.item(Half::After, after).bytes.start, 0),
            (None, Some(before)) => (anchors[before.item as usize], 1 + before.item),
            (None, None) => (0, 0),
        }
    }
}
