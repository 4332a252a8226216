//! What is inside of a value: elements, parts, what `await` or a pattern takes out.

use super::*;

/// Types outside of the tree whose value comes with `await`.
const AWAITED: &[&str] = &[
    "Promise",
    "PromiseLike",
    "Awaitable",
    "Coroutine",
    "Future",
    "Task",
];

impl<'w> Eval<'w> {
    pub fn peel(&mut self, peel: Peel, of: &Value, file: FileId) -> Value {
        match peel {
            Peel::Variant { of: path, field } => self.variant(path, &field.to_string(), of, file),
            Peel::VariantField { of: path, name } => {
                let name = self.facts(file).name(name);
                self.variant(path, name, of, file)
            }
            Peel::Without { of: ty } => {
                let checked = self.value_of_type(file, ty);
                self.without(of, &checked)
            }
            peel => {
                let parts = of.parts().to_vec();
                let inner = parts
                    .iter()
                    .map(|part| (self.rules(file).peel)(self, peel, part));
                Value::any(inner.collect::<Vec<_>>())
            }
        }
    }

    /// Those of several values that are of none of these types; of what is derived from them neither.
    fn without(&mut self, of: &Value, types: &Value) -> Value {
        let left = of.parts().iter().filter(|part| {
            let ancestors = self.ancestors(part);
            let is = |ty: &Value| ancestors.iter().any(|base| ancestors::same_type(base, ty));
            !types.parts().iter().any(is)
        });
        Value::any(left.cloned().collect::<Vec<_>>())
    }

    /// What most languages agree on.
    pub fn peeled(&mut self, peel: Peel, of: &Value) -> Value {
        match (peel, of) {
            (_, Value::Unknown | Value::Outside) => Value::Unknown,
            (Peel::Await, Value::Alien(name, args)) if AWAITED.contains(&&**name) => {
                args.last().cloned().unwrap_or(Value::Unknown)
            }
            (Peel::Await | Peel::Try | Peel::Deref | Peel::Ref | Peel::Context, of) => of.clone(),
            (Peel::Element, Value::Tuple(parts)) => Value::any(parts.iter().cloned()),
            (Peel::Part(index), Value::Tuple(parts)) => parts
                .get(usize::from(index))
                .cloned()
                .unwrap_or(Value::Unknown),
            (Peel::Element | Peel::Key, Value::Alien(_, args)) => {
                args.first().cloned().unwrap_or(Value::Unknown)
            }
            (Peel::Part(_), Value::Alien(name, args)) if &**name == "[]" => {
                args.first().cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    /// A field of the variant or type that a pattern names, out of a value.
    fn variant(&mut self, path: TypeId, field: &str, of: &Value, file: FileId) -> Value {
        let facts = self.facts(file);
        let named = match facts.ty(path) {
            Type::Named { path, scope, .. } => {
                let Some((&first, rest)) = facts.list(path).split_first() else {
                    return Value::Unknown;
                };
                let mut named = self.lookup(file, scope, first, u32::MAX, Space::Type);
                for &name in rest {
                    named = self.static_member(&named, facts.name(name), file, Space::Value);
                }
                named
            }
            Type::Member { of, name } => {
                let of = self.value_of_type(file, of);
                let of = self.type_itself(of);
                self.static_member(&of, facts.name(name), file, Space::Value)
            }
            Type::This { scope } => self
                .this_scope(file, scope)
                .map_or(Value::Unknown, |scope| self.type_of_scope(file, scope)),
            _ => return Value::Unknown,
        };
        let def = match named {
            Value::Def(def) | Value::Inst(def, _) => def,
            Value::Type(value) => match &*value {
                Value::Inst(def, _) => *def,
                _ => return Value::Unknown,
            },
            _ => {
                let last = self.type_named(file, path).unwrap_or("");
                return (self.rules(file).alien)(self, last, of.parts(), field);
            }
        };
        let found = match self.def(def).scope {
            Some(scope) => self.of_scope(def.file, scope, field, Space::Value),
            None => Value::Unknown,
        };
        self.through(found, of)
    }

    /// What an index gives.
    pub fn indexed(&mut self, of: &Value, file: FileId) -> Value {
        let parts = of.parts().to_vec();
        let inner = parts.iter().map(|part| match part {
            Value::Alien(_, args) => args.last().cloned().unwrap_or(Value::Unknown),
            Value::Tuple(parts) => Value::any(parts.iter().cloned()),
            part => (self.rules(file).peel)(self, Peel::Element, part),
        });
        Value::any(inner.collect::<Vec<_>>())
    }
}
