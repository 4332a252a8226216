//! Rust: what its trees say of definitions, names and calls, and which names reach which definitions.

mod added;
mod attributes;
mod calls;
mod exprs;
mod heads;
mod imports;
mod items;
mod library;
mod macros;
mod modules;
mod patterns;
mod signatures;
mod types;
mod walk;

use tree_sitter::Node;

use super::{Rules, Sight};
use crate::graph::lower::{Lower, Place};
use walk::Walk;

pub static RULES: Rules = Rules {
    languages: &["rust"],
    family: "rust",
    lower,
    home: modules::home,
    provides: modules::provides,
    import: modules::import,
    outer: modules::outer,
    exported: modules::exported,
    member_of_space: modules::member_of_space,
    alien: library::alien,
    peel: library::peel,
    pick: Some(added::pick),
    sight: Sight::Never,
    calls_convert: true,
    function: library::function_of,
    inherits_constructors: false,
    separate_types: true,
    traits: true,
    common: library::COMMON,
    ..Rules::DEFAULT
};

fn lower(lower: &mut Lower<'_>, root: Node<'_>) {
    let mut walk = Walk::new(lower);
    walk.node(root, Place::TOP);
    walk.rest();
    walk.bind_unbuilt();
    walk.name_blocks();
}
