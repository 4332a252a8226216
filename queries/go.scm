; What a definition is in go.
(comment) @comment
