"""What the server leaves to another extension that knows the procedures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lsprotocol import types

from lsp_cursor import Cursor
from support import DEMO

pytestmark = pytest.mark.asyncio

RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
CALL = ("Исходный = КурсНаДату(ИзВалюты", "КурсНаДату")
OBJECT = ("РегистрыСведений.КурсыВалют.ПолучитьПоследнее", "КурсыВалют")


@pytest.mark.parametrize(
    ("share", "procedures", "metadata"), [("all", True, True), ("metadata", False, True), ("none", False, False)]
)
async def test_shares(start: Callable[..., Any], share: str, procedures: bool, metadata: bool) -> None:
    editor = await start(DEMO, symbols=share, hover=share, definition=share)
    await editor.until("ready")
    assert bool(await Cursor(editor, DEMO, RATES, *CALL).hover()) == procedures
    assert bool(await Cursor(editor, DEMO, RATES, *OBJECT).hover()) == metadata
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("КурсыВалют")) or []
    kinds = {symbol.kind for symbol in found}
    assert (types.SymbolKind.Class in kinds) == metadata
    names = {
        one.name for one in await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("КурсНаДату")) or []
    }
    assert ("КурсНаДату" in names) == procedures
    rates = types.DocumentSymbolParams(types.TextDocumentIdentifier((DEMO / RATES).as_uri()))
    assert bool(await editor.client.text_document_document_symbol_async(rates)) == procedures
    assert bool(await Cursor(editor, DEMO, RATES, *CALL).definition()) == procedures
    assert bool(await Cursor(editor, DEMO, RATES, *OBJECT).definition()) == metadata
    assert bool(await Cursor(editor, DEMO, RATES, *CALL).references()) == procedures
