//! Which names are bound inside of functions where the walk stands: they are not worth a note where they are read, and a
//! second `:=` of one in its scope only assigns to it.

use crate::graph::facts::{FILE, ScopeId, Sym};

#[derive(Default)]
pub struct Locals {
    /// By name, the innermost scope that binds it; [`FILE`] if none does.
    innermost: Vec<ScopeId>,
    /// What each name was before it was bound, newest last.
    before: Vec<(Sym, ScopeId)>,
}

/// How many names were bound when a scope was opened.
pub struct Mark(usize);

impl Locals {
    pub fn open(&self) -> Mark {
        Mark(self.before.len())
    }

    /// Forgets what was bound since.
    pub fn close(&mut self, mark: Mark) {
        for (name, scope) in self.before.drain(mark.0..).rev() {
            self.innermost[name as usize] = scope;
        }
    }

    /// Binds a name; false if that scope has it already.
    pub fn bind(&mut self, name: Sym, scope: ScopeId) -> bool {
        let index = name as usize;
        if self.innermost.len() <= index {
            self.innermost.resize(index + 1, FILE);
        }
        let known = self.innermost[index];
        if scope == FILE || known == scope {
            return scope == FILE;
        }
        self.before.push((name, known));
        self.innermost[index] = scope;
        true
    }

    pub fn knows(&self, name: Sym) -> bool {
        self.binder(name) != FILE
    }

    /// The scope that binds a name; [`FILE`] where none inside of a function does.
    pub fn binder(&self, name: Sym) -> ScopeId {
        let innermost = self.innermost.get(name as usize);
        innermost.copied().unwrap_or(FILE)
    }
}
