//! How an edge came to be: the calling file is linked again, and what each part of the callee is worth is said, from the
//! outermost receiver to the name that is called.

use anyhow::Result;
use rusqlite::Connection;

use super::eval::{Eval, Shape, Targets, shape};
use super::facts::*;
use super::packages::Packages;
use super::query::find::Def;
use super::store::shelf::Stored;
use super::value::{Ref, Value};
use super::world::{FileId, World};

/// Parts of a callee that are explained.
const MOST: usize = 16;

/// How one call or use was resolved.
#[derive(Debug, Clone)]
pub struct Reason {
    pub line: u32,
    /// A use, not a call.
    pub used: bool,
    pub shape: Shape,
    pub steps: Vec<Step>,
    /// The call goes to a member of a base that the one asked for stands for.
    pub over: Option<Place>,
}

/// What a part of the callee is.
#[derive(Debug, Clone)]
pub struct Step {
    /// As pseudo-code.
    pub written: String,
    /// What the name is bound to, where it is a name.
    pub bound: Option<String>,
    pub means: String,
    pub place: Option<Place>,
}

/// Where a definition stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// From the root of the index.
    pub path: String,
    pub line: u32,
    pub qual: String,
}

/// Why the calls and uses in `from` reach `to`, or one of the definitions that these stand for.
///
/// # Errors
/// What SQLite says.
pub fn why(
    db: &Connection,
    packages: &Packages,
    from: &Def,
    to: &[Def],
    sups: &[Def],
) -> Result<Vec<Reason>> {
    let (stored, files) = Stored::new(db)?;
    let world = World {
        packages,
        files: &files,
        shelf: &stored,
    };
    let Some(file) = stored.file(from.file) else {
        return Ok(vec![]);
    };
    let local: i64 = db.query_row("SELECT local FROM def WHERE id = ?1", [from.id], |row| {
        row.get(0)
    })?;
    let local = u32::try_from(local).ok();
    let mut search = Search {
        eval: Eval::new(&world, file),
        stored: &stored,
        file,
        to,
        sups,
    };
    let facts = world.facts(file);
    let mut reasons = vec![];
    for call in facts.calls.iter().filter(|call| call.from == local) {
        search.eval.refresh();
        if let Targets::Known(targets) = search.eval.targets(file, call.expr) {
            reasons.extend(search.reason(call.line, call.expr, &targets)?);
        }
    }
    for used in facts.uses.iter().filter(|used| used.from == local) {
        search.eval.refresh();
        reasons.extend(search.used(used)?);
    }
    stored.check()?;
    Ok(reasons)
}

struct Search<'a, 'w> {
    eval: Eval<'w>,
    stored: &'a Stored<'a>,
    file: FileId,
    to: &'a [Def],
    /// Members of bases that these stand for.
    sups: &'a [Def],
}

impl Search<'_, '_> {
    fn reason(&mut self, line: u32, call: ExprId, targets: &[Ref]) -> Result<Option<Reason>> {
        let Some(over) = self.hit(targets)? else {
            return Ok(None);
        };
        let facts = self.eval.facts(self.file);
        let callee = match facts.expr(call) {
            Expr::Call { callee, .. } => callee,
            Expr::New { of, .. } => of,
            _ => call,
        };
        Ok(Some(Reason {
            line,
            used: false,
            shape: shape(facts, call),
            steps: self.steps(callee),
            over,
        }))
    }

    fn used(&mut self, used: &Use) -> Result<Option<Reason>> {
        let (file, facts) = (self.file, self.eval.facts(self.file));
        let value = match used.what {
            Used::Expr(expr) => self.eval.eval(file, expr),
            Used::Type(ty) => self.eval.type_in_use(file, ty),
            Used::Name(_) => return Ok(None),
        };
        let targets: Vec<Ref> = value.parts().iter().filter_map(definition).collect();
        let Some(over) = self.hit(&targets)? else {
            return Ok(None);
        };
        let steps = match used.what {
            Used::Expr(expr) => self.steps(expr),
            Used::Type(ty) => vec![self.step(facts.show_type(ty), None, &value)],
            Used::Name(_) => vec![],
        };
        Ok(Some(Reason {
            line: used.line,
            used: true,
            shape: Shape::Other,
            steps,
            over,
        }))
    }

    /// Whether one of the targets was asked for; with the member of a base that it is reached by.
    fn hit(&mut self, targets: &[Ref]) -> Result<Option<Option<Place>>> {
        for &target in targets {
            let target = self.eval.body(target);
            let id = self.stored.def(target)?;
            if self.to.iter().any(|def| Some(def.id) == id) {
                return Ok(Some(None));
            }
            if self.sups.iter().any(|def| Some(def.id) == id) {
                return Ok(Some(Some(self.place(target))));
            }
        }
        Ok(None)
    }

    /// What each part of an expression is, the outermost receiver first.
    fn steps(&mut self, expr: ExprId) -> Vec<Step> {
        let facts = self.eval.facts(self.file);
        let mut parts = vec![expr];
        let mut next = inner(facts, expr);
        while let Some(of) = next.filter(|_| parts.len() < MOST) {
            parts.push(of);
            next = inner(facts, of);
        }
        let parts = parts.into_iter().rev();
        let steps = parts.map(|part| {
            let value = self.eval.eval(self.file, part);
            let bound = match facts.expr(part) {
                Expr::Name { name, scope, at } => bound(facts, scope, name, at),
                _ => None,
            };
            self.step(facts.show(part), bound, &value)
        });
        steps.collect()
    }

    fn step(&mut self, written: String, bound: Option<String>, value: &Value) -> Step {
        let of = value.parts().iter().find_map(definition);
        Step {
            written: without_scopes(&written),
            bound,
            means: self.means(value),
            place: of.map(|def| self.place(def)),
        }
    }

    fn place(&mut self, def: Ref) -> Place {
        let facts = self.eval.facts(def.file);
        let found = facts.def(def.def);
        Place {
            path: self.eval.path(def.file).to_string(),
            line: found.line,
            qual: facts.name(found.qual).to_string(),
        }
    }

    fn means(&mut self, value: &Value) -> String {
        let named = |search: &mut Self, def: Ref| {
            let facts = search.eval.facts(def.file);
            let found = facts.def(def.def);
            format!(
                "{} `{}`",
                found.kind.name().replace('_', " "),
                facts.name(found.qual)
            )
        };
        match value {
            Value::Unknown => "not known".to_string(),
            Value::Outside => "something outside of the tree".to_string(),
            Value::Def(def) | Value::Method(def, _) => named(self, *def),
            Value::Overloads(defs, _) => format!(
                "one of {} named alike: {}",
                defs.len(),
                named(self, defs[0])
            ),
            Value::File(file) => format!("the module {}", self.eval.path(*file)),
            Value::Space(name) => format!("the package `{name}`"),
            Value::Inst(def, _) => format!("a value of {}", named(self, *def)),
            Value::Alien(name, _) => format!("a value of `{name}`, which is not in the tree"),
            Value::Tuple(_) => "several values".to_string(),
            Value::Any(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.means(part)).collect();
                parts.join(", or ")
            }
            Value::Function(..) | Value::Lambda(..) => "a function without a name".to_string(),
            Value::Object(..) => "an object that is written out".to_string(),
            Value::Param(..) => "a value of a type parameter".to_string(),
            Value::This(..) => "the receiver".to_string(),
            Value::Type(of) => format!("the type of {}", self.means(of)),
        }
    }
}

/// The definition that a value is, or is a value of.
fn definition(value: &Value) -> Option<Ref> {
    match value {
        Value::Def(def) | Value::Method(def, _) | Value::Inst(def, _) => Some(*def),
        Value::Overloads(defs, _) => defs.first().copied(),
        Value::Type(of) => match &**of {
            Value::Inst(def, _) => Some(*def),
            _ => None,
        },
        _ => None,
    }
}

/// What an expression is a part of.
fn inner(facts: &Facts, expr: ExprId) -> Option<ExprId> {
    match facts.expr(expr) {
        Expr::Member { of, .. }
        | Expr::Static { of, .. }
        | Expr::Index { of }
        | Expr::Peel { of, .. } => Some(of),
        Expr::Call { callee, .. } => Some(callee),
        Expr::New { of, .. } => Some(of),
        _ => None,
    }
}

/// What binds a name, from a scope outwards.
fn bound(facts: &Facts, scope: ScopeId, name: Sym, at: u32) -> Option<String> {
    let mut next = Some(scope);
    while let Some(here) = next {
        let mut binds = facts.bound(here, name).iter();
        if let Some(bind) = binds.rfind(|bind| bind.at <= at) {
            return Some(match bind.bound {
                Bound::Def(def) => format!("defined in this file at line {}", facts.def(def).line),
                Bound::Import(import) => {
                    let import = facts.imports[import as usize];
                    let spec = facts.name(import.spec);
                    match import.name {
                        Some(name) => format!(
                            "imported as `{}` of `{spec}` at line {}",
                            facts.name(name),
                            import.line
                        ),
                        None => format!("imported from `{spec}` at line {}", import.line),
                    }
                }
                Bound::Var { ty, init } => match (ty, init) {
                    (UNTYPED, UNKNOWN) => "a variable of which nothing is known".to_string(),
                    (UNTYPED, init) => {
                        format!("a variable set to `{}`", without_scopes(&facts.show(init)))
                    }
                    (ty, _) => format!("a variable written as `{}`", facts.show_type(ty)),
                },
                Bound::Param { .. } => "a type parameter".to_string(),
            });
        }
        next = facts.scope(here).parent;
    }
    Some("bound by no scope of this file".to_string())
}

/// Without the numbers of scopes, which mean nothing to readers.
pub fn without_scopes(text: &str) -> String {
    let mut out = String::new();
    let mut in_number = false;
    for sign in text.chars() {
        in_number = sign == '#' || in_number && sign.is_ascii_digit();
        if !in_number {
            out.push(sign);
        }
    }
    out
}
