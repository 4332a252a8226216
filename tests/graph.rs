//! The graph of small trees: each folder of `fixtures/repos` with an `edges.txt` is indexed from nothing, and what that holds must
//! be what is found: calls, functions that are named without a call, members that stand for others, calls left unresolved.

mod beside;
mod dump;
mod faults;
mod told;

use std::path::Path;

use rusqlite::Connection;

use crate::check::{check, root};
use crate::folder::Folder;

const GRADES: [&str; 5] = ["exact", "typed", "inferred", "possible", "guess"];

#[test]
fn small_trees_have_the_edges_that_are_written_beside_them() {
    let repositories = std::fs::read_dir(root().join("fixtures/repos")).expect("fixtures exist");
    let mut checked = 0;
    for repository in repositories {
        let from = repository.expect("the folder can be read").path();
        let golden = from.join("edges.txt");
        if golden.exists() {
            check(&golden, &edges(&from));
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// Runs in a folder with all they answer.
fn asked(folder: &Folder, runs: &[&[&str]]) -> String {
    let mut text = String::new();
    for arguments in runs {
        let output = folder.run(arguments);
        text += &format!("$ ast-outline {}\n", arguments.join(" "));
        text += &String::from_utf8_lossy(&output.stdout);
        if !output.stderr.is_empty() {
            text += &format!("--- stderr\n{}", String::from_utf8_lossy(&output.stderr));
        }
        text += &format!("--- exit {}\n\n", output.status.code().unwrap_or(-1));
    }
    text
}

fn edges(from: &Path) -> String {
    let folder = Folder::repository();
    folder.copy(from, ".");
    folder.stdout(&["index", "."]);
    let db = Connection::open(folder.at(".ast_outline_cache/graph.db")).expect("an index was made");
    let mut lines = linked(&db);
    lines.sort();
    lines.dedup();
    lines.concat()
}

/// All that linking found, one a line.
fn linked(db: &Connection) -> Vec<String> {
    let named = "SELECT def.id, file.path || '::' || def.qual AS name, def.kind, file.path
                 FROM def JOIN file ON file.id = def.file";
    let edges = format!(
        "WITH named AS ({named}) SELECT src.name, dst.name, line, sort, grade, dead
         FROM edge JOIN named src ON src.id = edge.src JOIN named dst ON dst.id = edge.dst"
    );
    let mut lines = rows(db, &edges, |row| {
        let (from, to): (String, String) = (row.get(0)?, row.get(1)?);
        let (line, sort): (u32, u32) = (row.get(2)?, row.get(3)?);
        let (grade, dead): (u8, bool) = (row.get(4)?, row.get(5)?);
        let arrow = if sort == 0 { "->" } else { "uses" };
        let dead = if dead { " dead" } else { "" };
        Ok(format!(
            "{from} {arrow} {to}  L{line} {}{dead}\n",
            GRADES[usize::from(grade)]
        ))
    });
    let over = format!(
        "WITH named AS ({named}) SELECT sub.name, sup.name
         FROM over JOIN named sub ON sub.id = over.sub JOIN named sup ON sup.id = over.sup"
    );
    lines.extend(rows(db, &over, |row| {
        let (sub, sup): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(format!("{sub} for {sup}\n"))
    }));
    let sites = format!(
        "WITH named AS ({named}) SELECT src.name, line, site.name
         FROM site JOIN named src ON src.id = site.src"
    );
    lines.extend(rows(db, &sites, |row| {
        let (from, line, name): (String, u32, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(format!("{from} ?? {name}  L{line}\n"))
    }));
    lines
}

fn rows(
    db: &Connection,
    question: &str,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<String>,
) -> Vec<String> {
    let mut statement = db.prepare(question).expect("the graph has these tables");
    let rows = statement.query_map([], read).expect("they can be asked");
    rows.collect::<rusqlite::Result<_>>()
        .expect("they can be read")
}
