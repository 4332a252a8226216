//! What an edit may change of an outline, and what it may not.

use serde_json::Value;

/// Languages in which a definition ends where the next begins, not with a closer: it grows when that is gone.
const OPEN_ENDED: [&str; 4] = ["python", "markdown", "yaml", "toml"];

/// A definition, out of its tree.
struct Definition<'a> {
    json: &'a Value,
    lines: (u64, u64),
    end_byte: u64,
}

impl<'a> Definition<'a> {
    fn text(&self, key: &str) -> &'a str {
        self.json[key].as_str().unwrap_or("")
    }

    /// The only document of a stream has no number.
    fn qualname(&self) -> &'a str {
        let name = self.text("qualname");
        name.strip_prefix("0:/").map_or(name, |_| &name[2..])
    }

    fn shown(&self) -> String {
        let (start, end) = self.lines;
        format!(
            "{} {} L{start}-{end}",
            self.text("kind"),
            self.text("qualname")
        )
    }

    /// Whether it is the same but for its end.
    fn begins_as(&self, other: &Definition<'_>) -> bool {
        let same = self.lines.0 == other.lines.0 && self.text("kind") == other.text("kind");
        same && self.qualname() == other.qualname()
    }

    fn is(&self, other: &Definition<'_>) -> bool {
        self.begins_as(other) && self.lines == other.lines
    }

    fn looks_as(&self, other: &Definition<'_>) -> bool {
        let same = |key: &str| self.text(key) == other.text(key);
        self.is(other) && same("signature") && same("doc")
    }

    /// What has become of it.
    fn fate(&self, now: &[Definition<'_>]) -> String {
        let nearest = now.iter().find(|now| now.begins_as(self)).or_else(|| {
            let same = |now: &&Definition<'_>| now.text("name") == self.text("name");
            now.iter().filter(same).find(|now| now.lines == self.lines)
        });
        let shown = nearest.map_or("gone".to_string(), Definition::shown);
        format!("{} is {shown}", self.shown())
    }
}

/// All definitions of a file.
fn all(file: &Value) -> Vec<Definition<'_>> {
    let mut found = vec![];
    let mut open: Vec<&Value> = vec![&file["definitions"]];
    while let Some(level) = open.pop() {
        for json in level.as_array().into_iter().flatten() {
            let number = |key: &str| json[key].as_u64().unwrap_or(0);
            found.push(Definition {
                json,
                lines: (number("start_line"), number("end_line")),
                end_byte: number("end_byte"),
            });
            open.extend(json.get("children"));
        }
    }
    found.sort_by_key(|definition| (definition.lines.0, u64::MAX - definition.lines.1));
    found
}

/// The name that finds each definition, and its lines.
pub fn places(file: &Value) -> Vec<(String, (u64, u64))> {
    let name = |definition: &Definition<'_>| match definition.text("kind") {
        "impl" if !definition.text("qualname").contains(" as ") => {
            format!("impl {}", definition.text("qualname"))
        }
        _ => definition.text("qualname").to_string(),
    };
    let all = all(file);
    all.iter()
        .map(|definition| (name(definition), definition.lines))
        .collect()
}

/// Definitions in front of a line that are not what they were once that line is gone.
pub fn changed_before(whole: &Value, text: &[u8], edited: &Value, gone: u64) -> Vec<String> {
    let (old, new) = (all(whole), all(edited));
    let lines = text.split(|&byte| byte == b'\n');
    let before: Vec<&[u8]> = lines.take(gone as usize - 1).collect();
    let last_text = before
        .iter()
        .rposition(|line| !line.trim_ascii().is_empty());
    let last_text = last_text.map_or(0, |line| line as u64 + 1);
    let open_ended = whole["language"]
        .as_str()
        .is_some_and(|language| OPEN_ENDED.contains(&language));
    let may_grow = |definition: &Definition<'_>| {
        let end = definition.lines.1;
        let next = || {
            old.iter()
                .any(|next| next.lines.0 > end && next.lines.0 < gone)
        };
        end >= last_text || open_ended && !next()
    };
    let there = |definition: &&Definition<'_>| {
        new.iter().any(|now| match may_grow(definition) {
            true => now.begins_as(definition),
            false => now.looks_as(definition),
        })
    };
    let before = old.iter().filter(|definition| definition.lines.1 < gone);
    let changed = before.filter(|definition| !there(definition));
    changed.map(|changed| changed.fate(&new)).collect()
}

/// Definitions that a cut at a byte has lost though they are in front of it, and those that run into what was behind them.
pub fn hurt_by_cut(whole: &Value, text: &[u8], cut: &Value, at: u64) -> Vec<String> {
    let (old, new) = (all(whole), all(cut));
    let cut_line = 1 + text[..at as usize]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count() as u64;
    let complete = |definition: &&Definition<'_>| match definition.text("kind") {
        // Its lines are those of the whole header.
        "column" => definition.lines.1 < cut_line,
        _ => definition.end_byte <= at,
    };
    let lost = old
        .iter()
        .filter(complete)
        .filter(|old| !new.iter().any(|now| now.is(old)));
    let mut found: Vec<String> = lost
        .map(|lost| format!("lost: {}", lost.fate(&new)))
        .collect();
    for definition in &new {
        let known = |other: &&Definition<'_>| {
            other.lines.0 == definition.lines.0 && other.text("name") == definition.text("name")
        };
        let Some(intact) = old.iter().find(known) else {
            continue;
        };
        let over = |other: &&Definition<'_>| {
            let first = other.lines.0;
            first > intact.lines.1 && first <= definition.lines.1
        };
        if let Some(over) = old.iter().find(over) {
            found.push(format!(
                "ghost: {} runs over {}",
                definition.shown(),
                over.shown()
            ));
        }
    }
    found
}
