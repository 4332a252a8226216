//! Imports and exports of the standard's modules, `require("x")` and `import("x")`.

use tree_sitter::Node;

use super::class::Owner;
use super::express::unquoted;
use super::walk::{At, Walk};
use crate::graph::facts::*;
use crate::graph::lower::line;

/// What `export default` is called outside.
const DEFAULT: &str = "default";
/// What `module.exports = x` and `export = x` are called: the value that stands for the module. No name can be spelt so.
pub const WHOLE: &str = "export=";

impl<'a, 't> Walk<'_, 'a, 't> {
    fn note_import(
        &mut self,
        spec: &str,
        name: Option<Sym>,
        how: ImportKind,
        scope: ScopeId,
        node: Node<'t>,
    ) -> u32 {
        let spec = self.lower.sym(spec);
        let line = line(node);
        self.lower.facts.imports.push(Import {
            spec,
            name,
            line,
            how,
            scope,
        });
        self.lower.facts.imports.len() as u32 - 1
    }

    fn bind_import(
        &mut self,
        local: Sym,
        spec: &str,
        name: Option<Sym>,
        scope: ScopeId,
        node: Node<'t>,
    ) {
        let import = self.note_import(spec, name, ImportKind::Plain, scope, node);
        self.bind(scope, local, Bound::Import(import));
    }

    fn note_export(&mut self, name: Option<Sym>, of: Exported, node: Node<'t>) {
        let line = line(node);
        self.lower.facts.exports.push(Export { name, of, line });
    }

    /// The name of a specifier, which may be a string.
    fn specified(&mut self, node: Node<'t>) -> Sym {
        let text = self.lower.str(node);
        self.lower.sym(unquoted(text))
    }

    pub fn import(&mut self, node: Node<'t>, at: At) {
        let mut open = self.parts(node);
        let mut source = self.part(node, "source");
        let scope = at.place.scope;
        let require = open
            .iter()
            .find(|part| part.kind() == "import_require_clause");
        if let Some(&clause) = require {
            source = self.part(clause, "source");
        }
        let Some(source) = source else {
            return self.each(node, at);
        };
        let spec = unquoted(self.lower.str(source));
        let mut bare = true;
        while let Some(part) = open.pop() {
            let name = match part.kind() {
                "import_clause" | "named_imports" => {
                    open.extend(self.parts(part));
                    continue;
                }
                "identifier" => Some(self.lower.sym(DEFAULT)),
                "namespace_import" | "import_require_clause" => None,
                "import_specifier" => {
                    let name = self.part(part, "name");
                    name.map(|name| self.specified(name))
                }
                _ => continue,
            };
            bare = false;
            let alias = self.part(part, "alias").or(self.part(part, "name"));
            let inner = self.parts(part).first().copied();
            let local = alias.or(inner).unwrap_or(part);
            let local = self.lower.name(local);
            self.bind_import(local, spec, name, scope, part);
        }
        if bare {
            self.note_import(spec, None, ImportKind::Effect, scope, node);
        }
    }

    /// `import A = B.C`
    pub fn import_alias(&mut self, node: Node<'t>, at: At) {
        let parts = self.parts(node);
        let [name, value] = parts.as_slice() else {
            return self.each(node, at);
        };
        let name = self.lower.name(*name);
        let value = self.read(*value, at);
        self.bind_var(at.place.scope, name, UNTYPED, value);
    }

    pub fn export(&mut self, node: Node<'t>, at: At) {
        if let Some(source) = self.part(node, "source") {
            return self.export_from(node, source, at);
        }
        let is_default = self.has_word(node, "default");
        let outside = at.place.scope == FILE;
        for part in self.parts(node) {
            match part.kind() {
                "decorator" => self.decorators.push(part),
                "export_clause" => {
                    for specifier in self.parts(part) {
                        self.export_specifier(specifier, at);
                    }
                }
                _ if is_default => self.export_default(part, at),
                _ if Some(part) == self.part(node, "declaration") => {
                    let before = self.lower.facts.binds.len();
                    self.read(part, at);
                    if outside {
                        self.export_bound(before, node);
                    }
                }
                // `export = x`
                _ => {
                    let value = self.read(part, at);
                    let name = self.lower.sym(WHOLE);
                    self.note_export(Some(name), Exported::Value(value), node);
                }
            }
        }
    }

    /// Exports what a declaration has bound at the top of the file.
    fn export_bound(&mut self, before: usize, node: Node<'t>) {
        let bound: Vec<_> = self.lower.facts.binds[before..]
            .iter()
            .filter(|bind| bind.scope == FILE)
            .map(|bind| bind.name)
            .collect();
        for (index, &name) in bound.iter().enumerate() {
            if !bound[..index].contains(&name) {
                self.note_export(Some(name), Exported::Local(name), node);
            }
        }
    }

    fn export_specifier(&mut self, node: Node<'t>, at: At) {
        let Some(local) = self.part(node, "name") else {
            return;
        };
        let outer = self.part(node, "alias").unwrap_or(local);
        let outer = self.specified(outer);
        let name = self.specified(local);
        let value = self.named(name, at);
        self.lower.used(Used::Expr(value), node, at.place);
        if at.place.scope == FILE {
            self.note_export(Some(outer), Exported::Local(name), node);
        }
    }

    fn export_from(&mut self, node: Node<'t>, source: Node<'t>, at: At) {
        let spec = unquoted(self.lower.str(source));
        let scope = at.place.scope;
        let mut all = true;
        for part in self.parts(node) {
            match part.kind() {
                "namespace_export" => {
                    all = false;
                    let inner = self.parts(part).first().copied().unwrap_or(part);
                    let name = self.specified(inner);
                    let import = self.note_import(spec, None, ImportKind::Plain, scope, part);
                    self.note_export(Some(name), Exported::Import(import), part);
                }
                "export_clause" => {
                    all = false;
                    for specifier in self.parts(part) {
                        self.re_export(specifier, spec, scope);
                    }
                }
                _ => {}
            }
        }
        if all {
            let import = self.note_import(spec, None, ImportKind::Star, scope, node);
            self.note_export(None, Exported::Import(import), node);
        }
    }

    fn re_export(&mut self, node: Node<'t>, spec: &str, scope: ScopeId) {
        let Some(name) = self.part(node, "name") else {
            return;
        };
        let outer = self.part(node, "alias").unwrap_or(name);
        let (name, outer) = (self.specified(name), self.specified(outer));
        let import = self.note_import(spec, Some(name), ImportKind::Plain, scope, node);
        self.note_export(Some(outer), Exported::Import(import), node);
    }

    fn export_default(&mut self, node: Node<'t>, at: At) {
        let name = self.lower.sym(DEFAULT);
        if node.kind() == "identifier" {
            let local = self.lower.name(node);
            self.name(node, at);
            return self.note_export(Some(name), Exported::Local(local), node);
        }
        if let Some(own) = self.part(node, "name").filter(|_| is_declaration(node)) {
            self.read(node, at);
            let local = self.lower.name(own);
            return self.note_export(Some(name), Exported::Local(local), node);
        }
        let inner = self.behind(node);
        let at_start = node.parent().unwrap_or(node);
        let def = [DEFAULT, ""]
            .iter()
            .find_map(|name| self.lower.def_called(name, at_start))
            .or_else(|| self.lower.def_called(DEFAULT, node))
            .filter(|_| self.is_function_or_class(inner) || is_declaration(inner));
        let value = match def {
            Some(def) => self.owned(inner, Owner::Named(def), at),
            None => self.read(node, at),
        };
        self.note_export(Some(name), Exported::Value(value), node);
    }

    /// `require("x")`, `import("x")`: the module, under a name that no one can spell.
    pub fn module_call(&mut self, node: Node<'t>, function: Node<'t>, at: At) -> Option<ExprId> {
        let spec = self.called_module(node, function)?;
        if function.kind() == "import" {
            let local = self.module_name(spec);
            return Some(self.named(local, at));
        }
        let local = self.lower.sym(&format!("require({spec})"));
        if self.held(FILE, local).is_none() {
            let name = self.lower.sym(WHOLE);
            self.bind_import(local, spec, Some(name), FILE, node);
        }
        Some(self.named(local, at))
    }

    /// A name for a module that is imported where it is used.
    pub fn module_name(&mut self, spec: &str) -> Sym {
        let local = self.lower.sym(&format!("import({spec})"));
        if self.held(FILE, local).is_none() {
            let spec = self.lower.sym(spec);
            let import = Import {
                spec,
                name: None,
                line: 1,
                how: ImportKind::Plain,
                scope: FILE,
            };
            self.lower.facts.imports.push(import);
            let import = self.lower.facts.imports.len() as u32 - 1;
            self.bind(FILE, local, Bound::Import(import));
        }
        local
    }

    /// The module that a call names as a plain string.
    fn called_module(&mut self, node: Node<'t>, function: Node<'t>) -> Option<&'a str> {
        if !matches!(self.lower.str(function), "require" | "import") {
            return None;
        }
        let list = self.part(node, "arguments")?;
        let argument = self.parts(list).first().copied()?;
        let text = self.lower.str(argument);
        (argument.kind() == "string").then(|| unquoted(text))
    }

    /// `const a = require("x")`, `const { a } = require("x")`, `const a = require("x").b`: imports, if it is one.
    pub fn required(&mut self, pattern: Node<'t>, value: Node<'t>, scope: ScopeId) -> bool {
        let (mut call, mut member) = (value, None);
        if value.kind() == "member_expression" {
            member = self.part(value, "property");
            call = self.part(value, "object").unwrap_or(value);
        }
        let function = self.part(call, "function");
        let Some(function) = function.filter(|f| self.lower.str(*f) == "require") else {
            return false;
        };
        let Some(spec) = self.called_module(call, function) else {
            return false;
        };
        let whole = self.lower.sym(WHOLE);
        let member = member.map(|member| self.lower.name(member));
        match pattern.kind() {
            "identifier" => {
                let local = self.lower.name(pattern);
                self.bind_import(local, spec, Some(member.unwrap_or(whole)), scope, value);
                true
            }
            "object_pattern" if member.is_none() => self.required_names(pattern, spec, scope),
            _ => false,
        }
    }

    /// Imports the names of a pattern, unless it is more than names.
    fn required_names(&mut self, pattern: Node<'t>, spec: &str, scope: ScopeId) -> bool {
        let mut names = vec![];
        for part in self.parts(pattern) {
            let (key, local) = match part.kind() {
                "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
                "pair_pattern" => (self.part(part, "key"), self.part(part, "value")),
                _ => return false,
            };
            match key.zip(local) {
                Some((key, local)) if !local.kind().ends_with("_pattern") || key == local => {
                    names.push((key, local));
                }
                _ => return false,
            }
        }
        for (key, local) in names {
            let (name, local) = (self.specified(key), self.lower.name(local));
            self.bind_import(local, spec, Some(name), scope, key);
        }
        true
    }
}

fn is_declaration(node: Node<'_>) -> bool {
    node.kind().ends_with("_declaration") || node.kind() == "function_signature"
}
