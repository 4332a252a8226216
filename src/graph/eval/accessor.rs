//! Members that run when they are read.

use super::*;

impl Eval<'_> {
    /// The accessors that reading a member of a value runs.
    pub fn accessors(&mut self, of: &Value, name: &str) -> Vec<Ref> {
        let mut found = vec![];
        for part in of.parts().to_vec() {
            let member = match &part {
                Value::Object(file, scope) => self.of_scope(*file, *scope, name, Space::Value),
                Value::Def(def) => self.own_member(*def, name, Space::Value),
                part => self.declared_member(part, name),
            };
            match member {
                Value::Def(def) if self.def(def).is(flag::PROPERTY) => found.push(def),
                _ => {}
            }
        }
        found
    }

    /// A member of a value's type as it is declared, not as it is read.
    fn declared_member(&mut self, of: &Value, name: &str) -> Value {
        for ancestor in self.ancestors(of).iter() {
            if let Value::Inst(owner, _) = ancestor {
                let found = self.own_member(*owner, name, Space::Value);
                if found.known() {
                    return found;
                }
            }
        }
        Value::Unknown
    }
}
