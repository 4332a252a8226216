//! How sure an answer is: by what had to be known to find it.

use super::*;

/// From certain to hardly more than a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// A name that scopes and imports lead to.
    Exact,
    /// Through a value whose type is written, or that is made in sight.
    Typed,
    /// Through a result, a field's field, an element, an alias.
    Inferred,
    /// One of several.
    Possible,
    /// The only definition of that name in the tree.
    Guess,
}

impl Grade {
    pub const ALL: &[Grade] = &[
        Grade::Exact,
        Grade::Typed,
        Grade::Inferred,
        Grade::Possible,
        Grade::Guess,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Grade::Exact => "exact",
            Grade::Typed => "typed",
            Grade::Inferred => "inferred",
            Grade::Possible => "possible",
            Grade::Guess => "guess",
        }
    }

    /// The share of edges of this grade that are right, as compilers judge them.
    pub fn confidence(self) -> f64 {
        match self {
            Grade::Exact => 0.99,
            Grade::Typed => 0.97,
            Grade::Inferred => 0.90,
            Grade::Possible => 0.60,
            Grade::Guess => 0.35,
        }
    }

    /// By its number in the store.
    pub fn from(number: u8) -> Grade {
        Grade::ALL
            .get(usize::from(number))
            .copied()
            .unwrap_or(Grade::Guess)
    }
}

/// How a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    Name,
    This,
    Super,
    /// On a name: a variable, a parameter, a module.
    Receiver,
    /// On a field of something.
    Field,
    /// On a call's result.
    Chain,
    New,
    Other,
}

impl Shape {
    pub const ALL: &[Shape] = &[
        Shape::Name,
        Shape::This,
        Shape::Super,
        Shape::Receiver,
        Shape::Field,
        Shape::Chain,
        Shape::New,
        Shape::Other,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Shape::Name => "name",
            Shape::This => "this",
            Shape::Super => "super",
            Shape::Receiver => "receiver",
            Shape::Field => "field",
            Shape::Chain => "chain",
            Shape::New => "new",
            Shape::Other => "other",
        }
    }

    /// For people: what it is called on.
    pub fn words(self) -> &'static str {
        match self {
            Shape::Name => "a bare name",
            Shape::This => "the receiver of the method around it",
            Shape::Super => "a base",
            Shape::Receiver => "a name",
            Shape::Field => "a member of something",
            Shape::Chain => "the result of a call",
            Shape::New => "a type, to make a value",
            Shape::Other => "an expression",
        }
    }

    /// By its number in the store.
    pub fn from(number: u8) -> Shape {
        Shape::ALL
            .get(usize::from(number))
            .copied()
            .unwrap_or(Shape::Other)
    }
}

impl<'w> Eval<'w> {
    /// How sure the targets of a call can be.
    pub fn grade(&mut self, file: FileId, call: ExprId) -> Grade {
        let facts = self.facts(file);
        let callee = match facts.expr(call) {
            Expr::Call { callee, .. } => callee,
            Expr::New { of, .. } => of,
            _ => call,
        };
        match facts.expr(callee) {
            Expr::Member { of, .. } => self.grade_of(file, of, 0),
            Expr::Static { of, .. } => self.grade_of(file, of, 0),
            Expr::Name { .. } | Expr::Either { .. } => self.grade_of(file, callee, 0),
            Expr::Type { .. } | Expr::Def { .. } | Expr::Super { .. } | Expr::This { .. } => {
                Grade::Exact
            }
            _ => Grade::Inferred,
        }
    }

    /// How sure a value's type can be.
    fn grade_of(&mut self, file: FileId, of: ExprId, depth: u32) -> Grade {
        let facts = self.facts(file);
        let deeper = depth < 8;
        match facts.expr(of) {
            Expr::This { .. }
            | Expr::Super { .. }
            | Expr::Type { .. }
            | Expr::Def { .. }
            | Expr::Object { .. } => Grade::Exact,
            Expr::New { .. } | Expr::Typed { .. } | Expr::Literal { .. } | Expr::Array { .. } => {
                Grade::Typed
            }
            Expr::Name { name, scope, at } => self.grade_of_name(file, scope, name, at, depth),
            Expr::Call { callee, .. } if deeper && self.makes(file, callee) => {
                self.grade_of(file, callee, depth + 1).max(Grade::Typed)
            }
            Expr::Static { of, .. } if deeper => self.grade_of(file, of, depth + 1),
            Expr::Member { of: inner, .. } if deeper => match self.eval(file, inner) {
                Value::File(_) | Value::Space(_) | Value::Def(_) => {
                    self.grade_of(file, inner, depth + 1)
                }
                _ if self.grade_of(file, inner, depth + 1) == Grade::Exact => Grade::Typed,
                _ => Grade::Inferred,
            },
            Expr::Peel {
                of,
                peel: Peel::Ref | Peel::Deref,
            } if deeper => self.grade_of(file, of, depth + 1),
            Expr::Either { of } => match self.agree(file, of) {
                true => Grade::Inferred,
                false => Grade::Possible,
            },
            _ => Grade::Inferred,
        }
    }

    /// Whether all of several expressions are worth the same.
    fn agree(&mut self, file: FileId, of: List) -> bool {
        let parts = self.facts(file).list(of);
        let values: Vec<Value> = parts.iter().map(|&part| self.eval(file, part)).collect();
        let null = Value::alien("null", &[]);
        let all_known = values.iter().all(|value| value.known());
        let values = values.into_iter().filter(|value| *value != null);
        all_known && Value::any(values).parts().len() == 1
    }

    /// Whether a call of it makes a value of a type that is named.
    fn makes(&mut self, file: FileId, callee: ExprId) -> bool {
        let named = self.rules(file).calls_construct
            && matches!(
                self.facts(file).expr(callee),
                Expr::Name { .. } | Expr::Member { .. }
            );
        named
            && match self.eval(file, callee) {
                Value::Def(def) => self.def(def).kind.is_type(),
                _ => false,
            }
    }

    fn grade_of_name(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: Sym,
        at: u32,
        depth: u32,
    ) -> Grade {
        let facts = self.facts(file);
        let mut next = Some(scope);
        while let Some(here) = next {
            let binds = facts.bound(here, name);
            if let Some(bind) = binds.iter().rfind(|bind| bind.at <= at) {
                return match bind.bound {
                    Bound::Def(_) | Bound::Import(_) | Bound::Param { .. } => Grade::Exact,
                    Bound::Var { ty, .. } if ty != UNTYPED => Grade::Typed,
                    Bound::Var { init, .. } if depth < 8 && binds.len() == 1 => {
                        self.grade_of(file, init, depth + 1).max(Grade::Typed)
                    }
                    Bound::Var { .. } => Grade::Inferred,
                };
            }
            next = facts.scope(here).parent;
        }
        Grade::Exact
    }
}

/// How a call is written.
pub fn shape(facts: &Facts, call: ExprId) -> Shape {
    let callee = match facts.expr(call) {
        Expr::Call { callee, .. } => callee,
        Expr::New { .. } => return Shape::New,
        _ => return Shape::Other,
    };
    let of = match facts.expr(callee) {
        Expr::Name { .. } => return Shape::Name,
        Expr::Super { .. } => return Shape::Super,
        Expr::Member { of, .. } | Expr::Static { of, .. } => of,
        _ => return Shape::Other,
    };
    match facts.expr(of) {
        Expr::This { .. } => Shape::This,
        Expr::Super { .. } => Shape::Super,
        Expr::Name { .. } => Shape::Receiver,
        Expr::Member { .. } | Expr::Static { .. } | Expr::Index { .. } => Shape::Field,
        Expr::Call { .. } | Expr::New { .. } => Shape::Chain,
        _ => Shape::Other,
    }
}
