//! The language's own names and types: what is in them, and what their methods give.

use crate::graph::eval::Eval;
use crate::graph::facts::{Def, Peel};
use crate::graph::value::Value;
use crate::model::Kind;

/// Members of types outside of the tree that give something of the value they are called on.
pub fn alien(_: &mut Eval<'_>, name: &str, args: &[Value], member: &str) -> Value {
    let first = || args.first().cloned().unwrap_or(Value::Unknown);
    let last = || args.last().cloned().unwrap_or(Value::Unknown);
    let same = || Value::alien(name, args);
    let result = match (name, member) {
        ("[]", "pop" | "popleft" | "__next__" | "__getitem__" | "send" | "__anext__") => first(),
        ("[]" | "{}", "copy" | "union" | "difference" | "intersection") => same(),
        ("ContextVar", "get") | ("ref" | "ReferenceType", "__call__") => first(),
        ("{}", "get" | "pop" | "setdefault" | "__getitem__") => last(),
        ("{}", "values") => Value::alien("[]", &[last()]),
        ("{}", "keys") => Value::alien("[]", &[first()]),
        ("{}", "items") => {
            let pair = Value::Tuple([first(), last()].into());
            Value::alien("[]", &[pair])
        }
        _ => return Value::Outside,
    };
    Value::Function([].into(), result.into())
}

/// What is inside of a value.
pub fn peel(eval: &mut Eval<'_>, peel: Peel, of: &Value) -> Value {
    match (peel, of) {
        (Peel::Context, Value::Inst(..)) => {
            let entered = ["__enter__", "__aenter__"].map(|name| result(eval, of, name));
            let entered = Value::any(entered);
            entered.or_else(|| of.clone())
        }
        (Peel::Context, Value::Alien(name, args))
            if &**name == "[]" || name.ends_with("ContextManager") =>
        {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        (Peel::Item, Value::Alien(name, args)) if &**name == "{}" => {
            args.last().cloned().unwrap_or(Value::Unknown)
        }
        (Peel::Part(_), Value::Alien(name, args)) if &**name == "{}" => {
            args.last().cloned().unwrap_or(Value::Unknown)
        }
        (Peel::Item, Value::Alien(..) | Value::Tuple(_)) => eval.peeled(Peel::Element, of),
        (Peel::Item | Peel::Element, Value::Def(def)) if is_enum(eval, of) => Value::inst(*def),
        // `List[int]` as a value is the type again.
        (Peel::Item, Value::Def(_) | Value::Type(_)) => of.clone(),
        (Peel::Part(index), Value::Inst(..)) if is_row(eval, of) => field(eval, of, index),
        (Peel::Item | Peel::Part(_), Value::Inst(..)) => {
            let item = result(eval, of, "__getitem__");
            item.or_else(|| element(eval, of))
        }
        (Peel::Element, Value::Inst(..)) => element(eval, of),
        _ => eval.peeled(peel, of),
    }
}

/// Whether a class lists its values: going through it gives them.
fn is_enum(eval: &mut Eval<'_>, class: &Value) -> bool {
    let Value::Def(def) = class else { return false };
    let ancestors = eval.ancestors(&Value::inst(*def));
    ancestors.iter().any(|base| {
        matches!(base, Value::Alien(name, _) if name.ends_with("Enum") || name.ends_with("Flag"))
    })
}

/// Whether an object is a tuple whose parts have names.
fn is_row(eval: &mut Eval<'_>, of: &Value) -> bool {
    let ancestors = eval.ancestors(of);
    ancestors
        .iter()
        .any(|base| matches!(base, Value::Alien(name, _) if &**name == "NamedTuple"))
}

/// A field by its number.
fn field(eval: &mut Eval<'_>, of: &Value, index: u16) -> Value {
    let Value::Inst(def, _) = of else {
        return Value::Unknown;
    };
    let facts = eval.facts(def.file);
    let own = |field: &&Def| field.parent == Some(def.def) && field.kind == Kind::Field;
    let mut fields = facts.defs.iter().filter(own);
    let name = fields
        .nth(usize::from(index))
        .map(|field| facts.name(field.name));
    name.map_or(Value::Unknown, |name| {
        eval.member_from(of, name, def.file, 0)
    })
}

/// What going through a value gives.
fn element(eval: &mut Eval<'_>, of: &Value) -> Value {
    let iterators = ["__iter__", "__aiter__"].map(|name| result(eval, of, name));
    let found: Vec<Value> = Value::any(iterators)
        .parts()
        .iter()
        .map(|iterator| match iterator {
            Value::Inst(..) => {
                Value::any(["__next__", "__anext__"].map(|name| result(eval, iterator, name)))
            }
            iterator => eval.peeled(Peel::Element, iterator),
        })
        .collect();
    Value::any(found).or_else(|| result(eval, of, "__getitem__"))
}

/// What a method gives that is called without being named.
fn result(eval: &mut Eval<'_>, of: &Value, name: &str) -> Value {
    let [Value::Inst(def, _)] = of.parts() else {
        return Value::Unknown;
    };
    match eval.member_from(of, name, def.file, 0) {
        Value::Method(method, on) => {
            let result = eval.result(method);
            eval.through(result, &on)
        }
        Value::Function(_, result) => (*result).clone(),
        _ => Value::Unknown,
    }
}

pub fn is_builtin(name: &str) -> bool {
    BUILTINS.binary_search(&name).is_ok()
}

/// Sorted.
#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
    "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError",
    "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception", "ExceptionGroup", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
    "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotADirectoryError",
    "NotImplemented", "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning",
    "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError",
    "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError",
    "SystemExit", "TabError", "TimeoutError", "TypeError", "UnboundLocalError", "UnicodeDecodeError",
    "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError",
    "Warning", "WindowsError", "ZeroDivisionError", "__all__", "__build_class__", "__builtins__", "__debug__",
    "__doc__", "__file__", "__import__", "__name__", "__package__", "__path__", "__spec__", "abs", "aiter", "all",
    "anext", "any", "ascii", "basestring", "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr",
    "classmethod", "compile", "complex", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec", "exit",
    "filter", "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input",
    "int", "isinstance", "issubclass", "iter", "len", "list", "locals", "long", "map", "max", "memoryview", "min",
    "next", "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "raw_input", "repr",
    "reveal_type", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super",
    "tuple", "type", "unicode", "vars", "xrange", "zip",
];

/// Methods of the language's own types and of what most programs use besides.
#[rustfmt::skip]
pub const COMMON: &[&str] = &[
    "acquire", "add", "append", "as_integer_ratio", "bit_count", "bit_length", "cancel", "capitalize", "casefold",
    "center", "clear", "close", "commit", "conjugate", "connect", "copy", "count", "debug", "decode", "denominator",
    "difference", "difference_update", "discard", "encode", "end", "endswith", "error", "exception", "execute",
    "expandtabs", "extend", "fileno", "find", "flush", "format", "format_map", "from_bytes", "fromhex", "fromkeys",
    "get", "group", "hex", "imag", "index", "info", "insert", "intersection", "intersection_update", "isalnum",
    "isalpha", "isascii", "isdecimal", "isdigit", "isdisjoint", "isidentifier", "islower", "isnumeric",
    "isprintable", "isspace", "issubset", "issuperset", "istitle", "isupper", "items", "join", "keys", "ljust",
    "lower", "lstrip", "maketrans", "match", "numerator", "open", "partition", "pop", "popitem", "put", "read",
    "readline", "readlines", "real", "release", "remove", "removeprefix", "removesuffix", "replace", "result",
    "reverse", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "run", "search", "seek", "send",
    "setdefault", "sort", "split", "splitlines", "start", "startswith", "strip", "sub", "submit", "swapcase",
    "symmetric_difference", "symmetric_difference_update", "title", "to_bytes", "translate", "union", "update",
    "upper", "values", "wait", "warning", "write", "zfill",
];
