"""Answers the vector leg in the index worker, beside the refreshes: one thread answers, one copies vectors."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bsl_scout.encoding.model import ModelError, load_model

from .chroma_index import ChromaIndex
from .vectors import CHROMA, VectorQuery, VectorsUnavailableError

Tell = Callable[..., None]
# a store that could not be used is tried again after a while, not for each letter that is typed
_AGAIN_SECONDS = 10.0


class VectorService:
    """The Chroma stores of the indexes that this worker serves.

    `tell` sends an answer (`id`, `event`) or how a store is doing: `event` is `store`, `state` is copying, ready or
    failed.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._indexes: dict[tuple[str, str], ChromaIndex] = {}
        self._questions: queue.Queue[dict[str, Any]] = queue.Queue()
        self._behind: queue.Queue[tuple[str, str]] = queue.Queue()
        self._wanted: set[tuple[str, str]] = set()
        self._copying: tuple[str, str] | None = None
        self._failed: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()
        self._started = self._ended = False
        self.stopped: set[int] = set()

    def ask(self, job: dict[str, Any]) -> None:
        """Answer a question, after those that were asked before."""
        self._start()
        self._questions.put(job)

    def follow(self, job: dict[str, Any]) -> None:
        """Have the store of a job's index brought up to its catalog."""
        if job["store"] == CHROMA:
            self._start()
            self._want((job["folder"], job["url"]))

    def leave(self) -> None:
        """Note that the process ends now of its own accord."""
        self._ended = True
        with self._lock:
            for index in self._indexes.values():
                index.leave()

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for work in (self._answer_all, self._copy_all):
                threading.Thread(target=work, daemon=True).start()

    def _want(self, key: tuple[str, str]) -> None:
        with self._lock:
            if key not in self._wanted:
                self._wanted.add(key)
                self._behind.put(key)

    def _index(self, key: tuple[str, str]) -> ChromaIndex:
        with self._lock:
            if key not in self._indexes:
                self._indexes[key] = ChromaIndex(Path(key[0]), key[1])
            return self._indexes[key]

    def _answer_all(self) -> None:
        while True:
            job = self._questions.get()
            if job["id"] not in self.stopped:
                self._answer(job)
            self.stopped.discard(job["id"])

    def _answer(self, job: dict[str, Any]) -> None:
        key = job["folder"], job["url"]
        index = self._index(key)
        try:
            chunks, scores = index.nearest(_query(job))
        except (VectorsUnavailableError, ModelError) as error:
            if key != self._copying and time.monotonic() >= self._failed.get(key, -_AGAIN_SECONDS) + _AGAIN_SECONDS:
                self._want(key)
            self._tell(id=job["id"], event="failed", kind="unavailable", message=str(error))
        except Exception as error:  # noqa: BLE001 - one failed question must not end the worker; it is told and logged
            print(f"vector leg failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            self._tell(id=job["id"], event="failed", kind="error", message=f"internal error ({type(error).__name__})")
        else:
            self._tell(id=job["id"], event="done", chunks=chunks.tolist(), scores=scores.tolist())

    def _copy_all(self) -> None:
        while True:
            key = self._behind.get()
            with self._lock:
                # what changes from now on is another wish
                self._wanted.discard(key)
            self._copying = key
            self._copy(key)
            self._copying = None

    def _copy(self, key: tuple[str, str]) -> None:
        def told(state: str, done: int = 0, total: int = 0, message: str = "") -> None:
            self._tell(event="store", folder=key[0], state=state, done=done, total=total, message=message)

        index = self._index(key)

        def copied(done: int, total: int) -> None:
            # what is brought up answers meanwhile as before
            if not index.ready:
                told("copying", done, total)

        try:
            ready = index.follow(copied, cancelled=lambda: self._ended)
        except VectorsUnavailableError as error:
            self._failed[key] = time.monotonic()
            told("failed", message=str(error))
        except Exception as error:  # noqa: BLE001 - a store that fails must not end the worker; it is told and logged
            print(f"copying vectors failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            self._failed[key] = time.monotonic()
            told("failed", message=f"internal error ({type(error).__name__})")
        else:
            self._failed.pop(key, None)
            if ready:
                told("ready")


def _query(job: dict[str, Any]) -> VectorQuery:
    """Return the question of a job: its vector, or its text turned into one by the shipped model."""
    given, among = job["vector"], job["among"]
    vector = load_model().query(job["query"]) if given is None else np.array(given, dtype=np.float32)
    chosen = None if among is None else np.array(among, dtype=np.int64)
    return VectorQuery(vector, job["top"], chosen, job["epoch"])
