; What a definition is in typescript.
(comment) @comment
