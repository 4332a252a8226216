; What a definition is in JavaScript beyond what it shares with the languages built on it.
(field_definition property: (_) @name value: (_)? @value) @definition.field
(using_declaration) @wrapper
