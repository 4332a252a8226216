//! Java declarations: types, methods, constructors, fields, and what their modifiers and annotations say.

use tree_sitter::Node;

use super::walk::{Walk, part, parts};
use crate::graph::facts::*;
use crate::graph::lower::Place;

/// Annotations that only a compiler or a reader looks at: nothing calls what bears them on their account.
const INERT: &[&str] = &[
    "Override",
    "Deprecated",
    "SuppressWarnings",
    "SafeVarargs",
    "FunctionalInterface",
    "Serial",
    "Generated",
    "Nullable",
    "CheckForNull",
    "NonNull",
    "Nonnull",
    "NotNull",
    "NullMarked",
    "NullUnmarked",
    "Contract",
    "CheckReturnValue",
    "CanIgnoreReturnValue",
    "VisibleForTesting",
    "Beta",
    "Internal",
    "Experimental",
    "GuardedBy",
    "ThreadSafe",
    "NotThreadSafe",
    "Immutable",
    "InlineMe",
    "DoNotCall",
    "ForOverride",
    "J2ktIncompatible",
    "GwtCompatible",
    "GwtIncompatible",
    "Pure",
    "SideEffectFree",
];

/// What the serialization of the library calls, private or not.
const SERIALIZED: &[&str] = &[
    "readObject",
    "writeObject",
    "readResolve",
    "writeReplace",
    "readObjectNoData",
];

impl<'t> Walk<'_, '_, 't> {
    pub fn type_declaration(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else {
            return self.each(node, place);
        };
        let def = self.lower.def_named(name);
        let place = match def {
            Some(def) if !self.unnamed => place.from(def),
            _ => place,
        };
        if let Some(def) = def {
            let sym = self.lower.name(name);
            self.lower.bind(place.scope, sym, 0, Bound::Def(def));
            let flags = self.modifiers(node, place);
            self.lower.flag(def, flags);
        }
        self.in_scope(place, ScopeKind::Type, def, |walk, place| {
            if node.kind() == "enum_declaration" {
                walk.of_every_enum(place);
            }
            walk.type_parameters(node, place);
            walk.bases(node, def, place);
            walk.components(node, place);
            if let Some(body) = node.child_by_field_name("body") {
                walk.members(body, place);
            }
        });
        UNKNOWN
    }

    /// `values()` and `valueOf(..)`, which no enum writes.
    fn of_every_enum(&mut self, place: Place) {
        let own = self.own_type(place);
        let all = self.array(own, 1);
        for (name, returns) in [("values()", all), ("valueOf()", own)] {
            let params = List::default();
            let ty = self.lower.ty(Type::Function { params, returns });
            let (name, init) = (self.lower.sym(name), UNKNOWN);
            self.lower
                .bind(place.scope, name, 0, Bound::Var { ty, init });
        }
    }

    fn bases(&mut self, node: Node<'t>, def: Option<DefId>, place: Place) {
        let mut bases = vec![];
        for clause in parts(node) {
            let list = match clause.kind() {
                "superclass" => clause,
                "super_interfaces" | "extends_interfaces" => {
                    part(clause, "type_list").unwrap_or(clause)
                }
                "permits" => {
                    self.all_types(part(clause, "type_list").unwrap_or(clause), place);
                    continue;
                }
                _ => continue,
            };
            bases.extend(self.all_types(list, place));
        }
        if node.kind() == "annotation_type_declaration" {
            bases.push(self.library_type("java.lang.annotation.Annotation", &[]));
        }
        if let Some(def) = def {
            self.lower.def(def).bases = self.lower.list(&bases);
        }
    }

    pub fn all_types(&mut self, list: Node<'t>, place: Place) -> Vec<TypeId> {
        parts(list)
            .into_iter()
            .map(|ty| self.ty(ty, place))
            .collect()
    }

    /// A record's components are fields, each with a method of its name.
    fn components(&mut self, node: Node<'t>, place: Place) {
        let Some(list) = node.child_by_field_name("parameters") else {
            return;
        };
        for component in parts(list) {
            let Some((name, param, _)) = self.parameter(component, place) else {
                continue;
            };
            let (ty, init) = (param.ty, UNKNOWN);
            self.lower
                .bind(place.scope, param.name, 0, Bound::Var { ty, init });
            if let Some(field) = self.lower.def_named(name) {
                self.lower.def(field).returns = Some(ty);
                let accessor = self.method_name(name);
                self.lower.bind(place.scope, accessor, 0, Bound::Def(field));
            }
        }
    }

    /// What stands in the body of a type. A block in it runs like a function.
    fn members(&mut self, body: Node<'t>, place: Place) {
        for member in parts(body) {
            match member.kind() {
                "enum_body_declarations" => self.members(member, place),
                "block" => {
                    self.in_scope(place, ScopeKind::Function, None, |walk, place| {
                        walk.each(member, place);
                    });
                }
                _ => {
                    self.read(member, place);
                }
            }
        }
    }

    /// The body of a class without a name, which derives from a type.
    pub fn unnamed_body(&mut self, body: Node<'t>, of: TypeId, place: Place) {
        let around = std::mem::replace(&mut self.unnamed, true);
        let scope = self.in_scope(place, ScopeKind::Object, None, |walk, place| {
            walk.members(body, place);
        });
        self.unnamed = around;
        let by = None;
        self.lower
            .facts
            .extensions
            .push(Extension { of, by, scope });
    }

    pub fn enum_constant(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else {
            return self.each(node, place);
        };
        if let Some(def) = self.lower.def_named(name) {
            let sym = self.lower.name(name);
            self.lower.bind(place.scope, sym, 0, Bound::Def(def));
        }
        self.modifiers(node, place);
        if let Some(arguments) = node.child_by_field_name("arguments") {
            self.each(arguments, place);
        }
        // No call is written, but it is made with one of them.
        let constructors = self.lower.sym("<init>");
        self.member_used(
            self.lower.facts.scope(place.scope).def,
            constructors,
            name,
            place,
        );
        if let Some(body) = node.child_by_field_name("body") {
            let of = self.own_type(place);
            self.unnamed_body(body, of, place);
        }
        UNKNOWN
    }

    /// Notes that a member of a type of this file is reached without being called.
    fn member_used(&mut self, of: Option<DefId>, member: Sym, node: Node<'t>, place: Place) {
        let Some(def) = of else { return };
        let of = self.lower.expr(Expr::Def { def });
        let member = self.lower.expr(Expr::Static { of, name: member });
        self.lower.used(Used::Expr(member), node, place);
    }

    /// The type whose members stand at a place.
    fn own_type(&mut self, place: Place) -> TypeId {
        let facts = &self.lower.facts;
        let Some(def) = facts.scope(place.scope).def else {
            return UNTYPED;
        };
        let path = [facts.def(def).name];
        let path = self.lower.list(&path);
        let (args, scope) = (List::default(), place.scope);
        self.lower.ty(Type::Named { path, args, scope })
    }

    /// Methods, constructors, elements of annotation types.
    pub fn callable(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let name = node.child_by_field_name("name");
        let def = name.and_then(|name| self.lower.def_named(name));
        if let (Some(def), Some(name)) = (def, name) {
            let name = match node.kind() {
                "constructor_declaration" | "compact_constructor_declaration" => {
                    self.lower.sym("<init>")
                }
                _ => self.method_name(name),
            };
            self.lower.bind(place.scope, name, 0, Bound::Def(def));
        }
        let place = match def {
            Some(def) if !self.unnamed => place.from(def),
            _ => place,
        };
        let flags = self.modifiers(node, place);
        if let Some(def) = def {
            self.lower.flag(def, flags);
            self.run_by_others(def);
        }
        let around = std::mem::take(&mut self.returned);
        let outer = self.returns;
        self.in_scope(place, ScopeKind::Function, def, |walk, place| {
            walk.type_parameters(node, place);
            walk.head(node, def, place);
            if let Some(body) = node.child_by_field_name("body") {
                walk.each(body, place);
            }
            if let Some(default) = node.child_by_field_name("value") {
                walk.read(default, place);
            }
        });
        self.returned = around;
        self.returns = outer;
        UNKNOWN
    }

    fn head(&mut self, node: Node<'t>, def: Option<DefId>, place: Place) {
        let returns = node.child_by_field_name("type").map(|written| {
            let ty = self.ty(written, place);
            self.dimensions(node, ty)
        });
        let list = node.child_by_field_name("parameters");
        let (params, variadic) = list.map_or((vec![], false), |list| self.parameters(list, place));
        self.returns = returns.unwrap_or(UNTYPED);
        if let Some(throws) = part(node, "throws") {
            self.all_types(throws, place);
        }
        let Some(def) = def else { return };
        if variadic {
            self.lower.flag(def, flag::VARIADIC);
        }
        let around = self.lower.facts.scope(place.scope).parent;
        let compact = node.kind() == "compact_constructor_declaration";
        let params = match around {
            Some(around) if compact => self.of_record(def, around, place),
            _ => params,
        };
        let defined = self.lower.def(def);
        defined.returns = returns;
        defined.params = params;
    }

    /// The components of a record: parameters of a constructor that leaves them out.
    fn of_record(&mut self, constructor: DefId, around: ScopeId, place: Place) -> Vec<Param> {
        let Some(record) = self.lower.facts.scope(around).def else {
            return vec![];
        };
        let fields = self.lower.facts.defs.iter().enumerate();
        let fields = fields.filter(|(id, def)| {
            def.parent == Some(record)
                && def.returns.is_some()
                && *id < constructor as usize
                && !def.kind.is_callable()
        });
        let params = fields.map(|(_, field)| Param {
            name: field.name,
            ty: field.returns.unwrap_or(UNTYPED),
            optional: false,
        });
        let params: Vec<Param> = params.collect();
        for param in &params {
            let (ty, init) = (param.ty, UNKNOWN);
            self.lower
                .bind(place.scope, param.name, 0, Bound::Var { ty, init });
            self.locals.push(param.name);
        }
        params
    }

    /// Binds parameters, and whether the last takes any number of arguments.
    pub fn parameters(&mut self, list: Node<'t>, place: Place) -> (Vec<Param>, bool) {
        let mut params = vec![];
        let mut variadic = false;
        for written in parts(list) {
            let Some((name, param, many)) = self.parameter(written, place) else {
                continue;
            };
            let (ty, init) = (param.ty, UNKNOWN);
            self.lower
                .bind(place.scope, param.name, 0, Bound::Var { ty, init });
            self.locals.push(param.name);
            variadic |= many;
            if self.lower.str(name) != "this" {
                params.push(param);
            }
        }
        (params, variadic)
    }

    /// The name of a parameter, the parameter, and whether it takes any number of arguments.
    fn parameter(&mut self, node: Node<'t>, place: Place) -> Option<(Node<'t>, Param, bool)> {
        if let Some(modifiers) = part(node, "modifiers") {
            self.read(modifiers, place);
        }
        let many = node.kind() == "spread_parameter";
        let (name, ty) = match node.kind() {
            "formal_parameter" => {
                let ty = node
                    .child_by_field_name("type")
                    .map_or(UNTYPED, |ty| self.ty(ty, place));
                (node.child_by_field_name("name")?, self.dimensions(node, ty))
            }
            "spread_parameter" => {
                let declarator = part(node, "variable_declarator")?;
                let written = parts(node)
                    .into_iter()
                    .filter(|part| !matches!(part.kind(), "modifiers" | "variable_declarator"));
                let written: Vec<Node> = written.collect();
                let ty = written.last().map_or(UNTYPED, |ty| self.ty(*ty, place));
                (declarator.child_by_field_name("name")?, self.array(ty, 1))
            }
            _ => return None,
        };
        let param = Param {
            name: self.lower.name(name),
            ty,
            optional: many,
        };
        Some((name, param, many))
    }

    pub fn fields(&mut self, node: Node<'t>, place: Place) -> ExprId {
        let flags = self.modifiers(node, place);
        let written = node
            .child_by_field_name("type")
            .map_or(UNTYPED, |ty| self.ty(ty, place));
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = declarator.child_by_field_name("name") else {
                continue;
            };
            let ty = self.dimensions(declarator, written);
            let sym = self.lower.name(name);
            let value = declarator.child_by_field_name("value");
            let init = value.map_or(UNKNOWN, |value| self.read_as(value, ty, place));
            self.lower
                .bind(place.scope, sym, 0, Bound::Var { ty, init });
            if let Some(def) = self.lower.def_named(name) {
                self.lower.flag(def, flags);
            }
        }
        UNKNOWN
    }

    /// What the modifiers and annotations of a definition say of it.
    fn modifiers(&mut self, node: Node<'t>, place: Place) -> u16 {
        let Some(modifiers) = part(node, "modifiers") else {
            return 0;
        };
        let mut cursor = modifiers.walk();
        let mut flags = 0;
        for modifier in modifiers.children(&mut cursor) {
            flags |= match modifier.kind() {
                "static" => flag::STATIC,
                "private" => flag::PRIVATE,
                "annotation" | "marker_annotation" => {
                    self.read(modifier, place);
                    let name = modifier.child_by_field_name("name");
                    name.map_or(0, |name| annotated(self.lower.str(name)))
                }
                _ => 0,
            };
        }
        flags
    }

    /// Flags a method that no call in a tree need reach: it overrides, starts the program, or serves serialization.
    fn run_by_others(&mut self, def: DefId) {
        if self.unnamed {
            self.lower.flag(def, flag::OVERRIDE);
        }
        let defined = self.lower.facts.def(def);
        let name = self.lower.facts.name(defined.name);
        if SERIALIZED.contains(&name) || name == "main" && defined.is(flag::STATIC) {
            self.lower.flag(def, flag::ENTRY);
        }
    }
}

/// What an annotation says.
fn annotated(name: &str) -> u16 {
    match name.rsplit('.').next().unwrap_or(name) {
        "Override" => flag::OVERRIDE,
        "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate" => {
            flag::TEST | flag::ENTRY
        }
        name if INERT.contains(&name) => 0,
        _ => flag::ENTRY,
    }
}
