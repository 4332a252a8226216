//! Lines of a version that need not be today's: those a pointer names, exactly as they were, and those that had certain
//! numbers once, where they are today. Never answers with other lines than were asked for without saying so.

use crate::render::outline_command;
use std::cell::{RefCell, RefMut};
use std::io;
use std::path::Path;

use super::evidence::Evidence;
use super::verify::refuted;
use super::versions::{Known, Version, Versions};
use super::{Opened, limits, open_text};
use crate::cli::Reading;
use crate::evidence::{Pointer, Relocation, short_hash, text_hash};
use crate::exit::Failure;
use crate::lang::detect;
use crate::model::{Lines, Outline};
use crate::outline::outline;
use crate::render::checks::Status;
use crate::render::excerpt::{Change, Detail, Excerpt, Provenance};
use crate::render::text::line_range;
use crate::source::Source;

/// What is needed to answer.
pub struct Dated<'a> {
    pub reading: &'a Reading,
    pub evidence: &'a Evidence,
    /// Lines printed before and after.
    pub context: u32,
    /// Of the repository that was asked last: git is started once for all targets in it.
    pub versions: RefCell<Option<Versions>>,
}

type Print<'p> = &'p mut dyn FnMut(&Excerpt<'_>, &Outline) -> io::Result<()>;

impl Dated<'_> {
    fn versions(&self, folder: &Path) -> RefMut<'_, Versions> {
        let cache = (!self.reading.no_cache).then_some(self.reading.cache_dir.as_deref());
        RefMut::map(self.versions.borrow_mut(), |last| {
            if !last.as_ref().is_some_and(|last| last.covers(folder)) {
                *last = None;
            }
            last.get_or_insert_with(|| Versions::around(folder, cache))
        })
    }

    /// The bytes that a pointer names.
    ///
    /// # Errors
    /// Where the version is not known, or is not what the pointer says.
    pub fn pointed(&self, pointer: &Pointer, print: Print<'_>) -> Result<io::Result<()>, Failure> {
        let mut versions = self.versions(Path::new("."));
        let found = versions.find(&pointer.paths(), &pointer.version);
        let version = found.map_err(|lost| {
            let failure = lost.failure(&pointer.version.to_string());
            failure.path(Path::new(&pointer.shown_path()))
        })?;
        let path = crate::git::bytes_to_path(&version.path);
        if let Some((status, message)) = refuted(&version, pointer) {
            return Err(Failure::not_found(status.name(), message).path(&path));
        }
        let (source, origin) = match &version.known {
            Known::Text { source, origin } => (source, *origin),
            Known::Keys(_) => return self.by_keys(&versions, &version, pointer, print),
        };
        let lines = widen(pointer.lines, self.context, source.lines());
        let answered = Pointer {
            path: version.path.clone(),
            version: version.revision.shortened(),
            lines,
            hash: Some(short_hash(source, lines)),
        };
        let provenance = Provenance {
            pointer: self.evidence.0.as_ref().map(|_| answered.to_string()),
            origin: Some((origin, version.revision.clone())),
            change: None,
            unchecked: pointer.hash.is_none(),
        };
        Ok(self.show(&path, source, lines, provenance, print))
    }

    /// Of a version whose text nobody has: the lines of today, if they are the same.
    fn by_keys(
        &self,
        versions: &Versions,
        version: &Version,
        pointer: &Pointer,
        print: Print<'_>,
    ) -> Result<io::Result<()>, Failure> {
        let path = versions.on_disk(&version.path);
        let lost = || {
            let message = "of that version only the hashes of its lines are known, and they are not there today";
            Failure::not_found("unknown-version", message).path(&path)
        };
        let today = versions.today(&version.path).ok_or_else(lost)?;
        let found = version.trace(&today, pointer.lines);
        let (lines, change) = self.same(&found, pointer.lines).ok_or_else(lost)?;
        let hash = pointer.hash.as_deref().unwrap_or("");
        if !text_hash(&today, lines).starts_with(hash) {
            return Err(lost());
        }
        let provenance = Provenance {
            pointer: self.evidence.pointer(&path, &today, lines),
            origin: None,
            change: Some(Change {
                at: pointer.version.to_string(),
                ..change
            }),
            unchecked: pointer.hash.is_none(),
        };
        let shown = crate::git::bytes_to_path(&version.path);
        Ok(self.show(&shown, &today, lines, provenance, print))
    }

    /// Where lines are that did not change.
    fn same(&self, found: &Relocation, from: Lines) -> Option<(Lines, Change)> {
        let (to, status, by) = match *found {
            Relocation::Exact => (from, Status::Exact, None),
            Relocation::Moved(to, by) => (to, Status::Moved, Some(by)),
            _ => return None,
        };
        let at = String::new();
        let change = Change {
            status,
            from,
            at,
            by,
        };
        Some((to, change))
    }

    /// Today's lines for the numbers of another version.
    ///
    /// # Errors
    /// Where they are not there any more, or the version is not known.
    pub fn at(
        &self,
        path: &Path,
        from: Lines,
        at: &str,
        print: Print<'_>,
    ) -> Result<io::Result<()>, Failure> {
        let Opened { source, path, .. } = open_text(path, self.reading)?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut versions = self.versions(folder.unwrap_or(Path::new(".")));
        let name = versions.path_of(&path);
        let name = name.ok_or_else(|| Failure::new("unreadable", "no such folder").path(&path))?;
        let found = versions.find_written(&name, at);
        let version = found.map_err(|lost| lost.failure(at).path(&path))?;
        if from.end > version.lines() {
            let message = format!(
                "lines {}-{} are past the end of that version: it has {}",
                from.start,
                from.end,
                version.lines()
            );
            return Err(Failure::not_found("past-the-end", message).path(&path));
        }
        let found = version.trace(&source, from);
        let (to, change) = match (&found, self.same(&found, from)) {
            (_, Some(same)) => same,
            (&Relocation::Changed(to, by), _) => {
                let (status, by) = (Status::Changed, Some(by));
                let at = String::new();
                (
                    to,
                    Change {
                        status,
                        from,
                        at,
                        by,
                    },
                )
            }
            _ => return Err(refuse(&path, &found, &version, &source, from, at)),
        };
        let lines = widen(to, self.context, source.lines());
        let provenance = Provenance {
            pointer: self.evidence.pointer(&path, &source, lines),
            change: Some(Change {
                at: at.to_string(),
                ..change
            }),
            ..Provenance::default()
        };
        Ok(self.show(&path, &source, lines, provenance, print))
    }

    fn show(
        &self,
        path: &Path,
        source: &Source,
        lines: Lines,
        provenance: Provenance,
        print: Print<'_>,
    ) -> io::Result<()> {
        let language = detect(path, source);
        let outline = language
            .map(|language| outline(source, language, &limits(self.reading)))
            .unwrap_or_default();
        let enclosing = outline
            .enclosing(lines)
            .map(|id| &outline.items[id as usize]);
        let excerpt = Excerpt {
            path,
            language,
            source,
            lines,
            enclosing,
            named: false,
            parents: vec![],
            provenance,
            detail: Detail::Text,
            // By its path and these numbers other lines might be found.
            is_file: false,
            around: None,
            reached: None,
        };
        print(&excerpt, &outline)
    }
}

/// Lines that are not there: what is known of them, and what is nearest.
fn refuse(
    path: &Path,
    found: &Relocation,
    version: &Version,
    today: &Source,
    from: Lines,
    at: &str,
) -> Failure {
    if let Relocation::Ambiguous(places) = found {
        let places: Vec<String> = places.iter().map(|&lines| line_range(lines)).collect();
        let message = format!(
            "the text of {} at {at} stands in several places",
            line_range(from)
        );
        let hint = format!("it is at {}", places.join(", "));
        return Failure::not_found("ambiguous", message)
            .path(path)
            .hint(hint);
    }
    let message = format!("nothing is left of {} at {at}", line_range(from));
    let failure = Failure::not_found("gone", message).path(path);
    match version.nearest(today, from) {
        Some(nearest) => failure.hint(format!("did you mean {nearest}?")),
        None => failure.hint(format!(
            "`{}` lists what there is",
            outline_command(&path.to_string_lossy())
        )),
    }
}

fn widen(lines: Lines, context: u32, total: u32) -> Lines {
    Lines {
        start: lines.start.saturating_sub(context).max(1),
        end: lines.end.saturating_add(context).min(total.max(1)),
    }
}
