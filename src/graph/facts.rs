//! What one file says of its definitions, names and calls, as plain data: enough to resolve its calls without its tree or its
//! text, and enough for other files to resolve theirs. One vocabulary for all languages; what a construct means is left to
//! the language's rules. Everything refers by index into the tables of [`Facts`]; nothing here knows another file.

mod access;
mod dump;
pub mod flag;

use serde::{Deserialize, Serialize};

use crate::model::{Kind, Lines};

/// Index into [`Facts::names`].
pub type Sym = u32;
/// Index into [`Facts::defs`], which is also that of the outline's item.
pub type DefId = u32;
pub type ScopeId = u32;
pub type ExprId = u32;
pub type TypeId = u32;

/// The scope of the file itself.
pub const FILE: ScopeId = 0;
/// The expression of which nothing is known.
pub const UNKNOWN: ExprId = 0;
/// The type of which nothing is known.
pub const UNTYPED: TypeId = 0;

/// A stretch of [`Facts::lists`]: ids of whatever the field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Each once.
    pub names: Vec<Box<str>>,
    /// The package that the file says it belongs to, in the languages where files do.
    pub package: Option<Sym>,
    /// As the outline has them.
    pub defs: Vec<Def>,
    /// The first is the file; a parent stands in front of its children.
    pub scopes: Vec<Scope>,
    /// Sorted by scope, name and place.
    pub binds: Vec<Bind>,
    /// An operand stands in front of what it is an operand of.
    pub exprs: Vec<Expr>,
    pub types: Vec<Type>,
    pub lists: Vec<u32>,
    /// In source order.
    pub calls: Vec<Call>,
    pub uses: Vec<Use>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub extensions: Vec<Extension>,
}

/// A definition of the outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Def {
    pub kind: Kind,
    pub name: Sym,
    pub qual: Sym,
    pub lines: Lines,
    /// Line of the name.
    pub line: u32,
    pub parent: Option<DefId>,
    pub flags: u16,
    /// What it opens: the members of a type, the locals of a function.
    pub scope: Option<ScopeId>,
    /// Of [`Param`]s, by position; a receiver written as the first one (`self`) is not among them.
    pub params: Vec<Param>,
    pub returns: Option<TypeId>,
    /// Of expressions: what it returns, where that is not written as a type.
    pub returned: List,
    /// Of types: what it extends, implements, embeds or, for an alias, stands for.
    pub bases: List,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    pub name: Sym,
    pub ty: TypeId,
    /// Need not be given.
    pub optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub kind: ScopeKind,
    /// The definition that opens it.
    pub def: Option<DefId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    File,
    /// A namespace or module inside of a file.
    Space,
    /// Members of a type, or of the type that an [`Extension`] names; `this` in it is a value of that type.
    Type,
    /// Members of an object that is written out: `{run: f}`. `this` in it is that object.
    Object,
    /// Parameters and locals of a function, named or not.
    Function,
    /// A block, a loop, a branch of a match.
    Block,
}

/// A name and what it stands for in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    pub scope: ScopeId,
    pub name: Sym,
    /// Byte from which it holds: 0 where it holds in all of its scope.
    pub at: u32,
    pub bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    Def(DefId),
    Import(u32),
    /// A variable, parameter or field: its written type ([`UNTYPED`] if none) and its first value ([`UNKNOWN`]). One name may
    /// be bound several times in a scope: each assignment is one.
    Var {
        ty: TypeId,
        init: ExprId,
    },
    /// A type parameter and its bounds, a list of types.
    Param {
        bounds: List,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    Unknown,
    /// A name as seen from a scope and a byte.
    Name {
        name: Sym,
        scope: ScopeId,
        at: u32,
    },
    /// `this` or `self` as seen from a scope; in static methods the type itself (see [`flag::OF_CLASS`]).
    This {
        scope: ScopeId,
    },
    Super {
        scope: ScopeId,
    },
    /// `of.name`.
    Member {
        of: ExprId,
        name: Sym,
    },
    /// `of::name`: a member of a type, module or namespace, never of a value.
    Static {
        of: ExprId,
        name: Sym,
    },
    /// A call and its arguments, a list of expressions.
    Call {
        callee: ExprId,
        args: List,
    },
    /// Makes a value of the type or class that `of` names.
    New {
        of: ExprId,
        args: List,
    },
    Index {
        of: ExprId,
    },
    /// What is inside of a value.
    Peel {
        of: ExprId,
        peel: Peel,
    },
    /// An argument given by name: `f(x=1)`.
    Keyword {
        name: Sym,
        value: ExprId,
    },
    /// As many arguments or elements as there are in a value: `f(*args)`, `[...a]`. In front of [`UNKNOWN`]: what something is
    /// called with is not known, as for `Foo::new`.
    Spread {
        of: ExprId,
    },
    /// One of a list of expressions: branches, `or`, the values of a match.
    Either {
        of: List,
    },
    /// A value of a type: a cast, a struct literal, a parameter's pattern.
    Typed {
        ty: TypeId,
    },
    /// A type named where a value could stand: `Vec::<T>` of `Vec::<T>::new()`, `int[]` of `int[]::clone`.
    Type {
        ty: TypeId,
    },
    Literal {
        literal: Literal,
    },
    /// Values in a row: an array's or a list's elements.
    Array {
        of: List,
    },
    Tuple {
        of: List,
    },
    /// An object that is written out, with its members.
    Object {
        scope: ScopeId,
    },
    /// A function without a name of its own: its parameters are bound in `scope`; what it returns, a list of expressions.
    Lambda {
        scope: ScopeId,
        returned: List,
    },
    /// The value of a definition that is written where it is used: a named function or class expression.
    Def {
        def: DefId,
    },
    /// The value that the `index`th parameter of a lambda gets, from the call it is written in as an argument: which call, and
    /// which argument of it.
    Given {
        call: ExprId,
        argument: u16,
        index: u16,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Peel {
    /// `await`.
    Await,
    /// `?` and what else takes the good case only.
    Try,
    /// `*p`.
    Deref,
    /// `&x`.
    Ref,
    /// An element, by iterating.
    Element,
    /// What is left of a value that a check found not to be of a type.
    Without { of: TypeId },
    /// An element by its key, where that is not what iterating gives.
    Item,
    /// A part by position: tuples, several results, array patterns.
    Part(u16),
    /// What `with` binds.
    Context,
    /// The value in a pattern like `Some(x)` or `Shape::Circle(x)`: the path of the variant, and which of its fields.
    Variant { of: TypeId, field: u16 },
    /// The same with a named field: `Shape::Circle { radius }`, `Point { x }`.
    VariantField { of: TypeId, name: Sym },
    /// The key of a map, by iterating.
    Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Literal {
    Null,
    Bool,
    Int,
    Long,
    Float,
    Double,
    Char,
    Str,
    Regex,
    Map,
    Set,
}

/// A type as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    Unknown,
    /// A path of names and type arguments (of the last name), as seen from a scope.
    Named {
        path: List,
        args: List,
        scope: ScopeId,
    },
    /// A pointer or reference.
    Ref {
        of: TypeId,
    },
    Array {
        of: TypeId,
    },
    Map {
        key: TypeId,
        value: TypeId,
    },
    Tuple {
        of: List,
    },
    /// One of several; also `T | None`.
    Union {
        of: List,
    },
    /// All of several: bounds, intersections, `impl A + B`.
    All {
        of: List,
    },
    Function {
        params: List,
        returns: TypeId,
    },
    /// `Self`, `this` as a type.
    This {
        scope: ScopeId,
    },
    /// The type of an expression: `typeof x`, `decltype(x)`, `auto` of an initialiser.
    Of {
        expr: ExprId,
    },
    /// A type that is written out, with its members: `{ run(): void }`.
    Members {
        scope: ScopeId,
    },
    /// A member type of another: `<T as Trait>::Item`, `T::Output`.
    Member {
        of: TypeId,
        name: Sym,
    },
    /// What a function of a type, or the function that an expression is the type of, takes at a position.
    Argument {
        of: TypeId,
        index: u16,
    },
    /// One of the language's own: nothing in the tree is a member of it.
    Basic {
        literal: Literal,
    },
}

/// A place where something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// A [`Expr::Call`] or [`Expr::New`], or what is called without being written as a call.
    pub expr: ExprId,
    pub line: u32,
    /// The innermost definition around it that is a callable, macro, type or named value; none at the top of the file.
    pub from: Option<DefId>,
    pub dead: bool,
}

/// A place where something is named but not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    pub what: Used,
    pub line: u32,
    pub from: Option<DefId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Used {
    Expr(ExprId),
    Type(TypeId),
    /// A name without a place: in a string of exports, a macro's tokens, a decorator's argument.
    Name(Sym),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Module, package or file as written, quotes taken off.
    pub spec: Sym,
    /// What of it; none for all of it.
    pub name: Option<Sym>,
    pub line: u32,
    pub how: ImportKind,
    pub scope: ScopeId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportKind {
    /// Binds the module, or the name in it.
    Plain,
    /// All names of the module become visible, none is bound.
    Star,
    /// Members of a type: `import static`.
    Static,
    /// The same of all its members.
    StaticStar,
    /// Only read for its effects, or included.
    Effect,
    /// Declares a module that lies in another file (`mod x;`); `spec` is a path if one is written.
    Module,
}

/// A name that others may import, where the language has exports apart from definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The name outside; none for all names of `of`'s module.
    pub name: Option<Sym>,
    pub of: Exported,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exported {
    /// A name of the file.
    Local(Sym),
    /// A value: `export default f(x)`, `module.exports = {..}`.
    Value(ExprId),
    /// What an import brings: a name of another module, or the module, or (without a name) all of it.
    Import(u32),
}

/// Members written outside of their type: `impl`, a method with a receiver, `A::f`, `A.prototype.f =`. With a scope of kind
/// [`ScopeKind::Object`] they are not the type's: they are those of an object that derives from it (`new A() {..}`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extension {
    pub of: TypeId,
    /// The trait or interface it is written for.
    pub by: Option<TypeId>,
    pub scope: ScopeId,
}
