//! Rust: impl blocks, visibility, documentation in every place, use trees, definitions inside of macro calls.

use std::collections::HashMap;

use tree_sitter::{Node, Range};

use super::fold::fold;
use super::lex;
use super::rules::{Capture, Hit};
use super::{Context, Docs, Draft, Grammar, Hooks, Language, Nest, Reader};
use crate::model::{Import, Kind};
use crate::source::Source;

type Span = std::ops::Range<usize>;

pub static RUST: Language = Language {
    name: "rust",
    aliases: &["rs"],
    extensions: &["rs"],
    file_names: &[],
    interpreters: &["rust-script"],
    sniff: None,
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_rust::LANGUAGE,
            &[("rust.scm", include_str!("../../queries/rust.scm"))],
            "::",
            Docs {
                line: &["///"],
                not_line: &["////"],
                block: Some(("/**", "*/")),
                not_block: &["/***", "/**/"],
                detached: true,
                values_only: false,
            },
            Hooks {
                define,
                exported,
                imports,
                inner_doc,
                embedded,
                respell,
                ..Hooks::DEFAULT
            },
        )
        .lexis(&lex::RUST),
    ),
};

fn define<'t>(
    cx: &mut Context<'_, 't>,
    hit: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    draft.declaration = draft.node.kind() == "function_signature_item";
    match draft.kind {
        Kind::Impl => name_impl(cx, hit, &mut draft),
        Kind::Trait => draft.bases = bounds(cx, hit),
        Kind::Macro => draft.body = child(draft.node, |node| "{([".contains(node.kind())),
        // Blocks in a value may hold definitions, but its name is not their scope.
        Kind::Constant | Kind::Variable => (draft.listed, draft.nest) = (true, Nest::None),
        Kind::Module | Kind::Type => respelled(cx, &mut draft),
        _ => {}
    }
    // `const _` names nothing, `$name` is a macro's.
    if draft.name != "_" && !draft.name.starts_with('$') {
        out.push(draft);
    }
}

/// `Type` or `Trait for Type`; arguments of the type itself are left out, those of the trait tell impl blocks apart.
fn name_impl<'t>(cx: &Context<'_, 't>, hit: &Hit<'_, 't>, draft: &mut Draft<'t>) {
    let generic = draft.name_node.kind() == "generic_type";
    let bare = draft.name_node.child_by_field_name("type");
    if let Some(bare) = bare.filter(|_| generic) {
        draft.name = fold(cx.source, cx.rules, bare);
    }
    if let Some(of) = hit.get(Capture::Bases) {
        let not = child(draft.node, |node| node.kind() == "!").map_or("", |_| "!");
        let of = format!("{not}{}", fold(cx.source, cx.rules, of));
        draft.segment = Some(format!("<{} as {of}>", draft.name));
        draft.name = format!("{of} for {}", draft.name);
        draft.bases = vec![of];
    }
}

fn bounds(cx: &Context<'_, '_>, hit: &Hit<'_, '_>) -> Vec<String> {
    let Some(list) = hit.get(Capture::Bases) else {
        return vec![];
    };
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|node| !matches!(node.kind(), "lifetime" | "line_comment" | "block_comment"))
        .map(|node| fold(cx.source, cx.rules, node))
        .collect()
}

/// Takes up what `respell` wrote as something else.
fn respelled(cx: &Context<'_, '_>, draft: &mut Draft<'_>) {
    let head = draft.node.start_byte()..draft.name_node.start_byte();
    match cx.source.str(head).split_whitespace().next_back() {
        Some("macro") => draft.kind = Kind::Macro,
        Some("trait") => (draft.kind, draft.value) = (Kind::Trait, None),
        _ => {}
    }
}

fn child<'t>(node: Node<'t>, wanted: impl Fn(&Node<'t>) -> bool) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(wanted)
}

fn exported(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let text = |node: &Node<'_>| cx.source.str(node.byte_range());
    match cx.owner {
        _ if draft.kind == Kind::Impl => true,
        Some((Kind::Trait | Kind::EnumMember, _)) => true,
        Some((Kind::Enum, _)) if draft.kind == Kind::EnumMember => true,
        Some((Kind::Impl, name)) if name.contains(" for ") => true,
        _ if draft.node.kind() == "macro_definition" => cx
            .decorators
            .iter()
            .any(|node| text(node).starts_with("#[macro_export")),
        _ => child(draft.node, |node| node.kind() == "visibility_modifier")
            .is_some_and(|node| text(&node) == "pub"),
    }
}

/// Documentation among the attributes, as an attribute, and at the top of a body.
fn inner_doc(cx: &Context<'_, '_>, draft: &Draft<'_>) -> Option<String> {
    let ends = cx.decorators.iter().skip(1).map(Node::start_byte);
    let ends = ends.chain([draft.node.start_byte()]);
    let among = cx.decorators.iter().zip(ends).find_map(|(node, end)| {
        attribute_doc(cx, *node).or_else(|| outer_comments(&cx.source.str(node.end_byte()..end)))
    });
    let inside = || {
        let mut cursor = draft.body?.walk();
        let top = draft.body?.named_children(&mut cursor);
        let lines: Vec<String> = top
            .map_while(|node| match node.kind() {
                "inner_attribute_item" => Some(attribute_doc(cx, node).unwrap_or_default()),
                "line_comment" | "block_comment" => {
                    let inner = node.child_by_field_name("inner").is_some();
                    let text = node
                        .child_by_field_name("doc")
                        .filter(|_| inner)
                        .map(|doc| cx.source.str(doc.byte_range()).into_owned());
                    Some(text.unwrap_or_default())
                }
                _ => None,
            })
            .collect();
        Some(lines.join("\n"))
    };
    among.or_else(inside)
}

/// The text of `#[doc = "..."]`.
fn attribute_doc(cx: &Context<'_, '_>, item: Node<'_>) -> Option<String> {
    let attribute = child(item, |node| node.kind() == "attribute")?;
    let value = attribute.child_by_field_name("value")?;
    let content = child(value, |node| node.kind() == "string_content")?;
    let named_doc = cx
        .source
        .str(attribute.start_byte()..value.start_byte())
        .split('=')
        .next()
        .is_some_and(|name| name.trim() == "doc");
    named_doc.then(|| cx.source.str(content.byte_range()).into_owned())
}

/// The doc comments of a text that holds nothing but comments.
fn outer_comments(text: &str) -> Option<String> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("////"))
        .filter_map(|line| line.strip_prefix("///").or(line.strip_prefix("/**")))
        .map(|line| line.trim_end_matches("*/"))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Longest path, in bytes, under which a use tree is read.
const MAX_PATH: usize = 2000;

/// One import for each module of a use tree.
fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let line = node.start_position().row as u32 + 1;
    let text = |node: Node<'_>| -> String {
        let text = source.str(node.byte_range());
        text.split_whitespace().collect()
    };
    let mut places = HashMap::new();
    let mut add = |module: &str, name: Option<&str>| {
        let place = *places.entry(module.to_string()).or_insert(out.len());
        if place == out.len() {
            out.push(Import {
                module: module.to_string(),
                names: vec![],
                line,
            });
        }
        out[place].names.extend(name.map(str::to_string));
    };
    let named = node.child_by_field_name("name");
    let mut open: Vec<_> = named
        .or(node.child_by_field_name("argument"))
        .map(|node| (String::new(), node))
        .into_iter()
        .collect();
    while let Some((path, node)) = open.pop() {
        let below = |node: Option<Node<'_>>| {
            let parts = [path.clone(), node.map(text).unwrap_or_default()];
            parts.join(if path.is_empty() || node.is_none() {
                ""
            } else {
                "::"
            })
        };
        match node.kind() {
            // Paths of trees of any depth would take memory with its square.
            "use_list" if path.len() > MAX_PATH => add(&path, None),
            "use_list" => {
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).collect();
                open.extend(children.into_iter().rev().map(|node| (path.clone(), node)));
            }
            "scoped_use_list" => {
                let list = node.child_by_field_name("list");
                let path = below(node.child_by_field_name("path"));
                open.extend(list.map(|list| (path, list)));
            }
            "use_as_clause" => {
                open.extend(node.child_by_field_name("path").map(|node| (path, node)))
            }
            "use_wildcard" => add(&below(node.named_child(0)), Some("*")),
            "line_comment" | "block_comment" => {}
            _ => {
                let whole = below(Some(node));
                match whole.rsplit_once("::") {
                    Some((module, name)) => add(module, Some(name)),
                    None => add(&whole, None),
                }
            }
        }
    }
}

/// The insides of a macro call's arguments that read like definitions: all of it, or blocks in it (`if #[cfg(a)] { .. }`).
fn embedded(call: Node<'_>) -> Vec<Range> {
    let mut found = vec![];
    let mut open: Vec<Node<'_>> = child(call, |node| node.kind() == "token_tree")
        .into_iter()
        .collect();
    while let Some(tree) = open.pop() {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        if defines(&tokens) {
            found.extend(inside(&tokens));
        } else if found.len() + open.len() < MAX_PARTS {
            let blocks = tokens.iter().rev().filter(|node| {
                node.kind() == "token_tree" && node.child(0).is_some_and(|open| open.kind() == "{")
            });
            open.extend(blocks);
        }
    }
    found
}

/// Blocks of one macro call that are looked at.
const MAX_PARTS: usize = 1000;

/// A keyword of a definition with a name behind it.
fn defines(tokens: &[Node<'_>]) -> bool {
    tokens.windows(2).any(|pair| match pair[0].kind() {
        "fn" | "struct" | "enum" | "mod" | "trait" | "type" | "union" | "const" | "static" => {
            matches!(pair[1].kind(), "identifier" | "ref" | "mutable_specifier")
        }
        "impl" => true,
        _ => false,
    })
}

/// What lies between the first token and the last.
fn inside(tokens: &[Node<'_>]) -> Option<Range> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(Range {
        start_byte: first.end_byte(),
        start_point: first.end_position(),
        end_byte: last.start_byte(),
        end_point: last.start_position(),
    })
}

/// Writes forms the grammar lacks as what it reads in the same way: `safe fn` as `pub  fn`, `trait A = B;` as a type,
/// `macro m($x:expr) { .. }` as an empty module; `respelled` sets the kind right.
fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = text.to_vec();
    let mut last = 0..0;
    // End of the last macro, and whether one was not closed: then none behind it is.
    let (mut macro_end, mut unclosed) = (0, false);
    for word in words(text) {
        let (before, name) = (std::mem::replace(&mut last, word.clone()), word);
        let gap = &text[before.end..name.start];
        if gap.is_empty() || !gap.iter().all(u8::is_ascii_whitespace) || name.start < macro_end {
            continue;
        }
        let (range, other) = match (&text[before.clone()], &text[name.clone()]) {
            (b"auto" | b"const", b"trait")
            | (b"safe" | b"gen", b"fn")
            | (b"safe" | b"unsafe", b"static")
            | (b"unsafe", b"mod")
            | (b"default", b"const" | b"type") => {
                let modified = is_modified(&text[..before.start]);
                (before, if modified { "" } else { "pub" })
            }
            (b"default", b"impl") => (before, "unsafe"),
            (b"impl", b"const") => (name, ""),
            (b"trait", _) if is_alias(&text[name.end..]) => (before, "type"),
            (b"macro", _) if !unclosed && is_macro(text, &before, &name) => {
                match blank_macro(&mut out, name.end) {
                    Some(end) => {
                        macro_end = end;
                        (before, "mod")
                    }
                    None => {
                        unclosed = true;
                        continue;
                    }
                }
            }
            _ => continue,
        };
        blank(&mut out[range.clone()]);
        out[range.start..range.start + other.len()].copy_from_slice(other.as_bytes());
    }
    (out != text).then_some(out)
}

/// Ranges of runs of letters, digits and `_`.
fn words(text: &[u8]) -> impl Iterator<Item = Span> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(is_word)?;
        let rest = &text[start..];
        at = start
            + rest
                .iter()
                .position(|byte| !is_word(byte))
                .unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Whether another modifier stands in front, on the same line.
fn is_modified(head: &[u8]) -> bool {
    let last = head.iter().rev().find(|byte| !b" \t".contains(byte));
    last.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b')')
}

/// Whether a macro's parameters or rules follow, and nothing but a visibility stands in front: prose speaks of macros too.
fn is_macro(text: &[u8], keyword: &Span, name: &Span) -> bool {
    let near = &text[keyword.start.saturating_sub(MAX_HEAD)..keyword.start];
    let line = near.rsplit(|&byte| byte == b'\n').next().unwrap_or(near);
    let front = line.trim_ascii_start();
    let next = text[name.end..]
        .iter()
        .find(|byte| !byte.is_ascii_whitespace());
    (front.is_empty() || front.starts_with(b"pub")) && next.is_some_and(|byte| b"({".contains(byte))
}

/// Whether `=` follows a trait's name and parameters.
fn is_alias(rest: &[u8]) -> bool {
    let mut depth = 0;
    let end = rest.iter().take(MAX_HEAD).find(|byte| {
        depth += i32::from(**byte == b'<') - i32::from(**byte == b'>');
        depth == 0 && b"={;:".contains(byte)
    });
    end == Some(&b'=')
}

/// Longest part of a head that is looked through.
const MAX_HEAD: usize = 1000;

/// Blanks a macro's parameters and what its braces hold, up to the byte it gives; none if they are not closed.
fn blank_macro(out: &mut [u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    let mut open = None;
    for end in at..out.len() {
        let byte = out[end];
        if byte == b'{' && depth == 0 {
            open = Some(end);
        }
        depth += i32::from(b"({[".contains(&byte)) - i32::from(b")}]".contains(&byte));
        if let (Some(open), 0) = (open, depth) {
            blank(&mut out[at..open]);
            blank(&mut out[open + 1..end]);
            return Some(end);
        }
    }
    None
}

/// Overwrites with spaces; lines stay.
fn blank(text: &mut [u8]) {
    let inked = text.iter_mut().filter(|byte| !byte.is_ascii_whitespace());
    inked.for_each(|byte| *byte = b' ');
}
