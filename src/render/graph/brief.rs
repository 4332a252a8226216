//! What the rest of a tree wants of a file, in at most 100 tokens: as much of it as fits, what matters most first.

use std::io::{self, Write};

use serde::Serialize;

use crate::graph::query::brief::{Brief, Called, File, Site};
use crate::render::{plural, visible};
use crate::tokens::Tokenizer;

/// What a text may cost that nobody asked for.
pub const MOST_TOKENS: usize = 100;
/// Of each sort of thing, this many are named at most.
const MOST: usize = 3;
/// What counts the tokens: exact, and within a few in a hundred of others.
const TOKENIZER: Tokenizer = Tokenizer::O200k;

/// A file and what is said of it.
pub struct Briefing<'a> {
    pub file: &'a File,
    pub brief: &'a Brief,
    /// What is known to have changed since the index was written.
    pub stale: Option<&'static str>,
    /// A path from the root as it is shown.
    pub shown: &'a dyn Fn(&str) -> String,
}

/// How many things of each sort are named.
#[derive(Clone, Copy, Default)]
struct Named {
    called: usize,
    sites: usize,
    dependents: usize,
    unused: usize,
}

impl Briefing<'_> {
    /// The lines, without a line end behind the last; empty where there is nothing to say, or no room to say it.
    pub fn text(&self) -> String {
        if self.brief.is_empty() {
            return String::new();
        }
        let fits = |text: &str| TOKENIZER.count(text.as_bytes()) <= MOST_TOKENS;
        let mut named = Named::default();
        let mut best = self.lines(named);
        if !fits(&best) {
            return String::new();
        }
        let knobs: [fn(&mut Named) -> &mut usize; 4] = [
            |named| &mut named.called,
            |named| &mut named.sites,
            |named| &mut named.dependents,
            |named| &mut named.unused,
        ];
        for _ in 0..MOST {
            for knob in knobs {
                let mut more = named;
                *knob(&mut more) += 1;
                let text = self.lines(more);
                if fits(&text) {
                    (named, best) = (more, text);
                }
            }
        }
        best
    }

    fn lines(&self, named: Named) -> String {
        let mut lines = vec![self.head(named.dependents)];
        let called = self.brief.called.iter().take(named.called);
        lines.extend(called.map(|called| self.called(called, named.sites)));
        let unused = &self.brief.unused;
        if let Some(names) = listed(unused.iter().cloned(), unused.len(), named.unused) {
            lines.push(format!("exported, no caller found: {names}"));
        }
        if self.brief.unresolved > 0 {
            lines.push(format!(
                "unresolved calls of such names: {}",
                self.brief.unresolved
            ));
        }
        lines.extend(self.stale.map(str::to_string));
        visible_lines(&lines)
    }

    /// `src/store.py: 3 of 12 symbols called from outside, HIGH: crosses packages; module shop.store, needed by shop.api +2`
    fn head(&self, most: usize) -> String {
        let brief = self.brief;
        let mut head = format!(
            "{}: {} of {} symbols called from outside",
            (self.shown)(&self.file.path),
            brief.called.len(),
            brief.symbols
        );
        if brief.crosses() {
            head += ", HIGH: crosses packages";
        }
        let is_module = self.file.module != self.file.path;
        if is_module {
            head += &format!("; module {}", self.module(&self.file.module));
        }
        let modules = brief
            .dependents
            .iter()
            .map(|(module, _)| self.module(module));
        match listed(modules, brief.dependents.len(), most) {
            Some(names) if is_module => head + ", needed by " + &names,
            Some(names) => head + "; needed by " + &names,
            None => head,
        }
    }

    /// A module, without the name of the package where all are in the same.
    fn module(&self, name: &str) -> String {
        let package = self.file.package.as_deref();
        let inside = package.and_then(|package| name.strip_prefix(package)?.strip_prefix('/'));
        inside.unwrap_or(name).to_string()
    }

    /// `Store.save 9 calls: ../web/api.py:41, cli.py:12 +7`
    fn called(&self, called: &Called, most: usize) -> String {
        let Called { qual, calls } = called;
        let count = calls.len();
        let places = calls
            .iter()
            .map(|Site { path, line, .. }| format!("{}:{line}", (self.shown)(path)));
        match listed(places, count, most) {
            Some(places) => format!("{qual} {}: {places}", plural(count, "call")),
            None => format!("{qual} {}", plural(count, "call")),
        }
    }

    /// # Errors
    /// Those of the writer.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = self.text();
        let Brief {
            symbols,
            called,
            dependents,
            unused,
            unresolved,
        } = self.brief;
        let json = Json {
            schema: "ast-outline.brief/1",
            path: (self.shown)(&self.file.path),
            module: &self.file.module,
            package: self.file.package.as_deref(),
            symbols: *symbols,
            called: called
                .iter()
                .map(|called| self.called_json(called))
                .collect(),
            crosses_packages: self.brief.crosses(),
            needed_by: dependents
                .iter()
                .map(|(name, count)| Module {
                    name,
                    count: *count,
                })
                .collect(),
            unused,
            unresolved: *unresolved,
            stale: self.stale.is_some(),
            tokens: TOKENIZER.count(text.as_bytes()),
            tokenizer: TOKENIZER.name(),
            text,
        };
        serde_json::to_writer(&mut *out, &json)?;
        writeln!(out)
    }

    fn called_json<'s>(&self, called: &'s Called) -> JsonCalled<'s> {
        let calls = called.calls.iter().map(|site| JsonSite {
            path: (self.shown)(&site.path),
            line: site.line,
            crosses_packages: !site.near,
        });
        JsonCalled {
            qualname: &called.qual,
            calls: calls.collect(),
        }
    }
}

/// `a, b +3`; none where nothing is to be named.
pub fn listed(all: impl Iterator<Item = String>, count: usize, most: usize) -> Option<String> {
    let shown: Vec<String> = all.take(most).collect();
    let more = count - shown.len();
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(shown.join(", ")),
        (false, more) => Some(format!("{} +{more}", shown.join(", "))),
    }
}

/// Lines of one text: nothing from a file ends one.
pub fn visible_lines(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| visible(line)).collect();
    lines.join("\n")
}

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    path: String,
    module: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    symbols: usize,
    called: Vec<JsonCalled<'a>>,
    crosses_packages: bool,
    needed_by: Vec<Module<'a>>,
    unused: &'a [String],
    unresolved: u32,
    stale: bool,
    text: String,
    tokens: usize,
    tokenizer: &'static str,
}

#[derive(Serialize)]
struct JsonCalled<'a> {
    qualname: &'a str,
    calls: Vec<JsonSite>,
}

#[derive(Serialize)]
struct JsonSite {
    path: String,
    line: u32,
    crosses_packages: bool,
}

#[derive(Serialize)]
struct Module<'a> {
    name: &'a str,
    count: u32,
}
