//! Java: what its trees say of definitions, names and calls, and which names reach which definitions.
//!
//! Methods have names of their own: a field, a variable or a type of the same name hides none. They are bound and looked up
//! as `name()`, constructors as `<init>`.

mod body;
mod calls;
mod declare;
mod express;
mod fit;
mod library;
mod names;
mod outside;
mod overload;
mod types;
mod values;
mod walk;

use super::{Order, Rules, Sight};

pub static RULES: Rules = Rules {
    languages: &["java"],
    family: "java",
    lower: |lower, root| walk::Walk::new(lower).file(root),
    home: |_, facts, _| names::home(facts),
    provides: |_, home, facts, keys| names::provides(home, facts, keys),
    import: names::import,
    outer: |eval, file, _, name, space| names::outer(eval, file, name, space),
    member_of_space: |eval, package, name, _| names::of_package(eval, package, name),
    alien: |_, name, args, member| values::member(name, args, member),
    peel: values::peel,
    given: values::given,
    outside: outside::outside,
    function: values::function,
    pick: Some(overload::pick),
    sight: Sight::Inside,
    // A method that overrides another is found in front of it.
    order: Order::C3,
    inherits_constructors: false,
    implicit_constructors: true,
    // The components of records.
    fields_run: true,
    ..Rules::DEFAULT
};
