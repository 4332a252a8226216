; What a definition is in Python.
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(decorated_definition) @wrapper
(decorator) @decorator
(class_definition name: (identifier) @name superclasses: (_)? @bases body: (_)? @body) @definition.class
(function_definition name: (identifier) @name parameters: (_)? @params return_type: (_)? @returns body: (_)? @body) @definition.function
(type_alias_statement left: (type) @name right: (_)? @value) @definition.type
(assignment left: (_) @name right: (_)? @value) @definition.variable
(augmented_assignment left: (identifier) @name right: (_) @value) @definition.variable
(lambda) @callable

; Expressions hold no named definition but a lambda's, which has none.
(argument_list) @skip
(call) @skip
(binary_operator) @skip
(boolean_operator) @skip
(comparison_operator) @skip
(dictionary) @skip
(list) @skip
(set) @skip
(tuple) @skip
(list_comprehension) @skip
(dictionary_comprehension) @skip
(set_comprehension) @skip
(generator_expression) @skip
(subscript) @skip
(conditional_expression) @skip
(parameters) @skip
(return_statement) @skip
(raise_statement) @skip
(assert_statement) @skip
(delete_statement) @skip
(string) @skip
(parenthesized_expression) @skip
(attribute) @skip
(await) @skip
(type) @skip

(comment) @comment
(line_continuation) @comment
(string) @literal
(integer) @literal
(float) @literal
(true) @literal
(false) @literal
(none) @literal
(list) @literal
(tuple) @literal
(dictionary) @literal
(set) @literal
(unary_operator) @literal

;! inner def class lambda import
;! scan class=class def=function
;! before async
;! noise @override @typing.override
;! ignore aliased_import a name for something defined elsewhere
;! ignore default_parameter a parameter
;! ignore keyword_argument an argument
;! ignore named_expression a local
;! ignore typed_default_parameter a parameter
