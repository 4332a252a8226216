//! What an outline and one definition cost against the whole file, by hand, over folders of real files: the figures of the
//! README. Tokens are o200k's, as tiktoken counts them, of all that is printed.
//!
//!     cargo bench --bench economy -- [--seed N] FOLDER...     a folder a language
//!
//! Of each file of 300 to 2,000 lines one function is drawn, and looked up as somebody would who knows what it does but not
//! where: an outline within 1,000 tokens, then `symbol`, and where that lists several of its name, `region`. Saved is what
//! these take less than the whole file (the median). Found are functions whose name and range stand in that outline (its
//! name, where that is a list without ranges), those drawn and, as shares of each file's, all of them (means). Misses are named on stderr.
//!
//! Outlines without a budget are measured of files of 200 to 900 lines. Functions are what the program itself lists: how many
//! it misses is for the comparison with compilers to say.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a check prints what it found"
)]

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tiktoken_rs::CoreBPE;

const LOOKED_UP: RangeInclusive<u64> = 300..=2000;
const OUTLINED: RangeInclusive<u64> = 200..=900;
/// The first call of a lookup.
const OUTLINES: [&[&str]; 2] = [
    &["outline", "--budget", "1000"],
    &["outline", "--budget", "1000", "--view", "names"],
];

fn main() {
    let mut folders: Vec<String> = std::env::args().skip(1).collect();
    folders.retain(|argument| argument != "--bench");
    let mut seed = 3;
    if let [flag, number, ..] = folders.as_slice()
        && flag == "--seed"
    {
        seed = number.parse().expect("a seed is a number");
        folders.drain(..2);
    }
    let tokens = tiktoken_rs::o200k_base().expect("it is built in");
    for outline in OUTLINES {
        println!("looked up with {}:", outline.join(" "));
    }
    println!(
        "             files  whole  saved   found   each  saved   found   each | files  outline  names"
    );
    let mut total = Figures::default();
    for folder in &folders {
        let figures = measure(Path::new(folder), seed, &tokens);
        let name = Path::new(folder).file_name().unwrap_or_default();
        figures.print(&name.to_string_lossy());
        total.add(figures);
    }
    total.print("all");
}

/// What was measured, a number a file.
#[derive(Default)]
struct Figures {
    /// Tokens of files in which a function was looked up.
    whole: Vec<f64>,
    lookups: [Lookups; OUTLINES.len()],
    /// Tokens of outlines without a budget, and of those by name.
    outlines: Vec<f64>,
    names: Vec<f64>,
}

/// In percent.
#[derive(Default)]
struct Lookups {
    /// What need not be read of the file.
    saved: Vec<f64>,
    /// 100 where the function that was drawn stands in the outline.
    found: Vec<f64>,
    /// The functions of the file that do.
    each: Vec<f64>,
}

impl Figures {
    fn add(&mut self, other: Figures) {
        self.whole.extend(other.whole);
        self.outlines.extend(other.outlines);
        self.names.extend(other.names);
        for (own, other) in self.lookups.iter_mut().zip(other.lookups) {
            own.saved.extend(other.saved);
            own.found.extend(other.found);
            own.each.extend(other.each);
        }
    }

    fn print(&self, name: &str) {
        print!(
            "{name:<12} {:>5}  {:>5.0}",
            self.whole.len(),
            median(&self.whole)
        );
        for Lookups { saved, found, each } in &self.lookups {
            let saved = median(saved);
            print!("  {saved:>5.1}  {:>6.1}  {:>5.1}", mean(found), mean(each));
        }
        let (outline, names) = (median(&self.outlines), median(&self.names));
        println!(
            " | {:>5}  {outline:>7.0}  {names:>5.0}",
            self.outlines.len()
        );
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The middle one, or between the two in the middle.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        count => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
    }
}

fn measure(folder: &Path, seed: u64, tokens: &CoreBPE) -> Figures {
    let mut figures = Figures::default();
    let cost = |text: &str| tokens.count_ordinary(text) as f64;
    for path in files(folder) {
        let file = File { folder, path };
        let Ok(outline) = serde_json::from_str::<Value>(&file.run(&["outline", "--json"])) else {
            continue;
        };
        let lines = outline["lines"].as_u64().unwrap_or(0);
        if OUTLINED.contains(&lines) {
            let names = file.run(&["outline", "--view", "names"]);
            figures.names.push(cost(&names));
            figures.outlines.push(cost(&file.run(&["outline"])));
        }
        let mut functions = vec![];
        collect(&outline["definitions"], &mut functions);
        if LOOKED_UP.contains(&lines) && !functions.is_empty() {
            let drawn = draw(seed, &file.path, functions.len());
            file.look_up(&functions, drawn, &cost, &mut figures);
        }
    }
    figures
}

struct File<'a> {
    folder: &'a Path,
    path: PathBuf,
}

impl File<'_> {
    /// What a verb prints of it: the first word.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
        command.env_remove("AST_OUTLINE_TOKENIZER");
        command.args([arguments[0], "--no-cache"]).arg(&self.path);
        let command = command.args(&arguments[1..]).current_dir(self.folder);
        let output = command.output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn look_up(
        &self,
        functions: &[Function],
        drawn: usize,
        cost: &dyn Fn(&str) -> f64,
        figures: &mut Figures,
    ) {
        let text = std::fs::read(self.folder.join(&self.path)).expect("it was read before");
        let drawn = &functions[drawn];
        let mut source = self.run(&["symbol", &drawn.qualname]);
        // Of many called so there is a list first.
        if !drawn.is_source_in(&source, &text) {
            let [start, end] = drawn.lines.map(|line| line.to_string());
            source += &self.run(&["region", &start, &end]);
            assert!(drawn.is_source_in(&source, &text), "{}", drawn.qualname);
        }
        let whole = cost(&String::from_utf8_lossy(&text));
        figures.whole.push(whole);
        for (arguments, lookups) in OUTLINES.iter().zip(&mut figures.lookups) {
            let outline = self.run(arguments);
            let read = cost(&outline) + cost(&source);
            lookups.saved.push(100.0 * (1.0 - read / whole));
            let standing = functions
                .iter()
                .filter(|function| function.stands_in(&outline));
            let share = standing.count() as f64 / functions.len() as f64;
            lookups.each.push(100.0 * share);
            let found = drawn.stands_in(&outline);
            lookups.found.push(if found { 100.0 } else { 0.0 });
            if !found {
                let path = self.folder.join(&self.path);
                let verb = arguments.join(" ");
                eprintln!("{verb} {}: no {}", path.display(), drawn.qualname);
            }
        }
    }
}

/// Files by their paths in a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut rest) = (vec![], vec![folder.to_path_buf()]);
    while let Some(path) = rest.pop() {
        if let Ok(inside) = std::fs::read_dir(&path) {
            rest.extend(inside.filter_map(|entry| Some(entry.ok()?.path())));
        } else if let Ok(path) = path.strip_prefix(folder) {
            found.push(path.to_path_buf());
        }
    }
    found.sort();
    found
}

struct Function {
    name: String,
    qualname: String,
    /// The first and the last.
    lines: [u64; 2],
}

impl Function {
    fn new(definition: &Value) -> Function {
        let word = |key: &str| definition[key].as_str().unwrap_or("").to_string();
        let number = |key: &str| definition[key].as_u64().unwrap_or(0);
        Function {
            name: word("name"),
            qualname: word("qualname"),
            lines: [number("start_line"), number("end_line")],
        }
    }

    /// Its name and its range, on one line; in a view that has no ranges, its name.
    fn stands_in(&self, outline: &str) -> bool {
        let range = match self.lines {
            [start, end] if start == end => format!("L{start}"),
            [start, end] => format!("L{start}-{end}"),
        };
        let is_range = |word: &str| word.trim_end_matches([',', '!']) == range;
        // Names of macros' making have commas in them.
        let is_listed = |line: &str| {
            let line = format!(", {}, ", line.trim());
            line.contains(&format!(", {}, ", self.name))
        };
        let lists = outline
            .lines()
            .next()
            .is_some_and(|head| head.contains(", view list"));
        outline.lines().any(|line| {
            line.contains(&self.name) && line.split(' ').any(is_range) || lists && is_listed(line)
        })
    }

    fn is_source_in(&self, answer: &str, text: &[u8]) -> bool {
        let [start, end] = self.lines.map(|line| line as usize);
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let source: Vec<u8> = lines
            .skip(start - 1)
            .take(end + 1 - start)
            .flatten()
            .copied()
            .collect();
        answer.contains(&*String::from_utf8_lossy(&source))
    }
}

/// Everything that can be called, with what stands in it.
fn collect(definitions: &Value, functions: &mut Vec<Function>) {
    for definition in definitions.as_array().into_iter().flatten() {
        let kind = definition["kind"].as_str();
        if matches!(kind, Some("function" | "method" | "constructor")) {
            functions.push(Function::new(definition));
        }
        collect(&definition["children"], functions);
    }
}

/// One of so many, the same for a seed and a path each time.
fn draw(seed: u64, path: &Path, many: usize) -> usize {
    let hash = blake3::hash(format!("{seed} {}", path.display()).as_bytes());
    let [a, b, c, d, ..] = *hash.as_bytes();
    u32::from_le_bytes([a, b, c, d]) as usize % many
}
