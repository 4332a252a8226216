//! The command that was typed, so that a printed one can ask for the same, but more of it.

use crate::render::shell_word;

/// Flags about the budget and the view that take no word.
const ALONE: [&str; 2] = ["--strict", "--signature"];
/// Such that do.
const WITH_WORD: [&str; 3] = ["--budget", "--tokenizer", "--view"];
/// Flags whose word may look like one of them.
const TAKING_ANY: [&str; 2] = ["-e", "--regexp"];

/// The command of this run without its budget and its view, with `flags` instead.
pub fn again(flags: &str) -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    format!("ast-outline {}", rewritten(words, flags))
}

fn rewritten(words: impl Iterator<Item = String>, flags: &str) -> String {
    let mut words = words.peekable();
    let mut kept: Vec<String> = vec![];
    while let Some(word) = words.next_if(|word| word != "--") {
        let name = word.split('=').next().unwrap_or(&word);
        match () {
            () if ALONE.contains(&word.as_str()) => {}
            () if WITH_WORD.contains(&word.as_str()) => drop(words.next()),
            () if WITH_WORD.contains(&name) => {}
            () => {
                let takes_any = TAKING_ANY.contains(&word.as_str());
                kept.push(shell_word(&word));
                kept.extend(words.next_if(|_| takes_any).map(|word| shell_word(&word)));
            }
        }
    }
    kept.extend((!flags.is_empty()).then(|| flags.to_string()));
    // Behind `--` all words are names and paths.
    kept.extend(words.map(|word| shell_word(&word)));
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[test]
    fn only_the_budget_and_the_view_go() {
        let asked = |text: &str| {
            let words = text.split(' ').map(str::to_string);
            rewritten(words, "--view full")
        };
        for (typed, printed) in [
            ("symbol --budget 20 f", "symbol f --view full"),
            ("symbol --signature f", "symbol f --view full"),
            ("symbol f --strict --budget=20", "symbol f --view full"),
            ("symbol --view docs --in a f", "symbol --in a f --view full"),
            ("search -e --budget 9", "search -e --budget 9 --view full"),
            ("search -- --budget 9", "search --view full -- --budget 9"),
            ("search a|b", "search 'a|b' --view full"),
        ] {
            assert_eq!(asked(typed), printed);
        }
    }
}
