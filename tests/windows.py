"""Two editor windows on one configuration that save and search at the same time."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from server_process import Server

FOUND_SECONDS = 30
KNOWN = ("сумма словами", "СуммаСловами")


async def write_and_read(
    servers: Sequence[Server], top: Path, seconds: float, seed: int, least: int = 0
) -> Counter[str]:
    """Save in turn in each window and search in the other; return how often, and how often an answer was lost.

    That takes `seconds`, and on a slow machine as long as `least` saves take.
    Raises AssertionError when a saved procedure is not found by both windows.
    """
    chance = random.Random(seed)
    for server in servers:
        await server.until_quiet(60)
    # each window edits modules of its own: the editors would warn of more
    modules = sorted(path for path in top.rglob("*.bsl") if "ПечатьДокументов" not in path.parts)
    done: Counter[str] = Counter()
    stop = asyncio.Event()
    searching = [asyncio.create_task(_search(server, stop, done)) for server in servers]
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline or done["saves"] < least:
            saves = []
            for number, server in enumerate(servers):
                path = chance.choice(modules[number :: len(servers)])
                name = f"Сохранение{done['saves']}Окна{number}Ъ"
                text = path.read_text(encoding="utf-8-sig")
                path.write_text(f"{text}\nПроцедура {name}()\nКонецПроцедуры\n", encoding="utf-8")
                server.tell_changed([path])
                saves.append(name)
                done["saves"] += 1
            for name in saves:
                for server in servers:
                    await _found(server, name)
    finally:
        stop.set()
        await asyncio.gather(*searching)
    return done


async def _found(server: Server, name: str) -> None:
    deadline = time.monotonic() + FOUND_SECONDS
    while not any(hit.symbol == name for hit in (await server.find(name, mode="lexical")).hits):
        assert time.monotonic() < deadline, f"{name} was saved and is not found"
        await asyncio.sleep(0.02)


async def _search(server: Server, stop: asyncio.Event, done: Counter[str]) -> None:
    query, symbol = KNOWN
    while not stop.is_set():
        hits = (await server.find(query)).hits
        done["searches"] += 1
        done["lost answers"] += not hits or hits[0].symbol != symbol
        await asyncio.sleep(0.02)
