"""The language server with its vectors in Chroma."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chroma_server import chroma_server, free_port
from support import DEMO, copy_demo

pytestmark = pytest.mark.asyncio
QUERY = "снять просроченные резервы"


async def until_legs(editor: Any, legs: list[str]) -> None:
    async def wait() -> None:
        while not editor.statuses or editor.statuses[-1].state != "ready" or list(editor.statuses[-1].legs) != legs:
            editor._changed.clear()
            await editor._changed.wait()

    await asyncio.wait_for(wait(), 120)


def children_of(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split()]


async def test_the_worker_answers_by_meaning(start: Callable[..., Any], tmp_path: Path) -> None:
    plain = await start(DEMO, index=tmp_path / "plain")
    await until_legs(plain, ["lexical", "vector"])
    editor = await start(copy_demo(tmp_path / "demo"), vectors={"store": "chroma"})
    await until_legs(editor, ["lexical", "vector"])
    assert not editor.statuses[-1].message
    for query in (QUERY, "послать клиенту письмо", "currency rate"):
        answer, expected = await editor.find(query, mode="hybrid"), await plain.find(query, mode="hybrid")
        assert answer.mode == "hybrid"
        assert [hit.symbol for hit in answer.hits] == [hit.symbol for hit in expected.hits]
    if sys.platform == "linux":
        (worker,) = children_of(editor.client._server.pid)
        loaded = [Path(f"/proc/{pid}/maps").read_text() for pid in (editor.client._server.pid, worker)]
        assert ["chromadb" in maps for maps in loaded] == [False, True]


async def test_a_killed_worker_leaves_the_words_and_comes_back(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(copy_demo(tmp_path / "demo"), vectors={"store": "chroma"})
    await until_legs(editor, ["lexical", "vector"])
    for pid in children_of(editor.client._server.pid):
        os.kill(pid, 9)
    reasons = []
    while True:
        answer = await editor.find(QUERY, mode="hybrid")
        assert answer.hits[0].symbol == "СнятьПросроченныеРезервы"
        if answer.mode == "hybrid":
            break
        reasons.append(answer.route.reason)
        await asyncio.sleep(0.05)
    assert all(reason.startswith("by words: ") and len(reason) > len("by words: ") for reason in reasons)
    assert any("Chroma" in reason for reason in reasons)


async def test_a_server_on_loopback(start: Callable[..., Any], tmp_path: Path) -> None:
    with chroma_server(tmp_path / "server") as url:
        editor = await start(DEMO, vectors={"store": "chroma", "chromaUrl": url})
        await until_legs(editor, ["lexical", "vector"])
        assert (await editor.find(QUERY, mode="vector")).mode == "vector"


async def test_no_server_is_told_and_words_answer(start: Callable[..., Any], tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    editor = await start(DEMO, vectors={"store": "chroma", "chromaUrl": url})

    async def wait() -> None:
        while not editor.statuses or editor.statuses[-1].state != "ready" or not editor.statuses[-1].message:
            editor._changed.clear()
            await editor._changed.wait()

    await asyncio.wait_for(wait(), 120)
    status = editor.statuses[-1]
    assert status.message == (
        "поиск по смыслу невозможен: the Chroma server of bslScout.vectors.chromaUrl does not answer "
        "(ConnectionRefusedError)"
    )
    assert list(status.legs) == ["lexical"]
    answer = await editor.find(QUERY)
    assert answer.hits[0].symbol == "СнятьПросроченныеРезервы"
    assert answer.mode == "lexical"
    assert answer.route.reason.startswith("by words: the Chroma server of bslScout.vectors.chromaUrl does not answer")


async def test_an_unknown_store_is_told(start: Callable[..., Any], tmp_path: Path) -> None:
    editor = await start(DEMO, vectors={"store": "faiss"})
    await until_legs(editor, ["lexical", "vector"])
    assert editor.statuses[-1].message == "bslScout.vectors.store: «faiss» ≠ exact, chroma"
