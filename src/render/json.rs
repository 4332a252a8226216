//! The public JSON: shapes of their own, apart from the model, so that the model can change and the contract cannot.
//! One compact object a line; absent values are left out, never null.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::declared::JsonDeclared;
use super::{Declared, Elided, Evidence, File, region_command};
use crate::evidence::short_hash;
use crate::model::{Import, Item, ItemId, Lines, Problem, ProblemKind, Trust};
use crate::view::{Level, Plan, View, counts};

#[derive(Serialize)]
struct OutlineAnswer<'a> {
    schema: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    language: &'static str,
    source_version: String,
    lines: u32,
    bytes: u64,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delimiter: Option<char>,
    imports: Vec<JsonImport<'a>>,
    definitions: Vec<Definition<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<serde_json::Map<String, serde_json::Value>>,
    elided: Vec<Elided>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excerpts: Vec<Stretch<'a>>,
    problems: Vec<JsonProblem<'a>>,
    evidence: Vec<Evidence>,
    next: Vec<&'a str>,
}

/// Lines as they stand.
#[derive(Serialize)]
struct Stretch<'a> {
    start_line: u32,
    end_line: u32,
    content: Cow<'a, str>,
}

/// Of the file, whatever is shown of it.
#[derive(Serialize)]
struct Totals {
    lines: u32,
    definitions: usize,
}

#[derive(Serialize)]
struct JsonImport<'a> {
    module: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    names: &'a [String],
    line: u32,
}

#[derive(Serialize)]
struct Definition<'a> {
    kind: &'static str,
    name: &'a str,
    qualname: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    params: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    returns: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    decorators: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    bases: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    #[serde(skip_serializing_if = "is_false")]
    exported: bool,
    #[serde(skip_serializing_if = "is_false")]
    declaration: bool,
    start_line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    decl_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_byte: Option<u64>,
    #[serde(skip_serializing_if = "is_false")]
    truncated: bool,
    #[serde(skip_serializing_if = "is_false")]
    damaged: bool,
    #[serde(skip_serializing_if = "is_false")]
    guessed: bool,
    #[serde(skip_serializing_if = "is_false")]
    data: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Definition<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    kind: &'static str,
    start_line: u32,
    end_line: u32,
    message: &'a str,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// The outline of one file, on one line.
pub fn outline(
    out: &mut dyn Write,
    schema: &'static str,
    (file, plan): (&File<'_>, &Plan),
    imports: bool,
    declared: &Declared,
) -> io::Result<()> {
    let outline = file.outline;
    let content = match plan.view {
        View::Full => file
            .source
            .map(|source| String::from_utf8_lossy(source.text())),
        View::Summary => file.summary.map(Cow::Borrowed),
        _ => None,
    };
    let listed = !matches!(
        plan.view,
        View::Summary | View::Full | View::Ends | View::Counts
    );
    let answer = OutlineAnswer {
        schema,
        path: &file.path,
        path_bytes: file.path_bytes,
        language: file.language.name,
        source_version: file.version.to_string(),
        lines: outline.lines,
        bytes: file.bytes,
        view: plan.view.name(),
        declared: declared.json(),
        totals: Totals {
            lines: outline.lines,
            definitions: outline.items.len(),
        },
        complete: outline.complete(),
        rows: outline.table.map(|table| table.rows),
        delimiter: outline.table.map(|table| char::from(table.delimiter)),
        imports: if imports && plan.imports && listed {
            outline.imports.iter().map(import).collect()
        } else {
            vec![]
        },
        definitions: if listed {
            definitions(file, plan)
        } else {
            vec![]
        },
        counts: (plan.view == View::Counts).then(|| {
            counts(outline)
                .into_iter()
                .map(|(kind, count)| (kind.name().to_string(), count.into()))
                .collect()
        }),
        elided: elided(file, plan).chain(declared.elided()).collect(),
        content,
        excerpts: excerpts(file, plan),
        problems: outline.problems.iter().map(problem).collect(),
        evidence: evidence(file.pointer.clone()),
        next: declared.command.as_deref().into_iter().collect(),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

fn excerpts<'a>(file: &File<'a>, plan: &Plan) -> Vec<Stretch<'a>> {
    let Some(source) = file.source else {
        return vec![];
    };
    let stretch = |lines: &Lines| Stretch {
        start_line: lines.start,
        end_line: lines.end,
        content: String::from_utf8_lossy(source.slice(*lines)),
    };
    plan.excerpts.iter().map(stretch).collect()
}

/// The methods past the cap.
fn elided<'a>(file: &'a File<'_>, plan: &'a Plan) -> impl Iterator<Item = Elided> {
    plan.omitted.iter().map(|omitted| Elided {
        qualname: Some(file.outline.items[omitted.parent as usize].qualname.clone()),
        start_line: Some(omitted.lines.start),
        end_line: Some(omitted.lines.end),
        command: Some(region_command(&file.path, omitted.lines)),
        ..Elided::new("methods", omitted.methods)
    })
}

fn evidence(pointer: Option<String>) -> Vec<Evidence> {
    pointer
        .into_iter()
        .map(|pointer| Evidence { pointer })
        .collect()
}

fn import(import: &Import) -> JsonImport<'_> {
    JsonImport {
        module: &import.module,
        names: &import.names,
        line: import.line,
    }
}

fn problem(problem: &Problem) -> JsonProblem<'_> {
    let kind = match problem.kind {
        ProblemKind::Syntax => "syntax",
        ProblemKind::Limit => "limit",
        ProblemKind::Timeout => "timeout",
        ProblemKind::Encoding => "encoding",
    };
    JsonProblem {
        kind,
        start_line: problem.lines.start,
        end_line: problem.lines.end,
        message: &problem.message,
    }
}

/// The shown items as a tree. Built bottom up: outlines are as deep as files say.
fn definitions<'a>(file: &File<'a>, plan: &Plan) -> Vec<Definition<'a>> {
    let items = &file.outline.items;
    let mut children: Vec<Vec<Definition<'a>>> = items.iter().map(|_| vec![]).collect();
    let mut top = vec![];
    let listed = |id: &usize| plan.shows(*id) && !plan.shows_within(file.outline, *id);
    for id in (0..items.len()).rev().filter(listed) {
        let mut inner = std::mem::take(&mut children[id]);
        inner.reverse();
        let definition = definition(file, &items[id], plan.levels[id], inner);
        match items[id].parent {
            Some(parent) => children[parent as usize].push(definition),
            None => top.push(definition),
        }
    }
    top.reverse();
    top
}

/// What one definition takes of an answer, without what is inside of it.
pub fn part(out: &mut dyn Write, file: &File<'_>, id: ItemId, level: Level) -> io::Result<()> {
    let item = &file.outline.items[id as usize];
    serde_json::to_writer(&mut *out, &definition(file, item, level, vec![]))?;
    // The first in a scope brings its list.
    write!(out, ",\"children\":[],")
}

fn definition<'a>(
    file: &File<'a>,
    item: &'a Item,
    level: Level,
    children: Vec<Definition<'a>>,
) -> Definition<'a> {
    let detailed = level >= Level::Signature;
    let offset = |byte: u32| {
        file.source
            .map_or(u64::from(byte), |source| source.original_offset(byte))
    };
    let each = file.each.zip(file.source).map(|(identity, source)| {
        let pointer = identity.pointer(item.lines, short_hash(source, item.lines));
        pointer.to_string()
    });
    Definition {
        kind: item.kind.name(),
        name: &item.name,
        qualname: &item.qualname,
        signature: detailed.then_some(&item.signature),
        params: if detailed { &item.params } else { &[] },
        returns: item.returns.as_deref().filter(|_| detailed),
        doc: item.doc.as_deref().filter(|_| level >= Level::Docs),
        decorators: if detailed { &item.decorators } else { &[] },
        bases: if detailed { &item.bases } else { &[] },
        receiver: item.receiver.as_deref(),
        level: item.level,
        exported: item.exported,
        declaration: item.declaration,
        start_line: item.lines.start,
        end_line: item.lines.end,
        decl_line: detailed.then_some(item.decl_line),
        start_byte: detailed.then(|| offset(item.bytes.start)),
        end_byte: detailed.then(|| offset(item.bytes.end)),
        truncated: item.trust == Trust::Truncated,
        damaged: item.trust == Trust::Damaged,
        guessed: item.trust == Trust::Guessed,
        data: item.data,
        evidence: evidence(each),
        children,
        content: file
            .source
            .filter(|_| level == Level::Whole)
            .map(|source| String::from_utf8_lossy(source.slice(item.lines))),
    }
}
