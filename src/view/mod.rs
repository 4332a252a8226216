//! What of an outline is shown: the ladder of views and the filters. Decides, counts what is left out, prints nothing.

use globset::GlobMatcher;

use crate::model::{Item, ItemId, Kind, Lines, Outline};

/// How much of each definition is shown, finest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// The whole text.
    Full,
    /// Signatures with the first sentence of their documentation.
    Docs,
    Signatures,
    /// Names and ranges of types and callables.
    Names,
    /// Names and ranges of the top level.
    Top,
    /// One line: how many of what.
    Counts,
}

impl View {
    pub fn name(self) -> &'static str {
        match self {
            View::Full => "full",
            View::Docs => "docs",
            View::Signatures => "signatures",
            View::Names => "names",
            View::Top => "top",
            View::Counts => "counts",
        }
    }
}

/// Levels of keys that are named in [`View::Names`]: a lock file would drown the folder it lies in.
const NAMED_KEYS: u32 = 2;

/// What the user asked to see of it.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Levels of nesting shown; none for all.
    pub depth: Option<u32>,
    /// Empty for all.
    pub kinds: Vec<Kind>,
    pub exported: bool,
    pub pattern: Option<GlobMatcher>,
    /// Methods shown of one type; 0 for all.
    pub max_members: usize,
}

impl Filter {
    /// Whether it asks for some definitions only, so that a file may have none.
    pub fn is_active(&self) -> bool {
        !self.kinds.is_empty() || self.exported || self.pattern.is_some()
    }
}

/// Which items of an outline are shown, and what is left out where.
pub struct Plan {
    pub view: View,
    pub shown: Vec<bool>,
    pub omitted: Vec<Omitted>,
}

/// A run of methods past the cap.
pub struct Omitted {
    pub parent: ItemId,
    pub methods: usize,
    pub lines: Lines,
}

impl Plan {
    pub fn new(outline: &Outline, view: View, filter: &Filter) -> Plan {
        let mut plan = Plan {
            view,
            shown: vec![false; outline.items.len()],
            omitted: vec![],
        };
        if view == View::Counts {
            return plan;
        }
        let wanted = |item: &Item| {
            (filter.kinds.is_empty() || filter.kinds.contains(&item.kind))
                && (!filter.exported || item.exported)
                && filter
                    .pattern
                    .as_ref()
                    .is_none_or(|glob| glob.is_match(&item.name) || glob.is_match(&item.qualname))
                && !(view == View::Names && item.kind.is_value())
        };
        let most = if view == View::Top {
            Some(1)
        } else {
            filter.depth
        };
        let mut depths: Vec<u32> = vec![0; outline.items.len()];
        for (id, item) in outline.items.iter().enumerate() {
            depths[id] = item.parent.map_or(1, |parent| depths[parent as usize] + 1);
            let buried = view == View::Names && item.kind == Kind::Key && depths[id] > NAMED_KEYS;
            plan.shown[id] = most.is_none_or(|most| depths[id] <= most) && wanted(item) && !buried;
        }
        plan.keep_enclosing(outline);
        if filter.max_members > 0 {
            plan.cap_members(outline, filter.max_members);
        }
        plan
    }

    pub fn count_shown(&self) -> usize {
        self.shown.iter().filter(|&&shown| shown).count()
    }

    /// What encloses something shown is shown too: a method without its class says little.
    fn keep_enclosing(&mut self, outline: &Outline) {
        for id in (0..outline.items.len()).rev() {
            if let (true, Some(parent)) = (self.shown[id], outline.items[id].parent) {
                self.shown[parent as usize] = true;
            }
        }
    }

    /// Hides the methods of large types past the first `most`; data models are never cut.
    fn cap_members(&mut self, outline: &Outline, most: usize) {
        for (id, item) in outline.items.iter().enumerate() {
            if item.data || !self.shown[id] {
                continue;
            }
            let children = outline.children(Some(id as ItemId));
            let methods = children.filter(|&child| {
                self.shown[child as usize] && outline.items[child as usize].kind.is_callable()
            });
            let past: Vec<ItemId> = methods.skip(most).collect();
            let (Some(&first), Some(&last)) = (past.first(), past.last()) else {
                continue;
            };
            let lines = Lines {
                start: outline.items[first as usize].lines.start,
                end: outline.items[last as usize].lines.end,
            };
            self.omitted.push(Omitted {
                parent: id as ItemId,
                methods: past.len(),
                lines,
            });
            for child in past {
                self.shown[child as usize..outline.items[child as usize].end as usize].fill(false);
            }
        }
    }
}

/// How many items of each kind, in the order of [`Kind::ALL`].
pub fn counts(outline: &Outline) -> Vec<(Kind, usize)> {
    let count = |kind: Kind| {
        outline
            .items
            .iter()
            .filter(|item| item.kind == kind)
            .count()
    };
    Kind::ALL
        .iter()
        .map(|&kind| (kind, count(kind)))
        .filter(|&(_, count)| count > 0)
        .collect()
}
