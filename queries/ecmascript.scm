; What a definition is in JavaScript and in all that builds on it.
; Whether a value is a function, a class or an object is looked up by the hook, behind parentheses and casts.
(import_statement) @import
(export_statement source: (string)) @import
(export_statement (identifier) @name) @export
(export_statement value: (_) @value) @definition.variable
(export_statement) @wrapper
(export_specifier name: (identifier) @name) @export
(lexical_declaration) @wrapper
(variable_declaration) @wrapper
; A function in parentheses that nobody calls, yet: it will run where it stands.
(expression_statement (parenthesized_expression) @value) @call
(expression_statement) @wrapper
(decorator) @decorator
(call_expression) @call

(class_declaration name: (_) @name body: (_) @body) @definition.class
(class name: (_) @name body: (_) @body) @definition.class
(class) @type
(function_declaration name: (_) @name parameters: (_) @params body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name parameters: (_) @params body: (_) @body) @definition.function
(function_expression name: (_) @name parameters: (_) @params body: (_) @body) @definition.function
(generator_function name: (_) @name parameters: (_) @params body: (_) @body) @definition.function
(function_expression) @callable
(generator_function) @callable
(arrow_function) @callable
(method_definition name: (_) @name parameters: (_) @params body: (_) @body) @definition.method
(class_static_block) @callable
(variable_declarator name: (_) @name value: (_)? @value) @definition.variable
(assignment_expression left: (_) @name right: (_) @value) @definition.property
(pair key: (_) @name value: (_) @value) @definition.property

; A loop's variables are no one's but the loop's.
(for_statement) @callable
(for_in_statement) @callable
(formal_parameters) @skip

(comment) @comment
(string) @literal
(template_string) @literal
(number) @literal
(regex) @literal
(true) @literal
(false) @literal
(null) @literal
(undefined) @literal
(array) @literal
(object) @literal
(unary_expression) @literal

;! ignore import_specifier a name for something defined elsewhere
;! ignore jsx_opening_element a use
;! ignore jsx_closing_element a use
;! ignore jsx_self_closing_element a use
;! scan class=class function=function function*=function
;! before export default async declare abstract
