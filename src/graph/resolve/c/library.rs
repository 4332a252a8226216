//! What members of the C++ library's types give: containers, pointers and iterators hand on what they hold.

use crate::graph::eval::Eval;
use crate::graph::facts::Peel;
use crate::graph::value::Value;
use crate::graph::world::FileId;

/// Types that are used as what they point to.
fn is_pointer(name: &str) -> bool {
    matches!(
        name,
        "unique_ptr"
            | "shared_ptr"
            | "weak_ptr"
            | "optional"
            | "reference_wrapper"
            | "iterator"
            | "atomic"
    )
}

fn is_map(name: &str) -> bool {
    matches!(
        name,
        "map" | "unordered_map" | "multimap" | "unordered_multimap"
    )
}

/// A member of a value of a type that is not in the tree.
pub fn member(eval: &mut Eval<'_>, ty: &str, args: &[Value], name: &str) -> Value {
    let Some(first) = args.first() else {
        return Value::Outside;
    };
    let gives = |value: Value| Value::Function([].into(), value.into());
    let element = element(ty, args);
    match name {
        "first" if ty == "pair" => first.clone(),
        "second" if ty == "pair" => args.get(1).cloned().unwrap_or(Value::Unknown),
        "get" | "value" | "lock" | "release" | "value_or" | "load" if is_pointer(ty) => {
            gives(first.clone())
        }
        _ if is_pointer(ty) => pointed(eval, first, name),
        "at" if is_map(ty) => gives(args.get(1).cloned().unwrap_or(Value::Unknown)),
        "front" | "back" | "top" | "at" | "data" => gives(element),
        "begin" | "end" | "cbegin" | "cend" | "rbegin" | "rend" | "find" | "lower_bound"
        | "upper_bound" | "erase" | "insert" => gives(Value::alien("iterator", &[element])),
        _ => Value::Outside,
    }
}

/// A member of what a pointer points to.
fn pointed(eval: &mut Eval<'_>, to: &Value, name: &str) -> Value {
    match to {
        Value::Inst(def, _) => eval.member_from(to, name, def.file, 0),
        Value::Alien(ty, args) => member(eval, ty, args, name),
        Value::Any(parts) => {
            let members = parts.iter().map(|part| pointed(eval, part, name));
            Value::any(members.collect::<Vec<_>>())
        }
        Value::Param(..) | Value::Unknown => Value::Unknown,
        _ => Value::Outside,
    }
}

/// What a container holds: pairs of keys and values in maps.
fn element(ty: &str, args: &[Value]) -> Value {
    match is_map(ty) {
        true => Value::alien("pair", args.get(..2).unwrap_or(args)),
        false => args.first().cloned().unwrap_or(Value::Unknown),
    }
}

pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    match (peel, of) {
        (Peel::Deref, Value::Alien(name, args)) if is_pointer(name) || &**name == "[]" => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        (Peel::Element, Value::Alien(name, args)) => element(name, args),
        (Peel::Part(index), Value::Alien(name, args)) if &**name == "pair" => args
            .get(usize::from(index))
            .cloned()
            .unwrap_or(Value::Unknown),
        (Peel::Element, Value::Inst(def, _)) => element_of(eval, of, def.file),
        (peel, of) => eval.peeled(peel, of),
    }
}

/// What an index, or a loop, gets of a value of the tree: what its operator or its iterators give. A pointer is told by the
/// value it points to, so it may be that as well.
fn element_of(eval: &mut Eval<'_>, of: &Value, file: FileId) -> Value {
    let mut found = vec![];
    for name in ["operator[]", "begin"] {
        let member = match eval.member_from(of, name, file, 0) {
            Value::Method(def, _) => Some(def),
            Value::Overloads(defs, _) => defs.first().copied(),
            _ => None,
        };
        if let Some(def) = member {
            let result = eval.result(def);
            let result = eval.through(result, of);
            found.push(peel(eval, Peel::Deref, &result));
        }
    }
    found.push(of.clone());
    Value::any(found)
}
