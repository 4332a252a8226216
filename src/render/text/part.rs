//! What one definition takes of an answer, to choose by what fits.

use std::io::{self, Write};

use super::{Elements, Printer};
use crate::model::{ItemId, Outline};
use crate::render::{File, visible};
use crate::view::{Level, Plan, View};

/// How deep each definition stands, for [`part`].
pub struct Places(Vec<usize>);

impl Places {
    pub fn new(outline: &Outline, view: View) -> Places {
        let elements = Elements::new(view);
        let mut depths: Vec<usize> = vec![0; outline.items.len()];
        for (id, item) in outline.items.iter().enumerate() {
            let outside = item.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths[id] = outside + usize::from(elements.of(outline, item).is_some());
        }
        Places(depths)
    }
}

/// What one definition takes of an answer, without what is inside of it; at the least where it stands on a line with others.
pub fn part(
    out: &mut dyn Write,
    file: &File<'_>,
    plan: &Plan,
    places: &Places,
    id: ItemId,
    level: Level,
) -> io::Result<()> {
    let item = &file.outline.items[id as usize];
    let mut printer = Printer {
        out,
        file,
        plan,
        excerpts: &[],
    };
    if printer.joins(id as usize) {
        if level == Level::Name {
            // In a list, equal names in a row stand for each other: to take one out can save nothing.
            return match plan.view {
                View::List => Ok(()),
                _ => write!(printer.out, "{}", visible(&printer.joined(item))),
            };
        }
        // Out of its line, it takes another for those behind it, and its equals on both sides are no longer in a row.
        let other = match plan.view {
            View::List => item.name.as_str(),
            _ => "",
        };
        write!(printer.out, "\n  {}", visible(other))?;
    }
    printer.line(id as usize, level, places.0[id as usize], false)
}
