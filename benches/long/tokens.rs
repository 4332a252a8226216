//! Token counts against tiktoken's over whole folders of real files, by hand: too long for every commit. And what counting
//! costs.
//!
//!     cargo bench --bench tokens -- PATH...               files that differ, speed, texts that are hard to merge
//!     cargo bench --bench tokens -- --features FILE       what `claude.py` fits: path, bytes, tokens, features;
//!                                                         of each path listed in FILE

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

#[path = "../../src/tokens/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the program and its tests use more of it"
)]
mod tokens;

use std::path::{Path, PathBuf};
use std::time::Instant;

use tiktoken_rs::CoreBPE;
use tokens::Tokenizer;

/// Bytes of each text that is hard to merge.
const HARD: usize = 1 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    if let [flag, list] = arguments.as_slice()
        && flag == "--features"
    {
        let list = std::fs::read_to_string(list).expect("the list of files can be read");
        list.lines().for_each(features);
        return;
    }
    let files: Vec<(PathBuf, Vec<u8>)> = arguments.iter().flat_map(files).collect();
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    println!("{} files, {bytes} bytes", files.len());
    for tokenizer in Tokenizer::ALL {
        let times = (0..3).map(|_| {
            let start = Instant::now();
            let tokens: usize = files.iter().map(|(_, text)| tokenizer.count(text)).sum();
            (start.elapsed(), tokens)
        });
        let (time, tokens) = times.min().expect("there are three");
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{tokenizer}: {tokens} tokens, {speed:.0} MB/s");
    }
    for (name, text) in hard() {
        print!("1 MB of {name}:");
        for tokenizer in Tokenizer::ALL {
            let start = Instant::now();
            let tokens = tokenizer.count(text.as_bytes());
            print!(
                "  {tokenizer} {tokens} in {} ms",
                start.elapsed().as_millis()
            );
        }
        println!();
    }
    let cl100k = tiktoken_rs::cl100k_base().expect("it is built in");
    let o200k = tiktoken_rs::o200k_base().expect("it is built in");
    compare(&files, Tokenizer::O200k, &o200k);
    compare(&files, Tokenizer::Cl100k, &cl100k);
}

/// Every text file in a folder, or the one file.
fn files(path: &String) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = vec![];
    let mut rest = vec![PathBuf::from(path)];
    while let Some(path) = rest.pop() {
        if let Ok(folder) = std::fs::read_dir(&path) {
            rest.extend(folder.filter_map(|entry| Some(entry.ok()?.path())));
        } else if let Some(text) = read(&path) {
            found.push((path, text));
        }
    }
    found
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let text = std::fs::read(path).ok()?;
    (!text.iter().take(8000).any(|&byte| byte == 0)).then_some(text)
}

fn compare(files: &[(PathBuf, Vec<u8>)], tokenizer: Tokenizer, reference: &CoreBPE) {
    let mut differ = 0;
    for (path, text) in files {
        let ours = tokenizer.count(text);
        let theirs = reference.count_ordinary(&String::from_utf8_lossy(text));
        if ours != theirs {
            differ += 1;
            println!("{}: {tokenizer} {ours}, tiktoken {theirs}", path.display());
        }
    }
    println!("{tokenizer}: {differ} of {} files differ", files.len());
}

/// Texts that are one long piece, or have nothing that is a token.
fn hard() -> Vec<(&'static str, String)> {
    let mut state = 1_u64;
    let mut random = move |limit: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u32 % limit
    };
    let mut text = |from: u32, many: u32| {
        let one = char::from_u32(from).map_or(1, char::len_utf8);
        let chars = (0..HARD / one).map(|_| char::from_u32(from + random(many)).unwrap_or(' '));
        chars.collect::<String>()
    };
    let mut base64 = text(0, 64);
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    base64 = base64
        .bytes()
        .map(|digit| char::from(digits[digit as usize]))
        .collect();
    vec![
        ("a", "a".repeat(HARD)),
        ("=", "=".repeat(HARD)),
        ("spaces", " ".repeat(HARD)),
        ("line ends", "\n".repeat(HARD)),
        ("ab", "ab".repeat(HARD / 2)),
        ("letters", text('a'.into(), 26)),
        ("base64", base64),
        ("emoji", text(0x1_f600, 64)),
        ("one emoji", text(0x1_f600, 1)),
        ("CJK", text(0x4e00, 20_000)),
        ("one CJK", text(0x4e00, 1)),
    ]
}

fn features(line: &str) {
    let path = line.split('\t').next().unwrap_or(line);
    let Some(text) = read(Path::new(path)) else {
        return;
    };
    let features = tokens::features(&text).map(|amount| amount.to_string());
    let (bytes, tokens) = (text.len(), Tokenizer::Claude.count(&text));
    println!("{path}\t{bytes}\t{tokens}\t{}", features.join(" "));
}
