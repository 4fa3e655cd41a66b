"""Lets the index worker read hits with a cross-encoder, from a thread of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import CancelledError, TimeoutError

from bsl_scout.index.worker_client import WorkerClient, WorkerError
from bsl_scout.retrieval.rerank import RerankUnavailableError, Score

# thirty texts take a second or two, three times as long while an index is embedded
_SECONDS = 8.0


def remote_score(worker: WorkerClient, loop: asyncio.AbstractEventLoop, model: str) -> Score:
    """Return how texts are scored by a model in the worker; not to be called in the loop's thread."""

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        future = asyncio.run_coroutine_threadsafe(worker.rerank(model, query, texts), loop)
        try:
            return future.result(_SECONDS)
        except TimeoutError as error:
            future.cancel()
            raise RerankUnavailableError("the model takes too long") from error
        except (WorkerError, CancelledError) as error:
            raise RerankUnavailableError(str(error) or "the server is being stopped") from error

    return score
