//! What runs without being written as a call of it: members that are read like fields, constructors of bases.

use super::*;

impl<'w> Eval<'w> {
    /// The members that reading or calling `of.name` runs to get at its value.
    pub fn read_by(&mut self, file: FileId, expr: ExprId) -> Vec<Ref> {
        let facts = self.facts(file);
        let Expr::Member { of, name } = facts.expr(expr) else {
            return vec![];
        };
        let (on, skip) = match facts.expr(of) {
            Expr::Super { scope } => (self.this(file, scope), 1),
            _ => (self.eval(file, of), 0),
        };
        let name = facts.name(name);
        let parts = on.parts().iter();
        parts
            .filter_map(|part| self.accessor(part, name, skip))
            .collect()
    }

    fn accessor(&mut self, on: &Value, name: &str, skip: usize) -> Option<Ref> {
        let on = match on {
            Value::This(file, scope) => self.type_of_scope(*file, *scope),
            on => on.clone(),
        };
        for ancestor in self.ancestors(&on).iter().skip(skip) {
            let Value::Inst(owner, _) = ancestor else {
                continue;
            };
            match self.own_member(*owner, name, Space::Value) {
                Value::Unknown => {}
                Value::Def(def) => return Some(def).filter(|_| self.def(def).is(flag::PROPERTY)),
                _ => return None,
            }
        }
        None
    }

    /// The constructor of a base that makes values of a type without one of its own, where calls are told of the type alone.
    pub fn constructor_of_base(&mut self, made: Ref) -> Option<Ref> {
        if self.rules(made.file).inherits_constructors || !self.def(made).kind.is_type() {
            return None;
        }
        let ancestors = self.ancestors(&Value::inst(made));
        ancestors.iter().skip(1).find_map(|base| match base {
            Value::Inst(base, _) => self.own_constructors(*base).first().copied(),
            _ => None,
        })
    }
}
