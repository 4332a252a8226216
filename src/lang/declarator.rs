//! The way from a declarator's outside to its name: what wraps the name says what it is, what stands in front of it
//! where it belongs. A loop, never recursion: declarators nest as deep as the file says.

use tree_sitter::Node;

use super::Context;
use super::fold::{fold, fold_range};

/// What a declarator declares: the way from the outside to the name.
pub struct Declared<'t> {
    pub name_node: Node<'t>,
    pub name: String,
    /// First byte of the name.
    pub start: usize,
    /// Scopes in front of the name.
    pub scope: String,
    /// The innermost wrapping, which says what the name is: its parameters if that is a function.
    pub function: Option<Node<'t>>,
    /// What follows `*` nearest to the name is `const`; none without a `*`.
    pub const_pointer: Option<bool>,
    pub value: Option<Node<'t>>,
}

/// Follows a declarator to its name.
pub fn declared<'t>(cx: &Context<'_, 't>, declarator: Node<'t>) -> Declared<'t> {
    let mut found = Declared {
        name_node: declarator,
        name: String::new(),
        start: 0,
        scope: String::new(),
        function: None,
        const_pointer: None,
        value: None,
    };
    let mut node = declarator;
    loop {
        let inner = node.child_by_field_name("declarator");
        let next = match node.kind() {
            "init_declarator" => {
                found.value = node.child_by_field_name("value");
                inner
            }
            "function_declarator" => {
                found.function = Some(node);
                bracketed_name(inner).or(inner)
            }
            "pointer_declarator" => {
                let is_const = child_of_kind(node, "type_qualifier")
                    .is_some_and(|node| cx.source.str(node.byte_range()) == "const");
                (found.function, found.const_pointer) = (None, Some(is_const));
                inner
            }
            "array_declarator" => {
                found.function = None;
                inner
            }
            "reference_declarator" => {
                found.function = None;
                last_named(node)
            }
            "parenthesized_declarator" => last_named(node),
            "attributed_declarator" | "dependent_name" => node.named_child(0),
            // A pointer to a member: what stands in front is no scope of the name.
            "pointer_type_declarator" => {
                found.scope.clear();
                inner
            }
            "qualified_identifier" => {
                scope(cx, node, &mut found.scope);
                node.child_by_field_name("name")
            }
            "operator_cast" => {
                found.function = conversion(node);
                None
            }
            _ => None,
        };
        let Some(next) = next else { break };
        node = next;
    }
    found.name_node = node;
    found.name = name(cx, node, found.function);
    found.start = word_start(cx, node);
    if found.start < node.start_byte() {
        found.name = cx.source.str(found.start..node.end_byte()).into_owned();
    }
    found
}

/// What a parser that lost its way takes for a name is often none.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '~' | '$'))
        && !matches!(
            name,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "return"
                | "sizeof"
                | "struct"
                | "union"
                | "enum"
                | "class"
                | "typedef"
        )
}

/// Where the word begins that a node is the end of: the parser saw the head of an untyped function's name as its type.
fn word_start(cx: &Context<'_, '_>, node: Node<'_>) -> usize {
    let head = &cx.source.text()[..node.start_byte()];
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    match node.kind() {
        "identifier" => head.len() - head.iter().rev().take_while(is_word).count(),
        _ => head.len(),
    }
}

/// `Type (name)(...)`, which the grammar reads as a function `Type` that returns a function.
fn bracketed_name(inner: Option<Node<'_>>) -> Option<Node<'_>> {
    let inner = inner.filter(|node| node.kind() == "function_declarator")?;
    let list = inner.child_by_field_name("parameters")?;
    let parameter = list
        .named_child(0)
        .filter(|_| list.named_child_count() == 1)?;
    let name = parameter
        .named_child(0)
        .filter(|_| parameter.named_child_count() == 1)?;
    (name.kind() == "type_identifier").then_some(name)
}

/// The text of a name: operators without spaces, conversions without their parameters.
fn name<'t>(cx: &Context<'_, 't>, node: Node<'t>, function: Option<Node<'t>>) -> String {
    let parameters = function.and_then(|node| node.child_by_field_name("parameters"));
    let text = match node.kind() {
        "operator_cast" => {
            let end = parameters.map_or(node.end_byte(), |list| list.start_byte());
            fold_range(cx.source, cx.rules, node, node.start_byte()..end, &[])
        }
        _ => fold(cx.source, cx.rules, node),
    };
    match text.strip_prefix("operator") {
        Some(rest) if node.kind().starts_with("operator") => {
            let rest = rest.trim().replace("\"\" ", "\"\"");
            let space = if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                " "
            } else {
                ""
            };
            format!("operator{space}{rest}")
        }
        _ => text.replace("~ ", "~"),
    }
}

/// `inline A::operator b::C() {`: the grammar takes `A::operator` for the result and `b::C` for the name.
pub fn conversion_type<'t>(
    cx: &Context<'_, 't>,
    node: Node<'t>,
    declared: &mut Declared<'t>,
) -> bool {
    let (mut name, mut owner) = (node, String::new());
    while name.kind() == "qualified_identifier"
        && let Some(inner) = name.child_by_field_name("name")
    {
        scope(cx, name, &mut owner);
        name = inner;
    }
    if owner.is_empty() || &*cx.source.str(name.byte_range()) != "operator" {
        return false;
    }
    let target = std::mem::replace(&mut declared.scope, owner);
    let separator = if target.is_empty() { "" } else { "::" };
    declared.name = format!("operator {target}{separator}{}", declared.name);
    true
}

/// The function a conversion operator is: its parameters hang on an unnamed declarator.
fn conversion(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node.child_by_field_name("declarator")?;
    while node.child_by_field_name("parameters").is_none() {
        node = node
            .child_by_field_name("declarator")
            .or_else(|| last_named(node))?;
    }
    Some(node)
}

/// Appends one scope in front of a name. The arguments of a primary template are its own parameters again and go.
fn scope<'t>(cx: &Context<'_, 't>, node: Node<'t>, out: &mut String) {
    let Some(scope) = node.child_by_field_name("scope") else {
        return;
    };
    let mut text = fold(cx.source, cx.rules, scope);
    if let Some(arguments) = scope.child_by_field_name("arguments") {
        let given = names(cx, arguments);
        let mut wrapper = cx.wrapper;
        while let Some(template) = wrapper.filter(|node| node.kind() == "template_declaration") {
            let own = template
                .child_by_field_name("parameters")
                .map(|list| names(cx, list));
            if own.is_some_and(|own| own == given) {
                text = fold_range(
                    cx.source,
                    cx.rules,
                    scope,
                    scope.start_byte()..arguments.start_byte(),
                    &[],
                );
            }
            wrapper = last_named(template);
        }
    }
    if !out.is_empty() {
        out.push_str("::");
    }
    out.push_str(&text);
}

/// Names of a template's parameters, or of the arguments given to it.
fn names(cx: &Context<'_, '_>, list: Node<'_>) -> Vec<String> {
    let mut cursor = list.walk();
    let text = |node: Node<'_>| {
        let text = fold(cx.source, cx.rules, node);
        let declared = text.split('=').next().unwrap_or("").trim();
        match list.kind() {
            "template_parameter_list" => {
                declared.rsplit([' ', '.']).next().unwrap_or("").to_string()
            }
            _ => text.trim_end_matches("...").trim().to_string(),
        }
    };
    list.named_children(&mut cursor).map(text).collect()
}

pub fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| child.kind() == kind)
}

pub fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}
