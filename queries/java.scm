; What a definition is in java.
(line_comment) @comment
(block_comment) @comment
