; What a definition is in rust.
(line_comment) @comment
(block_comment) @comment
