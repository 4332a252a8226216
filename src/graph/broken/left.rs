//! What linking against the old tree cannot show: calls of what their own file has lost, and calls that are resolved in neither
//! tree, of a name that nothing bears any more.

use std::collections::HashMap;

use anyhow::Result;
use rusqlite::params;

use super::{Search, Site, Sort, Targets, Why};
use crate::graph::eval::{Eval, Grade, Shape, shape};
use crate::graph::facts::*;
use crate::graph::query::find;
use crate::graph::why::without_scopes;
use crate::graph::world::FileId;
use crate::model::Kind;

/// Unresolved calls of one name that are listed.
const MOST: usize = 20;

/// Calls in a file that changed, of what it defined itself: written as they were, and they reach nothing now.
pub fn inside(
    search: &Search<'_>,
    file: FileId,
    then: &mut Eval<'_>,
    today: &mut Eval<'_>,
    sites: &mut Vec<Site>,
) -> Result<()> {
    let path = today.path(file);
    let mut written: HashMap<String, (usize, Grade)> = HashMap::new();
    for &old in search.places.old.iter().flatten() {
        if search.then.entry(old).path == path {
            written.extend(old_calls(search, old));
        }
    }
    if written.is_empty() {
        return Ok(());
    }
    let facts = search.today.facts(file);
    let place = search.places.now[&file];
    for call in &facts.calls {
        let Some(&(lost, grade)) = written.get(&spelling(facts, call)) else {
            continue;
        };
        then.refresh();
        today.refresh();
        let known = matches!(then.targets(place, call.expr), Targets::Known(_))
            || matches!(today.targets(file, call.expr), Targets::Known(_));
        if !known {
            let why = Some(Why::Gone);
            let site = (call.from, call.line, Sort::Call);
            search.site(file, site, (lost, grade, why), sites)?;
        }
    }
    Ok(())
}

/// How calls were written in a file as it was that reached what it lost of its own.
fn old_calls(search: &Search<'_>, old: FileId) -> Vec<(String, (usize, Grade))> {
    let mut eval = Eval::new(&search.then, old);
    let facts = search.then.facts(old);
    let mut calls = vec![];
    for call in &facts.calls {
        eval.refresh();
        let Targets::Known(defs) = eval.targets(old, call.expr) else {
            continue;
        };
        let own: Vec<_> = defs.into_iter().filter(|def| def.file == old).collect();
        if let Some(lost) = search.lost_of(&mut eval, &own) {
            let grade = eval.grade(old, call.expr);
            calls.push((spelling(facts, call), (lost, grade)));
        }
    }
    calls
}

/// The callee as it is written, and for what is called on a value the definition around it.
fn spelling(facts: &Facts, call: &Call) -> String {
    let callee = match facts.expr(call.expr) {
        Expr::Call { callee, .. } => callee,
        Expr::New { of, .. } => of,
        _ => call.expr,
    };
    let text = without_scopes(&facts.show(callee));
    let around = match shape(facts, call.expr) {
        Shape::Name | Shape::This | Shape::Super | Shape::New => "",
        _ => call
            .from
            .map_or("", |from| facts.name(facts.def(from).qual)),
    };
    format!("{around} {text}")
}

/// Calls of a name that nothing in the tree bears any more, on values of which nothing is known.
pub fn unresolved(search: &Search<'_>, sites: &mut Vec<Site>) -> Result<()> {
    for (index, lost) in search.lost.iter().enumerate() {
        let Some(file) = search.places.old[lost.file] else {
            continue;
        };
        let facts = search.then.facts(file);
        let def = facts.def(lost.def);
        let name = facts.name(def.name);
        let common = search.then.entry(file).rules.common.contains(&name);
        if !def.kind.is_callable() || common || name.starts_with("__") {
            continue;
        }
        let method = def.kind == Kind::Method;
        let mut count = search
            .db
            .prepare_cached("SELECT 1 FROM def WHERE name = ?1")?;
        if count.exists([name])? {
            continue;
        }
        let mut statement = search.db.prepare_cached(
            "SELECT src, site.line, shape FROM site JOIN def ON def.id = src JOIN file ON file.id = def.file
             WHERE site.name = ?1 ORDER BY path, site.line",
        )?;
        let rows = statement.query_map(params![name], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, u32>(1)?,
                row.get::<_, u8>(2)?,
            ))
        })?;
        let mut listed = 0;
        for row in rows {
            let (src, line, shape) = row?;
            let on_value = !matches!(Shape::from(shape), Shape::Name | Shape::New);
            let from = find::by_id(search.db, src)?;
            let known = sites
                .iter()
                .any(|site| site.line == line && site.from.path == from.path);
            if known || on_value != method || listed == MOST {
                continue;
            }
            listed += 1;
            sites.push(Site {
                lost: index,
                from,
                line,
                sort: Sort::Call,
                grade: Grade::Guess,
                why: Why::Unresolved,
            });
        }
    }
    Ok(())
}
