//! What syn says the files under ROOT define: one JSON object a line, layout, comments and attributes out.

use std::path::Path;

use quote::ToTokens;
use serde_json::json;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, ImplItem, Item, TraitItem};

/// Takes attributes out: documentation is one.
struct Bare;

impl VisitMut for Bare {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|one| !(one.path().is_ident("doc") && one.meta.require_name_value().is_ok()));
    }
}

/// Tokens without commas in front of closing brackets.
fn text(tokens: impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let text = text.replace(", )", ")").replace(", }", "}").replace(", ]", "]").replace(", >", ">");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Found<'a> {
    file: &'a str,
}

impl Found<'_> {
    fn emit(&self, scope: &str, name: String, kind: &str, sig: String, body: String, whole: &(impl ToTokens + Spanned)) {
        let span = whole.span();
        let qual = if scope.is_empty() { name.clone() } else { format!("{scope}::{name}") };
        println!(
            "{}",
            json!({"file": self.file, "name": name, "qual": qual, "kind": kind, "sig": sig, "body": body, "full": text(whole),
                "line": 0, "start": span.start().line, "end": span.end().line})
        );
    }

    fn callable(&self, scope: &str, head: String, sig: &syn::Signature, body: Option<&Block>, whole: &(impl ToTokens + Spanned)) {
        let mut bare = sig.clone();
        bare.ident = syn::Ident::new("_name", bare.ident.span());
        let body = body.map(text).unwrap_or_default();
        self.emit(scope, sig.ident.to_string(), "callable", head + &text(bare), body, whole);
    }

    fn items(&self, scope: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(one) => self.callable(scope, text(&one.vis), &one.sig, Some(&one.block), one),
                Item::Struct(one) => {
                    let tuple = match &one.fields {
                        syn::Fields::Unnamed(fields) => text(fields),
                        _ => String::new(),
                    };
                    let sig = text(&one.vis) + &text(&one.generics) + &text(&one.generics.where_clause) + &tuple;
                    self.emit(scope, one.ident.to_string(), "type", sig, text(&one.fields), one);
                }
                Item::Enum(one) => {
                    let sig = text(&one.vis) + &text(&one.generics) + &text(&one.generics.where_clause);
                    self.emit(scope, one.ident.to_string(), "type", sig, text(&one.variants), one);
                }
                Item::Trait(one) => {
                    let sig = text(&one.vis) + &text(&one.generics) + &text(&one.supertraits) + &text(&one.generics.where_clause);
                    self.emit(scope, one.ident.to_string(), "type", sig, one.items.iter().map(text).collect(), one);
                    let scope = join(scope, &one.ident.to_string());
                    for member in &one.items {
                        if let TraitItem::Fn(member) = member {
                            self.callable(&scope, String::new(), &member.sig, member.default.as_ref(), member);
                        }
                    }
                }
                Item::Impl(one) => {
                    let target = text(&one.self_ty);
                    let name = match &one.trait_ {
                        Some((_, path, _)) => format!("<{target} as {}>", text(path)),
                        None => target,
                    };
                    let scope = join(scope, &name);
                    for member in &one.items {
                        if let ImplItem::Fn(member) = member {
                            self.callable(&scope, text(&member.vis), &member.sig, Some(&member.block), member);
                        }
                    }
                }
                Item::Mod(one) => {
                    if let Some((_, items)) = &one.content {
                        self.items(&join(scope, &one.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
    }
}

fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_string() } else { format!("{scope}::{name}") }
}

fn walk(root: &Path, folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            walk(root, &path);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Ok(source) = std::fs::read_to_string(&path)
            && let Ok(mut tree) = syn::parse_file(&source)
        {
            Bare.visit_file_mut(&mut tree);
            let file = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            Found { file: &file }.items("", &tree.items);
        }
    }
}

fn main() {
    let root = std::env::args().nth(1).expect("authority ROOT");
    walk(Path::new(&root), Path::new(&root));
}
