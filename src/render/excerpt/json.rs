//! The public JSON of a region or definition.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::{Around, Detail, Excerpt, Fold, Origin, Reached, Size};
use crate::evidence::By;
use crate::model::{Item, Trust};
use crate::render::checks::JsonLines;
use crate::render::declared::JsonDeclared;
use crate::render::{Declared, Elided, Evidence, Totals, path_bytes};

#[derive(Serialize)]
struct JsonExcerpt<'a> {
    schema: &'static str,
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    source_version: String,
    lines: u32,
    view: &'static str,
    #[serde(flatten)]
    declared: JsonDeclared,
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    qualname: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    /// What is not certain about the definition; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    trust: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parents: Vec<Inside<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<Inside<'a>>,
    start_line: u32,
    end_line: u32,
    start_byte: u64,
    end_byte: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<JsonLines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Cow<'a, str>>,
    /// Bytes that are not UTF-8 were replaced in `content`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a Around>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<&'a Reached>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_at: Option<JsonLines>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Choice<'a>>,
    elided: Vec<Elided>,
    evidence: Vec<Evidence>,
    next: Vec<&'a str>,
}

/// A definition around or inside of the one that is answered with.
#[derive(Serialize)]
struct Inside<'a> {
    qualname: &'a str,
    signature: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct Choice<'a> {
    kind: &'static str,
    qualname: &'a str,
    start_line: u32,
    end_line: u32,
    tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

impl Excerpt<'_> {
    /// # Errors
    /// Those of the writer.
    pub fn json(
        &self,
        out: &mut dyn Write,
        schema: &'static str,
        declared: &Declared,
    ) -> io::Result<()> {
        let (content, lossy) = self.content()?.unzip();
        let item = self.enclosing;
        let named = item.filter(|_| self.named && self.detail != Detail::Pointer);
        let start = self.source.line_start(self.lines.start);
        let end = start + self.bytes().len() as u32;
        let provenance = &self.provenance;
        let change = provenance.change.as_ref();
        let pointers = provenance.pointer.iter().cloned();
        let answer = JsonExcerpt {
            schema,
            path: self.path.to_string_lossy(),
            path_bytes: path_bytes(self.path),
            language: self.language.map(|language| language.name),
            source_version: self.source.version().to_string(),
            lines: self.source.lines(),
            view: self.detail.name(),
            declared: declared.json(),
            totals: Totals::of_lines(self.source.lines()),
            kind: item.map(|item| item.kind.name()),
            name: item.filter(|_| self.named).map(|item| item.name.as_str()),
            qualname: item.map(|item| item.qualname.as_str()),
            signature: named.map(|item| item.signature.as_str()),
            doc: self.doc(),
            trust: item.and_then(|item| trust(item.trust)),
            parents: self.parents.iter().map(|item| inside(item)).collect(),
            members: self.members(),
            start_line: self.lines.start,
            end_line: self.lines.end,
            start_byte: self.source.original_offset(start),
            end_byte: self.source.original_offset(end),
            status: change.map(|change| change.status.name()),
            from: change.map(|change| JsonLines::from(change.from)),
            at: change.map(|change| change.at.as_str()),
            found_by: change.and_then(|change| change.by.map(By::name)),
            origin: provenance.origin.as_ref().map(|(origin, _)| *origin),
            hash_checked: provenance.origin.as_ref().map(|_| !provenance.unchecked),
            lossy: lossy == Some(true),
            content,
            graph: self.around,
            reached: self.reached,
            given_at: match self.detail {
                Detail::Given(lines) => Some(JsonLines::from(lines)),
                _ => None,
            },
            choices: self.choices(),
            elided: self.elided(declared),
            evidence: pointers.map(|pointer| Evidence { pointer }).collect(),
            next: declared.command.as_deref().into_iter().collect(),
        };
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)
    }

    /// The text that is shown, if any, and whether bytes in it were replaced.
    fn content(&self) -> io::Result<Option<(Cow<'_, str>, bool)>> {
        let Detail::Folded(folds) = &self.detail else {
            let text = (self.detail == Detail::Text).then(|| String::from_utf8_lossy(self.bytes()));
            return Ok(text.map(|text| {
                let lossy = matches!(text, Cow::Owned(_));
                (text, lossy)
            }));
        };
        let (mut content, mut lossy) = (String::new(), false);
        self.between(folds, |lines, fold| {
            let text = match lines.start <= lines.end {
                true => String::from_utf8_lossy(self.source.slice(lines)),
                false => Cow::Borrowed(""),
            };
            lossy |= matches!(text, Cow::Owned(_));
            content += &text;
            content += &fold.map_or(String::new(), |fold| fold.line(self) + "\n");
            Ok(())
        })?;
        Ok(Some((Cow::Owned(content), lossy)))
    }

    fn members(&self) -> Vec<Inside<'_>> {
        match &self.detail {
            Detail::Members(all) => all
                .iter()
                .map(|(_, item)| Inside {
                    doc: item.doc.as_deref(),
                    ..inside(item)
                })
                .collect(),
            _ => vec![],
        }
    }

    fn choices(&self) -> Vec<Choice<'_>> {
        let Detail::Sizes(sizes, _) = &self.detail else {
            return vec![];
        };
        fn choice<'s>(size: &'s Size<'_>) -> Choice<'s> {
            Choice {
                kind: size.item.kind.name(),
                qualname: &size.item.qualname,
                start_line: size.item.lines.start,
                end_line: size.item.lines.end,
                tokens: size.tokens,
                command: size.command.as_deref(),
            }
        }
        sizes.iter().map(choice).collect()
    }

    /// What of the lines is not shown.
    fn elided(&self, declared: &Declared) -> Vec<Elided> {
        match &self.detail {
            Detail::Text | Detail::Given(_) => vec![],
            // It is all that was asked for.
            _ if declared.requested == Some(self.detail.name()) && !self.detail.has_text() => {
                vec![]
            }
            Detail::Folded(folds) => folds.iter().map(|fold| self.folded_away(fold)).collect(),
            Detail::Sizes(_, more) if *more > 0 => {
                vec![self.left_behind(), self.more_sizes(*more)]
            }
            _ => vec![self.left_behind()],
        }
    }

    fn left_behind(&self) -> Elided {
        let left = self.left_out();
        let item = self.enclosing.filter(|_| self.named);
        Elided {
            qualname: item.map(|item| item.qualname.clone()),
            start_line: Some(self.lines.start),
            end_line: Some(self.lines.end),
            command: self.command(self.lines),
            ..Elided::new(left.what, left.count)
        }
    }

    /// Choices that are not listed.
    fn more_sizes(&self, count: usize) -> Elided {
        Elided {
            command: self.outline_command(),
            ..Elided::new("choices", count)
        }
    }

    fn folded_away(&self, fold: &Fold<'_>) -> Elided {
        Elided {
            qualname: Some(fold.item.qualname.clone()),
            start_line: Some(fold.lines.start),
            end_line: Some(fold.lines.end),
            tokens: Some(fold.tokens),
            command: self.command(fold.lines),
            ..Elided::new("bodies", 1)
        }
    }
}

fn trust(trust: Trust) -> Option<&'static str> {
    match trust {
        Trust::Whole => None,
        Trust::Damaged => Some("damaged"),
        Trust::Truncated => Some("truncated"),
        Trust::Guessed => Some("guessed"),
    }
}

fn inside(item: &Item) -> Inside<'_> {
    Inside {
        qualname: &item.qualname,
        signature: &item.signature,
        doc: None,
        start_line: item.lines.start,
        end_line: item.lines.end,
    }
}
