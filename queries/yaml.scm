; What a definition is in yaml.
(comment) @comment
