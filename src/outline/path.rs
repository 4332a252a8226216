//! Names of definitions as users type them: `send`, `Notifier.send`, `mod::Type::f`, `<T as Trait>::m`, `impl T`,
//! `name#2`, `Acme > Renewal`, `/spec/replicas`; and as stack traces and imports spell them: `pkg.mod.Type.f`,
//! `net/http.(*Server).Serve`. Finds them in an outline and suggests near ones; never lists outlines.

use std::path::Path;

use crate::model::{Item, ItemId, Kind, Outline};

/// A name with the ordinal that tells equals apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPath {
    /// As it was typed: it may be a name as it stands, whatever its signs mean elsewhere (`Step #2`, `/a!`).
    typed: String,
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
        // Receivers as Go's stack traces write them, macros as they are called, methods as they are assigned.
        let raw = match raw.split_once("(*") {
            Some((package, rest)) => format!("{package}{}", rest.replacen(").", ".", 1)),
            None => raw.replace(".prototype.", "."),
        };
        let raw = raw.strip_suffix('!').map(str::to_string).unwrap_or(raw);
        ItemPath {
            typed: text.to_string(),
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

    /// The definitions meant, bodies before their declarations. `path` is the file's: a name may begin with its module.
    pub fn find(&self, outline: &Outline, path: &Path) -> Option<Hits> {
        let as_typed = |item: &Item| item.qualname == self.typed || item.name == self.typed;
        let ordinal = self.ordinal.filter(|_| !outline.items.iter().any(as_typed));
        let fits = outline
            .items
            .iter()
            .enumerate()
            .filter_map(|(id, item)| Some((self.fit(item, path)?, id as ItemId)));
        let fits: Vec<(Fit, ItemId)> = fits.collect();
        let fit = fits.iter().map(|(fit, _)| *fit).min()?;
        let best = fits.iter().filter(|(other, _)| *other == fit);
        let mut ids: Vec<ItemId> = best.map(|(_, id)| *id).collect();
        match ordinal {
            Some(ordinal) => ids = vec![*ids.get(ordinal - 1)?],
            None => ids.sort_by_key(|&id| outline.items[id as usize].declaration),
        }
        // What lies in an answer is shown with it.
        let shown = |id: ItemId| {
            ids.iter()
                .any(|&hit| (hit..outline.items[hit as usize].end).contains(&id))
        };
        let worse = fits
            .iter()
            .filter(|(other, id)| (fit..=Fit::Suffix).contains(other) && !shown(*id));
        let others = match ordinal {
            Some(_) => 0,
            None => worse.count(),
        };
        Some(Hits { fit, ids, others })
    }

    /// Whether a name is what was typed, sign for sign, but for an ordinal.
    fn spells(&self, name: &str) -> bool {
        let unnumbered = self
            .typed
            .rsplit_once('#')
            .filter(|_| self.ordinal.is_some());
        name == self.typed || unnumbered.is_some_and(|(typed, _)| name == typed)
    }

    fn fit(&self, item: &Item, path: &Path) -> Option<Fit> {
        if item.kind == Kind::Impl {
            if item.qualname == self.raw && implements(item) {
                return Some(Fit::Exact);
            }
            let rest = self.raw.strip_prefix("impl ")?.trim();
            return (rest == item.name || rest == item.qualname || rest == item.signature)
                .then_some(Fit::Exact);
        }
        if item.qualname == self.raw || self.spells(&item.qualname) {
            return Some(Fit::Exact);
        }
        let qualname = plain(&item.qualname);
        if qualname == self.plain {
            return Some(Fit::Qualified);
        }
        let suffix = |whole: &str| {
            whole
                .strip_suffix(&self.plain)
                .is_some_and(|rest| rest.ends_with('.'))
        };
        if item.name == self.raw
            || self.spells(&item.name)
            || suffix(&qualname)
            || suffix(&format!(".{}", without_trait(&qualname)))
        {
            return Some(Fit::Suffix);
        }
        if self.in_module(&qualname, path) {
            return Some(Fit::Module);
        }
        let same_case = |name: &str| name.eq_ignore_ascii_case(&self.raw);
        (same_case(&item.name) || same_case(&item.qualname)).then_some(Fit::Name)
    }

    /// `django.db.models.query.QuerySet.get` and `tokio::runtime::Runtime::new`: what stands in front of the qualified name
    /// ends with the file's name or a folder it lies in. What lies further in front is not checked, packages are
    /// installed under many names.
    fn in_module(&self, qualname: &str, path: &Path) -> bool {
        let front = self.plain.strip_suffix(qualname);
        let Some(front) = front.and_then(|front| front.strip_suffix('.')) else {
            return false;
        };
        let module = front.rsplit('.').next().unwrap_or(front);
        let folders = path.ancestors().skip(1).filter_map(Path::file_name);
        let mut names = path.file_stem().into_iter().chain(folders);
        names.any(|name| name == module)
    }
}

/// The definitions of a file that a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits {
    pub fit: Fit,
    /// Those that fit best.
    pub ids: Vec<ItemId>,
    /// How many more end in the name.
    pub others: usize,
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
    /// The qualified name, with its module in front.
    Module,
    /// The same letters in another case.
    Name,
}

/// All separators as one dot; the slash of an operator is none.
pub fn plain(name: &str) -> String {
    let dotted = name.replace("::", ".").replace(" > ", ".");
    let mut out = String::with_capacity(dotted.len());
    let mut rest = dotted.trim_matches(['.', '#']).chars().peekable();
    while let Some(c) = rest.next() {
        let word = rest
            .peek()
            .is_some_and(|next| next.is_alphanumeric() || *next == '_');
        match c {
            '.' | '#' if out.ends_with('.') => {}
            '#' => out.push('.'),
            '/' if word => out.push('.'),
            _ => out.push(c),
        }
    }
    out.trim_start_matches('.').to_string()
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
