//! Reads the notation of the `.scm` files into rules; what it refuses stands in the header of `rules`.

use std::collections::HashMap;

use memchr::memmem::Finder;
use tree_sitter::Language;

use super::{Capture, MAX_STEPS, Role, Rule, Rules, Step};
use crate::model::Kind;

/// The ids of each node kind of a grammar, by its name and whether it is named. Looked up once for all patterns: asking
/// the grammar for each took ten times as long.
pub type Ids<'l> = HashMap<(&'l str, bool), Vec<u16>>;

pub fn ids(language: &Language) -> Ids<'_> {
    let mut ids = Ids::new();
    for id in 0..language.node_kind_count() as u16 {
        if let Some(name) = language.node_kind_for_id(id) {
            ids.entry((name, language.node_kind_is_named(id)))
                .or_default()
                .push(id);
        }
    }
    ids
}

/// A cursor over the text of one `.scm` file.
pub struct Reader<'a> {
    pub rest: &'static str,
    pub language: &'a Language,
    pub ids: &'a Ids<'a>,
    pub rules: &'a mut Rules,
}

impl Reader<'_> {
    /// Skips white space and comments and takes up directives. False at the end.
    pub fn skip_blank(&mut self) -> bool {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix(';') else {
                return !self.rest.is_empty();
            };
            let (line, rest) = comment.split_once('\n').unwrap_or((comment, ""));
            self.rest = rest;
            if let Some(words) = line.strip_prefix("! noise ") {
                self.rules.noise.extend(words.split_whitespace());
            } else if let Some(words) = line.strip_prefix("! inner ") {
                self.rules
                    .inner
                    .extend(words.split_whitespace().map(Finder::new));
            } else if let Some(words) = line.strip_prefix("! scan ") {
                let pairs = words
                    .split_whitespace()
                    .filter_map(|pair| pair.rsplit_once('='));
                let known = pairs.filter_map(|(word, kind)| Some((word, Kind::from_name(kind)?)));
                self.rules.scan.extend(known);
            } else if let Some(words) = line.strip_prefix("! before ") {
                self.rules.before.extend(words.split_whitespace());
            } else if let Some(words) = line.strip_prefix("! ignore ") {
                self.rules.ignored.extend(words.split_whitespace().next());
            }
        }
    }

    pub fn pattern(&mut self) -> Result<(), String> {
        let start = self.rest;
        let (kinds, steps) = self.node()?;
        let role = self.role()?;
        let text = &start[..start.len() - self.rest.len()];
        let index = self.rules.rules.len() as u16;
        for kind in kinds {
            self.rules.by_kind[kind as usize].push(index);
        }
        self.rules.rules.push(Rule { role, text, steps });
        Ok(())
    }

    fn node(&mut self) -> Result<(Vec<u16>, Vec<Step>), String> {
        if self.eat('"') {
            let (token, rest) = self
                .rest
                .split_once('"')
                .ok_or_else(|| self.unexpected("a closing quote"))?;
            self.rest = rest;
            return Ok((self.kinds(token, false)?, vec![]));
        }
        if !self.eat('(') {
            return Err(self.unexpected("`(`"));
        }
        let kind = self.word();
        let kinds = if kind == "_" {
            vec![]
        } else {
            self.kinds(kind, true)?
        };
        let mut steps = vec![];
        while !self.eat(')') {
            steps.push(self.step()?);
        }
        if steps.len() > MAX_STEPS {
            return Err(format!("more than {MAX_STEPS} children in ({kind}"));
        }
        Ok((kinds, steps))
    }

    fn step(&mut self) -> Result<Step, String> {
        let mut field = None;
        if !self.rest.starts_with(['(', '"']) {
            let name = self.word();
            let id = self
                .language
                .field_id_for_name(name)
                .ok_or_else(|| format!("the grammar has no field `{name}`"))?;
            field = Some(id);
            if !self.eat(':') {
                return Err(self.unexpected("`:`"));
            }
        }
        let (kinds, steps) = self.node()?;
        let optional = self.eat('?');
        let capture = if self.eat('@') {
            Some(self.capture()?)
        } else {
            None
        };
        let holds_name = capture == Some(Capture::Name) || steps.iter().any(|step| step.holds_name);
        Ok(Step {
            field,
            kinds,
            optional,
            capture,
            holds_name,
            steps,
        })
    }

    fn capture(&mut self) -> Result<Capture, String> {
        let name = self.word();
        let found = Capture::ALL.iter().find(|(known, _)| *known == name);
        found
            .map(|&(_, capture)| capture)
            .ok_or_else(|| format!("unknown capture `@{name}`"))
    }

    fn role(&mut self) -> Result<Role, String> {
        if !self.eat('@') {
            return Err(self.unexpected("`@role`"));
        }
        let name = self.word();
        Role::from_name(name).ok_or_else(|| format!("unknown role `@{name}`"))
    }

    /// The ids of a node kind: one name can stand for several symbols (aliases).
    fn kinds(&self, name: &str, named: bool) -> Result<Vec<u16>, String> {
        let found = self.ids.get(&(name, named)).cloned();
        found.ok_or_else(|| format!("the grammar has no node `{name}`"))
    }

    fn eat(&mut self, expected: char) -> bool {
        self.skip_blank();
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'static str {
        self.skip_blank();
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && !"_.".contains(c))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn unexpected(&self, wanted: &str) -> String {
        format!(
            "expected {wanted} at `{}`",
            self.rest.lines().next().unwrap_or("")
        )
    }
}
