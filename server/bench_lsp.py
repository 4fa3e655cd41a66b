"""The figures of the language server, for server/bench.py: a real process over standard streams."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from bench_figures import percentiles

SAVES = 20
MODES = {"lexical": {"lexical"}, "hybrid": {"lexical", "vector"}}


class Session:
    """A started server; `states` are the index states it told."""

    def __init__(self, client: LanguageClient, started: float) -> None:
        self.client = client
        self.started = started
        self.states: list[str] = []
        self.legs: list[str] = []
        # when searches first looked at the vectors too
        self.meaning = 0.0

    @property
    def pid(self) -> int:
        """The process of the server."""
        return int(self.client._server.pid)  # type: ignore[union-attr]

    def take(self, state: str, legs: list[str]) -> None:
        """Note what the server told."""
        self.states.append(state)
        self.legs = legs
        if "vector" in legs and not self.meaning:
            self.meaning = time.perf_counter()

    async def until_meaning(self) -> None:
        """Wait until searches look at the vectors too."""
        while "vector" not in self.legs:
            await asyncio.sleep(0.005)

    async def until(self, state: str) -> None:
        """Wait for a state of the index."""
        while not self.states or self.states[-1] != state:
            await asyncio.sleep(0.005)

    async def find(self, query: str, mode: str = "auto") -> Any:
        """Return the answer to a query."""
        send: Any = self.client.protocol.send_request_async
        return await send("bslScout/findLogic", {"query": query, "mode": mode})

    async def end(self) -> None:
        """Shut the server down."""
        await self.client.shutdown_session()
        await self.client.stop()  # type: ignore[no-untyped-call]


async def start(top: Path, index: Path) -> Session:
    """Return a session whose server has answered `initialize`."""
    started = time.perf_counter()
    client = make_test_lsp_client()
    session = Session(client, started)
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    client.feature("bslScout/indexStatus")(lambda params: session.take(params.state, params.legs))
    await client.start_io(sys.executable, "-m", "bsl_scout", "lsp", "--index-dir", str(index))
    folders = [types.WorkspaceFolder(top.as_uri(), top.name)]
    await client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("visual-studio-code"), workspace_folders=folders)
    )
    return session


def resident(pid: int) -> str:
    """Return the resident memory of a process and of its children in MB."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True).stdout
    rows = [tuple(map(int, line.split())) for line in table.splitlines()]
    own = sum(rss for process, _, rss in rows if process == pid)
    worker = sum(rss for _, parent, rss in rows if parent == pid)
    return f"{own / 1024:.0f} MB, worker {worker / 1024:.0f} MB"


async def hovers(top: Path, index: Path, seconds: float = 1e9) -> dict[str, str]:
    """Measure hovers while an index is made from nothing, to its end or for some seconds."""
    session = await start(top, index)
    waits = await hover_while_indexing(session, top, seconds)
    memory = resident(session.pid)
    await session.end()
    return {
        "hover while the first index is made": f"{percentiles(waits)} ({len(waits)} hovers)",
        "memory of the server while the first index is made": memory,
    }


async def measure(top: Path, index: Path, queries: list[str]) -> dict[str, str]:
    """Return the figures of a server whose index is made, by name."""
    figures: dict[str, str] = {}
    session = await start(top, index)
    figures["spawn to `initialize` answered"] = f"{(time.perf_counter() - session.started) * 1000:.0f} ms"
    await session.find(queries[0])
    figures["spawn to the first findLogic answer, indexed"] = f"{(time.perf_counter() - session.started) * 1000:.0f} ms"
    await session.until("ready")
    figures["spawn to ready, nothing changed"] = f"{(time.perf_counter() - session.started) * 1000:.0f} ms"
    await session.until_meaning()
    figures["spawn to search by meaning, nothing changed"] = f"{(session.meaning - session.started) * 1000:.0f} ms"
    for mode, legs in MODES.items():
        inside, outside = [], []
        for query in queries * 2:
            begun = time.perf_counter()
            answer = await session.find(query, mode)
            outside.append((time.perf_counter() - begun) * 1000)
            inside.append(answer.elapsedMs)
            assert set(answer.legs) & {"lexical", "vector"} == legs, answer.legs
        figures[f"findLogic in the server, {mode}"] = percentiles(inside)
        figures[f"findLogic as the client sees it, {mode}"] = percentiles(outside)
    figures["didSave to found"] = percentiles(await saves(session, top))
    figures["didSave of an object's XML to found"] = percentiles(await object_saves(session, top))
    figures["typed and not saved to found"] = percentiles(await typed(session, top))
    figures["memory of the server"] = resident(session.pid)
    begun = time.perf_counter()
    await session.end()
    figures["shutdown and exit"] = f"{(time.perf_counter() - begun) * 1000:.0f} ms"
    return figures


async def hover_while_indexing(session: Session, top: Path, seconds: float) -> list[float]:
    """Return the milliseconds of hovers on words of a module until the index is ready or the seconds are over."""
    end = time.perf_counter() + seconds
    path = next(path for path in sorted(top.rglob("*.bsl")) if path.stat().st_size > 5_000)
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    places = [(i, len(line) - len(line.lstrip()) + 1) for i, line in enumerate(lines) if len(line.strip()) > 10]
    document = types.TextDocumentIdentifier(path.as_uri())
    waits: list[float] = []
    while (not session.states or session.states[-1] != "ready") and time.perf_counter() < end:
        line, character = places[len(waits) % len(places)]
        begun = time.perf_counter()
        await session.client.text_document_hover_async(types.HoverParams(document, types.Position(line, character)))
        waits.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(0.02)
    return waits


async def saves(session: Session, top: Path) -> list[float]:
    """Return the milliseconds from the save of a new procedure to its first hit, module by module."""
    modules = sorted(top.rglob("*.bsl"))
    times = []
    for number, path in enumerate(modules[:: max(1, len(modules) // SAVES)][:SAVES]):
        word = f"МеткаСохранения{number}Ъ"
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\nПроцедура {word}()\n\tЗначение = 1;\nКонецПроцедуры\n")
        begun = time.perf_counter()
        document = types.TextDocumentIdentifier(path.as_uri())
        session.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        # "found" is by words: meaning answers any word, only words tell that this one is there
        while not any(hit.symbol == word for hit in (await session.find(word, "lexical")).hits):
            await asyncio.sleep(0.002)
        times.append((time.perf_counter() - begun) * 1000)
    return times


async def object_saves(session: Session, top: Path) -> list[float]:
    """Return the milliseconds from the save of a new comment of an object to its first hit, object by object."""
    await session.until("ready")
    objects = sorted(top.rglob("Catalogs/*.xml"))
    times = []
    for number, path in enumerate(objects[:: max(1, len(objects) // SAVES)][:SAVES]):
        word = f"МеткаОбъекта{number}Ъ"
        text = path.read_text(encoding="utf-8-sig")
        for empty in ("<Comment/>", "<Comment>"):
            if empty in text:
                text = text.replace(empty, f"<Comment>{word} " + ("</Comment>" if "/" in empty else ""), 1)
                break
        path.write_text(text, encoding="utf-8")
        begun = time.perf_counter()
        document = types.TextDocumentIdentifier(path.as_uri())
        session.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        while not (await session.find(word, "lexical")).hits:
            await asyncio.sleep(0.002)
        times.append((time.perf_counter() - begun) * 1000)
    return times


async def typed(session: Session, top: Path) -> list[float]:
    """Return the milliseconds from a procedure that is typed and not saved to its first hit, module by module."""
    await session.until("ready")
    modules = sorted(top.rglob("*.bsl"))
    times = []
    for number, path in enumerate(modules[:: max(1, len(modules) // SAVES)][:SAVES]):
        word, uri = f"МеткаНабора{number}Ъ", path.as_uri()
        opened = types.TextDocumentItem(uri, "bsl", 1, path.read_text(encoding="utf-8-sig"))
        session.client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        begun = time.perf_counter()
        place = types.Range(types.Position(0, 0), types.Position(0, 0))
        change = types.TextDocumentContentChangePartial(place, f"Процедура {word}()\nКонецПроцедуры\n")
        document = types.VersionedTextDocumentIdentifier(2, uri)
        session.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        while not any(hit.symbol == word for hit in (await session.find(word, "lexical")).hits):
            await asyncio.sleep(0.002)
        times.append((time.perf_counter() - begun) * 1000)
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    return times
