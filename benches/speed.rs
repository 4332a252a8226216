//! What an outline costs beside what cannot be saved: a program that only reads and parses the same files with the same
//! grammars (the floor, this very program started with `--floor`). Whole processes, user + sys time, min of N, the two in
//! turn so that a machine that drifts drifts for both.
//!
//!     cargo bench --bench speed -- [PATH...]      a file or a folder each; without any, the project itself
//!
//!     cargo bench --bench speed -- --diff OLD NEW      two releases of a package: against parsing the files that differ, both sides
//!     cargo bench --bench speed -- --clean REPOSITORY  `diff` where nothing changed: against `git status --porcelain`
//!
//! Prints, per path: ours cold (no cache), ours warm, the floor, the ratios, peak memory; and the time of a start.

#![allow(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use tree_sitter::Parser;
use tree_sitter_language::LanguageFn;

/// Runs of each command; the minimum counts.
const RUNS: usize = 30;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    if arguments.first().is_some_and(|first| first == "--floor") {
        floor(&arguments[1]);
        return;
    }
    match arguments.first().map(String::as_str) {
        Some("--diff") => return releases(&arguments[1], &arguments[2]),
        Some("--clean") => return clean(&arguments[1]),
        _ => {}
    }
    let paths = if arguments.is_empty() {
        vec![env!("CARGO_MANIFEST_DIR").to_string()]
    } else {
        arguments
    };
    println!("{}, min of {RUNS}, user+sys in ms", machine());
    let start = measure(&mut ours(&["--version"]), RUNS);
    println!("start: --version {:.2} ms", start.ms);
    for path in &paths {
        compare(Path::new(path));
    }
}

/// One path: ours against the floor, cold and warm.
fn compare(path: &Path) {
    let folder = std::env::temp_dir().join(format!("ast-outline-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let list = folder.join("files");
    let files = files_of(path);
    fs::write(
        &list,
        files
            .iter()
            .map(|file| format!("{}\n", file.display()))
            .collect::<String>(),
    )
    .expect("it can be written");
    let target = path.to_string_lossy();
    let cache = folder.join("cache").to_string_lossy().into_owned();
    // A long run needs fewer repetitions for a stable minimum.
    let runs = if files.len() > 100 { RUNS / 3 } else { RUNS };
    let (mut cold, mut warm, mut floor) = (Cost::WORST, Cost::WORST, Cost::WORST);
    measure(&mut ours(&["outline", "--cache-dir", &cache, &target]), 1);
    for _ in 0..runs {
        cold = cold.min(measure(&mut ours(&["outline", "--no-cache", &target]), 1));
        let mut itself = Command::new(std::env::current_exe().expect("this program has a path"));
        floor = floor.min(measure(
            itself.args(["--floor", &list.to_string_lossy()]),
            1,
        ));
        warm = warm.min(measure(
            &mut ours(&["outline", "--cache-dir", &cache, &target]),
            1,
        ));
    }
    println!(
        "{} ({} files, {} KB)",
        path.display(),
        files.len(),
        files
            .iter()
            .filter_map(|f| f.metadata().ok())
            .map(|m| m.len())
            .sum::<u64>()
            / 1024
    );
    println!("  floor {:9.2} ms  {:4} MB", floor.ms, floor.mb);
    println!(
        "  cold  {:9.2} ms  {:4} MB  {:.2} x floor",
        cold.ms,
        cold.mb,
        cold.ms / floor.ms
    );
    println!(
        "  warm  {:9.2} ms  {:4} MB  1/{:.1} of cold",
        warm.ms,
        warm.mb,
        cold.ms / warm.ms
    );
    let _ = fs::remove_dir_all(folder);
}

/// `diff OLD NEW` against reading and parsing the files that differ.
fn releases(old: &str, new: &str) {
    let output = ours(&["diff", "--json", old, new]).output();
    let output = output.expect("it runs").stdout;
    let mut files = vec![];
    for line in output
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let file: serde_json::Value = serde_json::from_slice(line).expect("one object a line");
        files.extend(
            ["before", "after"]
                .iter()
                .filter_map(|side| file[side]["path"].as_str().map(str::to_string)),
        );
    }
    let list = std::env::temp_dir().join(format!("ast-outline-bench-{}", std::process::id()));
    fs::write(&list, files.join("\n")).expect("the temporary folder can be written");
    let (mut diff, mut floor) = (Cost::WORST, Cost::WORST);
    for _ in 0..RUNS / 3 {
        diff = diff.min(measure(&mut ours(&["diff", old, new]), 1));
        let mut itself = Command::new(std::env::current_exe().expect("this program has a path"));
        floor = floor.min(measure(
            itself.args(["--floor", &list.to_string_lossy()]),
            1,
        ));
    }
    let _ = fs::remove_file(list);
    println!("{old} -> {new} ({} files differ, both sides)", files.len());
    println!("  floor {:9.2} ms  {:4} MB", floor.ms, floor.mb);
    println!(
        "  diff  {:9.2} ms  {:4} MB  {:.2} x floor",
        diff.ms,
        diff.mb,
        diff.ms / floor.ms
    );
}

/// `diff` in a clean working tree against what git takes to say that it is one.
fn clean(repository: &str) {
    let (mut diff, mut status) = (Cost::WORST, Cost::WORST);
    for _ in 0..RUNS {
        diff = diff.min(measure(&mut ours(&["diff", "-C", repository]), 1));
        let mut git = Command::new("git");
        status = status.min(measure(
            git.args(["-C", repository, "status", "--porcelain"]),
            1,
        ));
    }
    println!("{repository}, clean");
    println!("  git status {:9.2} ms", status.ms);
    println!(
        "  diff       {:9.2} ms  {:.2} x git status",
        diff.ms,
        diff.ms / status.ms
    );
}

/// The files that the program itself would read.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let output = ours(&[
        "outline",
        "--no-cache",
        "--json",
        "--view",
        "counts",
        &path.to_string_lossy(),
    ])
    .output()
    .expect("it runs");
    let lines = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let path = |line: &[u8]| {
        serde_json::from_slice::<serde_json::Value>(line).ok()?["path"]
            .as_str()
            .map(PathBuf::from)
    };
    lines.filter_map(path).collect()
}

fn ours(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
    command.args(arguments).env_remove("AST_OUTLINE_CACHE_DIR");
    command
}

/// Reads and parses every file of a list, on as many threads as ours would.
fn floor(list: &str) {
    let list = fs::read_to_string(list).expect("the list can be read");
    let files: Vec<&str> = list.lines().collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(files.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(grammar) = grammar(Path::new(file)) else {
                        continue;
                    };
                    let text = fs::read(file).expect("the file can be read");
                    let mut parser = Parser::new();
                    parser
                        .set_language(&grammar.into())
                        .expect("the grammar fits");
                    std::hint::black_box(parser.parse(&text, None));
                }
            });
        }
    });
}

fn grammar(path: &Path) -> Option<LanguageFn> {
    Some(match path.extension()?.to_str()? {
        "py" | "pyi" => tree_sitter_python::LANGUAGE,
        "js" | "jsx" | "mjs" | "cjs" => tree_sitter_javascript::LANGUAGE,
        "ts" | "mts" | "cts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        "tsx" => tree_sitter_typescript::LANGUAGE_TSX,
        "java" => tree_sitter_java::LANGUAGE,
        "go" => tree_sitter_go::LANGUAGE,
        "rs" => tree_sitter_rust::LANGUAGE,
        "c" => tree_sitter_c::LANGUAGE,
        "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" => tree_sitter_cpp::LANGUAGE,
        _ => return None,
    })
}

#[derive(Clone, Copy)]
struct Cost {
    ms: f64,
    mb: i64,
}

impl Cost {
    const WORST: Cost = Cost {
        ms: f64::INFINITY,
        mb: 0,
    };

    /// The smaller time and the larger memory: both are what can be relied on.
    fn min(self, other: Cost) -> Cost {
        Cost {
            ms: self.ms.min(other.ms),
            mb: self.mb.max(other.mb),
        }
    }
}

fn measure(command: &mut Command, runs: usize) -> Cost {
    let mut best = Cost::WORST;
    for _ in 0..runs {
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        best = best.min(wait(&mut child));
    }
    best
}

/// Waits for a child and asks the kernel what it cost.
#[expect(unsafe_code, reason = "the standard library has no wait4")]
fn wait(child: &mut std::process::Child) -> Cost {
    let mut status = 0;
    // SAFETY: both out-parameters are valid for writes, and the child was not waited for yet.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(child.id() as i32, &mut status, 0, &mut usage);
        usage
    };
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    Cost {
        ms: ms(usage.ru_utime) + ms(usage.ru_stime),
        mb: usage.ru_maxrss / 1024,
    }
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']));
    format!("{cores} x {}", model.unwrap_or(std::env::consts::ARCH))
}
