"""The language server when something goes wrong: killed workers, damaged indexes, cancelled passes, several servers."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from server_process import alive, children_of
from support import DEMO, copy_demo

pytestmark = pytest.mark.asyncio

PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"


async def test_rebuild(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=10))
    await editor.until("ready")
    before = await editor.find("остатки на складе", mode="lexical", top=50)
    count, meanwhile = len(editor.statuses), 0
    await editor.client.protocol.send_request_async("bslScout/rebuildIndex", {})
    while len(editor.statuses) < count + 2 or editor.statuses[-1].state != "ready":
        # the old index answers, as a whole
        found = await editor.find("остатки на складе", mode="lexical", top=50)
        assert [hit.symbol for hit in found.hits] == [hit.symbol for hit in before.hits]
        meanwhile += editor.statuses[-1].state == "indexing"
    assert meanwhile
    assert (await editor.find("сумма словами")).hits[0].symbol == "СуммаСловами"


async def test_a_damaged_index_is_rebuilt(start: Callable[..., Any], tmp_path: Path) -> None:
    index = tmp_path / "index"
    first = await start(DEMO, index=index)
    await first.until("ready")
    await first.client.shutdown_session()
    await first.client.stop()
    (catalog,) = index.glob("*/catalog.sqlite")
    catalog.write_bytes(b"\0" * 10_000)
    second = await start(DEMO, index=index)
    await second.until("ready")
    assert (await second.find("сумма словами")).hits[0].symbol == "СуммаСловами"


async def test_an_index_damaged_or_deleted_under_a_server_comes_back(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top, index=tmp_path / "index")
    await editor.until("ready")
    (folder,) = (tmp_path / "index").iterdir()
    for path in folder.glob("catalog.sqlite*"):
        path.unlink()
    save_with_procedure(editor, top / PRINTING, "ПослеУдаления")
    await editor.found("после удаления", "ПослеУдаления")
    await editor.found("снять просроченные резервы", "СнятьПросроченныеРезервы")


@pytest.mark.parametrize("how", ["progress", "request"])
async def test_a_cancelled_index_goes_on_with_the_next_save(
    start: Callable[..., Any], tmp_path: Path, how: str
) -> None:
    top = copy_demo(tmp_path / "demo", copies=30)
    editor = await start(top)
    while not editor.client.progress_reports:
        await asyncio.sleep(0.01)
    if how == "progress":
        token = next(iter(editor.client.progress_reports))
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    else:
        await editor.client.protocol.send_request_async("bslScout/stopIndexing", {})
    status = await editor.until("paused")
    assert status.pending > 0
    assert "goes on at the next save" in status.message
    document = types.TextDocumentIdentifier((top / "0" / PRINTING).as_uri())
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    status = await editor.until("ready")
    assert (status.indexed, status.pending) == (51 * 30, 0)


@pytest.mark.parametrize("bare", [False, True], ids=["renamed", "a mount point left"])
async def test_sources_out_of_reach_keep_their_index(start: Callable[..., Any], tmp_path: Path, bare: bool) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    top.rename(tmp_path / "away")
    if bare:
        top.mkdir()
    # an editor's watcher may tell of files, of all that were there, or nothing
    if not bare:
        gone = [types.FileEvent((top / path).as_uri(), types.FileChangeType.Deleted) for path in (PRINTING, "")]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(gone))
    status = await editor.until("missing")
    assert (status.message, status.indexed) == ("Папка «demo» недоступна.", 51)
    assert "lexical" in status.legs
    assert (await editor.find("сумма словами")).hits[0].symbol == "СуммаСловами"
    if bare:
        top.rmdir()
    (tmp_path / "away" / PRINTING).write_text("Процедура ПокаНеБылоПапки()\nКонецПроцедуры\n", encoding="utf-8")
    (tmp_path / "away").rename(top)
    # nobody tells that it is back
    status = await editor.until("ready")
    assert status.message == ""
    assert (await editor.find("пока не было папки")).hits[0].symbol == "ПокаНеБылоПапки"


async def test_a_module_on_its_own_that_is_deleted_is_forgotten(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    alone = tmp_path / "alone.os"
    alone.write_text("Процедура Одинокая()\nКонецПроцедуры\n", encoding="utf-8")
    item = types.TextDocumentItem(alone.as_uri(), "bsl", 1, alone.read_text(encoding="utf-8"))
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.found("одинокая", "Одинокая")
    alone.unlink()
    gone = [types.FileEvent(alone.as_uri(), types.FileChangeType.Deleted)]
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(gone))
    while editor.statuses[-1].state != "ready" or editor.statuses[-1].indexed != 51:
        await asyncio.sleep(0.02)
    assert not [hit for hit in (await editor.find("одинокая")).hits if hit.symbol == "Одинокая"]


async def test_a_worker_killed_in_the_first_index_is_started_again(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=20))
    await editor.until("indexing")
    for pid in children_of(editor.client._server.pid):
        os.kill(pid, 9)
    status = await editor.until("ready")
    assert status.indexed == 51 * 20


async def test_nested_folders_give_each_hit_once(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top, top / "CommonModules")
    await editor.until("ready")
    while len((await editor.find("сумма словами")).hits) < 2 or editor.statuses[-1].state != "ready":
        await asyncio.sleep(0.05)
    hits = (await editor.find("сумма словами", top=50)).hits
    assert len({(hit.uri, hit.line, hit.symbol) for hit in hits}) == len(hits)


async def test_an_event_of_the_folder_itself_doubles_nothing(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    count = len(editor.statuses)
    event = types.FileEvent(top.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    while len(editor.statuses) < count + 2 or editor.statuses[-1].state != "ready":
        await asyncio.sleep(0.02)
    assert editor.statuses[-1].indexed == 51


async def test_two_servers_share_an_index(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    first, second = await start(top, index=tmp_path / "index"), await start(top, index=tmp_path / "index")
    await first.until("ready")
    await second.until("ready")
    save_with_procedure(first, top / PRINTING, "ОбщаяНовинка")
    await first.found("общая новинка", "ОбщаяНовинка")
    await second.found("общая новинка", "ОбщаяНовинка")


async def test_exit_ends_server_and_worker(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=20))
    await editor.until("indexing")
    server = editor.client._server.pid
    children = children_of(server)
    assert children
    started = time.monotonic()
    await editor.client.shutdown_session()
    while any(alive(pid) for pid in [server, *children]):
        assert time.monotonic() - started < 4
        await asyncio.sleep(0.02)


async def test_the_worker_goes_with_a_killed_server(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=20))
    await editor.until("indexing")
    server = editor.client._server.pid
    children = children_of(server)
    os.kill(server, 9)
    editor.killed = True
    started = time.monotonic()
    while any(alive(pid) for pid in children):
        assert time.monotonic() - started < 5
        await asyncio.sleep(0.02)


async def test_a_killed_worker_is_started_again(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    for pid in children_of(editor.client._server.pid):
        os.kill(pid, 9)
    await asyncio.sleep(0.1)
    save_with_procedure(editor, top / PRINTING, "ПослеСбоя")
    await editor.found("после сбоя", "ПослеСбоя")


def save_with_procedure(editor: Any, path: Path, name: str) -> None:
    """Add a procedure at the end of the module and tell the server of the save."""
    text = path.read_text(encoding="utf-8-sig")
    path.write_text(f"{text}\nПроцедура {name}()\nКонецПроцедуры\n", encoding="utf-8")
    document = types.TextDocumentIdentifier(path.as_uri())
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
