//! What the expressions of a file are worth: names through scopes, members through bases, results through signatures. One
//! evaluator resolves one file, from nothing, so what it finds depends on the facts alone; it notes every key and file that
//! it looked at. What differs between languages is asked of their [`Rules`].

mod accessor;
mod ancestors;
mod call;
mod construct;
mod generic;
mod given;
mod grade;
mod implied;
mod lookup;
mod member;
mod peel;
mod pick;
mod this;
mod types;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::facts::*;
use super::resolve::{Rules, Space};
use super::value::{Ref, Value};
use super::world::{FileId, Key, World};

pub use call::Targets;
pub use grade::{Grade, Shape, shape};

/// Values that need more than this to be known are not: chains in real code take less than 20.
const DEEPEST: u32 = 48;

/// What one call may take: real ones take a few hundred steps.
const STEPS: u32 = 20_000;

pub struct Eval<'w> {
    pub world: &'w World<'w>,
    /// The file that is linked.
    pub file: FileId,
    exprs: HashMap<(FileId, ExprId), Value>,
    types: HashMap<(FileId, TypeId), Value>,
    imports: HashMap<(FileId, u32), Value>,
    results: HashMap<Ref, Value>,
    bases: HashMap<Ref, Rc<[Value]>>,
    extensions: HashMap<Ref, Rc<[(FileId, u32)]>>,
    found: HashMap<Key, Rc<[FileId]>>,
    bodies: HashMap<Ref, Ref>,
    /// Files that each file sees all names of, by way of others too: for the rules of languages with headers.
    pub sees: HashMap<FileId, Rc<HashSet<FileId>>>,
    /// Namespaces of files, with their scopes: for the rules of languages where each file has a part of them.
    pub spaces: HashMap<FileId, Rc<[(String, ScopeId)]>>,
    busy: HashSet<(Busy, FileId, u32)>,
    depth: u32,
    steps: u32,
    files: HashSet<FileId>,
}

/// What is being worked out: asked for again meanwhile, it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Busy {
    Expr,
    Type,
    Import,
    Result,
    Bases,
    Extensions,
    Exported,
    Namespace,
}

impl<'w> Eval<'w> {
    pub fn new(world: &'w World<'w>, file: FileId) -> Eval<'w> {
        Eval {
            world,
            file,
            exprs: HashMap::new(),
            types: HashMap::new(),
            imports: HashMap::new(),
            results: HashMap::new(),
            bases: HashMap::new(),
            extensions: HashMap::new(),
            found: HashMap::new(),
            bodies: HashMap::new(),
            sees: HashMap::new(),
            spaces: HashMap::new(),
            busy: HashSet::new(),
            depth: 0,
            steps: 0,
            files: HashSet::new(),
        }
    }

    /// Every key looked up and every file looked at, in order.
    pub fn needs(self) -> Vec<Key> {
        let world = self.world;
        let files = self
            .files
            .iter()
            .map(|&file| Key::file(&world.entry(file).path));
        let mut needs: Vec<Key> = files.chain(self.found.into_keys()).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    pub fn facts(&mut self, file: FileId) -> &'w Facts {
        self.files.insert(file);
        self.world.facts(file)
    }

    pub fn rules(&self, file: FileId) -> &'static Rules {
        self.world.entry(file).rules
    }

    pub fn home(&self, file: FileId) -> &'w str {
        let world = self.world;
        &world.entry(file).home
    }

    pub fn path(&self, file: FileId) -> &'w str {
        let world = self.world;
        &world.entry(file).path
    }

    /// Whether a file is for another platform than the usual one.
    pub fn is_elsewhere(&mut self, file: FileId) -> bool {
        let facts = self.facts(file);
        (self.rules(file).elsewhere)(self.path(file), facts)
    }

    /// Files that provide a key, in the order of their paths.
    pub fn find(&mut self, key: Key) -> Rc<[FileId]> {
        let world = self.world;
        let found = self.found.entry(key);
        found.or_insert_with(|| world.find(key).into()).clone()
    }

    /// The file at a path from the root.
    pub fn file_at(&mut self, path: &str) -> Option<FileId> {
        let found = self.find(Key::file(path));
        let world = self.world;
        found
            .iter()
            .copied()
            .find(|&file| world.entry(file).path == path)
    }

    pub fn def(&mut self, def: Ref) -> &'w Def {
        self.facts(def.file).def(def.def)
    }

    pub fn def_name(&mut self, def: Ref) -> &'w str {
        let facts = self.facts(def.file);
        facts.name(facts.def(def.def).name)
    }

    /// The definition itself, or the one that it declares.
    pub fn body(&mut self, def: Ref) -> Ref {
        if !self.def(def).is(flag::DECLARATION) {
            return def;
        }
        if let Some(&body) = self.bodies.get(&def) {
            return body;
        }
        let body = (self.rules(def.file).body)(self, def);
        self.bodies.insert(def, body);
        body
    }

    /// Begins a call's work anew.
    pub fn refresh(&mut self) {
        self.steps = 0;
    }

    /// Works something out unless that is under way, too deep or too much.
    pub fn guarded(
        &mut self,
        what: Busy,
        file: FileId,
        id: u32,
        work: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.steps += 1;
        if self.depth >= DEEPEST || self.steps > STEPS || !self.busy.insert((what, file, id)) {
            return Value::Unknown;
        }
        self.depth += 1;
        let value = work(self);
        self.depth -= 1;
        self.busy.remove(&(what, file, id));
        value
    }

    /// What an expression of a file is worth.
    pub fn eval(&mut self, file: FileId, id: ExprId) -> Value {
        if id == UNKNOWN {
            return Value::Unknown;
        }
        if let Some(value) = self.exprs.get(&(file, id)) {
            return value.clone();
        }
        let value = self.guarded(Busy::Expr, file, id, |eval| eval.expr(file, id));
        if self.steps <= STEPS {
            self.exprs.insert((file, id), value.clone());
        }
        value
    }

    /// What stands in front of a static member: a type or a namespace, whatever values bear its name.
    fn namespace(&mut self, file: FileId, id: ExprId) -> Value {
        let facts = self.facts(file);
        match facts.expr(id) {
            Expr::Name { name, scope, at } => self.lookup(file, scope, name, at, Space::Type),
            Expr::Static { of, name } => self.guarded(Busy::Namespace, file, id, |eval| {
                let of = eval.namespace(file, of);
                eval.static_member(&of, facts.name(name), file, Space::Type)
            }),
            _ => self.eval(file, id),
        }
    }

    fn expr(&mut self, file: FileId, id: ExprId) -> Value {
        let facts = self.facts(file);
        match facts.expr(id) {
            Expr::Unknown => Value::Unknown,
            Expr::Name { name, scope, at } => self.lookup(file, scope, name, at, Space::Value),
            Expr::This { scope } => self.this(file, scope),
            Expr::Super { scope } => self.base_of_this(file, scope),
            Expr::Member { of: inner, name } => {
                let skip = matches!(facts.expr(inner), Expr::Super { .. });
                let of = match facts.expr(inner) {
                    Expr::Super { scope } => self.this(file, scope),
                    _ => self.eval(file, inner),
                };
                self.member_from(&of, facts.name(name), file, usize::from(skip))
            }
            Expr::Static { of, name } => {
                let of = self.namespace(file, of);
                self.static_member(&of, facts.name(name), file, Space::Value)
            }
            Expr::Call { callee, args } => self.result_of_call(file, callee, args),
            Expr::New { of, args } => {
                let of = self.eval(file, of);
                match self.open_ended(file, args) {
                    true => Value::Function([].into(), self.made(&of).into()),
                    false => self.made_with(&of, file, args),
                }
            }
            Expr::Index { of } => {
                let of = self.eval(file, of);
                self.indexed(&of, file)
            }
            Expr::Peel { of, peel } => {
                let of = self.eval(file, of);
                self.peel(peel, &of, file)
            }
            Expr::Either { of } => {
                let parts = facts.list(of).iter().map(|&part| self.eval(file, part));
                Value::any(parts.collect::<Vec<_>>())
            }
            Expr::Typed { ty } => self.value_of_type(file, ty),
            Expr::Type { ty } => self.type_expression(file, ty),
            Expr::Literal { literal } => Value::alien(literal_name(literal), &[]),
            Expr::Array { of } => {
                let parts = facts.list(of).iter().map(|&part| self.eval(file, part));
                let element = Value::any(parts.collect::<Vec<_>>());
                Value::alien("[]", &[element])
            }
            Expr::Tuple { of } => {
                let parts = facts.list(of).iter().map(|&part| self.eval(file, part));
                Value::Tuple(parts.collect())
            }
            Expr::Object { scope } => Value::Object(file, scope),
            Expr::Lambda { .. } => Value::Lambda(file, id),
            Expr::Def { def } => Value::Def(Ref { file, def }),
            Expr::Keyword { value, .. } => self.eval(file, value),
            Expr::Spread { .. } => Value::Unknown,
            Expr::Given {
                call,
                argument,
                index,
            } => self.given(file, call, argument, index),
        }
    }
}

/// What a basic type or a literal is called as an [`Value::Alien`].
pub fn literal_name(literal: Literal) -> &'static str {
    match literal {
        Literal::Null => "null",
        Literal::Bool => "bool",
        Literal::Int => "int",
        Literal::Long => "long",
        Literal::Float => "float",
        Literal::Double => "double",
        Literal::Char => "char",
        Literal::Str => "string",
        Literal::Regex => "regex",
        Literal::Map => "{}",
        Literal::Set => "set",
    }
}
