//! Namespaces of C++, what `using` brings, templates and friends.

use tree_sitter::Node;

use super::declarators::declarator;
use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::{Place, line};

impl<'t> Walk<'_, '_, 't> {
    /// A namespace; one without a name, or an inline one, is seen through. What a nameless one holds is its file's own.
    pub fn namespace(&mut self, node: Node<'t>, place: Place) {
        let Some(body) = node.child_by_field_name("body") else {
            return;
        };
        let Some(name) = node.child_by_field_name("name") else {
            self.nameless += 1;
            self.visit_all(body, place);
            self.nameless -= 1;
            return;
        };
        let mut cursor = node.walk();
        let inline = node
            .children(&mut cursor)
            .any(|child| child.kind() == "inline");
        let text = self.lower.str(name);
        let def = self.lower.def_like(name, |known| known == text);
        let inside = match inline {
            true => place,
            false => place.scope(self.lower.scope(place.scope, ScopeKind::Space, def)),
        };
        self.visit_all(body, inside);
    }

    /// `namespace a = b::c;` brings a namespace by another name.
    pub fn namespace_alias(&mut self, node: Node<'t>, place: Place) {
        let (Some(name), Some(of)) = (node.child_by_field_name("name"), node.named_child(1)) else {
            return;
        };
        let local = self.lower.name(name);
        self.import(of, None, ImportKind::Plain, local, place);
    }

    fn import(
        &mut self,
        of: Node<'t>,
        name: Option<Sym>,
        how: ImportKind,
        local: Sym,
        place: Place,
    ) {
        let text = self.lower.str(of).trim_start_matches("::");
        let spec = match name {
            Some(_) => text.rsplit_once("::").map_or("", |(spec, _)| spec),
            None => text,
        };
        let import = Import {
            spec: self.lower.sym(spec),
            name,
            line: line(of),
            how,
            scope: place.scope,
        };
        let id = self.lower.facts.imports.len() as u32;
        self.lower.facts.imports.push(import);
        if how == ImportKind::Plain {
            self.lower.bind(place.scope, local, 0, Bound::Import(id));
        }
    }

    /// `using namespace a::b;` makes all names of it visible, `using a::b;` one.
    pub fn using(&mut self, node: Node<'t>, place: Place) {
        let Some(path) = node.named_child(0) else {
            return;
        };
        let mut cursor = node.walk();
        let all = node
            .children(&mut cursor)
            .any(|child| child.kind() == "namespace");
        let text = self.lower.str(path);
        let last = text.rsplit("::").next().unwrap_or(text);
        let last = self.lower.sym(last);
        match all {
            true => self.import(path, None, ImportKind::Star, last, place),
            false => self.import(path, Some(last), ImportKind::Plain, last, place),
        }
    }

    pub fn template_declaration(&mut self, node: Node<'t>, place: Place) {
        let depth = self.template.len();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "template_parameter_list" => self.template.push(child),
                _ => self.visit(child, place),
            }
        }
        self.template.truncate(depth);
    }

    /// Binds the parameters of a template.
    pub fn template_parameters(&mut self, list: Node<'t>, inside: Place) {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let name = match parameter.kind() {
                "type_parameter_declaration" | "variadic_type_parameter_declaration" => {
                    parameter.named_child(0)
                }
                "optional_type_parameter_declaration" => parameter.child_by_field_name("name"),
                _ => {
                    let outer = parameter.child_by_field_name("declarator");
                    outer.map(|outer| declarator(outer).name)
                }
            };
            if let Some(name) = name {
                let sym = self.lower.name(name);
                let bounds = List::default();
                let at = name.start_byte();
                self.lower
                    .bind(inside.scope, sym, at, Bound::Param { bounds });
            }
            for field in ["default_type", "default_value"] {
                if let Some(default) = parameter.child_by_field_name(field) {
                    self.visit(default, inside);
                }
            }
        }
    }

    /// A friend that is defined here belongs to the namespace around.
    pub fn friend(&mut self, node: Node<'t>, place: Place) {
        let mut scope = place.scope;
        while self.lower.facts.scope(scope).kind == ScopeKind::Type
            && let Some(parent) = self.lower.facts.scope(scope).parent
        {
            scope = parent;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(child.kind(), "function_definition" | "declaration") {
                self.visit(child, place.scope(scope));
            }
        }
    }
}
