//! From a tree to [`Facts`]: the tables and how they are filled. What a node means is the language's own part, under
//! `resolve/`; here stand the names, the scopes, the definitions that nodes belong to and the guard against depth.

use std::collections::HashMap;

use tree_sitter::Node;

use super::facts::*;
use crate::model::{ItemId, Outline};
use crate::source::Source;

/// Nodes nested deeper than this are read apart from what they stand in: their calls are known, their values are not.
const DEEPEST: u32 = 150;

/// Where the walk stands: the innermost scope, and the definition that calls count for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub scope: ScopeId,
    pub from: Option<DefId>,
    /// Behind a condition that is never true.
    pub dead: bool,
}

impl Place {
    pub const TOP: Place = Place {
        scope: FILE,
        from: None,
        dead: false,
    };

    pub fn scope(self, scope: ScopeId) -> Place {
        Place { scope, ..self }
    }

    pub fn from(self, def: DefId) -> Place {
        Place {
            from: Some(def),
            ..self
        }
    }
}

/// Facts under construction.
pub struct Lower<'a> {
    pub source: &'a Source,
    /// The text names are read from; that of the file, or what a preprocessor leaves of it.
    pub text: &'a [u8],
    pub facts: Facts,
    outline: &'a Outline,
    names: HashMap<Box<str>, Sym>,
    /// Definitions by the line of their name.
    by_line: HashMap<u32, Vec<ItemId>>,
    depth: u32,
}

impl<'a> Lower<'a> {
    pub fn new(source: &'a Source, text: &'a [u8], outline: &'a Outline) -> Lower<'a> {
        let mut lower = Lower {
            source,
            text,
            facts: Facts::default(),
            outline,
            names: HashMap::new(),
            by_line: HashMap::new(),
            depth: 0,
        };
        lower.facts.exprs.push(Expr::Unknown);
        lower.facts.types.push(Type::Unknown);
        lower.facts.scopes.push(Scope {
            parent: None,
            kind: ScopeKind::File,
            def: None,
        });
        lower.define();
        lower
    }

    fn define(&mut self) {
        for (id, item) in self.outline.items.iter().enumerate() {
            let mut flags = 0;
            if item.exported {
                flags |= flag::EXPORTED;
            }
            if item.declaration {
                flags |= flag::DECLARATION;
            }
            let def = Def {
                kind: item.kind,
                name: self.sym(&item.name),
                qual: self.sym(&item.qualname),
                lines: item.lines,
                line: item.decl_line,
                parent: item.parent,
                flags,
                scope: None,
                params: vec![],
                returns: None,
                returned: List::default(),
                bases: List::default(),
            };
            self.facts.defs.push(def);
            let line = self.by_line.entry(item.decl_line).or_default();
            line.push(id as ItemId);
        }
    }

    /// The facts, with what is bound put in order.
    pub fn finish(mut self) -> Facts {
        let key = |bind: &Bind| (bind.scope, bind.name, bind.at);
        self.facts.binds.sort_by_key(key);
        self.facts.calls.sort_by_key(|call| call.line);
        self.facts
    }

    pub fn sym(&mut self, name: &str) -> Sym {
        if let Some(&sym) = self.names.get(name) {
            return sym;
        }
        let sym = self.facts.names.len() as Sym;
        self.names.insert(name.into(), sym);
        self.facts.names.push(name.into());
        sym
    }

    /// The text of a node. Not UTF-8: empty.
    pub fn str(&self, node: Node<'_>) -> &'a str {
        let text: &'a [u8] = self.text;
        std::str::from_utf8(&text[node.byte_range()]).unwrap_or("")
    }

    /// The text of a node as a name.
    pub fn name(&mut self, node: Node<'_>) -> Sym {
        let text = self.str(node);
        self.sym(text)
    }

    pub fn list(&mut self, ids: &[u32]) -> List {
        let start = self.facts.lists.len() as u32;
        self.facts.lists.extend_from_slice(ids);
        List {
            start,
            len: ids.len() as u32,
        }
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.facts.exprs.push(expr);
        self.facts.exprs.len() as ExprId - 1
    }

    pub fn ty(&mut self, ty: Type) -> TypeId {
        self.facts.types.push(ty);
        self.facts.types.len() as TypeId - 1
    }

    /// A type that is one plain name.
    pub fn named(&mut self, name: &str, scope: ScopeId) -> TypeId {
        let name = self.sym(name);
        let path = self.list(&[name]);
        let args = List::default();
        self.ty(Type::Named { path, args, scope })
    }

    pub fn scope(&mut self, parent: ScopeId, kind: ScopeKind, def: Option<DefId>) -> ScopeId {
        let scope = Scope {
            parent: Some(parent),
            kind,
            def,
        };
        self.facts.scopes.push(scope);
        let id = self.facts.scopes.len() as ScopeId - 1;
        if let Some(def) = def {
            self.def(def).scope.get_or_insert(id);
        }
        id
    }

    /// Binds a name from a byte on, or (0) in all of its scope.
    pub fn bind(&mut self, scope: ScopeId, name: Sym, at: usize, bound: Bound) {
        let at = at as u32;
        let bind = Bind {
            scope,
            name,
            at,
            bound,
        };
        self.facts.binds.push(bind);
    }

    pub fn def(&mut self, id: DefId) -> &mut Def {
        &mut self.facts.defs[id as usize]
    }

    /// Where a definition begins, behind its documentation.
    pub fn start_of(&self, id: DefId) -> usize {
        self.outline.items[id as usize].bytes.start as usize
    }

    pub fn flag(&mut self, id: DefId, flag: u16) {
        self.def(id).flags |= flag;
    }

    /// Notes that a call stands at a node.
    pub fn call(&mut self, expr: ExprId, node: Node<'_>, place: Place) {
        let call = Call {
            expr,
            line: line(node),
            from: place.from,
            dead: place.dead,
        };
        self.facts.calls.push(call);
    }

    /// Notes that something is named at a node.
    pub fn used(&mut self, what: Used, node: Node<'_>, place: Place) {
        let line = line(node);
        let from = place.from;
        self.facts.uses.push(Use { what, line, from });
    }

    /// The definition that the outline has under this name at this place: the innermost around it.
    pub fn def_named(&self, name: Node<'_>) -> Option<DefId> {
        let text = self.str(name);
        self.def_called(text, name)
    }

    /// The same where the outline gives it another name than the node has.
    pub fn def_called(&self, text: &str, at: Node<'_>) -> Option<DefId> {
        self.def_like(at, |name| name == text)
    }

    /// The innermost definition around a place, of those named on its line, whose name is one of several.
    pub fn def_like(&self, at: Node<'_>, fits: impl Fn(&str) -> bool) -> Option<DefId> {
        let byte = at.start_byte() as u32;
        let here = self.by_line.get(&line(at))?;
        here.iter().rev().copied().find(|&id| {
            let item = &self.outline.items[id as usize];
            item.bytes.contains(&byte) && fits(&item.name)
        })
    }

    /// Reads another text than the file's into the same tables: what a macro stands for, mended.
    pub fn reading<T>(&mut self, text: &[u8], read: impl FnOnce(&mut Lower<'_>) -> T) -> T {
        let mut other = Lower {
            source: self.source,
            text,
            facts: std::mem::take(&mut self.facts),
            outline: self.outline,
            names: std::mem::take(&mut self.names),
            by_line: std::mem::take(&mut self.by_line),
            depth: self.depth,
        };
        let result = read(&mut other);
        self.facts = other.facts;
        self.names = other.names;
        self.by_line = other.by_line;
        result
    }

    /// Whether there is room for one level more of what is nested; a walk puts off what is nested deeper. Ended by
    /// [`Lower::leave`].
    pub fn enter(&mut self) -> bool {
        let room = self.depth < DEEPEST;
        self.depth += u32::from(room);
        room
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// 1-based line of a node's first byte.
pub fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}
