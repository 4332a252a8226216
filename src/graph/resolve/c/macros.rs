//! What the preprocessor reads: files included, conditions, and macros, whose texts are code that is parsed apart.

use tree_sitter::{Node, Point, Range};

use super::walk::Walk;
use crate::graph::facts::*;
use crate::graph::lower::{Place, line};

/// Longer texts of macros are tables of data.
const LONGEST: usize = 64 << 10;

/// What compilers for other platforms than Linux define: code behind one of these is not what runs on servers.
const ELSEWHERE: &[&str] = &[
    "_WIN32",
    "_WIN64",
    "WIN32",
    "__CYGWIN__",
    "__APPLE__",
    "__MACH__",
    "__FreeBSD__",
    "__NetBSD__",
    "__OpenBSD__",
    "__DragonFly__",
    "__sun",
    "__sun__",
    "_AIX",
    "__hpux",
    "__HAIKU__",
    "__VMS",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Test,
    Elsewhere,
}

impl<'t> Walk<'_, '_, 't> {
    pub fn include(&mut self, node: Node<'t>, place: Place) {
        let Some(path) = node.child_by_field_name("path") else {
            return;
        };
        // `<stdio.h>` keeps its angles: it is looked for elsewhere than `"stdio.h"`.
        let spec = self.lower.str(path).trim_matches('"');
        let import = Import {
            spec: self.lower.sym(spec),
            name: None,
            line: line(node),
            how: ImportKind::Effect,
            scope: place.scope,
        };
        self.lower.facts.imports.push(import);
    }

    /// `#ifdef NAME` names a macro. What stands behind it may be test code, or for a platform that is none of ours.
    pub fn condition(&mut self, node: Node<'t>, place: Place) {
        // What `#ifndef` names is most often defined right behind it.
        let name = node.child_by_field_name("name");
        if let Some(name) =
            name.filter(|_| node.child(0).is_some_and(|word| word.kind() == "#ifdef"))
        {
            let sym = self.lower.name(name);
            self.note(Used::Name(sym), sym, name, place);
        }
        let said = self.said(node);
        self.tests += u32::from(said == Said::Test);
        let inside = Place {
            dead: place.dead || said == Said::Elsewhere,
            ..place
        };
        let mut cursor = node.walk();
        let (mut behind, mut otherwise) = (vec![], vec![]);
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "preproc_else" | "preproc_elif" | "preproc_elifdef" => otherwise.push(child),
                _ if node.child_by_field_name("name") == Some(child) => {}
                _ => behind.push(child),
            }
        }
        self.visit_these(&behind, inside);
        self.tests -= u32::from(said == Said::Test);
        self.visit_these(&otherwise, place);
    }

    /// What a condition says of the code behind it.
    fn said(&self, node: Node<'t>) -> Said {
        let positive = node
            .child(0)
            .is_none_or(|word| !self.lower.str(word).ends_with("ndef"));
        let name = node.child_by_field_name("name");
        let condition = name.or(node.child_by_field_name("condition"));
        let text = condition.map_or("", |condition| self.lower.str(condition));
        let words = || text.split(|byte: char| !byte.is_alphanumeric() && byte != '_');
        let plain = positive && !text.contains(['!', '|']);
        let test = |name: &str| name.split('_').any(|part| matches!(part, "TEST" | "TESTS"));
        match () {
            () if !plain => Said::Nothing,
            () if words().any(test) => Said::Test,
            () if words().any(|word| ELSEWHERE.contains(&word)) => Said::Elsewhere,
            () => Said::Nothing,
        }
    }

    /// A macro: seen from its line on, in all of the file and in those that include it.
    pub fn macro_definition(&mut self, node: Node<'t>, place: Place) {
        let Some(def) = node
            .child_by_field_name("name")
            .and_then(|name| self.lower.def_named(name))
        else {
            return;
        };
        let sym = self.lower.facts.def(def).name;
        self.lower.bind(FILE, sym, 0, Bound::Def(def));
        let scope = self.lower.scope(FILE, ScopeKind::Function, Some(def));
        let inside = Place {
            scope,
            from: Some(def),
            dead: place.dead,
        };
        let mut names = vec![];
        if let Some(list) = node.child_by_field_name("parameters") {
            let mut cursor = list.walk();
            for parameter in list.named_children(&mut cursor) {
                names.push(self.lower.name(parameter));
            }
        }
        let untyped = Bound::Var {
            ty: UNTYPED,
            init: UNKNOWN,
        };
        for &name in &names {
            self.lower.bind(scope, name, 0, untyped);
            let param = Param {
                name,
                ty: UNTYPED,
                optional: false,
            };
            self.lower.def(def).params.push(param);
        }
        if let Some(value) = node.child_by_field_name("value") {
            self.macro_text(value, &names, inside);
        }
    }

    /// Reads what a macro stands for. The tree has none of it, and the text that was parsed only its length.
    fn macro_text(&mut self, value: Node<'t>, parameters: &[Sym], inside: Place) {
        let body = self.lower.source.text().get(value.byte_range());
        let body = body.unwrap_or(b"");
        if body.len() > LONGEST || !has_names(body) {
            return;
        }
        let text = [b"{", body, b"\n;}"].concat();
        let range = Range {
            start_byte: 0,
            end_byte: text.len(),
            start_point: Point::new(value.start_position().row, 0),
            end_point: Point::new(usize::MAX, usize::MAX),
        };
        let mut parser = self.parser.take().unwrap_or_default();
        let ready = parser.set_language(&value.language()).is_ok()
            && parser.set_included_ranges(&[range]).is_ok();
        let tree = parser.parse(&text, None).filter(|_| ready);
        self.parser = Some(parser);
        let Some(tree) = tree else { return };
        self.lower.reading(&text, |lower| {
            let mut walk = Walk::new(lower);
            for &parameter in parameters {
                walk.hide(parameter);
            }
            walk.all(tree.root_node(), inside);
        });
    }
}

/// Whether there is a name in a text outside of numbers and of a string at its start: most macros are numbers.
fn has_names(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    if text.first() == Some(&b'"') && !text.contains(&b'(') {
        return false;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut before = b' ';
    text.iter().any(|&byte| {
        let starts = is_word(byte) && !byte.is_ascii_digit() && !is_word(before);
        before = byte;
        starts
    })
}
