"""The call hierarchy and the references of a procedure over the protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_cursor import Cursor
from support import DEMO, copy_demo

pytestmark = pytest.mark.asyncio

RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
EXTRA = "CommonModules/ПробаВызовов/Ext/Module.bsl"
WHOLE = types.Range(types.Position(0, 0), types.Position(0, 0))
CODE = "Процедура Проба(Служба)\n\tА = КурсыВалютСервер.КурсНаДату(1); Б = Служба.КурсНаДату(2);\nКонецПроцедуры\n"


async def test_a_line_beyond_the_document_has_no_calls(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    document = types.TextDocumentIdentifier((DEMO / RATES).as_uri())
    params = types.CallHierarchyPrepareParams(document, types.Position(99_999, 0))
    assert not await editor.client.text_document_prepare_call_hierarchy_async(params)
    gone = types.CallHierarchyItem(
        "Х", types.SymbolKind.Method, document.uri, WHOLE, WHOLE, data={"key": "нет такой"}
    )  # fmt: skip
    assert not await editor.client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(gone))


async def test_who_calls_and_what_is_called(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    (top / EXTRA).parent.mkdir(parents=True)
    (top / EXTRA).write_text(CODE, encoding="utf-8")
    editor = await start(top)
    await editor.until("ready")
    client = editor.client
    document = types.TextDocumentIdentifier((top / EXTRA).as_uri())
    params = types.CallHierarchyPrepareParams(document, types.Position(1, 30))
    (item,) = await client.text_document_prepare_call_hierarchy_async(params)
    assert (item.name, item.kind) == ("КурсНаДату", types.SymbolKind.Function)
    assert item.uri.endswith("Module.bsl") and item.detail == "КурсыВалютСервер · ОбщийМодуль"

    found = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
    details = {(one.from_.name, one.from_.detail) for one in found}
    assert ("Пересчитать", "КурсыВалютСервер · ОбщийМодуль") in details
    assert ("Проба", "возможно · ПробаВызовов · ОбщийМодуль · неизвестно, чей это метод") in details
    certain = [one for one in found if one.from_.name == "Проба" and "возможно" not in one.from_.detail]
    assert [(r.start.line, r.start.character, r.end.character) for r in certain[0].from_ranges] == [(1, 22, 32)]

    # outside of a name the procedure around the cursor is asked about
    params = types.CallHierarchyPrepareParams(document, types.Position(0, 0))
    (around,) = await client.text_document_prepare_call_hierarchy_async(params)
    assert around.name == "Проба"
    called = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(around))
    assert [one.to.name for one in called] == ["КурсНаДату"]

    # references have no room for doubts: the proven calls only
    references = await Cursor(editor, top, EXTRA, "КурсыВалютСервер.КурсНаДату", "КурсНаДату").references()
    assert [text for path, text in references if path == EXTRA] == [CODE.split("\n")[1].strip()]
    assert (RATES, "Исходный = КурсНаДату(ИзВалюты, НаДату);") in references


async def test_a_procedure_as_context(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")

    async def ask(line: int, **more: Any) -> Any:
        params = {"uri": (DEMO / RATES).as_uri(), "line": line, **more}
        return await editor.client.protocol.send_request_async("bslScout/procedureContext", params)

    found = await ask(38)
    assert (found.name, found.characters, found.leftOutLines) == ("Пересчитать", len(found.text), 0)
    assert "## CALLED BY\n- ОбщийМодуль" in found.text
    cut = await ask(38, maxChars=700)
    assert cut.characters <= 700 and cut.leftOutLines + cut.leftOutCallers > 0
    with pytest.raises(JsonRpcException, match="поставьте курсор внутрь процедуры"):
        await ask(1)
    elsewhere = {"uri": "file:///elsewhere/a.bsl", "line": 1}
    with pytest.raises(JsonRpcException, match="ни в одной папке"):
        await editor.client.protocol.send_request_async("bslScout/procedureContext", elsewhere)


async def test_outside_of_procedures_an_english_editor_is_told_in_english(start: Callable[..., Any]) -> None:
    editor = await start(DEMO, locale="en")
    await editor.until("ready")
    with pytest.raises(JsonRpcException, match="put the cursor into a procedure"):
        params = {"uri": (DEMO / RATES).as_uri(), "line": 1}
        await editor.client.protocol.send_request_async("bslScout/procedureContext", params)


async def test_a_copied_procedure_has_one_kind_of_line_ends(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    uri = (DEMO / RATES).as_uri()
    text = (DEMO / RATES).read_bytes().decode("utf-8-sig")
    assert "\r\n" in text
    # an editor gives the text of a document as its file has it
    document = types.TextDocumentItem(uri, "bsl", 1, text)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    params = {"uri": uri, "line": 38}
    found = await editor.client.protocol.send_request_async("bslScout/procedureContext", params)
    assert "КонецФункции\n" in found.text and "\r" not in found.text
