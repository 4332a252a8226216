//! What definitions are worth to somebody who has not seen the file: how often it names them, whether others can use them,
//! how deep they stand. A function of the file alone, but for how often others refer to them, where that is known.

use std::collections::HashMap;

use crate::model::{Item, Outline};

/// Of a definition that nothing else speaks for.
const BASE: u64 = 8;

/// The worth of each definition. `asked` tells those that were asked for, `others` how often other files refer to those that
/// they refer to.
pub fn worths(
    outline: &Outline,
    text: &[u8],
    asked: &dyn Fn(usize) -> bool,
    others: Option<&HashMap<u32, u32>>,
) -> Vec<u64> {
    let named = mentions(outline, text);
    let mut depths: Vec<u64> = vec![0; outline.items.len()];
    let each = outline.items.iter().enumerate().map(|(id, item)| {
        depths[id] = item.parent.map_or(0, |parent| depths[parent as usize] + 1);
        let references = named
            .get(item.name.as_bytes())
            .map_or(0, |(here, defined)| {
                u64::from(here.saturating_sub(*defined))
            });
        let others = others.and_then(|others| others.get(&(id as u32)));
        let references = references + u64::from(others.copied().unwrap_or(0));
        let bits = u64::from((1 + references).ilog2());
        let mut worth = BASE * (1 + bits);
        worth = if item.exported { worth * 3 / 2 } else { worth };
        worth = if is_private(item) {
            worth * 3 / 10
        } else {
            worth
        };
        worth = if asked(id) { worth * 10 } else { worth };
        worth.saturating_sub(depths[id]).max(1)
    });
    each.collect()
}

/// By convention nothing outside uses it, or only tests do.
fn is_private(item: &Item) -> bool {
    item.name.starts_with('_') || item.name.starts_with("test")
}

/// How often the file has each name as a word, and how many definitions are called so.
fn mentions<'a>(outline: &'a Outline, text: &[u8]) -> HashMap<&'a [u8], (u32, u32)> {
    let mut known: HashMap<&[u8], (u32, u32)> = HashMap::new();
    // Most words are no names, and the first byte and the length tell of most: to look each up took a fifth of a parse.
    let mut lengths = [0u64; 256];
    for item in &outline.items {
        let name = item.name.as_bytes();
        known.entry(name).or_default().1 += 1;
        lengths[usize::from(name.first().copied().unwrap_or(0))] |= 1 << (name.len() % 64);
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    for word in text.split(|byte| !is_word(byte)) {
        let Some(&first) = word.first() else { continue };
        let maybe = lengths[usize::from(first)] & 1 << (word.len() % 64) != 0;
        if let Some((here, _)) = maybe.then(|| known.get_mut(word)).flatten() {
            *here += 1;
        }
    }
    known
}
