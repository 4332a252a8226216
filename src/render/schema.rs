//! The JSON Schemas of all answers. Tests validate real answers against them.

/// Verb and schema.
pub const ALL: &[(&str, &str)] = &[
    ("outline", include_str!("schema/outline.json")),
    ("read", include_str!("schema/read.json")),
    ("end", include_str!("schema/end.json")),
    ("region", include_str!("schema/region.json")),
    ("symbol", include_str!("schema/symbol.json")),
    ("search", include_str!("schema/search.json")),
    ("diff", include_str!("schema/diff.json")),
    ("verify", include_str!("schema/verify.json")),
    ("tokens", include_str!("schema/tokens.json")),
    ("prompt", include_str!("schema/prompt.json")),
    ("cache", include_str!("schema/cache.json")),
    ("languages", include_str!("schema/languages.json")),
    ("brief", include_str!("schema/brief.json")),
    ("error", include_str!("schema/error.json")),
];
