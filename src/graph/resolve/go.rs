//! Go: what its trees say of definitions, names and calls, and which names reach which definitions.

mod calls;
mod declarations;
mod entry;
mod expressions;
mod interfaces;
mod locals;
mod names;
mod platform;
mod standard;
mod statements;
mod types;
mod values;
mod walk;

use super::{Order, Rules};

const FAMILY: &str = "go";

pub static RULES: Rules = Rules {
    languages: &["go"],
    family: FAMILY,
    lower: |lower, root| walk::Walk::new(lower).file(root),
    home: names::home,
    provides: names::provides,
    elsewhere: platform::elsewhere,
    import: names::import,
    outer: names::outer,
    member_of_space: names::member_of_space,
    alien: standard::alien,
    outside: standard::outside,
    meets: interfaces::meets,
    peel: values::peel,
    order: Order::Breadth,
    calls_convert: true,
    lends: true,
    ..Rules::DEFAULT
};
