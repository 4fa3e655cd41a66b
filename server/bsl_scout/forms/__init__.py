"""Forms of 1C configurations for callers from Python: what each element is bound to, and the context for an LLM.

`scan_forms(root)` gives the cards of all forms, `build_form_context(entry, root)` what is behind a card,
`to_llm_prompt_fragment(context)` its text. Every format is read: Designer, EDT, v8unpack, managed and ordinary.
Nothing is imported before one of the names is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .context import FormContext as FormContext
    from .folders import ElemIndexResult as ElemIndexResult
    from .folders import build_form_summary as build_form_summary
    from .folders import parse_elem_json as parse_elem_json
    from .fragment import to_llm_prompt_fragment as to_llm_prompt_fragment
    from .object_attributes import DecodeResult as DecodeResult
    from .object_attributes import decode_object_attributes as decode_object_attributes
    from .scan import FormEntry as FormEntry
    from .scan import FormScanIndex as FormScanIndex
    from .scan import build_form_context as build_form_context
    from .scan import scan_forms as scan_forms
    from .summary import FormSummary as FormSummary

_HOMES = {
    "DecodeResult": "object_attributes",
    "ElemIndexResult": "folders",
    "FormContext": "context",
    "FormEntry": "scan",
    "FormScanIndex": "scan",
    "FormSummary": "summary",
    "build_form_context": "scan",
    "build_form_summary": "folders",
    "decode_object_attributes": "object_attributes",
    "parse_elem_json": "folders",
    "scan_forms": "scan",
    "to_llm_prompt_fragment": "fragment",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
