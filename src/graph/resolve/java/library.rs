//! What is known of Java's own library, read once from the text beside this file: which types hold what, what their methods
//! give, what can be called, what derives from what.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::graph::value::Value;

pub static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| Library::read(include_str!("library.txt")));

#[derive(Default)]
pub struct Library {
    groups: HashMap<&'static str, HashSet<&'static str>>,
    /// By type and method.
    results: HashMap<(&'static str, &'static str), &'static str>,
    /// Parameters and result of what can be called.
    calls: HashMap<&'static str, (Vec<&'static str>, &'static str)>,
    bases: HashMap<&'static str, Vec<&'static str>>,
}

impl Library {
    fn read(text: &'static str) -> Library {
        let mut library = Library::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, members)) = line
                .strip_prefix("group ")
                .and_then(|rest| rest.split_once(" = "))
            {
                library
                    .groups
                    .entry(name)
                    .or_default()
                    .extend(members.split(' '));
            } else if let Some((call, result)) = line
                .strip_prefix("call ")
                .and_then(|rest| rest.split_once(" > "))
            {
                let mut parts = call.split(' ');
                library
                    .calls
                    .insert(parts.next().unwrap_or(""), (parts.collect(), result));
            } else if let Some((name, bases)) = line.split_once(" < ") {
                library.bases.insert(name, bases.split(' ').collect());
            } else if let Some((types, (methods, result))) = line
                .split_once(" : ")
                .and_then(|(types, rest)| Some((types, rest.split_once(" > ")?)))
            {
                library.add_results(types, methods, result);
            }
        }
        library
    }

    fn add_results(&mut self, types: &'static str, methods: &'static str, result: &'static str) {
        for name in types.split(' ') {
            let alone = HashSet::from([name]);
            let names = self.groups.get(name).unwrap_or(&alone);
            for &name in names {
                let keys = methods.split(' ').map(|method| (name, method));
                self.results.extend(keys.map(|key| (key, result)));
            }
        }
    }

    /// Whether a type is one of a group.
    pub fn is(&self, name: &str, group: &str) -> bool {
        self.groups
            .get(group)
            .is_some_and(|names| names.contains(name))
    }

    /// What a method gives, as the text writes it.
    pub fn gives(&self, name: &str, method: &str) -> Option<&'static str> {
        let own = self.results.get(&(name, method));
        own.or_else(|| self.results.get(&("any", method))).copied()
    }

    /// What can be called: its parameters and its result, as the text writes them.
    pub fn call(&self, name: &str) -> Option<(&[&'static str], &'static str)> {
        self.calls
            .get(name)
            .map(|(params, result)| (&params[..], *result))
    }

    /// Whether anything is known of what a type derives from.
    pub fn knows(&self, name: &str) -> bool {
        self.bases.contains_key(name)
    }

    /// Whether a type derives from another; nothing where the first is not known.
    pub fn derives(&self, name: &str, from: &str) -> Option<bool> {
        let mut left = self.bases.get(name)?.clone();
        while let Some(base) = left.pop() {
            if base == from {
                return Some(true);
            }
            left.extend(self.bases.get(base).into_iter().flatten());
        }
        Some(false)
    }

    /// A value of a type as the text writes it, as a member of a type with arguments.
    pub fn value(&self, written: &str, own: &str, args: &[Value]) -> Value {
        if let Ok(index) = written.parse::<usize>() {
            return args.get(index).cloned().unwrap_or(Value::Unknown);
        }
        if let Some(element) = written.strip_prefix('[') {
            let element = self.value(element.trim_end_matches(']'), own, args);
            return Value::alien("[]", &[element]);
        }
        match written.split_once('<') {
            _ if written == "self" => Value::alien(own, args),
            _ if written == "-" => Value::Unknown,
            None => Value::alien(written, &[]),
            Some((name, inner)) => {
                let inner = inner.strip_suffix('>').unwrap_or(inner);
                let inner: Vec<Value> = arguments(inner)
                    .map(|part| self.value(part, own, args))
                    .collect();
                Value::alien(name, &inner)
            }
        }
    }
}

/// `Entry<0,1>` is one, `0,1` are two.
fn arguments(written: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    written.split(move |mark| {
        depth += i32::from(mark == '<') - i32::from(mark == '>');
        mark == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_text_says_something() {
        for line in include_str!("library.txt").lines() {
            let marked = ["group ", "call "]
                .iter()
                .any(|mark| line.starts_with(mark));
            let said =
                marked || line.contains(" < ") || line.contains(" : ") && line.contains(" > ");
            assert!(said || line.is_empty() || line.starts_with('#'), "{line}");
        }
    }

    #[test]
    fn results_are_told_by_the_arguments_of_the_type() {
        let (text, node) = (Value::alien("String", &[]), Value::alien("Node", &[]));
        let args = [text.clone(), node.clone()];
        let gives = |name: &str, method: &str| {
            let result = LIBRARY.gives(name, method).expect("it is in the text");
            LIBRARY.value(result, name, &args)
        };
        assert_eq!(gives("HashMap", "get"), node);
        let entries = Value::alien("Set", &[Value::alien("Entry", &args)]);
        assert_eq!(gives("Map", "entrySet"), entries);
        assert_eq!(
            gives("List", "toArray"),
            Value::alien("[]", std::slice::from_ref(&text))
        );
        assert_eq!(gives("Stream", "filter"), Value::alien("Stream", &args));
        assert_eq!(gives("Whatever", "toString"), text);
        assert_eq!(LIBRARY.gives("Whatever", "get"), None);
    }

    #[test]
    fn types_derive_through_others() {
        assert_eq!(LIBRARY.derives("ArrayList", "Iterable"), Some(true));
        assert_eq!(LIBRARY.derives("ArrayList", "Map"), Some(false));
        assert_eq!(LIBRARY.derives("Unheard", "Map"), None);
    }
}
