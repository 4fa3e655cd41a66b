"""The vectors of what only unsaved documents hold: made in memory, beside those that are stored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source
from bsl_scout.index.embedding import unsaved_sources
from bsl_scout.index.encoders import Encoder
from bsl_scout.index.lexical import Ints
from bsl_scout.index.vectors import Floats, packed, unpacked

# so many take some tens of milliseconds, as long as a search may be held up
_AT_ONCE = 32


class UnsavedVectors:
    """The vectors of the chunks above those of a catalog. Call it inside `catalog.reading()`."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._state = (-1, 0)
        self._sources: dict[int, Source] = {}
        # by what they are made from: a chunk keeps its vector while others of its document change
        self._made: dict[Source, Floats] = {}
        self._encoder = ""

    def make(self, encoder: Encoder) -> bool:
        """Make some of the vectors that are missing, and return whether others still are."""
        self._follow(encoder)
        missing = [one for one in dict.fromkeys(self._sources.values()) if one not in self._made]
        chosen = missing[:_AT_ONCE]
        if chosen:
            # as they will be stored
            vectors = unpacked(packed(encoder.chunk_vectors(chosen)), encoder.dimensions)
            self._made.update(zip(chosen, vectors, strict=True))
        return len(missing) > len(chosen)

    def of(self, encoder: Encoder, chunks: Sequence[int]) -> list[Floats]:
        """Return the vectors of those of the chunks that have one here."""
        self._follow(encoder)
        sources = (self._sources[chunk] for chunk in chunks if chunk in self._sources)
        return [self._made[source] for source in sources if source in self._made]

    def nearest(self, encoder: Encoder, vector: Floats, among: Ints | None) -> tuple[Ints, Floats]:
        """Return the chunks that have a vector here, of all or among some, with their cosines, in no order."""
        self._follow(encoder)
        chunks = [chunk for chunk, source in self._sources.items() if source in self._made]
        if among is not None:
            chosen = set(among.tolist())
            chunks = [chunk for chunk in chunks if chunk in chosen]
        if not chunks:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        rows = np.stack([self._made[self._sources[chunk]] for chunk in chunks])
        return np.array(chunks, np.int64), (rows @ vector).astype(np.float32)

    def _follow(self, encoder: Encoder) -> None:
        if self._state == self._catalog.state() and self._encoder == encoder.identity:
            return
        self._sources = unsaved_sources(self._catalog)
        wanted = set(self._sources.values()) if self._encoder == encoder.identity else set()
        self._made = {source: vector for source, vector in self._made.items() if source in wanted}
        self._state, self._encoder = self._catalog.state(), encoder.identity
