//! C and C++: what its trees say of definitions, names and calls, and which names reach which definitions.

mod bodies;
mod calls;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod headers;
mod library;
mod macros;
mod names;
mod spaces;
mod types;
mod walk;

use super::{Rules, Sight};

pub static RULES: Rules = Rules {
    languages: &["c", "cpp"],
    family: "c",
    lower: |lower, root| walk::Walk::new(lower).file(root),
    provides: names::provides,
    elsewhere: |path, _| headers::is_elsewhere(path),
    import: names::import,
    outer: names::outer,
    member_of_space: names::member_of_space,
    alien: library::member,
    peel: library::peel,
    sight: Sight::Inside,
    calls_construct: true,
    inherits_constructors: false,
    arrow: "operator->",
    call_member: "operator()",
    tags: true,
    body: bodies::body,
    called_with: names::called_with,
    ..Rules::DEFAULT
};
