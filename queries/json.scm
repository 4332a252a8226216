; What a definition is in json.
(comment) @comment
