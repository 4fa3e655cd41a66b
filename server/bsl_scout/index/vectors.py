"""Vectors of chunks: what every store can do, how they are kept in the catalog, and the store that scans them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from .catalog import Catalog
from .lexical import Ints, least_of_best

Floats = npt.NDArray[np.float32]

# what the number of a vector generation is kept under: another model, or vectors thrown away
EPOCH, LAST = "vector_epoch", "vector_last"
# and what their weight beside the words is kept under, when a test has chosen one
WEIGHT = "vector_weight"

# gaps are closed when one vector of so many is gone
_MOST_GAPS = 32
_READ = "SELECT chunk, vector FROM vectors WHERE chunk > ? ORDER BY chunk LIMIT ?"
_PIECE = 10_000


class VectorStore(Protocol):
    """Vectors by chunk number. Those given are unit vectors; scores are cosines."""

    def upsert(self, chunks: Sequence[int], vectors: Floats) -> None:
        """Insert vectors, or replace those of chunks that have one."""

    def delete(self, chunks: Iterable[int]) -> None:
        """Remove the vectors of chunks; those without one are left aside."""

    def query(self, vector: Floats, top: int, among: Ints | None = None) -> tuple[Ints, Floats]:
        """Return the nearest chunks, of all or among some, best first, with their scores."""


class VectorsUnavailableError(Exception):
    """Vectors cannot be asked now; the text is one line for the user and names no path and no host."""


EXACT, CHROMA = "exact", "chroma"


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """Which store answers by meaning; `url` is that of a Chroma server, empty for the embedded one."""

    kind: str = EXACT
    url: str = ""


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """What is asked of vectors: the `top` chunks nearest to a vector, of all or `among` some.

    `epoch` is that of the vectors which this one can be compared with (EPOCH of the catalog). Without a vector the
    `text` is turned into one where the vectors are asked, by the model that made them.
    """

    vector: Floats | None
    top: int
    among: Ints | None = None
    epoch: int = 0
    text: str = ""


def living(chunks: Ints, scores: Floats, alive: npt.NDArray[np.bool_]) -> tuple[Ints, Floats]:
    """Return those of the chunks that are alive; the vectors may be newer than the words at hand."""
    kept = chunks < len(alive)
    kept[kept] = alive[chunks[kept]]
    return chunks[kept], scores[kept]


class VectorSource(Protocol):
    """Where the vectors of one index are asked."""

    def nearest(self, query: VectorQuery, alive: npt.NDArray[np.bool_]) -> tuple[Ints, Floats]:
        """Return the nearest of the chunks that are alive, best first, equal ones by number, with their cosines.

        Raises VectorsUnavailableError.
        """


class ExactVectors:
    """All vectors in one matrix in memory, scanned whole: exact, and 180,000 of 128 numbers take about 8 ms."""

    def __init__(self, dimensions: int) -> None:
        self._rows = np.zeros((0, dimensions), np.float32)
        self._chunks = np.zeros(0, np.int64)
        self._count = 0
        # the places of removed vectors: closing each gap at once would move all that stand behind it
        self._gaps = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return self._count - len(self._gaps)

    @property
    def chunks(self) -> Ints:
        """The chunks that have a vector, ascending."""
        return np.delete(self._chunks[: self._count], self._gaps)

    def reserve(self, count: int) -> None:
        """Make room for so many more vectors, so that they are taken in without a copy of the others each time."""
        needed = self._count + count
        if needed > len(self._rows):
            # room for saves to come, so that each does not copy everything; it takes no memory until it is used
            room = needed + needed // 16 + 1_000
            rows, chunks = np.empty((room, self._rows.shape[1]), np.float32), np.empty(room, np.int64)
            rows[: self._count], chunks[: self._count] = self._rows[: self._count], self._chunks[: self._count]
            self._rows, self._chunks = rows, chunks

    def upsert(self, chunks: Sequence[int], vectors: Floats) -> None:
        """Insert or replace vectors. Chunks above all that are here are appended without moving the others."""
        if not len(chunks):
            return
        new = np.asarray(chunks, dtype=np.int64)
        order = np.argsort(new, kind="stable")
        new, vectors = new[order], vectors[order]
        if self._count and new[0] <= self._chunks[self._count - 1]:
            self.delete(new.tolist())
            self._close_gaps()
        if self._count and new[0] <= self._chunks[self._count - 1]:
            merged = np.concatenate((self.chunks, new))
            order = np.argsort(merged, kind="stable")
            self._chunks = merged[order]
            self._rows = np.concatenate((self._rows[: self._count], vectors))[order]
            self._count = len(merged)
            return
        needed = self._count + len(new)
        self.reserve(len(new))
        self._rows[self._count : needed] = vectors
        self._chunks[self._count : needed] = new
        self._count = needed

    def delete(self, chunks: Iterable[int]) -> None:
        """Remove the vectors of chunks."""
        gone = np.flatnonzero(np.isin(self._chunks[: self._count], np.fromiter(chunks, np.int64)))
        self._gaps = np.union1d(self._gaps, gone)
        if len(self._gaps) * _MOST_GAPS > self._count:
            self._close_gaps()

    def query(self, vector: Floats, top: int, among: Ints | None = None) -> tuple[Ints, Floats]:
        """Return the nearest chunks with their cosines, best first, equal ones by number."""
        chunks, rows, gaps = self._chunks[: self._count], self._rows[: self._count], self._gaps
        if among is not None:
            chosen = np.setdiff1d(np.flatnonzero(np.isin(chunks, among)), gaps, assume_unique=True)
            chunks, rows, gaps = chunks[chosen], rows[chosen], gaps[:0]
        scores: Floats = rows @ vector
        scores[gaps] = -np.inf
        least = least_of_best(scores, top) if len(scores) > top else -np.inf
        best = np.flatnonzero((scores >= least) & (scores > -np.inf))
        best = best[np.argsort(-scores[best], kind="stable")][:top]
        return chunks[best], scores[best]

    def _close_gaps(self) -> None:
        if len(self._gaps):
            kept = np.delete(np.arange(self._count), self._gaps)
            self._rows[: len(kept)] = self._rows[kept]
            self._chunks[: len(kept)] = self._chunks[kept]
            self._count = len(kept)
            self._gaps = np.zeros(0, np.int64)


def packed(vectors: Floats) -> list[bytes]:
    """Return vectors as they are stored: int8, the largest number of each at 127; only the direction counts."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scaled = np.rint(vectors * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    return [row.tobytes() for row in scaled]


def unpacked(blobs: Sequence[bytes], dimensions: int) -> Floats:
    """Return the unit vectors of stored ones."""
    whole = np.frombuffer(b"".join(blobs), np.int8).reshape(-1, dimensions).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole))[:, None]
    whole /= np.where(lengths > 0, lengths, 1)
    return whole


class StoredVectors:
    """The vectors of a catalog in a store that follows it."""

    def __init__(self, catalog: Catalog, dimensions: int) -> None:
        self._catalog = catalog
        self._dimensions = dimensions
        self.store = ExactVectors(dimensions)
        self._epoch = -1
        self._last = 0
        # the state of the words that was followed last
        self._followed: npt.NDArray[np.bool_] | None = None

    def nearest(self, query: VectorQuery, alive: npt.NDArray[np.bool_]) -> tuple[Ints, Floats]:
        """Return the nearest of the chunks that are alive with their cosines, of the catalog's present state."""
        assert query.vector is not None
        self.follow(alive)
        return self.store.query(query.vector, query.top, query.among)

    def follow(self, alive: npt.NDArray[np.bool_]) -> None:
        """Bring the store to the catalog's state: numbers of chunks only grow, so what is new stands above."""
        epoch, last = self._catalog.number(EPOCH), self._catalog.number(LAST)
        if epoch != self._epoch:
            self.store, self._epoch, self._last, self._followed = ExactVectors(self._dimensions), epoch, 0, None
        if last > self._last:
            after, self._followed = self._last, None
            self.store.reserve(self._catalog.rows("SELECT count(*) FROM vectors WHERE chunk > ?", after)[0][0])
            # in pieces: as rows of the database they take several times as much memory
            while rows := self._catalog.rows(_READ, after, _PIECE):
                self.store.upsert([row[0] for row in rows], unpacked([row[1] for row in rows], self._dimensions))
                after = rows[-1][0]
            self._last = last
        if self._followed is alive:
            return
        self._followed = alive
        chunks = self.store.chunks
        gone = chunks[(chunks >= len(alive)) | ~alive[np.minimum(chunks, len(alive) - 1)]]
        if len(gone):
            self.store.delete(gone.tolist())
