"""When a table made of an index is made anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from bsl_scout.index.catalog import Catalog

# a table that took longer to make serves this many times as long as that while the index is being written
_COSTLY_SECONDS, _PATIENCE = 0.02, 20


class Freshness:
    """Follows the generation of an index, lagging a little while that is being written.

    With `unsaved` it follows the unsaved documents that are laid over it too.
    """

    def __init__(self, catalog: Catalog, unsaved: bool = False) -> None:
        self._catalog = catalog
        self._unsaved = unsaved
        self._generation = (-1, 0)
        self._made = self._seconds = 0.0

    def due(self) -> bool:
        """Return whether the table at hand is not fresh enough."""
        if self._present() == self._generation:
            return False
        return self._seconds <= _COSTLY_SECONDS or time.monotonic() - self._made >= _PATIENCE * self._seconds

    @contextmanager
    def making(self) -> Iterator[None]:
        """Return a context to make the table in: all reads see one state of the index."""
        started = time.monotonic()
        with self._catalog.reading():
            generation = self._present()
            yield
        self._generation = generation
        self._made = time.monotonic()
        self._seconds = self._made - started

    def _present(self) -> tuple[int, int]:
        generation, laid_over = self._catalog.state()
        return generation, laid_over if self._unsaved else 0
