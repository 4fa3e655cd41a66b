"""Asks the index worker for vectors from a thread of the server."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import CancelledError, TimeoutError
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .lexical import Ints
from .vectors import Floats, StoreChoice, VectorQuery, VectorsUnavailableError, living
from .worker_client import WorkerClient, WorkerError

# a question takes milliseconds; a worker that is held up must not hold up the words
_ANSWER_SECONDS = 1.0
# after that the words answer at once for a while
_PAUSE_SECONDS = 3.0


class RemoteVectors:
    """The vectors of an index that the worker answers from; its loop is that of the worker's client."""

    def __init__(
        self,
        worker: WorkerClient,
        loop: asyncio.AbstractEventLoop,
        folder: Path,
        store: StoreChoice,
        seconds: float = _ANSWER_SECONDS,
    ) -> None:
        self._worker = worker
        self._loop = loop
        self._folder = folder
        self._store = store
        self._seconds = seconds
        self._not_before = 0.0

    def nearest(self, query: VectorQuery, alive: npt.NDArray[np.bool_]) -> tuple[Ints, Floats]:
        """Return the nearest of the chunks that are alive with their cosines; not to be called in the loop's thread.

        Raises VectorsUnavailableError, also when the worker does not answer in time.
        """
        if time.monotonic() < self._not_before:
            raise VectorsUnavailableError("the index worker is busy")
        future = asyncio.run_coroutine_threadsafe(self._worker.nearest(self._folder, self._store, query), self._loop)
        try:
            found, cosines = future.result(self._seconds)
        except TimeoutError as error:
            # the worker leaves a question out that nobody waits for any more
            future.cancel()
            self._not_before = time.monotonic() + _PAUSE_SECONDS
            raise VectorsUnavailableError("the index worker is busy") from error
        except (WorkerError, CancelledError) as error:
            raise VectorsUnavailableError(str(error) or "the server is being stopped") from error
        return living(np.array(found, dtype=np.int64), np.array(cosines, dtype=np.float32), alive)
