//! Signatures of the standard library's methods: a table in `library.txt`, read once.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use crate::graph::value::{NOWHERE, Value};

/// A type in a signature.
#[derive(Debug, Clone, PartialEq)]
enum Sig {
    /// An argument of the receiver's type.
    Of(usize),
    /// A parameter of the method's own.
    Free(u32),
    This,
    /// `_`.
    Unknown,
    Named(String, Vec<Sig>),
    Tuple(Vec<Sig>),
    Function(Vec<Sig>, Box<Sig>),
}

type Table = HashMap<&'static str, HashMap<&'static str, Sig>>;

/// By type, then by method: functions.
static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("library.txt")));

/// What a type has from another one.
pub fn behind(name: &str) -> Option<&'static str> {
    Some(match name {
        "Vec" | "SmallVec" | "ArrayVec" => "[]",
        "String" => "str",
        "PathBuf" => "Path",
        "OsString" => "OsStr",
        "BTreeMap" | "IndexMap" | "FxHashMap" | "AHashMap" => "HashMap",
        "BTreeSet" | "IndexSet" | "FxHashSet" | "VecDeque" | "BinaryHeap" => "HashSet",
        "DoubleEndedIterator"
        | "ExactSizeIterator"
        | "IntoIterator"
        | "Peekable"
        | "Enumerate"
        | "Rev"
        | "Chain"
        | "Iter"
        | "IterMut"
        | "IntoIter"
        | "Drain"
        | "Filter"
        | "Map"
        | "Take"
        | "Skip"
        | "FusedIterator"
        | "ParallelIterator"
        | "Range" => "Iterator",
        "OnceLock" | "LazyLock" => "OnceCell",
        _ => return None,
    })
}

/// A line is a type with its parameters, or, indented, methods and what they are: `map (T->A) -> Option<A>`.
fn read(text: &'static str) -> Table {
    let mut table = Table::new();
    let (mut head, mut params) = ("", vec![]);
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if !line.starts_with(' ') {
            let (name, rest) = line.split_once('<').unwrap_or((line, ""));
            head = name;
            params = rest
                .trim_end_matches('>')
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            continue;
        }
        let end = line.find(['(', '-']).unwrap_or(line.len());
        let (names, signature) = line.split_at(end);
        let mut reader = Reader {
            text: signature,
            params: &params,
        };
        let function = match reader.one() {
            function @ Sig::Function(..) => function,
            returns => Sig::Function(vec![], Box::new(returns)),
        };
        let methods = table.entry(head).or_default();
        for name in names.split_whitespace() {
            methods.insert(name, function.clone());
        }
    }
    table
}

struct Reader<'a> {
    text: &'a str,
    params: &'a [&'a str],
}

impl Reader<'_> {
    fn eat(&mut self, wanted: &str) -> bool {
        let rest = self.text.trim_start().strip_prefix(wanted);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    /// A type; `(A, B)` is a tuple, and parameters where `->` follows. `-> A` alone takes nothing.
    fn one(&mut self) -> Sig {
        if self.eat("->") {
            return Sig::Function(vec![], Box::new(self.one()));
        }
        if self.eat("(") {
            let parts = self.list(")");
            return match self.eat("->") {
                true => Sig::Function(parts, Box::new(self.one())),
                false => Sig::Tuple(parts),
            };
        }
        if self.eat("[") {
            let parts = self.list("]");
            return Sig::Named("[]".to_string(), parts);
        }
        if self.eat("_") {
            return Sig::Unknown;
        }
        self.text = self.text.trim_start();
        let end = self
            .text
            .find(|letter: char| !letter.is_alphanumeric())
            .unwrap_or(self.text.len());
        let (name, rest) = self.text.split_at(end);
        self.text = rest;
        if let Some(index) = self.params.iter().position(|param| *param == name) {
            return Sig::Of(index);
        }
        match name.as_bytes() {
            b"Self" => Sig::This,
            [letter @ b'A'..=b'Z'] => Sig::Free(u32::from(*letter)),
            _ => {
                let args = if self.eat("<") {
                    self.list(">")
                } else {
                    vec![]
                };
                Sig::Named(name.to_string(), args)
            }
        }
    }

    fn list(&mut self, end: &str) -> Vec<Sig> {
        let mut parts = vec![];
        while !self.eat(end) {
            let before = self.text.len();
            parts.push(self.one());
            self.eat(",");
            assert!(self.text.len() < before, "no type at {:?}", self.text);
        }
        parts
    }
}

/// A signature for a receiver. Parameters of its own belong to no file.
fn value(sig: &Sig, this: &Value, args: &[Value]) -> Value {
    let each = |parts: &[Sig]| -> Rc<[Value]> {
        parts.iter().map(|part| value(part, this, args)).collect()
    };
    match sig {
        Sig::Of(index) => args.get(*index).cloned().unwrap_or(Value::Unknown),
        Sig::Free(letter) => Value::Param(NOWHERE, 0, *letter),
        Sig::This => this.clone(),
        Sig::Unknown => Value::Unknown,
        Sig::Named(name, parts) => Value::Alien(name.as_str().into(), each(parts)),
        Sig::Tuple(parts) => Value::Tuple(each(parts)),
        Sig::Function(params, returns) => {
            Value::Function(each(params), value(returns, this, args).into())
        }
    }
}

/// A method of a type, for a receiver with these arguments.
pub fn method(of: &str, this: &Value, args: &[Value], name: &str) -> Option<Value> {
    let found = TABLE.get(of).and_then(|methods| methods.get(name));
    match (found, behind(of)) {
        (Some(sig), _) => Some(value(sig, this, args)),
        (None, Some(behind)) => method(behind, this, args, name),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_reads() {
        for line in include_str!("library.txt")
            .lines()
            .filter(|line| line.starts_with(' '))
        {
            let end = line.find(['(', '-']).expect("a signature");
            let mut reader = Reader {
                text: &line[end..],
                params: &["T", "K", "V"],
            };
            let sig = reader.one();
            assert!(matches!(sig, Sig::Function(..)), "{line}");
            assert_eq!(reader.text.trim(), "", "{line}");
        }
    }

    #[test]
    fn results_of_closures() {
        let number = Value::alien("u8", &[]);
        let option = Value::alien("Option", std::slice::from_ref(&number));
        let found =
            method("Option", &option, std::slice::from_ref(&number), "map").expect("a method");
        let free = Value::Param(NOWHERE, 0, u32::from(b'A'));
        let callback = Value::Function(Rc::from([number]), free.clone().into());
        let returns = Value::alien("Option", &[free]);
        assert_eq!(found, Value::Function(Rc::from([callback]), returns.into()));
    }
}
