; What a definition is in cpp.
(comment) @comment
