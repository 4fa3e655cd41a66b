"""Numbers the terms and turns the words of a chunk into the stored form of its fields."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from bsl_scout.bsl.names import is_keyword, word_terms

from .catalog import Catalog
from .lexical import FIELD_BITS, FIELD_MASK, FIELDS


class _Codes(dict[str, tuple[int, ...]]):
    """The codes (term << 3 | field) of each word of one field, worked out when a word is first asked for."""

    def __init__(self, learn: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, word: str) -> tuple[int, ...]:
        codes = self[word] = self._learn(word)
        return codes


class Vocabulary:
    """The terms of one catalog; used by its one writer, new terms are stored by `flush`."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._ids: dict[str, int] = {}
        self._complete = False
        self._new: list[tuple[int, str]] = []
        self._last = catalog.last_ids()[1]
        self._terms = _Codes(lambda word: tuple([self._id(term) << FIELD_BITS for term in word_terms(word)]))
        self._fields = [_Codes(self._learner(field, name == "body")) for field, name in enumerate(FIELDS)]

    def _learner(self, field: int, code: bool) -> Callable[[str], tuple[int, ...]]:
        def learn(word: str) -> tuple[int, ...]:
            if code and is_keyword(word):
                return ()
            return tuple([term | field for term in self._terms[word]])

        return learn

    def load(self) -> None:
        """Read all terms at once: cheaper than one by one when many chunks will be encoded."""
        self._ids = self._catalog.terms()
        self._complete = True

    def encode(self, fields: Sequence[Sequence[str]]) -> tuple[bytes, bytes]:
        """Return the forward block of a chunk and its lengths, from the words of each field in FIELDS order."""
        words = chain.from_iterable(
            map(known.__getitem__, field) for known, field in zip(self._fields, fields, strict=True)
        )
        # counting in Python takes three times as long, and numpy's own reading of an iterator is slower
        codes = np.frombuffer(array("I", chain.from_iterable(words)), np.uint32).copy()
        codes.sort()
        borders = np.empty(len(codes) + 1, np.bool_)
        borders[0] = borders[-1] = True
        np.not_equal(codes[1:], codes[:-1], out=borders[1:-1])
        ends = borders.nonzero()[0] if len(codes) else np.zeros(1, np.int64)
        first = ends[:-1]
        counts = np.minimum(ends[1:] - first, 0xFFFF).astype("<u2")
        lengths = np.bincount(codes & FIELD_MASK, minlength=len(FIELDS)).astype("<u4")
        return codes[first].astype("<u4").tobytes() + counts.tobytes(), lengths.tobytes()

    def flush(self, into: Catalog | None = None) -> None:
        """Store the new terms, in another catalog when one is given; belongs where the chunks are stored."""
        (into or self._catalog).add_terms(self._new)
        self._new = []

    def _id(self, term: str) -> int:
        known = self._ids.get(term)
        if known is None:
            known = None if self._complete else self._catalog.term_id(term)
            if known is None:
                self._last += 1
                known = self._last
                self._new.append((known, term))
            self._ids[term] = known
        return known
