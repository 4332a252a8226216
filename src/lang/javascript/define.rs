//! Completes what the patterns found: what a name is bound to, members of classes and enums, destructuring, bases.

use tree_sitter::Node;

use super::super::rules::Hit;
use super::super::{Context, Draft, Inside, Nest};
use super::{assign, first_child, is_function, modules, plain_name, strip, text};
use crate::model::Kind;

pub fn define<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    let node = hit.node;
    draft.name = plain_name(&draft.name).to_string();
    match node.kind() {
        "variable_declarator" => return declared(cx, draft, out),
        "assignment_expression" => return assign::assigned(cx, draft, out),
        "export_statement" => return modules::default_export(cx, draft, out),
        "method_definition" | "abstract_method_signature" => return method(cx, draft, out),
        // Types written in place have members too, but no name to list them under.
        "method_signature" | "property_signature" if cx.inside != Inside::Type => return,
        "method_signature" => return method(cx, draft, out),
        "enum_body" => return out.extend(enum_member(cx, draft)),
        "ambient_declaration" => draft.name = "global".into(),
        "labeled_statement" if !is_global(cx, &draft) => return,
        "labeled_statement" => draft.name = "global".into(),
        "pair" => {
            bind(cx, &mut draft, Kind::Method);
            let object = draft.value.is_some_and(|value| value.kind() == "object");
            if draft.kind == Kind::Property && !object {
                return;
            }
        }
        "field_definition" | "public_field_definition" if is_modifier(cx, node) => return,
        "field_definition" | "public_field_definition" => {
            bind(cx, &mut draft, Kind::Method);
            take_modifiers(cx, &mut draft);
        }
        _ if draft.kind.is_type() => draft.bases = bases(cx, node),
        _ if draft.kind.is_callable() => callable(&mut draft, node),
        _ => {}
    }
    out.push(draft);
}

/// `global {` inside `declare module "x" {`, as `respell` has put it.
fn is_global(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    cx.source.text()[draft.node.start_byte()..].starts_with(b"global")
        && draft.name_node.end_byte() == draft.node.start_byte() + b"globa".len()
}

/// Takes parameters, result and body from the function itself.
fn callable<'t>(draft: &mut Draft<'t>, function: Node<'t>) {
    let part = |name| function.child_by_field_name(name);
    draft.params = part("parameters").or(part("parameter"));
    draft.returns = part("return_type").and_then(first_child);
    draft.body = part("body");
}

/// Turns a name bound to a function or a class into one; gives the other names in a chain of assignments.
pub fn bind<'t>(cx: &Context<'_, 't>, draft: &mut Draft<'t>, function: Kind) -> Vec<Node<'t>> {
    let mut targets = vec![];
    let Some(value) = draft.value else {
        return targets;
    };
    let value = strip(value, &mut targets);
    if is_function(value) {
        draft.kind = function;
        callable(draft, value);
    } else if value.kind() == "class" {
        draft.kind = Kind::Class;
        draft.body = value.child_by_field_name("body");
        draft.bases = bases(cx, value);
    } else if value.kind() == "object" {
        draft.value = Some(value);
    }
    targets
}

/// `const`, `let` and `var`, with patterns on the left and anything on the right.
fn declared<'t>(cx: &mut Context<'_, 't>, mut draft: Draft<'t>, out: &mut Vec<Draft<'t>>) {
    let names = bound(draft.name_node);
    if modules::is_import(cx, &draft, &names) {
        return;
    }
    if cx.wrapper.is_some_and(is_constant) {
        draft.kind = Kind::Constant;
    }
    if draft.own.is_none() && has_more(cx, draft.node) {
        draft.own = Some((draft.node.start_byte(), draft.node));
    }
    if draft.name_node.kind() != "identifier" {
        out.extend(names.into_iter().map(|name| Draft {
            name: text(cx, name),
            name_node: name,
            nest: Nest::None,
            ..draft.clone()
        }));
        return;
    }
    for target in bind(cx, &mut draft, Kind::Function) {
        if assign::is_on_exports(cx, target) {
            cx.exports.push(draft.name.clone());
        }
    }
    // Plain values share the range of their declaration, functions and classes have their own.
    if let (Some(_), Some((first, own))) = (draft.body, draft.own) {
        let start = match cx.wrapper {
            Some(wrapper) if first == own.start_byte() => wrapper.start_byte(),
            _ => own.start_byte(),
        };
        draft.span = Some((start, own.end_byte()));
    }
    out.push(draft);
}

/// Whether another declarator follows.
fn has_more(cx: &Context<'_, '_>, declarator: Node<'_>) -> bool {
    let rest = &cx.source.text()[declarator.end_byte()..];
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b',')
}

/// Whether a declaration, behind `export` and `declare`, says `const`.
fn is_constant(mut node: Node<'_>) -> bool {
    while matches!(node.kind(), "export_statement" | "ambient_declaration") {
        let mut cursor = node.walk();
        let inner = node
            .named_children(&mut cursor)
            .find(|child| child.kind().ends_with("_declaration"));
        let Some(inner) = inner else { return false };
        node = inner;
    }
    node.child_by_field_name("kind")
        .is_some_and(|keyword| keyword.kind() != "let")
}

/// The names in a destructuring pattern, in order.
fn bound(pattern: Node<'_>) -> Vec<Node<'_>> {
    let (mut names, mut open) = (vec![], vec![pattern]);
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => names.push(node),
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                open.extend(node.child_by_field_name("left"))
            }
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut cursor = node.walk();
                let first = open.len();
                open.extend(node.named_children(&mut cursor));
                open[first..].reverse();
            }
            _ => {}
        }
    }
    names
}

/// Methods, accessors, constructors and the fields that constructors declare among their parameters.
fn method<'t>(cx: &mut Context<'_, 't>, mut draft: Draft<'t>, out: &mut Vec<Draft<'t>>) {
    let node = draft.node;
    callable(&mut draft, node);
    let mut cursor = draft.node.walk();
    let mut words = draft
        .node
        .children(&mut cursor)
        .take_while(|child| *child != draft.name_node);
    if words.any(|word| matches!(word.kind(), "get" | "set" | "static get")) {
        draft.kind = Kind::Property;
    }
    take_modifiers(cx, &mut draft);
    let in_interface =
        draft.body.is_none() && matches!(cx.owner, Some((Kind::Interface | Kind::Type, _)));
    if draft.name != "constructor" || cx.inside != Inside::Type || in_interface {
        return out.push(draft);
    }
    draft.kind = Kind::Constructor;
    draft.nest = draft
        .body
        .map_or(Nest::None, |body| Nest::From(body.start_byte() as u32));
    out.push(draft.clone());
    let Some(list) = draft.params else { return };
    let mut cursor = list.walk();
    let fields = list.named_children(&mut cursor).filter(declares_field);
    out.extend(fields.filter_map(|parameter| {
        let name = parameter.child_by_field_name("pattern")?;
        Some(Draft {
            kind: Kind::Field,
            name: text(cx, name),
            name_node: name,
            node: parameter,
            value: parameter.child_by_field_name("value"),
            params: None,
            returns: None,
            body: None,
            declaration: false,
            nest: Nest::None,
            ..draft.clone()
        })
    }));
}

/// Whether a field is none, but a word on a line of its own in front of the next member: no semicolon is implied there.
fn is_modifier(cx: &Context<'_, '_>, field: Node<'_>) -> bool {
    let text = cx.source.text();
    let word = &text[field.byte_range()];
    let next = text[field.end_byte()..]
        .iter()
        .find(|byte| !byte.is_ascii_whitespace());
    matches!(word, b"static" | b"get" | b"set")
        && next.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_$#*['\"".contains(byte))
}

/// Gives a member the words on the lines in front of it that the grammar took for fields.
fn take_modifiers(cx: &Context<'_, '_>, draft: &mut Draft<'_>) {
    let mut start = draft.node.start_byte();
    for word in ["get", "set", "static"] {
        let head = cx.source.text()[..start].trim_ascii_end();
        let Some(before) = head.strip_suffix(word.as_bytes()) else {
            continue;
        };
        let line = before.rsplit(|byte| *byte == b'\n').next();
        let alone = line.is_some_and(|line| line.trim_ascii().is_empty())
            || before.trim_ascii_end().ends_with(b"{");
        if cx.inside == Inside::Type && alone && !is_value(cx, draft.node, before.len()) {
            start = before.len();
            draft.span = Some((start, draft.node.end_byte()));
            if word != "static" && draft.kind == Kind::Method {
                draft.kind = Kind::Property;
            }
        }
    }
}

/// Whether the word at a byte in front of a member ends the field before it: `a = b.` and on the next line `get c() {}`.
fn is_value(cx: &Context<'_, '_>, member: Node<'_>, word: usize) -> bool {
    let field = member.prev_named_sibling();
    field.is_some_and(|field| {
        let text = &cx.source.text()[field.byte_range()];
        let mut words = text.split(u8::is_ascii_whitespace);
        field.end_byte() > word
            && words.any(|word| !matches!(word, b"static" | b"get" | b"set" | b""))
    })
}

fn declares_field(parameter: &Node<'_>) -> bool {
    let mut cursor = parameter.walk();
    parameter
        .children(&mut cursor)
        .any(|word| matches!(word.kind(), "accessibility_modifier" | "readonly"))
}

fn enum_member<'t>(cx: &Context<'_, 't>, draft: Draft<'t>) -> Option<Draft<'t>> {
    let member = draft.name_node;
    let name = match member.kind() {
        "enum_assignment" => member.child_by_field_name("name")?,
        "comment" => return None,
        _ => member,
    };
    Some(Draft {
        name: plain_name(&text(cx, name)).to_string(),
        name_node: name,
        node: member,
        value: member.child_by_field_name("value"),
        nest: Nest::None,
        ..draft
    })
}

/// What a class or interface extends and implements.
fn bases(cx: &Context<'_, '_>, node: Node<'_>) -> Vec<String> {
    let (mut found, mut open): (Vec<String>, _) = (vec![], vec![node]);
    while let Some(clause) = open.pop() {
        let mut cursor = clause.walk();
        let first = open.len();
        for child in clause.named_children(&mut cursor) {
            match child.kind() {
                "class_heritage"
                | "extends_clause"
                | "implements_clause"
                | "extends_type_clause" => open.push(child),
                _ if clause == node => {}
                "comment" => {}
                // `extends Base<T>`: an expression, then its type arguments.
                "type_arguments" if !found.is_empty() => {
                    let last = found.len() - 1;
                    found[last].push_str(&text(cx, child));
                }
                _ => found.push(text(cx, child)),
            }
        }
        open[first..].reverse();
    }
    found
}
