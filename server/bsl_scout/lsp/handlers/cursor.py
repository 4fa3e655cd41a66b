"""What the cursor is on: hover, definition, references; and the outline of an object's XML source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from lsprotocol import types

from bsl_scout.bsl.text import unix
from bsl_scout.features.definition import Target, calls_procedure, definitions, hovered_procedure, references
from bsl_scout.features.form_navigation import FormCursor
from bsl_scout.features.form_outline import form_outline
from bsl_scout.features.hover import procedure_card, procedures_of
from bsl_scout.features.module_outline import module_outline
from bsl_scout.features.object_card import object_card
from bsl_scout.features.objects import named_at
from bsl_scout.features.outline import Entry, outline
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.forms.export_lines import export_files

from ..cards import object_markdown, procedure_markdown
from ..convert import column_of, editor_lines, line_address, line_range, span_range, uri_of
from ..folder import Folder
from ..server import ScoutServer
from .navigation import SYMBOL_KINDS

T = TypeVar("T")
_RULE = "\n\n---\n\n"
Position = types.HoverParams | types.DefinitionParams | types.ReferenceParams


@dataclass(frozen=True, slots=True)
class _Place:
    folder: Folder
    path: str
    lines: Sequence[str]
    line: int
    column: int


async def on_hover(ls: ScoutServer, params: types.HoverParams) -> types.Hover | None:
    """Return the card of what is under the cursor, None when it is not certain what that is."""
    if ls.hover == "none":
        return None
    code = ls.hover == "all"
    value = await _ask(ls, params, lambda symbols, place: _card(symbols, place, ls.locale, code))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, value)) if value else None


def _card(symbols: SymbolTable, place: _Place, locale: str, code: bool) -> str | None:
    """Return what there is to tell; without `code` nothing of procedures, which another extension tells of."""
    row = code and hovered_procedure(symbols, place.path, place.lines, place.line, place.column)
    cards = [procedure_markdown(procedure_card(symbols, row), locale)] if row else []
    address = partial(line_address, place.folder.base)
    store = place.folder.forms
    russian = store is None or store.is_russian(place.path)
    form = _form_cursor(symbols, place, whole=False)
    if form:
        cards += [object_markdown(card, locale, address) for card in form.cards(russian)]
    if cards:
        return _RULE.join(cards)
    for named in named_at(symbols, place.path, place.lines, place.line, place.column):
        if named.procedure:
            rows = procedures_of(symbols, named.item, named.procedure)
            cards += [procedure_markdown(procedure_card(symbols, row), locale) for row in rows]
        else:
            cards.append(object_markdown(object_card(symbols, named, russian), locale, address))
    return _RULE.join(cards) or None


def _form_cursor(symbols: SymbolTable, place: _Place, whole: bool = True) -> FormCursor | None:
    """Return the cursor in the form whose source or module the document is, None when it is neither.

    With `whole` it also has the lines of the form's other files, which a card does not need.
    """
    store = place.folder.forms
    found = store.place(place.path) if store else None
    if store is None or found is None:
        return None
    form = store.edited_form(found)
    other = whole and found.module not in (None, place.path)
    module = store.module_text(found).split("\n") if other else ()
    export = export_files(place.folder.base, found) if whole and found.format == "v8unpack" else ()
    return FormCursor(symbols, form, place.path, place.lines, place.line, place.column, module, export)


async def on_definition(ls: ScoutServer, params: types.DefinitionParams) -> list[types.Location]:
    """Return where the procedure, object or field under the cursor is defined."""
    if ls.definition == "none":
        return []
    code = ls.definition == "all"
    return await _locations(ls, params, lambda symbols, place: _definitions(symbols, place, code))


def _definitions(symbols: SymbolTable, place: _Place, code: bool) -> list[Target]:
    """Return where it is defined; without `code` not where a call leads, which another extension tells."""
    if not code and calls_procedure(symbols, place.path, place.lines, place.line, place.column):
        return []
    found = definitions(symbols, place.path, place.lines, place.line, place.column)
    form = None if found else _form_cursor(symbols, place)
    return form.definitions() if form else found


async def on_references(ls: ScoutServer, params: types.ReferenceParams) -> list[types.Location]:
    """Return where subscriptions, jobs, services and the form name what is under the cursor."""
    if ls.definition == "none":
        return []
    code = ls.definition == "all"
    return await _locations(ls, params, lambda symbols, place: _references(symbols, place, code))


def _references(symbols: SymbolTable, place: _Place, code: bool) -> list[Target]:
    found = references(symbols, place.folder.base, place.path, place.lines, place.line, place.column, code)
    form = _form_cursor(symbols, place)
    return [*found, *(form.references() if form else ())]


async def on_document_symbol(ls: ScoutServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """Return the outline of a module, or of the XML source of an object or a form, as it stands in the editor."""
    place = ls.place_of(params.text_document.uri)
    # the procedures may be left to another extension
    kinds = (".xml", ".mdo", ".form", *((".bsl", ".os") if ls.symbols == "all" else ()))
    if place is None or not place[1].lower().endswith(kinds):
        return []
    text = ls.text_of(params.text_document.uri)
    if text is None:
        return []
    russian = ls.locale == "ru"
    found = await ls.in_background(ls.navigating, lambda cancelled: _outline(text, *place, russian))
    return [_symbol(entry) for entry in found]


def _outline(text: str, folder: Folder, path: str, russian: bool) -> list[Entry]:
    if path.lower().endswith((".bsl", ".os")):
        return module_outline(unix(text))
    if path.endswith(("/Ext/Form.xml", "/Form.form")):
        return form_outline(text, path, russian, _in_russian(folder, path))
    entry = outline(text, path)
    return [entry] if entry else []


def _in_russian(folder: Folder, path: str) -> bool:
    """Return whether the script of the configuration that a file is of is Russian, as it counts without an index."""
    with folder.symbols_lock:
        symbols, store = folder.symbols, folder.forms
        if symbols and store:
            with folder.reading(symbols.catalog):
                return store.is_russian(path)
    return True


async def _ask(ls: ScoutServer, params: Position, work: Callable[[SymbolTable, _Place], T]) -> T | None:
    """Return what `work` finds at a position, None when no index holds the document."""
    found = ls.place_of(params.text_document.uri)
    if found is None:
        return None
    lines = editor_lines(ls.text_of(params.text_document.uri) or "")
    line = params.position.line
    if line >= len(lines):
        return None
    place = _Place(*found, lines, line, column_of(lines[line], params.position.character))
    return await ls.in_background(ls.navigating, lambda cancelled: _in_index(place, work))


def _in_index(place: _Place, work: Callable[[SymbolTable, _Place], T]) -> T | None:
    with place.folder.symbols_lock:
        symbols = place.folder.symbols
        if symbols is None:
            return None
        with place.folder.reading(symbols.catalog):
            return work(symbols, place)
    return None


async def _locations(
    ls: ScoutServer,
    params: Position,
    work: Callable[[SymbolTable, _Place], list[Target]],
) -> list[types.Location]:
    found = await _ask(ls, params, lambda symbols, place: _with_uris(place, work(symbols, place)))
    return found or []


def _with_uris(place: _Place, targets: list[Target]) -> list[types.Location]:
    return [
        types.Location(
            uri_of(place.folder.base / target.path),
            span_range(target.line, target.start, target.end, target.text),
        )
        for target in targets
    ]


def _symbol(entry: Entry) -> types.DocumentSymbol:
    kind = SYMBOL_KINDS.get(entry.kind, types.SymbolKind.Field)
    inner = [_symbol(one) for one in entry.inner]
    held = max((one.range.end.line for one in inner), default=entry.line)
    last = held if entry.end is None else entry.end + 1
    whole = types.Range(types.Position(entry.line, 0), types.Position(last, 0))
    return types.DocumentSymbol(entry.name, kind, whole, line_range(entry.line), detail=entry.title, children=inner)
