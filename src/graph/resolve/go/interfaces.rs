//! Interfaces that a type meets: it has all their methods, and never says so.

use super::FAMILY;
use crate::graph::eval::Eval;
use crate::graph::facts::*;
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::Key;
use crate::model::Kind;

/// Real types meet a handful; past these, no more are looked for.
const MOST: usize = 32;

/// The key of interfaces that have a method of a name.
pub fn key(method: &str) -> Key {
    Key::new("interface-method", &[FAMILY, method])
}

pub fn meets(eval: &mut Eval<'_>, ty: Ref) -> Vec<Ref> {
    let mut asked = vec![];
    let mut met = vec![];
    if eval.def(ty).kind == Kind::Interface {
        return met;
    }
    for method in methods(eval, ty) {
        for &file in eval.find(key(method)).iter() {
            for interface in interfaces_with(eval.facts(file), method) {
                let interface = Ref {
                    file,
                    def: interface,
                };
                if asked.contains(&interface) || met.len() == MOST {
                    continue;
                }
                asked.push(interface);
                if is_met(eval, interface, ty) {
                    met.push(interface);
                }
            }
        }
    }
    met
}

/// Names of the methods that are written for a type.
fn methods<'w>(eval: &mut Eval<'w>, ty: Ref) -> Vec<&'w str> {
    let mut names = vec![];
    for &(file, extension) in eval.extensions_of(ty).iter() {
        let facts = eval.facts(file);
        let scope = facts.extensions[extension as usize].scope;
        names.extend(
            facts
                .binds_in(scope)
                .iter()
                .filter_map(|bind| match bind.bound {
                    Bound::Def(_) => Some(facts.name(bind.name)),
                    _ => None,
                }),
        );
    }
    names
}

/// Interfaces of a file that declare a method themselves.
fn interfaces_with<'f>(facts: &'f Facts, method: &'f str) -> impl Iterator<Item = DefId> + 'f {
    let named = facts.defs.iter().filter(move |def| {
        def.kind == Kind::Method && def.is(flag::DECLARATION) && facts.name(def.name) == method
    });
    let parents = named.filter_map(|def| def.parent);
    parents.filter(|&parent| facts.def(parent).kind == Kind::Interface)
}

/// Whether a type has all methods of an interface, those of interfaces in it too; of what is outside of the tree nothing is asked.
fn is_met(eval: &mut Eval<'_>, interface: Ref, ty: Ref) -> bool {
    for part in eval.ancestors(&Value::inst(interface)).iter() {
        let &Value::Inst(part, _) = part else {
            continue;
        };
        let facts = eval.facts(part.file);
        let Some(scope) = eval.def(part).scope else {
            continue;
        };
        for bind in facts.binds_in(scope) {
            let Bound::Def(wanted) = bind.bound else {
                continue;
            };
            let wanted = Ref {
                file: part.file,
                def: wanted,
            };
            if !has(eval, ty, wanted) {
                return false;
            }
        }
    }
    true
}

/// Whether a type has a method like one of an interface: its own or a promoted one.
fn has(eval: &mut Eval<'_>, ty: Ref, wanted: Ref) -> bool {
    let name = eval.def_name(wanted);
    let private = !name.chars().next().is_some_and(char::is_uppercase);
    if private && eval.home(ty.file) != eval.home(wanted.file) {
        return false;
    }
    for ancestor in eval.ancestors(&Value::inst(ty)).iter() {
        let &Value::Inst(owner, _) = ancestor else {
            // An embedded type from outside may have it.
            continue;
        };
        if let Value::Def(found) = eval.own_member(owner, name, Space::Value) {
            return eval.def(found).kind.is_callable() && alike(eval, found, wanted);
        }
    }
    false
}

/// Whether two methods take and give the same, as far as the types are known and have no parameters.
fn alike(eval: &mut Eval<'_>, one: Ref, other: Ref) -> bool {
    let (a, b) = (eval.def(one), eval.def(other));
    if a.params.len() != b.params.len() || a.returns.is_some() != b.returns.is_some() {
        return false;
    }
    let params = a.params.iter().zip(&b.params);
    let mut types: Vec<(TypeId, TypeId)> = params.map(|(a, b)| (a.ty, b.ty)).collect();
    types.extend(a.returns.zip(b.returns));
    types.into_iter().all(|(a, b)| {
        let a = eval.value_of_type(one.file, a);
        let b = eval.value_of_type(other.file, b);
        may_be_same(&a, &b)
    })
}

fn may_be_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Inst(a, _), Value::Inst(b, _)) => a == b,
        (Value::Alien(a, inside), Value::Alien(b, of)) => {
            let inside = inside.iter().zip(of.iter());
            a == b && inside.into_iter().all(|(a, b)| may_be_same(a, b))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| may_be_same(a, b))
        }
        (Value::Inst(..), Value::Alien(..) | Value::Tuple(_) | Value::Function(..))
        | (Value::Alien(..) | Value::Tuple(_) | Value::Function(..), Value::Inst(..))
        | (Value::Alien(..), Value::Tuple(_) | Value::Function(..))
        | (Value::Tuple(_) | Value::Function(..), Value::Alien(..)) => false,
        _ => true,
    }
}
