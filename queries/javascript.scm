; What a definition is in javascript.
(comment) @comment
