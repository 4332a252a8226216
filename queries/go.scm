; What a definition is in Go.
(import_spec) @import

; The range of a grouped specification is its own, that of a single one the whole declaration.
(const_declaration "(") @scope
(const_declaration) @wrapper
(var_declaration (var_spec)) @wrapper
(type_declaration "(") @scope
(type_declaration) @wrapper

(function_declaration name: (_) @name parameters: (_)? @params result: (_)? @returns body: (_)? @body) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver))? name: (_) @name parameters: (_)? @params result: (_)? @returns body: (_)? @body) @definition.method
(method_elem name: (_) @name parameters: (_)? @params result: (_)? @returns) @definition.method
(type_spec name: (_) @name type: (struct_type) @type) @definition.struct
(type_spec name: (_) @name type: (interface_type) @type) @definition.interface
(type_spec name: (_) @name type: (_)? @type) @definition.type
(type_alias name: (_) @name type: (struct_type) @type) @definition.struct
(type_alias name: (_) @name type: (interface_type) @type) @definition.interface
(type_alias name: (_) @name type: (_)? @type) @definition.type
(const_spec name: (identifier) @name value: (_)? @value) @definition.constant
(var_spec name: (identifier) @name type: (_)? @type value: (_)? @value) @definition.variable
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(field_declaration type: (_) @name) @definition.field
(func_literal) @callable

; What is named here are parameters, and members of types without a name.
(parameter_list) @skip
(type_parameter_list) @skip
(type_arguments) @skip
(interpreted_string_literal) @skip
(raw_string_literal) @skip
(composite_literal) @callable

(comment) @comment
(int_literal) @literal
(float_literal) @literal
(imaginary_literal) @literal
(rune_literal) @literal
(interpreted_string_literal) @literal
(raw_string_literal) @literal
(true) @literal
(false) @literal
(nil) @literal
(iota) @literal
(identifier) @literal
(selector_expression) @literal
(expression_list) @literal
(unary_expression) @literal
(binary_expression) @literal
(composite_literal) @literal

;! ignore parameter_declaration a parameter
;! ignore variadic_parameter_declaration a parameter
;! ignore type_parameter_declaration a parameter
;! ignore qualified_type a use

;! inner type func
;! scan func=function type=type
