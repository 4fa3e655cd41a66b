"""Answers a query from the lexical index: one hit per procedure, best first."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import DEFAULT, Scheme, okapi
from bsl_scout.index.schema import ChunkRow
from bsl_scout.index.snapshot import LexicalHit, Snapshot

COLLECTIONS = ("all", "code", "metadata", "form")
_WORD = re.compile(r"\w+")
# parts of one long procedure fold into one hit, so more chunks than hits are looked at
_CANDIDATES = 8
_MAX_QUERY_CHARS = 2_000
_SNIPPET_CHARS = 160
# a best hit that covers less than this share of the query's weight is not to be trusted
_CONVINCING = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """One found procedure (or module header or body). Lines are 0-based and inclusive."""

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
        self.catalog = Catalog(folder)
        self._scheme = scheme
        self._snapshot: Snapshot | None = None

    def close(self) -> None:
        """Close the catalog."""
        self.catalog.close()

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the catalog's present generation; call it inside `catalog.reading()`."""
        if self._snapshot is None or not self._snapshot.is_current():
            self._snapshot = Snapshot(self.catalog, self._scheme)
        return self._snapshot

    def search(self, query: str, top: int = 10, collection: str = "all") -> Answer:
        """Return the best hits for a query in words, an identifier or a code; never raises on a query."""
        started = time.perf_counter()
        terms = list(dict.fromkeys(names.text_terms(query[:_MAX_QUERY_CHARS])))
        hits: list[Hit] = []
        convincing = False
        if collection in ("all", "code") and terms:
            with self.catalog.reading():
                snapshot = self.snapshot()
                found = snapshot.search(terms, top * _CANDIDATES)
                hits = self._hits(found, terms, top)
                convincing = bool(hits) and self._convincing(snapshot, found[0], terms)
        elapsed = (time.perf_counter() - started) * 1000
        return Answer(query, "lexical", ("lexical",), convincing, round(elapsed, 3), hits)

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

    def _hits(self, found: list[LexicalHit], terms: list[str], top: int) -> list[Hit]:
        rows = self.catalog.chunks([hit.chunk for hit in found])
        # equal scores are ordered by place, so that an index has one answer whatever its history
        order = sorted(found, key=lambda hit: (-round(hit.score, 9), *_place(rows[hit.chunk])))
        best: dict[tuple[str, str], LexicalHit] = {}
        for hit in order:
            row = rows[hit.chunk]
            best.setdefault((row.path, row.key.split("/")[0]), hit)
        return [
            self._hit(rank, rows[hit.chunk], hit.score, terms)
            for rank, hit in enumerate(list(best.values())[:top], start=1)
        ]

    def _hit(self, rank: int, row: ChunkRow, score: float, terms: list[str]) -> Hit:
        text = self.catalog.text(row.id)
        offset, snippet = best_line(text, terms)
        return Hit(
            rank,
            row.root,
            row.path,
            row.name or row.key,
            row.kind,
            row.line,
            row.end_line,
            round(score, 4),
            {"lexical": rank},
            row.owner,
            row.module,
            row.words,
            snippet,
            row.text_line + max(offset - (row.part > 0), 0),
        )

    def _convincing(self, snapshot: Snapshot, best: LexicalHit, terms: list[str]) -> bool:
        return best.matched >= len(terms) * _CONVINCING


def _place(row: ChunkRow) -> tuple[str, int, int]:
    return row.path, row.line, row.part


def best_line(text: str, terms: list[str]) -> tuple[int, str]:
    """Return the line of a chunk that holds the most of the terms, as its offset in lines and its text."""
    wanted = set(terms)
    known = {word for word in set(_WORD.findall(text)) if not wanted.isdisjoint(names.identifier_terms(word))}
    best = (-1, 0, "")
    for offset, line in enumerate(text.split("\n")):
        found: set[str] = set()
        for word in known.intersection(_WORD.findall(line)) if known else ():
            found.update(wanted.intersection(names.identifier_terms(word)))
        if len(found) > best[0] and line.strip():
            best = (len(found), offset, line.strip())
    return best[1], _shorten(best[2])


def _shorten(line: str) -> str:
    return line if len(line) <= _SNIPPET_CHARS else line[: _SNIPPET_CHARS - 1] + "…"
