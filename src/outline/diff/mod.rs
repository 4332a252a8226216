//! What changed between two versions of some files, in terms of definitions. Pure: texts and outlines in, [`Change`]s out.
//! Three steps, a file each: `pair` finds the partner of each definition by its name, `leftover` that of the rest by what it
//! says, `judge` tells how partners differ. Whether text differs is for the caller to see; here layout, comments and line
//! ends are none.

mod differ;
mod judge;
mod leftover;
mod order;
mod own;
mod pair;

use crate::lang::Language;
use crate::model::{Item, ItemId, Outline};
use crate::outline::leaves::Leaves;
use crate::source::Source;

pub use leftover::{MOVED, RENAMED};

/// One version of a file.
pub struct Side {
    pub source: Source,
    pub language: &'static Language,
    pub outline: Outline,
    /// Tokens of what may have changed; the rest stands as it stood in the other version.
    pub leaves: Leaves,
}

impl Side {
    pub fn item(&self, id: ItemId) -> &Item {
        &self.outline.items[id as usize]
    }
}

/// A file in both versions, or in one of them.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub before: Option<&'a Side>,
    pub after: Option<&'a Side>,
}

impl<'a> Pair<'a> {
    fn side(&self, half: Half) -> Option<&'a Side> {
        match half {
            Half::Before => self.before,
            Half::After => self.after,
        }
    }
}

/// Which version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Before,
    After,
}

/// A definition: the index of its file and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    pub file: usize,
    pub item: ItemId,
}

macro_rules! ops {
    ($($(#[$doc:meta])* $op:ident $name:literal,)*) => {
        /// How a definition changed, in the order answers have it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $op,)* }

        impl Op {
            pub const ALL: &[Op] = &[$(Op::$op,)*];

            pub fn name(self) -> &'static str {
                match self { $(Op::$op => $name,)* }
            }
        }
    };
}

ops! {
    Added "added",
    Removed "removed",
    Renamed "renamed",
    /// To another file or scope, or past its siblings.
    Moved "moved",
    Signature "signature",
    /// The value of a variable is its body.
    Body "body",
    Doc "doc",
    Decorators "decorators",
    Kind "kind",
    Exported "exported",
}

/// What became of one definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub ops: Vec<Op>,
    pub before: Option<Node>,
    pub after: Option<Node>,
    /// Definitions inside that came or went with it and are not listed.
    pub members: u32,
}

impl Change {
    pub fn has(&self, op: Op) -> bool {
        self.ops.contains(&op)
    }
}

/// What changed in one file.
#[derive(Debug, Default)]
pub struct Changes {
    /// In the order of the later version, what is gone where it stood.
    pub changes: Vec<Change>,
    /// Definitions whose text differs in layout or comments only, innermost ones.
    pub layout: Vec<(ItemId, ItemId)>,
    /// Definitions that did not change and stand at other lines.
    pub shifted: u32,
    /// Definitions of the earlier version, and of the later one, whose name stands where the other does not parse: whether
    /// they came or went is not known.
    pub unclear: [Vec<ItemId>; 2],
}

/// Compares all files at once: definitions move between them.
pub fn compare(files: &[Pair<'_>]) -> Vec<Changes> {
    let mut matching = Matching::new(files);
    for file in 0..files.len() {
        pair::by_name(&mut matching, file);
        pair::across_kinds(&mut matching, file, false);
    }
    leftover::pair(&mut matching);
    for file in 0..files.len() {
        pair::across_kinds(&mut matching, file, true);
    }
    judge::judge(&matching)
}

/// Who is whose partner.
struct Matching<'a> {
    files: &'a [Pair<'a>],
    after: Vec<Vec<Option<Node>>>,
    before: Vec<Vec<Option<Node>>>,
}

impl<'a> Matching<'a> {
    fn new(files: &'a [Pair<'a>]) -> Matching<'a> {
        let none = |half: Half| {
            let count =
                |pair: &Pair<'_>| pair.side(half).map_or(0, |side| side.outline.items.len());
            files.iter().map(|pair| vec![None; count(pair)]).collect()
        };
        Matching {
            files,
            after: none(Half::Before),
            before: none(Half::After),
        }
    }

    /// The partner of a definition of the version `half`.
    fn partner(&self, half: Half, node: Node) -> Option<Node> {
        let partners = match half {
            Half::Before => &self.after,
            Half::After => &self.before,
        };
        partners[node.file][node.item as usize]
    }

    fn join(&mut self, before: Node, after: Node) {
        self.after[before.file][before.item as usize] = Some(after);
        self.before[after.file][after.item as usize] = Some(before);
    }

    fn side(&self, half: Half, file: usize) -> &'a Side {
        self.files[file]
            .side(half)
            .expect("its definitions are asked for")
    }

    fn item(&self, half: Half, node: Node) -> &'a Item {
        self.side(half, node.file).item(node.item)
    }
}

/// What a qualified name has in front of the name.
fn scope(item: &Item) -> &str {
    item.qualname.strip_suffix(item.name.as_str()).unwrap_or("")
}
