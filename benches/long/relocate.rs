//! Whether line numbers of old versions lead to the right lines, judged by git over a real history, by hand: too long for
//! every commit.
//!
//!     cargo bench --bench relocate -- REPOSITORY [REGIONS]
//!
//! Random regions of 1 to 20 lines in files that changed, 1 and 20 commits apart (400 each, or as many as are named). Where
//! `git diff --histogram` carries a region over whole, the answer should be those lines; an answer that says `exact` or
//! `moved` and prints another text is wrong, whatever the diff says. Where the lines differ from the diff's, `git blame` says
//! whether each is the old line.

#![allow(clippy::print_stdout, reason = "a check prints what it found")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const SIZES: [usize; 4] = [1, 5, 10, 20];
/// Regions asked for in one pair of versions of one file.
const PER_FILE: usize = 4;

/// A pair of commits, checked out at the newer one.
struct Pair {
    tree: PathBuf,
    old: String,
    new: String,
}

#[derive(Default)]
struct Tally {
    asked: usize,
    /// Regions that the diff carries over whole.
    whole: usize,
    /// Of these, answered with those lines.
    same: usize,
    /// Of these, answered `exact` or `moved` with the same text elsewhere.
    elsewhere: usize,
    /// Of these, answered `changed` or refused.
    missed: usize,
    /// Not carried over whole: `exact` or `moved` by the text, `changed`, refused.
    by_text: usize,
    changed: usize,
    refused: usize,
    /// `exact` or `moved`, with another text.
    wrong: usize,
    /// Answers besides the diff's whose lines `git blame -M` does not lead back to the region.
    unblamed: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let repository = PathBuf::from(arguments.next().expect("a repository"));
    let wanted = arguments
        .next()
        .map_or(400, |word| word.parse().expect("a number"));
    let tree = std::env::temp_dir().join(format!("ast-outline-relocate-{}", std::process::id()));
    let name = tree.to_string_lossy().into_owned();
    git(&repository, &["worktree", "add", "-q", "--detach", &name]);
    let commits = git(&repository, &["rev-list", "HEAD"]);
    let commits: Vec<&str> = commits.lines().collect();
    let mut random = Random(20_260_101);
    for apart in [1, 20] {
        let mut tally = Tally::default();
        while tally.asked < wanted {
            let at = random.below(commits.len().saturating_sub(apart));
            let pair = Pair {
                tree: tree.clone(),
                old: commits[at + apart].to_string(),
                new: commits[at].to_string(),
            };
            git(&tree, &["checkout", "-q", "--detach", &pair.new]);
            let names = git(
                &tree,
                &[
                    "diff",
                    "--name-only",
                    "--diff-filter=M",
                    &pair.old,
                    &pair.new,
                ],
            );
            let files: Vec<&str> = names.lines().collect();
            for _ in 0..files.len().min(5) {
                ask(
                    &pair,
                    files[random.below(files.len())],
                    &mut random,
                    &mut tally,
                );
            }
        }
        report(apart, &tally);
    }
    git(&repository, &["worktree", "remove", "--force", &name]);
}

fn report(apart: usize, tally: &Tally) {
    let Tally {
        asked,
        whole,
        same,
        elsewhere,
        missed,
        by_text,
        changed,
        refused,
        wrong,
        unblamed,
    } = tally;
    let share = 100.0 * *same as f64 / (*whole).max(1) as f64;
    println!(
        "{apart} commits apart: {asked} regions; {whole} carried over whole by the diff: {share:.1} % answered so \
         ({elsewhere} elsewhere, {missed} not); {} not: {by_text} found by text, {changed} changed, {refused} refused; \
         {unblamed} not confirmed by blame; WRONG {wrong}",
        asked - whole
    );
}

/// Regions of one file.
fn ask(pair: &Pair, path: &str, random: &mut Random, tally: &mut Tally) {
    let (Ok(new), old) = (
        std::fs::read(pair.tree.join(path)),
        bytes(&pair.tree, &["show", &format!("{}:{path}", pair.old)]),
    ) else {
        return;
    };
    let (old, new) = (lines(&old), lines(&new));
    let diff = git(
        &pair.tree,
        &[
            "diff",
            "--histogram",
            "-U0",
            &pair.old,
            &pair.new,
            "--",
            path,
        ],
    );
    let hunks = hunks(&diff);
    for _ in 0..PER_FILE {
        let size = SIZES[random.below(SIZES.len())].min(old.len());
        if size == 0 {
            return;
        }
        let start = random.below(old.len() - size + 1) + 1;
        let region = (start, start + size - 1);
        judge(
            pair,
            path,
            region,
            (&old, &new),
            carried(&hunks, region),
            tally,
        );
    }
}

fn judge(
    pair: &Pair,
    path: &str,
    region: (usize, usize),
    (old, new): (&[&[u8]], &[&[u8]]),
    carried: Option<usize>,
    tally: &mut Tally,
) {
    let range = format!("{path}:{}-{}", region.0, region.1);
    let output = Command::new(env!("CARGO_BIN_EXE_ast-outline"))
        .current_dir(&pair.tree)
        .args(["region", "--json", "--no-cache", "--at", &pair.old, &range])
        .output()
        .expect("the program starts");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let number = |key: &str| answer[key].as_u64().unwrap_or(0) as usize;
    let (start, end) = (number("start_line"), number("end_line"));
    tally.asked += 1;
    tally.whole += usize::from(carried.is_some());
    let holds = matches!(answer["status"].as_str(), Some("exact" | "moved"));
    if holds && old[region.0 - 1..region.1] != new[start - 1..end] {
        println!("WRONG {} {range}: {start}-{end} at {}", pair.old, pair.new);
        tally.wrong += 1;
        return;
    }
    match (carried, holds) {
        (Some(place), true) if place == start => tally.same += 1,
        (Some(_), true) => tally.elsewhere += 1,
        (Some(place), false) => {
            println!(
                "missed {} {range} -> {place} at {}: {answer}",
                pair.old, pair.new
            );
            tally.missed += 1;
        }
        (None, true) => tally.by_text += 1,
        (None, false) if answer["status"] == "changed" => tally.changed += 1,
        (None, false) => tally.refused += 1,
    }
    if holds && carried != Some(start) && !blamed(pair, path, region, start) {
        println!(
            "unblamed {} {range} -> {start} (diff {carried:?}) at {}",
            pair.old, pair.new
        );
        tally.unblamed += 1;
    }
}

/// Whether each line at `start` is the old line, as `git blame -M` sees it.
fn blamed(pair: &Pair, path: &str, region: (usize, usize), start: usize) -> bool {
    let range = format!("{start},{}", start + region.1 - region.0);
    let commits = format!("{}..{}", pair.old, pair.new);
    let text = git(
        &pair.tree,
        &["blame", "-M1", "-p", "-L", &range, &commits, "--", path],
    );
    // `COMMIT ORIGINAL FINAL [COUNT]` before each line.
    let heads = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let id = words.next().filter(|id| id.len() == 40)?;
        let original: usize = words.next()?.parse().ok()?;
        let last: usize = words.next()?.parse().ok()?;
        Some((id.to_string(), original, last))
    });
    heads
        .into_iter()
        .all(|(id, original, last)| id == pair.old && original + start == last + region.0)
}

/// Old start, old count, new start, new count; of `@@ -a,b +c,d @@`.
fn hunks(diff: &str) -> Vec<[usize; 4]> {
    let heads = diff.lines().filter(|line| line.starts_with("@@ "));
    let heads = heads.filter_map(|line| {
        let mut sides = line.split(' ').skip(1).take(2).map(|side| {
            let (start, count) = side[1..].split_once(',').unwrap_or((&side[1..], "1"));
            Some((start.parse().ok()?, count.parse().ok()?))
        });
        let ((old, removed), (new, added)) = (sides.next()??, sides.next()??);
        // Where nothing stands, git names the line before.
        let first = |start: usize, count: usize| if count == 0 { start + 1 } else { start };
        Some([first(old, removed), removed, first(new, added), added])
    });
    heads.collect()
}

/// Where a region begins now, if no change touches it.
fn carried(hunks: &[[usize; 4]], (start, end): (usize, usize)) -> Option<usize> {
    let mut shift = 0_isize;
    for &[old, removed, _, added] in hunks {
        match removed {
            0 if old <= start => {}
            0 if old > end => break,
            0 => return None,
            _ if old > end => break,
            _ if old + removed > start => return None,
            _ => {}
        }
        shift += added as isize - removed as isize;
    }
    start.checked_add_signed(shift)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let cut = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    cut.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8_lossy(&bytes(folder, arguments)).into_owned()
}

fn bytes(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output();
    output.expect("git is installed").stdout
}

/// The same regions every time (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }
}
