//! What encloses a place in the file: a stack of scopes with their paths.

use crate::lang::{Home, Inside};
use crate::model::ItemId;

/// Scopes deeper than this have no entries: qualified names would take memory with the square of the depth.
pub const MAX_DEPTH: usize = 200;

/// One scope.
pub struct Scope {
    /// Half-open byte range in which it encloses.
    pub from: usize,
    pub until: usize,
    pub inside: Inside,
    pub item: Option<ItemId>,
    /// Its path in qualified names.
    pub path: String,
    /// Id of the body or value: a definition inside with the same one is the same one.
    pub essence: Option<usize>,
    /// Nothing inside is visible outside of the file.
    pub hidden: bool,
}

/// The scopes around the cursor, outermost first.
#[derive(Default)]
pub struct Scopes(Vec<Scope>);

impl Scope {
    fn covers(&self, at: usize) -> bool {
        self.from <= at && at < self.until
    }
}

impl Scopes {
    /// Forgets the scopes that end before a byte. The walk only goes forward.
    pub fn leave(&mut self, at: usize) {
        while self.0.last().is_some_and(|scope| scope.until <= at) {
            self.0.pop();
        }
    }

    /// Opens a scope, unless it is too deep for one.
    pub fn push(&mut self, scope: Scope) {
        if !self.are_too_deep() {
            self.0.push(scope);
        }
    }

    pub fn are_too_deep(&self) -> bool {
        self.0.len() >= MAX_DEPTH
    }

    /// The innermost scope around a byte.
    pub fn at(&self, at: usize) -> Option<&Scope> {
        self.0.iter().rev().find(|scope| scope.covers(at))
    }

    pub fn inside(&self, at: usize) -> Inside {
        self.at(at).map_or(Inside::Module, |scope| scope.inside)
    }

    pub fn parent(&self, at: usize) -> Option<ItemId> {
        self.at(at).and_then(|scope| scope.item)
    }

    /// Whether nothing there is visible outside of the file.
    pub fn hidden(&self, at: usize) -> bool {
        self.at(at).is_some_and(|scope| scope.hidden)
    }

    /// The path that the qualified name of a definition there continues.
    pub fn path(&self, at: usize, home: Home) -> &str {
        let scope = match home {
            Home::Here => self.at(at),
            Home::OutsideTypes => {
                let outside = |scope: &&Scope| scope.covers(at) && scope.inside != Inside::Type;
                self.0.iter().rev().find(outside)
            }
            Home::File => None,
        };
        scope.map_or("", |scope| &scope.path)
    }
}
