//! The tokens of a file as its tree has them, for telling a change of code from one of layout. Comments are none, commas
//! in front of a closing bracket and semicolons at the end of a statement are none; what a grammar shows by indentation or
//! line ends alone is kept as the depth of blocks and the beginnings of statements. Only what may have changed is walked:
//! visiting every node costs a fifth of a parse.

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::lang::Grammar;
use crate::lang::rules::{Role, Rules};
use crate::model::{ItemId, Lines, Outline};
use crate::source::Source;

/// The tokens of some definitions of a file.
#[derive(Debug, Default)]
pub struct Leaves {
    /// For each definition whether those of its own text are there.
    known: Vec<bool>,
    leaves: Vec<Leaf>,
}

impl Leaves {
    /// Whether the tokens of a definition are known, without those of the definitions inside.
    pub fn know(&self, id: ItemId) -> bool {
        self.known.get(id as usize).is_some_and(|known| *known)
    }

    /// The tokens that begin in a range.
    pub fn within(&self, range: &Range<u32>) -> &[Leaf] {
        let place = |at| self.leaves.partition_point(|leaf| leaf.start < at);
        &self.leaves[place(range.start)..place(range.end.max(range.start))]
    }
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    pub start: u32,
    pub end: u32,
    /// Blocks around it.
    pub depth: u16,
    /// It begins a statement.
    pub first: bool,
    pub sort: Sort,
}

/// What of a token's text counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// All of it.
    Code,
    /// A quote of a string that may be written with either.
    Quote,
    /// The inside of a string.
    Text,
    /// Text between tags: words.
    Words,
}

/// The tokens of the innermost definitions that hold each of these stretches of lines.
pub fn leaves(
    tree: &Tree,
    grammar: &Grammar,
    source: &Source,
    outline: &Outline,
    lines: &[Lines],
) -> Leaves {
    let (known, ranges) = around(outline, lines);
    let mut walk = Walk {
        text: source.text(),
        rules: grammar.rules(),
        ranges: &ranges,
        out: vec![],
        at: 0,
        first: false,
        next: 0,
        known: vec![None; tree.language().node_kind_count() + 1],
        blocks: vec![],
        parents: vec![],
        comma: false,
    };
    if !ranges.is_empty() {
        walk.run(&mut tree.walk());
    }
    let leaves = walk.out;
    Leaves { known, leaves }
}

struct Walk<'a, 't> {
    text: &'a [u8],
    rules: &'a Rules,
    ranges: &'a [Range<u32>],
    out: Vec<Leaf>,
    /// Everything in front of this byte is taken up.
    at: u32,
    first: bool,
    /// The first range that does not end in front of the node under the cursor.
    next: usize,
    /// What is known of each kind of node, by its id: names are compared once.
    known: Vec<Option<What>>,
    /// How deep blocks stand that are around the cursor; asking the cursor for its depth takes the depth.
    blocks: Vec<usize>,
    parents: Vec<Node<'t>>,
    /// [`Walk::out`] ends in a comma that a closing bracket makes needless.
    comma: bool,
}

/// What a kind of node is.
#[derive(Clone, Copy)]
struct What {
    comment: bool,
    text: bool,
    block: bool,
    statement: bool,
}

impl<'t> Walk<'_, 't> {
    fn run(&mut self, cursor: &mut TreeCursor<'t>) {
        loop {
            let node = cursor.node();
            if self.visit(node) && cursor.goto_first_child() {
                self.parents.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let left = self.parents.pop();
                self.blocks.pop_if(|depth| *depth >= self.parents.len());
                if let Some(left) = left {
                    self.gap(left.end_byte() as u32);
                }
            }
        }
    }

    /// Takes up a node; whether its children are to be visited.
    fn visit(&mut self, node: Node<'t>) -> bool {
        if !self.wanted(node) {
            return false;
        }
        let start = node.start_byte() as u32;
        let what = self.what(node);
        if what.comment {
            self.gap(start);
            self.at = self.at.max(node.end_byte() as u32);
            return false;
        }
        if what.text || node.child_count() == 0 {
            self.gap(start);
            self.leaf(node);
            return false;
        }
        self.first |= what.statement;
        if what.block {
            self.blocks.push(self.parents.len());
        }
        true
    }

    fn what(&mut self, node: Node<'t>) -> What {
        // The kind of errors has the largest id there is.
        let id = usize::from(node.kind_id()).min(self.known.len() - 1);
        if let Some(what) = self.known[id] {
            return what;
        }
        let kind = node.kind();
        let what = What {
            comment: self.rules.is(node, Role::Comment),
            text: is_text(kind),
            block: node.is_named() && kind.ends_with("block"),
            statement: node.is_named() && begins_statement(kind),
        };
        self.known[id] = Some(what);
        what
    }

    /// Whether a node lies in one of the ranges. Nodes come in order, but for those that end behind the cursor.
    fn wanted(&mut self, node: Node<'_>) -> bool {
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let ends_before = |range: &Range<u32>| range.end <= start;
        while self.ranges.get(self.next).is_some_and(ends_before) {
            self.next += 1;
        }
        let around = self.next.saturating_sub(1);
        let mut near = self.ranges[around.min(self.ranges.len())..].iter().take(2);
        near.any(|range| range.start < end.max(start + 1) && start < range.end)
    }

    /// Text that no leaf covers: a token of its own if it is not white space.
    fn gap(&mut self, until: u32) {
        let first = self.ranges.partition_point(|range| range.end <= self.at);
        let ranges = self.ranges;
        for range in ranges[first..]
            .iter()
            .take_while(|range| range.start < until)
        {
            let from = range.start.max(self.at);
            let bytes = &self.text[from as usize..until.min(range.end).max(from) as usize];
            let blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0x0b | b'\\');
            let start = bytes.iter().position(|byte| !blank(byte));
            let end = bytes.iter().rposition(|byte| !blank(byte));
            if let (Some(start), Some(end)) = (start, end) {
                self.push(from + start as u32, from + end as u32 + 1, Sort::Code);
            }
        }
        self.at = self.at.max(until);
    }

    fn leaf(&mut self, node: Node<'t>) {
        let kind = node.kind();
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        self.at = self.at.max(end);
        let parent = self.parents.last().copied();
        let inside = parent.map_or("", |parent| parent.kind());
        match kind {
            _ if start == end => {}
            "(" | ")" if self.needless() => {
                if kind == ")" && inside == "parenthesized_expression" {
                    self.drop_comma();
                }
            }
            "string_start" if self.continues(start, end) => {
                self.out.pop();
            }
            ";" if !inside.starts_with("for") => {}
            "," if inside == "match_arm" => {}
            "," => {
                self.push(start, end, Sort::Code);
                let single = parent.is_some_and(|parent| parent.named_child_count() < 2);
                self.comma = !(inside.contains("tuple") && single);
            }
            ")" | "]" | "}" | ">" => {
                self.drop_comma();
                self.push(start, end, Sort::Code);
            }
            "'" | "\"" if inside == "string" => self.push(start, end, Sort::Quote),
            "string_start" | "string_end" => self.push(start, end, Sort::Quote),
            "jsx_text" => self.push(start, end, Sort::Words),
            "escape_sequence" if inside == "string" => self.push(start, end, Sort::Text),
            _ if is_text(kind) => self.push(start, end, Sort::Text),
            _ => self.push(start, end, Sort::Code),
        }
    }

    /// Whether brackets part what is in them from nothing: an expression from a statement or a list, tags from an arrow, a
    /// tuple from what makes it one anyway, the only parameter of an arrow from that.
    fn needless(&self) -> bool {
        let [.., outer, inner] = self.parents.as_slice() else {
            return false;
        };
        let first = inner.named_child(0);
        let alone = inner.named_child_count() == 1;
        let around = outer.kind();
        let states = around.ends_with("statement") || around == "assignment";
        match inner.kind() {
            "parenthesized_expression" => match around {
                "variable_declarator"
                | "arguments"
                | "argument_list"
                | "list"
                | "array"
                | "keyword_argument"
                | "pair"
                | "parenthesized_expression" => true,
                "arrow_function" => first.is_some_and(|node| node.kind().starts_with("jsx")),
                _ => states,
            },
            "tuple" | "tuple_pattern" => states || around == "for_in_clause",
            "formal_parameters" if around == "arrow_function" && alone => {
                let word = |node: Node<'_>| node.kind() == "identifier";
                let only =
                    |node: Node<'_>| node.child_count() == 1 && node.child(0).is_some_and(word);
                first.is_some_and(|node| word(node) || only(node))
            }
            _ => false,
        }
    }

    /// Whether a string goes on with one behind it, as if they were one: then neither quote says anything.
    fn continues(&self, start: u32, end: u32) -> bool {
        let around = self
            .parents
            .len()
            .checked_sub(2)
            .map(|at| self.parents[at].kind());
        let text = |start: u32, end: u32| &self.text[start as usize..end as usize];
        let plain = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'"' | b'\''));
        let before = self.out.last().filter(|leaf| leaf.sort == Sort::Quote);
        let inner = around == Some("concatenated_string") && plain(text(start, end));
        inner && before.is_some_and(|leaf| plain(text(leaf.start, leaf.end)))
    }

    /// A comma that only ends a list says nothing; one behind another, or alone in brackets, does.
    fn drop_comma(&mut self) {
        if !std::mem::take(&mut self.comma) {
            return;
        }
        let before = self
            .out
            .len()
            .checked_sub(2)
            .and_then(|at| self.out.get(at));
        let text = before.map_or(&b""[..], |leaf| {
            &self.text[leaf.start as usize..leaf.end as usize]
        });
        if !matches!(text, b"" | b"," | b"(" | b"[" | b"{") {
            self.out.pop();
        }
    }

    fn push(&mut self, start: u32, end: u32, sort: Sort) {
        self.comma = false;
        self.out.push(Leaf {
            start,
            end,
            depth: self.blocks.len().min(usize::from(u16::MAX)) as u16,
            first: std::mem::take(&mut self.first),
            sort,
        });
    }
}

/// Nodes whose text is one token, whatever stands in them: the insides of strings.
fn is_text(kind: &str) -> bool {
    kind.ends_with("string_content")
        || kind.ends_with("string_fragment")
        || kind.ends_with("literal_content")
}

fn begins_statement(kind: &str) -> bool {
    kind.ends_with("statement") || kind.ends_with("declaration") || kind.ends_with("definition")
}

/// The innermost definitions that hold each of these stretches of lines, and the ranges of their own text, in order.
fn around(outline: &Outline, lines: &[Lines]) -> (Vec<bool>, Vec<Range<u32>>) {
    let mut known = vec![false; outline.items.len()];
    let mut ranges: Vec<Range<u32>> = vec![];
    let mut id = 0;
    while let Some(item) = outline.items.get(id) {
        let next = lines.partition_point(|lines| lines.end < item.lines.start);
        let touching = lines[next..]
            .iter()
            .take_while(|lines| lines.start <= item.lines.end);
        let in_child = |lines: &Lines| {
            let mut inside = outline.children(Some(id as u32));
            inside.any(|child| outline.items[child as usize].lines.covers(*lines))
        };
        let mut touched = false;
        for lines in touching {
            touched = true;
            known[id] |= !in_child(lines);
        }
        if known[id] {
            own_ranges(outline, id as ItemId, &mut ranges);
        }
        id = if touched { id + 1 } else { item.end as usize };
    }
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, before| {
        let joined = next.start <= before.end;
        if joined {
            before.end = before.end.max(next.end);
        }
        joined
    });
    (known, ranges)
}

/// A definition's bytes without those of the definitions inside.
fn own_ranges(outline: &Outline, id: ItemId, out: &mut Vec<Range<u32>>) {
    let item = &outline.items[id as usize];
    let mut at = item.bytes.start;
    for child in outline.children(Some(id)) {
        let bytes = &outline.items[child as usize].bytes;
        if at < bytes.start {
            out.push(at..bytes.start);
        }
        at = at.max(bytes.end);
    }
    if at < item.bytes.end {
        out.push(at..item.bytes.end);
    }
}
