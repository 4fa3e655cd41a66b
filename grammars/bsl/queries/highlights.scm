; Capture names follow the usual tree-sitter vocabulary. No text predicates: they match nothing on UTF-16.

(line_comment) @comment

(string) @string

(number) @number

(date) @string.special

(boolean) @constant.builtin

[
  (UNDEFINED_KEYWORD)
  (NULL_KEYWORD)
] @constant.builtin

[
  (PROCEDURE_KEYWORD)
  (FUNCTION_KEYWORD)
  (ENDPROCEDURE_KEYWORD)
  (ENDFUNCTION_KEYWORD)
] @keyword.function

[
  (IF_KEYWORD)
  (THEN_KEYWORD)
  (ELSIF_KEYWORD)
  (ELSE_KEYWORD)
  (ENDIF_KEYWORD)
] @keyword.conditional

[
  (FOR_KEYWORD)
  (EACH_KEYWORD)
  (IN_KEYWORD)
  (TO_KEYWORD)
  (WHILE_KEYWORD)
  (DO_KEYWORD)
  (ENDDO_KEYWORD)
  (BREAK_KEYWORD)
  (CONTINUE_KEYWORD)
] @keyword.repeat

[
  (TRY_KEYWORD)
  (EXCEPT_KEYWORD)
  (RAISE_KEYWORD)
  (ENDTRY_KEYWORD)
] @keyword.exception

[
  (ASYNC_KEYWORD)
  (AWAIT_KEYWORD)
] @keyword.coroutine

[
  (RETURN_KEYWORD)
  (GOTO_KEYWORD)
  (VAR_KEYWORD)
  (VAL_KEYWORD)
  (EXPORT_KEYWORD)
  (NEW_KEYWORD)
  (ADDHANDLER_KEYWORD)
  (REMOVEHANDLER_KEYWORD)
] @keyword

(operator) @operator

(procedure_definition
  name: (identifier) @function)

(function_definition
  name: (identifier) @function)

(method_call
  name: (identifier) @function.call)

(parameter
  name: (identifier) @variable.parameter)

(var_definition
  var_name: (identifier) @variable)

(var_statement
  var_name: (identifier) @variable)

(new_expression
  type: (identifier) @type)

(property) @property

(label_statement
  (identifier) @label)

(goto_statement
  (identifier) @label)

(annotation) @attribute

[
  (preproc)
  (PREPROC_IF_KEYWORD)
  (PREPROC_ELSIF_KEYWORD)
  (PREPROC_ELSE_KEYWORD)
  (PREPROC_ENDIF_KEYWORD)
  (PREPROC_REGION_KEYWORD)
  (PREPROC_ENDREGION_KEYWORD)
] @preproc
