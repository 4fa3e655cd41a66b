"""What speaks for a procedure before any question: it is exported, part of an interface, documented, not tiny."""

from __future__ import annotations

from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.index.schema import ChunkRow

_INTERFACE = frozenset(map(fold, ("ПрограммныйИнтерфейс", "Public")))
# the names that the platform gives, and handlers that forms have by the dozen
_LONG = 60.0


@dataclass(frozen=True, slots=True)
class Prior:
    """What each fact adds to a fused score of 0 to 1."""

    export: float = 0.03
    interface: float = 0.05
    doc: float = 0.03
    length: float = 0.04

    def of(self, row: ChunkRow, doc_words: float, words: float) -> float:
        """Return what the facts of a chunk of code add; `words` is its length."""
        if row.title is not None:
            return 0.0
        added = self.length * min(words / _LONG, 1.0)
        if row.export:
            added += self.export
        if doc_words:
            added += self.doc
        if any(fold(region) in _INTERFACE for region in row.regions):
            added += self.interface
        return added
