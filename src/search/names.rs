//! How well a definition's name fits what was typed: the better of name and qualified name, in any case.

use crate::model::Item;
use crate::outline::path::plain;

/// In which way a name fits, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is the pattern.
    Exact,
    /// It begins with it.
    Prefix,
    /// A word in it begins with it: `mail` in `sendMail` and `send_mail`.
    Word,
    /// It holds it.
    Substring,
    /// It holds its letters in order.
    Subsequence,
    /// It is the pattern but for a few letters.
    Typo,
}

impl Fit {
    pub fn name(self) -> &'static str {
        match self {
            Fit::Exact => "exact",
            Fit::Prefix => "prefix",
            Fit::Word => "word",
            Fit::Substring => "substring",
            Fit::Subsequence => "subsequence",
            Fit::Typo => "typo",
        }
    }
}

/// How well, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    pub fit: Fit,
    /// Letters between those of the pattern, or that differ; 1 where only the case does.
    pub off: usize,
    /// Letters that the name has more than the pattern, however they stand.
    pub longer: usize,
}

/// A name to look for.
pub struct Name {
    typed: String,
    lower: String,
    /// It names a scope too.
    qualified: bool,
}

impl Name {
    pub fn new(pattern: &str) -> Name {
        let name = plain(pattern);
        // A pattern of separators only is looked for as it stands.
        let typed = if name.is_empty() {
            pattern.to_string()
        } else {
            name
        };
        Name {
            qualified: typed.contains('.'),
            lower: typed.to_lowercase(),
            typed,
        }
    }

    /// None where a name is nothing like it.
    pub fn rank(&self, item: &Item) -> Option<Rank> {
        match self.qualified {
            true => self.fit(&plain(&item.qualname)),
            false => self.fit(&item.name),
        }
    }

    fn fit(&self, name: &str) -> Option<Rank> {
        let lower = name.to_lowercase();
        let (letters, length) = (self.lower.chars().count(), lower.chars().count());
        let longer = length.saturating_sub(letters);
        let rank = |fit, off| Some(Rank { fit, off, longer });
        let other_case = usize::from(!name.contains(&self.typed));
        if self.lower.is_empty() {
            return None;
        }
        if lower == self.lower {
            return rank(Fit::Exact, other_case);
        }
        if lower.starts_with(&self.lower) {
            return rank(Fit::Prefix, other_case);
        }
        if lower.contains(&self.lower) {
            // Lower case letters may be longer than theirs: then places in one are none in the other.
            let same_length = lower.len() == name.len();
            let mut places = lower.match_indices(&self.lower);
            let word = same_length && places.any(|(at, _)| begins_word(name, at));
            return rank(if word { Fit::Word } else { Fit::Substring }, other_case);
        }
        if let Some(between) = between(&self.lower, &lower) {
            return rank(Fit::Subsequence, between);
        }
        // The lengths alone say so of most names.
        if letters.abs_diff(length) > letters / 3 {
            return None;
        }
        let edits = strsim::damerau_levenshtein(&self.lower, &lower);
        rank(Fit::Typo, edits).filter(|_| edits <= letters / 3)
    }
}

/// Whether a word begins at `at`: behind a sign or a digit, or with a capital behind a small letter.
fn begins_word(name: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (name.get(..at), name.get(at..)) else {
        return false;
    };
    match (before.chars().next_back(), after.chars().next()) {
        (Some(last), Some(first)) => {
            !last.is_alphabetic() || first.is_uppercase() && !last.is_uppercase()
        }
        _ => true,
    }
}

/// How many letters of a name stand between those of `wanted`, if it holds them in order: forward to where the last one is
/// found, back to where the nearest first one is.
fn between(wanted: &str, name: &str) -> Option<usize> {
    let letters: Vec<char> = name.chars().collect();
    let mut end = 0;
    for letter in wanted.chars() {
        end += letters[end..].iter().position(|&other| other == letter)? + 1;
    }
    let mut start = end;
    for letter in wanted.chars().rev() {
        start = letters[..start]
            .iter()
            .rposition(|&other| other == letter)?;
    }
    Some(end - start - wanted.chars().count())
}

#[cfg(test)]
mod tests {
    use super::{Fit, Name, Rank};

    #[test]
    fn names_are_ranked() {
        let fit = |pattern: &str, name: &str| {
            let rank = Name::new(pattern).fit(name);
            rank.map(|Rank { fit, off, .. }| (fit, off))
        };
        for (pattern, name, expected) in [
            ("send", "send", Some((Fit::Exact, 0))),
            ("SEND", "send", Some((Fit::Exact, 1))),
            ("send", "send_mail", Some((Fit::Prefix, 0))),
            ("mail", "send_mail", Some((Fit::Word, 0))),
            ("mail", "sendMail", Some((Fit::Word, 1))),
            ("mail", "e2mail", Some((Fit::Word, 0))),
            ("end", "send", Some((Fit::Substring, 0))),
            ("snd", "send", Some((Fit::Subsequence, 1))),
            ("sm", "sendsMail", Some((Fit::Substring, 1))),
            ("sml", "send_sMail", Some((Fit::Subsequence, 2))),
            ("sned", "send", Some((Fit::Typo, 1))),
            ("sned", "sum", None),
            ("a", "\u{130}a", Some((Fit::Substring, 0))),
            ("", "send", None),
        ] {
            assert_eq!(fit(pattern, name), expected, "{pattern} in {name}");
        }
    }

    #[test]
    fn of_names_that_fit_alike_the_shorter_is_first() {
        let rank = |pattern: &str, name: &str| Name::new(pattern).fit(name).expect("it fits");
        for (pattern, shorter, longer) in [
            ("inordr", "in_order", "results_come_in_order"),
            ("send", "send_mail", "send_to_all"),
            ("order", "in_order", "out_of_order"),
        ] {
            assert!(rank(pattern, shorter) < rank(pattern, longer), "{pattern}");
        }
    }
}
