//! What can be passed for what: an argument's value where a parameter's type is wanted.

use super::library::LIBRARY;
use super::values;
use crate::graph::eval::Eval;
use crate::graph::facts::{Expr, FILE, ScopeKind};
use crate::graph::value::{Ref, Value};
use crate::model::Kind;

/// What it takes to pass a value for a parameter, the easiest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Same,
    /// Derived from it, or a narrower number.
    Wider,
    /// Any object, or a type parameter.
    Loose,
    /// Not known to fit, nor not to.
    Open,
    /// Something from outside where a type of the tree is wanted.
    Unlikely,
    Boxed,
    Never,
}

pub fn fit(eval: &mut Eval<'_>, wanted: &Value, given: &Value, depth: u32) -> Fit {
    if depth > 4 {
        return Fit::Open;
    }
    match (wanted, given) {
        (_, Value::Any(parts)) => fit_any(eval, wanted, parts, depth),
        (Value::Inst(..), Value::Outside) => Fit::Unlikely,
        (Value::Unknown | Value::Outside, _) | (_, Value::Unknown | Value::Outside) => Fit::Open,
        (wanted, Value::Alien(name, _)) if &**name == "null" => match primitive(wanted) {
            Some(_) => Fit::Never,
            None => Fit::Wider,
        },
        (
            wanted,
            Value::Lambda(..)
            | Value::Method(..)
            | Value::Overloads(..)
            | Value::Def(_)
            | Value::Function(..),
        ) => fit_function(eval, wanted, given),
        (wanted, given) if primitive(wanted).is_some() || primitive(given).is_some() => {
            fit_primitive(eval, wanted, given, depth)
        }
        (Value::Param(..), _) => fit_parameter(eval, wanted, given, depth),
        (wanted, Value::Param(file, scope, name)) => match eval.bounds(*file, *scope, *name) {
            Value::Unknown if is_object(wanted) => Fit::Wider,
            Value::Unknown => Fit::Never,
            bounds => fit(eval, wanted, &bounds, depth + 1).max(Fit::Wider),
        },
        (wanted, _) if is_object(wanted) => match is_object(given) {
            true => Fit::Same,
            false => Fit::Loose,
        },
        (Value::Alien(wanted, of), Value::Alien(given, held)) => {
            fit_library(eval, (wanted, of), (given, held), depth)
        }
        (Value::Inst(wanted, _), Value::Inst(..) | Value::Object(..)) => {
            fit_derived(eval, *wanted, given)
        }
        (Value::Alien(wanted, _), Value::Inst(..) | Value::Object(..)) => {
            fit_to_library(eval, wanted, given)
        }
        // What is not in the tree does not derive from what is.
        (Value::Inst(..), Value::Alien(..)) => Fit::Never,
        _ => Fit::Open,
    }
}

/// Numbers side by side are as wide as the widest, with text they are text; else each part has to fit.
fn fit_any(eval: &mut Eval<'_>, wanted: &Value, parts: &[Value], depth: u32) -> Fit {
    if parts.iter().any(is_text) {
        return fit(eval, wanted, &Value::alien("String", &[]), depth + 1);
    }
    let numbers: Vec<usize> = parts.iter().filter_map(primitive).collect();
    if numbers.len() == parts.len() {
        let widest = numbers.into_iter().max().unwrap_or(0);
        return fit(
            eval,
            wanted,
            &Value::alien(PRIMITIVES[widest], &[]),
            depth + 1,
        );
    }
    let fits = parts.iter().map(|part| fit(eval, wanted, part, depth + 1));
    fits.max().unwrap_or(Fit::Open)
}

/// The narrower first; `bool` apart.
const PRIMITIVES: &[&str] = &[
    "byte", "short", "char", "int", "long", "float", "double", "bool",
];
const BOXES: &[&str] = &[
    "Byte",
    "Short",
    "Character",
    "Integer",
    "Long",
    "Float",
    "Double",
    "Boolean",
];

pub fn primitive(value: &Value) -> Option<usize> {
    position(value, PRIMITIVES)
}

fn position(value: &Value, names: &[&str]) -> Option<usize> {
    match value {
        Value::Alien(name, _) => names.iter().position(|known| **known == **name),
        _ => None,
    }
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Alien(name, _) if matches!(&**name, "String" | "string"))
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Alien(name, _) if &**name == "Object")
}

fn fit_primitive(eval: &mut Eval<'_>, wanted: &Value, given: &Value, depth: u32) -> Fit {
    match (primitive(wanted), primitive(given)) {
        (Some(wanted), Some(given)) if wanted == given => Fit::Same,
        (Some(wanted), Some(given)) => match widens(given, wanted) {
            true => Fit::Wider,
            false => Fit::Never,
        },
        (Some(wanted), None) => match (position(given, BOXES), given) {
            (Some(given), _) if given == wanted || widens(given, wanted) => Fit::Boxed,
            (_, Value::Param(..)) => Fit::Boxed,
            _ => Fit::Never,
        },
        (None, Some(given)) => {
            let boxed = Value::alien(BOXES[given], &[]);
            fit(eval, wanted, &boxed, depth + 1).max(Fit::Boxed)
        }
        (None, None) => Fit::Open,
    }
}

fn widens(given: usize, wanted: usize) -> bool {
    let bool = PRIMITIVES.len() - 1;
    let to_char = PRIMITIVES[wanted] == "char";
    let from_char_to_short = PRIMITIVES[given] == "char" && PRIMITIVES[wanted] == "short";
    given < wanted && wanted != bool && !to_char && !from_char_to_short
}

/// A type parameter takes what its bounds take.
fn fit_parameter(eval: &mut Eval<'_>, wanted: &Value, given: &Value, depth: u32) -> Fit {
    let Value::Param(file, scope, name) = wanted else {
        return Fit::Open;
    };
    if wanted == given {
        return Fit::Same;
    }
    match eval.bounds(*file, *scope, *name) {
        Value::Unknown => Fit::Loose,
        bounds => {
            let fits: Vec<Fit> = bounds
                .parts()
                .to_vec()
                .iter()
                .map(|bound| fit(eval, bound, given, depth + 1))
                .collect();
            fits.into_iter().max().unwrap_or(Fit::Loose).max(Fit::Wider)
        }
    }
}

/// A function is passed for a type with a single method that takes as many arguments.
fn fit_function(eval: &mut Eval<'_>, wanted: &Value, given: &Value) -> Fit {
    let (params, result) = match values::function(eval, wanted) {
        Value::Function(params, result) => (params.len(), result),
        _ if primitive(wanted).is_some() || is_text(wanted) || is_object(wanted) => {
            return Fit::Never;
        }
        Value::Alien(name, _) if matches!(&*name, "[]" | "Class") || LIBRARY.knows(&name) => {
            return Fit::Never;
        }
        Value::Inst(def, _) if eval.def(def).kind != Kind::Interface => return Fit::Never,
        _ => return Fit::Open,
    };
    let taken = match given {
        Value::Lambda(file, lambda) => lambda_parameters(eval, *file, *lambda),
        // `int[]::new` takes the length.
        Value::Function(_, made) if matches!(&**made, Value::Alien(name, _) if &**name == "[]") => {
            Some(1)
        }
        _ => None,
    };
    let gives = match given {
        Value::Lambda(file, lambda) => gives_value(eval, *file, *lambda),
        _ => None,
    };
    match (taken, gives) {
        (Some(count), _) if count != params => Fit::Never,
        (_, Some(gives)) if result.known() && gives == is_void(&result) => Fit::Never,
        _ => Fit::Wider,
    }
}

pub fn is_void(value: &Value) -> bool {
    matches!(value, Value::Alien(name, _) if &**name == "void")
}

/// Whether a lambda has a result; nothing where both may be: a call that stands for a statement as well.
fn gives_value(eval: &mut Eval<'_>, file: u32, lambda: u32) -> Option<bool> {
    let facts = eval.facts(file);
    let Expr::Lambda { returned, .. } = facts.expr(lambda) else {
        return None;
    };
    match facts.list(returned) {
        [] => Some(false),
        [only] => match facts.expr(*only) {
            Expr::Unknown | Expr::New { .. } | Expr::Either { .. } => None,
            Expr::Call { .. } => is_void(&eval.eval(file, *only)).then_some(false),
            _ => Some(true),
        },
        _ => Some(true),
    }
}

/// How many parameters a lambda has.
fn lambda_parameters(eval: &mut Eval<'_>, file: u32, lambda: u32) -> Option<usize> {
    let facts = eval.facts(file);
    let Expr::Lambda { scope, .. } = facts.expr(lambda) else {
        return None;
    };
    let function = facts.scope(scope).kind == ScopeKind::Function && scope != FILE;
    function.then(|| facts.binds_in(scope).len())
}

/// Two types of the library.
fn fit_library(
    eval: &mut Eval<'_>,
    wanted: (&str, &[Value]),
    given: (&str, &[Value]),
    depth: u32,
) -> Fit {
    let plain = |name: &str| match name {
        "string" => "String".to_string(),
        name => name.to_string(),
    };
    let (wanted, of, given, held) = (plain(wanted.0), wanted.1, plain(given.0), given.1);
    if wanted != given {
        return match LIBRARY.derives(&given, &wanted) {
            Some(true) => Fit::Wider,
            // What is wanted is narrower: only a cast would do.
            _ if given == "Object" => Fit::Never,
            _ if LIBRARY.derives(&wanted, &given) == Some(true) => Fit::Never,
            Some(false) => Fit::Never,
            _ if wanted == "[]" => Fit::Never,
            _ if given == "[]" => match matches!(&*wanted, "Serializable" | "Cloneable") {
                true => Fit::Wider,
                false => Fit::Never,
            },
            _ => Fit::Open,
        };
    }
    match (&*wanted, of.first(), held.first()) {
        ("[]", Some(of), Some(held)) => match (primitive(of), primitive(held)) {
            (None, None) => fit(eval, of, held, depth + 1),
            (of, held) if of == held => Fit::Same,
            _ => Fit::Never,
        },
        _ => Fit::Same,
    }
}

fn fit_derived(eval: &mut Eval<'_>, wanted: Ref, given: &Value) -> Fit {
    let is_wanted = |value: &Value| matches!(value, Value::Inst(def, _) if *def == wanted);
    if is_wanted(given) {
        return Fit::Same;
    }
    match eval.ancestors(given).iter().any(is_wanted) {
        true => Fit::Wider,
        false => Fit::Never,
    }
}

/// A type of the tree where one of the library is wanted.
fn fit_to_library(eval: &mut Eval<'_>, wanted: &str, given: &Value) -> Fit {
    let implied = matches!(wanted, "Enum" | "Comparable" | "Serializable");
    if implied && matches!(given, Value::Inst(def, _) if eval.def(*def).kind == Kind::Enum) {
        return Fit::Wider;
    }
    let mut open = false;
    for ancestor in eval.ancestors(given).iter() {
        let Value::Alien(name, _) = ancestor else {
            continue;
        };
        if **name == *wanted || LIBRARY.derives(name, wanted) == Some(true) {
            return Fit::Wider;
        }
        open |= LIBRARY.derives(name, wanted).is_none();
    }
    match open {
        true => Fit::Open,
        false => Fit::Never,
    }
}
