//! Values of types outside of the tree, and what the language does with values: members, iterating, taking records apart,
//! calling what has a single method.

use super::library::LIBRARY;
use crate::graph::eval::Eval;
use crate::graph::facts::{Def, Peel, ScopeId, ScopeKind, flag};
use crate::graph::value::{Ref, Value};
use crate::graph::world::FileId;
use crate::model::Kind;

/// A member of a value of the library: a method, by what calling it gives.
pub fn member(name: &str, args: &[Value], member: &str) -> Value {
    if (name, member) == ("[]", "length") {
        return Value::alien("int", &[]);
    }
    let method = member.strip_suffix("()").unwrap_or("");
    match LIBRARY.gives(name, method) {
        Some(result) => Value::Function([].into(), LIBRARY.value(result, name, args).into()),
        None => Value::Outside,
    }
}

/// What iterating over a value gives, and the parts of a record.
pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    match (peel, of) {
        (Peel::Part(index), Value::Inst(record, _)) => {
            let part = component(eval, *record, index);
            eval.through(part, of)
        }
        (Peel::Element, Value::Inst(..) | Value::Object(..)) => {
            let held = eval.ancestors(of).iter().find_map(held);
            held.unwrap_or(Value::Unknown)
        }
        _ => eval.peeled(peel, of),
    }
}

fn held(of: &Value) -> Option<Value> {
    match of {
        Value::Alien(name, args) if LIBRARY.is(name, "many") => args.first().cloned(),
        _ => None,
    }
}

/// The components of a record.
pub fn components<'w>(eval: &mut Eval<'w>, record: Ref) -> Vec<&'w Def> {
    let defs = eval.facts(record.file).defs.iter();
    let is_component = |def: &&Def| {
        def.parent == Some(record.def) && !def.kind.is_callable() && def.returns.is_some()
    };
    defs.filter(is_component).collect()
}

fn component(eval: &mut Eval<'_>, record: Ref, index: u16) -> Value {
    let component = components(eval, record).get(usize::from(index)).copied();
    match component.and_then(|component| component.returns) {
        Some(ty) => eval.value_of_type(record.file, ty),
        None => Value::Unknown,
    }
}

/// What a function gets that is passed to a method of a value of the library, or of something that derives from it.
pub fn given(
    eval: &mut Eval<'_>,
    receiver: &Value,
    method: &str,
    argument: u16,
    index: u16,
) -> Value {
    for ancestor in eval.ancestors(receiver).iter() {
        let Value::Alien(name, args) = ancestor else {
            continue;
        };
        let position = match method {
            "computeIfAbsent()" if LIBRARY.is(name, "maps") => 0,
            "merge()" if LIBRARY.is(name, "maps") => 1,
            "forEach()" | "computeIfPresent()" | "compute()" | "replaceAll()"
                if LIBRARY.is(name, "maps") =>
            {
                index
            }
            "reduce()" if argument > 0 => continue,
            _ if LIBRARY.is(name, "many")
                || matches!(&**name, "Optional" | "CompletableFuture") =>
            {
                0
            }
            _ => continue,
        };
        if let Some(value) = args.get(usize::from(position)) {
            return value.clone();
        }
    }
    Value::Unknown
}

/// What a value can be called as, if its type has a single method without a body.
pub fn function(eval: &mut Eval<'_>, value: &Value) -> Value {
    match value {
        Value::Alien(name, args) => {
            function_of_library(name, args).unwrap_or_else(|| value.clone())
        }
        Value::Inst(def, _) if eval.def(*def).kind == Kind::Interface => {
            function_of_interface(eval, value).unwrap_or_else(|| value.clone())
        }
        Value::Any(parts) => {
            let parts = parts.iter().map(|part| function(eval, part));
            Value::any(parts.collect::<Vec<_>>())
        }
        value => value.clone(),
    }
}

fn function_of_library(name: &str, args: &[Value]) -> Option<Value> {
    let (params, result) = LIBRARY.call(name)?;
    let value = |written: &&str| LIBRARY.value(written, name, args);
    let params: Vec<Value> = params.iter().map(value).collect();
    Some(Value::Function(params.into(), value(&result).into()))
}

fn function_of_interface(eval: &mut Eval<'_>, value: &Value) -> Option<Value> {
    for ancestor in eval.ancestors(value).iter() {
        match ancestor {
            Value::Inst(owner, _) => {
                let Some(method) = only_abstract(eval, *owner) else {
                    continue;
                };
                let params: Vec<_> = eval
                    .def(method)
                    .params
                    .iter()
                    .map(|param| param.ty)
                    .collect();
                let params: Vec<Value> = params
                    .into_iter()
                    .map(|ty| eval.value_of_type(owner.file, ty))
                    .collect();
                let result = eval.result(method);
                let function = Value::Function(params.into(), result.into());
                let function = eval.through(function, ancestor);
                return Some(eval.through(function, value));
            }
            Value::Alien(name, args) => {
                if let Some(function) = function_of_library(name, args) {
                    return Some(function);
                }
            }
            _ => {}
        }
    }
    None
}

/// The only method of an interface that has no body.
fn only_abstract(eval: &mut Eval<'_>, owner: Ref) -> Option<Ref> {
    let facts = eval.facts(owner.file);
    let open = |def: &&Def| {
        def.parent == Some(owner.def) && def.kind.is_callable() && def.is(flag::DECLARATION)
    };
    let mut methods = (0..).zip(&facts.defs).filter(|(_, def)| open(def));
    match (methods.next(), methods.next()) {
        (Some((def, _)), None) => Some(Ref {
            file: owner.file,
            def,
        }),
        _ => None,
    }
}

/// The scope that a definition is a member of, if that is a type's or an object's.
pub fn home_of(eval: &mut Eval<'_>, def: Ref) -> Option<(FileId, ScopeId)> {
    let facts = eval.facts(def.file);
    let scope = facts.def(def.def).scope?;
    let home = facts.scope(scope).parent?;
    let members = matches!(facts.scope(home).kind, ScopeKind::Type | ScopeKind::Object);
    members.then_some((def.file, home))
}
