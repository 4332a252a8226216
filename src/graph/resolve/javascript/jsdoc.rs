//! Types that plain JavaScript writes in the comments in front of what they are for: `@param {T} name`, `@returns {T}`,
//! `@type {T}`, `@typedef {T} Name`. Nothing else of a comment is read.

use super::walk::{At, Walk};
use crate::graph::facts::*;

/// What the comment in front of a function says of its types.
#[derive(Default)]
pub struct Documented<'a> {
    pub params: Vec<(&'a str, &'a str)>,
    pub returns: Option<&'a str>,
}

impl<'a> Documented<'a> {
    pub fn param(&self, name: &str) -> Option<&'a str> {
        let mut params = self.params.iter();
        params.find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }
}

impl<'a, 't> Walk<'_, 'a, 't> {
    /// The documentation comment that ends in front of a byte.
    fn comment_before(&self, byte: usize) -> Option<&'a str> {
        if self.is_typescript {
            return None;
        }
        let before: &'a [u8] = self.lower.text.get(..byte)?;
        let before = before.trim_ascii_end();
        let inside = before.strip_suffix(b"*/")?;
        let start = memchr::memmem::rfind(inside, b"/*")?;
        let comment = inside[start..].strip_prefix(b"/**")?;
        std::str::from_utf8(comment).ok()
    }

    pub fn documented(&self, byte: usize) -> Documented<'a> {
        let mut documented = Documented::default();
        let comment = self.comment_before(byte).unwrap_or("");
        for (tag, ty, rest) in tags(comment) {
            match tag {
                "param" | "arg" | "argument" => {
                    let name = rest.trim_start().trim_start_matches('[');
                    let end = name.find(|c: char| !is_in_name(c));
                    let name = &name[..end.unwrap_or(name.len())];
                    documented.params.push((name, ty));
                }
                "return" | "returns" => documented.returns = Some(ty),
                _ => {}
            }
        }
        documented
    }

    /// The type that the comment in front of a byte says.
    pub fn documented_type(&mut self, byte: usize, at: At) -> TypeId {
        let comment = self.comment_before(byte).unwrap_or("");
        let ty = tags(comment).find(|(tag, ..)| *tag == "type");
        ty.map_or(UNTYPED, |(_, ty, _)| self.doc_type(ty, at))
    }

    /// Binds the names that comments give to types.
    pub fn typedefs(&mut self, at: At) {
        if self.is_typescript {
            return;
        }
        let text: &'a [u8] = self.lower.text;
        let places: Vec<_> = memchr::memmem::find_iter(text, b"@typedef").collect();
        for place in places {
            let end =
                memchr::memmem::find(&text[place..], b"*/").map_or(text.len(), |end| place + end);
            let Ok(comment) = std::str::from_utf8(&text[place..end]) else {
                continue;
            };
            let Some((_, ty, rest)) = tags(comment).next() else {
                continue;
            };
            let name = rest.trim_start();
            let length = name.find(|c: char| !is_in_name(c));
            let name = &name[..length.unwrap_or(name.len())];
            if name.is_empty() || matches!(ty.trim(), "Object" | "object") {
                continue;
            }
            let bound = self.doc_type(ty, at);
            let name = self.lower.sym(name);
            let bounds = self.lower.list(&[bound]);
            // It stands for its type wherever a type is meant.
            self.bind(FILE, name, Bound::Param { bounds });
        }
    }

    /// A type as comments write it.
    pub fn doc_type(&mut self, text: &'a str, at: At) -> TypeId {
        let mut parser = Parser { rest: text, at };
        parser.union(self)
    }
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The tags of a comment that have a type: their word, the type between braces, what follows.
fn tags(comment: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    comment.match_indices('@').filter_map(|(at, _)| {
        let tag = &comment[at + 1..];
        let word = tag.find(|c: char| !c.is_ascii_alphanumeric())?;
        let open = tag[word..].trim_start().strip_prefix('{')?;
        let mut depth = 1;
        let close = open.bytes().position(|byte| {
            depth += i32::from(byte == b'{') - i32::from(byte == b'}');
            depth == 0
        })?;
        Some((&tag[..word], &open[..close], &open[close + 1..]))
    })
}

/// Reads a type; of what it does not know, nothing is known.
struct Parser<'a> {
    rest: &'a str,
    at: At,
}

impl<'a> Parser<'a> {
    fn take(&mut self, mark: &str) -> bool {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == '*' && mark != "*");
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn union(&mut self, walk: &mut Walk<'_, 'a, '_>) -> TypeId {
        if !walk.lower.enter() {
            return UNTYPED;
        }
        let mut parts = vec![self.postfix(walk)];
        while self.take("|") || self.take("&") {
            parts.push(self.postfix(walk));
        }
        walk.lower.leave();
        match parts.as_slice() {
            [only] => *only,
            _ => {
                let of = walk.lower.list(&parts);
                walk.lower.ty(Type::Union { of })
            }
        }
    }

    fn postfix(&mut self, walk: &mut Walk<'_, 'a, '_>) -> TypeId {
        while self.take("?") || self.take("!") || self.take("...") {}
        let mut ty = self.primary(walk);
        loop {
            if self.take("[]") {
                ty = walk.lower.ty(Type::Array { of: ty });
            } else if !(self.take("=") || self.take("?") || self.take("!")) {
                return ty;
            }
        }
    }

    fn primary(&mut self, walk: &mut Walk<'_, 'a, '_>) -> TypeId {
        if self.take("(") {
            let ty = self.union(walk);
            self.take(")");
            return ty;
        }
        if self.take("typeof ") {
            let path = self.path(walk);
            return self.type_of(path, walk);
        }
        let mut path = vec![];
        if self.take("import(") {
            path.extend(self.imported(walk));
            self.take(".");
        }
        path.extend(self.path(walk));
        let args = self.arguments(walk);
        match path.as_slice() {
            [] => UNTYPED,
            path => self.named(path, &args, walk),
        }
    }

    /// `import("x")`, up to its closing parenthesis.
    fn imported(&mut self, walk: &mut Walk<'_, 'a, '_>) -> Option<Sym> {
        let (spec, rest) = self.rest.split_once(')')?;
        self.rest = rest;
        let spec = spec.trim().trim_matches(['"', '\'']);
        Some(walk.module_name(spec))
    }

    fn path(&mut self, walk: &mut Walk<'_, 'a, '_>) -> Vec<Sym> {
        let mut path = vec![];
        loop {
            self.take("");
            let end = self.rest.find(|c: char| !is_in_name(c));
            let end = end.unwrap_or(self.rest.len());
            if end == 0 {
                return path;
            }
            path.push(walk.lower.sym(&self.rest[..end]));
            self.rest = &self.rest[end..];
            let dot = self.rest.strip_prefix('.');
            match dot.filter(|rest| rest.starts_with(is_in_name)) {
                Some(rest) => self.rest = rest,
                None => return path,
            }
        }
    }

    /// `<A, B>`, in the old way `.<A, B>`.
    fn arguments(&mut self, walk: &mut Walk<'_, 'a, '_>) -> Vec<TypeId> {
        let mut args = vec![];
        if !(self.take("<") || self.take(".<")) {
            return args;
        }
        loop {
            args.push(self.union(walk));
            if !self.take(",") {
                self.take(">");
                return args;
            }
        }
    }

    fn named(&mut self, path: &[Sym], args: &[TypeId], walk: &mut Walk<'_, 'a, '_>) -> TypeId {
        let facts = &walk.lower.facts;
        let last = path.last().map_or("", |&name| facts.name(name));
        let literal = match last {
            "string" | "String" => Some(Literal::Str),
            "number" | "Number" | "bigint" => Some(Literal::Float),
            "boolean" | "Boolean" | "true" | "false" => Some(Literal::Bool),
            "void" | "undefined" | "null" | "never" => Some(Literal::Null),
            "any" | "unknown" | "Object" | "object" | "Function" | "function"
                if args.is_empty() =>
            {
                return UNTYPED;
            }
            _ => None,
        };
        if let Some(literal) = literal {
            return walk.lower.ty(Type::Basic { literal });
        }
        if let ("Object" | "Record", [key, value]) = (last, args) {
            let (key, value) = (*key, *value);
            return walk.lower.ty(Type::Map { key, value });
        }
        let scope = self.at.place.scope;
        let (path, args) = (walk.lower.list(path), walk.lower.list(args));
        walk.lower.ty(Type::Named { path, args, scope })
    }

    fn type_of(&mut self, path: Vec<Sym>, walk: &mut Walk<'_, 'a, '_>) -> TypeId {
        let Some((&first, rest)) = path.split_first() else {
            return UNTYPED;
        };
        let mut expr = walk.named(first, self.at);
        for &name in rest {
            expr = walk.put(Expr::Member { of: expr, name });
        }
        walk.lower.ty(Type::Of { expr })
    }
}
