"""bslScout/formContext and bslScout/forms, lenses over handlers, and facts about bindings as diagnostics."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from bsl_scout.features.form_context import Copied, copy_forms, form_titles
from bsl_scout.features.form_lenses import Finding, Lens, findings, lenses
from bsl_scout.forms.context import module_text
from bsl_scout.forms.fragment import SECTIONS
from bsl_scout.forms.model import FormPlace

from ..convert import line_range, path_of, uri_of
from ..folder import Folder
from ..form_texts import problem_text
from ..params import checked
from ..protocol import (
    FormContextParams,
    FormContextResult,
    FormsParams,
    FormsResult,
    WireForm,
)
from ..server import ScoutServer, invalid

# a list that is filtered in the editor has to be whole
_MAX_FORMS, _MAX_AT_ONCE = 100_000, 20
_OPEN = "bslScout.openHit"
# code -> text in Russian and English; what a reader found is told in its own words
_TEXTS = {
    "missing": ("В модуле формы нет процедуры «{0}»", "The form's module has no procedure “{0}”"),
    "server": (
        "«{0}» выполняется на клиенте, а событие {1} происходит на сервере",
        "“{0}” runs on the client, but the event {1} happens on the server",
    ),
    "client": (
        "«{0}» выполняется на сервере, а событие {1} происходит на клиенте",
        "“{0}” runs on the server, but the event {1} happens on the client",
    ),
    "binding": ("{0}", "{0}"),
}


async def on_form_context(ls: ScoutServer, given: object) -> FormContextResult:
    """Return the text of one form or several for the chat of an LLM."""
    params = checked(given, FormContextParams)
    if not params.forms and not params.uri:
        raise invalid("name forms, or a document of one")
    unknown = [name for name in params.sections if name not in SECTIONS]
    if unknown:
        raise invalid(f"unknown section: some of {', '.join(SECTIONS)}")
    found = await ls.in_background(ls.navigating, lambda cancelled: _copied(ls, params))
    return FormContextResult(
        found.text,
        list(found.forms),
        len(found.text),
        found.tokens,
        list(found.warnings),
        found.left_out_rows,
        found.left_out_procedures,
        list(found.left_out_forms),
    )


def _copied(ls: ScoutServer, params: FormContextParams) -> Copied:
    path = path_of(params.uri) if params.uri else None
    for folder in list(ls.folders.all.values()):
        relative = folder.relative(path) if path else None
        names = params.forms or ([relative] if relative else [])
        with folder.symbols_lock:
            places = [place for name in names if folder.forms and (place := folder.forms.place(name))]
            if folder.forms and places:
                return copy_forms(
                    folder.base, folder.forms, places[:_MAX_AT_ONCE], params.max_chars, params.question, params.sections
                )
    raise invalid("no form is known by this name or document")


async def on_forms(ls: ScoutServer, given: object) -> FormsResult:
    """Return the forms whose names or synonyms answer what was typed."""
    params = checked(given, FormsParams)
    limit = max(1, min(params.limit, _MAX_FORMS))
    return await ls.in_background(ls.navigating, lambda cancelled: _forms(ls, params, limit))


def _forms(ls: ScoutServer, params: FormsParams, limit: int) -> FormsResult:
    found: list[WireForm] = []
    current = ""
    path = path_of(params.uri) if params.uri else None
    for folder in list(ls.folders.all.values()):
        with folder.symbols_lock:
            if folder.forms and folder.symbols:
                catalog = folder.symbols.catalog
                relative = folder.relative(path) if path else None
                place = folder.forms.place(relative) if relative else None
                titles = form_titles(catalog, folder.forms.places(), params.query, limit)
                if place and not current:
                    # it goes first, whatever was typed and however many there are
                    current = place.id
                    own = form_titles(catalog, [place], "", 1)
                    titles = [*own, *(one for one in titles if one.path != place.path)]
                wire = [WireForm(one.id, one.title, one.path, uri_of(folder.base / one.path)) for one in titles]
                found = wire + found if place and place.id == current else found + wire
    return FormsResult(found[:limit], current)


async def on_code_lens(ls: ScoutServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return what stands over the handlers of a form's module."""
    place = ls.place_of(params.text_document.uri)
    if place is None or not place[1].lower().endswith(".bsl"):
        return []
    russian = ls.locale == "ru"
    found, source = await ls.in_background(ls.navigating, lambda cancelled: _lenses(*place, russian))
    return [_code_lens(lens, source) for lens in found]


def _lenses(folder: Folder, path: str, russian: bool) -> tuple[list[Lens], str]:
    with folder.symbols_lock:
        if folder.forms and folder.symbols:
            with folder.reading(folder.symbols.catalog):
                place = folder.forms.place(path)
                if place:
                    return lenses(folder.forms.edited_form(place), russian), uri_of(folder.base / place.path)
    return [], ""


def _code_lens(lens: Lens, source: str) -> types.CodeLens:
    if lens.source_line is None:
        return types.CodeLens(line_range(lens.line), types.Command(lens.title, ""))
    target = {"uri": source, "line": lens.source_line + 1}
    return types.CodeLens(line_range(lens.line), types.Command(lens.title, _OPEN, arguments=[target]))


async def publish_findings(ls: ScoutServer, path: Path) -> None:
    """Send what is known to be wrong in the source of the form that a file belongs to, if it belongs to one."""
    folder = ls.folders.holding(path)
    relative = folder.relative(path) if folder else None
    if folder is None or relative is None or not ls.form_diagnostics:
        return
    found = await ls.in_background(ls.navigating, lambda cancelled: _findings(folder, relative))
    if found:
        place, facts = found
        ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                uri_of(folder.base / place.path), [_diagnostic(fact, ls.locale) for fact in facts]
            )
        )


def _findings(folder: Folder, path: str) -> tuple[FormPlace, list[Finding]] | None:
    with folder.symbols_lock:
        place = folder.forms.place(path) if folder.forms else None
        if folder.forms is None or place is None or place.format == "v8unpack" or place.kind == "ordinary":
            return None
        return place, findings(folder.forms.form(place), module_text(folder.base, place)[0])


def _diagnostic(fact: Finding, locale: str) -> types.Diagnostic:
    names = [problem_text(name, locale) for name in fact.names]
    text = _TEXTS[fact.code][0 if locale == "ru" else 1].format(*names)
    return types.Diagnostic(
        line_range(fact.line, fact.line + 1), text, types.DiagnosticSeverity.Information, fact.code, source="BSL Scout"
    )
