//! What generic functions of the standard library give: the only ones outside of a tree whose results are of its types.

use crate::graph::eval::Eval;
use crate::graph::facts::{Bound, Expr, ExprId, List, Peel};
use crate::graph::value::Value;
use crate::graph::world::FileId;

/// `Load` of an `atomic.Pointer[T]`.
pub fn alien(_: &mut Eval<'_>, name: &str, args: &[Value], member: &str) -> Value {
    match (name, args, member) {
        ("Pointer", [of], "Load" | "Swap") => Value::Function([].into(), of.clone().into()),
        _ => Value::Outside,
    }
}

pub fn outside(eval: &mut Eval<'_>, file: FileId, callee: ExprId, args: List) -> Value {
    let Some((package, name)) = named(eval, file, callee) else {
        return Value::Outside;
    };
    if !matches!(package, "slices" | "maps" | "sync" | "cmp") {
        return Value::Outside;
    }
    let args = eval.arguments(file, args);
    given(eval, file, (package, name), &args).unwrap_or(Value::Outside)
}

/// The package and the name of a function that is written as `package.name`.
fn named<'w>(eval: &mut Eval<'w>, file: FileId, callee: ExprId) -> Option<(&'w str, &'w str)> {
    let facts = eval.facts(file);
    let Expr::Member { of, name } = facts.expr(callee) else {
        return None;
    };
    let Expr::Name {
        name: of, scope, ..
    } = facts.expr(of)
    else {
        return None;
    };
    let bound = facts.bound(scope, of).first()?;
    let Bound::Import(import) = bound.bound else {
        return None;
    };
    let spec = facts.imports[import as usize].spec;
    Some((facts.name(spec), facts.name(name)))
}

fn given(eval: &mut Eval<'_>, file: FileId, called: (&str, &str), args: &[Value]) -> Option<Value> {
    let first = args.first()?;
    let mut inside = |peel| super::values::peel(eval, peel, first);
    let sequence = |of: Value| Value::alien("Seq", &[of]);
    let list = |of: Value| Value::alien("[]", &[of]);
    Some(match called {
        (
            "slices",
            "Clone" | "Clip" | "Compact" | "CompactFunc" | "Concat" | "Delete" | "DeleteFunc"
            | "Grow" | "Insert" | "Replace" | "Repeat" | "AppendSeq",
        )
        | ("maps", "Clone" | "All" | "Collect") => first.clone(),
        ("slices", "Max" | "MaxFunc" | "Min" | "MinFunc") => inside(Peel::Element),
        ("slices", "Sorted" | "SortedFunc" | "SortedStableFunc" | "Collect") => {
            list(inside(Peel::Key))
        }
        ("slices", "Values") => sequence(inside(Peel::Element)),
        ("slices", "Chunk") => sequence(first.clone()),
        ("slices", "All" | "Backward") => {
            Value::alien("Seq2", &[Value::Unknown, inside(Peel::Element)])
        }
        ("maps", "Keys") => sequence(inside(Peel::Key)),
        ("maps", "Values") => sequence(inside(Peel::Element)),
        ("sync", "OnceValue" | "OnceValues") => {
            let result = eval.called(first, file, List::default());
            Value::Function([].into(), result.into())
        }
        ("cmp", "Or") => Value::any(args.iter().cloned()),
        _ => return None,
    })
}
