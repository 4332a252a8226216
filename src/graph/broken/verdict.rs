//! What became of one site: whether it still reaches something that takes what it gives.

use super::{Search, Targets, Why};
use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::value::Ref;
use crate::graph::world::FileId;

/// None where nothing is wrong with it.
pub struct Verdict(pub Option<Why>);

/// What a call gives.
struct Given<'f> {
    /// Arguments, by name or not; none where that is not known.
    count: Option<u32>,
    names: Vec<&'f str>,
}

impl Verdict {
    /// Of a call that reached something that was lost.
    pub fn of_call(
        search: &Search<'_>,
        lost: usize,
        file: FileId,
        call: ExprId,
        then: &mut Eval<'_>,
        today: &mut Eval<'_>,
    ) -> Verdict {
        let given = given(today.facts(file), call);
        let resigned = search.became.get(&lost).copied();
        let resigned = resigned.filter(|_| search.lost[lost].signature);
        let misfit = |today: &mut Eval<'_>, then: &mut Eval<'_>| {
            resigned.and_then(|now| misfit(search, lost, now, &given, then, today))
        };
        match today.targets(file, call) {
            Targets::Known(new) => {
                let new: Vec<Ref> = new.into_iter().map(|def| today.body(def)).collect();
                if only_declared(search, lost, &new, today) {
                    return Verdict(Some(Why::Gone));
                }
                let still = resigned.is_some_and(|now| new.contains(&now));
                Verdict(still.then(|| misfit(today, then).unwrap_or(Why::Fits)))
            }
            _ => Verdict(Some(misfit(today, then).unwrap_or(Why::Gone))),
        }
    }

    /// Of a name that meant something that was lost.
    pub fn of_name(search: &Search<'_>, lost: usize, new: &[Ref], today: &mut Eval<'_>) -> Verdict {
        let new: Vec<Ref> = new.iter().map(|&def| today.body(def)).collect();
        let gone = new.is_empty() || only_declared(search, lost, &new, today);
        Verdict(gone.then_some(Why::Gone))
    }
}

/// Whether nothing but a declaration of what is gone is left.
fn only_declared(search: &Search<'_>, lost: usize, new: &[Ref], today: &mut Eval<'_>) -> bool {
    let now = search.became.get(&lost).copied();
    let lost = &search.lost[lost];
    let Some(file) = search.places.old[lost.file] else {
        return false;
    };
    let facts = search.then.facts(file);
    let old = facts.def(lost.def);
    let still_so_called = now.is_some_and(|now| {
        let facts_now = today.facts(now.file);
        facts_now.name(facts_now.def(now.def).qual) == facts.name(old.qual)
    });
    if still_so_called {
        return false;
    }
    let is_left = |def: &Ref| {
        let facts = today.facts(def.file);
        let new = facts.def(def.def);
        new.is(flag::DECLARATION) && facts.name(new.qual) == search.then.facts(file).name(old.qual)
    };
    !old.is(flag::DECLARATION) && !new.is_empty() && new.iter().all(is_left)
}

/// Why a call that fitted what was does not fit what is.
fn misfit(
    search: &Search<'_>,
    lost: usize,
    now: Ref,
    given: &Given<'_>,
    then: &mut Eval<'_>,
    today: &mut Eval<'_>,
) -> Option<Why> {
    let was = Ref {
        file: search.places.old[search.lost[lost].file]?,
        def: search.lost[lost].def,
    };
    let (old, new) = (search.then.facts(was.file), search.today.facts(now.file));
    let has = |facts: &Facts, def: DefId, name: &str| {
        let mut params = facts.def(def).params.iter();
        params.any(|param| facts.name(param.name) == name)
    };
    let variadic = new.def(now.def).is(flag::VARIADIC);
    let lacks = |name: &&&str| has(old, was.def, name) && !has(new, now.def, name) && !variadic;
    if let Some(name) = given.names.iter().find(lacks) {
        return Some(Why::Parameter((*name).to_string()));
    }
    let count = given.count? as usize;
    // Through the type, a method is given its receiver, too.
    let fitted = [0, 1].into_iter().find(|skip| {
        let count = count.checked_sub(*skip);
        count.is_some_and(|count| then.takes(was, count))
    })?;
    let count = count - fitted;
    let (least, most) = new.def(now.def).arity();
    (!today.takes(now, count)).then_some(Why::Arguments {
        given: count as u32,
        least,
        most,
    })
}

fn given(facts: &Facts, call: ExprId) -> Given<'_> {
    let args = match facts.expr(call) {
        Expr::Call { args, .. } | Expr::New { args, .. } => facts.list(args),
        _ => {
            return Given {
                count: None,
                names: vec![],
            };
        }
    };
    let mut given = Given {
        count: Some(args.len() as u32),
        names: vec![],
    };
    for &arg in args {
        match facts.expr(arg) {
            Expr::Spread { .. } => given.count = None,
            Expr::Keyword { name, .. } => given.names.push(facts.name(name)),
            _ => {}
        }
    }
    given
}
