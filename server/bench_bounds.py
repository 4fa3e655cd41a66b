"""The figures of unusual sizes for server/bench.py: each case in a process of its own, with its peak of memory."""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types

from bench_figures import percentiles

GIANT_BYTES = 5_000_000
KEYS = 40
REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests"))
TYPED = "рассчитать остаток товара на складе по организации и характеристике номенклатуры за период отчета"


def sources() -> Any:
    """Return the maker of the sources, which the tests share."""
    return importlib.import_module("giant_sources")


def indexed(top: Path, write: Callable[[], object]) -> dict[str, Any]:
    """Return the CPU seconds and the peak of memory of the first index of what `write` writes."""
    from bench import memory
    from bsl_scout.index.indexer import refresh

    top.mkdir()
    write()
    begun = time.process_time()
    report = refresh(top, top.parent / "index")
    return {"cpu": time.process_time() - begun, "chunks": report.chunks, "memory": memory()}


def module(folder: Path) -> dict[str, Any]:
    """Index one module of 5 MB."""
    text = sources().giant_module(GIANT_BYTES)
    path = folder / "top" / "Module.bsl"
    found = indexed(folder / "top", lambda: path.write_text(text, encoding="utf-8"))
    return found | {"bytes": path.stat().st_size}


def procedure(folder: Path) -> dict[str, Any]:
    """Index one procedure of 135,000 characters."""
    text = sources().giant_procedure(135_000)
    found = indexed(folder / "top", lambda: (folder / "top" / "Module.bsl").write_text(text, encoding="utf-8"))
    return found | {"characters": len(text)}


def forms(folder: Path) -> dict[str, Any]:
    """Index an object of 2,000 forms."""
    return indexed(folder / "top", lambda: sources().object_with_forms(folder / "top", 2_000))


def queries(top: Path, folder: Path) -> dict[str, Any]:
    """Ask 10,000 characters and, letter by letter, 200 queries of one who types; on an index that is there."""
    return asyncio.run(_queries(top, folder))


async def _queries(top: Path, index: Path) -> dict[str, Any]:
    start_server = importlib.import_module("server_process").start_server
    server = await start_server(top, index)
    await server.until_quiet(600)
    before = resident(server.pid)
    begun = time.perf_counter()
    answer = await server.find(sources().long_query())
    long = (time.perf_counter() - begun) * 1000
    times = []
    typed = [TYPED[: i + 1] for i in range(len(TYPED))]
    for query in (typed * 3)[:200]:
        begun = time.perf_counter()
        await server.find(query)
        times.append((time.perf_counter() - begun) * 1000)
    after = resident(server.pid)
    await server.end()
    return {
        "long": f"{long:.0f} ms, {len(answer.hits)} hits",
        "typed": percentiles(times),
        "memory": f"{before} MB before, {after} MB after",
    }


async def _edit(folder: Path) -> dict[str, str]:
    """Open a module of 5 MB, colour it, hover and type in it."""
    start_server = importlib.import_module("server_process").start_server
    path = folder / "top" / "Module.bsl"
    path.parent.mkdir()
    text = sources().giant_module(GIANT_BYTES)
    path.write_text(text, encoding="utf-8")
    server = await start_server(path.parent, folder / "index")
    await server.until_quiet(120)
    client, uri = server.client, path.as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "bsl", 1, text)))
    document = types.TextDocumentIdentifier(uri)
    begun = time.perf_counter()
    colours = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    coloured = time.perf_counter() - begun
    hovers, keys = [], []
    for number in range(KEYS):
        place = types.Position(1 + 22 * number, 10)
        changed = types.TextDocumentContentChangePartial(types.Range(place, place), "ы")
        params = types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(number + 2, uri), [changed])
        begun = time.perf_counter()
        client.text_document_did_change(params)
        await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier("file:///no"), place))
        keys.append((time.perf_counter() - begun) * 1000)
        begun = time.perf_counter()
        await client.text_document_hover_async(types.HoverParams(document, place))
        hovers.append((time.perf_counter() - begun) * 1000)
    found = {
        "colours of a module of 5 MB": f"{coloured:.1f} s, {len(colours.data) // 5} of them",
        "a letter typed in it": percentiles(keys),
        "hover in it": percentiles(hovers),
        "memory of the server with it open": f"{resident(server.pid)} MB",
    }
    await server.end()
    return found


def resident(pid: int) -> int:
    """Return the resident memory of a process in MB."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True).stdout
    return int(told) // 1024


def bounds(top: Path) -> dict[str, str]:
    """Return the figures by name."""
    found: dict[str, str] = {}
    for name, what in (
        ("module", "a module of 5 MB"),
        ("procedure", "a procedure of 135,000 characters"),
        ("forms", "an object of 2,000 forms"),
    ):
        got = _in_process(name)
        found[f"first index of {what}"] = f"{got['cpu']:.1f} s CPU, {got['memory']} at most, {got['chunks']} chunks"
    with tempfile.TemporaryDirectory() as folder:
        found |= asyncio.run(_edit(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        got = queries(top, Path(folder))
    found["a query of 10,000 characters"] = got["long"]
    found["200 queries in a row while typing"] = got["typed"]
    found["memory of the server around these queries"] = got["memory"]
    return found


def _in_process(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, name, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    cases: dict[str, Callable[[Path], dict[str, Any]]] = {"module": module, "procedure": procedure, "forms": forms}
    print(json.dumps(cases[sys.argv[1]](Path(sys.argv[2]))))
