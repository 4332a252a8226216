//! Imports: use trees, modules that lie in files, crates.

use tree_sitter::Node;

use super::attributes::Attributes;
use super::types::{Spine, spine};
use super::walk::{FIELDS, Walk, children, field, first};
use crate::graph::facts::*;
use crate::graph::lower::{Place, line};

/// Longest path, in bytes, under which a use tree is read.
const MAX_PATH: usize = 2000;

impl<'t> Walk<'_, '_, 't> {
    /// Each name of a use tree.
    pub fn import(&mut self, node: Node<'t>, place: Place, spare: bool) {
        self.spare = spare;
        // `argument` is the only named child that is no visibility.
        let argument = children(node)
            .into_iter()
            .find(|node| node.kind() != "visibility_modifier");
        let mut open: Vec<(String, Node<'t>)> = argument
            .map(|node| (String::new(), node))
            .into_iter()
            .collect();
        while let Some((prefix, node)) = open.pop() {
            match node.kind() {
                "use_list" if prefix.len() <= MAX_PATH => {
                    let parts = children(node).into_iter().rev();
                    open.extend(parts.map(|node| (prefix.clone(), node)));
                }
                "scoped_use_list" => {
                    let path = self.path_below(&prefix, field(node, FIELDS.path));
                    open.extend(field(node, FIELDS.list).map(|list| (path, list)));
                }
                "use_wildcard" => {
                    let path = self.path_below(&prefix, first(node));
                    let kind = self.lower.facts.scope(place.scope).kind;
                    let inner = matches!(kind, ScopeKind::Function | ScopeKind::Block);
                    let star = inner.then(|| self.lower.sym("*"));
                    self.brought(path, star, ImportKind::Star, node, place);
                }
                "use_as_clause" => {
                    let path = self.path_below(&prefix, field(node, FIELDS.path));
                    let alias = field(node, FIELDS.alias).map(|alias| self.lower.name(alias));
                    self.leaf(path, alias, node, place);
                }
                "identifier" | "scoped_identifier" | "self" | "crate" | "super" => {
                    let path = self.path_below(&prefix, Some(node));
                    self.leaf(path, None, node, place);
                }
                _ => {}
            }
        }
    }

    /// A path below another; `self` alone is that other.
    fn path_below(&mut self, prefix: &str, node: Option<Node<'t>>) -> String {
        let mut path = prefix.to_string();
        let Some(node) = node else { return path };
        let Spine { head, names } = spine(node);
        for part in head.into_iter().chain(names) {
            let name = self.lower.str(part).trim_start_matches("r#");
            if name == "self" && !prefix.is_empty() {
                continue;
            }
            if !path.is_empty() {
                path += "::";
            }
            path += name;
        }
        path
    }

    fn leaf(&mut self, path: String, alias: Option<Sym>, node: Node<'t>, place: Place) {
        let last = path.rsplit("::").next().unwrap_or("");
        let local = alias.unwrap_or_else(|| self.lower.sym(last));
        self.brought(path, Some(local), ImportKind::Plain, node, place);
    }

    /// Notes an import, and binds a name to it.
    fn brought(
        &mut self,
        path: String,
        local: Option<Sym>,
        how: ImportKind,
        node: Node<'t>,
        place: Place,
    ) {
        let (spec, name) = match path.rsplit_once("::") {
            Some((spec, name)) if how == ImportKind::Plain => (spec, Some(name)),
            _ => (&*path, None),
        };
        let import = Import {
            spec: self.lower.sym(spec),
            name: name.map(|name| self.lower.sym(name)),
            line: line(node),
            how,
            scope: place.scope,
        };
        self.bring(
            import,
            local.filter(|&local| self.lower.facts.name(local) != "_"),
            self.spare,
        );
    }

    fn bring(&mut self, import: Import, local: Option<Sym>, spare: bool) {
        let index = self.lower.facts.imports.len() as u32;
        self.lower.facts.imports.push(import);
        if let Some(local) = local {
            self.bind_item(import.scope, local, Bound::Import(index), spare);
        }
    }

    pub fn external(&mut self, node: Node<'t>, place: Place) {
        let Some(name) = field(node, FIELDS.name) else {
            return;
        };
        let spec = self.lower.name(name);
        let local = field(node, FIELDS.alias).map_or(spec, |alias| self.lower.name(alias));
        let import = Import {
            spec,
            name: None,
            line: line(node),
            how: ImportKind::Plain,
            scope: place.scope,
        };
        self.bring(import, Some(local), false);
    }

    /// `mod x;`: its name, and the file where one is written.
    pub fn module_file(&mut self, node: Node<'t>, place: Place, attributes: &Attributes) {
        let Some(name) = field(node, FIELDS.name) else {
            return;
        };
        if let Some(def) = self.lower.def_named(name) {
            self.flags(def, attributes);
        }
        let name = self.lower.name(name);
        let import = Import {
            spec: self.lower.sym(attributes.path.as_deref().unwrap_or("")),
            name: Some(name),
            line: line(node),
            how: ImportKind::Module,
            scope: place.scope,
        };
        self.bring(import, Some(name), attributes.spare);
    }
}
