//! Cuts whole files off and looks at what is left of their outlines, by hand: too long for every commit.
//!
//!     cargo bench --bench cut -- [--files N] [--step BYTES] PATH...
//!
//! For each language, N files (10) that parse without problems are cut at every so many bytes (200). A definition that was
//! complete before the cut must be there with the same range; none may run over the first line of one behind its end.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

#[path = "../../tests/batch.rs"]
mod batch;
#[path = "../../tests/edits.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod edits;
#[allow(dead_code, reason = "the fuzzer uses more of it")]
mod seeds;

use batch::outlines;
use seeds::Seed;

/// Faults printed for each language.
const SHOWN: usize = 12;

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
        let (mut cuts, mut hurt, mut lost, mut ghosts, mut shown) = (0, 0, 0, 0, vec![]);
        for seed in whole.into_iter().step_by(every).take(files) {
            let places: Vec<usize> = (step..seed.text.len()).step_by(step).collect();
            let texts: Vec<Vec<u8>> = places.iter().map(|&at| seed.text[..at].to_vec()).collect();
            let answers = outlines(&folder, &language, &texts).expect("nothing kills it");
            for (&at, answer) in places.iter().zip(answers) {
                let answer = answer.unwrap_or_default();
                let found = edits::hurt_by_cut(&seed.outline, &seed.text, &answer, at as u64);
                let ghost = found
                    .iter()
                    .filter(|found| found.starts_with("ghost"))
                    .count();
                cuts += 1;
                hurt += usize::from(!found.is_empty());
                ghosts += ghost;
                lost += found.len() - ghost;
                if let Some(first) = found.first() {
                    shown.push((found.len(), format!("{} @{at}: {first}", seed.path)));
                }
            }
        }
        println!(
            "{language}: {cuts} cuts, {hurt} with faults: {lost} definitions lost, {ghosts} ghosts"
        );
        shown.sort_by_key(|(count, _)| usize::MAX - count);
        for (count, fault) in shown.iter().take(SHOWN) {
            println!("  {count:3} {fault}");
        }
    }
}
