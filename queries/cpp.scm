; What a definition is in C++, in front of the patterns of C.
(template_declaration) @wrapper
(friend_declaration) @wrapper
(template_instantiation) @skip
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(namespace_definition) @hidden
(namespace_alias_definition name: (_) @name) @definition.namespace
(class_specifier name: (_)? @name (base_class_clause)? @bases body: (_) @body) @definition.class
(struct_specifier name: (_)? @name (base_class_clause)? @bases body: (_) @body) @definition.struct
(union_specifier name: (_)? @name body: (_) @body) @definition.union
(function_definition type: (_)? @type declarator: (_) @name (try_statement) @body) @definition.function
(field_declaration type: (_)? @type declarator: (_) @name default_value: (_)? @value) @definition.field
(alias_declaration name: (_) @name type: (_) @value) @definition.type
(concept_definition name: (identifier) @name (_) @value) @definition.type
(access_specifier) @section
(lambda_expression) @callable

(template_parameter_list) @skip
(template_argument_list) @skip
(trailing_return_type) @skip
(requires_clause) @skip

(raw_string_literal) @literal
(user_defined_literal) @literal

;! ignore dependent_name a use
;! ignore optional_type_parameter_declaration a parameter
;! ignore qualified_identifier a use
;! ignore template_function a use
;! ignore template_method a use
;! ignore template_type a use
;! scan class=class namespace=namespace
;! before template inline export
