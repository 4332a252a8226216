//! Python: docstrings, accessors, kinds of assignments, `__all__`.

use tree_sitter::Node;

use super::fold::fold;
use super::lex;
use super::rules::{Capture, Hit};
use super::{Context, Docs, Draft, Grammar, Hooks, Inside, Language, Nest, Reader};
use crate::model::{Import, Kind};
use crate::source::Source;

pub static PYTHON: Language = Language {
    name: "python",
    aliases: &["py"],
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy"],
    sniff: None,
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_python::LANGUAGE,
            &[("python.scm", include_str!("../../queries/python.scm"))],
            ".",
            Docs {
                line: &["#:", "#"],
                not_line: &["#!"],
                block: None,
                not_block: &[],
                detached: false,
                values_only: true,
            },
            Hooks {
                define,
                exported,
                imports,
                inner_doc,
                ..Hooks::DEFAULT
            },
        )
        .lexis(&lex::PYTHON),
    ),
};

fn define<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    match draft.kind {
        Kind::Class => draft.bases = bases(cx, hit.get(Capture::Bases)),
        Kind::Variable => return assigned(cx, hit, draft, out),
        Kind::Type => {
            // `type Pair[T] = ...`: the grammar takes the parameters for a part of the name.
            draft
                .name
                .truncate(draft.name.find('[').unwrap_or(draft.name.len()));
            // `type(x).y = ...` is an assignment.
            if !draft.name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return;
            }
        }
        Kind::Function => {
            let decorated = |names: &[&str]| {
                cx.decorators
                    .iter()
                    .any(|node| names.contains(&decorator_name(cx, *node)))
            };
            if cx.inside == Inside::Type
                && decorated(&["property", "cached_property", "setter", "getter", "deleter"])
            {
                draft.kind = Kind::Property;
            }
            draft.declaration =
                decorated(&["overload", "abstractmethod"]) || draft.body.is_none_or(is_stub);
        }
        _ => {}
    }
    out.push(draft);
}

/// One entry for each plain name on the left: `a = 1`, `a: int`, `a, *b = c`, `a = b = c`.
fn assigned<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    if is_chained(cx.source, draft.node) {
        return;
    }
    let mut targets = vec![draft.name_node];
    while let Some(next) = draft.value.filter(|value| value.kind() == "assignment") {
        targets.extend(next.child_by_field_name("left"));
        draft.value = next.child_by_field_name("right");
    }
    let listed = listed_names(cx.source, draft.value);
    if draft.node.kind() == "augmented_assignment" {
        if draft.name == "__all__" {
            cx.exports.extend(listed);
        }
        return;
    }
    let function = draft.value.filter(|value| value.kind() == "lambda");
    draft.body = function.and_then(|function| function.child_by_field_name("body"));
    draft.nest = Nest::None;
    targets.reverse();
    while let Some(target) = targets.pop() {
        let mut cursor = target.walk();
        match target.kind() {
            "identifier" => {}
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                let children: Vec<_> = target.named_children(&mut cursor).collect();
                targets.extend(children.into_iter().rev());
                continue;
            }
            _ => continue,
        }
        let name = cx.source.str(target.byte_range()).into_owned();
        if name == "__all__" {
            cx.exports.extend(listed.iter().cloned());
        }
        let kind = match draft.body {
            Some(_) => Kind::Function,
            None => assigned_kind(cx, &name, hit, draft.value),
        };
        out.push(Draft {
            kind,
            name,
            name_node: target,
            nest: Nest::None,
            ..draft.clone()
        });
    }
}

/// Whether an assignment is the value of another, which lists its names.
fn is_chained(source: &Source, node: Node<'_>) -> bool {
    let head = &source.text()[..node.start_byte()];
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
    head.iter().rev().find(|byte| !blank(byte)) == Some(&b'=')
}

fn assigned_kind(
    cx: &Context<'_, '_>,
    name: &str,
    hit: &Hit<'_, '_>,
    value: Option<Node<'_>>,
) -> Kind {
    let callee = value.and_then(|value| value.child_by_field_name("function"));
    let callee = callee.map(|node| last_part(&cx.source.str(node.byte_range())).to_string());
    let annotation = hit
        .node
        .child_by_field_name("type")
        .map(|node| cx.source.str(node.byte_range()));
    match callee.as_deref() {
        _ if annotation.is_some_and(|text| last_part(&text) == "TypeAlias") => Kind::Type,
        _ if cx.inside == Inside::Type => Kind::Field,
        _ if cx.inside == Inside::Callable => Kind::Variable,
        Some("NewType" | "TypeAliasType") => Kind::Type,
        // A type variable is no type of its own, whatever the case of its name.
        Some("TypeVar" | "ParamSpec" | "TypeVarTuple") => Kind::Variable,
        Some("namedtuple" | "NamedTuple") => Kind::Class,
        _ if is_all_caps(name) => Kind::Constant,
        _ => Kind::Variable,
    }
}

fn is_all_caps(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

fn last_part(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}

/// String items of `__all__ = [...]`.
fn listed_names(source: &Source, value: Option<Node<'_>>) -> Vec<String> {
    let Some(list) = value else { return vec![] };
    let mut cursor = list.walk();
    let strings = list
        .named_children(&mut cursor)
        .filter(|node| node.kind() == "string");
    strings
        .map(|node| {
            source
                .str(node.byte_range())
                .trim_matches(['"', '\''])
                .to_string()
        })
        .collect()
}

fn bases(cx: &Context<'_, '_>, list: Option<Node<'_>>) -> Vec<String> {
    let Some(list) = list else { return vec![] };
    let mut cursor = list.walk();
    let listed = list
        .named_children(&mut cursor)
        .filter(|node| !matches!(node.kind(), "keyword_argument" | "comment"));
    listed.map(|node| fold(cx.source, cx.rules, node)).collect()
}

/// `setter` of `@level.setter`, `wraps` of `@functools.wraps(fn)`.
fn decorator_name<'a>(cx: &Context<'a, '_>, decorator: Node<'_>) -> &'a str {
    let text = std::str::from_utf8(&cx.source.text()[decorator.byte_range()]).unwrap_or("");
    let dotted = text.trim_start_matches('@').split('(').next().unwrap_or("");
    last_part(dotted.trim())
}

/// A body of nothing but a docstring and `...`.
fn is_stub(body: Node<'_>) -> bool {
    let mut cursor = body.walk();
    let statements = body
        .named_children(&mut cursor)
        .filter(|node| node.kind() != "comment");
    let mut kinds = statements.map(|node| node.named_child(0).map_or("", |inner| inner.kind()));
    let first = kinds.find(|kind| *kind != "string");
    first == Some("ellipsis") && kinds.next().is_none()
}

fn exported(_: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let dunder = draft.name.starts_with("__") && draft.name.ends_with("__");
    !draft.name.starts_with('_') || dunder
}

fn inner_doc(cx: &Context<'_, '_>, draft: &Draft<'_>) -> Option<String> {
    let mut cursor = draft.body?.walk();
    let first = draft
        .body?
        .named_children(&mut cursor)
        .find(|node| node.kind() != "comment")?;
    let alone = first.kind() == "expression_statement" && first.named_child_count() == 1;
    let text = first.named_child(0).filter(|_| alone)?;
    let mut cursor = text.walk();
    let parts: Vec<_> = match text.kind() {
        "string" => vec![text],
        "concatenated_string" => text.named_children(&mut cursor).collect(),
        _ => return None,
    };
    parts.iter().map(|part| string_text(cx, *part)).collect()
}

/// What stands between the quotes; none for formatted strings and bytes.
fn string_text(cx: &Context<'_, '_>, string: Node<'_>) -> Option<String> {
    let mut cursor = string.walk();
    let mut text = String::new();
    for part in string.named_children(&mut cursor) {
        let written = cx.source.str(part.byte_range());
        match part.kind() {
            "string_start" if written.contains(['f', 'F', 'b', 'B', 't', 'T']) => return None,
            "string_content" => text.push_str(&written),
            _ => {}
        }
    }
    Some(text)
}

fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let text = |node: Node<'_>| source.str(node.byte_range()).into_owned();
    let line = node.start_position().row as u32 + 1;
    let mut cursor = node.walk();
    let named: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    let name = |node: &Node<'_>| text(node.child_by_field_name("name").unwrap_or(*node));
    match node.kind() {
        "import_statement" => {
            out.extend(named.iter().map(|node| Import {
                module: name(node),
                names: vec![],
                line,
            }));
        }
        _ => {
            let module = node
                .child_by_field_name("module_name")
                .map_or("__future__".into(), text);
            let wildcard = named.is_empty().then(|| "*".to_string());
            let names = named.iter().map(name).chain(wildcard).collect();
            out.push(Import {
                module,
                names,
                line,
            });
        }
    }
}
