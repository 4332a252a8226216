//! What a file defines, as plain data: the one vocabulary of every layer.
//! Holds no text but names, signatures and docs, prints nothing, and knows no language; public JSON has its own
//! shapes in `render::json`, the serde derives here serve the private cache only.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Index of an [`Item`] in [`Outline::items`].
pub type ItemId = u32;

/// Everything known about one file without its text. Always exists: broken code is data, see `problems`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Count of LFs, plus one if the last line is not empty.
    pub lines: u32,
    pub imports: Vec<Import>,
    /// Pre-order: `items[i + 1..items[i].end]` is the subtree of `i`.
    pub items: Vec<Item>,
    pub problems: Vec<Problem>,
    /// Records after the header and the delimiter, for tables only.
    pub table: Option<Table>,
}

/// One definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub kind: Kind,
    pub name: String,
    /// Name with all its scopes, written as the language writes them.
    pub qualname: String,
    /// Source text from behind the decorators to the body, white space folded, comments left out.
    pub signature: String,
    /// Bytes of the signature in front of a value.
    pub head: u32,
    /// First sentence of the documentation, at most 160 characters.
    pub doc: Option<String>,
    pub decorators: Vec<String>,
    pub params: Vec<String>,
    pub returns: Option<String>,
    pub bases: Vec<String>,
    /// The type a method is written for, where the language writes it outside of the type.
    pub receiver: Option<String>,
    pub exported: bool,
    /// A callable or type without a body: prototype, overload, abstract member, stub.
    pub declaration: bool,
    /// A type that is mostly fields; shown whole or not at all.
    pub data: bool,
    /// Depth of a heading, 1 to 6.
    pub level: Option<u8>,
    pub trust: Trust,
    /// From the first decorator to the end, half-open, in the text as parsed.
    pub bytes: Range<u32>,
    /// 1-based, inclusive.
    pub lines: Lines,
    /// Line of the name.
    pub decl_line: u32,
    pub body: Option<Range<u32>>,
    /// What the signature does not say: the body with all that stands in front of it, or the value; empty where there is
    /// neither.
    pub rest: Range<u32>,
    pub parent: Option<ItemId>,
    pub end: ItemId,
}

impl Item {
    /// A definition of which nothing is known but its name and place: on top, without members, named on its first line.
    pub fn new(kind: Kind, name: String, lines: Lines, bytes: Range<u32>) -> Item {
        Item {
            kind,
            qualname: name.clone(),
            name,
            signature: String::new(),
            head: 0,
            doc: None,
            decorators: vec![],
            params: vec![],
            returns: None,
            bases: vec![],
            receiver: None,
            exported: false,
            declaration: false,
            data: false,
            level: None,
            trust: Trust::Whole,
            bytes,
            lines,
            decl_line: lines.start,
            body: None,
            rest: 0..0,
            parent: None,
            end: 0,
        }
    }
}

/// 1-based, inclusive line range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    pub start: u32,
    pub end: u32,
}

/// How far an item's range can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Trust {
    #[default]
    Whole,
    /// Closed, but with a syntax error inside.
    Damaged,
    /// Its own closer is missing; the end is inferred.
    Truncated,
    /// The file was not parsed: a line looks like this definition, and everything about it is a guess.
    Guessed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Import {
    pub module: String,
    pub names: Vec<String>,
    pub line: u32,
}

/// Something that keeps the outline from being complete or certain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    pub kind: ProblemKind,
    pub lines: Lines,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProblemKind {
    /// The text around these lines does not parse; definitions there may be missing.
    Syntax,
    /// A limit on parsing was hit; what follows was read line by line or not at all.
    Limit,
    /// Time (or threads) ran out, on this machine, this time: such an outline is never remembered.
    Timeout,
    /// The bytes were decoded or replaced before they were read.
    Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Non-empty records after the header.
    pub rows: u64,
    pub delimiter: u8,
}

macro_rules! kinds {
    ($($kind:ident $name:literal $class:ident,)*) => {
        /// What a definition is. The order is the order of the documentation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Kind { $($kind,)* }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$kind,)*];

            /// The word used in text, JSON and `--kind`.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name,)* }
            }

            pub fn class(self) -> KindClass {
                match self { $(Kind::$kind => KindClass::$class,)* }
            }
        }
    };
}

kinds! {
    Module "module" Scope,
    Namespace "namespace" Scope,
    Class "class" Type,
    Interface "interface" Type,
    Trait "trait" Type,
    Struct "struct" Type,
    Enum "enum" Type,
    EnumMember "enum_member" Value,
    Union "union" Type,
    Type "type" Type,
    Function "function" Callable,
    Method "method" Callable,
    Constructor "constructor" Callable,
    Field "field" Value,
    Property "property" Value,
    Constant "constant" Value,
    Variable "variable" Value,
    Macro "macro" Macro,
    Impl "impl" Scope,
    Heading "heading" Entry,
    Key "key" Entry,
    Column "column" Entry,
}

/// The few groups that rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindClass {
    Callable,
    Type,
    Scope,
    Value,
    Macro,
    /// A place in a document that is not code.
    Entry,
}

impl Kind {
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    pub fn is_callable(self) -> bool {
        self.class() == KindClass::Callable
    }

    pub fn is_type(self) -> bool {
        self.class() == KindClass::Type
    }

    pub fn is_value(self) -> bool {
        self.class() == KindClass::Value
    }
}

impl Lines {
    pub fn covers(self, other: Lines) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn count(self) -> u32 {
        self.end + 1 - self.start
    }
}

impl Outline {
    /// False where a definition may be missing.
    pub fn complete(&self) -> bool {
        self.problems
            .iter()
            .all(|problem| problem.kind == ProblemKind::Encoding)
    }

    /// Children of `parent`, or the top level, in source order.
    pub fn children(&self, parent: Option<ItemId>) -> Children<'_> {
        let (next, end) = match parent {
            Some(id) => (id + 1, self.items[id as usize].end),
            None => (0, self.items.len() as ItemId),
        };
        Children {
            items: &self.items,
            next,
            end,
        }
    }

    /// The innermost definition that covers all of `lines`.
    pub fn enclosing(&self, lines: Lines) -> Option<ItemId> {
        let mut found = None;
        let mut level = self.children(None);
        while let Some(id) = level.find(|&id| self.items[id as usize].lines.covers(lines)) {
            found = Some(id);
            level = self.children(found);
        }
        found
    }
}

/// Iterator over one level of an outline.
pub struct Children<'a> {
    items: &'a [Item],
    next: ItemId,
    end: ItemId,
}

impl Iterator for Children<'_> {
    type Item = ItemId;

    fn next(&mut self) -> Option<ItemId> {
        if self.next >= self.end {
            return None;
        }
        let id = self.next;
        self.next = self.items[id as usize].end;
        Some(id)
    }
}
