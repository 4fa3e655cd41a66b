"""A frozen view of one generation of the catalog, ready to score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .catalog import Catalog, DamagedCatalogError
from .lexical import (
    FIELD_BITS,
    FIELDS,
    Collection,
    Contribution,
    Floats,
    Ints,
    Postings,
    Scheme,
    Scorer,
    least_of_best,
    unpack,
)
from .merge import adjusted, base_documents, base_frequencies, gather
from .schema import UNCOUNTED


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk that holds a word of the query: its number, score and the number of the query's terms in it."""

    chunk: int
    score: float
    matched: int


@dataclass(frozen=True, slots=True)
class Scored:
    """Parallel arrays: chunks in ascending order, their scores, how many of the query's terms each holds."""

    documents: Ints
    scores: Floats
    matched: Ints


@dataclass(frozen=True, slots=True)
class _Term:
    """A term that was asked for: its postings and what it adds to the scores under each scheme."""

    postings: Postings
    contributions: dict[Scheme, Contribution] = field(default_factory=dict)


# postings kept for the next queries: a query that is being typed repeats its words, and the words that take
# longest to score are those of many queries. An entry takes about 20 bytes; common words have as many as there
# are chunks, so what is kept grows with these.
_KEPT_ENTRIES, _KEPT_OF_CHUNK = 1_000_000, 20


@dataclass(frozen=True, slots=True)
class _Base:
    """What the catalog knows of the chunks up to its last merge, by chunk, and how many of them hold each term."""

    lengths: npt.NDArray[np.uint32]
    alive: npt.NDArray[np.bool_]
    collections: npt.NDArray[np.uint8]
    frequencies: Ints


def _read_base(catalog: Catalog) -> _Base:
    ids, base_lengths, base_collections = base_documents(catalog)
    size = int(ids.max(initial=0)) + 1
    lengths = np.zeros((size, len(FIELDS)), np.uint32)
    alive = np.zeros(size, np.bool_)
    collections = np.zeros(size, np.uint8)
    lengths[ids] = base_lengths
    alive[ids] = True
    collections[ids] = base_collections
    return _Base(lengths, alive, collections, base_frequencies(catalog))


class Snapshot:
    """The lexical index at one generation; postings are read from the catalog when a query needs them.

    Search inside `Catalog.reading()`, or postings of another generation could be mixed in.
    """

    def __init__(self, catalog: Catalog, scheme: Scheme, previous: Snapshot | None = None) -> None:
        """Read what has changed since `previous`, a snapshot of the same catalog, or everything without it."""
        self._catalog = catalog
        self.state = catalog.state()
        self.base_generation = catalog.number("base_generation")
        known = previous is not None and previous.base_generation == self.base_generation
        self._base: _Base = previous._base if previous is not None and known else _read_base(catalog)
        base = self._base
        delta, dead = catalog.forward_above(catalog.number("base_max")), catalog.dead()
        last_chunk, last_term = catalog.last_ids()
        if catalog.overgrown(times=4):
            # no writer lets it come so far: a damaged number would ask for all memory there is
            raise DamagedCatalogError("the last number of a chunk is damaged")
        lengths = np.zeros((last_chunk + 1, len(FIELDS)), np.uint32)
        alive = np.zeros(last_chunk + 1, dtype=np.bool_)
        collections = np.zeros(last_chunk + 1, dtype=np.uint8)
        size = len(base.alive)
        lengths[:size], alive[:size], collections[:size] = base.lengths, base.alive, base.collections
        if delta:
            chunks = [row[0] for row in delta]
            lengths[chunks] = np.frombuffer(b"".join(row[2] for row in delta), "<u4").reshape(-1, len(FIELDS))
            collections[chunks] = [row[3] for row in delta]
            alive[chunks] = True
        gone = [chunk for chunk, _ in dead]
        lengths[gone] = 0
        alive[gone] = False
        self._delta_terms, self._delta_documents, self._delta_counts = gather(delta)
        added = self._delta_terms, self._delta_documents
        frequencies = adjusted(base.frequencies, last_term, added, dead)
        self.collection = Collection(lengths, alive, frequencies, collections, UNCOUNTED)
        # the chunks that are stored: the vectors are theirs
        self.stored = alive
        if catalog.overlay:
            self.stored = alive.copy()
            self.stored[list(catalog.overlay.replaced)] = True
            self.stored[catalog.overlay.last + 1 :] = False
        self._scorers = {scheme: Scorer(self.collection, scheme)}
        self._scheme = scheme
        self._terms: dict[str, _Term] = {}
        self._kept = 0
        self._most_kept = max(_KEPT_ENTRIES, _KEPT_OF_CHUNK * int(np.count_nonzero(alive)))

    def is_current(self) -> bool:
        """Return whether the catalog still is as this snapshot has it."""
        return self._catalog.state() == self.state

    def is_outdated(self) -> bool:
        """Return whether the base was merged since: its postings would count the delta twice.

        Or whether other documents are laid over it: their numbers are given anew each time.
        """
        merged = self._catalog.number("base_generation") != self.base_generation
        return merged or self._catalog.state()[1] != self.state[1]

    def search(
        self, terms: Iterable[str], top: int, scheme: Scheme | None = None, shares: Sequence[float] = ()
    ) -> list[LexicalHit]:
        """Return the best chunks under the scheme (the snapshot's own by default): `best` of `score`."""
        return self.best(self.score(terms, scheme), top, shares)

    def score(self, terms: Iterable[str], scheme: Scheme | None = None, among: Ints | None = None) -> Scored:
        """Return all chunks, or those among some, that hold any of the terms with their scores."""
        contributions = [self.contribution(term, scheme) for term in terms]
        scored = Scored(*self.scorer(scheme).scores(contributions))
        if among is None:
            return scored
        kept = np.isin(scored.documents, among)
        return Scored(scored.documents[kept], scored.scores[kept], scored.matched[kept])

    def scorer(self, scheme: Scheme | None = None) -> Scorer:
        """Return the scorer of a scheme (the snapshot's own by default)."""
        scheme = scheme or self._scheme
        if scheme not in self._scorers:
            self._scorers[scheme] = Scorer(self.collection, scheme, self._scorers[self._scheme])
        return self._scorers[scheme]

    def contribution(self, term: str, scheme: Scheme | None = None) -> Contribution:
        """Return the chunks that hold a term, ascending, and what it adds to the score of each."""
        scheme = scheme or self._scheme
        known = self._term(term)
        if scheme not in known.contributions:
            known.contributions[scheme] = self.scorer(scheme).contribution(known.postings)
        return known.contributions[scheme]

    def listed(self, documents: Ints) -> Scored:
        """Return chunks without any words to rank them by: the first given stands first."""
        known = documents[documents < len(self.collection.alive)]
        falling = np.arange(len(known), 0, -1, dtype=np.float64)
        return Scored(known, falling, np.ones(len(known), np.int64))

    def best(
        self, scored: Scored, top: int, shares: Sequence[float] = (), least_matched: float = 1
    ) -> list[LexicalHit]:
        """Return the best of the scored chunks, best first, ties included and in chunk order.

        `shares` multiply the scores of each collection; one with share 0 is left out, and so is a chunk that
        holds fewer than `least_matched` of the terms.
        """
        documents, scores, matched = scored.documents, scored.scores, scored.matched
        if least_matched > 1:
            enough = np.flatnonzero(matched >= least_matched)
            documents, scores, matched = documents[enough], scores[enough], matched[enough]
        if shares:
            share = np.array(shares)[self.collection.collections[documents]]
            scores = scores * share
            if min(shares) <= 0:
                chosen = share > 0
                documents, scores, matched = documents[chosen], scores[chosen], matched[chosen]
        if len(documents) > top:
            keep = np.flatnonzero(scores >= least_of_best(scores, top))
            documents, scores, matched = documents[keep], scores[keep], matched[keep]
        order = np.argsort(-scores, kind="stable")
        return [LexicalHit(int(documents[i]), float(scores[i]), int(matched[i])) for i in order]

    def _term(self, term: str) -> _Term:
        known = self._terms.pop(term, None)
        if known is None:
            known = _Term(self._postings(term))
            self._kept += len(known.postings.documents)
        # the last used stands last
        self._terms[term] = known
        while self._kept > self._most_kept and len(self._terms) > 1:
            oldest = self._terms.pop(next(iter(self._terms)))
            self._kept -= len(oldest.postings.documents)
        return known

    def _postings(self, term: str) -> Postings:
        """Return where a term occurs, nowhere for an unknown one."""
        number = self._catalog.term_id(term)
        if number is None:
            return unpack(np.zeros(0, np.uint32), np.zeros(0, np.uint16))
        start, end = np.searchsorted(self._delta_terms, [number, number + 1])
        documents, counts = self._delta_documents[start:end], self._delta_counts[start:end]
        base = self._catalog.block(number)
        if base:
            keep = self.collection.alive[base[0] >> FIELD_BITS]
            documents = np.concatenate([base[0][keep], documents])
            counts = np.concatenate([base[1][keep], counts])
        return unpack(documents, counts)
