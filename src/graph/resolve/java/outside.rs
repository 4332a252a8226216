//! What calls of Java's own library give where that depends on what they are given: containers of arguments, streams of what
//! a function makes, values of a class that is named.

use super::library::LIBRARY;
use crate::graph::eval::Eval;
use crate::graph::facts::{Expr, ExprId, List};
use crate::graph::value::{Ref, Value};
use crate::graph::world::FileId;

/// Methods that give a value of the class they are given, whoever has them.
const BY_CLASS: &[&str] = &[
    "getAnnotation()",
    "getDeclaredAnnotation()",
    "getBean()",
    "getInstance()",
    "unwrap()",
    "readValue()",
    "mock()",
    "as()",
];

/// Methods that give what they are given.
const SAME: &[&str] = &[
    "requireNonNullElse()",
    "requireNonNullElseGet()",
    "spy()",
    "unmodifiableList()",
    "unmodifiableSet()",
    "unmodifiableMap()",
    "unmodifiableCollection()",
    "synchronizedList()",
    "synchronizedMap()",
    "copyOf()",
];

pub fn outside(eval: &mut Eval<'_>, file: FileId, callee: ExprId, args: List) -> Value {
    let facts = eval.facts(file);
    let (on, name) = match facts.expr(callee) {
        Expr::Member { of, name } => (eval.eval(file, of), name),
        Expr::Name { name, .. } => (Value::Unknown, name),
        _ => return Value::Outside,
    };
    let method = facts.name(name);
    let given = eval.arguments(file, args);
    let first = given.first();
    let result = match (&on, first) {
        (_, Some(Value::Alien(class, of))) if &**class == "Class" && BY_CLASS.contains(&method) => {
            of.first().cloned()
        }
        (_, Some(same)) if SAME.contains(&method) => Some(same.clone()),
        (Value::Type(ty), _) => match &**ty {
            Value::Alien(name, _) => by_type(eval, name, method, &given),
            _ => None,
        },
        (Value::Alien(name, held), _) => by_value(eval, name, held, method, &given),
        (on, _) if on.known() => of_every(on, method),
        _ => None,
    };
    result.unwrap_or(Value::Outside)
}

/// A method that every object has.
fn of_every(on: &Value, method: &str) -> Option<Value> {
    if method == "getClass()" {
        return Some(Value::alien("Class", std::slice::from_ref(on)));
    }
    let result = LIBRARY.gives("Object", method.strip_suffix("()")?)?;
    Some(LIBRARY.value(result, "Object", &[]))
}

/// A static method of a type.
fn by_type(eval: &mut Eval<'_>, name: &str, method: &str, given: &[Value]) -> Option<Value> {
    let container = |container: &str| Some(Value::alien(container, &[elements(given)]));
    let of = |index: usize| given.get(index).cloned().unwrap_or(Value::Unknown);
    match (name, method) {
        ("Arrays", "asList()")
        | ("List", "of()")
        | ("Collections", "singletonList()" | "nCopies()" | "emptyList()") => container("List"),
        ("Set", "of()") | ("EnumSet", "of()") | ("Collections", "singleton()" | "emptySet()") => {
            container("Set")
        }
        ("Stream", "of()" | "ofNullable()") | ("Arrays", "stream()") => container("Stream"),
        ("Optional", "of()" | "ofNullable()") => Some(Value::alien("Optional", &[of(0)])),
        ("CompletableFuture", "completedFuture()") => {
            Some(Value::alien("CompletableFuture", &[of(0)]))
        }
        ("CompletableFuture", "supplyAsync()") | ("ThreadLocal", "withInitial()") => {
            let made = made_by(eval, &of(0));
            Some(Value::alien(name, &[made]))
        }
        ("Map" | "Collections", "of()" | "singletonMap()" | "entry()") => {
            Some(Value::alien("Map", &[of(0), of(1)]))
        }
        ("ServiceLoader", "load()") => match of(0) {
            Value::Alien(_, of) => Some(Value::alien("List", &of)),
            _ => None,
        },
        ("Collectors", "toList()" | "toUnmodifiableList()") => Some(collector("List", &[])),
        ("Collectors", "toSet()" | "toUnmodifiableSet()") => Some(collector("Set", &[])),
        ("Collectors", "groupingBy()") => {
            let key = made_by(eval, &of(0));
            Some(collector("Map", &[key]))
        }
        _ => None,
    }
}

/// What collects into a container; of a map with the keys.
fn collector(container: &str, keys: &[Value]) -> Value {
    Value::alien("Collector", &[Value::alien(container, keys)])
}

/// A method of a container of the library.
fn by_value(
    eval: &mut Eval<'_>,
    name: &str,
    held: &[Value],
    method: &str,
    given: &[Value],
) -> Option<Value> {
    let first = given.first()?;
    match method {
        "map()" | "thenApply()" | "mapToObj()" => {
            let made = made_by(eval, first);
            Some(Value::alien(name, &[made]))
        }
        "flatMap()" | "thenCompose()" => match made_by(eval, first) {
            Value::Alien(_, held) => Some(Value::Alien(name.into(), held)),
            _ => None,
        },
        "collect()" if LIBRARY.is(name, "many") => match first {
            Value::Alien(_, into) => collected(into.first()?, held),
            _ => None,
        },
        _ => None,
    }
}

fn collected(into: &Value, held: &[Value]) -> Option<Value> {
    let Value::Alien(container, keys) = into else {
        return None;
    };
    match keys.first() {
        Some(key) => Some(Value::alien(
            container,
            &[key.clone(), Value::alien("List", held)],
        )),
        None => Some(Value::alien(container, held)),
    }
}

/// What is in a container made of these: of a single array or collection what is in that.
fn elements(given: &[Value]) -> Value {
    match given {
        [Value::Alien(name, held)] if &**name == "[]" => {
            held.first().cloned().unwrap_or(Value::Unknown)
        }
        given => Value::any(given.iter().cloned()),
    }
}

/// What calling a function gives.
fn made_by(eval: &mut Eval<'_>, function: &Value) -> Value {
    match function {
        Value::Function(_, made) => (**made).clone(),
        Value::Lambda(file, lambda) => {
            let facts = eval.facts(*file);
            let Expr::Lambda { returned, .. } = facts.expr(*lambda) else {
                return Value::Unknown;
            };
            let values = facts
                .list(returned)
                .iter()
                .map(|&value| eval.eval(*file, value));
            Value::any(values.collect::<Vec<_>>())
        }
        Value::Method(def, on) => {
            let made = result(eval, *def);
            eval.through(made, on)
        }
        Value::Def(def) => result(eval, *def),
        _ => Value::Unknown,
    }
}

fn result(eval: &mut Eval<'_>, def: Ref) -> Value {
    match eval.def(def).kind.is_callable() {
        true => eval.result(def),
        false => Value::Unknown,
    }
}
