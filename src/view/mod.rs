//! What of an outline is shown: the ladder of views, the filters, the best that fits a budget. Decides, counts what is left
//! out, prints nothing.

mod fit;
mod ladder;
mod left;
mod thin;
mod worth;

pub use fit::{Asked, Choice, Fitted, Measure, fit, spend, units};
pub use ladder::Shape;
pub use left::{LeftOut, left_out};
pub use worth::worths;

use globset::GlobMatcher;

use crate::model::{Item, ItemId, Kind, Lines, Outline};

/// How much of each definition is shown, finest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// What somebody else wrote about it.
    Summary,
    /// The whole text.
    Full,
    /// The text of some definitions, signatures of the others.
    Focus,
    /// The text of what changed.
    Changes,
    /// Signatures with the first sentence of their documentation.
    Docs,
    Signatures,
    /// Names and ranges of types and callables.
    Names,
    /// The same without the ranges of callables: where there are hundreds, those take most of it.
    List,
    /// Names and ranges of the top level.
    Top,
    /// The first and the last lines of a text.
    Ends,
    /// One line: how many of what.
    Counts,
}

impl View {
    fn has_imports(self) -> bool {
        matches!(
            self,
            View::Full | View::Focus | View::Docs | View::Signatures
        )
    }

    /// Whether types and callables are named one by one.
    pub fn is_names(self) -> bool {
        matches!(self, View::Names | View::List)
    }

    pub fn name(self) -> &'static str {
        match self {
            View::Summary => "summary",
            View::Full => "full",
            View::Focus => "focus",
            View::Changes => "changes",
            View::Docs => "docs",
            View::Signatures => "signatures",
            View::Names => "names",
            View::List => "list",
            View::Top => "top",
            View::Ends => "ends",
            View::Counts => "counts",
        }
    }
}

/// How much of one definition is shown, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Hidden,
    /// Name and range.
    Name,
    Signature,
    /// The signature with the first sentence of its documentation.
    Docs,
    /// All its lines as they stand in the file, those of what is inside of it among them.
    Whole,
}

impl Level {
    pub const ALL: [Level; 5] = [
        Level::Hidden,
        Level::Name,
        Level::Signature,
        Level::Docs,
        Level::Whole,
    ];

    /// What it tells, in tenths of a signature with its documentation.
    pub fn worth(self) -> u64 {
        match self {
            Level::Hidden => 0,
            Level::Name => 5,
            Level::Signature => 8,
            Level::Docs => 10,
            Level::Whole => 25,
        }
    }

    /// What a view shows of the definitions it lists.
    fn of(view: View) -> Level {
        match view {
            View::Full | View::Docs => Level::Docs,
            View::Focus | View::Signatures => Level::Signature,
            View::Changes | View::Names | View::List | View::Top => Level::Name,
            View::Summary | View::Ends | View::Counts => Level::Hidden,
        }
    }
}

/// Levels of keys that are named in [`View::Names`]: a lock file would drown the folder it lies in.
const NAMED_KEYS: u32 = 2;
/// The same of keys with their values in [`View::Signatures`].
const SIGNED_KEYS: u32 = 3;
/// Levels of headings in [`View::Top`]: the first is often the title alone.
const TOP_HEADINGS: u32 = 2;

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

/// How much of each item of an outline is shown, and what is left out where.
pub struct Plan {
    pub view: View,
    pub levels: Vec<Level>,
    pub omitted: Vec<Omitted>,
    /// Lines that are shown as they stand, besides those of definitions.
    pub excerpts: Vec<Lines>,
    /// Whether imports are shown.
    pub imports: bool,
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
            levels: vec![Level::Hidden; outline.items.len()],
            omitted: vec![],
            excerpts: vec![],
            imports: view.has_imports(),
        };
        if matches!(view, View::Summary | View::Ends | View::Counts) {
            return plan;
        }
        let wanted = |item: &Item| {
            (filter.kinds.is_empty() || filter.kinds.contains(&item.kind))
                && (!filter.exported || item.exported)
                && filter
                    .pattern
                    .as_ref()
                    .is_none_or(|glob| glob.is_match(&item.name) || glob.is_match(&item.qualname))
                && !(view.is_names() && item.kind.is_value())
        };
        let most = match view {
            View::Top if is_text(outline) => Some(TOP_HEADINGS),
            View::Top => Some(1),
            _ => filter.depth,
        };
        let mut depths: Vec<u32> = vec![0; outline.items.len()];
        for (id, item) in outline.items.iter().enumerate() {
            depths[id] = item.parent.map_or(1, |parent| depths[parent as usize] + 1);
            let deepest = match view {
                View::Signatures => SIGNED_KEYS,
                View::Names | View::List => NAMED_KEYS,
                _ => u32::MAX,
            };
            let buried = item.kind == Kind::Key && depths[id] > deepest;
            if most.is_none_or(|most| depths[id] <= most) && wanted(item) && !buried {
                plan.levels[id] = Level::of(view);
            }
        }
        plan.keep_enclosing(outline);
        if filter.max_members > 0 {
            plan.cap_members(outline, filter.max_members);
        }
        plan
    }

    pub fn count_shown(&self) -> usize {
        self.levels
            .iter()
            .filter(|&&level| level > Level::Hidden)
            .count()
    }

    pub fn shows(&self, id: usize) -> bool {
        self.levels[id] > Level::Hidden
    }

    /// Whether a definition's lines are shown by those of what it stands in.
    pub fn shows_within(&self, outline: &Outline, id: usize) -> bool {
        let parent = outline.items[id].parent;
        parent.is_some_and(|parent| self.levels[parent as usize] == Level::Whole)
    }

    /// What encloses something shown is shown too: a method without its class says little.
    fn keep_enclosing(&mut self, outline: &Outline) {
        for id in (0..outline.items.len()).rev() {
            if let (true, Some(parent)) = (self.shows(id), outline.items[id].parent) {
                let around = &mut self.levels[parent as usize];
                *around = Level::of(self.view).max(*around);
            }
        }
    }

    /// Hides the methods of large types past the first `most`; data models are never cut.
    fn cap_members(&mut self, outline: &Outline, most: usize) {
        for (id, item) in outline.items.iter().enumerate() {
            if item.data || !self.shows(id) {
                continue;
            }
            let children = outline.children(Some(id as ItemId));
            let methods = children.filter(|&child| {
                self.shows(child as usize) && outline.items[child as usize].kind.is_callable()
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
                self.levels[child as usize..outline.items[child as usize].end as usize]
                    .fill(Level::Hidden);
            }
        }
    }
}

/// Whether an outline is that of a text with headings.
fn is_text(outline: &Outline) -> bool {
    outline
        .items
        .first()
        .is_some_and(|item| item.kind == Kind::Heading)
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
