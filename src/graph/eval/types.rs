//! Types as written, told by a value of them.

use super::*;
use crate::model::Kind;

impl<'w> Eval<'w> {
    /// A value of a type that a file writes.
    pub fn value_of_type(&mut self, file: FileId, id: TypeId) -> Value {
        if id == UNTYPED {
            return Value::Unknown;
        }
        if let Some(value) = self.types.get(&(file, id)) {
            return value.clone();
        }
        let value = self.guarded(Busy::Type, file, id, |eval| eval.written(file, id));
        self.types.insert((file, id), value.clone());
        value
    }

    fn written(&mut self, file: FileId, id: TypeId) -> Value {
        let facts = self.facts(file);
        match facts.ty(id) {
            Type::Unknown => Value::Unknown,
            Type::Named { path, args, scope } => self.named(file, facts.list(path), args, scope),
            Type::Ref { of } => self.value_of_type(file, of),
            Type::Array { of } => {
                let element = self.value_of_type(file, of);
                Value::alien("[]", &[element])
            }
            Type::Map { key, value } => {
                let key = self.value_of_type(file, key);
                let value = self.value_of_type(file, value);
                Value::alien("{}", &[key, value])
            }
            Type::Tuple { of } => Value::Tuple(self.values_of_types(file, of)),
            Type::Union { of } | Type::All { of } => {
                let parts = self.values_of_types(file, of);
                let null = Value::alien("null", &[]);
                Value::any(parts.iter().filter(|part| **part != null).cloned())
            }
            Type::Function { params, returns } => {
                let params = self.values_of_types(file, params);
                let returns = self.value_of_type(file, returns);
                Value::Function(params, returns.into())
            }
            Type::This { scope } => self
                .this_scope(file, scope)
                .map_or(Value::Unknown, |scope| Value::This(file, scope)),
            Type::Of { expr } => self.eval(file, expr),
            Type::Members { scope } => Value::Object(file, scope),
            Type::Member { of, name } => {
                let of = self.value_of_type(file, of);
                self.member_of_type(of, facts.name(name), file)
            }
            Type::Argument { of, index } => {
                let function = self.value_of_type(file, of);
                let function = (self.rules(file).function)(self, &function);
                self.parameter(&function, index)
            }
            Type::Basic { literal } => Value::alien(literal_name(literal), &[]),
        }
    }

    /// What a written type uses: an alias where that is named, not what it stands for.
    pub fn type_in_use(&mut self, file: FileId, id: TypeId) -> Value {
        let facts = self.facts(file);
        let value = self.value_of_type(file, id);
        if let Type::Named { path, args, scope } = facts.ty(id)
            && let Value::Def(def) = self.named_by(file, facts.list(path), scope, Space::Type)
            && self.def(def).is(flag::ALIAS)
        {
            let args = self.values_of_types(file, args);
            return Value::Inst(def, args);
        }
        value
    }

    /// A type named where a value could stand; or a function, named with its type arguments.
    pub fn type_expression(&mut self, file: FileId, id: TypeId) -> Value {
        let facts = self.facts(file);
        if let Type::Named { path, scope, .. } = facts.ty(id) {
            let named = self.named_by(file, facts.list(path), scope, Space::Value);
            let callable = match &named {
                Value::Def(def) => self.def(*def).kind.is_callable(),
                Value::Overloads(defs, _) => {
                    defs.iter().all(|&def| self.def(def).kind.is_callable())
                }
                _ => false,
            };
            if callable {
                return named;
            }
        }
        let value = self.value_of_type(file, id);
        self.type_itself(value)
    }

    /// What a type with a name of its own is made of: `type Handler func(Request)`.
    pub fn underlying(&mut self, of: &Value) -> Value {
        let mut value = of.clone();
        // A type may be made of another such; of itself only by mistake.
        for _ in 0..8 {
            let Value::Inst(def, args) = &value else {
                return value;
            };
            let defined = self.def(*def);
            if defined.kind != Kind::Type {
                return Value::Unknown;
            }
            let parts = self.values_of_types(def.file, defined.bases);
            let made_of = Value::any(parts.iter().cloned());
            value = self.with_arguments(made_of, *def, args);
        }
        Value::Unknown
    }

    /// A value of a member type; where types and values are apart, of the type of a member.
    fn member_of_type(&mut self, of: Value, name: &str, file: FileId) -> Value {
        let ty = self.type_itself(of.clone());
        let member = self.static_member(&ty, name, file, Space::Type);
        let member = self.of_type(member, &[]);
        match self.rules(file).separate_types && matches!(member, Value::Unknown | Value::Outside) {
            true => self.member_from(&of, name, file, 0),
            false => member,
        }
    }

    pub fn values_of_types(&mut self, file: FileId, list: List) -> Rc<[Value]> {
        let list = self.facts(file).list(list);
        list.iter()
            .map(|&ty| self.value_of_type(file, ty))
            .collect()
    }

    /// What a path of names stands for.
    fn named_by(&mut self, file: FileId, path: &[Sym], scope: ScopeId, space: Space) -> Value {
        let facts = self.facts(file);
        let Some((&first, rest)) = path.split_first() else {
            return Value::Unknown;
        };
        let mut value = self.lookup(file, scope, first, u32::MAX, space);
        for &name in rest {
            value = self.static_member(&value, facts.name(name), file, space);
        }
        value
    }

    /// The alias that a written type names, and its arguments.
    pub fn alias_named(&mut self, file: FileId, ty: TypeId) -> Option<Vec<Value>> {
        let facts = self.facts(file);
        let Type::Named { path, args, scope } = facts.ty(ty) else {
            return None;
        };
        let named = self.named_by(file, facts.list(path), scope, Space::Type);
        match named {
            Value::Def(def) if self.def(def).is(flag::ALIAS) => {
                let mut used = vec![named];
                used.extend(self.values_of_types(file, args).iter().cloned());
                Some(used)
            }
            _ => None,
        }
    }

    fn named(&mut self, file: FileId, path: &[Sym], args: List, scope: ScopeId) -> Value {
        let facts = self.facts(file);
        let value = self.named_by(file, path, scope, Space::Type);
        let args = self.values_of_types(file, args);
        match value {
            Value::Unknown | Value::Outside | Value::Space(_) => {
                let last = *path.last().expect("a path is not empty");
                Value::alien(facts.name(last), &args)
            }
            value => self.of_type(value, &args),
        }
    }

    /// A value of what a type expression names.
    pub fn of_type(&mut self, named: Value, args: &[Value]) -> Value {
        match named {
            Value::Def(def) => self.of_definition(def, args),
            Value::Overloads(defs, _) => {
                let ty = defs.iter().copied().find(|&def| self.def(def).is_made());
                ty.map_or(Value::Unknown, |def| self.of_definition(def, args))
            }
            Value::Type(value) => match &*value {
                Value::Alien(name, none) if none.is_empty() => {
                    Value::Alien(name.clone(), args.into())
                }
                value => value.clone(),
            },
            Value::Any(parts) => {
                let parts = parts.iter().map(|part| self.of_type(part.clone(), args));
                Value::any(parts.collect::<Vec<_>>())
            }
            Value::Alien(name, _) if !args.is_empty() => Value::Alien(name, args.into()),
            // A value where a type should stand: a member of an enum, an alias that the lowering did not see as one.
            Value::Inst(..) | Value::Alien(..) | Value::Outside => named,
            _ => Value::Unknown,
        }
    }

    fn of_definition(&mut self, def: Ref, args: &[Value]) -> Value {
        let defined = self.def(def);
        if defined.is(flag::ALIAS) {
            let parts = self.values_of_types(def.file, defined.bases);
            let value = Value::any(parts.iter().cloned());
            return self.with_arguments(value, def, args);
        }
        match defined.kind {
            Kind::EnumMember => match defined.parent {
                Some(parent) => Value::inst(Ref {
                    file: def.file,
                    def: parent,
                }),
                None => Value::Unknown,
            },
            _ if defined.is_made() => Value::Inst(def, args.into()),
            _ => Value::Unknown,
        }
    }

    /// The type of a value, as something with static members.
    pub fn type_itself(&mut self, value: Value) -> Value {
        match value {
            Value::Inst(def, args) if args.is_empty() => Value::Def(def),
            Value::Unknown | Value::Outside => value,
            value => Value::Type(value.into()),
        }
    }

    /// A value that `new` or a call of a type makes.
    pub fn made(&mut self, of: &Value) -> Value {
        match of {
            Value::Def(def) => self.of_definition(*def, &[]),
            Value::Type(value) => (**value).clone(),
            Value::Overloads(..) | Value::Any(_) => self.of_type(of.clone(), &[]),
            Value::Outside => Value::Outside,
            _ => Value::Unknown,
        }
    }
}
