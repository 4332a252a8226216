//! The first line of a text answer about a file: what it is, which version, how much of it is shown.

use super::{Declared, File, visible};
use crate::model::{Kind, Outline};
use crate::view::{Plan, View, counts};

/// `## src/a.py (python, 412 lines, 38 definitions, version 3fa9c1d2e4b5, view docs)`
pub fn header(file: &File<'_>, plan: &Plan, declared: &Declared) -> String {
    let outline = file.outline;
    let mut facts = vec![
        file.language.name.to_string(),
        plural(outline.lines as usize, "line"),
    ];
    match outline.table {
        Some(table) => {
            facts.push(plural(outline.items.len(), "column"));
            facts.push(plural(table.rows as usize, "row"));
            facts.push(format!("delimiter {:?}", char::from(table.delimiter)));
        }
        None if file.language.is_plain() => {}
        None => facts.push(definitions(outline, plan)),
    }
    facts.push(format!("version {}", file.version));
    facts.push(declared.facts(plan.view.name()));
    if !outline.complete() {
        facts.push("incomplete".to_string());
    }
    let pointer = file.pointer.as_ref();
    facts.extend(pointer.map(|pointer| format!("evidence {pointer}")));
    format!("## {} ({})", visible(&file.path), facts.join(", "))
}

fn definitions(outline: &Outline, plan: &Plan) -> String {
    let total = outline.items.len();
    let word = match outline.items.first().map(|item| item.kind) {
        Some(Kind::Heading) => "heading",
        Some(Kind::Key) => "key",
        _ => "definition",
    };
    let all = plural(total, word);
    match plan.view {
        View::Counts if total > 0 => {
            let each: Vec<String> = counts(outline)
                .iter()
                .map(|&(kind, count)| plural(count, &kind.name().replace('_', " ")))
                .collect();
            if each.len() == 1 && word != "definition" {
                all
            } else {
                format!("{all}: {}", each.join(" "))
            }
        }
        View::Summary | View::Full | View::Ends | View::Counts => all,
        _ if plan.count_shown() < total => format!("{all}, {} shown", plan.count_shown()),
        _ => all,
    }
}

/// `1 line`, `2 lines`, `3 classes`, `3 matches`, `4 properties`.
pub fn plural(count: usize, word: &str) -> String {
    match word
        .strip_suffix("ss")
        .or(word.strip_suffix("ch"))
        .map(|_| "es")
        .or(word.strip_suffix('y').map(|_| "ies"))
    {
        _ if count == 1 => format!("1 {word}"),
        Some("ies") if word != "key" => format!("{count} {}ies", &word[..word.len() - 1]),
        Some("es") => format!("{count} {word}es"),
        _ => format!("{count} {word}s"),
    }
}

/// A fence longer than any in the text.
pub fn fence_for(file: &File<'_>) -> String {
    let longest = file.source.map_or(0, |source| {
        source
            .text()
            .split(|&byte| byte != b'`')
            .map(<[u8]>::len)
            .max()
            .unwrap_or(0)
    });
    "`".repeat(longest.max(2) + 1)
}
