//! The walk over a Go file: its state, what it does with a node of any kind, and what it puts off.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::locals::Locals;
use super::platform;
use crate::graph::facts::*;
use crate::graph::lower::{Lower, Place, line};

pub struct Walk<'l, 'a, 't> {
    pub lower: &'l mut Lower<'a>,
    pub locals: Locals,
    /// Names that imports bind.
    pub packages: HashSet<Sym>,
    /// The members written for a type without type parameters, by its name.
    pub receivers: HashMap<Sym, ScopeId>,
    /// What is nested too deep to be read where it stands.
    later: Vec<(Node<'t>, Place)>,
    /// Reading what was put off, without knowing what is bound around it.
    apart: bool,
}

impl<'l, 'a, 't> Walk<'l, 'a, 't> {
    pub fn new(lower: &'l mut Lower<'a>) -> Self {
        Walk {
            lower,
            locals: Locals::default(),
            packages: HashSet::new(),
            receivers: HashMap::new(),
            later: vec![],
            apart: false,
        }
    }

    pub fn file(mut self, root: Node<'t>) {
        let place = Place {
            dead: platform::is_excluded(self.lower.text),
            ..Place::TOP
        };
        self.visit_all(root, place);
        self.apart = true;
        while let Some((node, place)) = self.later.pop() {
            self.visit(node, place);
        }
        if place.dead {
            let defs = self.lower.facts.defs.iter_mut();
            defs.for_each(|def| def.flags |= flag::DEAD);
        }
    }

    /// The scope from which a name is looked up: at once the one that binds it, where that is known, so that no name bound
    /// later or of another sort is in the way.
    pub fn scope_of(&self, name: Sym, place: Place) -> ScopeId {
        match self.apart {
            true => place.scope,
            false => self.locals.binder(name),
        }
    }

    /// Reads a node of any kind for what it declares and calls.
    pub fn visit(&mut self, node: Node<'t>, place: Place) {
        match node.kind() {
            "package_clause" => self.package(node),
            "import_declaration"
            | "import_spec_list"
            | "var_declaration"
            | "var_spec_list"
            | "type_declaration"
            | "statement_list"
            | "expression_statement"
            | "return_statement"
            | "expression_list" => self.visit_all(node, place),
            "import_spec" => self.import(node, place),
            "function_declaration" => self.function(node, place),
            "method_declaration" => self.method(node, place),
            "var_spec" => self.variables(node, place),
            "const_declaration" => self.constants(node, place),
            "type_spec" | "type_alias" => self.type_spec(node, place),
            "block" => self.block(node, place),
            "short_var_declaration" => self.short_variables(node, place),
            "if_statement" => self.branches(node, place),
            "for_statement" => self.in_block(place, |walk, place| walk.visit_all(node, place)),
            "range_clause" => self.range(node, place),
            "expression_switch_statement" | "expression_case" | "default_case" => {
                self.in_block(place, |walk, place| walk.visit_all(node, place));
            }
            "communication_case" => {
                self.in_block(place, |walk, place| walk.visit_all(node, place));
            }
            "receive_statement" => self.receive(node, place),
            "type_switch_statement" => self.type_switch(node, place),
            _ => {
                self.value(node, place);
            }
        }
    }

    pub fn visit_all(&mut self, node: Node<'t>, place: Place) {
        let read = |walk: &mut Self| {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                walk.visit(child, place);
            }
        };
        if self.deeper(read).is_none() {
            let mut cursor = node.walk();
            let put_off = node.named_children(&mut cursor).map(|child| (child, place));
            self.later.extend(put_off);
        }
    }

    /// Reads in a scope of its own.
    pub fn in_block(&mut self, place: Place, read: impl FnOnce(&mut Self, Place)) {
        let scope = self.lower.scope(place.scope, ScopeKind::Block, None);
        let mark = self.locals.open();
        read(self, place.scope(scope));
        self.locals.close(mark);
    }

    /// Reads what is nested, if it is not nested too deep.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.lower.enter() {
            return None;
        }
        let result = read(self);
        self.lower.leave();
        Some(result)
    }

    pub fn put_off(&mut self, node: Node<'t>, place: Place) {
        self.later.push((node, place));
    }

    /// Binds the name at a node, unless it is blank or its scope has it: a `:=` may assign to some of its names.
    pub fn bind(&mut self, name: Node<'t>, scope: ScopeId, at: usize, bound: Bound) {
        let text = self.lower.str(name);
        if text == "_" {
            return;
        }
        let sym = self.lower.sym(text);
        if self.locals.bind(sym, scope) {
            let at = if scope == FILE { 0 } else { at };
            self.lower.bind(scope, sym, at, bound);
        }
    }

    fn package(&mut self, node: Node<'t>) {
        if let Some(name) = node.named_child(0) {
            self.lower.facts.package = Some(self.lower.name(name));
        }
    }

    fn import(&mut self, node: Node<'t>, place: Place) {
        let Some(path) = node.child_by_field_name("path") else {
            return;
        };
        let spec = self.lower.str(path).trim_matches(['"', '`']);
        let name = node.child_by_field_name("name");
        let how = match name.map(|name| name.kind()) {
            Some("dot") => ImportKind::Star,
            Some("blank_identifier") => ImportKind::Effect,
            _ => ImportKind::Plain,
        };
        let import = Import {
            spec: self.lower.sym(spec),
            name: None,
            line: line(node),
            how,
            scope: place.scope,
        };
        let id = self.lower.facts.imports.len() as u32;
        self.lower.facts.imports.push(import);
        if how == ImportKind::Plain {
            let local = name.map_or(package_name(spec), |name| self.lower.str(name));
            let local = self.lower.sym(local);
            self.packages.insert(local);
            self.lower.bind(place.scope, local, 0, Bound::Import(id));
        }
    }
}

/// What a package is most likely called: the last part of its path, but a version, with what does not belong into a name
/// taken off.
fn package_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let mut last = parts.next().unwrap_or(path);
    if is_version(last) {
        last = parts.next().unwrap_or(last);
    }
    if let Some((name, version)) = last.rsplit_once('.')
        && (is_version(version) || version == "go")
    {
        last = name;
    }
    let bare = last.strip_prefix("go-").unwrap_or(last);
    bare.strip_suffix("-go").unwrap_or(bare)
}

/// `v2`
fn is_version(part: &str) -> bool {
    let digits = part.strip_prefix('v').unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The parts of a node that are more than comments.
pub fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let parts = node.named_children(&mut cursor);
    parts.filter(|part| part.kind() != "comment").collect()
}

/// The names in a field of a declaration; some grammars count the commas among them.
pub fn names<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let names = node.children_by_field_name(field, &mut cursor);
    names.filter(|name| name.is_named()).collect()
}
