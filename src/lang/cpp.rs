//! C and C++: declarators, the kinds they say, scopes written in front of names, access, which of the two a header is.

use std::path::Path;

use tree_sitter::Node;

use super::declarator::{Declared, child_of_kind, conversion_type, declared, is_name, last_named};
use super::fold::{fold, fold_range};
use super::lex;
use super::preprocess::{self, Dialect};
use super::rules::{Capture, Hit};
use super::{Context, Docs, Draft, Grammar, Home, Hooks, Inside, Language, Nest, Reader};
use crate::model::{Import, Item, Kind};
use crate::source::Source;

const DOCS: Docs = Docs {
    line: &["///", "//!", "//"],
    not_line: &[],
    block: Some(("/*", "*/")),
    not_block: &[],
    detached: false,
    values_only: false,
};

const HOOKS: Hooks = Hooks {
    define,
    exported,
    imports,
    ..Hooks::DEFAULT
};

pub static C: Language = Language {
    name: "c",
    aliases: &[],
    extensions: &["c", "h"],
    file_names: &[],
    interpreters: &[],
    sniff: Some(sniff),
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_c::LANGUAGE,
            &[("c.scm", include_str!("../../queries/c.scm"))],
            "::",
            DOCS,
            Hooks {
                rewrite: Some(|text| preprocess::rewrite(text, Dialect::C)),
                ..HOOKS
            },
        )
        .lexis(&lex::CPP)
        .decorated_inside(),
    ),
};

pub static CPP: Language = Language {
    name: "cpp",
    aliases: &["c++", "cxx"],
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp", "ixx", "cppm",
    ],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_cpp::LANGUAGE,
            &[
                ("cpp.scm", include_str!("../../queries/cpp.scm")),
                ("c.scm", include_str!("../../queries/c.scm")),
            ],
            "::",
            DOCS,
            Hooks {
                rewrite: Some(|text| preprocess::rewrite(text, Dialect::Cpp)),
                ..HOOKS
            },
        )
        .lexis(&lex::CPP)
        .decorated_inside(),
    ),
};

fn define<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    match draft.kind {
        Kind::Macro => draft.home = Home::File,
        Kind::Class | Kind::Struct | Kind::Union | Kind::Enum => {
            let Some(name) = hit.get(Capture::Name) else {
                return;
            };
            let declared = declared(cx, name);
            draft.bases = bases(cx, hit.get(Capture::Bases));
            draft.scope = Some(declared.scope).filter(|scope| !scope.is_empty());
            draft.name = declared.name;
        }
        Kind::Namespace => draft.name = draft.name.replace("inline ", ""),
        Kind::EnumMember => {}
        Kind::Type if hit.get(Capture::Type).is_none() => {}
        _ => return declare(cx, hit, draft, out),
    }
    out.push(draft);
}

/// Functions, objects, fields and typedefs: all that have a declarator.
fn declare<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    if is_local(cx, &draft) {
        return;
    }
    let declarator = draft.name_node;
    let mut declared = declared(cx, declarator);
    let whole = declared.start == declared.name_node.start_byte();
    let type_node = hit.get(Capture::Type).filter(|_| whole);
    let type_node = type_node.filter(|node| !conversion_type(cx, *node, &mut declared));
    draft.value = declared
        .value
        .or(draft.value.filter(|value| follows(cx, declarator, *value)));
    draft.name_node = declared.name_node;
    draft.params = declared
        .function
        .and_then(|node| node.child_by_field_name("parameters"));
    draft.scope = Some(declared.scope.clone()).filter(|scope| !scope.is_empty());
    draft.name = declared.name.clone();
    nest(cx, &mut draft, type_node, declarator);
    if draft.kind != Kind::Type {
        let Some(kind) = declared_kind(cx, &declared, &mut draft, type_node) else {
            return;
        };
        draft.kind = kind;
    }
    if is_name(&draft.name) {
        out.push(draft);
    }
}

/// Locals, and what a macro makes look like a function: C++ has no functions inside of functions. One that begins no
/// further right than the function around it is none of that: there a `}` is missing.
fn is_local(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    if cx.inside != Inside::Callable || draft.kind == Kind::Type {
        return false;
    }
    let column = |byte: u32| byte - cx.source.line_start(cx.source.line_at(byte));
    let around = cx.items.iter().rfind(|item| item.kind.is_callable());
    let inner = |item: &Item| column(item.bytes.start) < column(draft.node.start_byte() as u32);
    draft.kind != Kind::Function || around.is_none_or(inner)
}

/// The kind a declaration gives its name; none for what is no definition.
fn declared_kind<'t>(
    cx: &Context<'_, 't>,
    declared: &Declared<'t>,
    draft: &mut Draft<'t>,
    type_node: Option<Node<'t>>,
) -> Option<Kind> {
    let function = declared.function.is_some();
    let in_type = cx.inside == Inside::Type;
    let owner = match declared.scope.as_str() {
        "" => cx.owner.filter(|_| in_type).map(|(_, name)| name),
        scope => Some(last_part(scope)).filter(|_| !is_namespace(cx, scope)),
    };
    draft.declaration = function && draft.body.is_none();
    if function && has_friend(cx) {
        draft.home = Home::OutsideTypes;
        return draft.body.map(|_| Kind::Function);
    }
    if function {
        draft.head_end =
            child_of_kind(draft.node, "field_initializer_list").map(|node| node.start_byte());
        let special = declared.name.starts_with(['~']) || declared.name.starts_with("operator");
        let bracketed = declared.name_node.kind() == "type_identifier";
        if type_node.is_none() && !special && !bracketed {
            return typeless(cx, declared, draft, owner);
        }
        return Some(if owner.is_some() {
            Kind::Method
        } else {
            Kind::Function
        });
    }
    if let Some(lambda) = draft
        .value
        .filter(|value| value.kind() == "lambda_expression")
    {
        draft.body = lambda.child_by_field_name("body");
        draft.params = lambda
            .child_by_field_name("declarator")
            .and_then(|node| node.child_by_field_name("parameters"));
        return Some(if owner.is_some() {
            Kind::Method
        } else {
            Kind::Function
        });
    }
    if draft.body.is_some() || is_forward(cx, type_node, declared) {
        return None;
    }
    Some(match owner.is_some() || draft.kind == Kind::Field {
        true => Kind::Field,
        false if is_constant(cx, draft.node, declared) => Kind::Constant,
        false => Kind::Variable,
    })
}

/// `class EXPORT Name;`: the grammar takes the macro for the name of the class and the name for an object.
fn is_forward(cx: &Context<'_, '_>, type_node: Option<Node<'_>>, declared: &Declared<'_>) -> bool {
    let plain = declared.const_pointer.is_none() && declared.value.is_none();
    type_node.filter(|_| plain).is_some_and(|node| {
        let text = cx.source.str(node.byte_range());
        let shouts = !text
            .trim_start_matches("struct")
            .contains(char::is_lowercase);
        node.child_by_field_name("body").is_none()
            && (node.kind() == "class_specifier" || node.kind() == "struct_specifier" && shouts)
    })
}

/// A function without a result type: a constructor, or a macro that looks like one.
fn typeless<'t>(
    cx: &Context<'_, 't>,
    declared: &Declared<'t>,
    draft: &mut Draft<'t>,
    owner: Option<&str>,
) -> Option<Kind> {
    let plain = |name: &str| name.split('<').next().unwrap_or("").to_string();
    match owner {
        Some(owner) if plain(owner) == plain(&declared.name) => return Some(Kind::Constructor),
        Some(_) if !declared.scope.is_empty() => return Some(Kind::Method),
        _ => {}
    }
    // Without a body it is a macro's call or a deduction guide.
    draft.body?;
    if !declared.name.chars().any(char::is_lowercase) {
        let end = declared.function?.end_byte();
        draft.name = fold_range(cx.source, cx.rules, draft.node, declared.start..end, &[]);
    }
    Some(Kind::Function)
}

/// Where the members of a type without a name belong, and which part of a declaration is this name's own.
fn nest<'t>(
    cx: &Context<'_, 't>,
    draft: &mut Draft<'t>,
    type_node: Option<Node<'t>>,
    declarator: Node<'t>,
) {
    let first = draft.node.child_by_field_name("declarator");
    let body = type_node.and_then(|node| node.child_by_field_name("body"));
    let (Some(first), Some(type_node)) = (first, type_node) else {
        return;
    };
    let behind = cx.source.text()[declarator.end_byte()..draft.node.end_byte()].trim_ascii_start();
    let several = match behind.first() {
        Some(b':') => behind.contains(&b','),
        next => next == Some(&b','),
    };
    if body.is_some() || first != declarator || several {
        let head = body.map_or(first.start_byte(), |body| body.start_byte());
        draft.own = Some((head, declarator));
    }
    let named = type_node.child_by_field_name("name").is_some();
    let constants = type_node.kind() == "enum_specifier" && draft.kind != Kind::Type;
    draft.nest = match body {
        None => Nest::All,
        Some(_) if draft.kind == Kind::Function => Nest::From(declarator.start_byte() as u32),
        Some(_) if first == declarator && !named && !constants => {
            Nest::Until(type_node.end_byte() as u32)
        }
        Some(_) => Nest::None,
    };
}

fn is_constant(cx: &Context<'_, '_>, node: Node<'_>, declared: &Declared<'_>) -> bool {
    let words = specifiers(cx, node, "type_qualifier");
    let constant = words.iter().any(|word| word == "const");
    words.iter().any(|word| word == "constexpr") || declared.const_pointer.unwrap_or(constant)
}

/// The words of one kind in front of a declaration's first declarator.
fn specifiers(cx: &Context<'_, '_>, node: Node<'_>, kind: &str) -> Vec<String> {
    let first = node.child_by_field_name("declarator");
    let end = first.map_or(node.end_byte(), |first| first.start_byte());
    let mut cursor = node.walk();
    let head = node
        .children(&mut cursor)
        .take_while(|child| child.start_byte() < end);
    let words = head.filter(|child| child.kind() == kind);
    words
        .map(|word| cx.source.str(word.byte_range()).into_owned())
        .collect()
}

/// Whether the file has a namespace of this name.
fn is_namespace(cx: &Context<'_, '_>, scope: &str) -> bool {
    let same = |item: &Item| {
        item.kind == Kind::Namespace
            && item
                .qualname
                .strip_suffix(scope)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    };
    cx.items.iter().any(same)
}

fn has_friend(cx: &Context<'_, '_>) -> bool {
    let mut wrapper = cx.wrapper;
    while let Some(node) = wrapper.filter(|node| node.kind() == "template_declaration") {
        wrapper = last_named(node);
    }
    wrapper.is_some_and(|node| node.kind() == "friend_declaration")
}

fn bases(cx: &Context<'_, '_>, clause: Option<Node<'_>>) -> Vec<String> {
    let Some(clause) = clause else { return vec![] };
    let mut cursor = clause.walk();
    let types = clause.named_children(&mut cursor).filter(|node| {
        !matches!(
            node.kind(),
            "access_specifier" | "attribute_declaration" | "comment"
        )
    });
    types.map(|node| fold(cx.source, cx.rules, node)).collect()
}

/// Not exported: what is private, or `static` outside of types.
fn exported(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let text = |node: Node<'_>| cx.source.str(node.byte_range());
    if cx.inside == Inside::Type && draft.home == Home::Here {
        let class = cx.owner.is_some_and(|(kind, _)| kind == Kind::Class);
        return cx
            .section
            .map_or(!class, |node| !text(node).starts_with("private"));
    }
    let words = specifiers(cx, draft.node, "storage_class_specifier");
    draft.scope.is_some() || !words.iter().any(|word| word == "static")
}

fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let Some(path) = node.child_by_field_name("path") else {
        return;
    };
    let text = source.str(path.byte_range());
    out.push(Import {
        module: text.trim_matches(['"', '<', '>']).to_string(),
        names: vec![],
        line: node.start_position().row as u32 + 1,
    });
}

/// Whether a value belongs to this declarator and not to one behind it.
fn follows(cx: &Context<'_, '_>, declarator: Node<'_>, value: Node<'_>) -> bool {
    declarator.end_byte() <= value.start_byte()
        && !cx.source.text()[declarator.end_byte()..value.start_byte()].contains(&b',')
}

fn last_part(path: &str) -> &str {
    let mut depth = 0;
    let start = path.char_indices().rev().find(|&(_, c)| {
        depth += i32::from(c == '>') - i32::from(c == '<');
        depth == 0 && c == ':'
    });
    start.map_or(path, |(at, _)| &path[at + 1..])
}

/// A header is C++ if its text says so.
fn sniff(path: &Path, source: &Source) -> &'static Language {
    let header = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("h"));
    if header && preprocess::is_cpp(source.text()) {
        &CPP
    } else {
        &C
    }
}
