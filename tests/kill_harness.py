"""Kills the language server, its index worker or both at random moments, and compares what is left with a new index.

The tests run a few kills, `python3 server/dev.py bench kills` fifty.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bsl_scout.index.indexer import refresh
from bsl_scout.index.place import index_folder
from server_process import Server, alive, children_of, start_server
from support import check_postings, copy_demo, index_state, index_vectors

READY_SECONDS = 240
ORPHAN_SECONDS = 5
VICTIMS = ("server", "worker", "both")


class Kills:
    """A tree of sources that changes, an index of it, and a server that is killed."""

    def __init__(self, folder: Path, seed: int, copies: int) -> None:
        self._chance = random.Random(seed)
        self._top = copy_demo(folder / "sources", copies)
        self._base = folder / "index"
        self._index = index_folder(self._top, self._base)
        self._fresh = folder / "fresh"
        self._edits: tuple[Callable[[], list[Path]], ...] = (
            self._first, self._save, self._save, self._synonym, self._move, self._remove, self._checkout,
        )  # fmt: skip
        # how long a round takes that nobody kills: kills are spread over all of it
        self._usual = 3.0
        self.done: Counter[str] = Counter()

    async def run(self, kills: int) -> Counter[str]:
        """Kill so often, each time compare; return what was done how often. Raises AssertionError for a difference."""
        server = await self._started()
        try:
            for number in range(kills):
                edit = self._edits[number % len(self._edits)]
                victim = VICTIMS[self._chance.randrange(len(VICTIMS))]
                if edit == self._first:
                    await server.end()
                    shutil.rmtree(self._index, ignore_errors=True)
                    server = await start_server(self._top, self._base)
                else:
                    server.tell_changed(edit())
                await asyncio.sleep(self._chance.uniform(0, self._usual))
                server = await self._kill(server, victim)
                self.done[f"{victim} killed"] += 1
                self.done[f"during {edit.__name__.strip('_')}"] += 1
                self._compare(f"kill {number + 1}: {victim} during {edit.__name__}")
        finally:
            await server.end()
        return self.done

    async def _started(self) -> Server:
        started = time.monotonic()
        server = await start_server(self._top, self._base)
        await server.until("ready", READY_SECONDS)
        self._usual = time.monotonic() - started
        return server

    async def _kill(self, server: Server, victim: str) -> Server:
        workers = children_of(server.pid)
        for pid in ([server.pid] if victim != "worker" else []) + (workers if victim != "server" else []):
            os.kill(pid, 9)
        if victim == "worker":
            # the same server starts another worker; a save makes it look again when nothing was under way
            server.forget_states()
            server.tell_changed([next(self._top.rglob("*.bsl"))])
            await server.until_quiet(READY_SECONDS)
            return server
        await server.end(killed=True)
        deadline = time.monotonic() + ORPHAN_SECONDS
        while any(alive(pid) for pid in workers):
            assert time.monotonic() < deadline, "the worker outlives its server"
            await asyncio.sleep(0.02)
        return await self._started()

    def _compare(self, what: str) -> None:
        shutil.rmtree(self._fresh, ignore_errors=True)
        refresh(self._top, self._fresh)
        check_postings(self._index)
        found, expected = index_state(self._index), index_state(self._fresh)
        for part, value in expected.items():
            assert found[part] == value, f"{what}: {part} differ from a new index"
        found_vectors, vectors = index_vectors(self._index), index_vectors(self._fresh)
        assert found_vectors.keys() == vectors.keys(), f"{what}: other chunks have vectors"
        for place, vector in vectors.items():
            # another batch may round the last bit otherwise
            assert np.abs(found_vectors[place] - vector).max() <= 1, f"{what}: the vector of {place} is another"

    # --- what happens to the sources; each returns the files that an editor would be told of

    def _first(self) -> list[Path]:
        raise AssertionError("a first index begins with a new server")

    def _some(self, pattern: str, count: int) -> list[Path]:
        return self._chance.sample(sorted(self._top.rglob(pattern)), count)

    def _save(self) -> list[Path]:
        files = self._some("*.bsl", 3)
        for path in files:
            number = self._chance.randrange(1_000_000)
            text = path.read_text(encoding="utf-8-sig")
            path.write_text(f"{text}\nПроцедура Новая{number}()\n\tЗаказ{number} = 1;\nКонецПроцедуры\n", "utf-8")
        return files

    def _synonym(self) -> list[Path]:
        """Give an object another synonym: the vectors of its modules depend on it."""
        owners = {path.parent.parent for path in self._top.glob("*/*/*/Ext/*.bsl")}
        objects = [path for path in (owner.with_suffix(".xml") for owner in sorted(owners)) if path.is_file()]
        path = self._chance.choice(objects)
        text = path.read_text(encoding="utf-8-sig")
        word = f"Новый{self._chance.randrange(1_000_000)} "
        assert "<v8:content>" in text, path
        path.write_text(text.replace("<v8:content>", f"<v8:content>{word}", 1), "utf-8")
        return [path]

    def _move(self) -> list[Path]:
        """Move a module to an object of another name, as after a rename."""
        (path,) = self._some("CommonModules/*/Ext/Module.bsl", 1)
        other = path.parent.parent.parent / f"Иной{self._chance.randrange(1_000_000)}" / "Ext" / "Module.bsl"
        other.parent.mkdir(parents=True)
        path.rename(other)
        return [path, other]

    def _remove(self) -> list[Path]:
        files = self._some("*.bsl", 2)
        for path in files:
            path.unlink()
        return files

    def _checkout(self) -> list[Path]:
        """Change every procedure, so that the base is merged."""
        files = sorted(self._top.rglob("*.bsl"))
        mark = f" // выпуск {self._chance.randrange(1_000_000)}"
        for path in files:
            lines = path.read_text(encoding="utf-8-sig").split("\n")
            path.write_text("\n".join(line + mark if line.startswith("Конец") else line for line in lines), "utf-8")
        return files
