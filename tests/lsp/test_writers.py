"""One writer of an index, and what stands in its way: windows, a deleted, frozen or damaged index, a full disk."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bsl_scout.index.indexer import refresh
from bsl_scout.index.place import index_folder
from bsl_scout.index.writer_lock import writing
from server_process import Server, children_of, start_server
from support import DEMO, check_postings, copy_demo, index_state
from windows import write_and_read

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(sys.platform == "win32", reason="signals, mounts, modes of POSIX"),
]

PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"
ROOT = sys.platform != "win32" and os.geteuid() == 0
Start = Callable[..., Coroutine[Any, Any, Server]]


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    """Return `start_server`; what it starts is ended."""
    started: list[Server] = []

    async def start_one(*arguments: Any) -> Server:
        server = await start_server(*arguments)
        started.append(server)
        return server

    yield start_one
    for server in started:
        await server.end()


def same_as_fresh(top: Path, index: Path, fresh: Path) -> None:
    refresh(top, fresh)
    check_postings(index)
    assert index_state(index) == index_state(fresh)


async def until(reached: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_a_second_window_follows_and_takes_over(start: Start, tmp_path: Path) -> None:
    # so many copies that the first is still at work when it is stopped
    copies = 8
    top, base = copy_demo(tmp_path / "demo", copies=copies), tmp_path / "index"
    first = await start(top, base)
    await first.until("indexing", 30)
    (writer,) = children_of(first.pid)
    # the first stands still in the middle of its work and holds the lock
    await until(lambda: bool(first.statuses) and first.statuses[-1].indexed > 0)
    os.kill(writer, 19)
    second = await start(top, base)
    told = await second.until("locked", 30)
    assert f"another process ({writer}, since " in told.message
    assert (await second.find("заказ")).hits
    os.kill(first.pid, 9)
    os.kill(writer, 9)
    await first.end(killed=True)
    assert (await second.until("ready", 60)).indexed == 51 * copies
    same_as_fresh(top, index_folder(top, base), tmp_path / "fresh")


async def test_two_windows_write_and_read(start: Start, tmp_path: Path) -> None:
    top, base = copy_demo(tmp_path / "demo"), tmp_path / "index"
    servers = [await start(top, base), await start(top, base)]
    done = await write_and_read(servers, top, seconds=5, seed=3, least=4)
    assert done["searches"] > 0
    assert done["lost answers"] == 0
    for server in servers:
        await server.until_quiet(30)
    same_as_fresh(top, index_folder(top, base), tmp_path / "fresh")


async def test_a_second_window_sees_an_index_that_was_made_anew(start: Start, tmp_path: Path) -> None:
    top, base = copy_demo(tmp_path / "demo"), tmp_path / "index"
    server = await start(top, base)
    await server.until_quiet(30)
    (top / PRINTING).write_text("Процедура СовсемДругая()\nКонецПроцедуры\n", encoding="utf-8")
    folder = index_folder(top, base)
    # as another window does with a damaged one
    refresh(top, tmp_path / "other")
    (tmp_path / "other" / "catalog.sqlite").replace(folder / "catalog.sqlite")
    assert (await server.find("совсем другая")).hits[0].symbol == "СовсемДругая"


async def test_an_index_deleted_under_a_server_answers_and_comes_back(start: Start, tmp_path: Path) -> None:
    top, base = copy_demo(tmp_path / "demo"), tmp_path / "index"
    server = await start(top, base)
    await server.until_quiet(30)
    folder = index_folder(top, base)
    shutil.rmtree(folder)
    # nothing was saved: the search itself notices
    assert (await server.find("сумма словами")).hits[0].symbol == "СуммаСловами"
    await until((folder / "catalog.sqlite").is_file)
    await server.until_quiet(30)
    same_as_fresh(top, folder, tmp_path / "fresh")


def frozen(folder: Path) -> tuple[str, ...]:
    """Make a folder read-only and return the words before a command for which it is."""
    if not ROOT:
        folder.chmod(0o555)
        return ()
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    words = ("unshare", "-m", "sh", "-c", script, str(folder))
    if shutil.which("unshare") is None or subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("root may write everywhere, and this system lets nothing be mounted")
    return words


async def test_a_read_only_index_is_searched(start: Start, tmp_path: Path) -> None:
    top, base = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, index_folder(top, base))
    before = index_state(index_folder(top, base))
    words = frozen(index_folder(top, base))
    try:
        server = await start(top, base, *words)
        told = await server.until("failed", 30)
        assert told.message.startswith("the index folder cannot be written: ")
        assert str(tmp_path) not in told.message
        assert (await server.find("сумма словами")).hits[0].symbol == "СуммаСловами"
        (top / PRINTING).write_text("Процедура Иная()\nКонецПроцедуры\n", encoding="utf-8")
        server.tell_changed([top / PRINTING])
        assert (await server.find("сумма словами")).hits[0].symbol == "СуммаСловами"
    finally:
        index_folder(top, base).chmod(0o755)
    assert index_state(index_folder(top, base)) == before


async def test_files_that_may_not_grow(start: Start, tmp_path: Path) -> None:
    top, base = copy_demo(tmp_path / "demo", copies=3), tmp_path / "index"
    # in blocks of 512 bytes: room for a part of the index
    limited = ("sh", "-c", 'ulimit -f "$0"; exec "$@"', "1600")
    server = await start(top, base, *limited)
    told = await server.until("failed", 60)
    assert told.message.startswith("the index cannot be used: ")
    await server.find("заказ")
    await server.end()
    again = await start(top, base)
    await again.until("ready", 60)
    same_as_fresh(top, index_folder(top, base), tmp_path / "fresh")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if made.returncode:
        pytest.skip("only root may mount a small disk; the test of files that may not grow runs")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


async def test_a_full_disk(start: Start, tmp_path: Path, small_disk: Path) -> None:
    top, base = copy_demo(tmp_path / "demo", copies=2), small_disk / "index"
    server = await start(top, base)
    told = await server.until("full", 60)
    assert told.message == ""
    await server.find("заказ")
    # it is tried again, and the state stays what it is while there is no room
    await asyncio.sleep(3)
    assert {status.state for status in server.statuses[server.statuses.index(told) :]} <= {"full", "indexing"}
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    # nothing is saved: it goes on by itself
    await server.until("ready", 60)
    await server.end()
    same_as_fresh(top, index_folder(top, base), tmp_path / "fresh")


@pytest.mark.parametrize("seed", range(3))
async def test_random_bytes_in_the_index(start: Start, tmp_path: Path, seed: int) -> None:
    base = tmp_path / "index"
    folder = index_folder(DEMO, base)
    refresh(DEMO, folder)
    chance = random.Random(seed)
    data = bytearray((folder / "catalog.sqlite").read_bytes())
    for _ in range(12):
        at = chance.randrange(100, len(data) - 8192)
        data[at : at + 8192] = chance.randbytes(8192)
    (folder / "catalog.sqlite").write_bytes(data)
    server = await start(DEMO, base)
    await server.until("ready", 30)

    async def as_new() -> bool:
        found = [(await server.find(query)).hits for query in ("сумма словами", "снять просроченные резервы")]
        return [hits[0].symbol if hits else "" for hits in found] == ["СуммаСловами", "СнятьПросроченныеРезервы"]

    deadline = time.monotonic() + 30
    while not await as_new():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_the_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    code = "import os, sys; from pathlib import Path; from bsl_scout.index.writer_lock import writing\n"
    code += "with writing(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(folder)])
    assert (folder / "writer.json").is_file()
    with writing(folder, patience=0):
        pass
