"""Answers a query from the lexical index: one hit per procedure, best first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.candidates import CallCountReader, Candidate, read_candidates
from bsl_scout.index.catalog import FILE_NAME
from bsl_scout.index.indexer import OPTIONS
from bsl_scout.index.laid_catalog import LaidCatalog
from bsl_scout.index.lexical import DEFAULT, FIELDS, Ints, Scheme, okapi
from bsl_scout.index.object_store import chunks_of_forms, chunks_of_owners
from bsl_scout.index.schema import CAPTIONS, CODE, METADATA
from bsl_scout.index.snapshot import LexicalHit, Snapshot
from bsl_scout.index.vectors import WEIGHT, Floats, VectorSource, VectorsUnavailableError
from bsl_scout.index.verify import damage_found

from .captions import captioned
from .confidence import WITH_VECTORS, is_convincing, query_features
from .exact_names import called
from .expansion import Group, expanded_scores, translated, with_whole_name
from .fusion import Fusion, Ranking, Scores, fuse
from .hits import Exact, Hit, build_hits, by_score, leg_ranks
from .keyboard import retyped
from .language import Language
from .meaning import Meaning
from .messages import said
from .name_match import SURE, Names
from .prior import Prior, asks_for_form
from .shares import shares_of
from .spelling import respelled, spelled, with_spelled
from .titles import titled

COLLECTIONS = ("all", "code", "metadata", "form")
# parts of one long procedure fold into one hit, so more chunks than hits are looked at
_CANDIDATES = 4
_MAX_QUERY_CHARS = 2_000
# seconds that a reader waits for a file which another process holds
READER_PATIENCE = 1.0
# a snapshot that took longer to load serves this many times as long as that
_COSTLY_SECONDS, _PATIENCE = 0.05, 20
_DOC = FIELDS.index("doc")
# so many of the nearest chunks may be captions, which are left out
_CAPTIONS_AMONG = 50
# the chunks of a file whose scores stand for it
_FILE_CHUNKS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a query and how they were found.

    `note` says why vectors that were asked for took no part, or that they are those of another model; `meant` is the
    query as it was read, when it was typed on the wrong keyboard layout.
    """

    query: str
    mode: str
    legs: tuple[str, ...]
    convincing: bool
    elapsed_ms: float
    hits: list[Hit] = field(default_factory=list)
    note: str = ""
    meant: str = ""


class Searcher:
    """Searches one index; follows its writer by taking a new snapshot when the catalog has moved on.

    `source` and `elsewhere` are where vectors are asked for: see Meaning.
    """

    def __init__(
        self,
        folder: Path,
        scheme: Scheme = DEFAULT,
        fusion: Fusion | None = None,
        prior: Prior | None = None,
        source: VectorSource | None = None,
        elsewhere: VectorSource | None = None,
    ) -> None:
        self.catalog = LaidCatalog(folder, READER_PATIENCE)
        self._scheme = scheme
        self._folder = folder
        self._given = fusion
        self._prior = prior or Prior()
        self._meaning = Meaning(self.catalog, folder, source, elsewhere)
        self.language = Language()
        self._snapshot: Snapshot | None = None
        self._names = Names(self.catalog)
        self._called = CallCountReader(self.catalog)
        self._wanted = 0
        self._loaded = self._load_seconds = 0.0

    @classmethod
    def open(
        cls, folder: Path, source: VectorSource | None = None, elsewhere: VectorSource | None = None
    ) -> Searcher | None:
        """Return a searcher of the index in a folder, None when there is none of this version yet."""
        if not (folder / FILE_NAME).is_file():
            return None
        searcher = cls(folder, source=source, elsewhere=elsewhere)
        if searcher.catalog.version() == OPTIONS:
            return searcher
        searcher.close()
        return None

    def close(self) -> None:
        """Close the catalog."""
        self._meaning.close()
        self.catalog.close()

    def freshness(self) -> tuple[int, int]:
        """Return how many modules are indexed and how many were waiting at the writer's last commit."""
        return self.catalog.counts()["files"], self.catalog.number("pending")

    def learn(self) -> None:
        """Take in vectors and names, and once what the configuration's synonyms translate: some tenths of a second."""
        with self.catalog.reading():
            self._meaning.learn(self.snapshot())
            # or the first word that the index does not have waits for them
            self._names.read(self.snapshot())
            if not self.language.learnt:
                self.language.learn(self.catalog)

    def learn_unsaved(self) -> bool:
        """Take in unsaved documents with some of the vectors that they lack; return whether there is more to make."""
        with self.catalog.reading():
            self.snapshot()
            return self._meaning.learn_unsaved()

    def follow(self, generation: int) -> None:
        """Answer from this generation of the catalog or a newer one from now on, whatever that costs.

        A search under way may still see an older one; it takes nothing of the wish away.
        """
        self._wanted = generation

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the catalog; call it inside `catalog.reading()`.

        It is of the present generation, but while a big index is being written and each generation is costly
        to load, the one at hand serves for a while longer.
        """
        held = self._snapshot
        if held is None or not held.is_current():
            costly = self._load_seconds > _COSTLY_SECONDS
            fresh_enough = costly and time.monotonic() - self._loaded < _PATIENCE * self._load_seconds
            behind = held is not None and held.state[0] < self._wanted
            if held is None or behind or not fresh_enough or held.is_outdated():
                started = time.monotonic()
                held = self._snapshot = Snapshot(self.catalog, self._scheme, held)
                self._loaded = time.monotonic()
                self._load_seconds = self._loaded - started
        return held

    def search(
        self,
        query: str,
        top: int = 10,
        collection: str = "all",
        owners: Sequence[str] | None = None,
        mode: str = "lexical",
    ) -> Answer:
        """Return the best hits for a query in words, an identifier or a code; never raises on a query,
        but DamagedCatalogError and CatalogUnavailableError when the index cannot be read.

        With `owners` (full Russian names) only what belongs to these objects; without words then all of that.
        `mode` is lexical, vector or hybrid; without vectors it is lexical, and `legs` tell what took part.
        """
        started = time.perf_counter()
        given = query = query[:_MAX_QUERY_CHARS]
        hits: list[Hit] = []
        convincing = False
        legs: tuple[str, ...] = ("lexical",)
        note = ""
        if names.text_terms(given) or owners:
            with damage_found(self.catalog), self.catalog.reading():
                snapshot = self.snapshot()
                query = retyped(given, lambda term: len(snapshot.contribution(term)[0]) > 0)
                terms = list(dict.fromkeys(names.text_terms(query)))
                shares = shares_of(collection, query if terms else None)
                among = self._among(owners, collection)
                groups = self.language.groups(terms)
                names_found = self._names_in(snapshot, query, groups, shares) if among is None else {}
                # an abbreviation of a name is no slip
                corrections = {} if names_found else spelled(self.catalog, snapshot, groups)
                groups = with_whole_name(snapshot, query, with_spelled(groups, corrections))
                # the vectors are scanned while the words are scored
                meant = query, respelled(query, corrections)
                by_meaning = self._vector_leg(snapshot, *meant, among, shares) if mode != "lexical" and terms else None
                plain = (
                    snapshot.listed(among) if among is not None and not terms else snapshot.score(terms, among=among)
                )
                expanded = len(groups) > len(terms) or any(len(group) > 1 for group in groups)
                scored = expanded_scores(snapshot, groups, among=among) if expanded else plain
                exact = {
                    "name": names_found,
                    "title": titled(self.catalog, snapshot, query, terms, plain) if shares[METADATA] else {},
                    "message": said(self.catalog, snapshot, query, terms, among) if shares[CODE] else {},
                    "caption": captioned(self.catalog, snapshot, query, len(terms), plain, shares[CODE] > 0)
                    if shares[CAPTIONS]
                    else {},
                }
                vector, note = by_meaning() if by_meaning else (None, "")
                asked, mode = mode, mode if vector else "lexical"
                wanted = max(top * _CANDIDATES, self._fusion.candidates) if vector else top * _CANDIDATES
                found = snapshot.best(scored, wanted, shares)
                rankings = {} if mode == "vector" else {"lexical": _ranking(found)}
                if vector:
                    rankings["vector"] = vector
                strength = None if asked == "lexical" else self._strength(rankings, found, terms)
                hits = self._hits(snapshot, rankings, terms, top, exact, strength, translated(query, groups))
                legs = (*rankings, *(leg for leg, chunks in exact.items() if chunks))
                if hits:
                    # what a cosine proves is known of the BSL model only
                    known = None if self._meaning.general else vector
                    proven = any(chunks for leg, chunks in exact.items() if leg != "name")
                    proven |= any(one.quality >= SURE for one in exact["name"].values())
                    # without words just the objects that are named were asked for
                    convincing = not terms or self._convinces(snapshot, query, known, exact=proven)
        elapsed = (time.perf_counter() - started) * 1000
        return Answer(given, mode, legs, convincing, round(elapsed, 3), hits, note, query if query != given else "")

    def _among(self, owners: Sequence[str] | None, collection: str) -> Ints | None:
        """Return the chunks that may answer, None when all may."""
        found = None if owners is None else chunks_of_owners(self.catalog, owners)
        if collection == "form":
            forms = chunks_of_forms(self.catalog)
            known = set(forms)
            found = forms if found is None else [chunk for chunk in found if chunk in known]
        return None if found is None else np.array(found, dtype=np.int64)

    def _names_in(
        self, snapshot: Snapshot, query: str, groups: Sequence[Group], shares: tuple[float, ...]
    ) -> dict[int, Exact]:
        """Return what a query calls by its whole name, else what one unknown word abbreviates."""
        whole = called(self.catalog, snapshot, query, shares)
        return whole or self._names.find(snapshot, query, groups, shares)

    def _strength(self, rankings: Mapping[str, Ranking], found: Sequence[LexicalHit], terms: list[str]) -> float:
        """Return how much the best of each leg answers, 0 to 1: fused scores tell the order within one index only,
        and those of several indexes are put side by side.
        """
        parts = {
            # groups that stand for no single word of the query are matched too
            "lexical": min(found[0].matched / max(len(terms), 1), 1.0) if found else 0.0,
            "vector": max(float(rankings["vector"].scores[0]), 0.0)
            if "vector" in rankings and len(rankings["vector"].scores)
            else 0.0,
        }
        weights = self._fusion.weights(rankings)
        return sum(weight * parts[leg] for leg, weight in weights.items()) / (sum(weights.values()) or 1.0)

    def _convinces(self, snapshot: Snapshot, query: str, vector: Ranking | None, exact: bool) -> bool:
        words = self.language
        features = query_features(snapshot, query, words.dictionary, words.synonyms, exact)
        if vector is None or not len(vector.scores):
            return is_convincing(features)
        return is_convincing(replace(features, similarity=float(vector.scores[0])), WITH_VECTORS)

    def _vector_leg(
        self, snapshot: Snapshot, query: str, meant: str, among: Ints | None, shares: tuple[float, ...]
    ) -> Callable[[], tuple[Ranking | None, str]]:
        """Ask for the chunks nearest to the query by meaning; return how to take them, or why there are none."""
        try:
            reworded = self.language.synonyms.reworded(meant, lambda term: len(snapshot.contribution(term)[0]))
            reworded = reworded or (meant if meant != query else None)
            take = self._meaning.ask(query, self._fusion.candidates + _CAPTIONS_AMONG, among, snapshot, reworded)
            read = self._meaning.share_read(reworded or query, snapshot)
        except VectorsUnavailableError as error:
            reason = str(error)
            return lambda: (None, reason)

        def ranking() -> tuple[Ranking | None, str]:
            try:
                chunks, scores, note = take()
            except VectorsUnavailableError as error:
                return None, str(error)
            collections = snapshot.collection.collections[chunks]
            # the captions of a whole form together mean nothing
            near = np.flatnonzero(collections != CAPTIONS)[: self._fusion.candidates]
            share = np.array(shares)[collections]
            kept = near[share[near] > 0]
            weighted = scores[kept].astype(np.float64) * share[kept]
            order = np.argsort(-weighted, kind="stable")
            return Ranking(chunks[kept][order], weighted[order], read), note

        return ranking

    def nearest(self, vector: Floats, top: int) -> tuple[Ints, Floats]:
        """Return the chunks nearest to a vector of a chunk with their scores, best first.

        Raises VectorsUnavailableError; call it inside `catalog.reading()`.
        """
        return self._meaning.nearest_to(vector, top, self.snapshot())

    def vectors_of(self, chunks: Sequence[int]) -> list[Floats]:
        """Return the vectors of those of the chunks that have one; call it inside `catalog.reading()`."""
        return self._meaning.vectors_of(chunks)

    @property
    def _fusion(self) -> Fusion:
        """How the legs are joined: as given, else with the weight that a test on this index has chosen."""
        if self._given:
            return self._given
        weight = self.catalog.meta(WEIGHT)
        return Fusion(lexical=1 - float(weight), vector=float(weight)) if weight else Fusion()

    def postpone(self) -> None:
        """Answer by words alone, without loading the model or reading vectors, until `learn` is called."""
        self._meaning.postponed = True

    @property
    def postponed(self) -> bool:
        """Whether meaning waits for `learn`."""
        return self._meaning.postponed

    def loader(self) -> Callable[[], object]:
        """Return what loads the model of the vectors, which takes tenths of a second; others may close meanwhile."""
        return self._meaning.loader()

    def okapi(self, top: int) -> Callable[[str], Answer]:
        """Return the baseline of evaluations: the same words ranked by rank_bm25 itself, fields not told apart."""
        documents = list(self.catalog.documents())
        ids = np.array([chunk for chunk, _ in documents])
        score = okapi([terms for _, terms in documents])

        def ask(query: str) -> Answer:
            terms = list(dict.fromkeys(names.text_terms(query)))
            scores = score(terms)
            best = np.argsort(-scores, kind="stable")[: top * _CANDIDATES]
            found = _ranking([LexicalHit(int(ids[i]), float(scores[i]), len(terms)) for i in best if scores[i]])
            with self.catalog.reading():
                hits = self._hits(self.snapshot(), {"lexical": found}, terms, top)
            return Answer(query, "flat", ("lexical",), bool(hits), 0.0, hits)

        return ask

    def _hits(
        self,
        snapshot: Snapshot,
        rankings: Mapping[str, Ranking],
        terms: list[str],
        top: int,
        exact: Mapping[str, dict[int, Exact]] = MappingProxyType({}),
        strength: float | None = None,
        translations: Mapping[str, str] | None = None,
    ) -> list[Hit]:
        """Return the hits; with a strength the fused scores times it, without one the plain scores of the one leg."""
        fused = next(iter(rankings.values())) if strength is None else fuse(rankings, self._fusion)
        rows = read_candidates(
            self.catalog, [*fused.chunks.tolist(), *(chunk for chunks in exact.values() for chunk in chunks)]
        )
        final = fused.scores
        if strength is not None and "vector" in rankings:
            final = self._with_prior(snapshot, fused, rows, asks_for_form(terms))
        if strength is not None:
            final = final * strength
        # what answers best exactly comes first: a message may hold the words of some title too, and the reverse
        exact = dict(sorted(exact.items(), key=lambda item: -max((e.quality for e in item[1].values()), default=0)))
        orders = {
            leg: by_score(_chunks(chunks), np.array([one.quality for one in chunks.values()]), rows)
            for leg, chunks in exact.items()
        }
        first = [chunk for order in orders.values() for chunk in order]
        for leg, ranking in rankings.items():
            orders[leg] = by_score(ranking.chunks, ranking.scores, rows)
        order = [*first, *by_score(fused.chunks, final, rows)]
        lines = {chunk: found.line for chunk, found in exact.get("message", {}).items()}
        # parts of one procedure and copies of it fold into one hit, so more chunks than hits are looked at
        shown = order[: top * _CANDIDATES + len(first)]
        scores = dict(zip(fused.chunks.tolist(), final.tolist(), strict=True))
        return build_hits(self.catalog, rows, shown, scores, leg_ranks(orders, rows), terms, top, lines, translations)

    def _with_prior(self, snapshot: Snapshot, fused: Ranking, rows: Mapping[int, Candidate], form: bool) -> Scores:
        """Return the scores with what speaks for each chunk anyway, and what other good chunks of its file add."""
        how = self._fusion
        # numbers one by one: in an array each costs several times as much
        scores = fused.scores.tolist()
        documented = (snapshot.collection.lengths[fused.chunks, _DOC] > 0).tolist()
        called = self._called.of(rows.values(), snapshot.state)
        paths: dict[str, list[int]] = {}
        for place, chunk in enumerate(fused.chunks.tolist()):
            row = rows.get(chunk)
            if row is not None:
                scores[place] += how.prior * self._prior.of(row, documented[place], form, called.get(chunk, 0))
                paths.setdefault(row.path, []).append(place)
        if how.file:
            for places in paths.values():
                own = [scores[place] for place in places]
                added = how.file * sum(sorted(own)[-_FILE_CHUNKS:]) / _FILE_CHUNKS
                for place, score in zip(places, own, strict=True):
                    scores[place] = score + added
        return np.array(scores)


def _ranking(found: Sequence[LexicalHit]) -> Ranking:
    chunks = np.fromiter((hit.chunk for hit in found), np.int64, len(found))
    return Ranking(chunks, np.fromiter((hit.score for hit in found), np.float64, len(found)))


def _chunks(chunks: Iterable[int]) -> Ints:
    return np.fromiter(chunks, np.int64)
