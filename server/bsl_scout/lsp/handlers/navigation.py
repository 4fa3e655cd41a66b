"""Workspace symbols and semantic tokens."""

from __future__ import annotations

import threading

from lsprotocol import types

from bsl_scout.features.semantic_tokens import TYPES, semantic_tokens
from bsl_scout.index.schema import ChunkRow

from ..convert import line_range, uri_of, utf16_offsets
from ..folder import Folder
from ..server import ScoutServer

_MAX_SYMBOLS = 200
SYMBOL_KINDS = {
    "function": types.SymbolKind.Function,
    "procedure": types.SymbolKind.Method,
    "object": types.SymbolKind.Class,
    "enum_value": types.SymbolKind.EnumMember,
    "form": types.SymbolKind.Interface,
    "tabular_section": types.SymbolKind.Array,
    "group": types.SymbolKind.Namespace,
    "region": types.SymbolKind.Namespace,
    "button": types.SymbolKind.Event,
    "form_attribute": types.SymbolKind.Property,
    "command": types.SymbolKind.Method,
    "parameter": types.SymbolKind.Variable,
}


def register(server: ScoutServer) -> None:
    """Register the handlers of this module."""
    server.answer(types.WORKSPACE_SYMBOL, on_workspace_symbol)


def register_semantic_tokens(server: ScoutServer) -> None:
    """Register the colours; when another extension brings its own they are left to it."""
    legend = types.SemanticTokensLegend(list(TYPES), [])
    server.answer(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, on_semantic_tokens, legend)


async def on_workspace_symbol(ls: ScoutServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """Return the procedures whose names answer the query: prefix, CamelHumps or substring."""
    if not params.query.strip() or ls.symbols == "none":
        return []
    folders, code = ls.folders.current(), ls.symbols == "all"
    return await ls.in_background(ls.navigating, lambda cancelled: _symbols(folders, params.query, code, cancelled))


def _symbols(folders: list[Folder], query: str, code: bool, cancelled: threading.Event) -> list[types.WorkspaceSymbol]:
    found: list[types.WorkspaceSymbol] = []
    for folder in folders:
        if cancelled.is_set():
            break
        with folder.symbols_lock:
            if folder.symbols:
                with folder.reading(folder.symbols.catalog):
                    found += [_symbol(folder, row) for row in folder.symbols.find(query, _MAX_SYMBOLS, code)]
    return found[:_MAX_SYMBOLS]


def _symbol(folder: Folder, row: ChunkRow) -> types.WorkspaceSymbol:
    kind = SYMBOL_KINDS.get(row.kind, types.SymbolKind.Field)
    if row.title is None:
        container = f"{row.owner} · {row.words}" if row.owner else row.path
    else:
        container = f"{row.owner} · {row.title}"
    location = types.Location(uri_of(folder.base / row.path), line_range(row.line))
    return types.WorkspaceSymbol(location, row.name, kind, container_name=container)


async def on_semantic_tokens(ls: ScoutServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """Return the colours of a module; XML sources have those of their own extensions."""
    if not params.text_document.uri.lower().endswith((".bsl", ".os")):
        return types.SemanticTokens([])
    text = ls.text_of(params.text_document.uri) or ""
    found = await ls.in_background(ls.colouring, lambda cancelled: _tokens(text, cancelled))
    return types.SemanticTokens(found)


def _tokens(text: str, cancelled: threading.Event) -> list[int]:
    """Return the tokens as the protocol wants them: each relative to the one before, in UTF-16 units."""
    rows = text.split("\n")
    data: list[int] = []
    last_line = last_start = 0
    row, units = -1, [0]
    for line, start, length, kind in semantic_tokens(text):
        if line != row:
            if cancelled.is_set():
                return []
            row, units = line, utf16_offsets(rows[line])
        end = units[start + length]
        start = units[start]
        data += [line - last_line, start - last_start if line == last_line else start, end - start, kind, 0]
        last_line, last_start = line, start
    return data
