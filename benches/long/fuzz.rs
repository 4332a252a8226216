//! Looks for texts that the program cannot cope with, by hand: mangles fixtures and other files at random.
//!
//!     cargo bench --bench fuzz -- --minutes N [--seed S] [--lang L] [PATH...]
//!
//! Every input must have an answer, within 2 s of processor time if it has less than 100 KB, and definitions that nest, come
//! in order, lie in the file and have names; some are read back by range and by name. Time is split evenly over the
//! languages; what is tried depends on the seed alone. Each fault is printed with its seed and the least input that shows
//! it, which is left in a folder. Ends with 1 if there was any.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

#[path = "../../tests/batch.rs"]
mod batch;
#[path = "../../tests/mangle/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod mangle;
#[allow(dead_code, reason = "other checks use more of it")]
mod seeds;
#[path = "../../tests/sound.rs"]
mod sound;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::Value;

use batch::outlines;
use mangle::{Random, mangled, noise, soup};
use seeds::Seed;

/// Inputs of one run of the program.
const BATCH: u64 = 64;
/// Processor time that an input may take, in seconds.
const SECONDS: u64 = 2;
/// Runs of the program that finding a smaller input may take.
const TRIALS: usize = 500;
/// Faults of one sort in one language that are told in full.
const TOLD: usize = 3;

struct Arguments {
    minutes: f64,
    seed: u64,
    language: Option<String>,
    paths: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = arguments();
    let mut paths = arguments.paths.clone();
    paths.push(seeds::fixtures());
    let mut all = seeds::seeds(&paths);
    if let Some(language) = &arguments.language {
        all.retain(|name, _| name == language);
    }
    let folder = seeds::folder();
    let mut fuzzers: Vec<Fuzzer<'_>> = all
        .iter()
        .map(|(language, seeds)| Fuzzer::new(language, seeds, arguments.seed, &folder))
        .collect();
    let end = Instant::now() + Duration::from_secs_f64(arguments.minutes * 60.0);
    while Instant::now() < end
        && let Some(next) = fuzzers.iter_mut().min_by_key(|fuzzer| fuzzer.spent)
    {
        let started = Instant::now();
        next.round();
        next.spent += started.elapsed();
    }
    let mut faults = 0;
    for fuzzer in &fuzzers {
        let found: usize = fuzzer.found.values().sum();
        println!(
            "{:12} {:7} inputs, {found} faults",
            fuzzer.language, fuzzer.next
        );
        faults += found;
    }
    if faults == 0 {
        let _ = std::fs::remove_dir_all(folder);
    }
    ExitCode::from(u8::from(faults > 0))
}

fn arguments() -> Arguments {
    let mut found = Arguments {
        minutes: 1.0,
        seed: 1,
        language: None,
        paths: vec![],
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => {}
            "--minutes" => {
                found.minutes = words
                    .next()
                    .and_then(|n| n.parse().ok())
                    .expect("--minutes N")
            }
            "--seed" => found.seed = words.next().and_then(|n| n.parse().ok()).expect("--seed S"),
            "--lang" => found.language = words.next(),
            _ => found.paths.push(word),
        }
    }
    found
}

/// The work on one language.
struct Fuzzer<'a> {
    language: &'a str,
    seeds: &'a [Seed],
    seed: u64,
    folder: PathBuf,
    next: u64,
    spent: Duration,
    /// How often each sort of fault was found.
    found: BTreeMap<String, usize>,
}

impl<'a> Fuzzer<'a> {
    fn new(language: &'a str, seeds: &'a [Seed], seed: u64, folder: &Path) -> Fuzzer<'a> {
        let folder = folder.join(language);
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        let (spent, found) = (Duration::ZERO, BTreeMap::new());
        Fuzzer {
            language,
            seeds,
            seed,
            folder,
            next: 0,
            spent,
            found,
        }
    }

    /// Tries the next inputs.
    fn round(&mut self) {
        let first = self.next;
        self.next += BATCH;
        let texts: Vec<Vec<u8>> = (first..self.next)
            .map(|number| self.input(number))
            .collect();
        let started = Instant::now();
        let answers = outlines(&self.folder, self.language, &texts);
        let slow = started.elapsed() > Duration::from_secs(SECONDS);
        let answers = answers.unwrap_or_default();
        for (place, text) in texts.iter().enumerate() {
            let number = first + place as u64;
            let faults = match answers.get(place) {
                Some(answer) => judge(text, answer.as_ref()),
                None => self.faults(text),
            };
            for fault in faults {
                self.tell(number, text, &fault);
            }
            if slow && self.is_slow(text) {
                self.tell(number, text, SLOW);
            }
            if let Some(Some(answer)) = answers.get(place).filter(|_| number % 32 == 1)
                && let Some(fault) = self.read_back(place, text, answer)
            {
                self.tell(number, text, &fault);
            }
        }
    }

    /// The input of a number, whatever was tried before it.
    fn input(&self, number: u64) -> Vec<u8> {
        let mut random = Random::of(self.seed, self.language, number);
        let one = &self.seeds[random.below(self.seeds.len())].text;
        let other = &self.seeds[random.below(self.seeds.len())].text;
        match random.below(40) {
            0 => noise(1 + random.below(2000), &mut random),
            1 | 2 => soup(one, 1 + random.below(600), &mut random),
            _ => mangled(one, other, &mut random),
        }
    }

    /// What is wrong with a text read on its own.
    fn faults(&self, text: &[u8]) -> Vec<String> {
        match outlines(&self.folder, self.language, &[text.to_vec()]) {
            Ok(answers) => judge(text, answers[0].as_ref()),
            Err(end) => vec![format!("died: {end}")],
        }
    }

    fn is_slow(&self, text: &[u8]) -> bool {
        std::fs::write(self.folder.join("slow"), text).expect("the folder can be written");
        let script = format!("ulimit -t {SECONDS}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ast-outline")]);
        command.args(["outline", "--no-cache", "--lang", self.language, "slow"]);
        let output = command.current_dir(&self.folder).output();
        output.expect("there is a shell").status.code().is_none()
    }

    /// Prints a file in other ways, and looks some definition up by its lines and by its name.
    fn read_back(&self, place: usize, text: &[u8], answer: &Value) -> Option<String> {
        let file = format!("{place:05}");
        for arguments in [["outline", "--color=always"], ["tree", "--explain"]] {
            if let Err(end) = self.run(arguments, &[&file]) {
                return Some(end);
            }
        }
        let all = answer["definitions"].as_array()?;
        let one = all.get(text.len() % all.len().max(1))?;
        let (start, end) = (one["start_line"].as_u64()?, one["end_line"].as_u64()?);
        let name = one["qualname"].as_str()?;
        let range = format!("{file}:{start}-{end}");
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let wide = text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]);
        match self.run(["region", "--raw"], &[&range]) {
            Err(end) => return Some(end),
            Ok(printed)
                if wide || printed == lines.get(start as usize - 1..end as usize)?.concat() => {}
            Ok(_) => return Some(format!("region prints other lines: {range}")),
        }
        // What cannot be typed cannot be asked for.
        if one["kind"] == "impl" || name.is_empty() || name.contains(['\0', '\u{fffd}']) {
            return None;
        }
        let found = match self.run(["symbol", "--json"], &[&file, name]) {
            Err(end) => return Some(end),
            Ok(found) => found,
        };
        let found = found.split(|&byte| byte == b'\n');
        let mut found = found.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let there = found.any(|found| found["start_line"] == start && found["end_line"] == end);
        (!there).then(|| format!("symbol does not find it: {name:?} L{start}-{end}"))
    }

    /// What the program prints, or what it died of.
    fn run(&self, verb: [&str; 2], paths: &[&str]) -> Result<Vec<u8>, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
        command.current_dir(&self.folder).args(verb);
        command
            .args(["--no-cache", "--lang", self.language, "--"])
            .args(paths);
        let output = command.output().expect("the program starts");
        batch::died(&output).map_or(Ok(output.stdout), |end| {
            Err(format!("died in {}: {end}", verb[0]))
        })
    }

    /// Prints a fault with the least input that has it, as long as there are not too many of its sort.
    fn tell(&mut self, number: u64, text: &[u8], fault: &str) {
        let sort = sort(fault).to_string();
        let count = self.found.entry(sort.clone()).or_default();
        *count += 1;
        if *count > TOLD {
            return;
        }
        let (language, seed) = (self.language, self.seed);
        println!("{language} --seed {seed}, input {number}: {fault}");
        let least = match sort.as_str() {
            SLOW => shrink(text, TRIALS / 10, |text| self.is_slow(text)),
            _ => shrink(text, TRIALS, |text| {
                self.faults(text)
                    .iter()
                    .any(|other| crate::sort(other) == sort)
            }),
        };
        let path = self
            .folder
            .join(format!("fault-{number}-{}", sort.replace(' ', "-")));
        std::fs::write(&path, &least).expect("the folder can be written");
        println!(
            "  {} bytes in {}: {}",
            least.len(),
            path.display(),
            &least[..least.len().min(300)].escape_ascii()
        );
    }
}

const SLOW: &str = "takes too long";

/// The sort of a fault: what it says in front of the first colon.
fn sort(fault: &str) -> &str {
    fault.split(':').next().unwrap_or(fault)
}

/// What is wrong with an answer, or with none.
fn judge(text: &[u8], answer: Option<&Value>) -> Vec<String> {
    match answer {
        Some(answer) => sound::faults(answer, text),
        // It may take a file with NULs for a binary one.
        None if text.contains(&0) => vec![],
        None => vec!["no answer".to_string()],
    }
}

/// Takes away from a text what can go without the fault going, in ever smaller pieces.
fn shrink(text: &[u8], trials: usize, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut least = text.to_vec();
    let (mut piece, mut left) = (least.len().div_ceil(2), trials);
    while piece > 0 && left > 0 {
        let (mut at, mut smaller) = (0, false);
        while at < least.len() && left > 0 {
            let mut without = least.clone();
            without.drain(at..(at + piece).min(least.len()));
            left -= 1;
            match fails(&without) {
                true => (least, smaller) = (without, true),
                false => at += piece,
            }
        }
        if !smaller || piece > least.len() {
            piece = match piece {
                1 => 0,
                _ => piece.div_ceil(2),
            };
        }
    }
    least
}
