//! The languages: what each is called, how its files are known, which grammar or scanner reads them.
//! A language is data first (`queries/<name>.scm`), a hook second (`<name>.rs`, extraction only). Nothing outside this
//! folder and `queries/` names a language; call resolution lives elsewhere.

pub mod conflicts;
pub mod fold;
pub mod lex;
pub mod rules;

mod cpp;
mod csv;
mod declarator;
mod flow;
mod go;
mod java;
mod javascript;
mod json;
mod keys;
mod markdown;
mod preprocess;
mod python;
mod rust;
mod scan;
mod toml;
mod yaml;

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use tree_sitter::Node;
use tree_sitter_language::LanguageFn;

use crate::model::{Import, Item, Kind, Outline};
use crate::source::Source;
use lex::Lexis;
use rules::{Hit, Rules};

/// Every language known, in the order `languages` prints them.
pub static REGISTRY: &[&Language] = &[
    &python::PYTHON,
    &javascript::JAVASCRIPT,
    &javascript::TYPESCRIPT,
    &javascript::TSX,
    &java::JAVA,
    &go::GO,
    &rust::RUST,
    &cpp::C,
    &cpp::CPP,
    &markdown::MARKDOWN,
    &json::JSON,
    &yaml::YAML,
    &toml::TOML,
    &csv::CSV,
    &csv::TSV,
];

/// A text of a format that nothing is known of: no more than its lines can be told.
pub static PLAIN: Language = Language {
    name: "text",
    aliases: &[],
    extensions: &[],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(|_| Outline::default()),
};

impl Language {
    pub fn is_plain(&self) -> bool {
        std::ptr::eq(self, &PLAIN)
    }
}

pub struct Language {
    /// Lower case, as in `--lang`, `-t` and JSON.
    pub name: &'static str,
    /// Other names accepted on the command line.
    pub aliases: &'static [&'static str],
    /// Lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Programs a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// For names that several languages share: tells by the text which one it is.
    pub sniff: Option<fn(&Path, &Source) -> &'static Language>,
    pub reader: Reader,
}

#[expect(
    clippy::large_enum_variant,
    reason = "one static of each language, never moved"
)]
pub enum Reader {
    Grammar(Grammar),
    /// For formats that a line scanner or an event parser reads better than a grammar.
    Scanner(fn(&Source) -> Outline),
}

/// A tree-sitter grammar with the patterns and hooks that turn its trees into items.
pub struct Grammar {
    pub parser: LanguageFn,
    /// File name and text of each `.scm`, first match first.
    pub queries: &'static [(&'static str, &'static str)],
    /// Stands between the parts of a qualified name.
    pub separator: &'static str,
    pub docs: Docs,
    /// How strings and comments are written, to mend broken files by their brackets.
    pub lexis: &'static Lexis,
    /// Decorators are children of what they decorate (else they are siblings in front of it).
    pub decorated_inside: bool,
    pub hooks: Hooks,
    rules: OnceLock<Rules>,
}

/// How documentation is written and attached.
pub struct Docs {
    /// Openers of line comments that can be documentation, longest first.
    pub line: &'static [&'static str],
    /// Openers of line comments that never are.
    pub not_line: &'static [&'static str],
    /// Opener and closer of block comments that can be documentation.
    pub block: Option<(&'static str, &'static str)>,
    /// Openers of block comments that never are.
    pub not_block: &'static [&'static str],
    /// The language attaches documentation across blank lines (its own syntax, not any comment).
    pub detached: bool,
    /// Only values are documented by comments; the rest has documentation inside.
    pub values_only: bool,
}

/// What patterns cannot say. Every hook is a plain function; the defaults are right for most languages.
pub struct Hooks {
    /// Completes, splits or drops what a pattern found.
    pub define: for<'t> fn(&mut Context<'_, 't>, &Hit<'_, 't>, Draft<'t>, &mut Vec<Draft<'t>>),
    /// Whether the definition itself is visible outside; its owner's visibility is checked by the extractor.
    pub exported: for<'t> fn(&Context<'_, 't>, &Draft<'t>) -> bool,
    pub imports: fn(&Source, Node<'_>, &mut Vec<Import>),
    /// Looks into a call for imports; gives the functions that it runs at once, which are no scope of their own.
    pub call: for<'t> fn(&mut Context<'_, 't>, Node<'t>) -> Vec<Node<'t>>,
    /// Documentation the grammar puts inside the definition.
    pub inner_doc: for<'t> fn(&Context<'_, 't>, &Draft<'t>) -> Option<String>,
    /// The parts of an embedded text that hold definitions.
    pub embedded: fn(Node<'_>) -> Vec<tree_sitter::Range>,
    /// The text with forms the grammar does not know put into ones it does, byte for byte as long and with the same
    /// line breaks. Asked only where a file does not parse; taken only if it leaves fewer errors.
    pub respell: fn(&[u8]) -> Option<Vec<u8>>,
    /// Joins a scope's path and a name.
    pub join: fn(&str, &str, &str) -> String,
    /// For texts the grammar cannot read because another program works on them before the compiler does.
    pub rewrite: Option<fn(&[u8]) -> Rewrite>,
}

/// A text for the grammar to read in place of one it cannot. All offsets hold in the original: copies of equal length,
/// with the same line ends.
pub struct Rewrite {
    /// The original without what no compiler reads; names and signatures come from here.
    pub shown: Vec<u8>,
    /// What is parsed.
    pub parsed: Vec<u8>,
    /// The original as it stands but for what no compiler reads: parsed if the other does not parse well.
    pub plain: Vec<u8>,
    /// Blanked text that belongs to the definition behind it, in source order.
    pub attached: Vec<Range<usize>>,
    /// Insides of functions, which can be left out if they do not parse.
    pub bodies: Vec<Range<usize>>,
}

impl Hooks {
    pub const DEFAULT: Hooks = Hooks {
        define: |_, _, draft, out| out.push(draft),
        exported: |_, _| true,
        imports: |_, _, _| {},
        call: |_, _| vec![],
        inner_doc: |_, _| None,
        embedded: |_| vec![],
        respell: |_| None,
        rewrite: None,
        join: |scope, name, separator| {
            if scope.is_empty() {
                name.to_string()
            } else {
                format!("{scope}{separator}{name}")
            }
        },
    };
}

/// Where in the file the walk stands when a hook is asked.
pub struct Context<'a, 't> {
    pub source: &'a Source,
    pub rules: &'a Rules,
    pub inside: Inside,
    /// Kind and simple name of the innermost enclosing definition.
    pub owner: Option<(Kind, &'a str)>,
    /// The outermost node that wraps the definition: decorators, `export`, `template<...>`.
    pub wrapper: Option<Node<'t>>,
    /// Nodes in front of the definition that belong to it.
    pub decorators: &'a [Node<'t>],
    /// The nearest heading among the siblings in front: `private:`.
    pub section: Option<Node<'t>>,
    /// What the walk has found so far.
    pub items: &'a [Item],
    /// Names the file exports by a list; hooks may add to it.
    pub exports: &'a mut Vec<String>,
    /// What the file imports; hooks may add to it.
    pub imports: &'a mut Vec<Import>,
}

/// What kind of scope encloses a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    Module,
    /// A type, or what stands for one (an impl block, an enum member with a body).
    Type,
    /// A function body: values are locals and have no entry.
    Callable,
    /// An object literal bound to a name.
    Object,
}

/// A definition on its way from a pattern to an item.
#[derive(Clone)]
pub struct Draft<'t> {
    pub kind: Kind,
    pub name: String,
    /// The part of the qualified name this definition adds, where it differs from the name.
    pub segment: Option<String>,
    /// Scopes written in front of the name (`Engine` of `Engine::apply`, a receiver's type).
    pub scope: Option<String>,
    pub receiver: Option<String>,
    pub bases: Vec<String>,
    pub level: Option<u8>,
    /// A callable or type without a body.
    pub declaration: bool,
    pub node: Node<'t>,
    pub name_node: Node<'t>,
    pub params: Option<Node<'t>>,
    pub returns: Option<Node<'t>>,
    pub body: Option<Node<'t>>,
    pub value: Option<Node<'t>>,
    /// Where one declaration has several names: the end of their common head and this one's own part.
    pub own: Option<(usize, Node<'t>)>,
    /// Where the signature ends if something stands between it and the body (a constructor's initialisers).
    pub head_end: Option<usize>,
    pub home: Home,
    pub nest: Nest,
    /// Listed even inside a function's body, where other values are locals.
    pub listed: bool,
    /// First and last byte, where they are not those of the node and its wrappers.
    pub span: Option<(usize, usize)>,
    /// Part of the qualified name of what lies inside, but no entry.
    pub hidden: bool,
}

/// Whose path a definition's qualified name continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// That of the scope it is written in.
    Here,
    /// That of the scope around the types it is written in.
    OutsideTypes,
    /// None: its name means the same everywhere in the file.
    File,
}

/// Which definitions inside a definition's node are its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nest {
    All,
    /// Only those from this byte on.
    From(u32),
    /// Only those up to this byte.
    Until(u32),
    None,
}

impl Grammar {
    pub const fn new(
        parser: LanguageFn,
        queries: &'static [(&'static str, &'static str)],
        separator: &'static str,
        docs: Docs,
        hooks: Hooks,
    ) -> Grammar {
        Grammar {
            parser,
            queries,
            separator,
            docs,
            lexis: &lex::C_LIKE,
            decorated_inside: false,
            hooks,
            rules: OnceLock::new(),
        }
    }

    pub const fn lexis(mut self, lexis: &'static Lexis) -> Grammar {
        self.lexis = lexis;
        self
    }

    pub const fn decorated_inside(mut self) -> Grammar {
        self.decorated_inside = true;
        self
    }

    /// The patterns, read at first use (0.02 to 0.11 ms).
    pub fn rules(&self) -> &Rules {
        self.rules.get_or_init(|| {
            let texts: Vec<&'static str> = self.queries.iter().map(|(_, text)| *text).collect();
            Rules::read(&texts, &self.parser.into()).expect("a test reads every query file")
        })
    }
}

impl Language {
    pub fn grammar(&self) -> Option<&Grammar> {
        match &self.reader {
            Reader::Grammar(grammar) => Some(grammar),
            Reader::Scanner(_) => None,
        }
    }

    /// Looks a language up by name or alias, in any case.
    pub fn by_name(name: &str) -> Option<&'static Language> {
        let name = name.to_ascii_lowercase();
        REGISTRY
            .iter()
            .copied()
            .find(|language| language.name == name || language.aliases.contains(&name.as_str()))
    }

    /// Guesses from the name alone. Names that need a look inside (`.h`, no extension) give the likelier language.
    pub fn by_path(path: &Path) -> Option<&'static Language> {
        let file_name = path
            .file_name()?
            .to_str()
            .map(str::to_owned)
            .unwrap_or_default();
        let extension = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or("")
            .to_ascii_lowercase();
        let by_name = REGISTRY
            .iter()
            .find(|language| language.file_names.contains(&file_name.as_str()));
        by_name
            .or_else(|| {
                REGISTRY
                    .iter()
                    .find(|l| l.extensions.contains(&extension.as_str()))
            })
            .copied()
    }

    /// Reads the program a `#!` line names.
    pub fn by_shebang(first_line: &[u8]) -> Option<&'static Language> {
        let line = std::str::from_utf8(first_line).ok()?.strip_prefix("#!")?;
        let mut words = line
            .split_whitespace()
            .map(|word| word.rsplit('/').next().unwrap_or(word));
        let program =
            words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        REGISTRY
            .iter()
            .copied()
            .find(|language| language.interpreters.contains(&program))
    }
}

/// The language of a file, by its name and, where the name does not say, its text.
pub fn detect(path: &Path, source: &Source) -> Option<&'static Language> {
    let language = Language::by_path(path).or_else(|| Language::by_shebang(source.line(1)))?;
    Some(language.sniff.map_or(language, |sniff| sniff(path, source)))
}
