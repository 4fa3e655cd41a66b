; Calls with or without a receiver. The receiver is captured on its own, because the tree keeps it as a
; sibling of the call at the end of a chain and as a sibling inside `access` in the middle of one.

(method_call
  name: (identifier) @call.name)

(call_expression
  (access) @call.receiver
  (method_call))

(access
  (access) @call.receiver
  (method_call))
