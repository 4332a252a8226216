//! What is inside of a Go value: what `range`, `<-` and an index give.

use crate::graph::eval::Eval;
use crate::graph::facts::Peel;
use crate::graph::value::Value;

pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    let (Peel::Key | Peel::Element) = peel else {
        return match (peel, of) {
            // Results of what is outside are outside, unless they are of a type that is asked for.
            (_, Value::Outside) => Value::Outside,
            (Peel::Part(0), Value::Alien(name, args)) if &**name == "AsType" => {
                args.first().cloned().unwrap_or(Value::Outside)
            }
            (Peel::Part(_), Value::Alien(..)) => Value::Outside,
            _ => eval.peeled(peel, of),
        };
    };
    match of {
        Value::Outside => Value::Outside,
        Value::Alien(_, args) if args.is_empty() => Value::Outside,
        Value::Alien(name, args) => {
            let index = match (&**name, peel) {
                ("[]", Peel::Key) => return Value::Unknown,
                ("{}" | "Seq2", Peel::Element) => 1,
                _ => 0,
            };
            args.get(index).cloned().unwrap_or(Value::Unknown)
        }
        // A function to range over: it is given one that takes what there is.
        Value::Function(params, _) => match params.first() {
            Some(Value::Function(given, _)) => {
                let index = usize::from(peel == Peel::Element);
                given.get(index).cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        },
        Value::Inst(..) => {
            let made_of = eval.underlying(of);
            self::peel(eval, peel, &made_of)
        }
        Value::Param(file, scope, name) => {
            let bounds = eval.bounds(*file, *scope, *name);
            match bounds {
                Value::Alien(..) | Value::Function(..) => self::peel(eval, peel, &bounds),
                _ => Value::Unknown,
            }
        }
        _ => Value::Unknown,
    }
}
