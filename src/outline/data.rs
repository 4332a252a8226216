//! Which types are data models: mostly fields, hardly a method of their own.

use crate::model::{ItemId, Kind, Outline};

/// A data model has at least 3 fields and at most 1 method for 5 fields; constructors, accessors and their like do not count.
pub fn mark(outline: &mut Outline) {
    for id in 0..outline.items.len() {
        if !outline.items[id].kind.is_type() {
            continue;
        }
        let (mut fields, mut methods) = (0, 0);
        for child in outline.children(Some(id as ItemId)) {
            match &outline.items[child as usize] {
                item if matches!(item.kind, Kind::Field | Kind::Property | Kind::EnumMember)
                    && item.params.is_empty() =>
                {
                    fields += 1
                }
                item if item.kind == Kind::Method && !is_boilerplate(&item.name) => methods += 1,
                _ => {}
            }
        }
        outline.items[id].data = fields >= 3 && methods * 5 <= fields;
    }
}

/// Methods that every data model has.
fn is_boilerplate(name: &str) -> bool {
    let accessor = ["get", "set", "is", "with"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
    });
    accessor
        || name.starts_with('~')
        || name.starts_with("__") && name.ends_with("__")
        || matches!(
            name,
            "equals"
                | "hashCode"
                | "toString"
                | "compareTo"
                | "clone"
                | "String"
                | "fmt"
                | "eq"
                | "hash"
                | "toJSON"
                | "operator=="
                | "operator!="
        )
}
