//! What a function that is passed as an argument is given: by the type of the parameter it is passed for.

use super::*;

impl<'w> Eval<'w> {
    /// The `index`th parameter of the function that is the `argument`th of a call.
    pub fn given(&mut self, file: FileId, call: ExprId, argument: u16, index: u16) -> Value {
        let facts = self.facts(file);
        let (callee, args) = match facts.expr(call) {
            Expr::Call { callee, args } => (callee, args),
            Expr::New { of, args } => (of, args),
            _ => return Value::Unknown,
        };
        if let Expr::Member { of, name } = facts.expr(callee) {
            let receiver = self.eval(file, of);
            let given =
                (self.rules(file).given)(self, &receiver, facts.name(name), argument, index);
            if given.known() {
                return given;
            }
        }
        let (def, on) = match self.eval(file, callee) {
            Value::Def(def) => (def, None),
            Value::Method(def, on) => (def, Some(on)),
            Value::Overloads(defs, on) => {
                let taking = |def: &&Ref| self.takes_function(**def, args.len, argument, index);
                (*defs.iter().find(taking).unwrap_or(&defs[0]), on)
            }
            Value::Function(params, _) => {
                let param = nth(&params, argument);
                return self.parameter(&param, index);
            }
            _ => return Value::Unknown,
        };
        let Some(param) = self.def(def).params.get(usize::from(argument)) else {
            return Value::Unknown;
        };
        let wanted = match self.value_of_type(def.file, param.ty) {
            Value::Param(file, scope, name) => self.bounds(file, scope, name),
            wanted => wanted,
        };
        let wanted = (self.rules(def.file).function)(self, &wanted);
        let mut given = self.parameter(&wanted, index);
        if let Some(on) = &on {
            given = self.through(given, on);
        }
        if generic::has_parameters(&given, 0) {
            // Only what stands in front of the function can tell: its own value is what is asked for.
            let before = facts.list(args).iter().take(usize::from(argument));
            let before: Vec<Value> = before.map(|&arg| self.eval(file, arg)).collect();
            let bindings = self.infer(def, &before);
            given = generic::substitute(&given, &bindings, on.as_deref(), 0);
        }
        given
    }

    /// Whether a definition can be called with so many arguments, one of them a function with that parameter.
    fn takes_function(&mut self, def: Ref, args: u32, argument: u16, index: u16) -> bool {
        if !self.takes(def, args as usize) {
            return false;
        }
        let Some(param) = self.def(def).params.get(usize::from(argument)) else {
            return false;
        };
        let wanted = self.value_of_type(def.file, param.ty);
        let wanted = (self.rules(def.file).function)(self, &wanted);
        wanted.parts().iter().any(|part| match part {
            Value::Function(params, _) => params.len() > usize::from(index),
            _ => false,
        })
    }

    /// What a function takes at a position.
    pub fn parameter(&mut self, function: &Value, index: u16) -> Value {
        let parts = function.parts().to_vec();
        let taken = parts.iter().map(|part| match part {
            Value::Function(params, _) => nth(params, index),
            Value::Def(def) if !self.def(*def).kind.is_type() => self.taken(*def, None, index),
            Value::Method(def, on) => self.taken(*def, Some(on), index),
            Value::Overloads(defs, on) => self.taken(defs[0], on.as_deref(), index),
            Value::Inst(def, _) => {
                let member = self.rules(def.file).call_member;
                match self.member_from(part, member, def.file, 0) {
                    Value::Inst(..) => Value::Unknown,
                    called => self.parameter(&called, index),
                }
            }
            _ => Value::Unknown,
        });
        Value::any(taken.collect::<Vec<_>>())
    }

    fn taken(&mut self, def: Ref, on: Option<&Value>, index: u16) -> Value {
        let Some(param) = self.def(def).params.get(usize::from(index)) else {
            return Value::Unknown;
        };
        let value = self.value_of_type(def.file, param.ty);
        match on {
            Some(on) => self.through(value, on),
            None => value,
        }
    }
}

fn nth(values: &[Value], index: u16) -> Value {
    let value = values.get(usize::from(index));
    value.cloned().unwrap_or(Value::Unknown)
}
