//! Attributes: what is compiled at all, what is test code, what the compiler or another tool runs or names.

use tree_sitter::Node;

use super::walk::{Walk, child};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// What the attributes in front of an item say of it.
#[derive(Debug, Default)]
pub struct Attributes {
    pub test: bool,
    pub dead: bool,
    /// Not compiled with all features: what is counts first.
    pub spare: bool,
    /// Something that is not the compiler may run it.
    pub entry: bool,
    /// The file of a module, as written.
    pub path: Option<String>,
    /// Traits that the compiler implements.
    pub derived: Vec<String>,
}

/// Attributes that run nothing and name nothing of the tree.
const PLAIN: &[&str] = &[
    "allow",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "derive",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "instrument",
    "macro_export",
    "macro_use",
    "must_use",
    "non_exhaustive",
    "repr",
    "should_panic",
    "skip",
    "target_feature",
    "track_caller",
    "warn",
    "async_trait",
    "default",
    "error",
    "from",
    "path",
];

impl<'t> Walk<'_, '_, 't> {
    /// Adds what an attribute says.
    pub fn attribute(&mut self, item: Node<'t>, place: Place, to: &mut Attributes) {
        let Some(attribute) = child(item, "attribute") else {
            return;
        };
        let text = self.lower.str(attribute);
        let end = text.find(['(', '=', '[', '{']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let name = name.trim().rsplit("::").next().unwrap_or("");
        match name {
            "cfg" => {
                let never = holds(rest, true, None) == Some(false);
                to.test |= holds(rest, false, None) == Some(false) && !never;
                to.dead |= never;
                to.spare |= holds(rest, true, Some(true)) == Some(false);
            }
            "derive" => {
                let names = rest.trim_matches(['(', ')']).split(',');
                let names = names.map(|name| name.trim().rsplit("::").next().unwrap_or(""));
                to.derived
                    .extend(names.filter(|name| is_name(name)).map(str::to_string));
            }
            "path" => to.path = rest.split('"').nth(1).map(str::to_string),
            "bench" => to.test = true,
            _ if name.contains("test") => to.test = true,
            _ if PLAIN.contains(&name) => {}
            _ => {
                to.entry = true;
                self.names_in(attribute, place);
            }
        }
    }

    /// Notes what the arguments of an attribute or the tokens of a macro may name: words, and paths in strings.
    pub fn names_in(&mut self, node: Node<'t>, place: Place) {
        let mut cursor = node.walk();
        let mut seen = std::collections::HashSet::new();
        let mut down = true;
        loop {
            let here = cursor.node();
            if down && cursor.goto_first_child() {
                continue;
            }
            let word = match here.kind() {
                "identifier" => self.lower.str(here),
                "string_content" => self.lower.str(here).rsplit("::").next().unwrap_or(""),
                _ => "",
            };
            if is_name(word) && seen.insert(word) {
                let name = self.lower.sym(word);
                self.lower.used(Used::Name(name), here, place);
            }
            down = cursor.goto_next_sibling();
            if !down && (!cursor.goto_parent() || cursor.node() == node) {
                return;
            }
        }
    }
}

fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|first: char| first.is_alphabetic() || first == '_');
    starts
        && word
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// A condition of `#[cfg(..)]`, on Linux: none where a build may say either.
struct Cfg<'a> {
    text: &'a str,
    test: bool,
    features: Option<bool>,
    steps: u32,
}

/// Whether a condition holds, in tests or not, with features or not.
fn holds(text: &str, test: bool, features: Option<bool>) -> Option<bool> {
    let steps = 0;
    Cfg {
        text,
        test,
        features,
        steps,
    }
    .whole()
}

/// Conditions with more parts than this are not worked out.
const MOST_PARTS: u32 = 64;

impl<'a> Cfg<'a> {
    fn whole(mut self) -> Option<bool> {
        self.text = self.text.trim_start().strip_prefix('(')?;
        self.one()
    }

    fn one(&mut self) -> Option<bool> {
        self.steps += 1;
        if self.steps > MOST_PARTS {
            return None;
        }
        let end = self
            .text
            .find(['(', ')', ',', '='])
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        match (word.trim(), rest.as_bytes().first()) {
            (word, Some(b'(')) => {
                let parts = self.parts();
                match word {
                    "not" => parts.first().copied().flatten().map(|holds| !holds),
                    "all" if parts.contains(&Some(false)) => Some(false),
                    "all" if parts.iter().all(|part| *part == Some(true)) => Some(true),
                    "any" if parts.contains(&Some(true)) => Some(true),
                    "any" if parts.iter().all(|part| *part == Some(false)) => Some(false),
                    _ => None,
                }
            }
            (word, Some(b'=')) => {
                let end = self.text.find([',', ')']).unwrap_or(self.text.len());
                let (value, rest) = self.text[1..].split_at(end.saturating_sub(1));
                self.text = rest;
                let value = value.trim().trim_matches('"');
                match word {
                    "target_os" => Some(value == "linux"),
                    "target_family" => Some(value == "unix"),
                    "feature" => self.features,
                    _ => None,
                }
            }
            ("test", _) => Some(self.test),
            ("unix", _) => Some(true),
            ("windows" | "doc", _) => Some(false),
            _ => None,
        }
    }

    fn parts(&mut self) -> Vec<Option<bool>> {
        let mut parts = vec![];
        self.text = &self.text[1..];
        while self.steps <= MOST_PARTS && !self.text.trim_start().is_empty() {
            if let Some(rest) = self.text.trim_start().strip_prefix(')') {
                self.text = rest;
                break;
            }
            parts.push(self.one());
            let rest = self.text.trim_start();
            self.text = rest.strip_prefix(',').unwrap_or(rest);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn conditions() {
        let holds = |text, test| super::holds(text, test, None);
        assert_eq!(holds("(test)", false), Some(false));
        assert_eq!(holds("(all(test, feature = \"std\"))", true), None);
        assert_eq!(holds("(not(any(unix, windows)))", true), Some(false));
        assert_eq!(holds("(any(target_os = \"linux\", foo))", true), Some(true));
        assert_eq!(
            holds("(all(not(windows), target_os=\"macos\",))", true),
            Some(false)
        );
        assert_eq!(holds("(any())", true), Some(false));
    }
}
