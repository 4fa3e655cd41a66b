"""The call hierarchy: who calls a procedure, and what it calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from lsprotocol import types

from bsl_scout.features.callers import Caller, CallPlace, callees_of, callers_of, name_place
from bsl_scout.features.definition import procedure_at
from bsl_scout.features.procedure_at import enclosing
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.schema import ChunkRow

from ..call_texts import caller_detail, caller_name, left_out_text, place_text
from ..convert import column_of, editor_lines, span_range, uri_of
from ..folder import Folder
from ..server import ScoutServer

T = TypeVar("T")
_KINDS = {"function": types.SymbolKind.Function, "procedure": types.SymbolKind.Method}


async def on_prepare(ls: ScoutServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
    """Return the procedure that the name under the cursor stands for, else the one that the cursor is in."""
    place = ls.place_of(params.text_document.uri)
    text = ls.text_of(params.text_document.uri) or ""
    lines = editor_lines(text)
    line = params.position.line
    if place is None or line >= len(lines):
        return None
    folder, path = place
    column = column_of(lines[line], params.position.character)

    def prepare(symbols: SymbolTable) -> list[types.CallHierarchyItem] | None:
        row = procedure_at(symbols, path, lines, line, column) or enclosing(symbols.catalog, path, text, line)
        return [_item(folder, symbols, row, place_text(row), ls.locale)] if row else None

    return await _in_index(ls, folder, prepare)


async def on_incoming(
    ls: ScoutServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """Return who calls a procedure; of a call that is not proven the detail says why it is possible only."""

    def incoming(folder: Folder, symbols: SymbolTable, row: ChunkRow) -> list[types.CallHierarchyIncomingCall]:
        callers = callers_of(symbols, row)
        found = [
            types.CallHierarchyIncomingCall(_caller(folder, symbols, one, ls.locale), _ranges(one.places))
            for one in callers.found
        ]
        if callers.more_possible or callers.unread:
            # a row of its own: the protocol has no other place to say that something is left out
            item = _item(folder, symbols, row, "", ls.locale)
            item.name = left_out_text(callers, ls.locale)
            item.data = None
            found.append(types.CallHierarchyIncomingCall(item, []))
        return found

    return await _of_item(ls, params.item, incoming)


async def on_outgoing(
    ls: ScoutServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """Return the procedures of the index that a procedure provably calls."""

    def outgoing(folder: Folder, symbols: SymbolTable, row: ChunkRow) -> list[types.CallHierarchyOutgoingCall]:
        return [
            types.CallHierarchyOutgoingCall(_caller(folder, symbols, one, ls.locale), _ranges(one.places))
            for one in callees_of(symbols, row)
        ]

    return await _of_item(ls, params.item, outgoing)


async def _of_item(
    ls: ScoutServer, item: types.CallHierarchyItem, work: Callable[[Folder, SymbolTable, ChunkRow], list[T]]
) -> list[T]:
    """Return what `work` finds for the procedure of an item; nothing when it is gone since."""
    place, key = ls.place_of(item.uri), _key(item.data)
    if place is None or key is None:
        return []
    folder, path = place

    def in_index(symbols: SymbolTable) -> list[T]:
        row = next((row for row in symbols.catalog.procedures(path) if row.key == key), None)
        return work(folder, symbols, row) if row else []

    return await _in_index(ls, folder, in_index) or []


def _key(data: Any) -> str | None:
    # pygls makes objects of dictionaries
    key = data.get("key") if isinstance(data, dict) else getattr(data, "key", None)
    return key if isinstance(key, str) else None


async def _in_index(ls: ScoutServer, folder: Folder, work: Callable[[SymbolTable], T]) -> T | None:
    def locked(cancelled: object) -> T | None:
        with folder.symbols_lock:
            if folder.symbols:
                with folder.reading(folder.symbols.catalog):
                    return work(folder.symbols)
        return None

    return await ls.in_background(ls.navigating, locked)


def _caller(folder: Folder, symbols: SymbolTable, one: Caller, locale: str) -> types.CallHierarchyItem:
    return _item(folder, symbols, one.row, caller_detail(one, locale), locale)


def _item(folder: Folder, symbols: SymbolTable, row: ChunkRow, detail: str, locale: str) -> types.CallHierarchyItem:
    whole = types.Range(types.Position(row.line, 0), types.Position(row.end_line + 1, 0))
    name = name_place(symbols.catalog, row)
    return types.CallHierarchyItem(
        caller_name(row, locale),
        _KINDS.get(row.kind, types.SymbolKind.Module),
        uri_of(folder.base / row.path),
        whole,
        _ranges([name])[0],
        detail=detail,
        data={"key": row.key},
    )


def _ranges(places: Sequence[CallPlace]) -> list[types.Range]:
    return [span_range(one.line, one.start, one.end, one.text) for one in places]
