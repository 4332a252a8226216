//! Where names are defined and how many call them, for somebody who is about to search for them.

use super::brief::{MOST_TOKENS, listed, visible_lines};
use crate::graph::query::find::Def;
use crate::render::plural;
use crate::tokens::Tokenizer;

/// What a name means.
pub struct Known<'a> {
    pub name: String,
    /// Most called first.
    pub meanings: Vec<Meaning>,
    pub unresolved: u32,
    pub stale: Option<&'static str>,
    pub shown: &'a dyn Fn(&str) -> String,
}

/// One thing of that name.
pub struct Meaning {
    pub def: Def,
    /// Calls of it; of a type, uses too.
    pub calls: usize,
    /// Files the calls stand in.
    pub files: usize,
    pub crosses: bool,
    /// It is a type.
    pub used: bool,
}

impl Known<'_> {
    /// In at most [`MOST_TOKENS`]; empty where not even one definition fits.
    pub fn text(&self) -> String {
        let fits = |text: &String| Tokenizer::O200k.count(text.as_bytes()) <= MOST_TOKENS;
        let texts = (1..=self.meanings.len()).rev().map(|most| self.lines(most));
        texts.into_iter().find(fits).unwrap_or_default()
    }

    fn lines(&self, most: usize) -> String {
        let mut lines: Vec<String> = self.meanings[..most]
            .iter()
            .map(|one| self.one(one))
            .collect();
        let rest = &self.meanings[most..];
        let others = rest.iter().map(|one| one.def.qual.clone());
        if let Some(names) = listed(others, rest.len(), 1) {
            lines.push(format!("also defined: {names}"));
        }
        if self.unresolved > 0 {
            lines.push(format!(
                "unresolved calls of `{}`: {}",
                self.name, self.unresolved
            ));
        }
        lines.extend(self.stale.map(str::to_string));
        visible_lines(&lines)
    }

    /// `Store.save: method at src/store.py:17-24, 9 calls in 4 files, HIGH: crosses packages`
    fn one(&self, meaning: &Meaning) -> String {
        let Meaning {
            def,
            calls,
            files,
            crosses,
            used,
        } = meaning;
        let word = if *used { "use" } else { "call" };
        let lines = match def.lines.start == def.lines.end {
            true => def.lines.start.to_string(),
            false => format!("{}-{}", def.lines.start, def.lines.end),
        };
        let place = (self.shown)(&def.path);
        let kind = def.kind.name().replace('_', " ");
        let head = format!("{}: {kind} at {place}:{lines}", def.qual);
        let calls = match calls {
            0 => format!("no {word}s found"),
            &calls => format!("{} in {}", plural(calls, word), plural(*files, "file")),
        };
        let high = if *crosses {
            ", HIGH: crosses packages"
        } else {
            ""
        };
        format!("{head}, {calls}{high}")
    }
}
