; What a definition is in TypeScript beyond JavaScript.
(ambient_declaration (statement_block) @body) @definition.namespace
(labeled_statement label: (_) @name body: (statement_block) @body) @definition.namespace
(ambient_declaration) @wrapper
(import_alias) @skip
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (_) @value) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body (_) @name) @definition.enum_member
(module name: (_) @name body: (_)? @body) @definition.namespace
(internal_module name: (_) @name body: (_)? @body) @definition.namespace
(function_signature name: (_) @name parameters: (_) @params) @definition.function
(method_signature name: (_) @name parameters: (_) @params) @definition.method
(abstract_method_signature name: (_) @name parameters: (_) @params) @definition.method
(public_field_definition name: (_) @name value: (_)? @value) @definition.field
(property_signature name: (_) @name) @definition.property

; Types written in place have members, but no name to list them under.
(type_annotation) @skip
(type_arguments) @skip
(type_parameters) @skip
(type_predicate_annotation) @skip
(asserts_annotation) @skip
(array_type) @skip
(conditional_type) @skip
(constructor_type) @skip
(function_type) @skip
(generic_type) @skip
(lookup_type) @skip
(tuple_type) @skip
(index_signature) @skip

;! ignore mapped_type_clause a type parameter
;! ignore nested_type_identifier a use
;! ignore optional_parameter a parameter
;! ignore required_parameter a parameter
;! ignore type_parameter a parameter
;! ignore type_predicate a use
;! ignore enum_assignment taken with its enum
;! scan interface=interface enum=enum type=type namespace=namespace module=namespace
;! before const
