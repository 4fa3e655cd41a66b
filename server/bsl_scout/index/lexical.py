"""BM25 over postings: the scores of rank_bm25.BM25Okapi without holding the documents in memory.

With one field (or joint lengths) the score of a document is that of Okapi BM25 as rank_bm25 defines it:
idf = ln(N - df + 0.5) - ln(df + 0.5), a negative one replaced by epsilon * mean idf over the vocabulary,
times tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)). A field's weight counts as so many
repetitions of its words. With separate lengths (BM25F, Robertson and Zaragoza 2009) each field's tf is
divided by its own length norm before the weighted sum enters the same saturation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

FIELDS = ("name", "path", "parameters", "doc", "notes", "body")
FIELD_BITS = 3
FIELD_MASK = (1 << FIELD_BITS) - 1

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scheme:
    """Weights per field in the order of FIELDS and the constants of the formula."""

    weights: tuple[float, ...]
    k1: float = 1.5
    b: tuple[float, ...] = (0.75,) * len(FIELDS)
    epsilon: float = 0.25
    joint: bool = False


FLAT = Scheme((1.0,) * len(FIELDS), joint=True)
# chosen on gold/ and on doc sentences: docs/adr/0001-field-weights-by-repetition.md
DEFAULT = Scheme((12.0, 8.0, 3.0, 3.0, 1.0, 1.0), k1=5.0, b=(0.6,) * len(FIELDS), joint=True)


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs: parallel arrays, ascending by document, then field."""

    documents: npt.NDArray[np.uint32]
    fields: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]


_BLOCK = 64
# as many as a number of a collection can tell apart
_COLLECTIONS = 256

# the documents that hold a term, ascending, and what the term adds to the score of each
Contribution = tuple[Ints, Floats]


@dataclass(frozen=True, slots=True)
class Collection:
    """What scoring needs of all documents.

    `collections` are small numbers; a document's length is compared with the mean of its own collection.

    `lengths` is (documents, fields) in words, zero rows where `alive` is False; `frequencies` holds the
    document frequency of each term of the vocabulary (zeros for words that are gone). How common a word is
    in a query is counted without the documents of the collections in `uncounted`.
    """

    lengths: npt.NDArray[np.uint32]
    alive: npt.NDArray[np.bool_]
    frequencies: Ints
    collections: npt.NDArray[np.uint8]
    uncounted: tuple[int, ...] = ()


class Scorer:
    """Scores documents of one collection under one scheme."""

    def __init__(self, collection: Collection, scheme: Scheme, other: Scorer | None = None) -> None:
        """Prepare; `other`, a scorer of the same collection, lends what depends on no scheme."""
        self._scheme = scheme
        self._size = len(collection.alive)
        self._weights = np.array(scheme.weights)
        # a field without weight is no part of the document
        self._weighted = self._weights != 0
        counts = np.ones(_COLLECTIONS, np.bool_)
        counts[list(collection.uncounted)] = False
        self._counted: npt.NDArray[np.bool_] = (
            other._counted if other else collection.alive & counts[collection.collections]
        )
        self._count: int = other._count if other else int(np.count_nonzero(self._counted))
        self._mean_idf: float = other._mean_idf if other else self._average_idf(collection.frequencies)
        self._norm: Floats | None = None
        self._norms: Floats | None = None
        lengths = collection.lengths
        if scheme.joint:
            # without b the length of a document counts for nothing: the norm of each is 1
            if scheme.b[0]:
                joint = lengths @ self._weights
                self._norm = 1 - scheme.b[0] + scheme.b[0] * joint / _means(joint, collection)
        else:
            b = np.array(scheme.b)
            means = np.stack([_means(field, collection) for field in lengths.T.astype(np.float64)], axis=1)
            self._norms = 1 - b + b * lengths / means

    def _average_idf(self, frequencies: Ints) -> float:
        histogram = np.bincount(frequencies[frequencies > 0])
        df = np.flatnonzero(histogram)
        words = int(histogram.sum())
        # uncounted documents may hold a word more often than there are counted ones
        return float((self._raw_idf(np.minimum(df, self._count)) * histogram[df]).sum() / words) if words else 0.0

    def _raw_idf(self, df: Any) -> Any:
        return np.log(self._count - df + 0.5) - np.log(df + 0.5)

    def idf(self, df: int) -> float:
        """Return the weight of a word that occurs in `df` documents, floored as rank_bm25 does."""
        raw = float(self._raw_idf(df))
        return self._scheme.epsilon * self._mean_idf if raw < 0 else raw

    def contribution(self, postings: Postings) -> Contribution:
        """Return what one term adds to the score of each document that holds it in a field with weight."""
        documents, fields, counts = postings.documents, postings.fields, postings.counts
        if not self._weighted.all():
            kept = np.flatnonzero(self._weighted[fields])
            documents, fields, counts = documents[kept], fields[kept], counts[kept]
        if not len(documents):
            return np.zeros(0, np.int64), np.zeros(0)
        tf: Floats = self._weights[fields]
        tf *= counts
        if self._norms is not None:
            tf /= self._norms[documents, fields]
        begins = np.ones(len(documents), np.bool_)
        np.not_equal(documents[1:], documents[:-1], out=begins[1:])
        first = np.flatnonzero(begins)
        tf = np.add.reduceat(tf, first)
        own = documents[first].astype(np.int64)
        if self._norm is not None:
            tf /= self._norm[own]
        k1 = self._scheme.k1
        # a word that only uncounted documents hold is as rare as one of a single document
        common = max(int(np.count_nonzero(self._counted[own])), 1)
        return own, self.idf(common) * (tf * (k1 + 1) / (tf + k1))

    def scores(self, contributions: Iterable[Contribution]) -> tuple[Ints, Floats, Ints]:
        """Return the documents of any of the terms, their scores and how many of the terms each holds.

        Documents come in ascending order. A repeated term counts as often as it is given.
        """
        total = np.zeros(self._size)
        matched = np.zeros(self._size, np.uint16)
        # a term has each document once; np.bincount over all of them takes three times as long
        for documents, added in contributions:
            total[documents] += added
            matched[documents] += 1
        hits = np.flatnonzero(matched > 0)
        return hits, total[hits], matched[hits].astype(np.int64)


def _means(lengths: Floats, collection: Collection) -> Floats:
    """Return for each document the mean length of its collection, 1 where nothing has a length."""
    totals = np.bincount(collection.collections, lengths)
    counts = np.bincount(collection.collections[collection.alive], minlength=len(totals))
    means = totals / np.maximum(counts, 1)
    return np.where(means > 0, means, 1.0)[collection.collections]


def least_of_best(scores: npt.NDArray[Any], top: int) -> float:
    """Return the `top`-th largest of more than `top` scores."""
    blocks = scores[: len(scores) - len(scores) % _BLOCK].reshape(-1, _BLOCK)
    if len(blocks) > top:
        # so many blocks have a score as large as that: what is smaller is not among the best
        largest = blocks.max(axis=1)
        scores = scores[scores >= np.partition(largest, len(largest) - top)[len(largest) - top]]
    return float(np.partition(scores, len(scores) - top)[len(scores) - top])


def okapi(documents: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], Floats]:
    """Return rank_bm25's own BM25Okapi over the documents as a function from query terms to their scores.

    It is the definition that the postings are tested against, and the baseline of evaluations.
    """
    if not documents:
        return lambda query: np.zeros(0)
    model = BM25Okapi(documents)
    return lambda query: np.asarray(model.get_scores(query), dtype=np.float64)


def unpack(packed: npt.NDArray[np.uint32], counts: npt.NDArray[np.uint16]) -> Postings:
    """Return the postings of a stored block."""
    return Postings(packed >> np.uint32(FIELD_BITS), packed & np.uint32(FIELD_MASK), counts)
