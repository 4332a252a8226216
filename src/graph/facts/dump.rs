//! Facts as text, for those who write a language's part: one line a definition, name, call; expressions as pseudo-code.

use std::fmt::{self, Display, Formatter, Write};

use super::*;

/// Deeper parts are left out.
const DEEPEST: u32 = 20;

impl Display for Facts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(package) = self.package {
            writeln!(f, "package {}", self.name(package))?;
        }
        for (id, def) in self.defs.iter().enumerate() {
            self.definition(f, id as DefId, def)?;
        }
        for (id, scope) in self.scopes.iter().enumerate() {
            self.names_of(f, id as ScopeId, scope)?;
        }
        for extension in &self.extensions {
            write!(
                f,
                "extends {} in #{}",
                self.show_type(extension.of),
                extension.scope
            )?;
            if let Some(by) = extension.by {
                write!(f, " by {}", self.show_type(by))?;
            }
            writeln!(f)?;
        }
        for import in &self.imports {
            let name = import.name.map_or("", |name| self.name(name));
            let spec = self.name(import.spec);
            writeln!(
                f,
                "import L{} {:?} {spec:?} {name} in #{}",
                import.line, import.how, import.scope
            )?;
        }
        for export in &self.exports {
            let name = export.name.map_or("*", |name| self.name(name));
            match export.of {
                Exported::Local(local) => writeln!(f, "export {name} = {}", self.name(local))?,
                Exported::Value(value) => writeln!(f, "export {name} = {}", self.show(value))?,
                Exported::Import(import) => writeln!(f, "export {name} = import {import}")?,
            }
        }
        for call in &self.calls {
            let dead = if call.dead { " dead" } else { "" };
            writeln!(
                f,
                "call L{} {}: {}{dead}",
                call.line,
                self.who(call.from),
                self.show(call.expr)
            )?;
        }
        for used in &self.uses {
            let what = match used.what {
                Used::Expr(expr) => self.show(expr),
                Used::Type(ty) => format!(": {}", self.show_type(ty)),
                Used::Name(name) => format!("`{}`", self.name(name)),
            };
            writeln!(f, "use L{} {}: {what}", used.line, self.who(used.from))?;
        }
        Ok(())
    }
}

impl Facts {
    fn who(&self, from: Option<DefId>) -> &str {
        from.map_or("<module>", |from| self.name(self.def(from).qual))
    }

    fn definition(&self, f: &mut Formatter<'_>, id: DefId, def: &Def) -> fmt::Result {
        write!(
            f,
            "def {id} {} {} L{}",
            def.kind.name(),
            self.name(def.qual),
            def.line
        )?;
        if let Some(scope) = def.scope {
            write!(f, " #{scope}")?;
        }
        if !def.params.is_empty() {
            let params = def.params.iter().map(|param| {
                let optional = if param.optional { "?" } else { "" };
                format!(
                    "{}{optional}: {}",
                    self.name(param.name),
                    self.show_type(param.ty)
                )
            });
            write!(f, " ({})", params.collect::<Vec<_>>().join(", "))?;
        }
        if let Some(returns) = def.returns {
            write!(f, " -> {}", self.show_type(returns))?;
        }
        if def.returned.len > 0 {
            write!(f, " returned {}", self.show_all(def.returned, 0))?;
        }
        if def.bases.len > 0 {
            write!(f, " bases {}", self.show_types(def.bases))?;
        }
        writeln!(f, " flags {:x}", def.flags)
    }

    fn names_of(&self, f: &mut Formatter<'_>, id: ScopeId, scope: &Scope) -> fmt::Result {
        let parent = scope
            .parent
            .map_or("-".to_string(), |parent| parent.to_string());
        let def = scope.def.map_or(String::new(), |def| {
            format!(" of {}", self.name(self.def(def).qual))
        });
        writeln!(f, "scope #{id} {:?} in {parent}{def}", scope.kind)?;
        for bind in self.binds_in(id) {
            let bound = match bind.bound {
                Bound::Def(def) => format!("def {def}"),
                Bound::Import(import) => format!("import {import}"),
                Bound::Var { ty, init } => format!("{} = {}", self.show_type(ty), self.show(init)),
                Bound::Param { bounds } => format!("type parameter {}", self.show_types(bounds)),
            };
            writeln!(f, "  {}@{} {bound}", self.name(bind.name), bind.at)?;
        }
        Ok(())
    }

    /// An expression as pseudo-code.
    pub fn show(&self, id: ExprId) -> String {
        self.show_to(id, 0)
    }

    fn show_all(&self, list: List, depth: u32) -> String {
        let shown = self.list(list).iter().map(|&id| self.show_to(id, depth));
        format!("({})", shown.collect::<Vec<_>>().join(", "))
    }

    fn show_to(&self, id: ExprId, depth: u32) -> String {
        if depth > DEEPEST {
            return "...".to_string();
        }
        let show = |id| self.show_to(id, depth + 1);
        match self.expr(id) {
            Expr::Unknown => "?".to_string(),
            Expr::Name { name, scope, .. } => format!("{}#{scope}", self.name(name)),
            Expr::This { .. } => "this".to_string(),
            Expr::Super { .. } => "super".to_string(),
            Expr::Member { of, name } => format!("{}.{}", show(of), self.name(name)),
            Expr::Static { of, name } => format!("{}::{}", show(of), self.name(name)),
            Expr::Call { callee, args } => {
                format!("{}{}", show(callee), self.show_all(args, depth + 1))
            }
            Expr::New { of, args } => format!("new {}{}", show(of), self.show_all(args, depth + 1)),
            Expr::Index { of } => format!("{}[]", show(of)),
            Expr::Peel { of, peel } => format!("{}<{}>", show(of), self.show_peel(peel)),
            Expr::Keyword { name, value } => format!("{}={}", self.name(name), show(value)),
            Expr::Spread { of } => format!("*{}", show(of)),
            Expr::Either { of } => format!("either{}", self.show_all(of, depth + 1)),
            Expr::Typed { ty } => format!("a {}", self.show_type(ty)),
            Expr::Type { ty } => format!("type {}", self.show_type(ty)),
            Expr::Literal { literal } => format!("{literal:?}"),
            Expr::Array { of } => format!("array{}", self.show_all(of, depth + 1)),
            Expr::Tuple { of } => format!("tuple{}", self.show_all(of, depth + 1)),
            Expr::Object { scope } => format!("object #{scope}"),
            Expr::Lambda { scope, returned } => {
                format!("lambda #{scope} {}", self.show_all(returned, depth + 1))
            }
            Expr::Def { def } => format!("def {}", self.name(self.def(def).qual)),
            Expr::Given {
                call,
                argument,
                index,
            } => {
                format!("given {index} of {argument} of {}", show(call))
            }
        }
    }

    fn show_peel(&self, peel: Peel) -> String {
        match peel {
            Peel::Variant { of, field } => format!("{} {field}", self.show_type(of)),
            Peel::VariantField { of, name } => {
                format!("{} {}", self.show_type(of), self.name(name))
            }
            Peel::Without { of } => format!("not {}", self.show_type(of)),
            plain => format!("{plain:?}"),
        }
    }

    fn show_types(&self, list: List) -> String {
        let shown = self.list(list).iter().map(|&id| self.show_type(id));
        format!("({})", shown.collect::<Vec<_>>().join(", "))
    }

    /// A type as pseudo-code.
    pub fn show_type(&self, id: TypeId) -> String {
        match self.ty(id) {
            Type::Unknown => "_".to_string(),
            Type::Named { path, args, .. } => {
                let mut text = String::new();
                for (index, &name) in self.list(path).iter().enumerate() {
                    let dot = if index > 0 { "." } else { "" };
                    let _ = write!(text, "{dot}{}", self.name(name));
                }
                if args.len > 0 {
                    text += &self.show_types(args);
                }
                text
            }
            Type::Ref { of } => format!("&{}", self.show_type(of)),
            Type::Array { of } => format!("[{}]", self.show_type(of)),
            Type::Map { key, value } => {
                format!("{{{}: {}}}", self.show_type(key), self.show_type(value))
            }
            Type::Tuple { of } => format!("tuple{}", self.show_types(of)),
            Type::Union { of } => format!("any of {}", self.show_types(of)),
            Type::All { of } => format!("all of {}", self.show_types(of)),
            Type::Function { params, returns } => {
                format!(
                    "fn{} -> {}",
                    self.show_types(params),
                    self.show_type(returns)
                )
            }
            Type::This { .. } => "This".to_string(),
            Type::Of { expr } => format!("typeof {}", self.show(expr)),
            Type::Members { scope } => format!("members #{scope}"),
            Type::Member { of, name } => format!("{}.{}", self.show_type(of), self.name(name)),
            Type::Argument { of, index } => format!("argument {index} of {}", self.show_type(of)),
            Type::Basic { literal } => format!("{literal:?}"),
        }
    }
}
