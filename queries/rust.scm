; What a definition is in Rust.
(source_file) @items
(declaration_list) @items
(expression_statement) @wrapper
(attribute_item) @decorator
(use_declaration) @import
(extern_crate_declaration) @import
(function_item name: (_) @name parameters: (_) @params return_type: (_)? @returns body: (_) @body) @definition.function
(function_signature_item name: (_) @name parameters: (_) @params return_type: (_)? @returns) @definition.function
(struct_item name: (_) @name body: (field_declaration_list)? @body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (_) @name body: (field_declaration_list)? @body value: (_)? @value) @definition.enum_member
(field_declaration name: (_) @name) @definition.field
(trait_item name: (_) @name bounds: (_)? @bases body: (_) @body) @definition.trait
(impl_item trait: (_)? @bases type: (_) @name body: (_)? @body) @definition.impl
(associated_type name: (_) @name) @definition.type
(type_item name: (_) @name type: (_) @value) @definition.type
(const_item name: (_) @name value: (_)? @value) @definition.constant
(static_item name: (_) @name value: (_)? @value) @definition.variable
(mod_item name: (_) @name body: (_)? @body) @definition.module
(macro_definition name: (_) @name) @definition.macro

; The grammar sees a macro call's arguments as tokens; definitions among them are found by parsing them again.
(macro_invocation) @embedded

; Types, patterns and heads hold no definition.
(inner_attribute_item) @skip
(visibility_modifier) @skip
(function_modifiers) @skip
(parameters) @skip
(type_parameters) @skip
(type_arguments) @skip
(trait_bounds) @skip
(where_clause) @skip
(token_tree) @skip
(scoped_identifier) @skip
(field_expression) @skip
(generic_type) @skip
(reference_type) @skip

(line_comment) @comment
(block_comment) @comment
(string_literal) @literal
(raw_string_literal) @literal
(char_literal) @literal
(boolean_literal) @literal
(integer_literal) @literal
(float_literal) @literal
(negative_literal) @literal
(unary_expression) @literal
(array_expression) @literal
(tuple_expression) @literal
(unit_expression) @literal
(reference_expression) @literal

;! noise #[inline] #[inline #[must_use] #[must_use #[cold] #[track_caller] #[automatically_derived]
;! noise #[allow #[expect #[warn #[deny #[forbid #[doc #[cfg_attr #[rustfmt::skip] #[stable
;! ignore const_parameter a parameter
;! ignore field_pattern a local
;! ignore lifetime_parameter a parameter
;! ignore scoped_type_identifier a name for something defined elsewhere
;! ignore struct_expression a value
;! ignore token_binding_pattern a macro's parameter
;! ignore type_binding an argument
;! ignore type_parameter a parameter

;! inner fn struct enum union trait impl mod const static type macro_rules use
;! scan fn=function struct=struct enum=enum union=union trait=trait impl=impl mod=module type=type macro_rules!=macro
;! before pub pub(crate) pub(super) async const unsafe default extern "C"
