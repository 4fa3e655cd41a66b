"""Documents of external objects, whose files no pattern of the editor knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest
from lsprotocol import types

from bsl_scout.lsp.external_documents import pattern_of
from lsp_cursor import Cursor
from support import Write

HEAD = '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core">\n'
HOVER = types.TEXT_DOCUMENT_HOVER


def external(name: str) -> str:
    return (
        f'{HEAD}<ExternalDataProcessor uuid="1">\n<Properties>\n<Name>{name}</Name>\n<Synonym><v8:item><v8:lang>ru'
        "</v8:lang><v8:content>Обмен с сайтом</v8:content></v8:item></Synonym></Properties>\n<ChildObjects>\n"
        '<Attribute uuid="2">\n<Properties>\n<Name>Адрес</Name>\n<Type/></Properties></Attribute></ChildObjects>'
        "</ExternalDataProcessor></MetaDataObject>"
    )


@pytest.mark.asyncio
async def test_found_external_objects_have_hover_definition_and_outline(
    start: Callable[..., Any], write: Write
) -> None:
    top = write(
        {
            "tools {1}/Обмен.xml": external("Обмен"),
            "tools {1}/Обмен/Ext/ObjectModule.bsl": "Процедура А() Экспорт\nКонецПроцедуры\n",
            "tools {1}/pom.xml": "<project/>",
            "ExternalDataProcessors/Известная.xml": external("Известная"),
        }
    )
    editor = await start(top)
    await editor.until("ready")
    pattern = f"{top.as_posix()}/tools [{{]1[}}]/Обмен.xml"
    assert await editor.until_patterns(HOVER, 1) == [pattern]
    for method in (
        types.TEXT_DOCUMENT_DEFINITION,
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
    ):
        assert editor.patterns(method) == [pattern]

    path = "tools {1}/Обмен.xml"
    card = await Cursor(editor, top, path, "<Name>Обмен<", "Обмен").hover()
    assert card and card.startswith("**ВнешняяОбработка.Обмен**") and "«Обмен с сайтом»" in card
    cursor = Cursor(editor, top, path, "<Name>Адрес<", "Адрес")
    ((place, _),) = await cursor.definition()
    assert place == path
    params = types.DocumentSymbolParams(cursor.document)
    (root,) = await editor.client.text_document_document_symbol_async(params)
    assert (root.name, [one.name for one in root.children]) == ("Обмен", ["Адрес"])

    # one more is found, then the first is gone
    (top / "другие").mkdir()
    (top / "другие/Второй.xml").write_text(external("Второй"), encoding="utf-8")
    (top / "другие/Второй").mkdir()
    event = types.FileEvent((top / "другие/Второй.xml").as_uri(), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert set(await editor.until_patterns(HOVER, 2)) == {pattern, f"{top.as_posix()}/другие/Второй.xml"}
    (top / path).unlink()
    event = types.FileEvent((top / path).as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert await editor.until_patterns(HOVER, 1) == [f"{top.as_posix()}/другие/Второй.xml"]


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        (Path("/a/b.xml"), "/a/b.xml"),
        (Path("/a[1]/{б}*?.xml"), "/a[[]1[]]/[{]б[}][*][?].xml"),
        (PureWindowsPath("C:\\Работа\\b.xml"), "c:/Работа/b.xml"),
    ],
)
def test_patterns(path: Any, pattern: str) -> None:
    assert pattern_of(path) == pattern
