//! Macros. What a call of one is given is tokens to the grammar: they are parsed again, as the statements of a block, which
//! most read like. What a macro's rules write is not read; the names in it count as used.

use tree_sitter::{Node, Parser, Range, Tree};

use super::attributes::Attributes;
use super::types::spine;
use super::walk::{FIELDS, Walk, child, children, field};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Calls of macros in those of macros that are read: each level is parsed once more.
const DEEPEST: u32 = 8;

/// Longest tokens, in bytes, that are read: more is data.
const MAX_TOKENS: usize = 200_000;

pub struct Macros {
    parser: Parser,
    /// The file's text, with the brackets of macro calls as braces and what parts their arguments as `;`.
    text: Vec<u8>,
    depth: u32,
}

impl Macros {
    fn new(text: &[u8]) -> Option<Macros> {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_rust::LANGUAGE.into())
            .ok()?;
        let text = text.to_vec();
        Some(Macros {
            parser,
            text,
            depth: 0,
        })
    }

    /// The tokens of a macro's call as a block.
    fn parse(&mut self, tokens: Node<'_>, braced: bool) -> Option<Tree> {
        let mut cursor = tokens.walk();
        for token in tokens.children(&mut cursor).filter(|_| !braced) {
            match token.kind() {
                "," | "=>" => self.text[token.start_byte()..token.end_byte()].fill(b';'),
                _ => {}
            }
        }
        self.text[tokens.start_byte()] = b'{';
        self.text[tokens.end_byte() - 1] = b'}';
        let range = Range {
            start_byte: tokens.start_byte(),
            end_byte: tokens.end_byte(),
            start_point: tokens.start_position(),
            end_point: tokens.end_position(),
        };
        self.parser.set_included_ranges(&[range]).ok()?;
        self.parser.parse(&self.text, None)
    }
}

impl<'t> Walk<'_, '_, 't> {
    /// A macro's rules.
    pub fn macro_definition(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let Some(name) = field(node, FIELDS.name) else {
            return;
        };
        let def = self.lower.def_named(name);
        if let Some(def) = def {
            self.flags(def, attributes);
            let name = format!("{}!", self.lower.str(name));
            let name = self.lower.sym(&name);
            self.lower.bind(place.scope, name, 0, Bound::Def(def));
        }
        let inner = Place {
            from: def.or(place.from),
            ..place
        };
        for rule in children(node) {
            if let Some(right) = child(rule, "token_tree") {
                self.names_in(right, inner);
            }
        }
    }

    /// A macro's call. Its value is known of some of the standard library's.
    pub fn invocation(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let name = field(node, FIELDS.r#macro);
        let name = name.and_then(|name| {
            let spine = spine(name);
            spine.names.last().copied().or(spine.head)
        });
        let name = name.map_or("", |name| self.lower.str(name));
        let used = format!("{name}!");
        let used = self.lower.sym(&used);
        let used = self.lower.expr(Expr::Name {
            name: used,
            scope: place.scope,
            at: node.start_byte() as u32,
        });
        self.lower.used(Used::Expr(used), node, place);
        let values = match child(node, "token_tree") {
            Some(tokens) if worth_reading(name, tokens) => self.tokens(name, tokens, place),
            Some(tokens) => {
                self.names_in(tokens, place);
                vec![]
            }
            None => vec![],
        };
        self.value_of_macro(name, &values, place)
    }

    fn value_of_macro(&mut self, name: &str, values: &[ExprId], place: Place) -> ExprId {
        match name {
            "vec" => {
                let of = self.lower.list(values);
                self.lower.expr(Expr::Array { of })
            }
            "format" => {
                let ty = self.lower.named("String", place.scope);
                self.lower.expr(Expr::Typed { ty })
            }
            "concat" | "stringify" | "env" | "include_str" => {
                let ty = self.lower.named("str", place.scope);
                self.lower.expr(Expr::Typed { ty })
            }
            "matches" | "cfg" => {
                let literal = Literal::Bool;
                self.lower.expr(Expr::Literal { literal })
            }
            "dbg" => values.first().copied().unwrap_or(UNKNOWN),
            "try" => self.peel(values.first().copied().unwrap_or(UNKNOWN), Peel::Try),
            _ => UNKNOWN,
        }
    }

    /// Reads the tokens of a call; gives the values of what they are parted into.
    fn tokens(&mut self, name: &str, tokens: Node<'t>, place: Place) -> Vec<ExprId> {
        let macros = self.macros.take();
        let Some(mut macros) = macros.or_else(|| Macros::new(self.lower.text).map(Box::new)) else {
            return vec![];
        };
        let braced = tokens.child(0).is_some_and(|open| open.kind() == "{");
        let tree = match macros.depth < DEEPEST {
            true => macros.parse(tokens, braced),
            false => None,
        };
        macros.depth += 1;
        self.macros = Some(macros);
        let values = match &tree {
            Some(tree) => self.within(name, tree.root_node(), place),
            None => {
                self.names_in(tokens, place);
                vec![]
            }
        };
        if let Some(macros) = &mut self.macros {
            macros.depth -= 1;
        }
        values
    }

    /// Reads another tree with what is known here.
    fn within(&mut self, name: &str, root: Node<'_>, place: Place) -> Vec<ExprId> {
        let mut walk = Walk {
            lower: &mut *self.lower,
            later: vec![],
            locals: std::mem::take(&mut self.locals),
            given: vec![],
            testing: self.testing,
            macros: self.macros.take(),
            unbuilt: std::mem::take(&mut self.unbuilt),
            spare: self.spare,
        };
        let locals = walk.locals.len();
        let block = walk_down(root);
        let values = match name {
            "matches" | "assert_matches" | "debug_assert_matches" => walk.matching(block, place),
            _ => walk.sequence(block, place),
        };
        walk.locals.truncate(locals);
        let kept = std::mem::take(&mut walk.locals);
        walk.rest();
        self.macros = walk.macros.take();
        self.unbuilt = std::mem::take(&mut walk.unbuilt);
        self.locals = kept;
        values
    }

    /// A value and a pattern.
    fn matching(&mut self, block: Node<'t>, place: Place) -> Vec<ExprId> {
        let parts = children(block);
        let value = parts
            .first()
            .map_or(UNKNOWN, |&part| self.node(part, place));
        for &part in parts.iter().skip(2) {
            self.node(part, place);
        }
        vec![value]
    }
}

/// The block that a tree is made of.
fn walk_down(root: Node<'_>) -> Node<'_> {
    let mut node = root;
    while let (true, Some(inner)) = (
        matches!(node.kind(), "source_file" | "expression_statement"),
        node.named_child(0),
    ) {
        if node.named_child_count() > 1 {
            break;
        }
        node = inner;
    }
    node
}

/// Whether tokens can hold a call, or the value of the macro is made of theirs.
fn worth_reading(name: &str, tokens: Node<'_>) -> bool {
    tokens.byte_range().len() < MAX_TOKENS
        && (name == "vec" || name == "dbg" || child(tokens, "token_tree").is_some())
}
