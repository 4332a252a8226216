//! Imports, wherever they stand.

use tree_sitter::Node;

use super::{Walk, field};
use crate::graph::facts::*;
use crate::graph::lower::{Place, line};

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn import(&mut self, node: Node<'t>, place: Place) {
        let scope = self.home(place.scope);
        let mut cursor = node.walk();
        let named: Vec<_> = node.children_by_field_name("name", &mut cursor).collect();
        let module = field(node, "module_name");
        for name in &named {
            match module {
                Some(module) => self.import_from(module, *name, scope, place),
                None => self.import_module(*name, scope, place),
            }
        }
        if let Some(module) = module.filter(|_| named.is_empty()) {
            let spec = self.dotted_name(module);
            self.brings(spec, None, module, ImportKind::Star, scope);
        }
    }

    /// `import a.b.c` reads a.b.c and binds `a`; `import a.b.c as d` binds a.b.c.
    fn import_module(&mut self, node: Node<'t>, scope: ScopeId, place: Place) {
        let alias = field(node, "alias");
        let path = self.dotted_name(field(node, "name").unwrap_or(node));
        let whole = self.lower.facts.names[path as usize].clone();
        let (spec, local) = match (alias, whole.split_once('.')) {
            (Some(alias), _) => (path, self.lower.name(alias)),
            (None, None) => (path, path),
            (None, Some((top, _))) => {
                self.brings(path, None, node, ImportKind::Effect, scope);
                let top = self.lower.sym(top);
                (top, top)
            }
        };
        let import = self.brings(spec, None, node, ImportKind::Plain, scope);
        self.assign(local, place, Bound::Import(import));
    }

    fn import_from(&mut self, module: Node<'t>, node: Node<'t>, scope: ScopeId, place: Place) {
        let spec = self.dotted_name(module);
        let name = self.dotted_name(field(node, "name").unwrap_or(node));
        let local = field(node, "alias").map_or(name, |alias| self.lower.name(alias));
        if self.lower.facts.name(spec).starts_with('.') {
            self.own.insert(local);
        }
        let import = self.brings(spec, Some(name), node, ImportKind::Plain, scope);
        self.assign(local, place, Bound::Import(import));
        let at = node.start_byte() as u32;
        let named = self.lower.expr(Expr::Name {
            name: local,
            scope,
            at,
        });
        let (what, line, from) = (Used::Expr(named), line(node), place.from);
        self.imported.push(Use { what, line, from });
    }

    fn brings(
        &mut self,
        spec: Sym,
        name: Option<Sym>,
        node: Node<'t>,
        how: ImportKind,
        scope: ScopeId,
    ) -> u32 {
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

    /// A dotted path without what may stand between its parts.
    fn dotted_name(&mut self, node: Node<'t>) -> Sym {
        let text = self.lower.str(node);
        if text.contains(char::is_whitespace) {
            let text: String = text.split_whitespace().collect();
            return self.lower.sym(&text);
        }
        self.lower.sym(text)
    }
}
