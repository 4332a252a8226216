; What a definition is in Java.
(import_declaration) @import
(module_declaration name: (_) @name body: (_)? @body) @definition.module
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(record_declaration name: (_) @name parameters: (_)? @params body: (_)? @body) @definition.class
(interface_declaration name: (_) @name body: (_)? @body) @definition.interface
(annotation_type_declaration name: (_) @name body: (_)? @body) @definition.interface
(enum_declaration name: (_) @name body: (_)? @body) @definition.enum
(enum_constant name: (_) @name arguments: (_)? @value body: (_)? @body) @definition.enum_member
(method_declaration type: (_)? @returns name: (_) @name parameters: (_)? @params body: (_)? @body) @definition.method
(annotation_type_element_declaration type: (_)? @returns name: (_) @name value: (_)? @value) @definition.method
(constructor_declaration name: (_) @name parameters: (_)? @params body: (_)? @body) @definition.constructor
(compact_constructor_declaration name: (_) @name body: (_)? @body) @definition.constructor
(field_declaration type: (_)? declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.field
(constant_declaration type: (_)? declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.field

; The components of a record; the hook drops the parameters of callables.
(formal_parameter name: (_) @name) @definition.field
(spread_parameter (variable_declarator name: (_) @name)) @definition.field

(object_creation_expression (class_body)) @type
(lambda_expression) @callable
(static_initializer) @callable

(modifiers) @modifiers
(annotation) @decorator
(marker_annotation) @decorator
(line_comment) @comment
(block_comment) @comment

(type_arguments) @skip
(type_parameters) @skip
(package_declaration) @skip
(string_literal) @skip

(string_literal) @literal
(character_literal) @literal
(decimal_integer_literal) @literal
(hex_integer_literal) @literal
(octal_integer_literal) @literal
(binary_integer_literal) @literal
(decimal_floating_point_literal) @literal
(hex_floating_point_literal) @literal
(true) @literal
(false) @literal
(null_literal) @literal
(class_literal) @literal
(unary_expression) @literal
(array_initializer) @literal
(argument_list) @literal
(element_value_array_initializer) @literal

;! noise @Override @SuppressWarnings @SafeVarargs @FunctionalInterface @Serial @Generated
;! ignore catch_formal_parameter a local
;! ignore enhanced_for_statement its name is a local
;! ignore instanceof_expression its name is a local
;! ignore method_invocation a use
;! ignore resource a local
;! ignore scoped_identifier a use
;! ignore variable_declarator a local, or matched as part of a field

;! inner class interface enum record new
;! scan class=class interface=interface enum=enum record=class @interface=interface
;! before public protected private static final abstract sealed non-sealed strictfp
