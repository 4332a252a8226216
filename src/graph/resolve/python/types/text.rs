//! Types in strings: `"Group | None"`. Names, dots, brackets and bars are all that they are made of.

use tree_sitter::Node;

use super::super::{Walk, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Brackets nested deeper than in any real annotation.
const DEEPEST: u32 = 20;

/// What is left of the text, and where it stands.
struct Quoted<'s, 't> {
    rest: &'s str,
    node: Node<'t>,
    place: Place,
    depth: u32,
}

impl<'s> Quoted<'s, '_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn name(&mut self) -> Option<&'s str> {
        self.rest = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(name).filter(|name| !name.is_empty())
    }
}

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn quoted(&mut self, node: Node<'t>, place: Place) -> TypeId {
        let contents: Vec<_> = match node.kind() {
            "string" => vec![node],
            _ => parts(node).collect(),
        };
        let text: String = contents
            .into_iter()
            .flat_map(parts)
            .filter(|part| part.kind() == "string_content")
            .map(|part| self.lower.str(part))
            .collect();
        let mut quoted = Quoted {
            rest: &text,
            node,
            place,
            depth: 0,
        };
        self.quoted_type(&mut quoted)
    }

    fn quoted_type(&mut self, quoted: &mut Quoted<'_, 't>) -> TypeId {
        let mut of = vec![self.quoted_part(quoted)];
        while quoted.eat("|") {
            of.push(self.quoted_part(quoted));
        }
        match *of {
            [one] => one,
            _ => {
                let of = self.lower.list(&of);
                self.lower.ty(Type::Union { of })
            }
        }
    }

    fn quoted_part(&mut self, quoted: &mut Quoted<'_, 't>) -> TypeId {
        if quoted.eat("...") {
            return self.ellipsis();
        }
        if quoted.eat("[") {
            let of = self.quoted_arguments(quoted);
            let of = self.lower.list(&of);
            return self.lower.ty(Type::Tuple { of });
        }
        let mut path = vec![];
        while let Some(name) = quoted.name() {
            path.push(self.lower.sym(name));
            if !quoted.eat(".") {
                break;
            }
        }
        let Some(&last) = path.last() else {
            return UNTYPED;
        };
        let args = match quoted.eat("[") {
            true if self.lower.facts.name(last) == "Literal" => return UNTYPED,
            true => self.quoted_arguments(quoted),
            false => vec![],
        };
        match self.own_type(&path, &args, quoted.place) {
            Some(ty) => ty,
            None => self.named_type(&path, &args, quoted.node, quoted.place),
        }
    }

    /// Arguments up to the closing bracket.
    fn quoted_arguments(&mut self, quoted: &mut Quoted<'_, 't>) -> Vec<TypeId> {
        let mut args = vec![];
        if quoted.depth == DEEPEST {
            quoted.rest = "";
            return args;
        }
        quoted.depth += 1;
        while !quoted.rest.is_empty() && !quoted.eat("]") {
            let before = quoted.rest.len();
            args.push(self.quoted_type(quoted));
            quoted.eat(",");
            if quoted.rest.len() == before {
                break;
            }
        }
        quoted.depth -= 1;
        args
    }
}
