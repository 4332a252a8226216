//! Changes as JSON, one file a line.

use std::io::{self, Write};

use serde::Serialize;

use super::{Comparison, Definition, FileDiff, FileSide, Label, Moment, breaks, notes, says};
use crate::evidence::Hunk;
use crate::model::Trust;
use crate::outline::diff::{Change, MOVED, RENAMED};
use crate::render::{Evidence, path_bytes};

#[derive(Serialize)]
struct JsonFile<'a> {
    schema: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_version: Option<String>,
    view: &'static str,
    from: JsonLabel<'a>,
    to: JsonLabel<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<JsonSide>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<JsonSide>,
    lines_added: u32,
    lines_removed: u32,
    changes: Vec<JsonChange<'a>>,
    layout: Vec<JsonLayout<'a>>,
    shifted: u32,
    notes: Vec<JsonNote>,
    thresholds: Thresholds,
    truncated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
}

impl<'a> From<&'a Label> for JsonLabel<'a> {
    fn from(label: &'a Label) -> JsonLabel<'a> {
        JsonLabel {
            name: &label.name,
            commit: label.id.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct Thresholds {
    moved: f64,
    renamed: f64,
}

#[derive(Serialize)]
struct JsonSide {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    op: Vec<&'static str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<JsonDefinition<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<JsonDefinition<'a>>,
    lines_added: u32,
    lines_removed: u32,
    #[serde(skip_serializing_if = "is_zero")]
    members: u32,
    exported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    breaking: Option<&'static str>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct JsonDefinition<'a> {
    path: String,
    name: &'a str,
    qualname: &'a str,
    kind: &'static str,
    signature: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    decorators: &'a [String],
    exported: bool,
    start_line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
}

#[derive(Serialize)]
struct JsonLayout<'a> {
    qualname: &'a str,
    before: JsonRange,
    after: JsonRange,
}

#[derive(Serialize)]
struct JsonRange {
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct JsonNote {
    kind: &'static str,
    message: String,
}

/// # Errors
/// Those of the writer.
pub fn lines(out: &mut dyn Write, comparison: &Comparison<'_>) -> io::Result<()> {
    for file in comparison.shown() {
        serde_json::to_writer(&mut *out, &line(comparison, file))?;
        writeln!(out)?;
    }
    Ok(())
}

fn line<'a>(comparison: &'a Comparison<'_>, file: &'a FileDiff<'_>) -> JsonFile<'a> {
    let main = file.main();
    let (lines_added, lines_removed) = file.lines();
    let notes = notes::of(comparison, file).into_iter();
    let whole = |side: &FileSide<'_>| {
        let lines = side.source?.lines().max(1);
        side.pointer(crate::model::Lines {
            start: 1,
            end: lines,
        })
    };
    let sides = [&file.before, &file.after];
    let pointers = sides.into_iter().flatten().filter_map(whole);
    JsonFile {
        schema: "ast-outline.diff/1",
        path: main.name(),
        path_bytes: path_bytes(main.path),
        status: file.status(comparison.single).name(),
        language: main.side.map(|side| side.language.name),
        source_version: main.source.map(|source| source.version().to_string()),
        view: "signatures",
        from: (&comparison.from).into(),
        to: (&comparison.to).into(),
        before: file.before.as_ref().map(side),
        after: file.after.as_ref().map(side),
        lines_added,
        lines_removed,
        changes: file
            .changes
            .iter()
            .map(|one| change(comparison, one))
            .collect(),
        layout: layout(file),
        shifted: file.shifted,
        notes: notes
            .map(|note| JsonNote {
                kind: note.kind,
                message: note.message,
            })
            .collect(),
        thresholds: Thresholds {
            moved: MOVED,
            renamed: RENAMED,
        },
        truncated: false,
        evidence: pointers.map(|pointer| Evidence { pointer }).collect(),
    }
}

fn side(side: &FileSide<'_>) -> JsonSide {
    let outline = side.side.map(|side| &side.outline);
    JsonSide {
        path: side.name(),
        source_version: side.source.map(|source| source.version().to_string()),
        lines: side.source.map(|source| source.lines()),
        rows: outline
            .and_then(|outline| outline.table)
            .map(|table| table.rows),
        complete: outline.map(|outline| outline.complete()),
    }
}

fn change<'a>(comparison: &'a Comparison<'_>, change: &Change) -> JsonChange<'a> {
    let old = comparison.definition(Moment::Before, change.before);
    let new = comparison.definition(Moment::After, change.after);
    let hunks: Vec<Hunk> = super::patch::of(comparison, change);
    let (lines_added, lines_removed) = super::count(&hunks);
    JsonChange {
        op: change.ops.iter().map(|op| op.name()).collect(),
        kind: new.or(old).map_or("", |one| one.item.kind.name()),
        before: old.map(|one| definition(comparison, Moment::Before, one)),
        after: new.map(|one| definition(comparison, Moment::After, one)),
        lines_added,
        lines_removed,
        members: change.members,
        exported: super::facts(comparison.pairs, change).exported,
        breaking: breaks(comparison.pairs, change),
    }
}

fn definition<'a>(
    comparison: &'a Comparison<'_>,
    moment: Moment,
    one: Definition<'a>,
) -> JsonDefinition<'a> {
    let item = one.item;
    JsonDefinition {
        path: comparison.path_of(moment, one.node).unwrap_or_default(),
        name: &item.name,
        qualname: &item.qualname,
        kind: item.kind.name(),
        signature: &item.signature,
        doc: item.doc.as_deref(),
        decorators: &item.decorators,
        exported: item.exported,
        start_line: item.lines.start,
        end_line: item.lines.end,
        truncated: item.trust == Trust::Truncated,
        pointer: says::pointer(comparison, moment, Some(one.node)),
    }
}

fn layout<'a>(file: &'a FileDiff<'_>) -> Vec<JsonLayout<'a>> {
    let (Some(old), Some(new)) = (
        file.before.as_ref().and_then(|side| side.side),
        file.after.as_ref().and_then(|side| side.side),
    ) else {
        return vec![];
    };
    let range = |lines: crate::model::Lines| JsonRange {
        start_line: lines.start,
        end_line: lines.end,
    };
    let each = file.layout.iter().map(|&(was, is)| JsonLayout {
        qualname: &new.item(is).qualname,
        before: range(old.item(was).lines),
        after: range(new.item(is).lines),
    });
    each.collect()
}
