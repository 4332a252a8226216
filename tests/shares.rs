//! Budgets of `symbol`, `region`, `search` and `diff`: what is declared is what is printed, and what is left out can be had.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

use crate::check::{check_run, program, root};

const BUDGETS: [usize; 8] = [20, 50, 100, 200, 400, 800, 2000, 8000];

#[test]
fn a_symbol_steps_down_its_ladder() {
    let name = "Notifier";
    for (view, budget) in [
        ("full", "300"),
        ("folded", "168"),
        ("members", "150"),
        ("signatures", "90"),
        ("none", "20"),
    ] {
        let run = ["symbol", "--budget", budget, name];
        check_run(&format!("symbol-budget-{view}"), &run);
    }
    for view in ["full", "folded", "members", "docs", "signatures", "pointer"] {
        check_run(
            &format!("symbol-view-{view}"),
            &["symbol", "--view", view, name],
        );
        check_run(
            &format!("symbol-view-{view}-json"),
            &["symbol", "--json", "--view", view, name],
        );
    }
    check_run(
        "symbol-budget-docs",
        &["symbol", "--budget", "88", "Cart.add"],
    );
    check_run(
        "symbol-budget-json",
        &["symbol", "--json", "--budget", "300", name],
    );
    check_run(
        "symbol-budget-strict",
        &["symbol", "--strict", "--budget", "168", name],
    );
    check_run(
        "symbol-budget-view",
        &["symbol", "--view", "docs", "--budget", "300", "Cart.add"],
    );
    check_run(
        "symbol-budget-raw",
        &["symbol", "--raw", "--budget", "300", name],
    );
}

#[test]
fn several_symbols_share_a_budget() {
    let names = [
        "--in", "src", "--in", "web", "Notifier", "Cart", "Line", "empty",
    ];
    for budget in ["600", "400", "250", "150", "100", "60"] {
        let run = [&["symbol", "--budget", budget], &names[..]].concat();
        check_run(&format!("symbol-budget-several-{budget}"), &run);
    }
    let run = [&["symbol", "--json", "--budget", "700"], &names[..]].concat();
    check_run("symbol-budget-several-json", &run);
}

#[test]
fn a_region_is_exact_or_a_choice() {
    let range = "src/notifier.py:1-28";
    check_run("region-budget", &["region", "--budget", "300", range]);
    check_run("region-budget-sizes", &["region", "--budget", "100", range]);
    check_run(
        "region-budget-sizes-inside",
        &["region", "--budget", "40", "src/notifier.py:18-24"],
    );
    check_run(
        "region-budget-sizes-json",
        &["region", "--json", "--budget", "100", range],
    );
    let two = ["src/notifier.py:5-24", "web/cart.ts#L10-L23"];
    for budget in ["500", "200"] {
        let run = [&["region", "--budget", budget], &two[..]].concat();
        check_run(&format!("region-budget-two-{budget}"), &run);
    }
    let run = [&["region", "--json", "--budget", "900"], &two[..]].concat();
    check_run("region-budget-two-json", &run);
}

#[test]
fn a_search_steps_down_its_views() {
    let pattern = r"smtp|\blines?\b|Renewal";
    for budget in ["900", "600", "300", "200", "120", "100", "20"] {
        check_run(
            &format!("search-budget-{budget}"),
            &["search", "--budget", budget, pattern],
        );
    }
    for budget in ["2000", "500"] {
        check_run(
            &format!("search-budget-{budget}-json"),
            &["search", "--json", "--budget", budget, pattern],
        );
    }
    check_run(
        "search-budget-one-json",
        &["search", "--json", "--budget", "500", "smtp"],
    );
    check_run(
        "search-budget-strict",
        &[
            "search", "--strict", "--view", "lines", "--budget", "100", "smtp",
        ],
    );
    check_run(
        "search-budget-letter",
        &["search", "-c", "--budget", "300", "smtp|sku"],
    );
    for budget in ["500", "150", "20"] {
        check_run(
            &format!("search-budget-symbols-{budget}"),
            &["search", "--symbols", "--budget", budget, "e"],
        );
    }
    check_run(
        "search-budget-symbols-json",
        &["search", "--json", "--symbols", "--budget", "500", "e"],
    );
}

/// One question that is asked with all budgets.
struct Question {
    verb: &'static str,
    words: Vec<String>,
    json: bool,
    tokenizer: &'static str,
}

/// What an answer says of itself.
struct Said {
    rung: usize,
    fits: bool,
    text: String,
}

impl Question {
    fn command(&self, budget: usize) -> Command {
        let mut command = program();
        command.arg(self.verb).args(["--tokenizer", self.tokenizer]);
        command.args(["--no-cache", "--budget", &budget.to_string()]);
        if self.json {
            command.arg("--json");
        }
        command.args(&self.words);
        command
    }

    fn name(&self, budget: usize) -> String {
        format!(
            "{} {:?} json {} budget {budget}",
            self.verb, self.words, self.json
        )
    }

    /// Checks all that holds of one answer.
    fn ask(&self, budget: usize) -> Said {
        let name = self.name(budget);
        let output = self.command(budget).output().expect("it runs");
        if budget == 400 {
            let again = self.command(budget).output().expect("it runs");
            assert_eq!(output.stdout, again.stdout, "{name}");
        }
        let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() < Some(2), "{name}: {errors}");
        let tokens = match self.tokenizer {
            "cl100k" => cl100k_base_singleton().count_ordinary(&text),
            _ => o200k_base_singleton().count_ordinary(&text),
        };
        let (declared, rung, fits) = match self.json {
            true => self.json(&text, &name),
            false => self.text(&text, &name),
        };
        assert_eq!(declared, tokens, "{name}: {text}");
        assert!(tokens <= budget || !fits, "{name}: {tokens} tokens");
        Said { rung, fits, text }
    }

    fn rung(&self, view: &str) -> usize {
        let ladder: &[&str] = match self.verb {
            "symbol" => &[
                "full",
                "folded",
                "members",
                "docs",
                "signatures",
                "pointer",
                "counts",
            ],
            "region" => &["full", "sizes"],
            "diff" => &["hunks", "signatures", "names", "counts", "total"],
            _ => &[
                "context", "symbols", "lines", "places", "counts", "paths", "total",
            ],
        };
        let place = ladder.iter().position(|name| *name == view);
        place.unwrap_or_else(|| panic!("{view} is no view of {}", self.verb))
    }

    /// What the last line declares; all lines say that nothing is cut.
    fn json(&self, text: &str, name: &str) -> (usize, usize, bool) {
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("one object a line"))
            .collect();
        for line in &lines {
            assert_eq!(line["truncated"], false, "{name}");
        }
        let last = lines.last().unwrap_or_else(|| panic!("{name}: no answer"));
        assert!(
            lines.len() == 1 || last["schema"] == "ast-outline.end/1",
            "{name}"
        );
        let view = last["view"].as_str().expect("it has a view");
        let tokens = last["tokens"].as_u64().expect("it counts");
        (tokens as usize, self.rung(view), last["fits"] == true)
    }

    /// What the first line declares.
    fn text(&self, text: &str, name: &str) -> (usize, usize, bool) {
        let line = text
            .lines()
            .next()
            .unwrap_or_else(|| panic!("{name}: no answer"));
        // A pattern may hold the same words.
        let at = line
            .rfind(" tokens (")
            .unwrap_or_else(|| panic!("{name}: {line}"));
        let words: Vec<&str> = line[..at].rsplit(' ').take(3).collect();
        let tokens = words[2].parse().expect("a number");
        let view = line[..at].rfind("view ").map(|at| &line[at + 5..]);
        let view = view.and_then(|view| view.split([',', ' ']).next());
        (
            tokens,
            self.rung(view.expect("it has a view")),
            !line.contains(", DOES NOT FIT"),
        )
    }

    /// Asks with all budgets: more of it never gives less. Answers all commands that were printed.
    fn ask_all(&self) -> BTreeSet<String> {
        let mut commands = BTreeSet::new();
        let mut last = usize::MAX;
        let mut fitted = false;
        for budget in BUDGETS {
            let said = self.ask(budget);
            let name = self.name(budget);
            assert!(said.rung <= last, "{name}: a coarser view than with less");
            assert!(said.fits || !fitted, "{name}: it fitted with less");
            (last, fitted) = (said.rung, said.fits);
            match self.json {
                true => commands.extend(commands_of(&said.text)),
                false => commands.extend(said.text.lines().filter_map(command_in)),
            }
        }
        commands
    }
}

/// The commands in `elided` and `next` of all lines.
fn commands_of(text: &str) -> Vec<String> {
    let lines = text.lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("one object a line"));
    let mut commands = vec![];
    for line in lines {
        let entries = ["elided", "choices"].map(|key| line[key].as_array().cloned());
        let entries = entries.into_iter().flatten().flatten();
        commands.extend(entries.filter_map(|entry| Some(entry["command"].as_str()?.to_string())));
        let next = line["next"].as_array().cloned().unwrap_or_default();
        commands.extend(
            next.iter()
                .filter_map(|command| Some(command.as_str()?.to_string())),
        );
    }
    commands
}

/// The command in a line that stands for something left out.
fn command_in(line: &str) -> Option<String> {
    let in_brackets = line.rfind("  (ast-outline ").map(|at| &line[at + 3..]);
    let command = match in_brackets {
        Some(command) => command.strip_suffix(')'),
        None => line.strip_prefix("... ast-outline ").map(|_| &line[4..]),
    };
    command.map(str::to_string)
}

/// Runs a command as a shell would, and checks that it prints something: of a region, its very lines.
fn follow(command: &str) {
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("ast-outline"));
    let program = env!("CARGO_BIN_EXE_ast-outline");
    let line = format!("'{program}' {}", &command["ast-outline ".len()..]);
    let output = Command::new("sh")
        .arg("-c")
        .arg(line)
        .current_dir(root())
        .output();
    let output = output.expect("there is a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{command}: {errors}");
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    assert!(!text.is_empty(), "{command}");
    let range = command.strip_prefix("ast-outline region ");
    let range = range.and_then(|place| place.rsplit_once(':'));
    if let Some((path, range)) = range.filter(|_| words.clone().count() == 2) {
        let (first, last) = range.split_once('-').expect("a range has two ends");
        let number = |text: &str| text.parse::<usize>().expect("a line");
        let file = std::fs::read(root().join(path)).expect("the file can be read");
        let file = String::from_utf8_lossy(&file);
        let wanted = file.split_inclusive('\n').skip(number(first) - 1);
        let wanted: String = wanted.take(number(last) + 1 - number(first)).collect();
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        assert_eq!(
            body.trim_end_matches('\n'),
            wanted.trim_end_matches('\n'),
            "{command}"
        );
    }
}

/// Definitions, ranges and patterns of the project's own sources and of fixtures in every language.
fn questions() -> Vec<(&'static str, Vec<String>)> {
    let symbols = [
        "src/view/fit.rs fit",
        "src/commands/shares.rs Sharing",
        "src/model.rs Kind",
        "src/source.rs Source",
        "--in src run",
        "--in src --in fixtures new",
        "--in fixtures send total add",
        "README.md outline",
        "fixtures/rust Vector",
    ];
    let regions = [
        "src/view/fit.rs:1-298",
        "src/source.rs:20-200",
        "README.md:1-60",
        "Cargo.toml:1-30",
        "src/view/fit.rs:60-70 src/cli.rs:1-120",
        "src/model.rs:30-32",
    ];
    let searches = [
        "fn src/view",
        "send fixtures/repos",
        "tokens src",
        "-w e fixtures",
        "-C1 View src/view/mod.rs",
        "-c fn src",
        "-l fn src",
        "--view places Kind src",
        "--kind method self fixtures",
        "--symbols e fixtures",
        "--symbols spend src",
    ];
    let diffs = [
        "fixtures/repos/shop fixtures/repos/retry",
        "--patch fixtures/repos/shop fixtures/repos/retry",
        "--markdown fixtures/repos/shop fixtures/repos/retry",
        "--view names fixtures/repos/retry fixtures/repos/shop",
        "--breaking fixtures/repos/shop fixtures/repos/retry",
        "src/view src/render",
        "--stat src/view src/evidence",
        "--patch src/commands/search/within.rs src/commands/diff/shown.rs",
        "README.md CHANGELOG.md",
        "Cargo.toml Cargo.toml",
    ];
    let all = [
        ("symbol", &symbols[..]),
        ("region", &regions),
        ("search", &searches),
        ("diff", &diffs),
    ];
    let mut questions = vec![];
    for (verb, asked) in all {
        questions.extend(asked.iter().map(|words| {
            let words = words.split(' ').map(str::to_string).collect();
            (verb, words)
        }));
    }
    questions
}

#[test]
fn what_is_declared_holds() {
    let questions: Vec<Question> = questions()
        .into_iter()
        .flat_map(|(verb, words)| [false, true].map(|json| (verb, words.clone(), json)))
        .enumerate()
        .map(|(number, (verb, words, json))| Question {
            verb,
            words,
            json,
            tokenizer: ["o200k", "cl100k", "cl100k"][number % 3],
        })
        .collect();
    let (first, second) = questions.split_at(questions.len() / 2);
    let ask = |questions: &[Question]| -> BTreeSet<String> {
        questions.iter().flat_map(Question::ask_all).collect()
    };
    let commands = std::thread::scope(|scope| {
        let first = scope.spawn(|| ask(first));
        let mut commands = ask(second);
        commands.extend(first.join().expect("its answers hold"));
        commands
    });
    assert!(commands.len() > 100, "only {} commands", commands.len());
    commands.iter().for_each(|command| follow(command));
}
