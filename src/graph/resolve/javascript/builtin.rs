//! The language's own types: arrays, maps, promises. What their methods give, what functions passed to them get.

use crate::graph::eval::Eval;
use crate::graph::facts::Peel;
use crate::graph::value::Value;

/// Methods that so many types have that their name alone says nothing.
pub const COMMON: &[&str] = &[
    "add", "all", "any", "append", "apply", "assign", "at", "bind", "call", "catch", "clear",
    "close", "concat", "create", "delete", "emit", "end", "entries", "error", "every", "exec",
    "fill", "filter", "finally", "find", "flat", "forEach", "from", "get", "has", "includes",
    "indexOf", "info", "init", "join", "keys", "listen", "log", "map", "match", "next", "of",
    "off", "on", "once", "open", "parse", "pop", "push", "read", "reduce", "remove", "replace",
    "resolve", "reverse", "run", "send", "set", "shift", "slice", "some", "sort", "splice",
    "split", "start", "stop", "test", "then", "toJSON", "toString", "trim", "unshift", "update",
    "use", "valueOf", "values", "warn", "write",
];

const LISTS: &[&str] = &[
    "[]",
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "Iterable",
    "IterableIterator",
    "()",
];
const MAPS: &[&str] = &["Map", "ReadonlyMap", "WeakMap"];

/// Objects with any member of one type.
const RECORDS: &[&str] = &["{}", "Record"];
const PROMISES: &[&str] = &["Promise", "PromiseLike"];

fn element(name: &str, args: &[Value]) -> Value {
    match name {
        "()" => Value::any(args.iter().cloned()),
        _ => args.first().cloned().unwrap_or(Value::Unknown),
    }
}

/// A method that gives the same whatever it is called with.
fn gives(value: Value) -> Value {
    match value {
        Value::Unknown => Value::Outside,
        value => Value::Function([].into(), value.into()),
    }
}

pub fn member(_: &mut Eval<'_>, name: &str, args: &[Value], member: &str) -> Value {
    if LISTS.contains(&name) {
        return match member {
            "find" | "findLast" | "pop" | "shift" | "at" => gives(element(name, args)),
            "filter" | "slice" | "concat" | "reverse" | "sort" | "splice" | "values"
            | "toSorted" | "toReversed" | "fill" => {
                gives(Value::alien("[]", &[element(name, args)]))
            }
            _ => Value::Outside,
        };
    }
    if MAPS.contains(&name) {
        let value = args.last().cloned().unwrap_or(Value::Unknown);
        return match member {
            "get" => gives(value),
            "values" => gives(Value::alien("[]", &[value])),
            "keys" => gives(Value::alien("[]", &args[..args.len().min(1)])),
            "entries" => gives(Value::alien("[]", &[Value::Tuple(args.into())])),
            _ => Value::Outside,
        };
    }
    if RECORDS.contains(&name) {
        let value = args.last().cloned().unwrap_or(Value::Unknown);
        return value.or_else(|| Value::Outside);
    }
    if PROMISES.contains(&name) && matches!(member, "catch" | "finally") {
        return gives(Value::alien(name, args));
    }
    Value::Outside
}

pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    match (peel, of) {
        (Peel::Element, Value::Alien(name, args)) if MAPS.contains(&&**name) => {
            Value::Tuple(args.clone())
        }
        (Peel::Part(_), Value::Alien(name, args)) if LISTS.contains(&&**name) => {
            element(name, args)
        }
        _ => eval.peeled(peel, of),
    }
}

pub fn given(
    eval: &mut Eval<'_>,
    receiver: &Value,
    method: &str,
    argument: u16,
    index: u16,
) -> Value {
    let parts = receiver.parts().to_vec();
    let given = parts.iter().map(|part| match part {
        Value::Alien(name, args) => given_by(eval, name, args, method, argument, index),
        Value::Tuple(parts) => given_by(eval, "()", parts, method, argument, index),
        _ => Value::Unknown,
    });
    Value::any(given.collect::<Vec<_>>())
}

fn given_by(
    eval: &mut Eval<'_>,
    name: &str,
    args: &[Value],
    method: &str,
    argument: u16,
    index: u16,
) -> Value {
    let nth = |index: usize| args.get(index).cloned().unwrap_or(Value::Unknown);
    let list = LISTS.contains(&name);
    match (method, argument, index) {
        ("forEach", 0, 0) if MAPS.contains(&name) => nth(1),
        ("forEach", 0, 1) if MAPS.contains(&name) => nth(0),
        (
            "forEach" | "map" | "filter" | "find" | "findIndex" | "findLast" | "some" | "every"
            | "flatMap",
            0,
            0,
        )
        | ("sort" | "toSorted", 0, 0 | 1)
        | ("reduce" | "reduceRight", 0, 1)
            if list =>
        {
            element(name, args)
        }
        ("then", 0, 0) if PROMISES.contains(&name) => {
            let promise = Value::alien(name, args);
            eval.peeled(Peel::Await, &promise)
        }
        _ => Value::Unknown,
    }
}
