//! Classes and functions: their scopes, parameters, bases and what their decorators say.

use tree_sitter::Node;

use super::{Walk, field, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn decorated(&mut self, node: Node<'t>, place: Place) {
        let mut decorators = vec![];
        for part in parts(node) {
            match part.kind() {
                "decorator" => {
                    decorators.push(part);
                    self.each_part(part, place);
                }
                "class_definition" => self.class(part, &decorators, place),
                "function_definition" => self.function(part, &decorators, place),
                _ => {
                    self.statement(part, place);
                }
            }
        }
    }

    pub(super) fn class(&mut self, node: Node<'t>, decorators: &[Node<'t>], place: Place) {
        let Some(name) = field(node, "name") else {
            return self.each_part(node, place);
        };
        let def = self.lower.def_named(name);
        if let Some(def) = def {
            let name = self.lower.name(name);
            self.assign(name, place, Bound::Def(def));
            self.flags(def, decorators);
        }
        let scope = self.lower.scope(place.scope, ScopeKind::Type, def);
        let mut inside = place.scope(scope);
        if let Some(list) = field(node, "type_parameters") {
            self.type_parameters(list, inside);
        }
        inside.from = def.or(place.from);
        let generic = field(node, "type_parameters").is_some();
        let named_from = if generic { scope } else { place.scope };
        let bases = self.bases(node, place, inside.scope(named_from));
        self.generic_bases(&bases, place, scope);
        if bases.iter().any(|&base| self.is_enum(base)) {
            self.enums.insert(scope);
        }
        if let Some(def) = def {
            self.lower.def(def).bases = self.lower.list(&bases);
        }
        if let Some(body) = field(node, "body") {
            self.statement(body, inside);
        }
    }

    /// Base classes; other arguments (`metaclass=M`) are only used. What is called here is called from outside.
    fn bases(&mut self, node: Node<'t>, outside: Place, place: Place) -> Vec<TypeId> {
        let mut bases = vec![];
        for part in field(node, "superclasses").into_iter().flat_map(parts) {
            match part.kind() {
                "keyword_argument" | "dictionary_splat" | "list_splat" => {
                    self.value(part, outside);
                }
                "call" => bases.push(self.type_of(part, outside)),
                _ => bases.push(self.type_of(part, place)),
            }
        }
        bases
    }

    fn is_enum(&self, base: TypeId) -> bool {
        let Type::Named { path, .. } = self.lower.facts.ty(base) else {
            return false;
        };
        let last = self.lower.facts.list(path).last();
        let last = last.map_or("", |&name| self.lower.facts.name(name));
        last.ends_with("Enum") || last.ends_with("Flag")
    }

    /// `class Box(Generic[T])`: T is a parameter of the class, within the bounds it has outside.
    fn generic_bases(&mut self, bases: &[TypeId], place: Place, inside: ScopeId) {
        let mut own = vec![];
        for &base in bases {
            let Type::Named { path, args, .. } = self.lower.facts.ty(base) else {
                continue;
            };
            let last = self.lower.facts.list(path).last();
            let last = last.map_or("", |&name| self.lower.facts.name(name));
            let generic = matches!(last, "Generic" | "Protocol");
            for &arg in self.lower.facts.list(args) {
                if let Type::Named { path, .. } = self.lower.facts.ty(arg)
                    && let [name] = *self.lower.facts.list(path)
                    && (generic || self.variables.contains(&name))
                    && !own.contains(&name)
                {
                    own.push(name);
                }
            }
        }
        for (index, name) in own.into_iter().enumerate() {
            let (scope, args) = (place.scope, List::default());
            let path = self.lower.list(&[name]);
            let bound = self.lower.ty(Type::Named { path, args, scope });
            let bounds = self.lower.list(&[bound]);
            self.lower
                .bind(inside, name, index, Bound::Param { bounds });
        }
    }

    /// A scope of its own for type parameters: `def f[T](x: T)`.
    fn generic_scope(&mut self, node: Node<'t>, place: Place) -> Place {
        let Some(list) = field(node, "type_parameters") else {
            return place;
        };
        let scope = self.lower.scope(place.scope, ScopeKind::Block, None);
        let place = place.scope(scope);
        self.type_parameters(list, place);
        place
    }

    fn type_parameters(&mut self, list: Node<'t>, place: Place) {
        for (index, part) in parts(list).enumerate() {
            let inner = match part.kind() {
                "type" => parts(part).next().unwrap_or(part),
                _ => part,
            };
            let (name, bound) = match inner.kind() {
                "constrained_type" => {
                    let mut sides = parts(inner);
                    (sides.next(), sides.next())
                }
                _ => (Some(inner), None),
            };
            let bounds: Vec<_> = bound
                .map(|bound| self.type_of(bound, place))
                .into_iter()
                .collect();
            let bounds = self.lower.list(&bounds);
            if let Some(name) = name {
                let text = self.lower.str(name).trim_start_matches('*');
                let name = self.lower.sym(text);
                let bound = Bound::Param { bounds };
                self.lower.bind(place.scope, name, index, bound);
                self.locals.insert((place.scope, name));
            }
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>, place: Place) {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else {
            return self.each_part(node, place);
        };
        let inner = parts(left).next().unwrap_or(left);
        let (name, list) = match inner.kind() {
            "generic_type" => (parts(inner).next(), parts(inner).nth(1)),
            _ => (Some(inner), None),
        };
        let mut inside = place;
        if let Some(list) = list {
            inside.scope = self.lower.scope(place.scope, ScopeKind::Block, None);
            self.type_parameters(list, inside);
        }
        let ty = self.type_of(right, inside);
        let Some((name, def)) = name.and_then(|name| Some((name, self.lower.def_named(name)?)))
        else {
            return;
        };
        self.lower.def(def).bases = self.lower.list(&[ty]);
        self.lower.flag(def, flag::ALIAS);
        let name = self.lower.name(name);
        self.assign(name, place, Bound::Def(def));
    }

    pub(super) fn function(&mut self, node: Node<'t>, decorators: &[Node<'t>], place: Place) {
        let Some(name) = field(node, "name") else {
            return self.each_part(node, place);
        };
        let def = self.lower.def_named(name);
        let in_class = self.lower.facts.scopes[self.home(place.scope) as usize].kind;
        let mut inside = place;
        if let Some(def) = def {
            let name = self.lower.name(name);
            self.flags(def, decorators);
            if !decorators.iter().any(|node| self.is_accessor(*node)) {
                self.assign(name, place, Bound::Def(def));
            }
            if matches!(
                self.lower.facts.name(name),
                "__new__" | "__init_subclass__" | "__class_getitem__"
            ) {
                self.lower.flag(def, flag::OF_CLASS);
            }
            if node.child(0).is_some_and(|first| first.kind() == "async") {
                self.lower.flag(def, flag::ASYNC);
            }
            inside = inside.from(def);
        }
        let around = self.generic_scope(node, place);
        inside.scope = self.lower.scope(around.scope, ScopeKind::Function, def);
        let is_static = def.is_some_and(|def| self.lower.def(def).is(flag::STATIC));
        let method = in_class == ScopeKind::Type && !is_static;
        let types = inside.scope(around.scope);
        let receiver = self.parameters(node, def, method, [around, types], inside.scope);
        if let Some((returns, def)) = field(node, "return_type").zip(def) {
            self.taken = None;
            let ty = self.returns(returns, receiver, types, inside.scope);
            if let Some(taken) = self.taken.take() {
                self.sent.insert(inside.scope, taken);
            }
            self.lower.def(def).returns = Some(ty);
        }
        if let Some(body) = field(node, "body") {
            self.statement(body, inside);
        }
    }

    /// The result's type: that of the receiver if they share a type variable.
    fn returns(
        &mut self,
        node: Node<'t>,
        receiver: Option<Node<'t>>,
        around: Place,
        scope: ScopeId,
    ) -> TypeId {
        let ty = self.type_of(node, around);
        let written = receiver.and_then(|receiver| field(receiver, "type"));
        let text = self.lower.str(node);
        match written.map(|written| self.lower.str(written)) {
            Some(of) if of == text || is_class_of(of, text) => self.lower.ty(Type::This { scope }),
            _ => ty,
        }
    }

    /// Binds the parameters and notes them on the definition; gives the receiver.
    fn parameters(
        &mut self,
        node: Node<'t>,
        def: Option<DefId>,
        method: bool,
        around: [Place; 2],
        scope: ScopeId,
    ) -> Option<Node<'t>> {
        let mut receiver = None;
        let mut params = vec![];
        let mut first = method;
        for part in field(node, "parameters").into_iter().flat_map(parts) {
            if std::mem::take(&mut first) && is_plain(part) {
                self.receiver(part, scope);
                receiver = Some(part);
                continue;
            }
            let (param, rest) = self.parameter(part, around, scope);
            match param {
                Some(param) if !rest => params.push(param),
                _ => {}
            }
            if let Some(def) = def.filter(|_| rest) {
                self.lower.flag(def, flag::VARIADIC);
            }
        }
        if let Some(def) = def {
            self.lower.def(def).params = params;
        }
        receiver
    }

    fn receiver(&mut self, part: Node<'t>, scope: ScopeId) {
        let name = field(part, "name").or_else(|| parts(part).next());
        let name = self.lower.name(name.unwrap_or(part));
        self.receivers.insert(scope, name);
        let init = self.lower.expr(Expr::This { scope });
        self.bind_in(scope, name, Bound::Var { ty: UNTYPED, init });
    }

    /// Binds a parameter; whether it takes all that is left. Its default belongs to what stands around, its type to the function.
    pub(super) fn parameter(
        &mut self,
        part: Node<'t>,
        [around, types]: [Place; 2],
        scope: ScopeId,
    ) -> (Option<Param>, bool) {
        let ty = field(part, "type").map_or(UNTYPED, |ty| self.type_of(ty, types));
        let value = field(part, "value");
        let init = value.map_or(UNKNOWN, |value| self.value(value, around));
        let name = match part.kind() {
            "typed_parameter" => parts(part).next(),
            _ => Some(field(part, "name").unwrap_or(part)),
        };
        let Some(name) = name else {
            return (None, false);
        };
        let ty = match name.kind() {
            "list_splat_pattern" => self.lower.ty(Type::Array { of: ty }),
            "dictionary_splat_pattern" => {
                let key = UNTYPED;
                self.lower.ty(Type::Map { key, value: ty })
            }
            _ => ty,
        };
        let rest = name.kind().ends_with("splat_pattern");
        let name = match rest {
            true => parts(name).next().unwrap_or(name),
            false => name,
        };
        if name.kind() != "identifier" {
            let place = around.scope(scope);
            if name.kind() == "tuple_pattern" {
                self.target(name, place, UNTYPED, UNKNOWN);
            }
            return (None, false);
        }
        let name = self.lower.name(name);
        self.bind_in(scope, name, Bound::Var { ty, init });
        let optional = value.is_some();
        (Some(Param { name, ty, optional }), rest)
    }

    /// `@x.setter` and its like: the name stays that of the getter.
    fn is_accessor(&self, decorator: Node<'t>) -> bool {
        let text = self.lower.str(decorator);
        text.ends_with(".setter") || text.ends_with(".deleter")
    }

    /// What decorators say of a definition. One that is not the language's own may pass it to whatever runs it.
    fn flags(&mut self, def: DefId, decorators: &[Node<'t>]) {
        for decorator in decorators {
            let text = self.lower.str(*decorator);
            let path = text.trim_start_matches('@').split('(').next().unwrap_or("");
            let last = path.trim().rsplit('.').next().unwrap_or("");
            let flag = match last {
                "property" | "cached_property" | "setter" | "getter" | "deleter" => flag::PROPERTY,
                "staticmethod" => flag::STATIC,
                "classmethod" => flag::OF_CLASS,
                "override" => flag::OVERRIDE,
                "abstractmethod"
                | "overload"
                | "final"
                | "contextmanager"
                | "asynccontextmanager"
                | "lru_cache"
                | "cache"
                | "wraps"
                | "update_wrapper"
                | "dataclass"
                | "total_ordering"
                | "runtime_checkable"
                | "singledispatch"
                | "singledispatchmethod"
                | "unique"
                | "no_type_check"
                | "deprecated" => continue,
                _ => flag::ENTRY,
            };
            self.lower.flag(def, flag);
        }
    }
}

/// A parameter that may be a receiver.
fn is_plain(part: Node<'_>) -> bool {
    let name = match part.kind() {
        "typed_parameter" => parts(part).next(),
        _ => Some(part),
    };
    name.is_some_and(|name| {
        matches!(
            name.kind(),
            "identifier" | "default_parameter" | "typed_default_parameter"
        )
    })
}

/// Whether this is `type[T]` of that T.
fn is_class_of(written: &str, of: &str) -> bool {
    let inner = written
        .strip_suffix(']')
        .and_then(|text| text.split_once('['));
    inner.is_some_and(|(head, inner)| inner == of && head.ends_with("ype"))
}
