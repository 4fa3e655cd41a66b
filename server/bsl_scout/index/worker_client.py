"""Talks to the index worker: starts it when needed, asks for refreshes and vectors, stops it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .vectors import StoreChoice, VectorQuery

log = logging.getLogger(__name__)

ShowStage = Callable[[str, int, int], None]
# the index folder, the state (copying, ready, failed), how many vectors of how many are copied, what is wrong
TellStore = Callable[[Path, str, int, int, str], None]

# an answer of many chunks is one line
_LINE_BYTES = 4 * 1024 * 1024


class WorkerError(Exception):
    """A job failed; the text is for the user.

    `kind` is locked, unreadable (the sources), full (the disk of the index), unwritable, unavailable, stopped, died or
    error.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A job that was asked for: who waits, who shows its progress, whose index to refresh, which worker does it."""

    future: asyncio.Future[dict[str, Any]]
    show: ShowStage | None
    refreshed: Path | None
    process: asyncio.subprocess.Process


class WorkerClient:
    """The one worker process of a server. All methods belong to one event loop."""

    def __init__(self, tell_store: TellStore = lambda *_: None) -> None:
        self._tell_store = tell_store
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._last = 0
        self._waiting: dict[int, _Waiting] = {}

    @property
    def pid(self) -> int | None:
        """The process id of the running worker."""
        return self._process.pid if self._process else None

    async def refresh(
        self,
        top: Path,
        folder: Path,
        paths: Sequence[str] | None,
        rebuild: bool,
        roots: Sequence[str],
        show: ShowStage,
        store: StoreChoice,
        encoder: str = "",
    ) -> dict[str, Any]:
        """Return the worker's report of a refresh; raises WorkerError. Cancelling the caller stops the refresh."""
        job = {
            "top": str(top),
            "paths": None if paths is None else list(paths),
            "rebuild": rebuild,
            "roots": list(roots),
            "encoder": encoder,
        }
        return await self._ask(folder, job, show, store, refreshed=folder)

    async def adapt(self, folder: Path, show: ShowStage, store: StoreChoice) -> dict[str, Any]:
        """Return what came of adapting the model to an index; raises WorkerError. Cancelling the caller stops it."""
        return await self._ask(folder, {"adapt": True}, show, store)

    async def encode(self, folder: Path, show: ShowStage, store: StoreChoice) -> dict[str, Any]:
        """Return how making vectors of another encoder ended; raises WorkerError. Cancelling the caller stops it."""
        return await self._ask(folder, {"encode": True}, show, store)

    async def rerank(self, model: str, query: str, texts: Sequence[str]) -> list[float]:
        """Return the scores of texts for a query by a cross-encoder; raises WorkerError."""
        job = {"ask": "rerank", "model": model, "query": query, "texts": list(texts)}
        answer = await self._ask(Path(), job, None)
        scores: list[float] = answer["scores"]
        return scores

    async def nearest(self, folder: Path, store: StoreChoice, query: VectorQuery) -> tuple[list[int], list[float]]:
        """Return the chunks nearest to a query with their cosines, best first; raises WorkerError."""
        job = {
            "ask": "vectors",
            "vector": None if query.vector is None else query.vector.tolist(),
            "query": query.text,
            "epoch": query.epoch,
            "top": query.top,
            "among": None if query.among is None else query.among.tolist(),
        }
        answer = await self._ask(folder, job, None, store)
        return answer["chunks"], answer["scores"]

    async def _ask(
        self,
        folder: Path,
        job: dict[str, Any],
        show: ShowStage | None,
        store: StoreChoice = StoreChoice(),  # noqa: B008 - it is frozen
        refreshed: Path | None = None,
    ) -> dict[str, Any]:
        process = await self._started()
        self._last += 1
        number = self._last
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = _Waiting(future, show, refreshed, process)
        job |= {"id": number, "folder": str(folder), "store": store.kind, "url": store.url}
        try:
            await self._send(process, job)
            return await future
        except asyncio.CancelledError:
            with contextlib.suppress(WorkerError):
                await self._send(process, {"cancel": number})
            raise
        finally:
            self._waiting.pop(number, None)

    def cancel(self, folder: Path) -> None:
        """Ask the worker to stop refreshing an index; its report says that it is not complete."""
        for number, waiting in self._waiting.items():
            if waiting.refreshed == folder and waiting.process.stdin:
                waiting.process.stdin.write(_line({"cancel": number}))

    async def stop(self) -> None:
        """End the worker: it leaves with its input, or is killed."""
        process = self._process
        self._process = None
        if process is None or process.returncode is not None:
            return
        if process.stdin:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 1.0)
        except asyncio.TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                flags: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "bsl_scout",
                    "worker",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_LINE_BYTES,
                    creationflags=flags,
                )
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _send(self, process: asyncio.subprocess.Process, message: dict[str, Any]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(_line(message))
            await process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise WorkerError("died", "the index worker has ended") from error

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            try:
                self._take(json.loads(line))
            except Exception:
                log.exception("a message of the index worker was not understood")
        await process.wait()
        for waiting in list(self._waiting.values()):
            if waiting.process is process and not waiting.future.done():
                waiting.future.set_exception(WorkerError("died", "the index worker ended unexpectedly"))

    def _take(self, message: dict[str, Any]) -> None:
        if message["event"] == "store":
            self._tell_store(
                Path(message["folder"]), message["state"], message["done"], message["total"], message["message"]
            )
            return
        waiting = self._waiting.get(message["id"])
        if waiting is None or waiting.future.done():
            return
        if message["event"] == "progress":
            if waiting.show:
                waiting.show(message["stage"], message["done"], message["total"])
        elif message["event"] == "failed":
            waiting.future.set_exception(WorkerError(message["kind"], message["message"]))
        else:
            waiting.future.set_result(message)


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
