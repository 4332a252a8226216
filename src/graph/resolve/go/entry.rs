//! What runs a function besides the calls of a tree: the program's start, the test runner, C, and interfaces of the standard
//! library, which a type meets without naming them.

use tree_sitter::Node;

use super::walk::Walk;
use crate::graph::facts::*;

/// Methods of interfaces that the standard library calls.
const CALLED_OUTSIDE: &[&str] = &[
    "As",
    "Close",
    "Error",
    "Format",
    "GoString",
    "GobDecode",
    "GobEncode",
    "Is",
    "Len",
    "Less",
    "LogValue",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "MarshalXML",
    "Open",
    "Pop",
    "Push",
    "Read",
    "ReadAt",
    "ReadFrom",
    "RoundTrip",
    "Scan",
    "Seek",
    "ServeHTTP",
    "Set",
    "String",
    "Swap",
    "UnmarshalBinary",
    "UnmarshalJSON",
    "UnmarshalText",
    "UnmarshalXML",
    "Unwrap",
    "Value",
    "Write",
    "WriteAt",
    "WriteString",
    "WriteTo",
];

impl<'t> Walk<'_, '_, 't> {
    /// Marks a function that something else may run.
    pub fn mark_entry(&mut self, node: Node<'t>, name: &str, def: DefId) {
        let started = name == "init" || name == "main" && self.in_main();
        if started || self.is_exported_to_c(node) {
            self.lower.flag(def, flag::ENTRY);
        }
        if self.is_test(def) {
            self.lower.flag(def, flag::ENTRY | flag::TEST);
        }
    }

    /// Marks a method that the standard library may call.
    pub fn mark_override(&mut self, name: &str, def: DefId) {
        if CALLED_OUTSIDE.binary_search(&name).is_ok() {
            self.lower.flag(def, flag::OVERRIDE);
        }
    }

    fn in_main(&self) -> bool {
        let package = self.lower.facts.package;
        package.is_some_and(|package| self.lower.facts.name(package) == "main")
    }

    /// `TestX(t *testing.T)` and its like.
    fn is_test(&self, def: DefId) -> bool {
        let facts = &self.lower.facts;
        let name = facts.name(facts.def(def).name);
        let named = ["Test", "Benchmark", "Fuzz"];
        let [param] = &facts.def(def).params[..] else {
            return false;
        };
        let Type::Ref { of } = facts.ty(param.ty) else {
            return false;
        };
        let Type::Named { path, .. } = facts.ty(of) else {
            return false;
        };
        let package = facts.list(path).first();
        let of_testing = package.is_some_and(|&package| facts.name(package) == "testing");
        of_testing && named.iter().any(|start| name.starts_with(start))
    }

    /// `//export name` in a file that imports C.
    fn is_exported_to_c(&self, node: Node<'t>) -> bool {
        let facts = &self.lower.facts;
        let mut imports = facts.imports.iter();
        if !imports.any(|import| facts.name(import.spec) == "C") {
            return false;
        }
        let mut before = node.prev_sibling();
        while let Some(comment) = before.filter(|before| before.kind() == "comment") {
            if self.lower.str(comment).starts_with("//export ") {
                return true;
            }
            before = comment.prev_sibling();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::CALLED_OUTSIDE;

    #[test]
    fn names_are_in_the_order_they_are_searched_in() {
        assert!(CALLED_OUTSIDE.is_sorted());
    }
}
