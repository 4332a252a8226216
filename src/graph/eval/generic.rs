//! Type parameters: what stands for them where a member is reached, or a function called, with types that are known.

use super::*;

/// What parameters stand for: the scope that declares them, their name, the value.
pub type Bindings = Vec<((FileId, ScopeId, Sym), Value)>;

/// Types nested deeper than this say nothing more.
const DEEPEST: u32 = 8;

impl<'w> Eval<'w> {
    /// The type parameters of a definition, in source order.
    pub fn parameters(&mut self, def: Ref) -> Vec<(FileId, ScopeId, Sym)> {
        let facts = self.facts(def.file);
        let Some(scope) = facts.def(def.def).scope else {
            return vec![];
        };
        let declared = facts.binds_in(scope).iter();
        let declared = declared.filter(|bind| matches!(bind.bound, Bound::Param { .. }));
        let mut declared: Vec<&Bind> = declared.collect();
        declared.sort_by_key(|bind| (bind.at, bind.name));
        declared
            .into_iter()
            .map(|bind| (def.file, scope, bind.name))
            .collect()
    }

    /// A value with a definition's type parameters replaced by arguments.
    pub fn with_arguments(&mut self, value: Value, def: Ref, args: &[Value]) -> Value {
        if args.is_empty() {
            return value;
        }
        let parameters = self.parameters(def);
        let bindings: Bindings = parameters.into_iter().zip(args.iter().cloned()).collect();
        substitute(&value, &bindings, None, 0)
    }

    /// A value as seen through the receiver it was reached by: its `this` and the parameters of the receiver's types.
    pub fn through(&mut self, value: Value, on: &Value) -> Value {
        if !has_parameters(&value, 0) {
            return value;
        }
        let mut bindings = vec![];
        for part in on.parts() {
            for ancestor in self.ancestors(part).iter() {
                if let Value::Inst(def, args) = ancestor
                    && !args.is_empty()
                {
                    let parameters = self.parameters(*def);
                    bindings.extend(parameters.into_iter().zip(args.iter().cloned()));
                }
            }
            self.extension_arguments(part, &mut bindings);
        }
        substitute(&value, &bindings, Some(on), 0)
    }

    /// What an extension's own parameters stand for: `impl<T> Foo<T>` on a `Foo<Bar>`.
    fn extension_arguments(&mut self, on: &Value, bindings: &mut Bindings) {
        let Value::Inst(def, args) = on else { return };
        if args.is_empty() {
            return;
        }
        for &(file, index) in self.extensions_of(*def).iter() {
            let extension = self.facts(file).extensions[index as usize];
            let pattern = self.value_of_type(file, extension.of);
            unify(&pattern, on, bindings, 0);
        }
    }

    /// What a function's own parameters stand for, by the arguments of a call.
    pub fn infer(&mut self, def: Ref, args: &[Value]) -> Bindings {
        let mut bindings = vec![];
        let params = self.def(def).params.iter().zip(args);
        for (param, arg) in params {
            let pattern = self.value_of_type(def.file, param.ty);
            if has_parameters(&pattern, 0) {
                self.unify_call(&pattern, arg, &mut bindings);
            }
        }
        bindings
    }
}

impl<'w> Eval<'w> {
    /// Notes what the parameters in a parameter's type must stand for to take an argument; functions by what they give.
    pub fn unify_call(&mut self, pattern: &Value, arg: &Value, bindings: &mut Bindings) {
        unify(pattern, arg, bindings, 0);
        let wanted = match pattern {
            Value::Param(file, scope, name) => self.bounds(*file, *scope, *name),
            pattern => pattern.clone(),
        };
        for part in wanted.parts() {
            if let Value::Function(_, returns) = part
                && has_parameters(returns, 0)
            {
                let given = self.given_by(arg);
                unify(returns, &given, bindings, 0);
            }
        }
    }

    /// What a value gives where it is called, as far as that does not hang on arguments.
    fn given_by(&mut self, function: &Value) -> Value {
        match function {
            Value::Lambda(file, lambda) => match self.facts(*file).expr(*lambda) {
                Expr::Lambda { returned, .. } => {
                    let returned = self.facts(*file).list(returned).iter();
                    let values = returned.map(|&value| self.eval(*file, value));
                    Value::any(values.collect::<Vec<_>>())
                }
                _ => Value::Unknown,
            },
            Value::Def(def) if self.def(*def).kind.is_type() => self.made(function),
            Value::Def(def) | Value::Method(def, _) => self.result(*def),
            Value::Function(_, returns) => (**returns).clone(),
            _ => Value::Unknown,
        }
    }
}

/// Whether anything in a value could be replaced.
pub fn has_parameters(value: &Value, depth: u32) -> bool {
    if depth > DEEPEST {
        return false;
    }
    let any = |values: &[Value]| values.iter().any(|value| has_parameters(value, depth + 1));
    match value {
        Value::Param(..) | Value::This(..) => true,
        Value::Inst(_, args) | Value::Alien(_, args) => any(args),
        Value::Tuple(parts) | Value::Any(parts) => any(parts),
        Value::Function(params, returns) => any(params) || has_parameters(returns, depth + 1),
        Value::Type(value) | Value::Method(_, value) => has_parameters(value, depth + 1),
        _ => false,
    }
}

/// Parameters replaced by what they stand for; those that are not among them stay.
pub fn substitute(value: &Value, bindings: &Bindings, this: Option<&Value>, depth: u32) -> Value {
    if depth > DEEPEST {
        return value.clone();
    }
    let each = |values: &[Value]| -> Rc<[Value]> {
        let replaced = values
            .iter()
            .map(|value| substitute(value, bindings, this, depth + 1));
        replaced.collect()
    };
    match value {
        Value::Param(file, scope, name) => {
            let key = (*file, *scope, *name);
            let bound = bindings
                .iter()
                .find(|(param, value)| *param == key && value.known());
            bound.map_or_else(|| value.clone(), |(_, bound)| bound.clone())
        }
        Value::This(..) => this.unwrap_or(value).clone(),
        Value::Inst(def, args) => Value::Inst(*def, each(args)),
        Value::Alien(name, args) => Value::Alien(name.clone(), each(args)),
        Value::Tuple(parts) => Value::Tuple(each(parts)),
        Value::Any(parts) => Value::any(each(parts).iter().cloned()),
        Value::Function(params, returns) => {
            let returns = substitute(returns, bindings, this, depth + 1);
            Value::Function(each(params), returns.into())
        }
        Value::Type(inner) => Value::Type(substitute(inner, bindings, this, depth + 1).into()),
        value => value.clone(),
    }
}

/// Notes what the parameters in a pattern must stand for to make it the value.
pub fn unify(pattern: &Value, value: &Value, bindings: &mut Bindings, depth: u32) {
    if depth > DEEPEST || !value.known() {
        return;
    }
    match (pattern, value) {
        (Value::Param(file, scope, name), value) => {
            bindings.push(((*file, *scope, *name), value.clone()));
        }
        (Value::Inst(def, pattern), Value::Inst(other, args)) if def == other => {
            unify_all(pattern, args, bindings, depth);
        }
        (Value::Alien(name, pattern), Value::Alien(other, args)) if name == other => {
            unify_all(pattern, args, bindings, depth);
        }
        (Value::Tuple(pattern), Value::Tuple(parts)) => unify_all(pattern, parts, bindings, depth),
        (Value::Type(pattern), Value::Type(value)) => unify(pattern, value, bindings, depth + 1),
        (Value::Type(pattern), Value::Def(def)) => {
            unify(pattern, &Value::inst(*def), bindings, depth + 1)
        }
        // A class object for `Class<T>`, `type[T]`.
        (Value::Alien(name, pattern), Value::Def(def))
            if pattern.len() == 1 && matches!(&**name, "Class" | "type" | "Type") =>
        {
            unify(&pattern[0], &Value::inst(*def), bindings, depth + 1);
        }
        (Value::Any(parts), value) => {
            for part in parts.iter() {
                unify(part, value, bindings, depth + 1);
            }
        }
        _ => {}
    }
}

fn unify_all(patterns: &[Value], values: &[Value], bindings: &mut Bindings, depth: u32) {
    for (pattern, value) in patterns.iter().zip(values) {
        unify(pattern, value, bindings, depth + 1);
    }
}
