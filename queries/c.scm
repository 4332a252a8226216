; What a definition is in c.
(comment) @comment
