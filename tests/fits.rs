//! What holds for the answer about any file within any budget: it counts itself right, keeps to the budget or says that it
//! does not, is no coarser with more to spend, lists what it leaves out with commands that print it, is the same twice.

use std::process::Output;
use std::sync::OnceLock;

use serde_json::Value;
use tiktoken_rs::CoreBPE;

pub const BUDGETS: [usize; 8] = [20, 50, 100, 200, 400, 800, 2000, 8000];

/// The tokens of a text, by the reference.
pub fn tokens(text: &[u8]) -> usize {
    static REFERENCE: OnceLock<CoreBPE> = OnceLock::new();
    let reference = REFERENCE.get_or_init(|| tiktoken_rs::o200k_base().expect("it is built in"));
    let text = String::from_utf8_lossy(text);
    reference.encode_ordinary(&text).len()
}

/// What an answer says of itself.
struct Said {
    view: String,
    tokens: usize,
    fits: bool,
    /// The views there are, finest first; empty in text.
    ladder: Vec<String>,
    commands: Vec<String>,
}

/// What `verb` does wrong with the files or folders `paths`. `run` starts the program.
pub fn faults(
    run: &dyn Fn(&[&str]) -> Output,
    verb: &str,
    paths: &[&str],
    json: bool,
) -> Vec<String> {
    let mut faults = vec![];
    let mut last: Option<Said> = None;
    for budget in BUDGETS {
        let number = budget.to_string();
        let mut arguments = vec![verb, "--no-cache", "--budget", &number];
        arguments.extend(json.then_some("--json"));
        arguments.extend(paths);
        let mut fault = |what: String| faults.push(format!("{}: {what}", arguments.join(" ")));
        let output = run(&arguments);
        if output.stdout.is_empty() {
            // Nothing to say of it, with any budget.
            return faults;
        }
        if output.stdout != run(&arguments).stdout {
            fault("another answer the second time".to_string());
        }
        let Some(said) = said(&output.stdout, json) else {
            fault("says nothing of itself".to_string());
            continue;
        };
        let counted = tokens(&output.stdout);
        if counted != said.tokens {
            fault(format!("says {} tokens, has {counted}", said.tokens));
        }
        if said.fits != (said.tokens <= budget) {
            fault(format!("{} tokens, fits: {}", said.tokens, said.fits));
        }
        if let Some(last) = &last {
            let place = |view: &str| said.ladder.iter().position(|known| known == view);
            if place(&said.view) > place(&last.view) || last.fits && !said.fits {
                fault(format!("{} after {}", said.view, last.view));
            }
        }
        for command in &said.commands {
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            let plain = !command.contains('\'');
            if plain && !run(&words).status.success() {
                fault(format!("cannot run {command}"));
            }
        }
        last = Some(said);
    }
    faults
}

fn said(answer: &[u8], json: bool) -> Option<Said> {
    match json {
        true => said_in_json(answer),
        false => said_in_text(answer),
    }
}

/// The last line speaks of all.
fn said_in_json(answer: &[u8]) -> Option<Said> {
    let text = std::str::from_utf8(answer).ok()?;
    let value: Value = serde_json::from_str(text.lines().last()?).ok()?;
    assert_eq!(value["truncated"], false);
    let elided = value["elided"].as_array()?;
    let command = |elided: &Value| Some(elided["command"].as_str()?.to_string());
    // A map does not keep its order: the text does.
    let ladder = text.rsplit("\"ladder\":{").next()?.split('}').next()?;
    let names = ladder.split(',').filter_map(|rung| rung.split('"').nth(1));
    Some(Said {
        view: value["view"].as_str()?.to_string(),
        tokens: value["tokens"].as_u64()? as usize,
        fits: value["fits"].as_bool()?,
        ladder: names.map(str::to_string).collect(),
        commands: elided.iter().filter_map(command).collect(),
    })
}

/// `## src/a.py (..., view names (docs 790), 612 of 5213 tokens (o200k), budget 700, ...)`
fn said_in_text(answer: &[u8]) -> Option<Said> {
    let text = String::from_utf8_lossy(answer);
    let header = text.lines().next()?;
    let (before, after) = header.rsplit_once(" tokens (o200k), budget ")?;
    let view = before.rsplit_once(", view ")?.1;
    let numbers = before.rsplit_once(" of ")?.0;
    let tokens = numbers.rsplit(' ').next()?.parse().ok()?;
    let commands = text.lines().filter_map(|line| {
        let command = line.strip_prefix("... ")?;
        let command = command
            .rsplit_once('(')
            .map_or(command, |(_, command)| command);
        command
            .starts_with("ast-outline ")
            .then(|| command.trim_end_matches(')').to_string())
    });
    Some(Said {
        view: view.split([' ', ',']).next()?.to_string(),
        tokens,
        fits: !after.contains("DOES NOT FIT"),
        ladder: vec![],
        commands: commands.collect(),
    })
}
