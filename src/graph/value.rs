//! What an expression can be worth, as far as its file and the files it names say: the domain of the evaluator.

use std::rc::Rc;

use super::facts::{DefId, ExprId, ScopeId, Sym};
use super::world::FileId;

/// A definition of some file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    pub file: FileId,
    pub def: DefId,
}

/// A type is told by a value of it: `Vec<Foo>` is an [`Value::Alien`] of an instance of `Foo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing is known.
    Unknown,
    /// Something that is not defined in the tree; so are all its members.
    Outside,
    /// A definition itself: a function, a type, a namespace, a macro.
    Def(Ref),
    /// Several definitions of one name in one scope; reached through a value, or not.
    Overloads(Rc<[Ref]>, Option<Rc<Value>>),
    /// A callable reached through a value, which is `this` in it.
    Method(Ref, Rc<Value>),
    /// A file as a module.
    File(FileId),
    /// A package or namespace by its name, as the language's rules write it.
    Space(Rc<str>),
    /// A value of a type of the tree, with the type's arguments (none given: none known).
    Inst(Ref, Rc<[Value]>),
    /// A value of a type that is not in the tree, by the last part of its name. Arrays are `[]`, maps `{}`, basic types bear
    /// the names of [`Literal`](super::facts::Literal).
    Alien(Rc<str>, Rc<[Value]>),
    Tuple(Rc<[Value]>),
    /// One of several, none of them a union itself.
    Any(Rc<[Value]>),
    /// Something to call that is known by its type only: parameters and result.
    Function(Rc<[Value]>, Rc<Value>),
    /// A function without a name.
    Lambda(FileId, ExprId),
    /// Members that are written out, of an object or a type without a name.
    Object(FileId, ScopeId),
    /// A value of the type that a type parameter stands for.
    Param(FileId, ScopeId, Sym),
    /// `this` of the type whose members stand in the scope, to be replaced by the receiver.
    This(FileId, ScopeId),
    /// A type itself, by a value of it, where there is no definition to name it by.
    Type(Rc<Value>),
}

/// The file of type parameters, and of the `this`, of functions that are known by their type only.
pub const NOWHERE: FileId = FileId::MAX;

impl Value {
    pub fn alien(name: &str, args: &[Value]) -> Value {
        Value::Alien(name.into(), args.into())
    }

    pub fn inst(def: Ref) -> Value {
        Value::Inst(def, Rc::from([]))
    }

    /// Values side by side: those that say nothing are dropped.
    pub fn any(values: impl IntoIterator<Item = Value>) -> Value {
        let mut parts: Vec<Value> = vec![];
        for value in values {
            match value {
                Value::Unknown => {}
                Value::Any(more) => {
                    for value in more
                        .iter()
                        .filter(|value| !parts.contains(value))
                        .cloned()
                        .collect::<Vec<_>>()
                    {
                        parts.push(value);
                    }
                }
                value if parts.contains(&value) => {}
                value => parts.push(value),
            }
        }
        match parts.len() {
            0 => Value::Unknown,
            1 => parts.swap_remove(0),
            _ => Value::Any(parts.into()),
        }
    }

    /// One by one: a union's parts, or the value.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Any(parts) => parts,
            Value::Unknown => &[],
            value => std::slice::from_ref(value),
        }
    }

    pub fn known(&self) -> bool {
        *self != Value::Unknown
    }

    /// The value, or what comes instead where nothing is known.
    pub fn or_else(self, other: impl FnOnce() -> Value) -> Value {
        match self {
            Value::Unknown => other(),
            known => known,
        }
    }
}
