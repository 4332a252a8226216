; What a definition is in C; C++ reads these patterns behind its own.
(preproc_include path: (_) @name) @import
(preproc_def name: (identifier) @name value: (_)? @value) @definition.macro
(preproc_function_def name: (identifier) @name parameters: (_) @params value: (_)? @value) @definition.macro
(linkage_specification) @wrapper

(function_definition type: (_)? @type declarator: (_) @name body: (_) @body) @definition.function
(function_definition type: (_)? @type declarator: (_) @name) @definition.function
(declaration type: (_)? @type declarator: (_) @name) @definition.variable
(field_declaration type: (_)? @type declarator: (_) @name) @definition.field
(type_definition type: (_)? @type declarator: (_) @name) @definition.type
(struct_specifier name: (_)? @name body: (_) @body) @definition.struct
(union_specifier name: (_)? @name body: (_) @body) @definition.union
(enum_specifier name: (_)? @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.enum_member

; A block that is no function's body: what lies inside is local all the same.
(compound_statement) @block

(attribute_declaration) @decorator
(attribute_specifier) @decorator
(ms_declspec_modifier) @decorator

(parameter_list) @skip
(initializer_list) @skip
(binary_expression) @skip
(subscript_expression) @skip
(field_expression) @skip
(type_descriptor) @skip

(comment) @comment
(string_literal) @literal
(concatenated_string) @literal
(char_literal) @literal
(number_literal) @literal
(true) @literal
(false) @literal
(null) @literal
(identifier) @literal
(unary_expression) @literal
(initializer_list) @literal
(preproc_arg) @literal

;! ignore attribute a decoration
;! ignore macro_type_specifier a type made by a macro
;! ignore preproc_ifdef a condition
;! ignore preproc_elifdef a condition
;! scan struct=struct enum=enum union=union #define=macro
;! before typedef static const extern
