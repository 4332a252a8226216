//! What the verbs that ask the graph share: finding it and bringing it up to date, names that mean one thing, the line that
//! says how much an answer can be trusted.

pub mod brief;
pub mod broken;
pub mod callees;
pub mod callers;
pub mod deps;
pub mod impact;
pub mod index;
pub mod path;
mod print;
pub mod status;
pub mod tested;
pub mod unused;
pub mod why;

use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;

use super::{Run, threads_of};
use crate::cache::Folder;
use crate::exit::Failure;
use crate::graph::packages::Packages;
use crate::graph::paths::relative;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Hidden, Scope, Step};
use crate::graph::query::packs::Packs;
use crate::graph::query::state::{self, State};
use crate::graph::sorts;
use crate::graph::update::{self, Options, Report};
use crate::outline::Limits;
use crate::render::graph::Honesty;
use crate::render::graph::listing::{Place, Site, Sort, Trust};

/// Definitions that are listed where a name is ambiguous.
const CHOICES: usize = 12;
/// Names that are suggested for one that is not there.
const SUGGESTIONS: usize = 5;

/// The graph that a run asks.
pub struct Graph {
    pub db: Connection,
    pub root: PathBuf,
    pub report: Report,
    /// The working directory.
    here: PathBuf,
}

impl Graph {
    /// The graph around a folder: the nearest one above it, else one made for its repository, else for itself.
    ///
    /// # Errors
    /// Where there is no such folder, or the graph can neither be read nor made.
    pub fn open(run: &Run<'_>, asked: &Path) -> Result<Graph> {
        let options = Options {
            others: None,
            threads: threads_of(None),
            vendored: false,
            most: None,
            limits: Limits::default(),
        };
        let root = root(asked)?;
        Graph::open_at(run, root, &options)
    }

    pub fn open_at(run: &Run<'_>, root: PathBuf, options: &Options) -> Result<Graph> {
        let folder = Folder::in_root(&root);
        let (db, report) = update::open(&root, &folder, options)?;
        if let Some((count, why)) = report.left {
            let message = format!("{count} files changed since the index was written: {why}");
            run.messages.note(&Failure::new("stale", message));
        }
        if let Some(why) = report.made {
            let message = format!("made an index of {} files: {why}", report.read);
            run.messages.note(&Failure::new("indexed", message));
        }
        let here = std::fs::canonicalize(".").unwrap_or_default();
        Ok(Graph {
            db,
            root,
            report,
            here,
        })
    }

    pub fn state(&self) -> Result<State> {
        let stale = self.report.left.map_or(0, |(count, _)| count);
        Ok(state::state(&self.db, stale)?)
    }

    /// A path of the index as it is typed here: from the working directory.
    pub fn shown(&self, path: &str) -> String {
        let Ok(inside) = self.here.strip_prefix(&self.root) else {
            return self.root.join(path).display().to_string();
        };
        let mut from = Path::new(path);
        let mut up = PathBuf::new();
        let mut inside = inside.components().peekable();
        while let Some(folder) = inside.peek() {
            let Ok(rest) = from.strip_prefix(folder) else {
                break;
            };
            from = rest;
            inside.next();
        }
        inside.for_each(|_| up.push(".."));
        up.join(from).display().to_string()
    }

    /// A path as it was typed, from the root of the index; none where nothing is there.
    pub fn inside(&self, typed: &str) -> Option<String> {
        let real = std::fs::canonicalize(self.here.join(typed)).ok()?;
        let inside = real.strip_prefix(&self.root).ok()?;
        Some(inside.to_string_lossy().replace('\\', "/"))
    }

    /// A name as it was typed, with the path in it from the root of the index.
    fn typed(&self, name: &str) -> String {
        let parts = [name.split_once("::"), name.rsplit_once(':')];
        for (between, part) in ["::", ":"].iter().zip(parts) {
            if let Some((path, rest)) = part
                && let Some(path) = self.inside(path)
            {
                return format!("{path}{between}{rest}");
            }
        }
        name.to_string()
    }

    pub fn packages(&self) -> Result<Packages> {
        update::packages(&self.db, &self.root)
    }

    pub fn place(&self, def: &Def) -> Place {
        Place::new(self.shown(&def.path), def)
    }

    /// A step as a site: where it stands, and the definition at its far end.
    pub fn site(&self, step: &Step, standing: &str, packs: &Packs) -> Site {
        Site {
            path: self.shown(standing),
            line: step.line,
            sort: if step.used { Sort::Use } else { Sort::Call },
            def: self.place(&step.def),
            to: None,
            called: false,
            grade: Some(step.grade),
            over: step.over,
            dead: step.dead,
            test: step.def.is_test(),
            package: packs.label(&step.def.path).to_string(),
            why: None,
            status: None,
            pointer: None,
        }
    }

    /// What is said of an answer besides what it counts.
    pub fn trust(&self, exact: bool, counted: String, honesty: &Honesty) -> Trust {
        let exact = exact && honesty.unresolved_count() == 0 && honesty.damaged == 0;
        let mut said = vec![counted];
        said.extend((!honesty.name.is_empty()).then(|| honesty.unresolved_words()));
        said.extend(honesty.hidden_words());
        said.extend(honesty.damaged_words().map(str::to_string));
        said.push(honesty.index_words());
        Trust {
            exact,
            said,
            unresolved: (!honesty.name.is_empty()).then(|| honesty.unresolved_count()),
            hidden: honesty.hidden,
            zero: None,
            commit: honesty.state.indexed_head.clone(),
            stale: honesty.state.stale,
        }
    }

    /// What a name means, if it is one thing.
    ///
    /// # Errors
    /// Not there, with near names; several things, with all of them.
    pub fn one(&self, name: &str) -> Result<Vec<Def>> {
        let mut groups = find::find(&self.db, &self.typed(name))?;
        match groups.len() {
            0 => Err(self.unknown(name)?.into()),
            1 => Ok(groups.remove(0)),
            count => {
                let choices = groups.iter().take(CHOICES);
                let choices = choices.map(|group| self.choice(&group[0]));
                let mut choices: Vec<String> = choices.collect();
                if count > CHOICES {
                    choices.push(format!("and {} more", count - CHOICES));
                }
                let message = format!("`{name}` is {count} definitions: {}", choices.join("; "));
                Err(Failure::not_found("ambiguous", message)
                    .hint("name one as PATH::NAME or PATH:LINE")
                    .into())
            }
        }
    }

    /// Why a file that is there is not in the index.
    pub fn not_indexed(&self, path: &str) -> Result<Failure> {
        let why = match find::passed_over(&self.db, path)? {
            Some(flags) if flags & sorts::GENERATED != 0 => "it is generated code",
            Some(flags) if flags & sorts::VENDORED != 0 => {
                "it lies where the code of others is kept"
            }
            _ => "its format has no calls, or it is ignored",
        };
        let failure = Failure::not_found("not-indexed", format!("not in the index: {why}"));
        Ok(failure.path(Path::new(&self.shown(path))))
    }

    fn unknown(&self, name: &str) -> Result<Failure> {
        let failure =
            Failure::not_found("not-found", format!("no definition `{name}` in the index"));
        let near = find::suggestions(&self.db, name, SUGGESTIONS)?;
        Ok(match near.is_empty() {
            true => failure,
            false => failure.hint(format!("near names are {}", near.join(", "))),
        })
    }

    fn choice(&self, def: &Def) -> String {
        format!(
            "{}::{}  L{}-{}  {}",
            self.shown(&def.path),
            def.qual,
            def.lines.start,
            def.lines.end,
            def.kind.name()
        )
    }

    /// How far an answer about definitions can be trusted.
    pub fn honesty(&self, defs: &[Def], scope: Scope, hidden: Hidden) -> Result<Honesty> {
        let name = defs.first().map_or("", |def| &def.name).to_string();
        let unresolved = near::unresolved(&self.db, &name, scope)?;
        Ok(Honesty {
            name,
            unresolved,
            state: self.state()?,
            hidden,
            damaged: near::damaged(&self.db, defs)?,
        })
    }

    /// The same of an answer that is about no name.
    pub fn honesty_of_all(&self, hidden: Hidden) -> Result<Honesty> {
        Ok(Honesty {
            name: String::new(),
            unresolved: vec![],
            state: self.state()?,
            hidden,
            damaged: 0,
        })
    }
}

/// Paths from the root as they are shown to somebody in a folder; both absolute.
pub fn shown_from(root: &Path, here: &Path) -> impl Fn(&str) -> String + use<> {
    let (root, here) = (root.to_path_buf(), here.to_path_buf());
    move |path| match root == here {
        true => path.to_string(),
        false => relative(&here, &root.join(path)),
    }
}

/// The root of the graph around a path.
pub fn root(asked: &Path) -> Result<PathBuf> {
    let here = std::fs::canonicalize(asked)
        .map_err(|error| Failure::new("unreadable", error.to_string()).path(asked))?;
    let folder = if here.is_dir() {
        here.clone()
    } else {
        here.parent().unwrap_or(&here).to_path_buf()
    };
    let indexed = folder
        .ancestors()
        .find(|folder| crate::graph::store::path(&Folder::in_root(folder)).is_file());
    let repository = || {
        folder
            .ancestors()
            .find(|folder| folder.join(".git").exists())
    };
    Ok(indexed.or_else(repository).unwrap_or(&folder).to_path_buf())
}
