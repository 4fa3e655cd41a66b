"""bslScout/diagnostics and the levels of the log, over standard streams."""

from __future__ import annotations

import asyncio
import getpass
import json
import logging
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.index.catalog import FILE_NAME
from bsl_scout.lsp.log import ServerLog
from support import DEMO, copy_demo

ORDER = "Documents/ЗаказПокупателя.xml"


async def diagnostics(editor: Any) -> Any:
    return await editor.client.protocol.send_request_async("bslScout/diagnostics", {})


@pytest.mark.asyncio
async def test_each_folder_is_told(start: Callable[..., Any], tmp_path: Path) -> None:
    second = copy_demo(tmp_path / "вторая")
    path = second / ORDER
    path.write_text("\n".join(path.read_text(encoding="utf-8").split("\n")[:12]), encoding="utf-8")
    editor = await start(DEMO, second)
    await editor.until("ready", leg="vector")
    told = await diagnostics(editor)
    assert [(one.name, one.state, one.index, one.legs) for one in told.folders] == [
        ("demo", "ready", "ready", ["lexical", "vector"]),
        ("вторая", "ready", "ready", ["lexical", "vector"]),
    ]
    whole, broken = told.folders
    assert (whole.indexed, whole.content.files, whole.content.problems) == (51, 51, [])
    assert whole.uri == DEMO.as_uri()
    assert whole.bytes.catalog > 100_000
    (root,) = whole.content.roots
    assert (root.name, root.kind, root.format, root.path) == ("ДемоТорговля", "configuration", "designer", ".")
    problem, absent = broken.content.problems
    assert (problem.path, problem.kind, problem.line) == (ORDER, "broken", 12)
    assert problem.message.startswith("повреждённый XML")
    assert absent.message == "в составе есть Документ.ЗаказПокупателя, но файла нет или он повреждён"
    assert told.versions.python
    assert told.errors == []


@pytest.mark.asyncio
async def test_it_answers_while_an_index_is_made(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo", copies=12))
    told = await asyncio.wait_for(diagnostics(editor), 20)
    (folder,) = told.folders
    # nothing is waited for: the pass is still under way
    assert folder.state in ("starting", "indexing")
    assert folder.index in ("none", "ready")
    await editor.until("ready")
    (folder,) = (await diagnostics(editor)).folders
    assert (folder.state, folder.index, folder.content.files) == ("ready", "ready", 12 * 51)


@pytest.mark.asyncio
async def test_a_damaged_index_says_so_and_is_made_anew(start: Callable[..., Any], tmp_path: Path) -> None:
    index = tmp_path / "lsp-index"
    editor = await start(DEMO, index=index)
    await editor.until("ready", leg="vector")
    (file,) = index.glob(f"*/{FILE_NAME}")
    for beside in file.parent.glob(f"{FILE_NAME}-*"):
        beside.unlink()
    file.write_bytes(b"no database at all" * 1_000)
    editor.statuses.clear()
    (folder,) = (await diagnostics(editor)).folders
    assert (folder.index, folder.content) == ("damaged", None)
    assert folder.indexProblem
    await editor.until("ready", leg="vector")
    told = await diagnostics(editor)
    assert told.folders[0].index == "ready"


@pytest.mark.asyncio
async def test_no_folder_is_no_error(start: Callable[..., Any]) -> None:
    editor = await start()
    told = await diagnostics(editor)
    assert (told.folders, told.errors) == ([], [])


@pytest.mark.asyncio
async def test_warnings_are_told_without_paths(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(DEMO, roots=[".", "нет такой"])
    status = await editor.until("ready")
    assert "нет такой" in status.message
    told = await diagnostics(editor)
    assert told.errors
    assert told.errors[0].level == "warning"
    assert "bslScout.roots: «нет такой»" in told.errors[0].message
    assert "нет такой" in told.folders[0].message
    said = str([told.errors, told.folders[0].message, told.folders[0].content])
    assert str(DEMO.parent) not in said
    assert str(tmp_path) not in said


@contextmanager
def server_log() -> Iterator[ServerLog]:
    """Let a log take in what this process tells; its stream is the error stream of this moment."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    found = ServerLog()
    found.start()
    try:
        yield found
    finally:
        root.handlers[:] = before
        root.setLevel(level)


def test_the_log_keeps_its_last_warnings_without_paths_and_users() -> None:
    with server_log() as kept:
        check_what_is_kept(kept)


def check_what_is_kept(server_log: ServerLog) -> None:
    log = logging.getLogger("bsl_scout.test")
    log.info("nothing to keep")
    user = getpass.getuser()
    for number in range(30):
        log.warning("number %d: /home/%s/проект/Модуль.bsl", number, user)
    try:
        raise PermissionError(13, "Permission denied", f"C:\\Users\\{user}\\index\\catalog.sqlite")
    except PermissionError:
        log.exception("a request failed")
    told = server_log.last()
    assert len(told) == 20
    assert (told[0].level, told[1].level) == ("error", "warning")
    assert told[0].message.startswith("a request failed: PermissionError: [Errno 13] Permission denied")
    assert told[1].message == "number 29: .../проект/Модуль.bsl"
    assert abs(told[0].at - time.time()) < 60
    joined = json.dumps([one.message for one in told], ensure_ascii=False)
    assert f"/{user}/" not in joined
    assert f"\\{user}\\" not in joined
    assert "home" not in joined
    log.warning("x" * 2_000)
    assert server_log.last()[0].message.endswith("… (+1500)")


def test_the_level_decides_what_is_written_not_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with server_log() as kept:
        check_levels(kept, capsys)


def check_levels(server_log: ServerLog, capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("bsl_scout.test")
    for level, written in (
        ("off", ""),
        ("error", "E"),
        ("warning", "WE"),
        ("info", "IWE"),
        ("debug", "DIWE"),
        ("trace", "DIWE"),
        ("nonsense", "DIWE"),
    ):
        server_log.set_level(level)
        kept = len(server_log.last())
        log.debug("D")
        log.info("I")
        log.warning("W")
        log.error("E")
        lines = capsys.readouterr().err.splitlines()
        assert "".join(line[-1] for line in lines) == written, level
        assert len(server_log.last()) == min(kept + 2, 20)
        assert all(line.split()[0] in ("DEBUG", "INFO", "WARNING", "ERROR") for line in lines)


def test_the_client_sets_the_level(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bsl_scout", "lsp", "--index-dir", str(tmp_path / "index")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(tmp_path / "log").open("wb")
    ) as server:

        def send(method: str, params: Any, number: int | None = None) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            body = json.dumps(message if number is None else message | {"id": number}).encode()
            assert server.stdin
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            server.stdin.flush()

        def until_answered(number: int) -> None:
            assert server.stdout
            while True:
                head = server.stdout.readline()
                while (line := server.stdout.readline()).strip():
                    head += line
                length = int(re.findall(rb"Content-Length: (\d+)", head)[0])
                if json.loads(server.stdout.read(length)).get("id") == number:
                    return

        options = {"logLevel": "debug", "locale": "ru"}
        send("initialize", {"capabilities": {}, "processId": None, "initializationOptions": options}, 1)
        until_answered(1)
        send("initialized", {})
        send("bslScout/diagnostics", {}, 2)
        until_answered(2)
        send("bslScout/logLevel", {"level": "warning"})
        # what is no level changes nothing
        send("bslScout/logLevel", {"level": 7})
        send("bslScout/logLevel", {})
        send("bslScout/objectNames", {}, 3)
        until_answered(3)
        send("shutdown", None, 4)
        until_answered(4)
        send("exit", None)
        assert server.wait(10) == 0
    written = (tmp_path / "log").read_text(encoding="utf-8")
    assert re.search(r"^DEBUG bsl_scout.lsp.server: bslScout/diagnostics: answered in \d+ ms$", written, re.MULTILINE)
    assert "objectNames" not in written
