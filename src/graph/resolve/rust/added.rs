//! What the tree adds to types from outside: its traits, and conversions.

use super::signatures::behind;
use crate::graph::eval::Eval;
use crate::graph::facts::{Extension, flag};
use crate::graph::resolve::Space;
use crate::graph::value::{Ref, Value};
use crate::graph::world::{FileId, Key};

/// A member that the tree adds to a type from outside.
pub fn member(eval: &mut Eval<'_>, of: &str, name: &str) -> Value {
    let files = eval.find(Key::extension("rust", of));
    let own = package(eval, eval.file);
    let (near, far): (Vec<FileId>, Vec<FileId>) =
        files.iter().partition(|&&file| package(eval, file) == own);
    let mut all = vec![];
    for file in near.into_iter().chain(far) {
        let seen = package(eval, file) == own;
        for extension in &eval.facts(file).extensions {
            if eval.type_named(file, extension.of) != Some(of) {
                continue;
            }
            match added(eval, file, extension, of, name, seen) {
                Added::By(def) => return Value::Def(def),
                Added::Maybe(def) => all.push(def),
                Added::Nothing => {}
            }
        }
    }
    // Which of them is meant, or none, is for the arguments to tell.
    if !all.is_empty() {
        return Value::Overloads(all.into(), None);
    }
    match behind(of) {
        Some(behind) if behind != "Iterator" => member(eval, behind, name),
        _ => Value::Unknown,
    }
}

/// The package that a file is of, by its name.
fn package<'w>(eval: &Eval<'w>, file: FileId) -> &'w str {
    let home = eval.home(file);
    home.split("::").next().unwrap_or(home)
}

/// What a block gives a type under a name.
enum Added {
    Nothing,
    /// By a trait of the tree, which brings what the type cannot have.
    By(Ref),
    /// By a trait from outside, which the type may have too.
    Maybe(Ref),
}

/// `seen`: from where private traits are.
fn added(
    eval: &mut Eval<'_>,
    file: FileId,
    block: &Extension,
    of: &str,
    name: &str,
    seen: bool,
) -> Added {
    // A type of the tree may have the same name.
    match eval.value_of_type(file, block.of) {
        Value::Alien(own, _) if &*own == of => {}
        _ => return Added::Nothing,
    }
    let Value::Def(def) = eval.of_scope(file, block.scope, name, Space::Value) else {
        return Added::Nothing;
    };
    match block.by.map(|by| eval.value_of_type(file, by)) {
        Some(Value::Alien(..)) => Added::Maybe(def),
        Some(Value::Inst(by, _)) if !seen && !eval.def(by).is(flag::EXPORTED) => Added::Nothing,
        _ => Added::By(def),
    }
}

/// Those of several members that one name has on a type from outside which take the arguments. Conversions from types that
/// are not known may be those that the type itself brings.
pub fn pick(eval: &mut Eval<'_>, defs: &[Ref], args: &[Value]) -> Vec<Ref> {
    if !defs.iter().any(|def| is_foreign(eval, *def)) {
        return defs.to_vec();
    }
    let fits = |eval: &mut Eval<'_>, def: &Ref| {
        let params = &eval.def(*def).params;
        let fits = params.iter().zip(args).map(|(param, arg)| {
            let wanted = eval.value_of_type(def.file, param.ty);
            eval.fits(&wanted, arg)
        });
        let fits: Vec<i32> = fits.collect();
        fits.is_empty() || fits.iter().all(|fit| *fit >= 0) && fits.iter().any(|fit| *fit > 1)
    };
    defs.iter()
        .copied()
        .filter(|def| fits(eval, def))
        .take(1)
        .collect()
}

/// Whether a member is of a block that gives a type from outside a trait from outside.
fn is_foreign(eval: &mut Eval<'_>, def: Ref) -> bool {
    let facts = eval.facts(def.file);
    let defined = facts.def(def.def);
    let block = defined
        .scope
        .filter(|_| defined.is(flag::OVERRIDE) && defined.is(flag::STATIC));
    let block = block.and_then(|scope| facts.scope(scope).parent);
    let mut extensions = facts.extensions.iter();
    let found = extensions.find(|extension| Some(extension.scope) == block);
    found.is_some_and(|extension| {
        let both = [Some(extension.of), extension.by];
        let mut both = both
            .into_iter()
            .flatten()
            .map(|ty| eval.value_of_type(def.file, ty));
        both.all(|value| matches!(value, Value::Alien(..)))
    })
}
