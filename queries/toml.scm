; What a definition is in toml.
(comment) @comment
