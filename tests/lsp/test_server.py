"""The language server as an editor uses it, over standard streams."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from support import DEMO, Write, copy_demo

pytestmark = pytest.mark.asyncio

MODULE = "Процедура Первая()\nКонецПроцедуры\n"
PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"


async def test_find_logic_on_the_demo(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    status = await editor.until("ready", leg="vector")
    assert (status.indexed, status.pending, status.legs) == (51, 0, ["lexical", "vector"])
    answer = await editor.find("сумма словами", top=5)
    assert (answer.mode, answer.legs, answer.convincing) == ("hybrid", ["lexical", "vector"], True)
    assert (answer.fresh.indexed, answer.fresh.pending) == (51, 0)
    hit = answer.hits[0]
    assert (hit.symbol, hit.path, hit.kind, hit.rank) == ("СуммаСловами", PRINTING, "function", 1)
    assert hit.uri == (DEMO / PRINTING).as_uri()
    lines = (DEMO / PRINTING).read_text(encoding="utf-8-sig").splitlines()
    assert lines[hit.line - 1].startswith("Функция СуммаСловами")
    assert lines[hit.endLine - 1] == "КонецФункции"
    start_of_match, end_of_match = hit.matches[0]
    assert hit.snippet[start_of_match:end_of_match].lower().startswith(("сумм", "слов"))
    assert len(answer.hits) <= 5


async def test_a_form_is_opened_at_its_own_source(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    hit = (await editor.find("мои задачи", collection="form")).hits[0]
    source = "CommonForms/МоиЗадачи/Ext/Form.xml"
    assert (hit.symbol, hit.path, hit.line) == ("ОбщаяФорма.МоиЗадачи", source, 1)
    assert hit.uri == (DEMO / source).as_uri()


async def test_progress_is_shown_and_ends(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=12))
    await editor.until("ready")
    assert any(status.state == "indexing" for status in editor.statuses)
    reports = list(editor.client.progress_reports.values())
    assert reports
    kinds = [report.kind for report in reports[0]]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert reports[0][0].title == "BSL Scout: индексация"
    assert any(report.message.startswith("модули ") for report in reports[0][1:-1])
    assert all(report.message.startswith(("объекты ", "модули ")) for report in reports[0][1:-1])


async def test_the_status_tells_how_far_it_is_without_progress(start: Callable[..., Any], tmp_path: Path) -> None:
    window = types.WindowClientCapabilities(work_done_progress=False)
    editor = await start(copy_demo(tmp_path / "demo", copies=12), capabilities=types.ClientCapabilities(window=window))
    status = await editor.until("ready")
    assert not editor.client.progress_reports
    assert (status.progress.stage, status.progress.done, status.progress.total) == ("", 0, 0)
    told = [(one.progress.stage, one.indexed, one.progress) for one in editor.statuses if one.state == "indexing"]
    stages = [stage for stage, _, _ in told]
    assert stages == sorted(stages, key=("", "objects", "modules").index)
    assert {progress.total for stage, _, progress in told if stage == "modules"} == {51 * 12}
    # an object is no module
    assert all(indexed == (progress.done if stage == "modules" else 0) for stage, indexed, progress in told)


@pytest.mark.parametrize("params", [{"mode": "magic"}, {"collection": "wrong"}])
async def test_wrong_parameters_are_a_clean_error(start: Callable[..., Any], params: dict[str, str]) -> None:
    editor = await start(DEMO)
    with pytest.raises(JsonRpcException) as caught:
        await editor.find("заказ", **params)
    assert "one of" in caught.value.message
    assert caught.value.data is None


@pytest.mark.parametrize(
    "params", [None, 5, {"query": None}, {"query": ["a"]}, {"query": "а", "top": "x"}, {"top": None}]
)
async def test_parameters_that_do_not_fit_are_answered(start: Callable[..., Any], params: Any) -> None:
    editor = await start(DEMO)
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wait_for(editor.client.protocol.send_request_async("bslScout/findLogic", params), 10)
    assert caught.value.code == -32602


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("Catalogs/Контрагенты.xml", "<v8:content>"),
        ("Catalogs/Номенклатура/Forms/ФормаСписка/Ext/Form.xml", "ВЫБРАТЬ"),
        ("Roles/МенеджерПоПродажам/Ext/Rights.xml", "ГДЕ"),
    ],
)
async def test_a_saved_source_of_metadata_is_found(
    start: Callable[..., Any], tmp_path: Path, path: str, before: str
) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    told = len(editor.statuses)
    text = (top / path).read_text(encoding="utf-8-sig")
    (top / path).write_text(text.replace(before, f"{before} Ыъьмаркер ", 1), encoding="utf-8")
    document = types.TextDocumentIdentifier((top / path).as_uri())
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    hits: list[Any] = []
    for _ in range(500):
        hits = (await editor.find("Ыъьмаркер")).hits
        if hits:
            break
        await asyncio.sleep(0.02)
    assert hits
    # a pass over everything would have been told as one
    assert {status.state for status in editor.statuses[told:]} <= {"ready"}


async def test_unexpected_errors_reach_the_client_clean(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    for uri in ("http://[", "untitled:Untitled-1", "file:///no/such.bsl"):
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
        assert await editor.client.text_document_hover_async(params) is None


async def test_thirty_typed_and_cancelled_requests_leave_no_work(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    client = editor.client
    futures = []
    for number in range(30):
        future = client.protocol.send_request(
            "bslScout/findLogic", {"query": "заказ покупателя"[: number % 15 + 1]}, msg_id=f"r{number}"
        )
        client.cancel_request(types.CancelParams(id=f"r{number}"))
        futures.append(future)
    # nothing is queued before it: the answer comes although thirty were asked
    assert (await asyncio.wait_for(editor.find("сумма словами"), 5)).hits[0].symbol == "СуммаСловами"
    done = await asyncio.gather(
        *(asyncio.wrap_future(f) if not asyncio.isfuture(f) else f for f in futures), return_exceptions=True
    )
    assert len(done) == 30


async def test_a_saved_procedure_is_found(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    path = top / PRINTING
    with path.open("a", encoding="utf-8") as file:
        file.write("\r\nПроцедура НапечататьЯрлыкЯщика()\r\nКонецПроцедуры\r\n")
    document = types.TextDocumentIdentifier(path.as_uri())
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    await editor.found("ярлык ящика", "НапечататьЯрлыкЯщика")


async def test_created_and_deleted_files_are_followed(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    path = top / "CommonModules" / "Новый" / "Ext" / "Module.bsl"
    path.parent.mkdir(parents=True)
    path.write_text("Процедура СклеитьКоробку() Экспорт\nКонецПроцедуры\n", encoding="utf-8")
    created = types.FileEvent(path.as_uri(), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([created]))
    await editor.found("склеить коробку", "СклеитьКоробку")
    path.unlink()
    deleted = types.FileEvent((top / "CommonModules" / "Новый").as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([deleted]))
    for _ in range(200):
        if not any(hit.symbol == "СклеитьКоробку" for hit in (await editor.find("склеить коробку")).hits):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the deleted module is still found")


async def test_folders_that_come_and_go_are_followed(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    kinds = types.FileChangeType

    def tell(*changes: tuple[Path, types.FileChangeType]) -> None:
        events = [types.FileEvent(path.as_uri(), kind) for path, kind in changes]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    async def until_found(paths: list[str]) -> None:
        for _ in range(300):
            hits = (await editor.find("склеить коробку")).hits
            if [hit.path for hit in hits if hit.symbol == "СклеитьКоробку"] == paths:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"not found at {paths} only")

    old, new = (top / "CommonModules" / name for name in ("Пришел", "Переименован"))
    late = old / "Ext" / "Module.bsl"
    old.mkdir()
    tell((old, kinds.Created))
    # the editor does not see what is written before it watches the folder
    await asyncio.sleep(0.5)
    late.parent.mkdir()
    late.write_text("Процедура СклеитьКоробку() Экспорт\nКонецПроцедуры\n", encoding="utf-8")
    await until_found(["CommonModules/Пришел/Ext/Module.bsl"])
    old.rename(new)
    tell((old, kinds.Deleted), (new, kinds.Created))
    await until_found(["CommonModules/Переименован/Ext/Module.bsl"])
    shutil.rmtree(new)
    tell((new, kinds.Deleted))
    await until_found([])


async def test_workspace_symbols(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    for query in ("СуммаСлов", "СумСлов", "уммаСлов"):
        found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
        assert found[0].name == "СуммаСловами"
        assert found[0].container_name == "ОбщийМодуль.ПечатьДокументов · модуль"
        assert found[0].location.uri == (DEMO / PRINTING).as_uri()
    assert any(
        s.name == "NormalizePhone"
        for s in await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("NormPh"))
    )
    assert not await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(""))
    for query in ("ЗаказПокуп", "заказ покуп"):
        first = (await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query)))[0]
        assert (first.name, first.kind) == ("ЗаказПокупателя", types.SymbolKind.Class)
        assert first.location.uri == (DEMO / "Documents/ЗаказПокупателя.xml").as_uri()


async def test_hover_on_a_call(start: Callable[..., Any], write: Write) -> None:
    caller = "Процедура Тест()\n\tСклад.Списать(1); Местная(); Чужая();\nКонецПроцедуры\n"
    caller += "// Здесь.\nФункция Местная()\nКонецФункции\n"
    called = "// Списывает товар.\nПроцедура Списать(Товар) Экспорт\nКонецПроцедуры\n"
    called += "Процедура Чужая()\nКонецПроцедуры\n"
    top = write(
        {
            "Configuration.xml": "<Configuration><Name>К</Name></Configuration>",
            "CommonModules/Склад/Ext/Module.bsl": called,
            "CommonModules/Тест/Ext/Module.bsl": caller,
        }
    )
    editor = await start(top)
    await editor.until("ready")
    uri = (top / "CommonModules/Тест/Ext/Module.bsl").as_uri()

    async def hover(character: int) -> str | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(1, character))
        found = await editor.client.text_document_hover_async(params)
        return found.contents.value if found else None

    listed = await hover(9)
    assert listed is not None
    assert "Процедура Списать(Товар) Экспорт" in listed
    assert "Списывает товар." in listed
    assert "ОбщийМодуль.Склад" in listed
    local = await hover(21)
    assert local is not None and "Здесь." in local
    # a procedure of another module without that module's name is not proven to be meant
    assert await hover(32) is None
    assert str(top) not in listed


async def test_semantic_tokens(start: Callable[..., Any], write: Write) -> None:
    top = write({"a.bsl": 'Процедура А()\n\tБ = "𝄞|"; В(1); // к\nКонецПроцедуры\n'})
    editor = await start(top)
    document = types.TextDocumentIdentifier((top / "a.bsl").as_uri())
    tokens = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    data = tokens.data
    assert len(data) % 5 == 0
    line = column = 0
    seen = []
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (column if data[i] == 0 else 0)
        seen.append((line, column, data[i + 2]))
    assert (0, 0, 9) in seen
    # the astral letter counts as two units, in the string and before what follows it
    assert (1, 5, 5) in seen
    assert (1, 18, 4) in seen


async def test_several_folders_and_a_single_module(start: Callable[..., Any], write: Write, tmp_path: Path) -> None:
    top = write(
        {
            "one/a.bsl": MODULE,
            "two/b.bsl": MODULE.replace("Первая", "Вторая"),
            "alone.bsl": MODULE.replace("Первая", "Одинокая"),
        }
    )
    editor = await start(top / "one")
    await editor.found("первая", "Первая")
    added = types.WorkspaceFolder((top / "two").as_uri(), "two")
    event = types.WorkspaceFoldersChangeEvent([added], [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await editor.found("вторая", "Вторая")
    uri = (top / "alone.bsl").as_uri()
    item = types.TextDocumentItem(uri, "bsl", 1, (top / "alone.bsl").read_text(encoding="utf-8"))
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.found("одинокая", "Одинокая")
    assert (await editor.find("одинокая")).hits[0].uri == uri
    removed = types.WorkspaceFoldersChangeEvent([], [added])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(removed))
    assert "Вторая" not in {hit.symbol for hit in (await editor.find("вторая")).hits}


async def test_a_folder_without_sources_is_empty(start: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    editor = await start(tmp_path / "empty")
    await editor.until("empty")
    assert not (await editor.find("заказ")).hits


async def test_a_missing_folder_is_told_with_a_reason(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(tmp_path / "gone")
    status = await editor.until("missing")
    assert "gone" in status.message
    assert str(tmp_path) not in status.message


async def test_places_and_messages(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    answer = await editor.find("{ОбщийМодуль.ПечатьДокументов.Модуль(45)}: Деление на 0")
    assert (answer.mode, answer.hits[0].kind, answer.hits[0].line, answer.hits[0].path) == (
        "place",
        "place",
        45,
        PRINTING,
    )
    stack = "{Document.ЗаказПокупателя.ObjectModule(12,5)}:\n{Документ.Рассылка.Форма.ФормаДокумента.Форма(3)}:"
    hits = (await editor.find(stack)).hits
    assert [(hit.path, hit.line, hit.column) for hit in hits] == [
        ("Documents/ЗаказПокупателя/Ext/ObjectModule.bsl", 12, 5),
        ("Documents/Рассылка/Forms/ФормаДокумента/Ext/Form/Module.bsl", 3, 1),
    ]
    message = (await editor.find("Отгруженный заказ нельзя распровести.")).hits[0]
    assert (message.symbol, message.ranks.message) == ("ПередЗаписью", 1)


async def test_initialize_loads_nothing_heavy() -> None:
    code = (
        "import sys; from bsl_scout.lsp.server import make_server; from pathlib import Path; "
        "make_server(Path('x')); "
        "heavy = 'torch chromadb sentence_transformers rich pymorphy3 tokenizers'.split(); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_what_is_similar_to_a_procedure(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready", leg="vector")
    path = DEMO / "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("Функция КурсНаДату("))
    found = await editor.find("", uri=path.as_uri(), line=line)
    assert (found.query, found.route.code, found.legs) == ("КурсНаДату", "similar", ["vector"])
    assert found.hits and all(hit.symbol != "КурсНаДату" for hit in found.hits)
    assert (await editor.find("", uri=path.as_uri(), line=1)).route.code == "no-procedure"
    with pytest.raises(JsonRpcException, match="этого модуля нет ни в одной папке индекса"):
        await editor.find("", uri="file:///elsewhere/a.bsl", line=1)
