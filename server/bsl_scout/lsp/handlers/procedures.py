"""bslScout/procedureContext: a procedure as context for the chat of an LLM."""

from __future__ import annotations

from bsl_scout.features.procedure_at import enclosing
from bsl_scout.features.procedure_context import ProcedureContext, procedure_context
from bsl_scout.features.procedure_fragment import procedure_fragment
from bsl_scout.forms.fragment import estimated_tokens

from ..call_texts import no_folder_text, no_procedure_text
from ..folder import Folder
from ..params import checked
from ..protocol import ProcedureContextParams, ProcedureContextResult
from ..server import ScoutServer, invalid


async def on_procedure_context(ls: ScoutServer, given: object) -> ProcedureContextResult:
    """Return the text of the procedure that holds a line of a module."""
    params = checked(given, ProcedureContextParams)
    place = ls.place_of(params.uri)
    if place is None:
        raise invalid(no_folder_text(ls.locale))
    folder, relative = place
    text = ls.text_of(params.uri) or ""
    found = await ls.in_background(ls.navigating, lambda cancelled: _context(folder, relative, text, params.line - 1))
    if found is None:
        raise invalid(no_procedure_text(ls.locale))
    fragment = procedure_fragment(found, params.max_chars)
    return ProcedureContextResult(
        fragment.text,
        found.name,
        len(fragment.text),
        estimated_tokens(fragment.text),
        fragment.lines,
        fragment.calls,
        fragment.callers,
        fragment.object_rows,
    )


def _context(folder: Folder, path: str, text: str, line: int) -> ProcedureContext | None:
    with folder.symbols_lock:
        symbols, forms = folder.symbols, folder.forms
        if symbols is None or forms is None:
            return None
        with folder.reading(symbols.catalog):
            row = enclosing(symbols.catalog, path, text, line)
            place = forms.place(path) if row else None
            return procedure_context(symbols, row, text, forms.edited_form(place) if place else None) if row else None
    return None
