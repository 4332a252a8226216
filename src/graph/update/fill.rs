//! A graph filled from nothing: files are written while others are read, links while others are linked. All facts are at hand
//! meanwhile, and nothing else of a file.

use anyhow::Result;
use rusqlite::Connection;

use super::read::{self, Read};
use super::roots::Roots;
use super::{Options, Report, finish, package, write_packages};
use crate::graph::cold::Keys;
use crate::graph::fresh::{Changes, Survey};
use crate::graph::link::{self, link};
use crate::graph::packages::Packages;
use crate::graph::store::write::{self, FileRow, Role};
use crate::graph::store::{self};
use crate::graph::surface::surface;
use crate::graph::value::Ref;
use crate::graph::world::{Entry, FileId, Files, Key, World};

/// A source on its way into the graph.
struct Source {
    row: FileRow,
    entry: Entry,
    surface: u64,
    provides: Vec<Key>,
}

/// Writes all that lies on disk into an empty graph.
///
/// # Errors
/// What SQLite says.
pub fn fill(
    db: &mut Connection,
    roots: &Roots,
    survey: Survey,
    options: &Options,
) -> Result<Report> {
    let root = &roots.all()[0];
    let manifests = survey
        .files
        .iter()
        .filter(|seen| seen.role == Role::Manifest);
    let manifests = read::manifests(root, manifests.map(|seen| seen.path.clone()));
    let packages = Packages::read(&manifests);
    let attributes = roots.attributes();
    let transaction = db.transaction()?;
    roots.keep(&transaction)?;
    write_packages(&transaction, &packages)?;
    let (mut entries, mut ids) = (vec![], vec![]);
    let mut keys = Keys::default();
    let work =
        |seen| read::read(root, seen, &attributes, options).map(|read| keyed(read, &packages));
    read::each(survey.files.iter(), options.threads, work, |read| {
        match read {
            Some(Ok(source)) => {
                ids.push(written(&transaction, &source)?);
                keys.add(entries.len() as FileId, &source.provides);
                entries.push(source.entry);
            }
            Some(Err(row)) => drop(write::file(&transaction, &row)?),
            None => {}
        }
        Ok(())
    })?;
    let count = entries.len();
    let files = Files::new(entries);
    link_all(&transaction, &files, &packages, &keys, &ids, options)?;
    let changes = Changes {
        folders: survey
            .folders
            .into_iter()
            .map(|(path, stamp)| (path, Some(stamp)))
            .collect(),
        ..Changes::default()
    };
    finish(&transaction, root, &changes, options)?;
    store::index(&transaction)?;
    transaction.commit()?;
    Ok(Report {
        read: count,
        ..Report::default()
    })
}

/// A source with all that is written of it; what is none as it is.
fn keyed(read: Read, packages: &Packages) -> Result<Box<Source>, Box<FileRow>> {
    let mut row = read.row;
    let Some((rules, facts)) = read.source else {
        return Err(Box::new(row));
    };
    row.home = (rules.home)(&row.path, &facts, packages);
    row.pkg = package(packages, &row.path);
    Ok(Box::new(Source {
        surface: surface(&facts),
        provides: link::provides(&row.path, &row.home, rules, &facts),
        entry: Entry {
            path: row.path.clone(),
            rules,
            home: row.home.clone(),
            facts: Some(facts),
        },
        row,
    }))
}

/// Writes a source: its row and those of its definitions.
fn written(db: &Connection, source: &Source) -> Result<(i64, Vec<i64>)> {
    let facts = source.entry.facts.as_ref().expect("a source has facts");
    let file = write::file(db, &source.row)?;
    let defs = write::definitions(db, file, facts, write::Known::new())?;
    write::detail(db, file, facts, source.surface, &source.provides)?;
    Ok((file, defs))
}

fn link_all(
    db: &Connection,
    files: &Files,
    packages: &Packages,
    keys: &Keys,
    ids: &[(i64, Vec<i64>)],
    options: &Options,
) -> Result<()> {
    let work = |file: FileId| {
        let world = World {
            packages,
            files,
            shelf: keys,
        };
        (file, link(&world, file))
    };
    let row = |def: Ref| Ok(ids[def.file as usize].1.get(def.def as usize).copied());
    read::each(
        0..files.len() as FileId,
        options.threads,
        work,
        |(file, linked)| {
            let (id, own) = &ids[file as usize];
            write::links(db, *id, own, &linked, &[], row)?;
            Ok(())
        },
    )
}
