//! `impact --diff REV`: what the working tree removed, renamed or gave another signature since a revision, and the sites that
//! still use what was.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::Graph;
use super::print::print;
use crate::cli;
use crate::commands::diff::{ask, read_all};
use crate::commands::{Run, threads_of};
use crate::exit::Exit;
use crate::graph::broken::{self, Lost, Why};
use crate::graph::past::{Changed, Old};
use crate::graph::query::near::Hidden;
use crate::graph::query::packs::Packs;
use crate::graph::resolve;
use crate::model::{Item, ItemId};
use crate::outline::Limits;
use crate::outline::diff::{Change, Node, Op, Pair, compare};
use crate::render::diff::{Comparison, FileDiff, Moment};
use crate::render::graph::listing::{self, Listing, Place, Rung, Section, Site, Sort, Status};
use crate::render::plural;

/// How alike files must be for one to be the other renamed, in percent.
const RENAMED: u8 = 50;
/// No file takes longer to parse.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What makes a definition another one for those who use it.
const OPS: [Op; 6] = [
    Op::Removed,
    Op::Renamed,
    Op::Moved,
    Op::Signature,
    Op::Kind,
    Op::Exported,
];

pub fn run(
    mut run: Run<'_>,
    graph: &Graph,
    revision: &str,
    arguments: &cli::Impact,
) -> Result<Exit> {
    let asked = ask::since_revision(revision, RENAMED)?;
    let reading = cli::Reading {
        lang: None,
        stdin_path: None,
        timeout: TIMEOUT,
        no_cache: true,
        cache_dir: None,
    };
    let read = read_all(&run, &asked, &reading, threads_of(None))?;
    let pairs: Vec<Pair<'_>> = read.iter().map(|one| one.pair()).collect();
    let changes = compare(&pairs);
    let files = read
        .iter()
        .zip(changes)
        .map(|(one, changes)| one.file(changes));
    let comparison = Comparison {
        from: asked.from.clone(),
        to: asked.to.clone(),
        single: false,
        files: files.collect(),
        pairs: &pairs,
        evidence: true,
    };
    let diff = Diff {
        graph,
        comparison: &comparison,
        root: asked.root().unwrap_or(Path::new("")),
    };
    let changes = diff.changes();
    let lost: Vec<Lost> = changes
        .iter()
        .flat_map(|(_, lost)| lost.iter().cloned())
        .collect();
    let found = broken::broken(&graph.db, &graph.packages()?, diff.changed(), &lost)?;
    let listing = diff.listing(&changes, &lost, &found)?;
    let broken = listing.broken.unwrap_or(0);
    let kept = print(&mut run, listing, &arguments.budgeting, Rung::Sites)?;
    Ok(match run.exit(1, 1) {
        Exit::Answered if !kept || arguments.exit_code && broken > 0 => Exit::NotFound,
        exit => exit,
    })
}

/// Two versions of a tree that the graph is of.
struct Diff<'a> {
    graph: &'a Graph,
    comparison: &'a Comparison<'a>,
    /// Of the repository: where paths begin.
    root: &'a Path,
}

impl Diff<'_> {
    /// A path of the repository from the root of the index; none where it lies outside.
    fn inside(&self, path: &Path) -> Option<String> {
        let path = self.root.join(path);
        let inside = path.strip_prefix(&self.graph.root).ok()?;
        Some(inside.to_string_lossy().replace('\\', "/"))
    }

    fn path(&self, file: &FileDiff<'_>, moment: Moment) -> Option<String> {
        self.inside(file.side(moment)?.local)
    }

    /// What each file was.
    fn changed(&self) -> Vec<Changed> {
        let changed = |file: &FileDiff<'_>| Changed {
            old: self.old(file),
            new: self.path(file, Moment::After),
        };
        self.comparison.files.iter().map(changed).collect()
    }

    fn old(&self, file: &FileDiff<'_>) -> Option<Old> {
        let side = file.before.as_ref()?.side?;
        let (outline, facts) = crate::graph::read(&side.source, side.language, &Limits::default());
        // The numbers of definitions are those of both outlines.
        let same = outline.items.len() == side.outline.items.len();
        Some(Old {
            path: self.path(file, Moment::Before)?,
            rules: resolve::rules(side.language)?,
            facts: facts.filter(|_| same)?,
        })
    }

    /// Changes that others may see, each with what was lost by it.
    fn changes(&self) -> Vec<(Change, Vec<Lost>)> {
        let files = self.comparison.files.iter();
        let mut changes: Vec<Change> = files.flat_map(|file| file.changes.clone()).collect();
        changes.extend(self.moved_with_files(&changes));
        let all = || changes.iter();
        let listed: HashSet<Node> = all().filter_map(|change| change.before).collect();
        let lost = |change: &Change| -> Option<Vec<Lost>> {
            let before = change.before?;
            OPS.iter().any(|op| change.has(*op)).then_some(())?;
            let one = |def: ItemId, after: Option<Node>| Lost {
                file: before.file,
                def,
                now: after.and_then(|node| {
                    let path = self.path(self.comparison.files.get(node.file)?, Moment::After)?;
                    Some((path, node.item))
                }),
                signature: change.has(Op::Signature) || change.has(Op::Kind),
            };
            let mut lost = vec![one(before.item, change.after)];
            if change.has(Op::Removed) {
                let end = self.item(Moment::Before, before)?.end;
                let inside = (before.item + 1..end)
                    .filter(|&item| !listed.contains(&Node { item, ..before }));
                lost.extend(inside.map(|item| one(item, None)));
            }
            Some(lost)
        };
        all()
            .filter_map(|change| Some((change.clone(), lost(change)?)))
            .collect()
    }

    /// Definitions at the top of files that were renamed, which are no change of their own: they are to be found elsewhere now.
    fn moved_with_files(&self, changes: &[Change]) -> Vec<Change> {
        let listed: HashSet<Node> = changes.iter().filter_map(|change| change.before).collect();
        let mut moved = vec![];
        for (file, diff) in self.comparison.files.iter().enumerate() {
            let (Some(before), Some(after)) = (&diff.before, &diff.after) else {
                continue;
            };
            let (Some(old), Some(new)) = (before.side, after.side) else {
                continue;
            };
            if before.local == after.local {
                continue;
            }
            for (item, id) in old.outline.items.iter().zip(0..) {
                let node = Node { file, item: id };
                let same = |one: &Item| one.qualname == item.qualname && one.kind == item.kind;
                let partner = new.outline.items.iter().position(same);
                if let Some(partner) =
                    partner.filter(|_| item.parent.is_none() && !listed.contains(&node))
                {
                    moved.push(Change {
                        ops: vec![Op::Moved],
                        before: Some(node),
                        after: Some(Node {
                            file,
                            item: partner as ItemId,
                        }),
                        members: 0,
                    });
                }
            }
        }
        moved
    }

    fn item(&self, moment: Moment, node: Node) -> Option<&Item> {
        Some(self.comparison.definition(moment, Some(node))?.item)
    }

    fn place(&self, moment: Moment, node: Node) -> Option<Place> {
        let item = self.item(moment, node)?;
        let path = self.path(self.comparison.files.get(node.file)?, moment)?;
        Some(Place {
            path: self.graph.shown(&path),
            qual: item.qualname.clone(),
            kind: item.kind,
            line: item.decl_line,
            lines: item.lines,
        })
    }

    fn listing(
        &self,
        changes: &[(Change, Vec<Lost>)],
        lost: &[Lost],
        found: &[broken::Site],
    ) -> Result<Listing> {
        let packs = Packs::read(&self.graph.db)?;
        let mut sections = vec![];
        let mut first = 0;
        for (change, own) in changes {
            let numbers = first..first + own.len();
            first = numbers.end;
            let sites = found.iter().filter(|site| numbers.contains(&site.lost));
            let mut sites: Vec<Site> = sites
                .map(|site| self.site(site, change, &lost[site.lost], &packs))
                .collect();
            sites.sort_by_key(|site| (site.status, site.path.clone(), site.line));
            sections.extend(self.section(change, sites));
        }
        let broken = sections
            .iter()
            .flat_map(|section| &section.change)
            .map(|change| change.broken)
            .sum();
        let mut listing = Listing {
            verb: "impact",
            head: vec![format!(
                "{} -> {}",
                self.comparison.from, self.comparison.to
            )],
            asked: vec![],
            risk: None,
            broken: Some(broken),
            what: "site",
            by_package: false,
            sections,
            trust: Default::default(),
        };
        let possible = listing
            .sites()
            .any(|site| site.status == Some(Status::Possible));
        let definitions = plural(listing.sections.len(), "definition");
        let counted = match broken {
            0 => format!("no broken site of {definitions} that others may use"),
            count => format!(
                "{} of {definitions} that changed for others",
                plural(count, "broken site")
            ),
        };
        listing.trust = self.graph.trust(
            !possible,
            counted,
            &self.graph.honesty_of_all(Hidden::default())?,
        );
        Ok(listing)
    }

    /// A change with its sites; none where nothing is to be said of it.
    fn section(&self, change: &Change, sites: Vec<Site>) -> Option<Section> {
        let told = [Op::Removed, Op::Renamed, Op::Signature]
            .iter()
            .any(|op| change.has(*op));
        if sites.is_empty() && !told {
            return None;
        }
        let node = change.before?;
        // Who uses a definition is listed there, not where it is declared besides.
        if sites.is_empty() && self.item(Moment::Before, node)?.declaration {
            return None;
        }
        let was = self.place(Moment::Before, node)?;
        let now = change
            .after
            .and_then(|node| self.place(Moment::After, node));
        let ops: Vec<&'static str> = change
            .ops
            .iter()
            .filter(|op| OPS.contains(op))
            .map(|op| op.name())
            .collect();
        let became = now
            .as_ref()
            .filter(|now| now.qual != was.qual || now.path != was.path);
        let became = became.map_or(String::new(), |now| {
            format!(" -> {}:{}  {}", now.path, now.line, now.qual)
        });
        let broken = sites
            .iter()
            .filter(|site| site.status == Some(Status::Broken))
            .count();
        let signatures = change
            .after
            .filter(|_| change.has(Op::Signature))
            .and_then(|after| {
                let signature = |moment, node| Some(self.item(moment, node)?.signature.clone());
                Some((
                    signature(Moment::Before, node)?,
                    signature(Moment::After, after)?,
                ))
            });
        let file = self.comparison.files.get(node.file)?;
        Some(Section {
            title: Some(format!(
                "{}  {}{became}  {broken} broken",
                ops.join(", "),
                was.words()
            )),
            change: Some(listing::Change {
                ops,
                was_pointer: file.side(Moment::Before)?.pointer(was.lines),
                was,
                now,
                signatures,
                broken,
            }),
            sites,
            ..Section::default()
        })
    }

    fn site(&self, site: &broken::Site, change: &Change, lost: &Lost, packs: &Packs) -> Site {
        let node = Node {
            file: lost.file,
            item: lost.def,
        };
        let own = change.before == Some(node);
        let now = change
            .after
            .and_then(|node| self.place(Moment::After, node));
        let (status, why) = said(site, now.filter(|_| own).as_ref());
        Site {
            path: self.graph.shown(&site.from.path),
            line: site.line,
            sort: match site.sort {
                broken::Sort::Call => Sort::Call,
                broken::Sort::Use => Sort::Use,
                broken::Sort::Import => Sort::Import,
            },
            def: self.graph.place(&site.from),
            to: (!own).then(|| self.place(Moment::Before, node)).flatten(),
            called: false,
            grade: Some(site.grade),
            over: false,
            dead: false,
            test: site.from.is_test(),
            package: packs.label(&site.from.path).to_string(),
            why: Some(why),
            status: Some(status),
            pointer: None,
        }
    }
}

/// What is wrong with a site; `now` is what the definition became.
fn said(site: &broken::Site, now: Option<&Place>) -> (Status, String) {
    let arguments = |count: u32| plural(count as usize, "argument");
    let why = match &site.why {
        Why::Gone => match now {
            Some(now) => format!("reaches nothing; it is `{}` in {} now", now.qual, now.path),
            None => "what it names is gone".to_string(),
        },
        Why::Arguments { given, least, most } => {
            let takes = match (*least, *most) {
                (least, u32::MAX) => format!("at least {least}"),
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            format!("gives {}, takes {takes}", arguments(*given))
        }
        Why::Parameter(name) => format!("no parameter is called `{name}` any more"),
        Why::Unresolved => "a call of that name that was not resolved".to_string(),
        Why::Fits => "the signature changed; the number of arguments fits".to_string(),
    };
    let status = match site.why {
        Why::Unresolved => Status::Possible,
        Why::Fits => Status::Check,
        _ => Status::Broken,
    };
    (status, why)
}
