"""Loads large models in threads of their own, so that whoever asks is answered at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from bsl_scout.encoding.model import ModelError

M = TypeVar("M")

# a model that could not be loaded may be there later: a network that comes back, a folder that is copied
_AGAIN_SECONDS = 60.0


class ModelLoader(Generic[M]):
    """Holds the model that was asked for last."""

    def __init__(self, load: Callable[[str], M]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._name: str | None = None
        self._model: M | None = None
        self._problem = ""
        self._failed = 0.0

    def get(self, name: str) -> M | None:
        """Return a model, None while it is being loaded; raises ModelError for one that cannot be."""
        with self._lock:
            if self._name == name:
                if self._model is not None:
                    return self._model
                if not self._problem:
                    return None
                if time.monotonic() < self._failed + _AGAIN_SECONDS:
                    raise ModelError(self._problem)
            self._name, self._model, self._problem = name, None, ""
        threading.Thread(target=self._work, args=(name,), name="model", daemon=True).start()
        return None

    def _work(self, name: str) -> None:
        model, problem = None, ""
        try:
            model = self._load(name)
        except ModelError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - whoever asks must not wait for ever; it is told
            problem = f"a model cannot be loaded ({type(error).__name__})"
        with self._lock:
            if self._name == name:
                self._model, self._problem, self._failed = model, problem, time.monotonic()
