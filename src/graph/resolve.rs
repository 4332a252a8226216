//! How each language names things: which node says what ([`Facts`]), and which names reach which definitions. One file a
//! language; what all share is the evaluator's.

mod c;
mod go;
mod java;
mod javascript;
mod python;
mod rust;

use tree_sitter::Node;

use super::eval::Eval;
use super::facts::{ExprId, Facts, Import, List, Peel, ScopeId};
use super::lower::Lower;
use super::packages::Packages;
use super::value::{Ref, Value};
use super::world::{FileId, Key};
use crate::lang::Language;

/// What a language adds to what all share.
pub struct Rules {
    /// Which languages they are for.
    pub languages: &'static [&'static str],
    /// Keeps the names of one group of languages apart from those of others.
    pub family: &'static str,
    /// Fills the tables of a file.
    pub lower: fn(&mut Lower<'_>, Node<'_>),
    /// What a file's definitions are members of: a module's dotted name, a package. Path, facts, manifests.
    pub home: fn(&str, &Facts, &Packages) -> String,
    /// What a file can be found by besides its path, its names and its extensions. Path, home, facts.
    pub provides: fn(&str, &str, &Facts, &mut Vec<Key>),
    /// Whether a file is for another platform than the usual one, so that another takes its place there. Path, facts.
    pub elsewhere: fn(&str, &Facts) -> bool,
    /// What an import binds.
    pub import: fn(&mut Eval<'_>, FileId, Import) -> Value,
    /// A name that no scope inside of a namespace or of the file binds: asked for each scope of kind `Space` and for that of
    /// the file. Other files of the package, imports of all names, headers.
    pub outer: fn(&mut Eval<'_>, FileId, ScopeId, &str, Space) -> Value,
    /// A name of a file that was imported.
    pub exported: fn(&mut Eval<'_>, FileId, &str, Space) -> Value,
    /// A name of a [`Value::Space`].
    pub member_of_space: fn(&mut Eval<'_>, &str, &str, Space) -> Value,
    /// A member of a value whose type is not in the tree: the type's name and arguments, the member.
    pub alien: fn(&mut Eval<'_>, &str, &[Value], &str) -> Value,
    /// What a call gives that runs something from outside: its callee and its arguments.
    pub outside: fn(&mut Eval<'_>, FileId, ExprId, List) -> Value,
    /// Interfaces that a type meets without naming them.
    pub meets: fn(&mut Eval<'_>, Ref) -> Vec<Ref>,
    /// What is inside of a value, where it is not as in all languages.
    pub peel: fn(&mut Eval<'_>, Peel, &Value) -> Value,
    /// What a function passed to a method gets: the receiver, the method, which argument it is, which of its parameters.
    pub given: fn(&mut Eval<'_>, &Value, &str, u16, u16) -> Value,
    /// What a value of a type can be called as, a [`Value::Function`]: an interface with a single method.
    pub function: fn(&mut Eval<'_>, &Value) -> Value,
    /// Picks among definitions of one name, or says whether the only one can be meant (it may add those of bases); none: by
    /// the number and the types of the arguments.
    pub pick: Option<Pick>,
    pub sight: Sight,
    pub order: Order,
    /// Calling a type makes a value of it.
    pub calls_construct: bool,
    /// Calling a type converts to it: gives a value of it, but runs nothing.
    pub calls_convert: bool,
    /// Methods that make a value, besides those of kind constructor.
    pub constructors: &'static [&'static str],
    /// A type without a constructor of its own has its base's.
    pub inherits_constructors: bool,
    /// Fields that are bound as definitions run when they are called: accessors that are not written.
    pub fields_run: bool,
    /// It has one that is not written: whoever derives from it calls that.
    pub implicit_constructors: bool,
    /// The member that gives the value whose members a value has besides its own.
    pub arrow: &'static str,
    /// What runs when a value is called.
    pub call_member: &'static str,
    /// Types and values have names of their own: a variable does not hide a type.
    pub separate_types: bool,
    /// Bases lend their members: one of the same name does not stand for theirs where a base's is called.
    pub lends: bool,
    /// A type and something else may share a name: which is meant is told by where it stands.
    pub tags: bool,
    /// The definition that a declaration without a body stands for; the declaration if there is none.
    pub body: fn(&mut Eval<'_>, Ref) -> Ref,
    /// What a name that is called means by what it is called with, where nothing else says it: functions beside the types of
    /// the arguments.
    pub called_with: fn(&mut Eval<'_>, &str, &[Value]) -> Value,
    /// Traits that a type's extensions are written for are bases of it.
    pub traits: bool,
    /// Members that every value has: where one of several types leaves it at that, they are the language's own.
    pub everywhere: &'static [&'static str],
    /// Methods that many types outside have: their name alone says nothing.
    pub common: &'static [&'static str],
}

/// Those of some definitions that a call with arguments can mean.
pub type Pick = fn(&mut Eval<'_>, &[Ref], &[Value]) -> Vec<Ref>;

/// What a name is looked up as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Value,
    Type,
}

/// From where the members of a type are seen by their bare names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    Never,
    /// From the body of the type, not from its methods.
    Body,
    /// From everywhere inside, inherited ones too.
    Inside,
}

/// Where members of bases are found first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Depth,
    Breadth,
    /// Python's: no base in front of what derives from it.
    C3,
}

impl Rules {
    pub const DEFAULT: Rules = Rules {
        languages: &[],
        family: "",
        lower: |_, _| {},
        home: |path, _, _| path.to_string(),
        provides: |_, _, _, _| {},
        elsewhere: |_, _| false,
        import: |_, _, _| Value::Outside,
        outer: |_, _, _, _, _| Value::Unknown,
        exported: |eval, file, name, space| eval.of_file(file, name, space),
        member_of_space: |_, _, _, _| Value::Unknown,
        alien: |_, _, _, _| Value::Outside,
        outside: |_, _, _, _| Value::Outside,
        meets: |_, _| vec![],
        peel: |eval, peel, value| eval.peeled(peel, value),
        given: |_, _, _, _, _| Value::Unknown,
        function: |_, value| value.clone(),
        pick: None,
        sight: Sight::Never,
        order: Order::Depth,
        calls_construct: false,
        calls_convert: false,
        constructors: &[],
        inherits_constructors: true,
        fields_run: false,
        implicit_constructors: false,
        arrow: "",
        call_member: "",
        separate_types: false,
        lends: false,
        tags: false,
        body: |_, declaration| declaration,
        called_with: |_, _, _| Value::Unknown,
        traits: false,
        everywhere: &[],
        common: &[],
    };
}

static ALL: &[&Rules] = &[
    &c::RULES,
    &go::RULES,
    &java::RULES,
    &javascript::RULES,
    &python::RULES,
    &rust::RULES,
];

/// The rules of a language; none of formats without calls.
pub fn rules(language: &Language) -> Option<&'static Rules> {
    let named = |rules: &&&Rules| rules.languages.contains(&language.name);
    ALL.iter().find(named).copied()
}
