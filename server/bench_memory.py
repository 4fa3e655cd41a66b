"""The memory of a long session: `python3 server/dev.py bench memory [FOLDER]`.

A server with designer_mega_cc open answers 1,000 queries and takes 200 saves in; its resident memory is told after
each tenth of them and drawn, with the trend of the second half. FOLDER keeps the sources and the index for the next
time; without it a temporary folder is used.
"""

from __future__ import annotations

import asyncio
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from lsprotocol import types

from bench_figures import corpora, questions
from bench_lsp import Session, start
from bench_scale import kept_or_temporary

QUERIES, SAVES, POINTS = 1_000, 200, 10
ROWS = 10


def main(folder: str = "") -> int:
    """Print the table and the plot."""
    top = corpora()
    if top is None:
        print("this benchmark needs the corpora, which are not here", file=sys.stderr)
        return 1
    with kept_or_temporary(folder) as place:
        sources = place / "sources"
        if not sources.exists():
            shutil.copytree(top / "testdata" / "designer_mega_cc", sources)
        index = place / "index"
        asyncio.run(prepare(sources, index))
        points = asyncio.run(session_memory(sources, index))
    print(f"designer_mega_cc; Python {platform.python_version()}, {platform.machine()}\n")
    print("| after | server | worker |\n|---|---|---|")
    for what, server, worker in points:
        print(f"| {what} | {server:.0f} MB | {worker:.0f} MB |")
    print(f"\n{plot([server for _, server, _ in points])}")
    for number, name in ((1, "server"), (2, "worker")):
        print(f"{name}: {trend([float(point[number]) for point in points]):+.2f} MB per 100 queries and 20 saves")
    return 0


async def prepare(top: Path, index: Path) -> None:
    """Make the index in another session: the memory of a first index is measured elsewhere."""
    session = await start(top, index)
    await session.until("ready")
    await session.end()


async def session_memory(top: Path, index: Path) -> list[tuple[str, float, float]]:
    """Return what was done, and the memory of server and worker in MB after it."""
    session = await start(top, index)
    await session.until("ready")
    await session.find("прогрев", "hybrid")
    await session.until_meaning()
    asked = questions()
    modules = sorted(top.rglob("*.bsl"))[:: max(1, len(list(top.rglob("*.bsl"))) // SAVES)][:SAVES]
    points = [("opening", *megabytes(session.pid))]
    for point in range(POINTS):
        for number in range(QUERIES // POINTS):
            await session.find(asked[(point * QUERIES // POINTS + number) % len(asked)], "hybrid")
            if number % (QUERIES // SAVES) == 0:
                await save(session, modules[(point * QUERIES // POINTS + number) // (QUERIES // SAVES)])
        done = (point + 1) * QUERIES // POINTS
        points.append((f"{done} queries, {done * SAVES // QUERIES} saves", *megabytes(session.pid)))
    await session.end()
    return points


async def save(session: Session, path: Path) -> None:
    """Add a procedure to a module, tell the server and wait until it is found."""
    word = f"Метка{time.time_ns()}Ъ"
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\nПроцедура {word}()\n\tЗначение = 1;\nКонецПроцедуры\n")
    session.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(path.as_uri())))
    while not any(hit.symbol == word for hit in (await session.find(word, "lexical")).hits):
        await asyncio.sleep(0.002)


def megabytes(pid: int) -> tuple[float, float]:
    """Return the resident memory of a process and of its children in MB."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True).stdout
    rows = [tuple(map(int, line.split())) for line in table.splitlines()]
    own = sum(rss for process, _, rss in rows if process == pid)
    return own / 1024, sum(rss for _, parent, rss in rows if parent == pid) / 1024


def trend(values: list[float]) -> float:
    """Return the slope of a line through the second half of the points: the first fills the caches."""
    later = values[len(values) // 2 :]
    return float(np.polyfit(np.arange(len(later)), later, 1)[0])


def plot(values: list[float]) -> str:
    """Return the values as rows of text from 0 up."""
    highest = max(values)
    lines = []
    for row in range(ROWS, 0, -1):
        level = highest * row / ROWS
        lines.append(
            f"{level:5.0f} MB |"
            + "".join("  ##" if value >= level - highest / ROWS / 2 else "    " for value in values)
        )
    return "\n".join([*lines, f"{'':9}+{'----' * len(values)}"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
