"""Documents that are changed in the editor and not saved, over standard streams."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from bsl_scout.lsp.convert import utf16_offsets
from giant_sources import giant_module
from support import copy_demo

pytestmark = pytest.mark.asyncio

PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"
RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
FORM = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form.xml"
FORM_MODULE = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form/Module.bsl"
LABEL = "\n// Клеит ярлык на фасовочный ящик.\nПроцедура НапечататьЯрлыкЯщика() Экспорт\nКонецПроцедуры\n"
CALLING = (
    "Процедура Проба()\n\tПечатьДокументов.СуммаСловами(1);\n"
    '\tА = "🙂"; ПечатьДокументов.Прописью(1);\nКонецПроцедуры\n'
)


class Document:
    """A module that is open in the editor."""

    def __init__(self, editor: Any, path: Path, text: str | None = None) -> None:
        self.client = editor.client
        self.editor = editor
        self.path = path
        self.uri = path.as_uri()
        self.text = path.read_bytes().decode("utf-8-sig") if text is None else text
        self.version = 1
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri, "bsl", 1, self.text))
        )

    def type(self, line: int, text: str, end: int | None = None) -> None:
        """Put a text at the beginning of a line, in place of the lines up to `end`."""
        place = types.Range(types.Position(line, 0), types.Position(line if end is None else end, 0))
        lines = self.text.split("\n")
        rest = lines[line if end is None else end :]
        self.text = "\n".join(lines[:line]) + ("\n" if line else "") + text + "\n".join(rest)
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangePartial(place, text)],
            )
        )

    def write(self, old: str, new: str) -> None:
        """Exchange the whole text."""
        self.text = self.text.replace(old, new, 1)
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(self.text)],
            )
        )

    def save(self) -> None:
        self.path.write_bytes(self.text.encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri)))

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri)))

    def line(self, text: str) -> int:
        """Return the number of the line that holds a text."""
        return next(number for number, line in enumerate(self.text.split("\n")) if text in line)

    def position(self, text: str) -> types.Position:
        line = self.line(text)
        return types.Position(
            line, utf16_offsets(self.text.split("\n")[line])[self.text.split("\n")[line].index(text) + 1]
        )

    def at(self, text: str) -> types.TextDocumentPositionParams:
        return types.TextDocumentPositionParams(types.TextDocumentIdentifier(self.uri), self.position(text))


async def until(ask: Callable[[], Awaitable[Any]], seconds: float = 20) -> Any:
    """Ask until the answer is true; return it."""
    deadline = time.monotonic() + seconds
    while not (answer := await ask()):
        assert time.monotonic() < deadline, "nothing came"
        await asyncio.sleep(0.02)
    return answer


async def symbols(editor: Any, query: str) -> list[tuple[str, str, int]]:
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    return [(one.name, one.location.uri, one.location.range.start.line) for one in found or []]


async def hits(editor: Any, query: str, **more: Any) -> list[tuple[str, str, int]]:
    return [(hit.symbol, hit.uri, hit.line - 1) for hit in (await editor.find(query, **more)).hits]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return copy_demo(tmp_path / "demo")


async def test_search_and_symbols_answer_from_the_document(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready", leg="vector")
    document = Document(editor, demo / PRINTING)
    document.type(0, LABEL.replace("\n", "\r\n"))
    added = ("НапечататьЯрлыкЯщика", document.uri, 2)
    for mode in ("lexical", "vector", "hybrid", "auto"):
        await until(lambda mode=mode: _has(hits(editor, "ярлык фасовочный ящик", mode=mode), added))
    answer = (await editor.find("ярлык фасовочный ящик")).hits[0]
    assert (answer.symbol, answer.snippet, answer.snippetLine) == (added[0], "// Клеит ярлык на фасовочный ящик.", 2)
    assert added in await symbols(editor, "НапечататьЯрл")
    # what stands below has moved, renamed and removed procedures are no more
    moved = ("СуммаСловами", document.uri, document.line("Функция СуммаСловами"))
    assert moved in await hits(editor, "сумма словами")
    assert moved in await symbols(editor, "СуммаСловами")
    document.write("Функция СуммаСловами", "Функция Прописью")
    await until(lambda: symbols(editor, "Прописью"))
    assert [name for name, *_ in await symbols(editor, "СуммаСловами")] == []
    assert "СуммаСловами" not in [name for name, *_ in await hits(editor, "СуммаСловами")]
    # an error with a place in this module tells the line as the editor has it
    place = f"{{ОбщийМодуль.ПечатьДокументов.Модуль({document.line('Функция Прописью') + 1})}}: ошибка"
    assert [(hit.symbol, hit.snippet) for hit in (await editor.find(place)).hits] == [
        ("Прописью", "Функция Прописью(Сумма) Экспорт")
    ]
    # closed without saving: the file counts again
    document.close()
    await until(lambda: symbols(editor, "СуммаСловами"))
    assert (await hits(editor, "ярлык фасовочный ящик"))[:1] != [added]
    assert await symbols(editor, "НапечататьЯрл") == []
    lines = (demo / PRINTING).read_text(encoding="utf-8-sig").split("\n")
    (name, _, line), *_ = await hits(editor, "СуммаСловами")
    assert name == "СуммаСловами" and lines[line].startswith("Функция СуммаСловами")


async def _has(found: Awaitable[list[Any]], wanted: Any) -> bool:
    return wanted in await found


async def test_names_in_other_documents_lead_to_what_is_typed(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    client = editor.client
    printing, rates = Document(editor, demo / PRINTING), Document(editor, demo / RATES)
    rates.type(0, CALLING.replace("\n", "\r\n"))
    printing.write("// Записывает денежную", f"{LABEL}\n// Записывает денежную")
    printing.write("Функция СуммаСловами", "Функция Прописью")
    await until(lambda: symbols(editor, "Прописью"))
    await until(lambda: symbols(editor, "Проба"))

    async def definition(text: str) -> list[tuple[str, int]]:
        found = await client.text_document_definition_async(types.DefinitionParams(*_place(rates, text)))
        return [(one.uri, one.range.start.line) for one in found or []]

    assert await definition("Прописью") == [(printing.uri, printing.line("Функция Прописью"))]
    assert await definition("СуммаСловами") == []
    hover = await client.text_document_hover_async(types.HoverParams(*_place(rates, "Прописью")))
    assert "Функция Прописью(Сумма) Экспорт" in hover.contents.value
    assert "Записывает денежную сумму" in hover.contents.value
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(False), *_place(printing, "Прописью"))
    )
    assert (rates.uri, 2, 28, 36) in [
        (one.uri, one.range.start.line, one.range.start.character, one.range.end.character) for one in found
    ]
    params = types.CallHierarchyPrepareParams(*_place(printing, "Прописью"))
    (item,) = await client.text_document_prepare_call_hierarchy_async(params)
    assert (item.name, item.selection_range.start.line) == ("Прописью", printing.line("Функция Прописью"))
    calls = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
    assert ("Проба", rates.uri, 2) in [(one.from_.name, one.from_.uri, one.from_ranges[0].start.line) for one in calls]
    called = await client.call_hierarchy_outgoing_calls_async(
        types.CallHierarchyOutgoingCallsParams(
            (await client.text_document_prepare_call_hierarchy_async(
                types.CallHierarchyPrepareParams(types.TextDocumentIdentifier(rates.uri), types.Position(0, 0))
            ))[0]
        )
    )  # fmt: skip
    assert [one.to.name for one in called] == ["Прописью"]
    context = await client.protocol.send_request_async("bslScout/procedureContext", {"uri": rates.uri, "line": 2})
    assert context.name == "Проба" and "Функция Прописью(Сумма) Экспорт" in context.text
    similar = await editor.find("", uri=rates.uri, line=2)
    assert similar.route.code in ("similar", "no-vectors")


def _place(document: Document, text: str) -> tuple[types.TextDocumentIdentifier, types.Position]:
    return types.TextDocumentIdentifier(document.uri), document.position(text)


async def test_a_form_leads_to_its_module_as_it_is_typed(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    form, module = Document(editor, demo / FORM), Document(editor, demo / FORM_MODULE)
    place = _place(form, "КонтрагентПриИзменении<")

    async def handler() -> list[tuple[str, int]]:
        found = await editor.client.text_document_definition_async(types.DefinitionParams(*place))
        return [(one.uri, one.range.start.line) for one in found or []]

    line = module.line("Процедура КонтрагентПриИзменении")
    assert await handler() == [(module.uri, line)]
    module.type(0, LABEL)
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    assert await handler() == [(module.uri, line + 4)]
    lenses = await editor.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(module.uri))
    )
    assert line + 4 in [lens.range.start.line for lens in lenses]
    module.write("Процедура КонтрагентПриИзменении", "Процедура Другая")
    await until(lambda: symbols(editor, "Другая"))
    assert await handler() == []
    module.close()
    await until(lambda: _is_empty(symbols(editor, "Другая")))
    assert await handler() == [(module.uri, line)]


async def test_saving_gives_neither_doubles_nor_a_gap(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, demo / PRINTING)
    document.write("Функция СуммаСловами", f"{LABEL}Функция СуммаСловами")
    wanted = ("НапечататьЯрлыкЯщика", document.uri, document.line("Процедура НапечататьЯрлыкЯщика"))
    await until(lambda: _has(hits(editor, "ярлык фасовочный ящик"), wanted))
    told = len(editor.statuses)
    document.save()
    for _ in range(60):
        found = await hits(editor, "ярлык фасовочный ящик")
        assert found.count(wanted) == 1 and [name for name, *_ in found].count(wanted[0]) == 1
        assert await symbols(editor, "НапечататьЯрл") == [wanted]
        await asyncio.sleep(0.01)
    assert len(editor.statuses) > told
    document.close()
    assert await symbols(editor, "НапечататьЯрл") == [wanted]
    assert wanted in await hits(editor, "ярлык фасовочный ящик")


async def test_a_new_file_counts_before_it_is_saved(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, demo / "CommonModules/ПечатьДокументов/Ext/Новый.os", LABEL)
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    assert ("НапечататьЯрлыкЯщика", document.uri, 2) in await hits(editor, "ярлык фасовочный ящик")
    document.close()
    await until(lambda: _is_empty(symbols(editor, "НапечататьЯрл")))
    # no file, or one of none of the folders
    for uri in ("untitled:Untitled-1", (demo.parent / "другой" / "Новый.bsl").as_uri()):
        editor.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "bsl", 1, LABEL))
        )
    await asyncio.sleep(0.3)
    assert await symbols(editor, "НапечататьЯрл") == []


async def _is_empty(found: Awaitable[list[Any]]) -> bool:
    return not await found


async def test_what_an_editor_brings_back_counts_before_it_is_changed(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    # the folder may have no index yet
    text = LABEL + (demo / PRINTING).read_bytes().decode("utf-8-sig")
    document = Document(editor, demo / PRINTING, text)
    await editor.until("ready")
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    assert ("НапечататьЯрлыкЯщика", document.uri, 2) in await hits(editor, "ярлык фасовочный ящик")


async def test_a_folder_that_joins_takes_in_what_is_open(start: Callable[..., Any], tmp_path: Path) -> None:
    demo, second = copy_demo(tmp_path / "demo"), copy_demo(tmp_path / "second")
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, second / PRINTING)
    document.type(0, LABEL)
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    added = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(second.as_uri(), "second")], [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(added))

    async def owner() -> list[str]:
        return [hit.owner for hit in (await editor.find("ярлык фасовочный ящик")).hits if hit.uri == document.uri]

    # alone it belonged to nothing
    await until(lambda: _has(owner(), "ОбщийМодуль.ПечатьДокументов"))
    await until(lambda: _has(symbols(editor, "НапечататьЯрл"), ("НапечататьЯрлыкЯщика", document.uri, 2)))


async def test_a_saved_document_is_left_to_the_index(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, demo / PRINTING)
    document.type(0, LABEL)
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    document.save()
    await asyncio.sleep(1)
    assert await symbols(editor, "НапечататьЯрл")
    # still open, and as it was saved; but the file is no more
    document.path.unlink()
    event = types.FileEvent(document.uri, types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await until(lambda: _is_empty(symbols(editor, "НапечататьЯрл")))
    assert document.uri not in [uri for _, uri, _ in await hits(editor, "сумма словами")]


async def test_a_module_alone_and_folders_inside_each_other(start: Callable[..., Any], tmp_path: Path) -> None:
    demo = copy_demo(tmp_path / "all" / "demo")
    alone = tmp_path / "alone.os"
    alone.write_text("Процедура Одна()\nКонецПроцедуры\n", encoding="utf-8")
    editor = await start(tmp_path / "all", demo)
    await editor.until("ready")
    document = Document(editor, demo / PRINTING)
    document.type(0, LABEL)
    single = Document(editor, alone)
    single.type(0, "Процедура ЯрлыкОтдельный()\nКонецПроцедуры\n")
    await until(lambda: symbols(editor, "ЯрлыкОтдельный"))
    await until(lambda: _count(symbols(editor, "НапечататьЯрл"), 2))
    assert set(await symbols(editor, "НапечататьЯрл")) == {("НапечататьЯрлыкЯщика", document.uri, 2)}
    found = await hits(editor, "ярлык", mode="lexical")
    assert sorted(found)[:2] == [("НапечататьЯрлыкЯщика", document.uri, 2), ("ЯрлыкОтдельный", single.uri, 0)]


async def _count(found: Awaitable[list[Any]], count: int) -> bool:
    return len(await found) == count


async def test_typing_without_a_pause_is_looked_at_once(start: Callable[..., Any], demo: Path) -> None:
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, demo / PRINTING)
    for letter in range(30):
        document.type(0, f"// {letter}\n")
        await asyncio.sleep(0.01)
    document.type(0, LABEL)
    await until(lambda: symbols(editor, "НапечататьЯрл"))
    assert (await symbols(editor, "СуммаСловами"))[0][2] == document.line("Функция СуммаСловами")


async def test_a_giant_document_holds_up_no_answer(start: Callable[..., Any], demo: Path) -> None:
    giant = demo / "CommonModules/StringTools/Ext/Giant.bsl"
    text = giant_module(5_000_000)
    editor = await start(demo)
    await editor.until("ready")
    document = Document(editor, giant, LABEL + text)
    slowest = 0.0
    done = False
    while not done:
        started = time.monotonic()
        done = bool(await symbols(editor, "НапечататьЯрл"))
        await hits(editor, "сумма словами", mode="lexical")
        slowest = max(slowest, time.monotonic() - started)
        document.type(0, "\n") if not done and document.version == 1 else None
    # the module alone takes longer to cut; the bound is wide because other tests run beside
    assert slowest < 5
    assert ("НапечататьЯрлыкЯщика", document.uri) in [one[:2] for one in await hits(editor, "ярлык фасовочный ящик")]
