"""Vectors asked of the index worker: a real worker process with Chroma, and what holds it up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from bsl_scout.encoding.model import load_model
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.index.remote_vectors import RemoteVectors
from bsl_scout.index.vectors import (
    CHROMA,
    EPOCH,
    StoreChoice,
    StoredVectors,
    VectorQuery,
    VectorsUnavailableError,
)
from bsl_scout.index.worker_client import WorkerClient, WorkerError
from support import copy_demo

pytestmark = pytest.mark.asyncio
EMBEDDED = StoreChoice(CHROMA)
QUERY = "снять просроченные резервы"


async def until(ask: Callable[[], Awaitable[Any]], seconds: float = 120) -> Any:
    """Ask until the vectors can be asked."""
    started = time.monotonic()
    while True:
        try:
            return await ask()
        except WorkerError as error:
            assert error.kind == "unavailable"
            assert time.monotonic() - started < seconds, error
            await asyncio.sleep(0.05)


async def test_the_worker_answers_while_it_indexes(tmp_path: Path) -> None:
    top, folder = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, folder)
    catalog = Catalog(folder)
    epoch, alive = catalog.number(EPOCH), np.ones(catalog.last_ids()[0] + 1, np.bool_)
    plain = StoredVectors(catalog, load_model().dimensions)
    expected, cosines = plain.nearest(VectorQuery(load_model().query(QUERY), 5), alive)
    states: list[str] = []
    worker = WorkerClient(lambda index, state, *rest: states.append(state))
    # a text is turned into a vector by the worker
    asked = VectorQuery(None, 5, None, epoch, QUERY)
    chunks, scores = await until(lambda: worker.nearest(folder, EMBEDDED, asked))
    assert chunks == expected.tolist()
    assert scores == pytest.approx(cosines.tolist(), abs=1e-5)
    assert states == ["copying", "ready"]
    among = np.array([expected[3], expected[1]])
    chunks, _ = await worker.nearest(folder, EMBEDDED, VectorQuery(load_model().query(QUERY), 5, among, epoch))
    assert chunks == [expected[1], expected[3]]
    # a refresh that takes seconds, of another folder
    many = copy_demo(tmp_path / "many", copies=10)
    shown: list[int] = []
    refreshing = asyncio.create_task(
        worker.refresh(
            many, tmp_path / "other", None, False, [], lambda stage, done, total: shown.append(done), StoreChoice()
        )
    )
    while not shown:
        await asyncio.sleep(0.01)
    before = len(shown)
    answers = [await worker.nearest(folder, EMBEDDED, asked) for _ in range(5)]
    assert not refreshing.done()
    assert before < 51 * 10
    assert all(found == expected.tolist() for found, _ in answers)
    assert (await refreshing)["complete"]
    catalog.close()
    await worker.stop()


class HeldUp:
    """A worker that answers when it is let."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()

    async def nearest(self, folder: Path, store: StoreChoice, query: VectorQuery) -> tuple[list[int], list[float]]:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return [], []


async def test_a_worker_that_is_held_up_does_not_hold_up_the_words(tmp_path: Path) -> None:
    worker = HeldUp()
    remote = RemoteVectors(cast(WorkerClient, worker), asyncio.get_running_loop(), tmp_path, EMBEDDED, seconds=0.1)
    asked = VectorQuery(np.ones(2, np.float32), 3)
    for seconds in (0.1, 0.0):
        started = time.monotonic()
        with pytest.raises(VectorsUnavailableError, match="busy"):
            await asyncio.to_thread(remote.nearest, asked, np.ones(9, np.bool_))
        # and for a while it is not even asked
        assert seconds <= time.monotonic() - started < 0.1 + seconds * 20
    assert await asyncio.to_thread(worker.cancelled.wait, 5)


class Answering:
    async def nearest(self, folder: Path, store: StoreChoice, query: VectorQuery) -> tuple[list[int], list[float]]:
        return [7, 2, 40, 3], [0.9, 0.8, 0.7, 0.6]


class Failing:
    async def nearest(self, folder: Path, store: StoreChoice, query: VectorQuery) -> tuple[list[int], list[float]]:
        raise WorkerError("died", "the index worker ended unexpectedly")


async def test_only_chunks_of_the_words_at_hand_are_answered(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    alive = np.ones(9, np.bool_)
    alive[2] = False
    remote = RemoteVectors(cast(WorkerClient, Answering()), loop, tmp_path, EMBEDDED)
    chunks, scores = await asyncio.to_thread(remote.nearest, VectorQuery(None, 3, text="а"), alive)
    assert (chunks.tolist(), scores.tolist()) == ([7, 3], pytest.approx([0.9, 0.6]))
    remote = RemoteVectors(cast(WorkerClient, Failing()), loop, tmp_path, EMBEDDED)
    with pytest.raises(VectorsUnavailableError, match="ended unexpectedly"):
        await asyncio.to_thread(remote.nearest, VectorQuery(None, 3), alive)
