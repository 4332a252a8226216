//! The order of a list of items: pre-order by parents, each subtree in one piece.

use crate::model::{Item, ItemId};

/// Puts items in pre-order by their parents and sets the ends of subtrees. Items come in source order; only a scope that
/// begins behind another definition (a struct declared as a result type) makes a subtree fall in two.
pub fn arrange(items: &mut Vec<Item>) {
    arrange_by(items, |_| 0);
}

/// The same with siblings in the order of a key, for items that do not come in source order.
pub fn arrange_by(items: &mut Vec<Item>, key: impl Fn(&Item) -> u32) {
    let count = items.len();
    let mut children: Vec<Vec<usize>> = vec![vec![]; count + 1];
    for (id, item) in items.iter().enumerate() {
        children[item.parent.map_or(count, |parent| parent as usize)].push(id);
    }
    for siblings in &mut children {
        siblings.sort_by_key(|&id| key(&items[id]));
    }
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<usize> = children[count].iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        order.push(id);
        stack.extend(children[id].iter().rev());
    }
    let mut new_id = vec![0; count];
    for (new, &old) in order.iter().enumerate() {
        new_id[old] = new as ItemId;
    }
    let mut taken: Vec<Option<Item>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.iter().filter_map(|&old| taken[old].take()));
    for (id, item) in items.iter_mut().enumerate() {
        item.parent = item.parent.map(|parent| new_id[parent as usize]);
        item.end = id as ItemId + 1;
    }
    for id in (0..count).rev() {
        if let Some(parent) = items[id].parent {
            items[parent as usize].end = items[parent as usize].end.max(items[id].end);
        }
    }
}
