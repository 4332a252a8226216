//! What holds for every answer, checked over whole folders of real files, by hand: too long for every commit.
//!
//!     cargo bench --bench invariants -- FOLDER...
//!
//! For each file: items nest, are in order and lie inside the file; `region` prints the lines of the file; `symbol` finds
//! each definition by its qualified name at its range. For each folder: one thread answers like four.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Definitions looked up by name in one file: a start of the program each.
const LOOKED_UP: usize = 3;

fn main() {
    let folders: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let (mut files, mut items, mut faults) = (0, 0, 0);
    for folder in &folders {
        let one = run(&[
            "outline",
            "--json",
            "--no-cache",
            "--no-ignore",
            "-j1",
            folder,
        ]);
        if one
            != run(&[
                "outline",
                "--json",
                "--no-cache",
                "--no-ignore",
                "-j4",
                folder,
            ])
        {
            println!("{folder}: the number of threads changes the answer");
            faults += 1;
        }
        for line in one
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let file: Value = serde_json::from_slice(line).expect("one object a line");
            let mut found = vec![];
            let whole = (1, file["lines"].as_u64().unwrap_or(0).max(1));
            check(&file["definitions"], whole, &mut items, &mut found);
            look_up(&file, &mut found);
            files += 1;
            faults += found.len();
            found
                .iter()
                .for_each(|fault| println!("{}: {fault}", file["path"].as_str().unwrap_or("?")));
        }
    }
    println!("{files} files, {items} definitions, {faults} faults");
}

/// One level of definitions inside `outer` lines.
fn check(level: &Value, outer: (u64, u64), items: &mut usize, found: &mut Vec<String>) {
    let mut last = (0, 0);
    for item in level.as_array().into_iter().flatten() {
        let number = |key: &str| item[key].as_u64().unwrap_or(0);
        let (start, decl, end) = (
            number("start_line"),
            number("decl_line"),
            number("end_line"),
        );
        let name = item["qualname"].as_str().unwrap_or("");
        let mut expect = |holds: bool, what: &str| {
            if !holds {
                found.push(format!("{what}: {name} {start}-{end}"));
            }
        };
        expect(
            outer.0 <= start && end <= outer.1,
            "outside of what encloses it",
        );
        expect(start <= decl && decl <= end, "its name is not in it");
        expect(
            number("start_byte") <= number("end_byte"),
            "ends before it begins",
        );
        // `var a = 1, f = function () {}, b = 2`: the function has a range of its own, the values share the whole.
        expect(start >= last.0 || decl >= last.1, "out of order");
        expect(!name.is_empty(), "has no name");
        last = (start, decl);
        *items += 1;
        check(&item["children"], (start, end), items, found);
    }
}

/// Reads some definitions back by range and by name.
fn look_up(file: &Value, found: &mut Vec<String>) {
    let path = file["path"].as_str().unwrap_or("");
    let Ok(text) = std::fs::read(Path::new(path)) else {
        return;
    };
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let top = file["definitions"].as_array().cloned().unwrap_or_default();
    for item in top.iter().step_by(top.len() / LOOKED_UP + 1) {
        let (start, end) = (
            item["start_line"].as_u64().unwrap_or(1),
            item["end_line"].as_u64().unwrap_or(1),
        );
        let name = item["qualname"].as_str().unwrap_or("");
        let range = format!("{path}:{start}-{end}");
        if run(&["region", "--raw", &range]) != lines[start as usize - 1..end as usize].concat() {
            found.push(format!("region prints other lines: {range}"));
        }
        let answer = run(&["symbol", "--json", "--in", path, "--", name]);
        let answers = answer
            .split(|&byte| byte == b'\n')
            .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let there = |answer: Value| answer["start_line"] == start && answer["end_line"] == end;
        if item["kind"] != "impl" && !answers.into_iter().any(there) {
            found.push(format!("symbol does not find {name} at {start}-{end}"));
        }
    }
}

fn run(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_ast-outline"))
        .args(arguments)
        .output();
    output.expect("the program starts").stdout
}
