//! Replays a history: after each commit the graph that was brought up to date must be, row for row, the one that is made anew.
//! `cargo bench --bench replay -- REPOSITORY [COMMITS] [SEED]`; with a seed, edits at random are replayed instead of commits:
//! files go, come back, take each other's text, lose lines.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../../tests/graph/dump.rs"]
mod dump;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;

/// Another program may be named, so that a build does not pull this one from under a long run.
fn program() -> String {
    std::env::var("PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_ast-outline").to_string())
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let Some(repository) = words.first() else {
        return;
    };
    let commits = words.get(1).map_or(300, |count| count.parse().unwrap());
    let seed = words.get(2).map(|seed| seed.parse().unwrap());
    let tree = std::env::temp_dir().join(format!("replay-{}", std::process::id()));
    git(
        Path::new("/"),
        &[
            "clone",
            "-q",
            "--shared",
            "-n",
            repository,
            &tree.display().to_string(),
        ],
    );
    let history = git(
        &tree,
        &[
            "rev-list",
            "--first-parent",
            &format!("--max-count={}", commits + 1),
            "HEAD",
        ],
    );
    let history: Vec<&str> = history.lines().rev().collect();
    let mut faults = 0;
    match seed {
        None => {
            checkout(&tree, history[0]);
            index(&tree);
            for commit in &history[1..] {
                checkout(&tree, commit);
                faults += usize::from(!same(&tree, commit));
            }
        }
        Some(seed) => {
            checkout(&tree, history.last().unwrap());
            index(&tree);
            let mut edits = Edits::new(&tree, seed);
            for number in 0..commits {
                let what = edits.next();
                faults += usize::from(!same(&tree, &format!("edit {number}: {what}")));
            }
        }
    }
    println!(
        "{repository}: {} steps, {faults} faults",
        commits.min(history.len() * 1000)
    );
    fs::remove_dir_all(&tree).unwrap();
    std::process::exit(i32::from(faults > 0));
}

fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn checkout(tree: &Path, commit: &str) {
    git(tree, &["checkout", "-q", "-f", "--detach", commit]);
}

fn index(tree: &Path) {
    let output = Command::new(program())
        .arg("-C")
        .arg(tree)
        .args(["index", "."])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Brings the graph up to date, makes another anew, and compares.
fn same(tree: &Path, step: &str) -> bool {
    index(tree);
    let folder = tree.join(".ast_outline_cache");
    let graph = folder.join("graph.db");
    let kept = folder.join("kept.db");
    let brought = read(&graph);
    for name in ["graph.db-wal", "graph.db-shm"] {
        let _ = fs::remove_file(folder.join(name));
    }
    fs::rename(&graph, &kept).unwrap();
    index(tree);
    let made = read(&graph);
    fs::rename(&kept, &graph).unwrap();
    if brought != made {
        let (one, other): (BTreeSet<&str>, BTreeSet<&str>) =
            (brought.lines().collect(), made.lines().collect());
        println!("{step}");
        one.difference(&other)
            .take(3)
            .for_each(|line| println!("  too much {}", cut(line)));
        other
            .difference(&one)
            .take(3)
            .for_each(|line| println!("  missing  {}", cut(line)));
    }
    brought == made
}

fn cut(line: &str) -> &str {
    line.get(..300).unwrap_or(line)
}

fn read(graph: &Path) -> String {
    let db = Connection::open(graph).unwrap();
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    dump::dump(&db)
}

/// Edits at random, each undone at random later.
struct Edits {
    files: Vec<PathBuf>,
    changed: BTreeMap<PathBuf, Vec<u8>>,
    state: u64,
}

impl Edits {
    fn new(tree: &Path, seed: u64) -> Edits {
        let files = git(tree, &["ls-files"]);
        let source = |path: &&str| {
            [
                ".py", ".js", ".ts", ".tsx", ".java", ".go", ".rs", ".c", ".h", ".cc", ".cpp",
            ]
            .iter()
            .any(|end| path.ends_with(end))
        };
        Edits {
            files: files
                .lines()
                .filter(source)
                .map(|path| tree.join(path))
                .collect(),
            changed: BTreeMap::new(),
            state: seed | 1,
        }
    }

    /// A number below `most`, by xorshift.
    fn below(&mut self, most: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % most.max(1) as u64) as usize
    }

    fn any_file(&mut self) -> PathBuf {
        let index = self.below(self.files.len());
        self.files[index].clone()
    }

    fn next(&mut self) -> String {
        if self.changed.len() > 5 {
            let index = self.below(self.changed.len());
            let path = self.changed.keys().nth(index).unwrap().clone();
            let text = self.changed.remove(&path).unwrap();
            fs::write(&path, text).unwrap();
            return format!("{} as it was", path.display());
        }
        let path = self.any_file();
        let Ok(text) = fs::read(&path) else {
            return "nothing".to_string();
        };
        self.changed.entry(path.clone()).or_insert(text.clone());
        match self.below(4) {
            0 => {
                fs::remove_file(&path).unwrap();
                format!("{} gone", path.display())
            }
            1 => {
                let other = self.any_file();
                let Ok(text) = fs::read(&other) else {
                    return "nothing".to_string();
                };
                fs::write(&path, text).unwrap();
                format!("{} with the text of {}", path.display(), other.display())
            }
            2 => {
                let text = String::from_utf8_lossy(&text).into_owned();
                let lines: Vec<&str> = text.lines().collect();
                let from = self.below(lines.len());
                let to = (from + self.below(30)).min(lines.len());
                let kept = [&lines[..from], &lines[to..]].concat();
                fs::write(&path, kept.join("\n")).unwrap();
                format!("{} without lines {from}-{to}", path.display())
            }
            _ => {
                // A name of it becomes another: what calls it must lose it.
                let text = String::from_utf8_lossy(&text).into_owned();
                let words: Vec<&str> = text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .filter(|word| word.len() > 3)
                    .collect();
                let word = words
                    .get(self.below(words.len()))
                    .copied()
                    .unwrap_or("none")
                    .to_string();
                fs::write(&path, text.replace(&word, &format!("{word}Renamed"))).unwrap();
                format!("{} with another name for {word}", path.display())
            }
        }
    }
}
