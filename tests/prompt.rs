//! `prompt`: what agents are told costs little, and names only what works.

use crate::check::{VERBS, check_run, stdout};

#[test]
fn the_prompt_is_text_and_json() {
    check_run("prompt", &["prompt"]);
    check_run("prompt-json", &["prompt", "--json"]);
}

#[test]
fn it_takes_less_than_two_hundred_tokens() {
    let reference = tiktoken_rs::o200k_base_singleton();
    let tokens = reference.count_ordinary(&stdout(&["prompt"]));
    assert!(tokens < 200, "{tokens} tokens");
}

#[test]
fn its_commands_exist() {
    let text = stdout(&["prompt"]);
    let commands = text.split("`ast-outline ").skip(1);
    let commands: Vec<&str> = commands.filter_map(|rest| rest.split('`').next()).collect();
    assert!(commands.len() > 4, "{commands:?}");
    for command in commands {
        let mut words = command.split(' ');
        let verb = words.next().unwrap_or_default();
        assert!(VERBS.contains(&verb), "{verb} is no verb");
        let help = stdout(&[verb, "--help"]);
        for flag in words.filter(|word| word.starts_with('-')) {
            assert!(help.contains(flag), "{verb} has no {flag}");
        }
    }
}
