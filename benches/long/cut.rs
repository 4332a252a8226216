//! Cuts whole files off, takes lines out of them, and looks at what is left of their outlines, by hand: too long for every
//! commit.
//!
//!     cargo bench --bench cut -- [--files N] [--step BYTES] PATH...
//!
//! For each language, N files (10) that parse without problems. Cut at every so many bytes (200), a definition that was
//! complete before the cut must be there with the same range; none may run over the first line of one behind its end.
//! Without one of its lines, a file must keep the definitions before it as they are.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

#[path = "../../tests/batch.rs"]
mod batch;
#[path = "../../tests/edits.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod edits;
#[path = "../../tests/mangle/mod.rs"]
#[allow(dead_code, reason = "the fuzzer uses more of it")]
mod mangle;
#[allow(dead_code, reason = "the fuzzer uses more of it")]
mod seeds;

use std::path::Path;

use batch::outlines;
use mangle::Random;
use seeds::Seed;

/// Faults printed for each language.
const SHOWN: usize = 12;
/// Lines taken out of a file, one at a time.
const LINES: usize = 30;

fn main() {
    let (mut files, mut step, mut paths) = (10, 200, vec![]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok()).expect("a number");
        match word.as_str() {
            "--bench" => {}
            "--files" => files = number(),
            "--step" => step = number(),
            _ => paths.push(word),
        }
    }
    let folder = seeds::folder();
    for (language, seeds) in seeds::seeds(&paths) {
        let whole = seeds.iter().filter(|seed| seed.outline["complete"] == true);
        let whole: Vec<&Seed> = whole.filter(|seed| seed.text.len() > step).collect();
        let every = (whole.len() / files).max(1);
        let (mut cuts, mut without) = (Tally::default(), Tally::default());
        for seed in whole.into_iter().step_by(every).take(files) {
            cut(seed, step, &folder, &language, &mut cuts);
            take_lines(seed, &folder, &language, &mut without);
        }
        cuts.print(&language, "cuts");
        without.print(&language, "lines taken out");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// What came of many edits.
#[derive(Default)]
struct Tally {
    edits: usize,
    hurt: usize,
    ghosts: usize,
    lost: usize,
    shown: Vec<(usize, String)>,
}

impl Tally {
    fn add(&mut self, seed: &Seed, place: &str, found: &[String]) {
        let ghosts = found.iter().filter(|found| found.starts_with("ghost"));
        let ghosts = ghosts.count();
        self.edits += 1;
        self.hurt += usize::from(!found.is_empty());
        self.ghosts += ghosts;
        self.lost += found.len() - ghosts;
        let ghost = found.iter().find(|found| found.starts_with("ghost"));
        if let Some(worst) = ghost.or(found.first()) {
            let shown = format!("{} {place}: {worst}", seed.path);
            self.shown.push((found.len() + 1000 * ghosts, shown));
        }
    }

    fn print(mut self, language: &str, edits: &str) {
        let Tally {
            hurt, lost, ghosts, ..
        } = self;
        // Ghosts first: they lie, what is lost is only missing.
        println!(
            "{language}: {} {edits}, {hurt} with faults: {lost} definitions lost, {ghosts} ghosts",
            self.edits
        );
        self.shown.sort_by_key(|(count, _)| usize::MAX - count);
        for (count, fault) in self.shown.iter().take(SHOWN) {
            println!("  {:3} {fault}", count % 1000);
        }
    }
}

fn cut(seed: &Seed, step: usize, folder: &Path, language: &str, tally: &mut Tally) {
    let places: Vec<usize> = (step..seed.text.len()).step_by(step).collect();
    let texts = places.iter().map(|&at| seed.text[..at].to_vec());
    let texts: Vec<Vec<u8>> = texts.collect();
    let answers = outlines(folder, language, &texts).expect("nothing kills it");
    for (&at, answer) in places.iter().zip(answers) {
        let answer = answer.unwrap_or_default();
        let found = edits::hurt_by_cut(&seed.outline, &seed.text, &answer, at as u64);
        tally.add(seed, &format!("@{at}"), &found);
    }
}

fn take_lines(seed: &Seed, folder: &Path, language: &str, tally: &mut Tally) {
    let mut random = Random::of(1, &seed.path, 0);
    let lines = mangle::lines(&seed.text, 1, &mut random);
    let chosen: Vec<usize> = (0..LINES).map(|_| random.below(lines.len())).collect();
    let without = |&line: &usize| {
        let mut text = seed.text.clone();
        text.drain(lines[line].clone());
        text
    };
    let texts: Vec<Vec<u8>> = chosen.iter().map(without).collect();
    let answers = outlines(folder, language, &texts).expect("nothing kills it");
    for (line, answer) in chosen.into_iter().zip(answers) {
        let (answer, gone) = (answer.unwrap_or_default(), line as u64 + 1);
        let found = edits::changed_before(&seed.outline, &seed.text, &answer, gone);
        tally.add(seed, &format!("-L{gone}"), &found);
    }
}
