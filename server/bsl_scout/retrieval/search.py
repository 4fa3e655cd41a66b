"""Answers a query from the lexical index: one hit per procedure, best first."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.catalog import FILE_NAME, Catalog
from bsl_scout.index.indexer import OPTIONS
from bsl_scout.index.lexical import DEFAULT, Postings, Scheme, okapi
from bsl_scout.index.schema import ChunkRow
from bsl_scout.index.snapshot import LexicalHit, Snapshot

from .messages import CANDIDATES, LEAST_SHARE, MIN_WORDS, NOTES_ONLY, MessageMatch, match_message, message_words

COLLECTIONS = ("all", "code", "metadata", "form")
_WORD = re.compile(r"\w+")
# parts of one long procedure fold into one hit, so more chunks than hits are looked at
_CANDIDATES = 8
_MAX_QUERY_CHARS = 2_000
_SNIPPET_CHARS = 160
# a snapshot that took longer to load serves this many times as long as that
_COSTLY_SECONDS, _PATIENCE = 0.05, 20
# a best hit that covers less than this share of the query's weight is not to be trusted
_CONVINCING = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """One found procedure (or module header or body). Lines are 0-based and inclusive.

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

    def search(self, query: str, top: int = 10, collection: str = "all") -> Answer:
        """Return the best hits for a query in words, an identifier or a code; never raises on a query."""
        started = time.perf_counter()
        terms = list(dict.fromkeys(names.text_terms(query[:_MAX_QUERY_CHARS])))
        hits: list[Hit] = []
        convincing = False
        legs: tuple[str, ...] = ()
        if collection in ("all", "code") and terms:
            with self.catalog.reading():
                snapshot = self.snapshot()
                postings = snapshot.postings(terms)
                found = snapshot.search(postings, top * _CANDIDATES)
                messages = self._messages(snapshot, query, postings)
                hits = self._hits(found, terms, top, messages)
                legs = ("lexical", "message") if messages else ("lexical",)
                convincing = bool(messages) or (bool(hits) and found[0].matched >= len(terms) * _CONVINCING)
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
            return Answer(query, "flat", ("lexical",), bool(found), 0.0, self._hits(found, terms, top, {}))

        return ask

    def _messages(self, snapshot: Snapshot, query: str, postings: list[Postings]) -> dict[int, MessageMatch]:
        """Return the chunks that build the message which the query quotes, with how well it fits."""
        words = message_words(query)
        if len(words) < MIN_WORDS:
            return {}
        found = {}
        candidates = snapshot.search(postings, CANDIDATES, NOTES_ONLY)[:CANDIDATES]
        for hit in candidates:
            if hit.score < candidates[0].score * LEAST_SHARE:
                break
            match = match_message(words, self.catalog.text(hit.chunk))
            if match:
                found[hit.chunk] = match
        return found

    def _hits(
        self, found: list[LexicalHit], terms: list[str], top: int, messages: dict[int, MessageMatch]
    ) -> list[Hit]:
        scores = {hit.chunk: hit.score for hit in found}
        rows = self.catalog.chunks([*scores, *messages])
        # equal scores are ordered by place, so that an index has one answer whatever its history;
        # a chunk that a snapshot a little behind still names may be gone
        by_words = sorted(
            (chunk for chunk in scores if chunk in rows), key=lambda c: (-round(scores[c], 9), *_place(rows[c]))
        )
        by_message = sorted(
            (chunk for chunk in messages if chunk in rows), key=lambda c: (-messages[c].quality, *_place(rows[c]))
        )
        ranks: dict[tuple[str, str], dict[str, int]] = {}
        best: dict[tuple[str, str], int] = {}
        for leg, order in (("message", by_message), ("lexical", by_words)):
            seen: set[tuple[str, str]] = set()
            for chunk in order:
                procedure = (rows[chunk].path, rows[chunk].key.split("/")[0])
                if procedure not in seen:
                    seen.add(procedure)
                    ranks.setdefault(procedure, {})[leg] = len(seen)
                    best.setdefault(procedure, chunk)
        return [
            self._hit(rank, rows[chunk], scores.get(chunk, 0.0), ranks[procedure], terms, messages.get(chunk))
            for rank, (procedure, chunk) in enumerate(list(best.items())[:top], start=1)
        ]

    def _hit(
        self,
        rank: int,
        row: ChunkRow,
        score: float,
        ranks: dict[str, int],
        terms: list[str],
        message: MessageMatch | None,
    ) -> Hit:
        text = self.catalog.text(row.id)
        offset = message.line if message else best_line(text, terms)
        snippet = _shorten(text.split("\n")[offset].strip()) if text else ""
        return Hit(
            rank,
            row.root,
            row.path,
            row.name or row.key,
            row.kind,
            row.line,
            row.end_line,
            round(score, 4),
            ranks,
            row.owner,
            row.module,
            row.words,
            snippet,
            row.text_line + max(offset - (row.part > 0), 0),
            matched_spans(snippet, terms),
        )


def _place(row: ChunkRow) -> tuple[str, int, int]:
    return row.path, row.line, row.part


def best_line(text: str, terms: list[str]) -> int:
    """Return the offset in lines of the line of a chunk that holds the most of the terms."""
    wanted = set(terms)
    known = {word for word in set(_WORD.findall(text)) if not wanted.isdisjoint(names.identifier_terms(word))}
    best = (-1, 0)
    for offset, line in enumerate(text.split("\n")):
        found: set[str] = set()
        for word in known.intersection(_WORD.findall(line)) if known else ():
            found.update(wanted.intersection(names.identifier_terms(word)))
        if len(found) > best[0] and line.strip():
            best = (len(found), offset)
    return best[1]


def matched_spans(snippet: str, terms: list[str]) -> list[tuple[int, int]]:
    """Return the spans of the words of a snippet that answer the query."""
    wanted = set(terms)
    return [
        match.span() for match in _WORD.finditer(snippet) if not wanted.isdisjoint(names.identifier_terms(match[0]))
    ]


def _shorten(line: str) -> str:
    return line if len(line) <= _SNIPPET_CHARS else line[: _SNIPPET_CHARS - 1] + "…"
