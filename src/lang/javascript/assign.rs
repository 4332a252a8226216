//! Definitions by assignment: `X.y = function`, `X.prototype.y = function`, `exports.y = function`, `X.prototype = {...}`
//! and chains of these. A plain value is a definition only on the module's exports.

use tree_sitter::Node;

use super::super::{Context, Draft, Inside, Nest};
use super::define::bind;
use super::{modules, plain_name, strip, text};
use crate::model::Kind;

pub fn assigned<'t>(cx: &mut Context<'_, 't>, mut draft: Draft<'t>, out: &mut Vec<Draft<'t>>) {
    if draft
        .node
        .child(0)
        .is_some_and(|word| word.kind() == "using")
    {
        draft.kind = Kind::Constant;
        return out.push(draft);
    }
    let mut targets = vec![draft.name_node];
    targets.extend(bind(cx, &mut draft, Kind::Function));
    for node in targets {
        // What lies inside belongs to the first name; the others begin where it begins, and are its siblings.
        let nest = match out.is_empty() {
            true => Nest::From(draft.node.start_byte() as u32 + 1),
            false => Nest::None,
        };
        let draft = Draft {
            name_node: node,
            nest,
            ..draft.clone()
        };
        out.extend(Target::read(cx, node).and_then(|target| target.take(cx, draft)));
    }
}

/// Whether an assignment to `node` exports something.
pub fn is_on_exports(cx: &Context<'_, '_>, node: Node<'_>) -> bool {
    Target::read(cx, node).is_some_and(|target| target.place == Place::Exports)
}

/// The left side of an assignment.
struct Target {
    /// What stands in front of the name, without `exports`, `this` and `prototype`.
    owner: Option<String>,
    name: String,
    place: Place,
}

#[derive(PartialEq)]
enum Place {
    Object,
    /// `module.exports` or something on it.
    Exports,
    /// `this` in a constructor function.
    Instance,
    Prototype,
}

impl Target {
    fn read(cx: &Context<'_, '_>, node: Node<'_>) -> Option<Target> {
        let part = |name| node.child_by_field_name(name);
        let name = match node.kind() {
            "identifier" => text(cx, node),
            "member_expression" => text(cx, part("property")?),
            "subscript_expression" => index_name(cx, part("index")?)?,
            _ => return None,
        };
        let object = part("object").map_or(String::new(), |object| text(cx, object));
        let is_path = |c: char| c.is_alphanumeric() || "_$.#".contains(c);
        let mut parts: Vec<&str> = object.split('.').collect();
        if object.is_empty() || !object.chars().all(is_path) {
            parts.clear();
        }
        let place = match parts.as_slice() {
            ["module", "exports", ..] => Place::Exports,
            ["exports", ..] => Place::Exports,
            ["module"] | [] if name == "exports" => Place::Exports,
            ["this" | "self" | "that" | "_this", ..] if cx.inside == Inside::Callable => {
                Place::Instance
            }
            [.., "prototype"] => Place::Prototype,
            _ => Place::Object,
        };
        match place {
            Place::Exports => parts.retain(|part| !matches!(*part, "module" | "exports")),
            Place::Instance => drop(parts.remove(0)),
            _ => {}
        }
        parts.retain(|part| *part != "prototype");
        Some(Target {
            owner: (!parts.is_empty()).then(|| parts.join(".")),
            name,
            place,
        })
    }

    fn take<'t>(self, cx: &mut Context<'_, 't>, draft: Draft<'t>) -> Option<Draft<'t>> {
        let value = draft.value.filter(|_| draft.body.is_none());
        let whole = self.place == Place::Exports && self.owner.is_none() && self.name == "exports";
        if self.place == Place::Exports {
            let name = self.owner.as_deref().unwrap_or(&self.name);
            modules::export(cx, name, value, whole);
        }
        let in_type = matches!(self.place, Place::Prototype | Place::Instance);
        // `module.exports = class Name {...}`: others know it by that name.
        let own = draft
            .value
            .map(|value| strip(value, &mut vec![]))
            .filter(|_| whole && draft.body.is_some())
            .and_then(|value| value.child_by_field_name("name"));
        if let Some(own) = own {
            let name = text(cx, own);
            cx.exports.push(name.clone());
            return Some(Draft {
                name,
                name_node: own,
                scope: None,
                ..draft
            });
        }
        let draft = Draft {
            kind: match draft.kind {
                Kind::Function if in_type => Kind::Method,
                kind => kind,
            },
            receiver: self
                .owner
                .clone()
                .filter(|_| self.place == Place::Prototype),
            name: self.name,
            scope: self.owner,
            ..draft
        };
        let Some(value) = value else {
            return Some(draft);
        };
        match value.kind() {
            _ if whole => None,
            // The methods of `X.prototype = {...}` are those of X.
            "object" if draft.name == "prototype" => Some(Draft {
                hidden: true,
                name: draft.scope.clone()?,
                scope: None,
                ..draft
            }),
            "object" => Some(Draft {
                hidden: draft.name_node.kind() == "identifier",
                ..draft
            }),
            _ => (self.place == Place::Exports && modules::is_own_value(cx.source, value))
                .then_some(draft),
        }
    }
}

/// `x["a"]` is named `a`, `x[a]` and `x[Symbol.iterator]` as written; what is computed has no name.
fn index_name(cx: &Context<'_, '_>, index: Node<'_>) -> Option<String> {
    let name = text(cx, index);
    match index.kind() {
        "string" | "number" => Some(plain_name(&name).to_string()),
        "identifier" => Some(format!("[{name}]")),
        _ => name.starts_with("Symbol").then(|| format!("[{name}]")),
    }
}
