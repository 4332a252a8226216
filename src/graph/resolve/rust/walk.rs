//! The walk over a tree: which node is read how, what is put off, which names are locals.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use tree_sitter::Node;

use super::attributes::Attributes;
use super::macros::Macros;
use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place};

/// Locals looked through for a name: of a function with more, some are noted as used from outside.
const MOST_LOCALS: usize = 1000;

pub struct Walk<'w, 'a, 't> {
    pub lower: &'w mut Lower<'a>,
    /// What was nested too deep, to be read later.
    pub later: Vec<(Node<'t>, Place, bool)>,
    /// Names bound by patterns around here, innermost last.
    pub locals: Vec<Local>,
    /// Parameters of closures whose call is not yet there: which expression, which argument.
    pub given: Vec<(ExprId, u16)>,
    /// Inside of test code.
    pub testing: bool,
    pub macros: Option<Box<Macros>>,
    pub unbuilt: Unbuilt,
    /// Of the import that is read: see [`Attributes::spare`].
    pub spare: bool,
}

/// What other platforms have, or builds with less features.
#[derive(Debug, Default)]
pub struct Unbuilt {
    /// Bound where nothing that is compiled here bears the name.
    binds: Vec<(ScopeId, Sym, Bound)>,
    /// Scopes of blocks of members.
    pub blocks: Vec<ScopeId>,
}

#[derive(Debug, Clone, Copy)]
pub struct Local {
    pub name: Sym,
    pub scope: ScopeId,
    /// Neither type nor value is written where it is declared: assignments tell.
    pub open: bool,
}

/// Ids of the grammar's fields: a field by its name is a search through all of them.
pub struct Fields {
    pub alias: u16,
    pub alternative: u16,
    pub arguments: u16,
    pub body: u16,
    pub bounds: u16,
    pub condition: u16,
    pub consequence: u16,
    pub field: u16,
    pub function: u16,
    pub left: u16,
    pub list: u16,
    pub r#macro: u16,
    pub name: u16,
    pub parameters: u16,
    pub path: u16,
    pub pattern: u16,
    pub return_type: u16,
    pub right: u16,
    pub r#trait: u16,
    pub r#type: u16,
    pub type_arguments: u16,
    pub type_parameters: u16,
    pub value: u16,
    pub element: u16,
    pub length: u16,
}

pub static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let language: tree_sitter::Language = tree_sitter_rust::LANGUAGE.into();
    // No field has the id 0, so a name the grammar does not know finds nothing.
    let id = |name: &str| language.field_id_for_name(name).map_or(0, |id| id.get());
    Fields {
        alias: id("alias"),
        alternative: id("alternative"),
        arguments: id("arguments"),
        body: id("body"),
        bounds: id("bounds"),
        condition: id("condition"),
        consequence: id("consequence"),
        field: id("field"),
        function: id("function"),
        left: id("left"),
        list: id("list"),
        r#macro: id("macro"),
        name: id("name"),
        parameters: id("parameters"),
        path: id("path"),
        pattern: id("pattern"),
        return_type: id("return_type"),
        right: id("right"),
        r#trait: id("trait"),
        r#type: id("type"),
        type_arguments: id("type_arguments"),
        type_parameters: id("type_parameters"),
        value: id("value"),
        element: id("element"),
        length: id("length"),
    }
});

pub fn field<'t>(node: Node<'t>, id: u16) -> Option<Node<'t>> {
    node.child_by_field_id(id)
}

/// The named children but comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let named = node.named_children(&mut cursor);
    named.filter(|node| !is_comment(*node)).collect()
}

pub fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "line_comment" | "block_comment")
}

pub fn first<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|node| !is_comment(*node))
}

pub fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|node| node.kind() == kind)
}

impl<'w, 'a, 't> Walk<'w, 'a, 't> {
    pub fn new(lower: &'w mut Lower<'a>) -> Walk<'w, 'a, 't> {
        Walk {
            lower,
            later: vec![],
            locals: vec![],
            given: vec![],
            testing: false,
            macros: None,
            unbuilt: Unbuilt::default(),
            spare: false,
        }
    }

    /// Reads what was put off.
    pub fn rest(&mut self) {
        while let Some((node, place, testing)) = self.later.pop() {
            self.locals.clear();
            self.testing = testing;
            self.node(node, place);
        }
    }

    /// Reads an item, a statement or an expression; gives the value of the last two.
    pub fn node(&mut self, node: Node<'t>, place: Place) -> ExprId {
        self.marked(node, place, &Attributes::default())
    }

    /// The same of what attributes stand in front of.
    pub fn marked(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) -> ExprId {
        if !self.lower.enter() {
            self.later.push((node, place, self.testing));
            return UNKNOWN;
        }
        let place = Place {
            dead: place.dead || attributes.dead,
            ..place
        };
        let testing = self.testing;
        self.testing |= attributes.test;
        let value = match self.item(node, place, attributes) {
            true => UNKNOWN,
            // Another `let` binds the name here.
            false if attributes.spare && node.kind() == "let_declaration" => {
                self.inside(node, place)
            }
            false => self.expression(node, place),
        };
        self.testing = testing;
        self.lower.leave();
        value
    }

    /// Binds what other platforms have, unless something else bears the name. Of blocks of members the first that has a
    /// member counts, so theirs come last.
    pub fn bind_unbuilt(&mut self) {
        let Unbuilt {
            binds: unbuilt,
            blocks,
        } = std::mem::take(&mut self.unbuilt);
        if !blocks.is_empty() {
            let extensions = &mut self.lower.facts.extensions;
            extensions.sort_by_key(|extension| blocks.contains(&extension.scope));
        }
        if unbuilt.is_empty() {
            return;
        }
        let binds = self.lower.facts.binds.iter();
        let bound: HashSet<(ScopeId, Sym)> = binds.map(|bind| (bind.scope, bind.name)).collect();
        for (scope, name, what) in unbuilt {
            if !bound.contains(&(scope, name)) {
                self.lower.bind(scope, name, 0, what);
            }
        }
    }

    /// Blocks of members name their type by what it stands for, where the same module says so: they are found by that name.
    pub fn name_blocks(&mut self) {
        let facts = &mut self.lower.facts;
        let binds = facts.binds.iter().filter_map(|bind| match bind.bound {
            Bound::Def(def) if facts.defs[def as usize].is(flag::ALIAS) => {
                Some(((bind.scope, bind.name), def))
            }
            _ => None,
        });
        let aliases: HashMap<(ScopeId, Sym), DefId> = binds.collect();
        for index in 0..facts.extensions.len() {
            let Extension { of, scope, .. } = facts.extensions[index];
            let Type::Named { path, .. } = facts.ty(of) else {
                continue;
            };
            let [name] = *facts.list(path) else { continue };
            let around = facts.scope(scope).parent.unwrap_or(FILE);
            if let Some(&alias) = aliases.get(&(around, name)) {
                let meant = facts.list(facts.def(alias).bases).first().copied();
                facts.extensions[index].of = meant.unwrap_or(of);
            }
        }
    }

    /// Binds the name of an item.
    pub fn bind_item(&mut self, scope: ScopeId, name: Sym, bound: Bound, spare: bool) {
        match spare {
            true => self.unbuilt.binds.push((scope, name, bound)),
            false => self.lower.bind(scope, name, 0, bound),
        }
    }

    pub fn maybe(&mut self, node: Option<Node<'t>>, place: Place) -> ExprId {
        node.map_or(UNKNOWN, |node| self.node(node, place))
    }

    /// Reads all that a node is made of; its own value is not known.
    pub fn inside(&mut self, node: Node<'t>, place: Place) -> ExprId {
        for child in children(node) {
            self.node(child, place);
        }
        UNKNOWN
    }

    /// Items and statements one behind the other, with the attributes in front of them. Gives the values of those that are
    /// expressions, in order.
    pub fn sequence(&mut self, node: Node<'t>, place: Place) -> Vec<ExprId> {
        let mut attributes = Attributes::default();
        let mut values = vec![];
        for child in children(node) {
            match child.kind() {
                "attribute_item" => self.attribute(child, place, &mut attributes),
                "inner_attribute_item" | "label" => {}
                _ => {
                    values.push(self.marked(child, place, &attributes));
                    attributes = Attributes::default();
                }
            }
        }
        values
    }

    /// A block; its value is that of its last expression, if no `;` follows that.
    pub fn block(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let locals = self.locals.len();
        let values = self.sequence(node, place);
        self.locals.truncate(locals);
        let last = node.named_child(node.named_child_count().saturating_sub(1) as u32);
        let ended = last.is_some_and(|last| {
            last.kind() == "expression_statement" && child(last, ";").is_some()
        });
        match ended {
            true => UNKNOWN,
            false => values.last().copied().unwrap_or(UNKNOWN),
        }
    }

    /// A block with a scope of its own, where it binds anything.
    pub fn scoped(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let binds = |node: Node<'_>| {
            node.kind().ends_with("_item") && node.kind() != "attribute_item"
                || matches!(
                    node.kind(),
                    "let_declaration" | "use_declaration" | "macro_definition"
                )
        };
        let mut cursor = node.walk();
        let scope = node.named_children(&mut cursor).any(binds);
        let place = match scope {
            true => place.scope(self.lower.scope(place.scope, ScopeKind::Block, None)),
            false => place,
        };
        self.block(node, place)
    }

    pub fn local(&mut self, name: Sym) -> Option<Local> {
        let near = self.locals.iter().rev().take(MOST_LOCALS);
        near.copied().find(|local| local.name == name)
    }

    /// One of several values: those that are known, as all have one type.
    pub fn either(&mut self, values: &[ExprId]) -> ExprId {
        let known: Vec<ExprId> = values
            .iter()
            .copied()
            .filter(|&value| value != UNKNOWN)
            .collect();
        match known[..] {
            [] => UNKNOWN,
            [one] => one,
            _ => {
                let of = self.lower.list(&known);
                self.lower.expr(Expr::Either { of })
            }
        }
    }

    pub fn peel(&mut self, of: ExprId, peel: Peel) -> ExprId {
        match of {
            UNKNOWN => UNKNOWN,
            of => self.lower.expr(Expr::Peel { of, peel }),
        }
    }
}
