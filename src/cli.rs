//! The command line: every verb, flag and help sentence. No logic beyond what clap is told.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::graph::query::near::Scope;
use crate::render::diff::Rung;
use crate::search;
use crate::tokens::Tokenizer;
use crate::view::View;

/// Read code within a budget: outlines, exact regions, symbols by name
#[derive(Debug, Parser)]
#[command(
    name = "ast-outline",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
#[command(after_help = "Exit codes: 0 answered, 1 asked for something that is not there, 2 error.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Answer in JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Work as if started in DIR
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// Colour the answer
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
    /// Print no answer: the exit code says whether there is one
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print no messages on stderr
    #[arg(long, global = true)]
    pub no_messages: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub enum Command {
    /// Show what files define, with signatures and line ranges
    Outline(Outline),
    /// Print exact lines of a file
    Region(Region),
    /// Print the source of a definition by name
    Symbol(Symbol),
    /// Print a file, or the best view of it that a budget allows
    Read(Read),
    /// Find lines that match a pattern, under the definitions they stand in
    Search(Search),
    /// Show what changed between two versions, in terms of definitions
    Diff(Diff),
    /// Check that what pointers point to is still there
    Verify(Verify),
    /// Count the tokens of files
    Tokens(Tokens),
    /// Print what to tell coding agents about the program
    Prompt,
    /// Show or remove what was remembered of files
    Cache(Cache),
    /// List the languages and the files they are known by
    Languages,
    /// Print the JSON Schema of a verb's JSON
    Schema(Schema),
    /// Show who calls a definition
    Callers(Near),
    /// Show what a definition calls
    Callees(Near),
    /// Show what depends on a definition or a file, or what a change broke
    Impact(Impact),
    /// Show the shortest way from one definition to another along calls
    Path(Between),
    /// Show the tests that reach a definition, nearest first
    Tests(Tested),
    /// Show definitions that nothing is seen to reach
    Unused(Unused),
    /// Show the files and packages that a file or package depends on
    Deps(Deps),
    /// Show the files and packages that depend on a file or package
    Rdeps(Deps),
    /// Show how a call or use was resolved
    Why(Why),
    /// Show what the rest of the tree wants of a file, in at most 100 tokens
    Brief(Brief),
    /// Answer the events of a coding agent; says nothing where there is nothing to say
    Hook(Hook),
    /// Bring the index of calls and uses up to date
    Index(Index),
    /// Show what is in the index, and from when
    Status(Status),
    /// Print the syntax tree of a file
    Tree(Tree),
    /// Print a completion script for a shell
    Completions(Completions),
}

/// The verbs as `-h` groups them.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Read code",
        &[
            "outline", "region", "symbol", "diff", "read", "search", "verify",
        ],
    ),
    ("Budgets", &["tokens"]),
    (
        "Who calls what",
        &[
            "callers", "callees", "impact", "path", "tests", "unused", "deps", "rdeps", "why",
            "brief", "hook", "index", "status",
        ],
    ),
    (
        "About the program",
        &[
            "prompt",
            "languages",
            "schema",
            "cache",
            "tree",
            "completions",
        ],
    ),
];

/// The command with its verbs in groups: clap knows one list only.
pub fn command() -> clap::Command {
    let command = Cli::command();
    let width = 2 + GROUPS
        .iter()
        .flat_map(|(_, verbs)| *verbs)
        .map(|verb| verb.len())
        .max()
        .unwrap_or(0);
    let mut groups = String::new();
    for (title, verbs) in GROUPS {
        groups += &format!("{title}:\n");
        for verb in *verbs {
            let about = command
                .find_subcommand(verb)
                .and_then(clap::Command::get_about)
                .map(ToString::to_string);
            groups += &format!("  {verb:width$}{}\n", about.unwrap_or_default());
        }
        groups.push('\n');
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

#[derive(Debug, Args)]
pub struct Cache {
    #[command(subcommand)]
    pub action: CacheAction,
}

#[derive(Debug, Subcommand)]
pub enum CacheAction {
    /// Where the cache lies, and how much is in it
    Stat(CacheFolder),
    /// Remove it
    Clean(CacheFolder),
}

#[derive(Debug, Args)]
pub struct CacheFolder {
    /// The cache of the repository that PATH lies in [default: the current folder]
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// Keep the cache in DIR
    #[arg(long, value_name = "DIR", env = "AST_OUTLINE_CACHE_DIR", value_parser = maybe_empty())]
    pub cache_dir: Option<PathBuf>,
}

/// Which files of a folder are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which files")]
pub struct Files {
    /// Only files that match GLOB; with a leading `!`, only those that do not
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Only files of this language
    #[arg(short = 't', long = "type", value_name = "LANG")]
    pub types: Vec<String>,
    /// Only files not of this language
    #[arg(short = 'T', long = "type-not", value_name = "LANG")]
    pub types_not: Vec<String>,
    /// List the languages -t knows
    #[arg(long)]
    pub type_list: bool,
    /// Read what .gitignore and the like leave out, too
    #[arg(long)]
    pub no_ignore: bool,
    /// Read hidden files and folders, too
    #[arg(long)]
    pub hidden: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub follow: bool,
    /// Pass over files larger than SIZE (such as 500K, 2M)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_filesize: Option<u64>,
    /// Read the paths listed in FILE, one a line (- for stdin), too
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Threads to work with
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

/// How a source is read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How they are read")]
pub struct Reading {
    /// Take every file named on the command line for LANG
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// The path stdin stands for
    #[arg(long, value_name = "PATH")]
    pub stdin_path: Option<PathBuf>,
    /// Give up parsing a file after this time (such as 500ms, 10s)
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub timeout: std::time::Duration,
    /// Neither read nor write the cache
    #[arg(long)]
    pub no_cache: bool,
    /// Keep the cache in DIR
    #[arg(long, value_name = "DIR", env = "AST_OUTLINE_CACHE_DIR", value_parser = maybe_empty())]
    pub cache_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Outline {
    /// Files and folders; - for stdin; nothing for the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How much to show of each definition
    #[arg(long, value_name = "VIEW", default_value = "auto", value_parser = view(OUTLINE_VIEWS, ViewArg::name))]
    pub view: ViewArg,
    /// Show N levels of nesting
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Only definitions of these kinds, comma separated
    #[arg(long, value_name = "K,..", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Only what is visible outside of its file
    #[arg(long)]
    pub exported: bool,
    /// Only definitions whose name or qualified name matches GLOB
    #[arg(long = "match", value_name = "GLOB")]
    pub pattern: Option<String>,
    /// Methods shown of one type, 0 for all; data models are never cut [default: 40, with --json or --budget 0]
    #[arg(long, value_name = "N")]
    pub max_members: Option<usize>,
    /// Leave out documentation
    #[arg(long)]
    pub no_docs: bool,
    /// Leave out imports
    #[arg(long)]
    pub no_imports: bool,
    /// Wrap each file's answer in a Markdown fence
    #[arg(long)]
    pub fence: bool,
    /// Name each answer's lines at their version; in JSON those of each definition, too
    #[arg(long)]
    pub evidence: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub files: Files,
}

#[derive(Debug, Args)]
pub struct Region {
    /// PATH:10-20, PATH:10, PATH#L10-L20, PATH 10 20, or a pointer: PATH@VERSION#L10-L20~HASH
    #[arg(value_name = "PATH:LINES", required = true)]
    pub targets: Vec<String>,
    /// The lines of definition NAME in PATH
    #[arg(long, value_name = "NAME")]
    pub symbol: Option<String>,
    /// The numbers are those of VERSION, and may have moved: a commit, blob:ID or a version an answer named
    #[arg(long, value_name = "VERSION", conflicts_with = "symbol")]
    pub at: Option<String>,
    /// Print N more lines before and after
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub context: u32,
    #[command(flatten)]
    pub printing: Printing,
    #[command(flatten)]
    pub budgeting: Budgeting,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Debug, Args)]
pub struct Symbol {
    /// Names to look up; the first is a path if a file or folder is called so
    #[arg(value_name = "[PATH] NAME", required = true)]
    pub words: Vec<String>,
    /// Look in PATH, and take every word for a name
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
    /// How much to show of each match [default: full; signatures for more than three]
    #[arg(long, value_name = "VIEW")]
    pub view: Option<SymbolView>,
    /// Print the signature alone: --view signatures
    #[arg(long, conflicts_with = "view")]
    pub signature: bool,
    /// Print the heads of the definitions around it, too
    #[arg(long)]
    pub with_parents: bool,
    /// Say who calls it and what it calls
    #[arg(long)]
    pub graph: bool,
    /// Print the definitions it calls, too, and those they call, N deep
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "3",
        value_parser = clap::value_parser!(u32).range(1..=3)
    )]
    pub expand: Option<u32>,
    /// What was given in session ID before, and has not changed, is one line
    #[arg(long, value_name = "ID", conflicts_with = "raw")]
    pub session: Option<String>,
    /// With --session: print it all the same
    #[arg(long, requires = "session")]
    pub again: bool,
    #[command(flatten)]
    pub printing: Printing,
    #[command(flatten)]
    pub budgeting: Budgeting,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub files: Files,
}

#[derive(Debug, Args)]
pub struct Search {
    /// What to look for: a regular expression, as `rg` reads it
    #[arg(
        value_name = "PATTERN",
        required_unless_present_any = ["patterns", "type_list"],
        value_parser = maybe_empty()
    )]
    pub pattern: Option<PathBuf>,
    /// Files and folders; - for stdin; nothing for the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Look for PATTERN, too; may begin with a dash
    #[arg(
        short = 'e',
        long = "regexp",
        value_name = "PATTERN",
        allow_hyphen_values = true
    )]
    pub patterns: Vec<String>,
    /// Take patterns as they stand, not for regular expressions
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,
    /// Let upper and lower case match each other
    #[arg(short, long, overrides_with = "smart_case")]
    pub ignore_case: bool,
    /// Do so where a pattern has no upper case letter
    #[arg(short = 'S', long, overrides_with = "ignore_case")]
    pub smart_case: bool,
    /// Only whole words
    #[arg(short, long)]
    pub word_regexp: bool,
    /// Only lines that do not match
    #[arg(short = 'v', long)]
    pub invert_match: bool,
    /// Let matches go over line ends
    #[arg(short = 'U', long)]
    pub multiline: bool,
    /// Only in (or at the head of) definitions of these kinds, comma separated
    #[arg(long, value_name = "K,..", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Look for names of definitions, near ones too, best first
    #[arg(long, conflicts_with_all = SHOWING)]
    pub symbols: bool,
    /// How much to show of matches [default: lines, with -A, -B or -C context]
    #[arg(long, value_name = "VIEW", value_parser = view(SEARCH_VIEWS, search::View::name), conflicts_with_all = SHORTHANDS)]
    pub view: Option<search::View>,
    /// Print N more lines after each match
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Print N more lines before each match
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// Print N more lines before and after each match
    #[arg(short = 'C', long, value_name = "N")]
    pub context: Option<u32>,
    /// Stop after N matches in a file; with --symbols, after N names [there: 50]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_count: Option<u64>,
    /// Print the paths of files with matches, alone
    #[arg(short = 'l', long, overrides_with = "count")]
    pub files_with_matches: bool,
    /// Print how many lines of each file match, alone; with -U count matches that may go over line ends
    #[arg(short, long, overrides_with = "files_with_matches")]
    pub count: bool,
    /// Lines are always numbered: for the habits of others
    #[arg(short = 'n', long, hide = true)]
    pub line_number: bool,
    /// Name each file's and definition's lines at their version; JSON names every match so
    #[arg(long)]
    pub evidence: bool,
    /// Work as if started in DIR (-C in front of `search`: behind it, that is --context)
    // The global flag, without its letter.
    #[arg(
        id = "directory",
        long,
        value_name = "DIR",
        help_heading = "Everywhere"
    )]
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub budgeting: Budgeting,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub files: Files,
}

/// What stands for views.
const SHORTHANDS: [&str; 5] = [
    "after_context",
    "before_context",
    "context",
    "files_with_matches",
    "count",
];

/// What means nothing where names are looked for.
const SHOWING: [&str; 10] = [
    "view",
    "fixed_strings",
    "word_regexp",
    "invert_match",
    "multiline",
    "after_context",
    "before_context",
    "context",
    "files_with_matches",
    "count",
];

#[derive(Debug, Args)]
#[command(
    after_help = "Without arguments: HEAD and the working tree. Two arguments that both exist are paths, as all behind -- are; \
anything else is a revision of git's, or REV:PATH for a file of it."
)]
pub struct Diff {
    /// REV, REV1 REV2, REV1..REV2, REV1...REV2, FILE1 FILE2 or DIR1 DIR2
    #[arg(value_name = "VERSION")]
    pub versions: Vec<String>,
    /// Only these files and folders
    #[arg(value_name = "PATH", last = true)]
    pub paths: Vec<PathBuf>,
    /// Compare what is staged for the next commit
    #[arg(long, visible_alias = "cached")]
    pub staged: bool,
    /// Compare PATH with an older version of it: a commit, blob:ID or a version an answer named
    #[arg(long, value_name = "VERSION", conflicts_with = "staged")]
    pub since: Option<String>,
    /// How alike files must be for one to be the other renamed
    #[arg(
        short = 'M',
        long,
        value_name = "N%",
        num_args = 0..=1,
        require_equals = true,
        default_value = "50%",
        default_missing_value = "50%",
        value_parser = percent
    )]
    pub find_renames: u8,
    /// Only what is visible outside of its file
    #[arg(long)]
    pub exported: bool,
    /// Only what breaks others: exported definitions removed, renamed, or with another signature or kind
    #[arg(long)]
    pub breaking: bool,
    /// Exit with 1 if anything is listed
    #[arg(long)]
    pub exit_code: bool,
    #[command(flatten)]
    pub form: DiffForm,
    #[command(flatten)]
    pub budgeting: Budgeting,
    /// With --name-only: end paths with NUL
    #[arg(short = 'z', requires = "name_only")]
    pub nul: bool,
    /// Name the lines of both sides at their version: PATH@VERSION#L10-L20~HASH
    #[arg(long)]
    pub evidence: bool,
    /// Threads to work with
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub reading: Reading,
}

/// What is said of the changes.
#[derive(Debug, Args)]
pub struct DiffForm {
    /// How much to show of each change; with --budget the most to show [default: signatures]
    #[arg(long, value_name = "VIEW", value_parser = view(DIFF_VIEWS, Rung::name), group = "shown")]
    pub view: Option<Rung>,
    /// The changed lines of each changed definition, too: --view hunks
    #[arg(short, long, group = "shown")]
    pub patch: bool,
    /// Changes and lines of each file: --view counts
    #[arg(long, group = "shown")]
    pub stat: bool,
    /// The names of the files alone
    #[arg(long, group = "shown", conflicts_with = "budget")]
    pub name_only: bool,
    /// Files, modules and packages that came, went or moved
    #[arg(long, group = "shown", conflicts_with = "budget")]
    pub modules: bool,
    /// A table for each file, to be posted as a comment
    #[arg(long, conflicts_with_all = ["name_only", "modules"])]
    pub markdown: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "o200k and cl100k are exact. claude~ is an estimate of what Opus 4.7 and later count: in 6,025 texts that no \
fit saw 18 % too many in the middle, 42 % at most; in two of them, in Kannada, 15 % too few."
)]
pub struct Tokens {
    /// Files and folders; - for stdin; nothing for the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub counting: Counting,
    #[command(flatten)]
    pub files: Files,
}

/// What tokens are.
#[derive(Debug, Args)]
pub struct Counting {
    /// Whose tokens count: o200k, cl100k or claude
    #[arg(
        long,
        value_name = "NAME",
        env = "AST_OUTLINE_TOKENIZER",
        default_value = "o200k",
        value_parser = tokenizer
    )]
    pub tokenizer: Tokenizer,
}

/// What an answer may cost.
#[derive(Debug, Args)]
#[command(next_help_heading = "What it may cost")]
pub struct Budgeting {
    /// Answer with the best view that takes at most N tokens, and say what it leaves out
    #[arg(long, value_name = "N", value_parser = budget)]
    pub budget: Option<Budget>,
    /// With --budget: the sizes of all views and exit code 1, rather than less than was asked for
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub counting: Counting,
}

/// The most tokens of an answer; none where all may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget(pub Option<usize>);

impl Budgeting {
    /// The most tokens of an answer; none where nobody said.
    pub fn tokens(&self) -> Option<usize> {
        self.budget.and_then(|budget| budget.0)
    }
}

/// How source is printed.
#[derive(Debug, Args)]
pub struct Printing {
    /// Print the bytes alone, without a header
    #[arg(long)]
    pub raw: bool,
    /// Put a line number in front of each line, as on a terminal
    #[arg(short = 'n', long)]
    pub number: bool,
    /// Name the lines at their version: PATH@VERSION#L10-L20~HASH
    #[arg(long)]
    pub evidence: bool,
}

#[derive(Debug, Args)]
pub struct Read {
    /// A file of any format; - for stdin
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// How much to show of it
    #[arg(long, value_name = "VIEW", default_value = "auto", value_parser = view(READ_VIEWS, ViewArg::name))]
    pub view: ViewArg,
    /// Keep the text of definition NAME, or of the one around line LINE, whatever else has to go
    #[arg(long, value_name = "NAME|LINE")]
    pub focus: Vec<String>,
    /// Only what changed since VERSION: a commit, blob:ID or a version an answer named
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["focus", "view"])]
    pub since: Option<String>,
    /// Name the lines at their version; in JSON those of each definition, too
    #[arg(long)]
    pub evidence: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// PATH@VERSION#L12-L18~HASH; - or nothing for lines of stdin
    #[arg(value_name = "POINTER")]
    pub pointers: Vec<String>,
    /// Do not look into the cache for versions
    #[arg(long)]
    pub no_cache: bool,
    /// The cache is in DIR
    #[arg(long, value_name = "DIR", env = "AST_OUTLINE_CACHE_DIR", value_parser = maybe_empty())]
    pub cache_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Schema {
    /// The verb, or `error`; nothing lists them
    pub verb: Option<String>,
}

#[derive(Debug, Args)]
pub struct Tree {
    /// The file; - for stdin
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Name the pattern that each node matched
    #[arg(long)]
    pub explain: bool,
    /// Print what the file says of its names and calls instead
    #[arg(long, conflicts_with = "explain")]
    pub facts: bool,
    #[command(flatten)]
    pub reading: Reading,
}

/// What counts in an answer of the graph.
#[derive(Debug, Clone, Args)]
pub struct Counted {
    /// Count calls from tests, too
    #[arg(long)]
    pub tests: bool,
    /// Count calls that only a unique name speaks for, too
    #[arg(long)]
    pub guesses: bool,
}

#[derive(Debug, Args)]
pub struct Near {
    /// A definition: NAME, PATH::NAME or PATH:LINE
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub counted: Counted,
    /// Uses that are no calls, too
    #[arg(long)]
    pub uses: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

impl Counted {
    pub fn scope(&self, uses: bool) -> Scope {
        Scope {
            tests: self.tests,
            guesses: self.guesses,
            uses,
        }
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Calls and uses both count. Risk is high where other packages depend on it, medium where other files do."
)]
pub struct Impact {
    /// A definition (NAME, PATH::NAME or PATH:LINE) or a file
    #[arg(value_name = "NAME|FILE", required_unless_present = "diff")]
    pub what: Option<String>,
    /// What the working tree changed since REV: call sites that still use what was removed, renamed or given another signature
    #[arg(long, value_name = "REV", conflicts_with_all = ["what", "direction", "depth"])]
    pub diff: Option<String>,
    /// With --diff: exit with 1 if a site is broken
    #[arg(long, requires = "diff")]
    pub exit_code: bool,
    /// Steps that are followed
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// To those who depend on it, or to what it depends on
    #[arg(long, value_name = "WHICH", default_value = "in")]
    pub direction: Direction,
    #[command(flatten)]
    pub counted: Counted,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    In,
    Out,
    Both,
}

#[derive(Debug, Args)]
pub struct Between {
    /// Where the way begins: NAME, PATH::NAME or PATH:LINE
    #[arg(value_name = "FROM")]
    pub from: String,
    /// Where it ends
    #[arg(value_name = "TO")]
    pub to: String,
    #[command(flatten)]
    pub counted: Counted,
    /// Go along uses that are no calls, too
    #[arg(long)]
    pub uses: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Args)]
pub struct Tested {
    /// A definition: NAME, PATH::NAME or PATH:LINE
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Go along calls that only a unique name speaks for, too
    #[arg(long)]
    pub guesses: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Left out are entries of programs, tests, what carries a decorator that is not the language's own, what \
some file imports, and members that stand for those of a base."
)]
pub struct Unused {
    /// A file or folder; nothing for all of the index
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// What only its own file sees, too
    #[arg(long)]
    pub private: bool,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Args)]
pub struct Deps {
    /// A file, a folder, or a package by its name
    #[arg(value_name = "FILE|PACKAGE")]
    pub what: String,
    /// Every call and use, not only how many there are in each file
    #[arg(long)]
    pub sites: bool,
    #[command(flatten)]
    pub counted: Counted,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Args)]
pub struct Why {
    /// Who calls or uses: NAME, PATH::NAME or PATH:LINE
    #[arg(value_name = "FROM")]
    pub from: String,
    /// What is called or used
    #[arg(value_name = "TO")]
    pub to: String,
    #[command(flatten)]
    pub budgeting: Budgeting,
}

#[derive(Debug, Args)]
pub struct Brief {
    /// A file in the tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "AST_OUTLINE_HOOK=off silences it. It exits with 0, whatever happens.")]
pub struct Hook {
    #[command(subcommand)]
    pub event: HookEvent,
}

#[derive(Debug, Subcommand)]
pub enum HookEvent {
    /// Read a PreToolUse event of Claude Code on stdin; for Read and Grep add what the index knows of the file or name
    Claude(ClaudeHook),
    /// Bring the index up to date, or begin to, and say in one line what is in it
    Session(SessionHook),
}

#[derive(Debug, Clone, Copy, Args)]
pub struct ClaudeHook {
    /// Answer before files are edited, too
    #[arg(long)]
    pub edit: bool,
    /// Say nothing if it takes longer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "50ms")]
    pub deadline: std::time::Duration,
}

#[derive(Debug, Clone, Copy, Args)]
pub struct SessionHook {
    /// Say nothing if it takes longer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub deadline: std::time::Duration,
}

#[derive(Debug, Args)]
pub struct Status {
    /// A folder in the tree; nothing for the current one
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,
    /// In one line
    #[arg(long)]
    pub line: bool,
}

#[derive(Debug, Args)]
pub struct Index {
    /// A repository, and others whose code is linked with it; the current folder if none is given. The index lies in the first
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Print every call as a line of JSON
    #[arg(long)]
    pub edges: bool,
    /// Index generated code and what others wrote, too
    #[arg(long)]
    pub vendored: bool,
    /// Threads to work with
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Debug, Args)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

/// A view of a file; none for `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewArg(pub Option<View>);

impl ViewArg {
    fn name(self) -> &'static str {
        self.0.map_or("auto", View::name)
    }
}

/// Views with what help says of them.
type Views<V> = &'static [(V, &'static str)];

const FULL: (ViewArg, &str) = (ViewArg(Some(View::Full)), "The whole text");
const DOCS: (ViewArg, &str) = (
    ViewArg(Some(View::Docs)),
    "Signatures, ranges and first doc sentences",
);
const SIGNATURES: (ViewArg, &str) = (ViewArg(Some(View::Signatures)), "Signatures and ranges");
const NAMES: (ViewArg, &str) = (
    ViewArg(Some(View::Names)),
    "Names and ranges of types and callables",
);
const LIST: (ViewArg, &str) = (
    ViewArg(Some(View::List)),
    "Names of types and callables, ranges of types",
);
const TOP: (ViewArg, &str) = (
    ViewArg(Some(View::Top)),
    "Names and ranges of the top level",
);
const COUNTS: (ViewArg, &str) = (
    ViewArg(Some(View::Counts)),
    "How many definitions of each kind",
);

const OUTLINE_VIEWS: Views<ViewArg> = &[
    (
        ViewArg(None),
        "docs for a file, names for a folder; docs in JSON",
    ),
    FULL,
    DOCS,
    SIGNATURES,
    NAMES,
    LIST,
    TOP,
    COUNTS,
];

const READ_VIEWS: Views<ViewArg> = &[
    (
        ViewArg(None),
        "The whole text; within a budget the finest view that fits",
    ),
    FULL,
    DOCS,
    SIGNATURES,
    NAMES,
    LIST,
    TOP,
    COUNTS,
    (
        ViewArg(Some(View::Summary)),
        "What the command in AST_OUTLINE_SUMMARIZER writes about it",
    ),
];

const SEARCH_VIEWS: Views<search::View> = &[
    (
        search::View::Context,
        "Matching lines and two on each side, under the definitions they stand in",
    ),
    (search::View::Lines, "Matching lines alone, under these"),
    (search::View::Places, "Their numbers, one line a definition"),
    (search::View::Counts, "How many each file has"),
    (search::View::Paths, "Which files have some"),
    (search::View::Total, "How many there are in how many files"),
];

const DIFF_VIEWS: Views<Rung> = &[
    (Rung::Hunks, "Changed lines of each changed definition"),
    (Rung::Signatures, "Old and new signatures"),
    (Rung::Names, "Names and how many lines came and went"),
    (Rung::Counts, "How many changes in each file"),
    (Rung::Total, "One line"),
];

/// Reads a view by its name: the views themselves know no command line.
fn view<V: Copy + Send + Sync + 'static>(
    known: Views<V>,
    name: fn(V) -> &'static str,
) -> impl TypedValueParser<Value = V> {
    let value =
        move |(view, about): &(V, &'static str)| PossibleValue::new(name(*view)).help(*about);
    PossibleValuesParser::new(known.iter().map(value)).map(move |typed| {
        let mut views = known.iter().map(|(view, _)| *view);
        let found = views.find(|view| name(*view) == typed);
        found.expect("it is one of the possible values")
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum SymbolView {
    /// All its lines
    Full,
    /// All but the bodies of the definitions inside
    Folded,
    /// Its signature and those of the definitions inside
    Members,
    /// Its signature and first doc sentence
    Docs,
    /// Its signature
    Signatures,
    /// Where it is
    Pointer,
}

impl Symbol {
    /// The view asked for, by its name or its flag.
    pub fn view(&self) -> Option<SymbolView> {
        let flag = self.signature.then_some(SymbolView::Signatures);
        self.view.or(flag)
    }
}

impl Search {
    /// The view typed, by its name or a letter.
    pub fn requested(&self) -> Option<search::View> {
        let around = [self.before_context, self.after_context, self.context];
        let by_letter = self.files_with_matches || self.count;
        let typed = self.view.is_some() || by_letter || around.iter().any(Option::is_some);
        typed.then(|| self.view())
    }

    /// The view asked for, by its name or a shorthand.
    pub fn view(&self) -> search::View {
        let around = [self.before_context, self.after_context, self.context];
        match self.view {
            Some(view) => view,
            None if self.files_with_matches => search::View::Paths,
            None if self.count => search::View::Counts,
            None if around.iter().any(Option::is_some) => search::View::Context,
            None => search::View::Lines,
        }
    }

    /// Lines of context before and after each match.
    pub fn surrounding(&self) -> (u32, u32) {
        let default = match self.view {
            Some(search::View::Context) => 2,
            _ => self.context.unwrap_or(0),
        };
        let or_default = |given: Option<u32>| given.unwrap_or(default);
        (
            or_default(self.before_context),
            or_default(self.after_context),
        )
    }
}

/// A word that may be empty: every line matches an empty pattern, and `AST_OUTLINE_CACHE_DIR=` means that it is not set.
fn maybe_empty() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// The default for an empty name: `AST_OUTLINE_TOKENIZER=` means that it is not set.
fn tokenizer(text: &str) -> Result<Tokenizer, String> {
    let unknown = || "known are o200k, cl100k and claude".to_string();
    match text {
        "" => Ok(Tokenizer::O200k),
        name => Tokenizer::from_name(name).ok_or_else(unknown),
    }
}

fn budget(text: &str) -> Result<Budget, String> {
    match text.parse() {
        _ if text == "none" => Ok(Budget(None)),
        Ok(tokens) if tokens > 0 => Ok(Budget(Some(tokens))),
        _ => Err("a number of tokens from 1 on, or `none`".to_string()),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        unit => return Err(format!("unknown unit `{unit}`: use K, M or G")),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "not a size: write 500K or 2M".to_string())?;
    number
        .checked_mul(factor)
        .ok_or_else(|| "too large".to_string())
}

/// `90%`, `90` or, as git has it, `9` for 90 %.
/// A share as git has it: `90%`, or digits behind a point, which may be left out: `0.9`, `9` and `90` are the same. None at
/// all is git's own.
fn percent(text: &str) -> Result<u8, String> {
    const DEFAULT: u8 = 50;
    let percent = text.strip_suffix('%');
    let digits = percent.unwrap_or(text);
    let known = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = match percent.is_none() && !digits.contains('.') {
        true => format!("0.{digits}"),
        false => digits.to_string(),
    };
    let number = number.parse().ok().filter(|_| known);
    let number: f64 = number.ok_or("not a share: write 50%")?;
    let share = number * if percent.is_some() { 1.0 } else { 100.0 };
    match share.round().min(100.0) as u8 {
        0 => Ok(DEFAULT),
        share => Ok(share),
    }
}

/// The words of a command line with `-M90%` as `-M=90%`: git has the number behind the letter, and without a sign between them it
/// would be a letter of its own.
pub fn respelled(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let (mut diff, mut over) = (false, false);
    words.map(move |word| {
        diff |= word == "diff";
        over |= word == "--";
        let number = word.to_str().and_then(|word| word.strip_prefix("-M"));
        let number =
            number.filter(|number| number.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
        match number {
            Some(number) if diff && !over => format!("-M={number}").into(),
            _ => word,
        }
    })
}

fn duration(text: &str) -> Result<std::time::Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits
        .parse()
        .map_err(|_| "not a time: write 500ms or 10s".to_string())?;
    match &text[digits.len()..] {
        "ms" => Ok(std::time::Duration::from_millis(number)),
        "" | "s" => Ok(std::time::Duration::from_secs(number)),
        unit => Err(format!("unknown unit `{unit}`: use ms or s")),
    }
}
