//! What the standard library's types give, as far as values of the tree pass through them.

use std::rc::Rc;

use super::signatures::method;
use crate::graph::eval::Eval;
use crate::graph::facts::Peel;
use crate::graph::value::{NOWHERE, Value};

/// Traits: what they lack the types that have them may have.
const TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "Any",
    "AsMut",
    "AsRef",
    "Borrow",
    "BufRead",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "FromStr",
    "Future",
    "Hash",
    "Hasher",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mul",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Read",
    "Seek",
    "Send",
    "Serialize",
    "Sized",
    "Stream",
    "Sub",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Write",
    "Error",
];

/// A member of a type that is not in the tree.
pub fn alien(eval: &mut Eval<'_>, of: &str, args: &[Value], name: &str) -> Value {
    if let Some(field) = variant(of, args, name) {
        return field;
    }
    // What a type implements is told by bases: the value is what has them.
    let this = match of {
        "Clone" | "Default" | "Parser" => Value::This(NOWHERE, 0),
        of => Value::alien(of, args),
    };
    if let Some(found) = method(of, &this, args, name) {
        return found;
    }
    if of == "Deref" || of == "DerefMut" {
        let to = args.first().cloned().unwrap_or(Value::Unknown);
        let asking = eval.file;
        return eval.member_from(&to, name, asking, 0);
    }
    let added = super::added::member(eval, of, name);
    if added.known() {
        return added;
    }
    match name {
        _ if TRAITS.contains(&of) => Value::Outside,
        "clone" | "to_owned" | "by_ref" | "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "new"
        | "default" | "from" => Value::Function(Rc::from([]), this.into()),
        _ => Value::Outside,
    }
}

/// What a pattern takes out of one of several values: the fields of `Some(x)`.
fn variant(of: &str, values: &[Value], name: &str) -> Option<Value> {
    let (holders, index): (&[&str], usize) = match (of, name) {
        ("Some", "0") => (&["Option"], 0),
        ("Ok", "0") => (&["Result"], 0),
        ("Err", "0") => (&["Result"], 1),
        ("Borrowed" | "Owned" | "Reverse", "0") => return Some(Value::any(values.iter().cloned())),
        _ => return None,
    };
    let held = values.iter().filter_map(|value| match value {
        Value::Alien(name, args) if holders.contains(&&**name) => args.get(index).cloned(),
        _ => None,
    });
    Some(Value::any(held.collect::<Vec<_>>()))
}

/// What a value is as a function: type parameters are what they are bound by.
pub fn function_of(eval: &mut Eval<'_>, value: &Value) -> Value {
    match value {
        Value::Param(file, scope, name) => eval.bounds(*file, *scope, *name),
        value => value.clone(),
    }
}

/// What is inside of a value.
pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    match (peel, of) {
        (Peel::Try, Value::Alien(name, args)) if matches!(&**name, "Option" | "Result") => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        (Peel::Element, Value::Alien(name, args))
            if args.len() == 2 && method(name, of, args, "entry").is_some() =>
        {
            Value::Tuple(args.clone())
        }
        (Peel::Element, Value::Inst(..) | Value::Param(..) | Value::This(..)) => element(eval, of),
        (Peel::Deref, Value::Inst(..)) => {
            let target = given_by_trait(eval, of, &["Deref"]);
            target.or_else(|| of.clone())
        }
        _ => eval.peeled(peel, of),
    }
}

/// What a value gives by iterating, if its type says that it does.
fn element(eval: &mut Eval<'_>, of: &Value) -> Value {
    given_by_trait(
        eval,
        of,
        &[
            "Iterator",
            "IntoIterator",
            "DoubleEndedIterator",
            "ExactSizeIterator",
        ],
    )
}

fn given_by_trait(eval: &mut Eval<'_>, of: &Value, traits: &[&str]) -> Value {
    let of = match of {
        Value::Param(file, scope, name) => eval.bounds(*file, *scope, *name),
        of => of.clone(),
    };
    for part in of.parts() {
        for ancestor in eval.ancestors(part).iter() {
            if let Value::Alien(name, args) = ancestor
                && traits.contains(&&**name)
                && let Some(item) = args.first()
            {
                return eval.through(item.clone(), part);
            }
        }
    }
    Value::Unknown
}

const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

/// Methods that many types outside have: their name alone says nothing.
pub const COMMON: &[&str] = &[
    "add",
    "all",
    "any",
    "append",
    "apply",
    "as_bytes",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "build",
    "bytes",
    "call",
    "chars",
    "clear",
    "clone",
    "close",
    "cmp",
    "collect",
    "contains",
    "count",
    "default",
    "deref",
    "display",
    "drain",
    "drop",
    "end",
    "entry",
    "eq",
    "err",
    "extend",
    "filter",
    "find",
    "finish",
    "first",
    "flush",
    "fmt",
    "fold",
    "from",
    "get",
    "get_mut",
    "hash",
    "index",
    "insert",
    "into",
    "into_inner",
    "into_iter",
    "is_empty",
    "is_match",
    "is_none",
    "is_some",
    "iter",
    "iter_mut",
    "join",
    "key",
    "keys",
    "kind",
    "last",
    "len",
    "line",
    "lines",
    "lock",
    "map",
    "matches",
    "max",
    "metadata",
    "min",
    "name",
    "new",
    "next",
    "ok",
    "open",
    "parent",
    "parse",
    "path",
    "peek",
    "poll",
    "pop",
    "position",
    "push",
    "push_str",
    "read",
    "recv",
    "remove",
    "replace",
    "reset",
    "run",
    "send",
    "set",
    "skip",
    "sort",
    "spawn",
    "split",
    "start",
    "status",
    "sum",
    "swap",
    "take",
    "to_owned",
    "to_string",
    "to_vec",
    "truncate",
    "unwrap",
    "update",
    "value",
    "values",
    "write",
    "write_all",
    "zip",
];

/// What needs no import.
pub fn prelude(name: &str) -> Value {
    match name {
        _ if PRIMITIVES.contains(&name) => Value::Type(Value::alien(name, &[]).into()),
        "Option" | "Result" | "Vec" | "String" | "Box" | "Iterator" | "IntoIterator" | "Clone"
        | "Default" => Value::Type(Value::alien(name, &[]).into()),
        "Some" | "Ok" | "Err" | "drop" => function("prelude", name).unwrap_or(Value::Outside),
        _ => Value::Unknown,
    }
}

fn function(space: &str, name: &str) -> Option<Value> {
    method(space, &Value::Unknown, &[], name)
}

/// A name of the standard library: types by their own name, functions by their module's.
pub fn item(space: &str, name: &str) -> Value {
    let module = space.rsplit("::").next().unwrap_or(space);
    if let Some(function) = function(module, name) {
        return function;
    }
    match name.starts_with(char::is_uppercase) || matches!(name, "str") {
        true => Value::Type(Value::alien(name, &[]).into()),
        false => Value::Space(format!("{space}::{name}").into()),
    }
}
