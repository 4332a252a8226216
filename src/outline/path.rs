//! Names of definitions as users type them: `send`, `Notifier.send`, `mod::Type::f`, `<T as Trait>::m`, `impl T`,
//! `name#2`, `Acme > Renewal`, `/spec/replicas`. Finds them in an outline and suggests near ones; never lists outlines.

use crate::model::{Item, ItemId, Kind, Outline};

/// A name with the ordinal that tells equals apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPath {
    raw: String,
    /// With all separators alike.
    plain: String,
    /// 1-based, among the matches in source order.
    ordinal: Option<usize>,
}

impl ItemPath {
    pub fn parse(text: &str) -> ItemPath {
        let digits = |(name, number): (&str, &str)| {
            Some((name.to_string(), number.parse().ok().filter(|&n| n > 0)?))
        };
        let (raw, ordinal) = match text
            .rsplit_once('#')
            .filter(|(name, _)| !name.is_empty())
            .and_then(digits)
        {
            Some((name, number)) => (name, Some(number)),
            None => (text.to_string(), None),
        };
        ItemPath {
            plain: plain(&raw),
            raw,
            ordinal,
        }
    }

    /// The last part of the name: what must stand in a file that defines it.
    pub fn last_name(&self) -> &str {
        let end = self.raw.trim_end();
        end.rsplit(['.', ':', '/', '>', '#', ' '])
            .next()
            .filter(|name| !name.is_empty())
            .unwrap_or(end)
    }

    /// The definitions meant, bodies before their declarations, and how well they fit: only the best fits are given.
    pub fn find(&self, outline: &Outline) -> Option<(Fit, Vec<ItemId>)> {
        let fits = outline
            .items
            .iter()
            .enumerate()
            .filter_map(|(id, item)| Some((self.fit(item)?, id as ItemId)));
        let fits: Vec<(Fit, ItemId)> = fits.collect();
        let best = fits.iter().map(|(fit, _)| *fit).min()?;
        let mut found: Vec<ItemId> = fits
            .iter()
            .filter(|(fit, _)| *fit == best)
            .map(|(_, id)| *id)
            .collect();
        match self.ordinal {
            Some(ordinal) => Some((best, vec![*found.get(ordinal - 1)?])),
            None => {
                found.sort_by_key(|&id| outline.items[id as usize].declaration);
                Some((best, found))
            }
        }
    }

    fn fit(&self, item: &Item) -> Option<Fit> {
        if item.kind == Kind::Impl {
            if item.qualname == self.raw && implements(item) {
                return Some(Fit::Exact);
            }
            let rest = self.raw.strip_prefix("impl ")?.trim();
            return (rest == item.name || rest == item.qualname || rest == item.signature)
                .then_some(Fit::Exact);
        }
        if item.qualname == self.raw {
            return Some(Fit::Exact);
        }
        let qualname = plain(&item.qualname);
        if qualname == self.plain {
            return Some(Fit::Qualified);
        }
        let suffix = |whole: &str| {
            whole
                .strip_suffix(&self.plain)
                .is_some_and(|rest| rest.ends_with(['.', '/', ':']))
        };
        if item.name == self.raw
            || suffix(&qualname)
            || suffix(&format!(".{}", without_trait(&qualname)))
        {
            return Some(Fit::Suffix);
        }
        let same_case = |name: &str| name.eq_ignore_ascii_case(&self.raw);
        (same_case(&item.name) || same_case(&item.qualname)).then_some(Fit::Name)
    }
}

/// How well a definition fits a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The qualified name as written.
    Exact,
    /// The qualified name with other separators.
    Qualified,
    /// The end of the qualified name.
    Suffix,
    /// The same letters in another case.
    Name,
}

/// All separators as one dot.
fn plain(name: &str) -> String {
    let dotted = name
        .replace("::", ".")
        .replace(" > ", ".")
        .replace('#', ".");
    let mut out = String::with_capacity(dotted.len());
    for c in dotted.trim_matches('.').chars() {
        if c != '.' || !out.ends_with('.') {
            out.push(c);
        }
    }
    out
}

/// `Complex.fmt` for `<Complex as fmt.Display>.fmt`: a trait's method is its type's method too.
fn without_trait(qualname: &str) -> String {
    let Some((scope, rest)) = qualname.split_once('<') else {
        return qualname.to_string();
    };
    match (rest.split_once(" as "), rest.rsplit_once(">.")) {
        (Some((owner, _)), Some((_, member))) => format!("{scope}{owner}.{member}"),
        _ => qualname.to_string(),
    }
}

/// The name that finds a definition.
pub fn spelled(item: &Item) -> String {
    match item.kind == Kind::Impl && !implements(item) {
        true => format!("impl {}", item.qualname),
        false => item.qualname.clone(),
    }
}

/// Whether an implementation is one of a trait: no type is named like it.
fn implements(item: &Item) -> bool {
    item.qualname.contains(" as ")
}

/// How far a definition's name is from what was typed; none where they are not alike.
pub fn distance(typed: &ItemPath, item: &Item) -> Option<usize> {
    let (wanted, name) = (typed.last_name().to_lowercase(), item.name.to_lowercase());
    let contains =
        wanted.len() >= 3 && name.contains(&wanted) || name.len() >= 3 && wanted.contains(&name);
    let edits = strsim::damerau_levenshtein(&wanted, &name);
    match contains {
        true => Some(edits.min(2)),
        false => (edits <= (wanted.len() / 3).max(1)).then_some(edits),
    }
}
