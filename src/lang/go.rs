//! Go: receivers, embedded types, blank names, capitals.

use tree_sitter::Node;

use super::fold::fold;
use super::lex;
use super::rules::{Capture, Hit};
use super::{Context, Docs, Draft, Grammar, Hooks, Language, Reader};
use crate::model::{Import, Kind};
use crate::source::Source;

pub static GO: Language = Language {
    name: "go",
    aliases: &["golang"],
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_go::LANGUAGE,
            &[("go.scm", include_str!("../../queries/go.scm"))],
            ".",
            Docs {
                line: &["//"],
                not_line: &[
                    "//go:",
                    "//export ",
                    "//line ",
                    "//nolint",
                    "//lint:",
                    "// +",
                    "//+",
                ],
                block: Some(("/*", "*/")),
                not_block: &[],
                detached: false,
                values_only: false,
            },
            Hooks {
                define,
                exported,
                imports,
                ..Hooks::DEFAULT
            },
        )
        .lexis(&lex::GO),
    ),
};

fn define<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    match draft.kind {
        // A blank value cannot be asked for.
        kind if kind.is_value() && draft.name == "_" => return,
        Kind::Field if draft.name_node.kind() != "field_identifier" => {
            draft.name_node = last_identifier(draft.name_node);
            draft.name = cx.source.str(draft.name_node.byte_range()).into_owned();
        }
        Kind::Constant | Kind::Variable => {
            draft.value = draft.value.map(only_child);
            bind_function(&mut draft);
        }
        // An interface without a name, in the middle of code.
        Kind::Method if draft.node.kind() == "method_elem" && !is_member(cx) => return,
        Kind::Method => {
            let receiver = hit.get(Capture::Receiver);
            let text = |node: Node<'_>| cx.source.str(node.byte_range()).into_owned();
            draft.scope = receiver.map(|receiver| text(last_identifier(receiver)));
            draft.receiver = receiver.map(|receiver| fold(cx.source, cx.rules, receiver));
        }
        Kind::Struct | Kind::Interface => draft.bases = embedded(cx, hit.get(Capture::Type)),
        Kind::Type => draft.value = hit.get(Capture::Type),
        _ => {}
    }
    if let Some(written) = hit.get(Capture::Type) {
        open_members(&mut draft, written);
    }
    out.push(draft);
}

/// A function literal bound to a name is a function.
fn bind_function(draft: &mut Draft<'_>) {
    let Some(literal) = draft.value.filter(|value| value.kind() == "func_literal") else {
        return;
    };
    draft.kind = Kind::Function;
    draft.params = literal.child_by_field_name("parameters");
    draft.returns = literal.child_by_field_name("result");
    draft.body = literal.child_by_field_name("body");
}

fn is_member(cx: &Context<'_, '_>) -> bool {
    matches!(
        cx.owner,
        Some((Kind::Interface | Kind::Type | Kind::Field, _))
    )
}

/// The members of a struct or an interface, or of one inside (`[]struct {`), are the body.
fn open_members<'t>(draft: &mut Draft<'t>, mut written: Node<'t>) {
    while let "slice_type" | "array_type" | "map_type" | "pointer_type" = written.kind() {
        let last = written.named_child_count().max(1) - 1;
        let Some(inner) = written.named_child(last as u32) else {
            return;
        };
        written = inner;
    }
    let body = match written.kind() {
        "struct_type" => written.named_child(0),
        "interface_type" if draft.kind != Kind::Variable => Some(written),
        _ => None,
    };
    let named = draft.kind.is_type() && draft.kind != Kind::Type;
    draft.body = body.filter(|body| named || body.named_child_count() > 0);
    draft.declaration = false;
    // The braces of an interface have no node of their own.
    if let Some(body) = draft.body.filter(|_| written.kind() == "interface_type") {
        let mut cursor = body.walk();
        let brace = body.children(&mut cursor).find(|node| node.kind() == "{");
        draft.own = brace.map(|brace| (brace.start_byte(), body));
    }
}

/// `Stack` of `*Stack[T]`, `Mutex` of `sync.Mutex`.
fn last_identifier(mut node: Node<'_>) -> Node<'_> {
    loop {
        let inner = match node.kind() {
            "generic_type" => node.child_by_field_name("type"),
            "qualified_type" => node.child_by_field_name("name"),
            _ => node.named_child(0),
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// The value of a name that has one of its own.
fn only_child(list: Node<'_>) -> Node<'_> {
    match list.named_child(0) {
        Some(only) if list.named_child_count() == 1 => only,
        _ => list,
    }
}

/// The types a struct or an interface takes its members from.
fn embedded(cx: &Context<'_, '_>, written: Option<Node<'_>>) -> Vec<String> {
    let Some(mut body) = written else {
        return vec![];
    };
    if let Some(list) = body.named_child(0).filter(|_| body.kind() == "struct_type") {
        body = list;
    }
    let mut cursor = body.walk();
    let types = body
        .named_children(&mut cursor)
        .filter_map(|member| match member.kind() {
            "type_elem" if member.named_child_count() == 1 => member.named_child(0),
            "field_declaration" if member.child_by_field_name("name").is_none() => {
                member.child_by_field_name("type")
            }
            _ => None,
        });
    let types = types.filter(|node| {
        matches!(
            node.kind(),
            "type_identifier" | "qualified_type" | "generic_type"
        )
    });
    types.map(|node| fold(cx.source, cx.rules, node)).collect()
}

/// Go exports what begins with a capital; a method also needs its receiver's type to.
fn exported(_: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let capital = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
    capital(&draft.name) && draft.scope.as_deref().is_none_or(capital)
}

/// One import for each path; a dot takes all names in.
fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let Some(path) = node.child_by_field_name("path") else {
        return;
    };
    let dot = node
        .child_by_field_name("name")
        .is_some_and(|name| name.kind() == "dot");
    out.push(Import {
        module: source
            .str(path.byte_range())
            .trim_matches(['"', '`'])
            .to_string(),
        names: dot.then(|| "*".to_string()).into_iter().collect(),
        line: node.start_position().row as u32 + 1,
    });
}
