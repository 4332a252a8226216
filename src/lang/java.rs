//! Java: bases, record components, what is visible by its place.

use tree_sitter::Node;

use super::fold::fold;
use super::lex;
use super::rules::Hit;
use super::{Context, Docs, Draft, Grammar, Hooks, Inside, Language, Reader};
use crate::model::{Import, Kind};
use crate::source::Source;

pub static JAVA: Language = Language {
    name: "java",
    aliases: &[],
    extensions: &["java"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Grammar(
        Grammar::new(
            tree_sitter_java::LANGUAGE,
            &[("java.scm", include_str!("../../queries/java.scm"))],
            ".",
            Docs {
                line: &["///"],
                not_line: &["////"],
                block: Some(("/**", "*/")),
                not_block: &["/**/"],
                detached: true,
                values_only: false,
            },
            Hooks {
                define,
                exported,
                imports,
                respell,
                ..Hooks::DEFAULT
            },
        )
        .lexis(&lex::JAVA)
        .decorated_inside(),
    ),
};

fn define<'t>(
    cx: &mut Context<'_, 't>,
    _: &Hit<'_, 't>,
    mut draft: Draft<'t>,
    out: &mut Vec<Draft<'t>>,
) {
    let parameter = is_parameter(draft.node);
    if parameter && cx.inside != Inside::Type {
        return;
    }
    if draft.kind.is_type() {
        draft.bases = bases(cx, draft.node);
    }
    out.push(draft);
}

fn is_parameter(node: Node<'_>) -> bool {
    matches!(node.kind(), "formal_parameter" | "spread_parameter")
}

/// What stands behind `extends` and `implements`, not behind `permits`.
fn bases(cx: &Context<'_, '_>, node: Node<'_>) -> Vec<String> {
    let mut cursor = node.walk();
    let clauses = node.named_children(&mut cursor).filter(|clause| {
        matches!(
            clause.kind(),
            "superclass" | "super_interfaces" | "extends_interfaces"
        )
    });
    let mut found = vec![];
    for clause in clauses {
        let list = clause
            .named_child(0)
            .filter(|list| list.kind() == "type_list");
        let list = list.unwrap_or(clause);
        let mut cursor = list.walk();
        let types = list
            .named_children(&mut cursor)
            .filter(|node| !node.is_extra());
        found.extend(types.map(|node| fold(cx.source, cx.rules, node)));
    }
    found
}

/// Public or protected, in words or by its place. What an unnamed class holds is never visible.
fn exported(cx: &Context<'_, '_>, draft: &Draft<'_>) -> bool {
    let named = |kind: Kind| kind.is_type() || kind == Kind::EnumMember;
    if cx.owner.is_some_and(|(kind, _)| !named(kind)) {
        return false;
    }
    let mut cursor = draft.node.walk();
    let modifiers = draft
        .node
        .named_children(&mut cursor)
        .find(|node| node.kind() == "modifiers");
    let has = |words: &[&str]| {
        modifiers.is_some_and(|list| {
            let mut cursor = list.walk();
            list.children(&mut cursor)
                .any(|node| words.contains(&node.kind()))
        })
    };
    let by_place = matches!(draft.kind, Kind::EnumMember | Kind::Module)
        || is_parameter(draft.node)
        || cx.owner.is_some_and(|(kind, _)| kind == Kind::Interface);
    has(&["public", "protected"]) || by_place && !has(&["private"])
}

/// `java.util.List` is `List` of `java.util`, static or not; a wildcard is `*`.
fn imports(source: &Source, node: Node<'_>, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let mut named = node
        .named_children(&mut cursor)
        .filter(|node| !node.is_extra());
    let Some(path) = named.next() else { return };
    let path = source.str(path.byte_range());
    let path: String = path.split_whitespace().collect();
    let (module, name) = match (named.next(), path.rsplit_once('.')) {
        (None, Some((module, name))) => (module, name),
        _ => (path.as_str(), "*"),
    };
    out.push(Import {
        module: module.to_string(),
        names: vec![name.to_string()],
        line: node.start_position().row as u32 + 1,
    });
}

/// Spells `\u007b` as the character it stands for, in the same length.
fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = text.to_vec();
    let mut at = 0;
    while let Some(next) = text[at..].iter().position(|&byte| byte == b'\\') {
        let start = at + next;
        let marks = text[start + 1..].iter().take_while(|&&byte| byte == b'u');
        let digits = start + 1 + marks.count();
        let end = (digits + 4).min(text.len());
        let hex = std::str::from_utf8(&text[digits..end]).unwrap_or("");
        let code = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 4);
        at = match code.filter(|_| digits > start + 1).map(char::from_u32) {
            // What the backslash escapes can be another one.
            None => (start + 2).min(text.len()),
            Some(mark) => {
                spell(mark, &mut out[start..end]);
                end
            }
        };
    }
    (out != text).then_some(out)
}

fn spell(mark: Option<char>, place: &mut [u8]) {
    let last = place.len() - 1;
    match mark.and_then(|mark| u8::try_from(mark).ok()) {
        Some(mark) if mark.is_ascii_alphanumeric() => {
            place.fill(b'_');
            place[0] = mark;
        }
        // What opens begins here, what closes or escapes ends here.
        Some(mark) if mark.is_ascii() => {
            let at = if b"{([".contains(&mark) { 0 } else { last };
            place.fill(b' ');
            // A line break would move all lines behind it.
            place[at] = if mark.is_ascii_control() { b' ' } else { mark };
        }
        // Any letter will do for another one.
        _ => place.fill(b'u'),
    }
}
