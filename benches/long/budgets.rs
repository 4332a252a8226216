//! Answers within budgets, about every file of whole folders, by hand: too long for every commit.
//!
//!     cargo bench --bench budgets -- FOLDER...
//!
//! For each file, `outline` and `read`, text and JSON, in eight budgets: see `tests/fits.rs`.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

#[path = "../../tests/fits.rs"]
mod fits;

use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() {
    let folders: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let mut list = vec!["outline", "--no-cache", "--json", "--view", "counts"];
    list.extend(&folders);
    let listed = run(&list).stdout;
    let path = |line: &[u8]| {
        let value: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(value["path"].as_str()?.to_string())
    };
    let files: Vec<String> = listed
        .split(|&byte| byte == b'\n')
        .filter_map(path)
        .collect();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for (verb, json) in [
                        ("outline", false),
                        ("outline", true),
                        ("read", false),
                        ("read", true),
                    ] {
                        for fault in fits::faults(&run, verb, &[file], json) {
                            println!("{fault}");
                            *faults.lock().expect("no thread panics") += 1;
                        }
                    }
                }
            });
        }
    });
    let faults = *faults.lock().expect("no thread panics");
    println!("{} files, {faults} faults", files.len());
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
    command.env_remove("AST_OUTLINE_TOKENIZER").args(arguments);
    command.output().expect("it runs")
}
