; Definitions of a module. Annotations are siblings before a definition, not its children.

(procedure_definition
  name: (identifier) @name
  parameters: (parameters) @parameters) @procedure

(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters) @function

(procedure_definition
  export: (EXPORT_KEYWORD) @export)

(function_definition
  export: (EXPORT_KEYWORD) @export)

(var_definition
  var_name: (identifier) @variable)

(preprocessor
  (annotation) @annotation)

(preprocessor
  (PREPROC_REGION_KEYWORD)
  (identifier) @region)
