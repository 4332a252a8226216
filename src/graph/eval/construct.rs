//! Making values: which constructor runs, and of what type the value is.

use super::call::together;
use super::*;
use crate::model::Kind;

impl<'w> Eval<'w> {
    /// A value that is made with arguments; they tell the type's parameters where these are not written.
    pub fn made_with(&mut self, of: &Value, file: FileId, args: List) -> Value {
        let made = self.made(of);
        let def = match &made {
            Value::Inst(def, written) if written.is_empty() && args.len > 0 => *def,
            _ => return made,
        };
        let parameters = self.parameters(def);
        if parameters.is_empty() {
            return made;
        }
        let values = self.arguments(file, args);
        let bindings = match self.constructor(def, Some(&values)) {
            Targets::Known(found) if found.len() == 1 => self.infer(found[0], &values),
            _ => return made,
        };
        let told = parameters.iter().map(|parameter| {
            let bound = bindings.iter().find(|(bound, _)| bound == parameter);
            bound.map_or(Value::Unknown, |(_, value)| value.clone())
        });
        let told: Vec<Value> = told.collect();
        match told.iter().any(Value::known) {
            true => Value::Inst(def, told.into()),
            false => made,
        }
    }

    /// What runs when a value of a type is made: its constructor, an inherited one, or the type itself.
    pub fn constructed(&mut self, of: &Value, args: Option<&[Value]>) -> Targets {
        let made = match of {
            Value::Unknown => return Targets::Unknown,
            Value::Outside => return Targets::Outside,
            // A value: what an initialiser of that name gives it.
            Value::Inst(..) | Value::Object(..) | Value::Function(..) => return Targets::Held,
            Value::Alien(..) => return Targets::Outside,
            of => self.made(of),
        };
        let all = made.parts().iter().map(|part| match part {
            Value::Inst(def, _) => self.constructor(*def, args),
            Value::Alien(..) | Value::Outside => Targets::Outside,
            _ => Targets::Unknown,
        });
        together(all.collect())
    }

    /// What `super(...)` runs: without an own constructor the base's runs by itself, even where a type that is made is told
    /// by its name alone.
    pub fn constructed_as_base(&mut self, base: &Value, args: Option<&[Value]>) -> Targets {
        let Value::Def(def) = base else {
            return self.constructed(base, args);
        };
        let rules = self.rules(def.file);
        if rules.inherits_constructors || rules.implicit_constructors {
            return self.constructed(base, args);
        }
        for ancestor in self.ancestors(&Value::inst(*def)).iter() {
            let Value::Inst(owner, _) = ancestor else {
                break;
            };
            let found = self.own_constructors(*owner);
            if !found.is_empty() {
                return self.picked(&found, args, def.file);
            }
            if self.def(*owner).is(flag::MAKES) {
                return Targets::Known(vec![*owner]);
            }
        }
        Targets::Outside
    }

    pub fn constructor(&mut self, def: Ref, args: Option<&[Value]>) -> Targets {
        if matches!(
            self.def(def).kind,
            Kind::Interface | Kind::Trait | Kind::Type
        ) {
            return Targets::Outside;
        }
        let rules = self.rules(def.file);
        for ancestor in self.ancestors(&Value::inst(def)).iter() {
            let Value::Inst(owner, _) = ancestor else {
                break;
            };
            let found = self.own_constructors(*owner);
            if !found.is_empty() {
                return self.picked(&found, args, def.file);
            }
            if !rules.inherits_constructors {
                break;
            }
        }
        Targets::Known(vec![def])
    }

    pub fn own_constructors(&mut self, owner: Ref) -> Vec<Ref> {
        let rules = self.rules(owner.file);
        let mut found = vec![];
        let mut scopes: Vec<(FileId, ScopeId)> = self
            .def(owner)
            .scope
            .map(|scope| (owner.file, scope))
            .into_iter()
            .collect();
        for &(file, index) in self.extensions_of(owner).iter() {
            scopes.push((file, self.facts(file).extensions[index as usize].scope));
        }
        for (file, scope) in scopes {
            let facts = self.facts(file);
            for bind in facts.binds_in(scope) {
                let Bound::Def(def) = bind.bound else {
                    continue;
                };
                let named = rules.constructors.contains(&facts.name(bind.name));
                if facts.def(def).kind == Kind::Constructor || named {
                    found.push(Ref { file, def });
                }
            }
        }
        found
    }
}
