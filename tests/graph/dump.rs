//! A graph as text that does not depend on how it came to be: every row by names, in order.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Tables by name, and what their rows are without ids.
const TABLES: &[(&str, &str)] = &[
    ("package", "SELECT root, name, manifest FROM pkg"),
    (
        "file",
        "SELECT file.path, role, hex(hash), language, home, pkg.name, flags, lines, damaged FROM file LEFT JOIN pkg ON pkg.id = file.pkg",
    ),
    (
        "definition",
        "SELECT file.path, def.local, def.kind, def.name, def.qual, parent.local, def.line, def.start, def.stop, def.flags, def.least, def.most
         FROM def JOIN file ON file.id = def.file LEFT JOIN def parent ON parent.id = def.parent",
    ),
    (
        "edge",
        "SELECT src.name, dst.name, line, sort, grade, dead FROM edge JOIN named src ON src.id = edge.src JOIN named dst ON dst.id = edge.dst",
    ),
    ("over", "SELECT sub.name, sup.name FROM over JOIN named sub ON sub.id = over.sub JOIN named sup ON sup.id = over.sup"),
    ("site", "SELECT named.name, line, site.name, shape, args FROM site JOIN named ON named.id = site.src"),
    ("provide", "SELECT key, path FROM provide JOIN file ON file.id = provide.file"),
    ("need", "SELECT key, path FROM need JOIN file ON file.id = need.file"),
    ("detail", "SELECT path, surface, hex(facts), hex(provides), hex(needs) FROM detail JOIN file ON file.id = detail.file"),
    ("folder", "SELECT path FROM folder"),
    // Rows that nothing refers to would not show above.
    ("counts", "SELECT (SELECT count(*) FROM edge), (SELECT count(*) FROM over), (SELECT count(*) FROM site), (SELECT count(*) FROM word)"),
];

const NAMED: &str = "WITH named AS (SELECT def.id, file.path || '::' || def.qual || '#' || def.local AS name FROM def JOIN file ON file.id = def.file) ";

/// All of a graph.
pub fn dump(db: &Connection) -> String {
    let mut text = String::new();
    for (table, sql) in TABLES {
        let mut statement = db
            .prepare(&format!("{NAMED}{sql}"))
            .expect("the schema is known");
        let columns = statement.column_count();
        let mut rows = statement.query([]).expect("the graph can be read");
        let mut lines = vec![];
        while let Some(row) = rows.next().expect("the graph can be read") {
            let cells = (0..columns).map(|column| {
                match row.get_ref(column).expect("a column of the row") {
                    ValueRef::Null => "-".to_string(),
                    ValueRef::Integer(number) => number.to_string(),
                    ValueRef::Real(number) => number.to_string(),
                    ValueRef::Text(text) | ValueRef::Blob(text) => {
                        String::from_utf8_lossy(text).into_owned()
                    }
                }
            });
            let cells: Vec<String> = cells.collect();
            lines.push(format!("{table} {}\n", cells.join(" ")));
        }
        lines.sort_unstable();
        text.extend(lines);
    }
    text
}
