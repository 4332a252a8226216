//! JavaScript and TypeScript: what its trees say of definitions, names and calls, and which names reach which definitions.
//! `walk` holds the state of reading and sends each node to its reader: `express` (expressions), `calls`, `declare`
//! (statements that bind or branch), `pattern` (destructuring), `function`, `class`, `types`, `jsdoc` (types in comments),
//! `assign` (members given by assignment, CommonJS), `modules` (imports and exports of the standard's modules). `import`
//! finds what imports bring, `builtin` knows the language's own types.

mod assign;
mod builtin;
mod calls;
mod class;
mod declare;
mod express;
mod function;
mod import;
mod jsdoc;
mod modules;
mod pattern;
mod types;
mod walk;

use super::Rules;

pub static RULES: Rules = Rules {
    languages: &["javascript", "typescript", "tsx"],
    family: "javascript",
    lower: |lower, root| walk::Walk::new(lower, root).file(root),
    provides: import::provides,
    import: import::import,
    outer: import::outer,
    exported: import::exported,
    alien: builtin::member,
    peel: builtin::peel,
    given: builtin::given,
    inherits_constructors: false,
    call_member: "()",
    separate_types: true,
    everywhere: &["toString", "toLocaleString", "valueOf", "hasOwnProperty"],
    common: builtin::COMMON,
    ..Rules::DEFAULT
};
