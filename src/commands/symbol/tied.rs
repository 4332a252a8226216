//! What the graph says beside a definition: who calls it and what it calls (`--graph`), and the text of what it calls, call by
//! call away from it (`--expand`). And what a session was given before (`--session`).

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Result;

use super::{Answer, Holder};
use crate::cache::{Folder, Session};
use crate::cli;
use crate::commands::graph::{Graph, shown_from};
use crate::commands::{Run, limits, open_text};
use crate::exit::Failure;
use crate::graph::paths::relative;
use crate::graph::query::find::{self, Def};
use crate::graph::query::near::{self, Scope, Step};
use crate::model::ItemId;
use crate::outline::outline;
use crate::outline::path::{Fit, Hits};
use crate::render::excerpt::{Around, End, Ends, Reached};

/// Ends of calls that are named.
const FIRST: usize = 3;
/// Definitions that are printed of those called, at most.
const MOST: usize = 200;

/// The graph, and paths as answers show them.
pub struct Tied {
    graph: Graph,
    here: PathBuf,
}

impl Tied {
    /// The graph, where the flags ask for it.
    pub fn new(
        run: &Run<'_>,
        arguments: &cli::Symbol,
        answers: &[(&str, Answer)],
    ) -> Result<Option<Tied>> {
        if !arguments.graph && arguments.expand.is_none() {
            return Ok(None);
        }
        let mut holders = answers.iter().flat_map(|(_, found)| &found.holders);
        let Some(first) = holders.next() else {
            return Ok(None);
        };
        let graph = Graph::open(run, &first.opened.path)?;
        let here = std::env::current_dir()?;
        Ok(Some(Tied { graph, here }))
    }

    fn shown(&self, path: &str) -> String {
        shown_from(&self.graph.root, &self.here)(path)
    }

    /// The row of a definition; none where the index does not know its file.
    fn def(&self, holder: &Holder, id: ItemId) -> Result<Option<Def>> {
        let path = std::fs::canonicalize(&holder.opened.path)?;
        let inside = relative(&self.graph.root, &path);
        Ok(find::at(&self.graph.db, &inside, id)?)
    }

    /// Who calls a definition, and what it calls.
    pub fn around(&self, holder: &Holder, id: ItemId) -> Result<Option<Around>> {
        let (db, scope) = (&self.graph.db, Scope::default());
        let Some(def) = self.def(holder, id)? else {
            return Ok(None);
        };
        let ids = near::stands_for(db, std::slice::from_ref(&def))?;
        let unresolved = near::unresolved(db, &def.name, scope)?;
        let mut callees = near::callees(db, &ids, scope)?;
        let mut known = vec![];
        callees.retain(|step| {
            !known.contains(&step.def.id) && {
                known.push(step.def.id);
                true
            }
        });
        Ok(Some(Around {
            callers: self.ends(&near::callers(db, &ids, scope)?, |step| step.line),
            callees: self.ends(&callees, |step| step.def.line),
            unresolved: unresolved.iter().map(|(_, count)| count).sum(),
        }))
    }

    fn ends(&self, steps: &[Step], line: impl Fn(&Step) -> u32) -> Ends {
        let mut files: Vec<i64> = steps.iter().map(|step| step.def.file).collect();
        files.sort_unstable();
        files.dedup();
        let end = |step: &Step| End {
            qualname: step.def.qual.clone(),
            path: self.shown(&step.def.path),
            line: line(step),
        };
        Ends {
            count: steps.len(),
            files: files.len(),
            first: steps.iter().take(FIRST).map(end).collect(),
        }
    }

    /// What some definitions call inside the tree, to a depth, nearest first, each once.
    pub fn expand(
        &self,
        run: &Run<'_>,
        arguments: &cli::Symbol,
        answers: &mut [(&str, Answer)],
        depth: u32,
    ) -> Result<Vec<Answer>> {
        let mut way = Way::default();
        let mut asked = vec![];
        for (at, (_, answer)) in answers.iter().enumerate() {
            for (place, holder) in answer.holders.iter().enumerate() {
                for &id in &holder.hits.ids {
                    if let Some(def) = self.def(holder, id)? {
                        way.begin(def);
                        asked.push((at, place, id));
                    }
                }
            }
        }
        let mut expanded = vec![];
        let mut next: Vec<usize> = (0..way.seen.len()).collect();
        for _ in 0..depth {
            next = way.step(&self.graph, &next)?;
        }
        if way.seen.len() >= MOST {
            let message = format!("only the nearest {MOST} definitions it calls are printed");
            run.messages.note(&Failure::new("many", message));
        }
        for (seen, (at, place, id)) in asked.into_iter().enumerate() {
            if !way.seen[seen].cycles.is_empty() {
                let holder = &mut answers[at].1.holders[place];
                holder.reached.insert(id, way.reached(seen));
            }
        }
        for level in 1..=depth {
            expanded.push(self.opened(arguments, &way, level)?);
        }
        Ok(expanded)
    }

    /// The definitions of one depth with their files, as answers are.
    fn opened(&self, arguments: &cli::Symbol, way: &Way, depth: u32) -> Result<Answer> {
        let mut answer = Answer::default();
        let seen = way.seen.iter().enumerate();
        for (at, seen) in seen.filter(|(_, seen)| seen.depth == depth) {
            let path = PathBuf::from(self.shown(&seen.def.path));
            let id = seen.local;
            let reached = way.reached(at);
            let known = answer
                .holders
                .iter_mut()
                .find(|holder| holder.opened.path == path);
            if let Some(holder) = known {
                holder.hits.ids.push(id);
                holder.reached.insert(id, reached);
                continue;
            }
            let opened = open_text(&path, &arguments.reading)?;
            let Some(language) = opened.language else {
                continue;
            };
            let outline = outline(&opened.source, language, &limits(&arguments.reading));
            if id as usize >= outline.items.len() {
                continue;
            }
            answer.holders.push(Holder {
                opened,
                language,
                outline,
                hits: Hits {
                    fit: Fit::Exact,
                    ids: vec![id],
                    others: 0,
                },
                reached: HashMap::from([(id, reached)]),
            });
        }
        Ok(answer)
    }
}

/// The session that is named, in the cache of what was found.
pub fn session(arguments: &cli::Symbol, answers: &[(&str, Answer)]) -> Result<Option<Session>> {
    let Some(id) = arguments
        .session
        .as_deref()
        .filter(|_| !arguments.reading.no_cache)
    else {
        return Ok(None);
    };
    let first = answers.iter().flat_map(|(_, found)| &found.holders).next();
    let path = first.map(|holder| holder.opened.path.as_path());
    let folder = Folder::locate(arguments.reading.cache_dir.as_deref(), path)?;
    Ok(Some(Session::new(folder, id)))
}

/// The definitions on the way from those asked for.
#[derive(Default)]
struct Way {
    seen: Vec<Seen>,
}

struct Seen {
    def: Def,
    /// Its place in the outline.
    local: ItemId,
    depth: u32,
    by: Option<usize>,
    /// What it calls that it was come to by.
    cycles: Vec<usize>,
}

impl Way {
    fn begin(&mut self, def: Def) {
        self.seen.push(Seen {
            local: 0,
            def,
            depth: 0,
            by: None,
            cycles: vec![],
        });
    }

    /// Follows the calls of some definitions; answers with the new ones.
    fn step(&mut self, graph: &Graph, from: &[usize]) -> Result<Vec<usize>> {
        let mut new = vec![];
        for &at in from {
            let ids = near::stands_for(&graph.db, std::slice::from_ref(&self.seen[at].def))?;
            for step in near::callees(
                &graph.db,
                &ids,
                Scope {
                    tests: true,
                    ..Scope::default()
                },
            )? {
                match self.seen.iter().position(|seen| seen.def.id == step.def.id) {
                    Some(known) if self.leads_to(known, at) => {
                        let cycles = &mut self.seen[at].cycles;
                        if !cycles.contains(&known) {
                            cycles.push(known);
                        }
                    }
                    None if !step.def.is_module() && self.seen.len() < MOST => {
                        new.push(self.seen.len());
                        let local = find::local(&graph.db, step.def.id)?;
                        let depth = self.seen[at].depth + 1;
                        self.seen.push(Seen {
                            def: step.def,
                            local,
                            depth,
                            by: Some(at),
                            cycles: vec![],
                        });
                    }
                    _ => {}
                }
            }
        }
        Ok(new)
    }

    /// How a definition was come to.
    fn reached(&self, at: usize) -> Reached {
        let seen = &self.seen[at];
        let name = |&at: &usize| self.seen[at].def.qual.clone();
        Reached {
            depth: seen.depth,
            called_by: seen.by.as_ref().map(name),
            cycles: seen.cycles.iter().map(name).collect(),
        }
    }

    /// Whether a definition is the other one, or on the way to it.
    fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut at = Some(to);
        while let Some(here) = at {
            if here == from {
                return true;
            }
            at = self.seen[here].by;
        }
        false
    }
}
