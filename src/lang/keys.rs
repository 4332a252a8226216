//! The keys of a data file, each named by its JSON Pointer, collected as a scanner meets them.
//! Knows no syntax; a scanner says where keys, values and comments stand. Nothing here is an error: what a scanner finds
//! broken becomes a problem, and the keys around it stay.

use std::ops::Range;

use super::scan::{after_bom, entry, lines_of, problem};
use crate::model::{ItemId, Kind, Lines, Outline, Problem, ProblemKind, Trust};
use crate::source::Source;

/// Keys deeper than this have no entries: pointers would take memory with the square of the depth.
const MAX_DEPTH: usize = 200;
/// More keys than this are not listed; each takes about half a KB.
const MAX_KEYS: usize = 1_000_000;
/// Longest value shown in full, and longest key of a signature, in characters.
const MAX_VALUE: usize = 60;
const MAX_KEY: usize = 160;
/// Lines of a comment that are read for its first sentence.
const MAX_COMMENT: usize = 3;

/// A segment of a JSON Pointer with its slash.
pub fn segment(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The keys of a file, in the order a scanner meets them.
pub struct Keys<'a> {
    pub source: &'a Source,
    outline: Outline,
    /// The pointer of where the scanner stands.
    path: String,
    scopes: Vec<Scope>,
    /// Scopes entered past the deepest that is kept.
    deeper: usize,
    /// For each document, its first item.
    documents: Vec<ItemId>,
    comment: Option<Comment>,
    /// The key opened or closed last, which a comment on its line belongs to.
    last: Option<ItemId>,
}

/// A key or the element of a sequence.
struct Scope {
    /// Length of the path outside.
    outside: usize,
    item: Option<ItemId>,
    /// First byte of the value.
    value: Option<usize>,
}

/// A comment that may belong to the key below it.
struct Comment {
    text: String,
    lines: Lines,
}

/// A key as it is written.
pub struct Key<'a> {
    /// The entry's first byte, which a marker or an anchor may put in front of the key.
    pub start: usize,
    pub text: Range<usize>,
    pub name: String,
    /// What it adds to the pointer.
    pub path: &'a str,
    /// Stands between key and value in the signature.
    pub separator: &'static str,
}

impl<'a> Keys<'a> {
    pub fn new(source: &'a Source) -> Keys<'a> {
        Keys {
            source,
            outline: Outline::default(),
            path: String::new(),
            scopes: vec![],
            deeper: 0,
            documents: vec![],
            comment: None,
            last: None,
        }
    }

    /// Begins the next document of a stream.
    pub fn document(&mut self) {
        self.documents.push(self.outline.items.len() as ItemId);
    }

    /// Opens a key, to be left by [`Keys::leave`].
    pub fn key(&mut self, key: Key<'_>) {
        self.note_value(key.start);
        let line = self.source.line_at(key.text.start as u32);
        let above = self
            .comment
            .take()
            .filter(|comment| comment.lines.end + 1 == line || comment.lines.end == line);
        let outside = self.path.len();
        let too_many = self.outline.items.len() >= MAX_KEYS;
        if !self.enter(key.path) || too_many {
            return self.left_out(line, too_many);
        }
        let id = self.outline.items.len() as ItemId;
        let mut item = entry(
            self.source,
            Kind::Key,
            key.name,
            key.start..key.text.end.max(key.start + 1),
        );
        item.qualname.clone_from(&self.path);
        item.signature = self.key_text(key.text) + key.separator;
        item.decl_line = line;
        item.doc = above.map(|comment| comment.text);
        item.parent = self.scopes.iter().rev().find_map(|scope| scope.item);
        self.outline.items.push(item);
        self.last = Some(id);
        if let Some(scope) = self.scopes.last_mut() {
            *scope = Scope {
                outside,
                item: Some(id),
                value: None,
            };
        }
    }

    /// Opens an element of a sequence, to be left by [`Keys::leave`].
    pub fn element(&mut self, number: u32) {
        self.enter(&format!("/{number}"));
    }

    /// False where the scope is too deep to be kept.
    fn enter(&mut self, path: &str) -> bool {
        if self.deeper > 0 || self.scopes.len() >= MAX_DEPTH {
            self.deeper += 1;
            return false;
        }
        self.scopes.push(Scope {
            outside: self.path.len(),
            item: None,
            value: None,
        });
        self.path.push_str(path);
        true
    }

    /// Says where the value of the innermost key begins; the first word counts.
    pub fn note_value(&mut self, at: usize) {
        if let Some(scope) = self.scopes.last_mut().filter(|_| self.deeper == 0) {
            scope.value.get_or_insert(at);
        }
    }

    /// Closes the innermost key or element at byte `end`.
    pub fn leave(&mut self, end: usize, trust: Trust) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        self.path.truncate(scope.outside);
        let Some(id) = scope.item else { return };
        let has_keys = self.outline.items.len() as ItemId > id + 1;
        let value = scope.value.map_or(String::new(), |value| {
            self.value_text(value..end.max(value), has_keys)
        });
        let count = self.outline.items.len() as ItemId;
        let item = &mut self.outline.items[id as usize];
        item.end = count;
        item.rest = scope
            .value
            .map_or(0..0, |value| value as u32..end.max(value) as u32);
        if trust != Trust::Whole {
            item.trust = trust;
        }
        item.bytes.end = item.bytes.end.max(end as u32);
        item.lines.end = self.source.line_at(item.bytes.end - 1);
        item.signature = (std::mem::take(&mut item.signature) + &value)
            .trim_end()
            .to_string();
        self.last = Some(id);
    }

    /// Takes up a comment: behind a key it documents the key, alone on its lines the key that touches it from below.
    pub fn comment(&mut self, bytes: Range<usize>) {
        let lines = lines_of(self.source, &bytes);
        let head = self.source.line_start(lines.start) as usize..bytes.start;
        let head = &self.source.text()[head];
        let alone = head[after_bom(head)..].iter().all(u8::is_ascii_whitespace);
        let text = comment_text(&self.source.str(bytes));
        if !alone {
            let behind = self.last.map(|id| &mut self.outline.items[id as usize]);
            if let Some(item) = behind.filter(|item| item.decl_line == lines.start) {
                item.doc.get_or_insert(text);
            }
            self.comment = None;
            return;
        }
        match &mut self.comment {
            Some(above) if above.lines.end + 1 == lines.start => {
                above.lines.end = lines.end;
                if lines.start - above.lines.start < MAX_COMMENT as u32 {
                    above.text = std::mem::take(&mut above.text) + "\n" + &text;
                }
            }
            _ => self.comment = Some(Comment { text, lines }),
        }
    }

    /// How many keys there are, for [`Keys::forget`].
    pub fn count(&self) -> usize {
        self.outline.items.len()
    }

    /// Drops the keys from the `count`-th on: they stood inside of a key, not of a value.
    pub fn forget(&mut self, count: usize) {
        self.outline.items.truncate(count);
        self.last = None;
    }

    /// Something at byte `at` does not fit: the innermost open key is damaged, unless it turns out to be truncated.
    pub fn problem(&mut self, at: usize, message: &str) {
        let open = self.scopes.iter().rev().find_map(|scope| scope.item);
        if let Some(id) = open {
            self.outline.items[id as usize].trust = Trust::Damaged;
        }
        let line = self.source.line_at(at as u32);
        let lines = Lines {
            start: line,
            end: line,
        };
        problem(&mut self.outline, ProblemKind::Syntax, lines, message);
    }

    fn left_out(&mut self, line: u32, too_many: bool) {
        let told = |problem: &Problem| problem.kind == ProblemKind::Limit;
        if self.outline.problems.iter().any(told) {
            return;
        }
        let message = match too_many {
            true => format!("keys past the first {MAX_KEYS} are not listed"),
            false => format!("keys more than {MAX_DEPTH} levels deep are not listed"),
        };
        self.outline.problems.push(Problem {
            kind: ProblemKind::Limit,
            lines: Lines {
                start: line,
                end: line,
            },
            message,
        });
    }

    /// The outline. Keys of a stream of documents carry the document's number.
    pub fn finish(mut self, end: usize) -> Outline {
        while !self.scopes.is_empty() {
            self.leave(end, Trust::Truncated);
        }
        self.outline
            .problems
            .sort_by_key(|problem| problem.lines.start);
        if self.documents.len() > 1 {
            let items = &mut self.outline.items;
            for (number, &first) in self.documents.iter().enumerate() {
                let next = self.documents.get(number + 1);
                let until = next.map_or(items.len(), |&next| next as usize);
                for item in &mut items[first as usize..until] {
                    item.qualname.insert_str(0, &format!("{number}:"));
                }
            }
        }
        self.outline
    }

    fn key_text(&self, text: Range<usize>) -> String {
        let text = self.source.str(text);
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if folded.chars().count() <= MAX_KEY {
            return text
                .trim()
                .lines()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ");
        }
        folded.chars().take(MAX_KEY).collect::<String>() + "..."
    }

    /// A value as it is shown: whole if it is short, on one line and has no keys, else its opening and its size.
    fn value_text(&self, bytes: Range<usize>, has_keys: bool) -> String {
        let text = self.source.text()[bytes.clone()].trim_ascii();
        let lines = lines_of(self.source, &(bytes.start..bytes.start + text.len())).count();
        let short = lines == 1 && text.len() <= 4 * MAX_VALUE && !has_keys;
        if short {
            let text = String::from_utf8_lossy(text);
            if text.chars().count() <= MAX_VALUE {
                return text.into_owned();
            }
        }
        let size = match lines {
            1 => String::new(),
            _ => format!(" {lines} lines"),
        };
        match text.first() {
            Some(b'{') if !text.starts_with(b"{{") => format!("{{...{size}}}"),
            Some(b'[') => format!("[...{size}]"),
            _ if has_keys => String::new(),
            Some(open @ (b'|' | b'>')) => format!("{} ...{size}", char::from(*open)),
            _ => format!("...{size}"),
        }
    }
}

/// A comment without its markers.
fn comment_text(comment: &str) -> String {
    let clean = |line: &str| {
        let line = line.trim().trim_end_matches("*/").trim_end();
        line.trim_start_matches(['/', '#', '*', '!'])
            .trim()
            .to_string()
    };
    let lines: Vec<String> = comment.lines().take(MAX_COMMENT).map(clean).collect();
    lines.join("\n")
}
