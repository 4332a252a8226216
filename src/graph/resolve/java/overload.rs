//! Which of several methods of one name a call means: by the number of arguments, then by what each can be passed for, in
//! the language's three rounds (as it is, boxed, as one of any number), then the most specific.

use super::fit::{Fit, fit, is_void, primitive};
use super::values;
use crate::graph::eval::Eval;
use crate::graph::facts::flag;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::model::Kind;

/// The round in which a method can be meant, and how well its worst argument fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Round {
    Plain,
    Boxed,
    Variadic,
}

pub fn pick(eval: &mut Eval<'_>, defs: &[Ref], args: &[Value]) -> Vec<Ref> {
    if let [only] = defs
        && args.is_empty()
        && eval.def(*only).params.is_empty()
    {
        return defs.to_vec();
    }
    let all = with_inherited(eval, defs);
    let mut applicable = vec![];
    for &def in &all {
        if let Some(round) = round(eval, def, args) {
            applicable.push((round, def));
        }
    }
    let Some(first) = applicable.iter().map(|(round, _)| *round).min() else {
        // The program compiles, so what was made of an argument is wrong; or what is called is not written.
        let taking: Vec<Ref> = all
            .into_iter()
            .filter(|&def| eval.takes(def, args.len()))
            .collect();
        return match taking.is_empty() {
            true => unwritten(eval, defs, args.len()).into_iter().collect(),
            false => taking,
        };
    };
    let meant = applicable.iter().filter(|(round, _)| *round == first);
    let meant: Vec<Ref> = meant.map(|(_, def)| *def).collect();
    match meant[..] {
        [_] => meant,
        _ => most_specific(eval, &meant, args, first),
    }
}

/// The record whose constructor takes its components and is not written, though others are.
fn unwritten(eval: &mut Eval<'_>, constructors: &[Ref], count: usize) -> Option<Ref> {
    let first = constructors.first()?;
    let constructor = eval.def(*first);
    let record = Ref {
        file: first.file,
        def: constructor.parent?,
    };
    let components = values::components(eval, record).len();
    (constructor.kind == Kind::Constructor && components == count && count > 0).then_some(record)
}

/// Methods of one name in a type and those that its bases add to them.
fn with_inherited(eval: &mut Eval<'_>, defs: &[Ref]) -> Vec<Ref> {
    let mut all = defs.to_vec();
    let Some(&first) = defs
        .first()
        .filter(|first| eval.def(**first).kind == Kind::Method)
    else {
        return all;
    };
    let Some((file, home)) = values::home_of(eval, first) else {
        return all;
    };
    let name = format!("{}()", eval.def_name(first));
    let this = eval.type_of_scope(file, home);
    for ancestor in eval.ancestors(&this).iter().skip(1) {
        let Value::Inst(owner, _) = ancestor else {
            continue;
        };
        match eval.own_member(*owner, &name, Space::Value) {
            Value::Def(def) => all.push(def),
            Value::Overloads(more, _) => all.extend(more.iter()),
            _ => {}
        }
    }
    let inherited = all.split_off(defs.len());
    for def in inherited {
        let private = eval.def(def).is(flag::PRIVATE);
        if !private && !all.iter().any(|&own| overrides(eval, own, def)) {
            all.push(def);
        }
    }
    all
}

/// Whether two methods of one name want the same, type parameters apart.
fn overrides(eval: &mut Eval<'_>, one: Ref, other: Ref) -> bool {
    let (own, inherited) = (&eval.def(one).params, &eval.def(other).params);
    let same = own.len() == inherited.len();
    same && own.iter().zip(inherited).all(|(own, inherited)| {
        let own = eval.value_of_type(one.file, own.ty);
        let inherited = eval.value_of_type(other.file, inherited.ty);
        matches!(inherited, Value::Param(..)) && primitive(&own).is_none()
            || fit(eval, &own, &inherited, 0) == Fit::Same
                && fit(eval, &inherited, &own, 0) == Fit::Same
    })
}

/// The first round in which a method takes these arguments.
fn round(eval: &mut Eval<'_>, def: Ref, args: &[Value]) -> Option<Round> {
    let defined = eval.def(def);
    let (count, variadic) = (defined.params.len(), defined.is(flag::VARIADIC));
    if args.len() == count {
        match worst(eval, def, args, false) {
            Fit::Never => {}
            Fit::Boxed => return Some(Round::Boxed),
            _ => return Some(Round::Plain),
        }
    }
    let enough = variadic && args.len() + 1 >= count;
    (enough && worst(eval, def, args, true) != Fit::Never).then_some(Round::Variadic)
}

fn worst(eval: &mut Eval<'_>, def: Ref, args: &[Value], spread: bool) -> Fit {
    let fits = (0..).zip(args).map(|(index, arg)| {
        let wanted = parameter(eval, def, index, spread);
        fit(eval, &wanted, arg, 0)
    });
    fits.max().unwrap_or(Fit::Same)
}

/// What a method wants as its `index`th argument; if `spread`, one by one where it takes any number.
fn parameter(eval: &mut Eval<'_>, def: Ref, index: usize, spread: bool) -> Value {
    let params = &eval.def(def).params;
    let last = params.len().saturating_sub(1);
    let Some(param) = params.get(index.min(last)) else {
        return Value::Unknown;
    };
    let wanted = eval.value_of_type(def.file, param.ty);
    match wanted {
        Value::Alien(name, of) if spread && index >= last && &*name == "[]" => {
            of.first().cloned().unwrap_or(Value::Unknown)
        }
        wanted => wanted,
    }
}

/// Those that could be called with whatever the others of them want.
fn most_specific(eval: &mut Eval<'_>, meant: &[Ref], args: &[Value], round: Round) -> Vec<Ref> {
    let spread = round == Round::Variadic;
    let beats = |eval: &mut Eval<'_>, one: Ref, other: Ref| {
        (0..args.len()).all(|index| {
            let given = parameter(eval, one, index, spread);
            let wanted = parameter(eval, other, index, spread);
            if let Some(better) = better_function(eval, &given, &wanted, &args[index]) {
                return better;
            }
            match (
                function_like(eval, &given, &args[index]),
                function_like(eval, &wanted, &args[index]),
            ) {
                (true, false) => true,
                _ => fit(eval, &wanted, &given, 0) <= Fit::Loose,
            }
        })
    };
    let mut best = vec![];
    for &one in meant {
        if meant
            .iter()
            .all(|&other| one == other || beats(eval, one, other))
        {
            best.push(one);
        }
    }
    let Some(&first) = best.first() else {
        return closest(eval, meant, args, spread);
    };
    // Alike in different types: the nearer one overrides. In one type: they want types of one name from different packages.
    let home = values::home_of(eval, first);
    best.retain(|&def| values::home_of(eval, def) == home);
    best
}

/// Whether a function is passed for something known to be one.
fn function_like(eval: &mut Eval<'_>, wanted: &Value, arg: &Value) -> bool {
    matches!(arg, Value::Lambda(..))
        && matches!(values::function(eval, wanted), Value::Function(..))
}

/// Of two functions that a lambda can be, that with a result is meant.
fn better_function(eval: &mut Eval<'_>, one: &Value, other: &Value, arg: &Value) -> Option<bool> {
    let void = |eval: &mut Eval<'_>, wanted: &Value| match values::function(eval, wanted) {
        Value::Function(_, result) => Some(is_void(&result)),
        _ => None,
    };
    if !matches!(arg, Value::Lambda(..)) {
        return None;
    }
    match (void(eval, one)?, void(eval, other)?) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

/// Where none is the most specific for sure: those that the arguments fit best, all in all.
fn closest(eval: &mut Eval<'_>, meant: &[Ref], args: &[Value], spread: bool) -> Vec<Ref> {
    let mut scored = vec![];
    for &def in meant {
        let mut fits = vec![];
        for (index, arg) in args.iter().enumerate() {
            let wanted = parameter(eval, def, index, spread);
            fits.push(fit(eval, &wanted, arg, 0));
        }
        fits.sort_unstable_by(|one, other| other.cmp(one));
        scored.push((fits, def));
    }
    let best = scored
        .iter()
        .map(|(fits, _)| fits.clone())
        .min()
        .unwrap_or_default();
    scored
        .into_iter()
        .filter(|(fits, _)| *fits == best)
        .map(|(_, def)| def)
        .collect()
}
