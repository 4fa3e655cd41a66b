; Statements on every level: the places where a long procedure may be divided.

[
  (add_handler_statement)
  (assignment_statement)
  (await_statement)
  (break_statement)
  (call_statement)
  (continue_statement)
  (execute_statement)
  (for_each_statement)
  (for_statement)
  (goto_statement)
  (if_statement)
  (label_statement)
  (remove_handler_statement)
  (return_statement)
  (rise_error_statement)
  (try_statement)
  (var_statement)
  (while_statement)
] @statement
