"""Answers a query from the lexical index: one hit per procedure, best first."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.catalog import FILE_NAME, Catalog
from bsl_scout.index.indexer import OPTIONS
from bsl_scout.index.lexical import DEFAULT, Ints, Scheme, okapi
from bsl_scout.index.metadata import HEAD_ROWS, RESTRICTION, TITLE_SEPARATOR
from bsl_scout.index.object_store import chunks_of_owners
from bsl_scout.index.schema import CODE, ITEMS, METADATA, ChunkRow
from bsl_scout.index.snapshot import LexicalHit, Scored, Snapshot

from . import titles
from .messages import CANDIDATES, LEAST_COMMON, LEAST_SHARE, MIN_WORDS, NOTES_ONLY, match_message, message_words
from .snippets import Snippets, shorten

COLLECTIONS = ("all", "code", "metadata", "form")
# parts of one long procedure fold into one hit, so more chunks than hits are looked at
_CANDIDATES = 4
_MAX_QUERY_CHARS = 2_000
# seconds that a reader waits for a file which another process holds
READER_PATIENCE = 1.0
# a snapshot that took longer to load serves this many times as long as that
_COSTLY_SECONDS, _PATIENCE = 0.05, 20
CODE_KINDS = frozenset({"procedure", "function", "header", "body"})
# what a metadata score counts for beside code, when the query asks for metadata and when it does not: ADR 0004
_ASKED, _UNASKED = 1.2, 0.7
# what the score of a text that metadata holds counts for
_TEXT = 0.6
# a best hit that covers less than this share of the query's weight is not to be trusted
_CONVINCING = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """One found procedure, module header or body, metadata object or field. Lines are 0-based and inclusive.

    `ranks` is its rank in each leg that found it, `matches` are the spans of the query's words in the snippet.
    """

    rank: int
    root: str
    path: str
    symbol: str
    kind: str
    line: int
    end_line: int
    score: float
    ranks: dict[str, int]
    owner: str | None
    module: str
    words: str
    snippet: str
    snippet_line: int
    matches: list[tuple[int, int]] = field(default_factory=list)
    column: int = 0
    synonym: str | None = None


@dataclass(frozen=True, slots=True)
class Exact:
    """A chunk that answers exactly: how well, 0 to 1, and the line of its text that does."""

    quality: float
    line: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a query and how they were found."""

    query: str
    mode: str
    legs: tuple[str, ...]
    convincing: bool
    elapsed_ms: float
    hits: list[Hit] = field(default_factory=list)


class Searcher:
    """Searches one index; follows its writer by taking a new snapshot when the catalog has moved on."""

    def __init__(self, folder: Path, scheme: Scheme = DEFAULT) -> None:
        self.catalog = Catalog(folder, READER_PATIENCE)
        self._scheme = scheme
        self._snapshot: Snapshot | None = None
        self._must_follow = False
        self._loaded = self._load_seconds = 0.0

    @classmethod
    def open(cls, folder: Path) -> Searcher | None:
        """Return a searcher of the index in a folder, None when there is none of this version yet."""
        if not (folder / FILE_NAME).is_file():
            return None
        searcher = cls(folder)
        if searcher.catalog.version() == OPTIONS:
            return searcher
        searcher.close()
        return None

    def close(self) -> None:
        """Close the catalog."""
        self.catalog.close()

    def freshness(self) -> tuple[int, int]:
        """Return how many modules are indexed and how many were waiting at the writer's last commit."""
        return self.catalog.counts()["files"], self.catalog.number("pending")

    def follow(self) -> None:
        """Take the catalog's newest generation at the next search, whatever that costs."""
        self._must_follow = True

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the catalog; call it inside `catalog.reading()`.

        It is of the present generation, but while a big index is being written and each generation is costly
        to load, the one at hand serves for a while longer.
        """
        held = self._snapshot
        if held is None or not held.is_current():
            costly = self._load_seconds > _COSTLY_SECONDS
            fresh_enough = costly and time.monotonic() - self._loaded < _PATIENCE * self._load_seconds
            if held is None or self._must_follow or not fresh_enough or held.is_outdated():
                started = time.monotonic()
                held = self._snapshot = Snapshot(self.catalog, self._scheme)
                self._loaded = time.monotonic()
                self._load_seconds = self._loaded - started
        self._must_follow = False
        return held

    def search(self, query: str, top: int = 10, collection: str = "all", owners: Sequence[str] | None = None) -> Answer:
        """Return the best hits for a query in words, an identifier or a code; never raises on a query.

        With `owners` (full Russian names) only what belongs to these objects; without words then all of that.
        """
        started = time.perf_counter()
        terms = list(dict.fromkeys(names.text_terms(query[:_MAX_QUERY_CHARS])))
        hits: list[Hit] = []
        convincing = False
        legs: tuple[str, ...] = ("lexical",)
        if terms or owners:
            with self.catalog.reading():
                snapshot = self.snapshot()
                shares = _shares(collection, query if terms else None)
                among = None if owners is None else np.array(chunks_of_owners(self.catalog, owners), dtype=np.int64)
                scored = (
                    snapshot.listed(among) if among is not None and not terms else snapshot.score(terms, among=among)
                )
                found = snapshot.best(scored, top * _CANDIDATES, shares)
                exact = {
                    "title": self._titles(snapshot, query, terms, scored) if shares[METADATA] else {},
                    "message": self._messages(snapshot, query, terms, among) if shares[CODE] else {},
                }
                hits = self._hits(found, terms, top, exact, kind="form" if collection == "form" else None)
                legs = ("lexical", *(leg for leg, chunks in exact.items() if chunks))
                convincing = len(legs) > 1 or (bool(hits) and found[0].matched >= len(terms) * _CONVINCING)
        elapsed = (time.perf_counter() - started) * 1000
        return Answer(query, "lexical", legs, convincing, round(elapsed, 3), hits)

    def okapi(self, top: int) -> Callable[[str], Answer]:
        """Return the baseline of evaluations: the same words ranked by rank_bm25 itself, fields not told apart."""
        documents = list(self.catalog.documents())
        ids = np.array([chunk for chunk, _ in documents])
        score = okapi([terms for _, terms in documents])

        def ask(query: str) -> Answer:
            terms = list(dict.fromkeys(names.text_terms(query)))
            scores = score(terms)
            best = np.argsort(-scores, kind="stable")[: top * _CANDIDATES]
            found = [LexicalHit(int(ids[i]), float(scores[i]), len(terms)) for i in best if scores[i]]
            return Answer(query, "flat", ("lexical",), bool(found), 0.0, self._hits(found, terms, top))

        return ask

    def _messages(self, snapshot: Snapshot, query: str, terms: list[str], among: Ints | None) -> dict[int, Exact]:
        """Return the chunks that build the message which the query quotes."""
        words = message_words(query)
        if len(words) < MIN_WORDS:
            return {}
        found = {}
        scored = snapshot.score(terms, NOTES_ONLY, among)
        candidates = snapshot.best(scored, CANDIDATES, (1.0, 0.0, 0.0, 0.0))[:CANDIDATES]
        for hit in candidates:
            if hit.score < candidates[0].score * LEAST_SHARE:
                break
            if hit.matched < LEAST_COMMON:
                continue
            match = match_message(words, self.catalog.text(hit.chunk))
            if match:
                found[hit.chunk] = Exact(match.quality, match.line)
        return found

    def _titles(self, snapshot: Snapshot, query: str, terms: list[str], scored: Scored) -> dict[int, Exact]:
        """Return the metadata chunks that are called what the query says; an action asks for code rather."""
        found = {}
        action = titles.asks_for_action(query)
        # only what holds enough of the query's terms can be called so
        least = titles.LEAST_QUALITY * len(terms)
        candidates = snapshot.best(scored, titles.CANDIDATES, (0.0, 1.0, 1.0, 0.0), least_matched=least)
        for hit in candidates[: titles.CANDIDATES]:
            quality = titles.title_quality(terms, self.catalog.text(hit.chunk), action)
            if quality:
                item = snapshot.collection.collections[hit.chunk] == ITEMS
                found[hit.chunk] = Exact(quality - titles.ITEM_LOSS * item, 0)
        return found

    def _hits(
        self,
        found: list[LexicalHit],
        terms: list[str],
        top: int,
        exact: Mapping[str, dict[int, Exact]] = MappingProxyType({}),
        kind: str | None = None,
    ) -> list[Hit]:
        looked_at = top + top // 2
        while True:
            rows = self.catalog.chunks(
                [*(hit.chunk for hit in found[:looked_at]), *(chunk for chunks in exact.values() for chunk in chunks)]
            )
            if kind:
                rows = {chunk: row for chunk, row in rows.items() if row.kind == kind}
            if looked_at >= len(found) or len({_whole(row) for row in rows.values()}) >= top:
                break
            looked_at *= 2
        scores = {hit.chunk: hit.score for hit in found[:looked_at]}
        # what answers best exactly comes first: a message may hold the words of some title too, and the reverse
        exact = dict(sorted(exact.items(), key=lambda item: -max((e.quality for e in item[1].values()), default=0)))
        # equal scores are ordered by place, so that an index has one answer whatever its history;
        # a chunk that a snapshot a little behind still names may be gone
        legs = {
            leg: sorted((c for c in chunks if c in rows), key=lambda c: (-chunks[c].quality, *_place(rows[c])))
            for leg, chunks in exact.items()
        }
        legs["lexical"] = sorted(
            (c for c in scores if c in rows), key=lambda c: (-round(scores[c], 9), *_place(rows[c]))
        )
        ranks: dict[tuple[str, str], dict[str, int]] = {}
        best: dict[tuple[str, str], int] = {}
        for leg, order in legs.items():
            seen: set[tuple[str, str]] = set()
            for chunk in order:
                whole = _whole(rows[chunk])
                if whole not in seen:
                    seen.add(whole)
                    ranks.setdefault(whole, {})[leg] = len(seen)
                    best.setdefault(whole, chunk)
        hits = []
        snippets = Snippets(terms)
        for rank, (whole, chunk) in enumerate(list(best.items())[:top], start=1):
            row, text = rows[chunk], self.catalog.text(chunk)
            if row.kind in CODE_KINDS:
                line = exact["message"][chunk].line if chunk in exact.get("message", {}) else None
                hits.append(_code_hit(row, text, snippets, line))
            else:
                hits.append(_metadata_hit(row, text, snippets))
            hits[-1] = replace(hits[-1], rank=rank, score=round(scores.get(chunk, 0.0), 4), ranks=ranks[whole])
        return hits


def _shares(collection: str, query: str | None) -> tuple[float, float, float, float]:
    """Return what the scores of code, of metadata, of its items and of the texts in it count for.

    All the same when nothing is asked in words.
    """
    if collection == "code":
        return 1.0, 0.0, 0.0, 0.0
    if collection in ("metadata", "form"):
        return 0.0, 1.0, 1.0, _TEXT
    if query is None:
        return 1.0, 1.0, 1.0, 1.0
    metadata = _ASKED if titles.asks_for_metadata(query) else _UNASKED
    return 1.0, metadata, metadata, _TEXT


def _code_hit(row: ChunkRow, text: str, snippets: Snippets, line: int | None) -> Hit:
    offset = snippets.best_line(text) if line is None else line
    snippet = shorten(text.split("\n")[offset].strip()) if text else ""
    snippet_line = row.text_line + max(offset - (row.part > 0), 0)
    return _hit(row, row.name or row.key, None, snippet, snippet_line, snippets)


def _metadata_hit(row: ChunkRow, text: str, snippets: Snippets) -> Hit:
    name, own, _, types, *comment = [*text.split("\n"), "", "", ""]
    synonym = own.split(TITLE_SEPARATOR)[0]
    if row.part or row.kind == RESTRICTION:
        lines = text.split("\n")[HEAD_ROWS:]
        offset = snippets.best_line("\n".join(lines))
        # only a restriction is written in its file as it is here
        line = row.text_line + offset if row.kind == RESTRICTION else row.line
        return _hit(row, name, synonym, shorten(lines[offset].strip()), line, snippets)
    snippet = shorten(" — ".join(part for part in (own, types, " ".join(comment).strip()) if part))
    return _hit(row, name, synonym, snippet, row.line, snippets)


def _hit(row: ChunkRow, symbol: str, synonym: str | None, snippet: str, snippet_line: int, snippets: Snippets) -> Hit:
    return Hit(
        0, row.root, row.path, symbol, row.kind, row.line, row.end_line, 0.0, {}, row.owner, row.module, row.words,
        snippet, snippet_line, snippets.matched_spans(snippet), 0, synonym,
    )  # fmt: skip


def _whole(row: ChunkRow) -> tuple[str, str]:
    """Return what the parts of one long procedure have in common."""
    return row.path, row.key.split("/")[0]


def _place(row: ChunkRow) -> tuple[str, int, int]:
    return row.path, row.line, row.part
