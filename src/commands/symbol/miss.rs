//! What is said where a name is not found, or more often than is shown.

use super::*;

/// Says that there are more definitions that the name could mean.
pub fn more(question: &Question, count: usize) -> Failure {
    let Wanted::Name(name) = &question.wanted else {
        unreachable!("a line has one answer");
    };
    let message = match count {
        1 => format!(
            "1 more definition is named `{}`, inside of another",
            name.last_name()
        ),
        _ => format!(
            "{count} more definitions are named `{}`, inside of others",
            name.last_name()
        ),
    };
    let place = question
        .roots
        .first()
        .map_or(Path::new("."), PathBuf::as_path);
    let (name, place) = (
        shell_word(name.last_name()),
        argument(&place.to_string_lossy()),
    );
    let hint = command(&format!("outline --match {name} {place}"));
    Failure::not_found("more-matches", message).hint(hint)
}

/// Nothing matches: what is near, and how to find the text itself.
pub fn miss(question: &Question, near: &[Near]) -> Failure {
    let Wanted::Name(name) = &question.wanted else {
        return Failure::not_found(
            "not-found",
            format!("no definition around {}", question.spelled),
        );
    };
    let message = format!("no definition `{}`", question.spelled);
    if question.roots.is_empty() && Path::new(&question.spelled).exists() {
        let hint = format!(
            "for what it defines: {}",
            outline_command(&question.spelled)
        );
        return Failure::not_found("not-found", message).hint(hint);
    }
    let places: Vec<String> = question
        .roots
        .iter()
        .map(|root| shell_word(&root.to_string_lossy()))
        .collect();
    let dashed = |word: &str| word.starts_with('-');
    let name = name.last_name();
    let options_end = match dashed(name) || places.iter().any(|place| dashed(place)) {
        true => "-- ",
        false => "",
    };
    let words = format!(
        "search -Fw {options_end}{} {}",
        shell_word(name),
        places.join(" ")
    );
    let text = format!("for the text itself: {}", command(&words));
    let hint = match near {
        [] => text.trim_end().to_string(),
        near => {
            let near: Vec<String> = near
                .iter()
                .map(|near| {
                    format!(
                        "{} ({} {})",
                        near.qualname,
                        near.path,
                        line_range(near.lines)
                    )
                })
                .collect();
            format!("did you mean {}? {}", near.join(", "), text.trim_end())
        }
    };
    Failure::not_found("not-found", message).hint(hint)
}
