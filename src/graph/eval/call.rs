//! Calls: which definitions a call runs, and what it gives.

use super::*;
use crate::model::Kind;

/// What a call runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Targets {
    /// Definitions of the tree; several where any of them may be meant.
    Known(Vec<Ref>),
    /// Something from outside, or of the language.
    Outside,
    /// What a variable or parameter holds: known to be no definition, or not known which.
    Held,
    Unknown,
}

impl<'w> Eval<'w> {
    /// What a call expression runs.
    pub fn targets(&mut self, file: FileId, call: ExprId) -> Targets {
        let facts = self.facts(file);
        match facts.expr(call) {
            Expr::Call { callee, args } => {
                let args = self.arguments(file, args);
                if let Expr::Super { scope } = facts.expr(callee) {
                    let base = self.base_of_this(file, scope);
                    let base = self.type_itself(base);
                    return self.constructed_as_base(&base, Some(&args));
                }
                let callee = self.callee(file, callee, &args);
                self.run_by(&callee, Some(&args), file)
            }
            Expr::New { of, args } => {
                let known = !self.open_ended(file, args);
                let args = self.arguments(file, args);
                let of = self.eval(file, of);
                self.constructed(&of, known.then_some(&args))
            }
            _ => {
                let value = self.eval(file, call);
                self.run_by(&value, None, file)
            }
        }
    }

    /// Whether it is not even known with how many arguments something is called.
    pub fn open_ended(&mut self, file: FileId, args: List) -> bool {
        let facts = self.facts(file);
        let anything = |arg: &ExprId| facts.expr(*arg) == Expr::Spread { of: UNKNOWN };
        facts.list(args).iter().any(anything)
    }

    /// What is called.
    fn callee(&mut self, file: FileId, callee: ExprId, args: &[Value]) -> Value {
        let value = self.eval(file, callee);
        let facts = self.facts(file);
        match facts.expr(callee) {
            Expr::Name { name, .. } if !value.known() || value == Value::Outside => {
                let found = (self.rules(file).called_with)(self, facts.name(name), args);
                found.or_else(|| value)
            }
            _ => value,
        }
    }

    pub fn arguments(&mut self, file: FileId, args: List) -> Vec<Value> {
        let args = self.facts(file).list(args);
        args.iter().map(|&arg| self.eval(file, arg)).collect()
    }

    /// What runs when a value is called; without arguments: by whoever it is given to.
    pub fn run_by(&mut self, callee: &Value, args: Option<&[Value]>, asking: FileId) -> Targets {
        match callee {
            Value::Def(def) | Value::Method(def, _) => {
                let kind = self.def(*def).kind;
                match kind {
                    _ if kind.is_type() && self.rules(asking).calls_construct => {
                        self.constructed(callee, args)
                    }
                    Kind::Field if self.rules(asking).fields_run => Targets::Known(vec![*def]),
                    _ if kind.is_callable() || kind == Kind::Macro => {
                        self.picked(&[*def], args, asking)
                    }
                    _ => Targets::Held,
                }
            }
            Value::Overloads(defs, _) => {
                let callable = |def: &&Ref| self.def(**def).kind.is_callable();
                let callable: Vec<Ref> = defs.iter().filter(callable).copied().collect();
                match callable.is_empty() {
                    true => self.constructed(callee, args),
                    false => self.picked(&callable, args, asking),
                }
            }
            Value::Any(parts) => {
                // Of an object or a function that is known by its type only, a program has looked which one it is.
                let open = parts.iter().any(|part| matches!(part, Value::Function(..)));
                let sure = parts
                    .iter()
                    .filter(|part| !open || !matches!(part, Value::Inst(..)));
                let all = sure.map(|part| self.run_by(part, args, asking));
                together(all.collect())
            }
            Value::Inst(..) => {
                let rules = self.rules(asking);
                match self.member_from(callee, rules.call_member, asking, 0) {
                    Value::Method(def, _) => Targets::Known(vec![def]),
                    member @ Value::Overloads(..) => self.run_by(&member, args, asking),
                    _ => Targets::Outside,
                }
            }
            Value::Type(_) if self.rules(asking).calls_construct => self.constructed(callee, args),
            Value::Outside | Value::Alien(..) | Value::Type(_) => Targets::Outside,
            Value::Lambda(..) | Value::Function(..) | Value::Param(..) => Targets::Held,
            _ => Targets::Unknown,
        }
    }

    /// What a call gives.
    pub fn result_of_call(&mut self, file: FileId, callee: ExprId, args: List) -> Value {
        let value = self.eval(file, callee);
        let value = match value {
            Value::Unknown | Value::Outside => {
                let values = self.arguments(file, args);
                match self.callee(file, callee, &values) {
                    Value::Outside => {
                        return (self.rules(file).outside)(self, file, callee, args);
                    }
                    found => found,
                }
            }
            value => value,
        };
        let result = self.called(&value, file, args);
        match (self.facts(file).expr(callee), &value) {
            (Expr::Type { ty }, Value::Def(def)) => self.with_written(result, *def, file, ty),
            _ => result,
        }
    }

    /// A function's result where its type arguments are written: `f::<T>()`, `f[T]()`.
    fn with_written(&mut self, result: Value, def: Ref, file: FileId, ty: TypeId) -> Value {
        match self.facts(file).ty(ty) {
            Type::Named { args, .. } if generic::has_parameters(&result, 0) => {
                let args = self.values_of_types(file, args);
                self.with_arguments(result, def, &args)
            }
            _ => result,
        }
    }

    /// The type of the tree that a call converts to, where a call of a type does no more than that.
    pub fn converted_to(&mut self, file: FileId, call: ExprId) -> Option<Ref> {
        let Expr::Call { callee, .. } = self.facts(file).expr(call) else {
            return None;
        };
        if !self.rules(file).calls_convert {
            return None;
        }
        match self.eval(file, callee) {
            Value::Def(def) if self.def(def).kind.is_type() => Some(def),
            Value::Type(of) => match *of {
                Value::Inst(def, _) => Some(def),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether calling a type gives a value of it.
    fn calls_make(&self, file: FileId) -> bool {
        let rules = self.rules(file);
        rules.calls_construct || rules.calls_convert
    }

    /// What a value gives when it is called with arguments of a file.
    pub fn called(&mut self, callee: &Value, file: FileId, args: List) -> Value {
        match callee {
            Value::Def(def) if self.def(*def).kind.is_type() => match self.calls_make(file) {
                true => self.made(callee),
                false => Value::Unknown,
            },
            Value::Def(def) => self.result_of_one(&[*def], None, file, args),
            Value::Method(def, on) => self.result_of_one(&[*def], Some(on), file, args),
            Value::Overloads(defs, on) => self.result_of_one(defs, on.as_deref(), file, args),
            Value::Any(parts) => {
                let results = parts.iter().map(|part| self.called(part, file, args));
                Value::any(results.collect::<Vec<_>>())
            }
            Value::Function(params, returns) if generic::has_parameters(returns, 0) => {
                let mut bindings = vec![];
                for (param, arg) in params.iter().zip(self.arguments(file, args)) {
                    self.unify_call(param, &arg, &mut bindings);
                }
                generic::substitute(returns, &bindings, None, 0)
            }
            Value::Function(_, returns) => (**returns).clone(),
            Value::Lambda(file, lambda) => match self.facts(*file).expr(*lambda) {
                Expr::Lambda { returned, .. } => {
                    let returned = self
                        .facts(*file)
                        .list(returned)
                        .iter()
                        .map(|&value| self.eval(*file, value));
                    Value::any(returned.collect::<Vec<_>>())
                }
                _ => Value::Unknown,
            },
            Value::Inst(..) => {
                let member = self.rules(file).call_member;
                let member = self.member_from(callee, member, file, 0);
                let callable = member.parts().iter().filter(|part| {
                    matches!(
                        part,
                        Value::Method(..) | Value::Overloads(..) | Value::Function(..)
                    )
                });
                let callable = Value::any(callable.cloned().collect::<Vec<_>>());
                match callable.known() {
                    true => self.called(&callable, file, args),
                    false => match self.underlying(callee) {
                        Value::Function(_, returns) => (*returns).clone(),
                        _ => Value::Unknown,
                    },
                }
            }
            Value::Type(value) if self.calls_make(file) => (**value).clone(),
            Value::Outside => Value::Outside,
            _ => Value::Unknown,
        }
    }

    /// What that of several definitions gives that a call means.
    fn result_of_one(
        &mut self,
        defs: &[Ref],
        on: Option<&Value>,
        file: FileId,
        args: List,
    ) -> Value {
        let picked = match defs {
            [_] if self.rules(file).pick.is_none() => defs.to_vec(),
            _ => {
                let values = self.arguments(file, args);
                self.pick(defs, &values, file)
            }
        };
        let results = picked
            .iter()
            .map(|&def| match self.def(def).kind.is_type() {
                true => self.made(&Value::Def(def)),
                false => self.result_with(def, on, file, args),
            });
        Value::any(results.collect::<Vec<_>>())
    }

    /// What a definition gives where it is called on a value with arguments.
    fn result_with(&mut self, def: Ref, on: Option<&Value>, file: FileId, args: List) -> Value {
        let mut result = self.result(def);
        if !generic::has_parameters(&result, 0) {
            return result;
        }
        if let Some(on) = on {
            result = self.through(result, on);
        }
        if generic::has_parameters(&result, 0) {
            let values = self.arguments(file, args);
            let bindings = self.infer(def, &values);
            result = generic::substitute(&result, &bindings, on, 0);
        }
        result
    }

    /// The scope of the type whose receiver an expression of a definition is: `this`, or what a method makes by calling the type
    /// it is called on.
    fn receiver_of(&mut self, def: Ref, expr: ExprId) -> Option<ScopeId> {
        let facts = self.facts(def.file);
        let of = match facts.expr(expr) {
            Expr::Call { callee, .. } if facts.def(def.def).is(flag::OF_CLASS) => callee,
            _ => expr,
        };
        match facts.expr(of) {
            Expr::This { scope } => self.this_scope(def.file, scope),
            _ => None,
        }
    }

    /// What a definition gives, in terms of its own parameters.
    pub fn result(&mut self, def: Ref) -> Value {
        if let Some(value) = self.results.get(&def) {
            return value.clone();
        }
        let value = self.guarded(Busy::Result, def.file, def.def, |eval| {
            let defined = eval.def(def);
            if let Some(returns) = defined.returns {
                let value = eval.value_of_type(def.file, returns);
                if value.known() {
                    return value;
                }
            }
            let facts = eval.facts(def.file);
            let returned = facts.list(defined.returned).iter();
            let values = returned.map(|&value| match eval.receiver_of(def, value) {
                Some(scope) => Value::This(def.file, scope),
                None => eval.eval(def.file, value),
            });
            let value = Value::any(values.collect::<Vec<_>>());
            match defined.is(flag::GENERATOR) {
                true => Value::alien("[]", &[value]),
                false => value,
            }
        });
        self.results.insert(def, value.clone());
        value
    }
}

/// Targets of a call whose callee is one of several values.
pub fn together(all: Vec<Targets>) -> Targets {
    let mut known = vec![];
    for targets in &all {
        if let Targets::Known(defs) = targets {
            known.extend(
                defs.iter()
                    .filter(|def| !known.contains(*def))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
    }
    match known.is_empty() {
        false => Targets::Known(known),
        true => all.into_iter().next().unwrap_or(Targets::Unknown),
    }
}
