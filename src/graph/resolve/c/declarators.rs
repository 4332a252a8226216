//! The way from a declarator's outside to its name, and the type it makes of the one in front. Loops, never recursion:
//! declarators nest as deep as the file says.

use tree_sitter::Node;

use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// What a declarator declares.
#[derive(Clone)]
pub struct Declarator<'t> {
    pub name: Node<'t>,
    /// Scopes written in front of the name.
    pub scopes: Vec<Node<'t>>,
    /// The parameters, if the name is a function's.
    pub function: Option<Node<'t>>,
    pub value: Option<Node<'t>>,
    /// Where the part that names ends: braces right behind it make a value, behind a `=` they list its parts.
    pub end: usize,
    /// What stands around the name, from the outside.
    pub wraps: Vec<(Wrap, Node<'t>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    Pointer,
    Array,
    Function,
}

/// Follows a declarator to its name.
pub fn declarator(outer: Node<'_>) -> Declarator<'_> {
    let mut found = Declarator {
        name: outer,
        scopes: vec![],
        function: None,
        value: None,
        end: 0,
        wraps: vec![],
    };
    let mut node = outer;
    while let Some(next) = step(node, &mut found) {
        node = next;
    }
    found.name = node;
    if let Some(&(Wrap::Function, function)) = found.wraps.last() {
        found.function = Some(function);
    }
    found
}

fn step<'t>(node: Node<'t>, found: &mut Declarator<'t>) -> Option<Node<'t>> {
    let inner = node.child_by_field_name("declarator");
    match node.kind() {
        "init_declarator" => {
            found.value = node.child_by_field_name("value");
            found.end = inner.map_or(0, |inner| inner.end_byte());
            inner
        }
        "function_declarator" | "abstract_function_declarator" => {
            found.wraps.push((Wrap::Function, node));
            inner
        }
        "pointer_declarator" | "abstract_pointer_declarator" => {
            found.wraps.push((Wrap::Pointer, node));
            inner
        }
        "array_declarator" | "abstract_array_declarator" => {
            found.wraps.push((Wrap::Array, node));
            inner
        }
        "reference_declarator" | "abstract_reference_declarator" => {
            found.wraps.push((Wrap::Pointer, node));
            last_named(node).filter(|inner| inner.kind() != "type_qualifier")
        }
        "parenthesized_declarator"
        | "abstract_parenthesized_declarator"
        | "variadic_declarator" => last_named(node),
        "attributed_declarator" | "dependent_name" => node.named_child(0),
        "pointer_type_declarator" => inner,
        "template_function" => node.child_by_field_name("name"),
        "qualified_identifier" => {
            found.scopes.extend(node.child_by_field_name("scope"));
            node.child_by_field_name("name")
        }
        _ => None,
    }
}

pub fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child((node.named_child_count() as u32).checked_sub(1)?)
}

impl<'t> Walk<'_, '_, 't> {
    /// The type of what a declarator declares: that of a function's result, if it declares one.
    pub fn declared_type(&mut self, base: TypeId, found: &Declarator<'t>, place: Place) -> TypeId {
        if base == UNTYPED {
            return UNTYPED;
        }
        let wraps = match found.function {
            Some(_) => &found.wraps[..found.wraps.len() - 1],
            None => &found.wraps[..],
        };
        wraps.iter().fold(base, |of, &(wrap, node)| {
            self.wrapped(of, wrap, node, place)
        })
    }

    fn wrapped(&mut self, of: TypeId, wrap: Wrap, node: Node<'t>, place: Place) -> TypeId {
        match wrap {
            Wrap::Pointer => self.lower.ty(Type::Ref { of }),
            Wrap::Array => self.lower.ty(Type::Array { of }),
            Wrap::Function if !self.lower.enter() => {
                self.put_off(node, place);
                UNTYPED
            }
            Wrap::Function => {
                let types = self.parameter_types(node, place);
                self.lower.leave();
                let params = self.lower.list(&types);
                let returns = of;
                self.lower.ty(Type::Function { params, returns })
            }
        }
    }

    fn parameter_types(&mut self, function: Node<'t>, place: Place) -> Vec<TypeId> {
        let Some(list) = function.child_by_field_name("parameters") else {
            return vec![];
        };
        let mut types = vec![];
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if let Some(node) = parameter.child_by_field_name("type") {
                let base = self.written(node, place);
                types.push(self.with_declarator(base, parameter, place));
            }
        }
        types
    }

    /// The type that a parameter's or a type name's declarator makes of the one in front of it.
    pub fn with_declarator(&mut self, base: TypeId, node: Node<'t>, place: Place) -> TypeId {
        let Some(outer) = node.child_by_field_name("declarator") else {
            return base;
        };
        let mut found = declarator(outer);
        found.function = None;
        self.declared_type(base, &found, place)
    }
}
