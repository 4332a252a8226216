//! Imports and exports of the standard's modules and of CommonJS, and functions that run where they stand.

use std::borrow::Cow;

use tree_sitter::Node;

use super::super::{Context, Draft};
use super::define::bind;
use super::{first_child, is_function, plain_name, strip, text};
use crate::model::{Import, Kind};
use crate::source::Source;

/// `export default` of anything but a declaration or a name.
pub fn default_export<'t>(
    cx: &mut Context<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    bind(cx, &mut draft, Kind::Function);
    let Some(value) = draft.value.map(|value| strip(value, &mut vec![])) else {
        return;
    };
    if value.kind() == "identifier" {
        return cx.exports.push(text(cx, value));
    }
    let named = value.child_by_field_name("name");
    draft.name = "default".into();
    if let Some(name) = named.filter(|_| draft.body.is_some()) {
        draft.name = text(cx, name);
        draft.name_node = name;
    }
    out.push(draft);
}

/// Whether a definition is visible outside, lists of exports apart.
pub fn exported(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let top = cx.wrapper.unwrap_or(draft.node).kind();
    match cx.owner {
        None => {
            top == "export_statement"
                || draft.kind == Kind::Namespace && top == "ambient_declaration"
        }
        // Only what is ambient has no body, and all that is ambient is visible.
        Some((Kind::Namespace, name)) => {
            top == "export_statement" || draft.declaration || name == "global"
        }
        Some(_) => !draft.name.starts_with('#') && !is_private(cx, draft.node),
    }
}

fn is_private(cx: &Context<'_, '_>, member: Node<'_>) -> bool {
    let mut cursor = member.walk();
    member
        .named_children(&mut cursor)
        .find(|child| child.kind() == "accessibility_modifier")
        .is_some_and(|word| text(cx, word) == "private")
}

/// Notes that `name` is put on the module's exports, or, with `whole`, that `value` becomes them.
pub fn export(cx: &mut Context<'_, '_>, name: &str, value: Option<Node<'_>>, whole: bool) {
    let first = name.split('.').next().unwrap_or(name).to_string();
    match value {
        Some(value) if value.kind() == "identifier" => cx.exports.push(text(cx, value)),
        Some(value) if whole => cx.exports.extend(keys(cx, value)),
        _ => cx.exports.push(first),
    }
}

/// What the entries of an object name, or are named.
fn keys(cx: &Context<'_, '_>, object: Node<'_>) -> Vec<String> {
    let mut cursor = object.walk();
    let entries = object.named_children(&mut cursor).filter_map(|entry| {
        let part = |name| entry.child_by_field_name(name);
        match entry.kind() {
            "shorthand_property_identifier" => Some(entry),
            "method_definition" => part("name"),
            "pair" => part("value")
                .filter(|value| value.kind() == "identifier")
                .or(part("key")),
            _ => None,
        }
    });
    entries
        .map(|name| plain_name(&text(cx, name)).to_string())
        .collect()
}

/// Whether a value on the exports is no mere name for something defined elsewhere.
pub fn is_own_value(source: &Source, value: Node<'_>) -> bool {
    match value.kind() {
        "call_expression" => required(source, value).is_none(),
        "string" | "template_string" | "number" | "true" | "false" | "null" | "regex" | "array"
        | "new_expression" => true,
        _ => false,
    }
}

/// `import` and `export ... from`: the module and the names taken from it.
pub fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let mut names = vec![];
    let mut module = node.child_by_field_name("source");
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        let first = open.len();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "import_specifier" | "export_specifier" => {
                    let name = child.child_by_field_name("name");
                    names.extend(name.map(|name| source.str(name.byte_range()).into_owned()));
                }
                "identifier" => names.push("default".to_string()),
                "namespace_import" | "namespace_export" | "*" => names.push("*".to_string()),
                "import_require_clause" => module = child.child_by_field_name("source"),
                "import_clause" | "named_imports" | "export_clause" => open.push(child),
                _ => {}
            }
        }
        open[first..].reverse();
    }
    let Some(module) = module else { return };
    out.push(Import {
        module: plain_name(&source.str(module.byte_range())).to_string(),
        names,
        line: node.start_position().row as u32 + 1,
    });
}

/// Whether a declaration only names a module (`const fs = require("fs")`); what it takes from one is noted as an import.
pub fn is_import(cx: &mut Context<'_, '_>, draft: &Draft<'_>, names: &[Node<'_>]) -> bool {
    let value = draft.value.map(|value| strip(value, &mut vec![]));
    let Some((value, module)) = value.and_then(|value| Some((value, required(cx.source, value)?)))
    else {
        return false;
    };
    let taken = match (
        value.child_by_field_name("property"),
        draft.name_node.kind(),
    ) {
        (Some(property), _) => vec![text(cx, property)],
        (None, "identifier") => vec![],
        _ => names.iter().map(|name| text(cx, *name)).collect(),
    };
    import(cx, module, taken, draft.node);
    value.kind() == "call_expression"
}

/// `require("x")` and `import("x")` import; `(function () {...})()` and `define(function () {...})` run what they are given.
pub fn call<'t>(cx: &mut Context<'_, 't>, node: Node<'t>) -> Vec<Node<'t>> {
    if !may_matter(&cx.source.text()[node.byte_range()]) {
        return vec![];
    }
    if let Some(module) = required(cx.source, node) {
        import(cx, module, vec![], node);
        return vec![];
    }
    let behind = |node| strip(node, &mut vec![]);
    if node.kind() == "expression_statement" {
        let inside = node.named_child(0).map(behind);
        return inside
            .into_iter()
            .filter(|node| is_function(*node))
            .collect();
    }
    let part = |node: Node<'t>, name| node.child_by_field_name(name);
    let Some(mut callee) = part(node, "function").map(behind) else {
        return vec![];
    };
    // `(function () {...}).call(this)`
    callee = part(callee, "object")
        .map(behind)
        .filter(|object| is_function(*object))
        .unwrap_or(callee);
    let mut found = vec![];
    if is_function(callee) {
        found.push(callee);
    } else if !is_loader(&short_text(cx.source, callee)) {
        return found;
    }
    if let Some(arguments) = part(node, "arguments") {
        let mut cursor = arguments.walk();
        let given = arguments.named_children(&mut cursor);
        found.extend(given.filter(|node| is_function(*node) && part(*node, "name").is_none()));
    }
    found
}

/// Whether a call begins like one that imports or runs a function where it stands. Most calls do not, and to take one
/// apart costs as much as to walk through it.
fn may_matter(call: &[u8]) -> bool {
    let head = &call[..call.len().min(32)];
    let begins = |word: &str| head.starts_with(word.as_bytes());
    let words = [
        "(", "!", "function", "async", "require", "import", "define", "sap.", "System.", "goog.",
        "_",
    ];
    words.iter().any(|word| begins(word)) || memchr::memmem::find(head, b"interop").is_some()
}

/// Functions whose callback is a module.
fn is_loader(callee: &str) -> bool {
    matches!(
        callee,
        "define" | "require" | "requirejs" | "sap.ui.define" | "System.register" | "goog.scope"
    )
}

/// The module behind `require("x")`, `require("x").y`, `import("x")` and what compilers put around `require`.
fn required(source: &Source, mut value: Node<'_>) -> Option<String> {
    const MAX_WRAPPERS: usize = 4;
    for _ in 0..MAX_WRAPPERS {
        if value.kind() == "member_expression" {
            value = value.child_by_field_name("object")?;
            continue;
        }
        if value.kind() != "call_expression" {
            return None;
        }
        let callee = short_text(source, value.child_by_field_name("function")?);
        let argument = first_child(value.child_by_field_name("arguments")?)?;
        match argument.kind() {
            "string" if matches!(&*callee, "require" | "import") => {
                let name = source.str(argument.byte_range());
                return Some(plain_name(&name).to_string());
            }
            "call_expression" if callee.contains("interop") || callee.contains("__import") => {
                value = argument;
            }
            _ => return None,
        }
    }
    None
}

/// Imports a module, unless the declaration around the call has done so.
fn import(cx: &mut Context<'_, '_>, module: String, names: Vec<String>, node: Node<'_>) {
    if cx.imports.last().is_none_or(|last| last.module != module) {
        cx.imports.push(Import {
            module,
            names,
            line: node.start_position().row as u32 + 1,
        });
    }
}

/// The text of a callee, as far as it can be a name that matters: callees are as long as the file says.
fn short_text<'a>(source: &'a Source, callee: Node<'_>) -> Cow<'a, str> {
    const LONGEST: usize = 60;
    let start = callee.start_byte();
    source.str(start..callee.end_byte().min(start + LONGEST))
}
