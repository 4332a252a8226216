//! Members: of values through their types, the bases and the extensions of these; of types, modules and namespaces.

use super::ancestors::same_type;
use super::*;
use crate::graph::value::NOWHERE;
use crate::model::Kind;

impl<'w> Eval<'w> {
    /// The member of a value, passing over the first `skip` of its types.
    pub fn member_from(&mut self, of: &Value, name: &str, asking: FileId, skip: usize) -> Value {
        match of {
            Value::Unknown => Value::Unknown,
            Value::Outside | Value::Lambda(..) => Value::Outside,
            Value::Any(parts) => {
                let members = parts
                    .iter()
                    .map(|part| self.member_from(part, name, asking, skip));
                // What only some of the types have is found on those.
                let members: Vec<Value> = members.collect();
                let everywhere = self.rules(asking).everywhere.contains(&name);
                if everywhere && members.contains(&Value::Outside) {
                    return Value::Outside;
                }
                let found = Value::any(
                    members
                        .iter()
                        .filter(|value| **value != Value::Outside)
                        .cloned(),
                );
                match found.known() {
                    true => found,
                    false if members.contains(&Value::Outside) => Value::Outside,
                    false => Value::Unknown,
                }
            }
            Value::Inst(..) => self.member_of_instance(of, name, asking, skip),
            Value::Object(file, scope) => {
                let own = match skip {
                    0 => self.of_scope(*file, *scope, name, Space::Value),
                    _ => Value::Unknown,
                };
                let own = match own {
                    Value::Def(def) if self.def(def).is(flag::PROPERTY) => self.result(def),
                    own => own,
                };
                match own.known() {
                    true => own,
                    false => match self.base_of_object(*file, *scope) {
                        Some(base) => self.member_from(&base, name, asking, skip.saturating_sub(1)),
                        None => Value::Unknown,
                    },
                }
            }
            Value::Param(file, scope, param) => {
                let bounds = self.bounds(*file, *scope, *param);
                match bounds.known() {
                    true => self.member_from(&bounds, name, asking, skip),
                    false => Value::Unknown,
                }
            }
            Value::This(NOWHERE, _) => Value::Unknown,
            Value::This(file, scope) => {
                let this = self.type_of_scope(*file, *scope);
                self.member_from(&this, name, asking, skip)
            }
            Value::Alien(alien, args) => (self.rules(asking).alien)(self, alien, args, name),
            Value::Tuple(parts) => match name.parse::<usize>() {
                Ok(index) => parts.get(index).cloned().unwrap_or(Value::Outside),
                Err(_) => (self.rules(asking).alien)(self, "()", parts, name),
            },
            Value::Function(..) | Value::Method(..) | Value::Overloads(..) => Value::Outside,
            Value::Def(_) | Value::Type(_) | Value::File(_) | Value::Space(_) => {
                self.static_member_from(of, name, asking, Space::Value, skip)
            }
        }
    }

    /// A member of a type, module or namespace.
    pub fn static_member(&mut self, of: &Value, name: &str, asking: FileId, space: Space) -> Value {
        self.static_member_from(of, name, asking, space, 0)
    }

    fn static_member_from(
        &mut self,
        of: &Value,
        name: &str,
        asking: FileId,
        space: Space,
        skip: usize,
    ) -> Value {
        match of {
            Value::Def(def) => self.member_of_definition(*def, name, asking, space, skip),
            Value::Type(value) => {
                let found = match &**value {
                    Value::Inst(def, _) => {
                        self.member_of_definition(*def, name, asking, space, skip)
                    }
                    Value::Param(file, scope, param) => {
                        let bounds = self.bounds(*file, *scope, *param);
                        self.static_member_of_bounds(&bounds, name, asking, space)
                    }
                    Value::This(file, scope) if *file != NOWHERE => {
                        let this = self.type_of_scope(*file, *scope);
                        self.static_member_of_bounds(&this, name, asking, space)
                    }
                    value => self.member_from(value, name, asking, skip),
                };
                receiver(found, value)
            }
            Value::File(file) => {
                let (file, rules) = (*file, self.rules(*file));
                self.facts(file);
                (rules.exported)(self, file, name, space)
            }
            Value::Space(path) => (self.rules(asking).member_of_space)(self, path, name, space),
            Value::Any(parts) => {
                let members = parts
                    .iter()
                    .map(|part| self.static_member_from(part, name, asking, space, skip));
                Value::any(members.collect::<Vec<_>>())
            }
            Value::Outside => Value::Outside,
            Value::Inst(..)
            | Value::Alien(..)
            | Value::Object(..)
            | Value::This(..)
            | Value::Tuple(_)
            | Value::Param(..) => self.member_from(of, name, asking, skip),
            _ => Value::Unknown,
        }
    }

    /// A member of what a type parameter or `this` stands for, by the name of these.
    fn static_member_of_bounds(
        &mut self,
        of: &Value,
        name: &str,
        asking: FileId,
        space: Space,
    ) -> Value {
        let members = of.parts().iter().map(|part| match part {
            Value::Inst(def, _) => self.member_of_definition(*def, name, asking, space, 0),
            part => self.member_from(part, name, asking, 0),
        });
        let members: Vec<Value> = members.collect();
        let found = Value::any(
            members
                .iter()
                .filter(|value| **value != Value::Outside)
                .cloned(),
        );
        match members.contains(&Value::Outside) {
            true => found.or_else(|| Value::Outside),
            false => found,
        }
    }

    /// A member of a type by the type's name, or of a namespace.
    fn member_of_definition(
        &mut self,
        def: Ref,
        name: &str,
        asking: FileId,
        space: Space,
        skip: usize,
    ) -> Value {
        let defined = self.def(def);
        if defined.is(flag::ALIAS) {
            let value = self.of_type(Value::Def(def), &[]);
            let ty = self.type_itself(value);
            return match ty {
                Value::Def(same) if same == def => Value::Unknown,
                ty => self.static_member_from(&ty, name, asking, space, skip),
            };
        }
        if !defined.is_made() {
            return match defined.scope {
                Some(scope) if defined.kind.class() == crate::model::KindClass::Scope => {
                    let found = self.of_scope(def.file, scope, name, space);
                    found.or_else(|| {
                        (self.rules(def.file).outer)(self, def.file, scope, name, space)
                    })
                }
                _ => Value::Unknown,
            };
        }
        let this = Value::inst(def);
        for (index, ancestor) in self.ancestors(&this).iter().enumerate().skip(skip) {
            match ancestor {
                Value::Inst(owner, _) => {
                    let found = self.own_member(*owner, name, space);
                    if found.known() {
                        return self.of_class(found, this);
                    }
                }
                // What a type has from traits says nothing of the other traits.
                Value::Alien(alien, args) if self.rules(def.file).traits => {
                    let found = (self.rules(asking).alien)(self, alien, args, name);
                    if found != Value::Outside {
                        return self.through(found, &this);
                    }
                }
                _ if index > 0 && !self.rules(def.file).traits => return Value::Outside,
                _ => {}
            }
        }
        Value::Outside
    }

    /// A method whose first argument is the type knows it, reached through the type too.
    fn of_class(&mut self, found: Value, this: Value) -> Value {
        match found {
            Value::Def(def) if self.def(def).is(flag::OF_CLASS) => Value::Method(def, this.into()),
            found => found,
        }
    }

    fn member_of_instance(&mut self, of: &Value, name: &str, asking: FileId, skip: usize) -> Value {
        // Interfaces say again what bases of theirs outside of the tree have; what a class has from there it need not.
        let again = matches!(of, Value::Inst(def, _) if self.def(*def).kind == Kind::Interface);
        let mut outside = Value::Outside;
        for ancestor in self.ancestors(of).iter().skip(skip) {
            match ancestor {
                Value::Inst(owner, _) => {
                    let found = self.own_member(*owner, name, Space::Value);
                    if found.known() {
                        let found = self.through(found, ancestor);
                        let found = self.through(found, of);
                        return self.read(found, of);
                    }
                }
                Value::Alien(alien, args) => {
                    let found = (self.rules(asking).alien)(self, alien, args, name);
                    if found != Value::Outside && outside == Value::Outside {
                        outside = self.through(found, of);
                        if !again {
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        if skip > 0 || outside != Value::Outside {
            return outside;
        }
        self.member_behind(of, name, asking).unwrap_or(outside)
    }

    /// A member of what a value's arrow gives.
    fn member_behind(&mut self, of: &Value, name: &str, asking: FileId) -> Option<Value> {
        let arrow = self.rules(asking).arrow;
        if arrow.is_empty() || arrow == name || self.depth >= DEEPEST {
            return None;
        }
        let Value::Method(def, on) = self.member_from(of, arrow, asking, 0) else {
            return None;
        };
        self.depth += 1;
        let result = self.result(def);
        let result = self.through(result, &on);
        let found = match same_type(&result, of) {
            true => Value::Unknown,
            false => self.member_from(&result, name, asking, 0),
        };
        self.depth -= 1;
        Some(found).filter(Value::known)
    }

    /// A member as it is read from a value: a property's result, a method that knows its receiver.
    fn read(&mut self, found: Value, on: &Value) -> Value {
        match found {
            Value::Def(def) => {
                let defined = self.def(def);
                if defined.is(flag::PROPERTY) {
                    let result = self.result(def);
                    return self.through(result, on);
                }
                match defined.kind.is_callable() {
                    true => Value::Method(def, on.clone().into()),
                    false => Value::Def(def),
                }
            }
            Value::Any(parts) => {
                let parts = parts.iter().map(|part| self.read(part.clone(), on));
                Value::any(parts.collect::<Vec<_>>())
            }
            found => receiver(found, on),
        }
    }

    /// A member that a type declares itself or in an extension.
    pub fn own_member(&mut self, owner: Ref, name: &str, space: Space) -> Value {
        let owned = self.def(owner);
        // The scope of a function that makes objects holds its locals.
        if let Some(scope) = owned.scope.filter(|_| !owned.is(flag::MAKES)) {
            let found = self.of_scope(owner.file, scope, name, space);
            if found.known() {
                return found;
            }
        }
        for &(file, index) in self.extensions_of(owner).iter() {
            let scope = self.facts(file).extensions[index as usize].scope;
            let found = self.of_scope(file, scope, name, space);
            if found.known() {
                return found;
            }
        }
        Value::Unknown
    }

    /// Extensions of a type: which file's, which of them.
    pub fn extensions_of(&mut self, def: Ref) -> Rc<[(FileId, u32)]> {
        if let Some(known) = self.extensions.get(&def) {
            return known.clone();
        }
        if !self.busy.insert((Busy::Extensions, def.file, def.def)) {
            return Rc::from([]);
        }
        let name = self.def_name(def);
        let rules = self.rules(def.file);
        let files = self.find(Key::extension(rules.family, name));
        let mut found = vec![];
        for &file in files.iter() {
            let facts = self.facts(file);
            for (index, extension) in facts.extensions.iter().enumerate() {
                let of_type = facts.scope(extension.scope).kind != ScopeKind::Object;
                if !of_type || self.type_named(file, extension.of) != Some(name) {
                    continue;
                }
                match self.value_of_type(file, extension.of) {
                    Value::Inst(of, _) if of == def => found.push((file, index as u32)),
                    _ => {}
                }
            }
        }
        // What is for another platform counts only where nothing else has the member.
        found.sort_by_key(|&(file, _)| self.is_elsewhere(file));
        self.busy.remove(&(Busy::Extensions, def.file, def.def));
        let found: Rc<[_]> = found.into();
        self.extensions.insert(def, found.clone());
        found
    }

    /// The last name of a written type.
    pub fn type_named(&mut self, file: FileId, ty: TypeId) -> Option<&'w str> {
        let facts = self.facts(file);
        match facts.ty(ty) {
            Type::Named { path, .. } => facts.list(path).last().map(|&name| facts.name(name)),
            Type::Ref { of } => self.type_named(file, of),
            _ => None,
        }
    }

    /// Bounds of a type parameter, as a value.
    pub fn bounds(&mut self, file: FileId, scope: ScopeId, name: Sym) -> Value {
        if file == NOWHERE {
            return Value::Unknown;
        }
        let binds = self.facts(file).bound(scope, name).iter();
        let bounds = binds.filter_map(|bind| match bind.bound {
            Bound::Param { bounds } => Some(bounds),
            _ => None,
        });
        let bounds: Vec<List> = bounds.collect();
        let values = bounds
            .into_iter()
            .flat_map(|bounds| self.values_of_types(file, bounds).to_vec());
        Value::any(values.collect::<Vec<_>>())
    }
}

/// Overloads and callables that know the value they were reached by.
fn receiver(found: Value, on: &Value) -> Value {
    match found {
        Value::Overloads(defs, None) => Value::Overloads(defs, Some(on.clone().into())),
        found => found,
    }
}
