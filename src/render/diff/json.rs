//! Changes as JSON, one file a line.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::{
    Comparison, Definition, FileDiff, FileSide, Label, Moment, Rung, breaks, each_op, notes, says,
};
use crate::evidence::Hunk;
use crate::model::{Lines, Trust};
use crate::outline::diff::{Change, MOVED, RENAMED};
use crate::render::declared::JsonDeclared;
use crate::render::{Declared, Elided, Evidence, Totals, path_bytes};

/// One line, all of which but what is declared is made once.
#[derive(Serialize)]
struct JsonFile<'a> {
    #[serde(flatten)]
    head: &'a Head<'a>,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    #[serde(flatten)]
    body: &'a Body<'a>,
    elided: Vec<Elided>,
    evidence: &'a [Evidence],
    next: Vec<&'a str>,
}

#[derive(Serialize)]
struct Head<'a> {
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
}

#[derive(Serialize)]
struct Body<'a> {
    from: JsonLabel<'a>,
    to: JsonLabel<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<JsonSide>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<JsonSide>,
    lines_added: u32,
    lines_removed: u32,
    /// How many changes have each operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(flatten)]
    listed: Option<Listed<'a>>,
}

struct Counts(Vec<(&'static str, usize)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// What is told of a file definition by definition.
#[derive(Serialize)]
struct Listed<'a> {
    changes: Vec<JsonChange<'a>>,
    layout: Vec<JsonLayout<'a>>,
    shifted: u32,
    notes: Vec<JsonNote>,
    thresholds: Thresholds,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
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

/// The line of one file on one rung.
pub struct Line<'a> {
    head: Head<'a>,
    body: Body<'a>,
    totals: Totals,
    evidence: Vec<Evidence>,
}

impl<'a> Line<'a> {
    /// # Errors
    /// Those of a writer into memory.
    pub fn new(
        comparison: &'a Comparison<'_>,
        file: &'a FileDiff<'_>,
        rung: Rung,
    ) -> io::Result<Line<'a>> {
        let is_listed = rung <= Rung::Names;
        let sides = [&file.before, &file.after].into_iter().flatten();
        let pointers = sides.filter(|_| is_listed).filter_map(whole);
        Ok(Line {
            head: head(comparison, file, rung),
            totals: Totals::of_changes(file.changes.len(), None),
            body: body(comparison, file, rung)?,
            evidence: pointers.map(|pointer| Evidence { pointer }).collect(),
        })
    }

    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write, declared: &Declared) -> io::Result<()> {
        let file = JsonFile {
            head: &self.head,
            declared: declared.json(),
            totals: self.totals,
            body: &self.body,
            elided: declared.elided().collect(),
            evidence: &self.evidence,
            next: declared.command.as_deref().into_iter().collect(),
        };
        serde_json::to_writer(&mut *out, &file)?;
        writeln!(out)
    }
}

/// A pointer to a whole file.
fn whole(side: &FileSide<'_>) -> Option<String> {
    let end = side.source?.lines().max(1);
    side.pointer(Lines { start: 1, end })
}

fn head<'a>(comparison: &Comparison<'_>, file: &'a FileDiff<'_>, rung: Rung) -> Head<'a> {
    let main = file.main();
    Head {
        schema: "ast-outline.diff/1",
        path: main.name(),
        path_bytes: path_bytes(main.path),
        status: file.status(comparison.single).name(),
        language: main.side.map(|side| side.language.name),
        source_version: main.source.map(|source| source.version().to_string()),
        view: rung.name(),
    }
}

fn body<'a>(
    comparison: &'a Comparison<'_>,
    file: &'a FileDiff<'_>,
    rung: Rung,
) -> io::Result<Body<'a>> {
    let (lines_added, lines_removed) = file.lines();
    let listed = match rung {
        Rung::Counts | Rung::Total => None,
        _ => Some(listed(comparison, file, rung)?),
    };
    let counts = (rung == Rung::Counts).then(|| Counts(each_op(&file.changes).collect()));
    Ok(Body {
        from: (&comparison.from).into(),
        to: (&comparison.to).into(),
        before: file.before.as_ref().map(side),
        after: file.after.as_ref().map(side),
        lines_added,
        lines_removed,
        counts,
        listed,
    })
}

fn listed<'a>(
    comparison: &'a Comparison<'_>,
    file: &'a FileDiff<'_>,
    rung: Rung,
) -> io::Result<Listed<'a>> {
    let changes = file.changes.iter();
    let notes = notes::of(comparison, file).into_iter();
    Ok(Listed {
        changes: changes
            .map(|one| change(comparison, one, rung))
            .collect::<io::Result<_>>()?,
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
    })
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

fn change<'a>(
    comparison: &'a Comparison<'_>,
    change: &Change,
    rung: Rung,
) -> io::Result<JsonChange<'a>> {
    let old = comparison.definition(Moment::Before, change.before);
    let new = comparison.definition(Moment::After, change.after);
    let hunks: Vec<Hunk> = super::patch::of(comparison, change);
    let (lines_added, lines_removed) = super::count(&hunks);
    let patch = match rung {
        Rung::Hunks => Some(super::patch::lines(comparison, change)?),
        _ => None,
    };
    let definition = |moment, one| definition(comparison, moment, one, rung);
    Ok(JsonChange {
        op: change.ops.iter().map(|op| op.name()).collect(),
        kind: new.or(old).map_or("", |one| one.item.kind.name()),
        before: old.map(|one| definition(Moment::Before, one)),
        after: new.map(|one| definition(Moment::After, one)),
        lines_added,
        lines_removed,
        members: change.members,
        exported: super::facts(comparison.pairs, change).exported,
        breaking: breaks(comparison.pairs, change),
        patch: patch.filter(|lines| !lines.is_empty()),
    })
}

fn definition<'a>(
    comparison: &'a Comparison<'_>,
    moment: Moment,
    one: Definition<'a>,
    rung: Rung,
) -> JsonDefinition<'a> {
    let item = one.item;
    let is_whole = rung <= Rung::Signatures;
    JsonDefinition {
        path: comparison.path_of(moment, one.node).unwrap_or_default(),
        name: &item.name,
        qualname: &item.qualname,
        kind: item.kind.name(),
        signature: is_whole.then_some(&item.signature),
        doc: item.doc.as_deref().filter(|_| is_whole),
        decorators: if is_whole { &item.decorators } else { &[] },
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
    let range = |lines: Lines| JsonRange {
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
