//! Many files in one run of the program: a start for each would take ten times as long.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The outlines of files as `language`, in their order; none for one that there was no answer to.
///
/// # Errors
/// What the program died of: no single file is to blame.
pub fn outlines(
    folder: &Path,
    language: &str,
    texts: &[Vec<u8>],
) -> Result<Vec<Option<Value>>, String> {
    let names: Vec<String> = (0..texts.len()).map(|n| format!("{n:05}")).collect();
    for (name, text) in names.iter().zip(texts) {
        std::fs::write(folder.join(name), text).expect("the folder can be written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_ast-outline"));
    command.current_dir(folder).args(["outline", "--json"]);
    command.args(["--no-cache", "--lang", language, "--"]);
    let output = command.args(&names).output().expect("the program starts");
    let mut answers: Vec<Option<Value>> = vec![None; texts.len()];
    for line in output.stdout.split(|&byte| byte == b'\n') {
        if let Some(number) = number(line) {
            // What nests deeper than 60 levels is beyond the reader of JSON here, not beyond the program.
            answers[number] = Some(serde_json::from_slice(line).unwrap_or_default());
        }
    }
    died(&output).map_or(Ok(answers), Err)
}

/// The number of the file that a line answers for.
fn number(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"{\"schema\":\"ast-outline.outline/1\",\"path\":\"")?;
    std::str::from_utf8(rest.get(..5)?).ok()?.parse().ok()
}

/// What a run ended with, if it is not an exit code of the program.
pub fn died(output: &Output) -> Option<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    let fine = matches!(output.status.code(), Some(0..=2)) && !errors.contains("panicked");
    (!fine).then(|| format!("{}: {errors}", output.status))
}
