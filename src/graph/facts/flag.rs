//! Bits of [`Def::flags`](super::Def::flags).

pub const EXPORTED: u16 = 1;
/// No body: a prototype, an abstract member, an overload's head.
pub const DECLARATION: u16 = 1 << 1;
/// Reached through the type, not through a value of it.
pub const STATIC: u16 = 1 << 2;
/// Read like a field, runs like a method.
pub const PROPERTY: u16 = 1 << 3;
/// Its first argument is the type (`@classmethod`).
pub const OF_CLASS: u16 = 1 << 4;
/// Takes any number of arguments behind those it names.
pub const VARIADIC: u16 = 1 << 5;
/// Test code, as the language says it (`#[cfg(test)]`, `#[test]`, `@Test`).
pub const TEST: u16 = 1 << 6;
/// Something else than a call in this tree may run it: a decorator or annotation other than the language's own, a
/// program's entry, an exported C symbol.
pub const ENTRY: u16 = 1 << 7;
/// Visible in its file alone.
pub const PRIVATE: u16 = 1 << 8;
/// The value of it is another thing's name: `X = Y`, `type X = Y`, `typedef`, `using`.
pub const ALIAS: u16 = 1 << 9;
/// Gives its values one by one (`yield`), so a call of it is something to iterate over.
pub const GENERATOR: u16 = 1 << 10;
/// A call gives a promise of what it returns.
pub const ASYNC: u16 = 1 << 11;
/// Overrides what a type outside of the tree may call (`@Override`, `override`).
pub const OVERRIDE: u16 = 1 << 12;
/// Behind a condition that is never true, or for another platform.
pub const DEAD: u16 = 1 << 13;
/// A function that makes objects of a type of its own, whose members are in extensions of it.
pub const MAKES: u16 = 1 << 15;
/// Runs when a value of its type is made.
pub const CONSTRUCTOR: u16 = 1 << 14;
