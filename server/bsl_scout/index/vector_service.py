"""Answers the vector leg in the index worker, beside the refreshes: one thread answers, one copies vectors.

It also reads hits with a cross-encoder, in a third one.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from bsl_scout.encoding.model import ModelError
from bsl_scout.encoding.sentence_encoder import load_reranker

from .catalog import Catalog, CatalogUnavailableError, DamagedCatalogError
from .chroma_index import ChromaIndex
from .embedding import adapted_folder, present_encoder
from .encoders import encoder_title, open_bsl, open_other
from .exact_index import ExactIndex
from .model_loader import ModelLoader
from .vectors import CHROMA, Floats, VectorQuery, VectorsUnavailableError

Tell = Callable[..., None]
# a store that could not be used is tried again after a while, not for each letter that is typed
_AGAIN_SECONDS = 10.0
_PATIENCE_SECONDS = 1.0


class VectorService:
    """The Chroma stores and the large models of the indexes that this worker serves.

    `tell` sends an answer (`id`, `event`) or how a store is doing: `event` is `store`, `state` is copying, ready or
    failed.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._indexes: dict[tuple[str, str], ChromaIndex] = {}
        self._exact: dict[str, ExactIndex] = {}
        self._encoders = ModelLoader(open_other)
        self._rerankers = ModelLoader(load_reranker)
        self._pairs: queue.Queue[dict[str, Any]] = queue.Queue()
        self._questions: queue.Queue[dict[str, Any]] = queue.Queue()
        self._behind: queue.Queue[tuple[str, str]] = queue.Queue()
        self._wanted: set[tuple[str, str]] = set()
        self._copying: tuple[str, str] | None = None
        self._failed: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()
        self._started = self._ended = False
        self.stopped: set[int] = set()

    def ask(self, job: dict[str, Any]) -> None:
        """Answer a question (for vectors, or to rerank), after those of its kind that were asked before."""
        self._start()
        (self._pairs if job.get("ask") == "rerank" else self._questions).put(job)

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
            for work in (self._answer_all, self._copy_all, self._rerank_all):
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
            self._telling(self._questions.get(), self._nearest)

    def _rerank_all(self) -> None:
        while True:
            self._telling(self._pairs.get(), self._rerank)

    def _telling(self, job: dict[str, Any], work: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Tell what came of a question, unless nobody waits for it any more."""
        number = job["id"]
        try:
            if number not in self.stopped:
                self._tell(id=number, event="done", **work(job))
        except (VectorsUnavailableError, ModelError) as error:
            self._tell(id=number, event="failed", kind="unavailable", message=str(error))
        except Exception as error:  # noqa: BLE001 - one failed question must not end the worker; it is told and logged
            print(f"a question failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            self._tell(id=number, event="failed", kind="error", message=f"internal error ({type(error).__name__})")
        self.stopped.discard(number)

    def _nearest(self, job: dict[str, Any]) -> dict[str, Any]:
        folder = Path(job["folder"])
        vector = np.array(job["vector"], dtype=np.float32) if job["vector"] else self._vector(folder, job["query"])
        among = None if job["among"] is None else np.array(job["among"], dtype=np.int64)
        query = VectorQuery(vector, job["top"], among, job["epoch"])
        if job["store"] != CHROMA:
            chunks, scores = self._exact.setdefault(job["folder"], ExactIndex(folder)).nearest(query)
            return {"chunks": chunks.tolist(), "scores": scores.tolist()}
        key = job["folder"], job["url"]
        try:
            chunks, scores = self._index(key).nearest(query)
        except VectorsUnavailableError:
            if key != self._copying and time.monotonic() >= self._failed.get(key, -_AGAIN_SECONDS) + _AGAIN_SECONDS:
                self._want(key)
            raise
        return {"chunks": chunks.tolist(), "scores": scores.tolist()}

    def _vector(self, folder: Path, text: str) -> Floats:
        """Return the vector of a query by the model that the vectors of an index are of."""
        try:
            with closing(Catalog(folder, _PATIENCE_SECONDS)) as catalog:
                name, adapted = present_encoder(catalog), adapted_folder(catalog, folder)
        except (CatalogUnavailableError, DamagedCatalogError) as error:
            raise VectorsUnavailableError(f"the index cannot be read now: {error}") from error
        encoder = self._encoders.get(name) if name else open_bsl(adapted)
        if encoder is None:
            raise VectorsUnavailableError(f"{encoder_title(name)} is being loaded")
        return encoder.query(text)

    def _rerank(self, job: dict[str, Any]) -> dict[str, Any]:
        reranker = self._rerankers.get(job["model"])
        if reranker is None:
            raise VectorsUnavailableError(f"{encoder_title(job['model'])} is being loaded")
        return {"scores": reranker.scores(job["query"], job["texts"])}

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
