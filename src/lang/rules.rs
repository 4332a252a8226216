//! Reads `queries/<lang>.scm` into a table keyed by node kind and matches single nodes against it.
//! The notation is the community's query notation, restricted to flat patterns: `(kind field: (kind)? @capture) @role`
//! with nested steps, `"token"`, `?`, `_` and comments; no alternations, anchors, predicates or repetition.
//! Why not `tree_sitter::Query`: compiling one costs 1 ms (Go) to 23 ms (C++) at every start, this reader 0.02-0.11 ms,
//! and its walk a third of the time. A test compiles every file with the real engine and compares the hits.
//!
//! Directives stand in comments, where the real engine does not see them: `;! noise TEXT...` (decorators left out of
//! text), `;! ignore KIND REASON` (a node kind with a name that is no definition) and `;! inner WORD...` (one of these
//! must stand in a function body that defines anything: bodies without are not visited). Two are for files that are not
//! parsed: `;! scan WORD=KIND...` (words that begin a definition) and `;! before WORD...` (words that may stand in front).

mod reader;

use std::num::NonZeroU16;

use memchr::memmem::Finder;
use tree_sitter::{Language, Node};

use crate::model::Kind;
use reader::Reader;

/// All patterns of one language.
pub struct Rules {
    rules: Vec<Rule>,
    /// For each node kind, its rules in the order of the file.
    by_kind: Vec<Vec<u16>>,
    pub noise: Vec<&'static str>,
    inner: Vec<Finder<'static>>,
    pub ignored: Vec<&'static str>,
    pub scan: Vec<(&'static str, Kind)>,
    pub before: Vec<&'static str>,
}

pub struct Rule {
    pub role: Role,
    /// The pattern as written, for `tree --explain`.
    pub text: &'static str,
    steps: Vec<Step>,
}

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// What a matching node is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Role {
            Definition(Kind),
            $($(#[$doc])* $variant,)*
        }
        impl Role {
            /// The role that `@name` stands for.
            fn from_name(name: &str) -> Option<Role> {
                match name {
                    $($name => Some(Role::$variant),)*
                    _ => name.strip_prefix("definition.").and_then(Kind::from_name).map(Role::Definition),
                }
            }
        }
    };
}

roles! {
    Import "import",
    /// Names what the file exports elsewhere than at the definition.
    Export "export",
    /// Part of the qualified name of what lies inside, but no entry.
    Scope "scope",
    /// A scope without a name; what lies inside is not visible outside of the file.
    Hidden "hidden",
    /// Says something of all siblings behind it (`private:`).
    Section "section",
    /// A function without a name: what lies inside is local.
    Callable "callable",
    /// A type without a name: what lies inside are its members.
    Type "type",
    /// A call that a hook looks into: it may import, or run a function where it stands.
    Call "call",
    /// Statements: what lies inside is local.
    Block "block",
    /// Widens the definition directly inside.
    Wrapper "wrapper",
    Decorator "decorator",
    /// Holds decorators among keywords.
    Modifiers "modifiers",
    Comment "comment",
    /// A value short enough to be shown.
    Literal "literal",
    /// Holds nothing but definitions.
    Items "items",
    /// Text that the grammar does not read; a hook says which parts of it are parsed again where definitions stand.
    Embedded "embedded",
    /// Nothing inside defines anything.
    Skip "skip",
}

macro_rules! captures {
    ($($variant:ident $name:literal,)*) => {
        /// What a pattern can point out inside a node.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Capture { $($variant,)* }
        impl Capture {
            const ALL: &[(&'static str, Capture)] = &[$(($name, Capture::$variant),)*];
        }
    };
}

captures! {
    Name "name",
    Body "body",
    Params "params",
    Returns "returns",
    Bases "bases",
    Value "value",
    Receiver "receiver",
    Type "type",
}

/// Children that one node of a pattern may name.
const MAX_STEPS: usize = 15;
const CAPTURES: usize = Capture::ALL.len();

/// One match: the node, its rule and what the rule points out.
#[derive(Clone, Copy)]
pub struct Hit<'r, 't> {
    pub rule: &'r Rule,
    pub node: Node<'t>,
    /// The child of `node` that holds the name.
    pub pivot: Option<Node<'t>>,
    captures: [Option<Node<'t>>; CAPTURES],
}

impl<'t> Hit<'_, 't> {
    pub fn get(&self, capture: Capture) -> Option<Node<'t>> {
        self.captures[capture as usize]
    }
}

struct Step {
    /// A named field; without one, any child.
    field: Option<NonZeroU16>,
    /// Node kinds that fit; empty for `(_)`.
    kinds: Vec<u16>,
    optional: bool,
    capture: Option<Capture>,
    /// Whether `@name` lies here: a field that repeats (`int a, b;`) then gives one hit for each child.
    holds_name: bool,
    steps: Vec<Step>,
}

impl Rules {
    /// # Errors
    /// A message with the offending text, for notation outside of the subset and names the grammar does not know.
    pub fn read(texts: &[&'static str], language: &Language) -> Result<Rules, String> {
        let kinds = language.node_kind_count();
        let mut rules = Rules {
            rules: vec![],
            by_kind: vec![vec![]; kinds],
            noise: vec![],
            inner: vec![],
            ignored: vec![],
            scan: vec![],
            before: vec![],
        };
        let ids = reader::ids(language);
        for text in texts {
            let mut reader = Reader {
                rest: text,
                language,
                ids: &ids,
                rules: &mut rules,
            };
            while reader.skip_blank() {
                reader.pattern()?;
            }
        }
        Ok(rules)
    }

    /// Appends a hit for every name the first fitting rule gives on `node`. False where no rule fits.
    pub fn find<'r, 't>(&'r self, node: Node<'t>, hits: &mut Vec<Hit<'r, 't>>) -> bool {
        let candidates = self
            .by_kind
            .get(node.kind_id() as usize)
            .map_or(&[][..], |rules| rules);
        candidates.iter().any(|&index| {
            let rule = &self.rules[index as usize];
            let hit = Hit {
                rule,
                node,
                pivot: None,
                captures: [None; CAPTURES],
            };
            hit.matches(&rule.steps, node, hits)
        })
    }

    /// Whether `node` plays a role that needs no captures.
    pub fn is(&self, node: Node<'_>, role: Role) -> bool {
        let candidates = self
            .by_kind
            .get(node.kind_id() as usize)
            .map_or(&[][..], |rules| rules);
        candidates.iter().any(|&index| {
            let rule = &self.rules[index as usize];
            rule.role == role && rule.steps.is_empty()
        })
    }

    /// Whether a function body of this text can define anything. Costs 2 % of a parse, a walk through all bodies 15 %.
    pub fn may_define(&self, body: &[u8]) -> bool {
        self.inner.is_empty() || self.inner.iter().any(|word| word.find(body).is_some())
    }

    /// The role of the first pattern without conditions for this kind of node.
    pub fn role(&self, node: Node<'_>) -> Option<Role> {
        let candidates = self.by_kind.get(node.kind_id() as usize)?;
        candidates
            .iter()
            .map(|&index| &self.rules[index as usize])
            .find(|rule| rule.steps.is_empty())
            .map(|rule| rule.role)
    }
}

impl<'r, 't> Hit<'r, 't> {
    /// Follows `steps` from `node` in one pass over its children; one hit for each child that the step with the name fits.
    fn matches(mut self, steps: &[Step], node: Node<'t>, hits: &mut Vec<Hit<'r, 't>>) -> bool {
        let mut named = vec![];
        if !self.take(steps, node, &mut named) {
            return false;
        }
        let Some(pivot) = steps.iter().find(|step| step.holds_name) else {
            hits.push(self);
            return true;
        };
        let first = hits.len();
        for child in named {
            let mut hit = self;
            hit.pivot.get_or_insert(child);
            hit.keep(pivot, child);
            hit.matches(&pivot.steps, child, hits);
        }
        if hits.len() == first && pivot.optional {
            hits.push(self);
        }
        hits.len() > first
    }

    /// Follows the steps that hold no name, and collects the children that the one with the name may stand for.
    /// False where a step that is not optional finds nothing.
    fn take(&mut self, steps: &[Step], node: Node<'t>, named: &mut Vec<Node<'t>>) -> bool {
        if steps.is_empty() {
            return true;
        }
        // Steps still to find, as bits: see `MAX_STEPS`.
        let mut open: u16 = (1 << steps.len()) - 1;
        let mut cursor = node.walk();
        let mut more = cursor.goto_first_child();
        while more && open != 0 {
            let (child, field) = (cursor.node(), cursor.field_id());
            for (index, step) in steps.iter().enumerate() {
                if open & (1 << index) == 0 || !step.stands_for(child, field) {
                    continue;
                }
                if step.holds_name {
                    named.push(child);
                    continue;
                }
                let mut hit = *self;
                hit.keep(step, child);
                if hit.take(&step.steps, child, named) {
                    *self = hit;
                    open &= !(1 << index);
                    break;
                }
            }
            more = cursor.goto_next_sibling();
        }
        steps
            .iter()
            .enumerate()
            .all(|(index, step)| open & (1 << index) == 0 || step.optional || step.holds_name)
    }

    fn keep(&mut self, step: &Step, child: Node<'t>) {
        if let Some(capture) = step.capture {
            self.captures[capture as usize] = Some(child);
        }
    }
}

impl Step {
    fn stands_for(&self, child: Node<'_>, field: Option<NonZeroU16>) -> bool {
        (self.field.is_none() || field == self.field) && self.fits(child)
    }

    fn fits(&self, child: Node<'_>) -> bool {
        if self.kinds.is_empty() {
            child.is_named()
        } else {
            self.kinds.contains(&child.kind_id())
        }
    }
}

#[cfg(test)]
mod tests;
