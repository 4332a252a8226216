//! The numbers of matching lines, grouped by the definition they stand in: the view `places`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Found;
use crate::model::{ItemId, Lines};
use crate::render::text::line_range;
use crate::render::visible;

/// One line a definition, in the order of the source: `Notifier.send  L19 L22-23`. What stands in none comes first.
pub fn places(out: &mut dyn Write, found: &Found<'_>) -> io::Result<()> {
    let mut groups: BTreeMap<Option<ItemId>, Vec<Lines>> = BTreeMap::new();
    for matched in &found.matches.list {
        let group = groups.entry(matched.within).or_default();
        match group.last_mut() {
            Some(last) if last.end + 1 >= matched.lines.start => last.end = matched.lines.end,
            _ => group.push(matched.lines),
        }
    }
    for (within, group) in groups {
        let lines: Vec<String> = group.into_iter().map(line_range).collect();
        let lines = lines.join(" ");
        let item = within.and_then(|id| found.outline?.items.get(id as usize));
        let line = match item {
            Some(item) => format!("{}  {lines}{}", item.qualname, found.evidence(item)),
            None => lines,
        };
        writeln!(out, "{}", visible(&line))?;
    }
    Ok(())
}
