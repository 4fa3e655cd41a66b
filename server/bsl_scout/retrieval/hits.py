"""Turns ranked chunks into what the user sees: one hit per procedure or metadata object, with its snippet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bsl_scout.bsl.text import fold
from bsl_scout.index.candidates import Candidate, Whole
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import Floats, Ints
from bsl_scout.index.metadata import COMMON_FORM, HEAD_ROWS, RESTRICTION, TITLE_SEPARATOR
from bsl_scout.index.schema import ChunkRow

from .snippets import Snippets, shorten

CODE_KINDS = frozenset({"procedure", "function", "header", "body"})


@dataclass(frozen=True, slots=True)
class Copy:
    """Another place of the same code."""

    path: str
    symbol: str
    line: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One found procedure, module header or body, metadata object or field. Lines are 0-based and inclusive.

    `ranks` is its rank in each leg that found it, `matches` are the spans of the query's words in the snippet,
    `also` the places of its copies among the candidates, `translated` what a span of the snippet translates.
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
    also: list[Copy] = field(default_factory=list)
    translated: dict[str, str] = field(default_factory=dict)

    @property
    def is_form(self) -> bool:
        """Whether it is a form: one of an object, or a common form, which is an object of its own."""
        return self.kind == "form" or (self.kind == "object" and fold(self.symbol).startswith(f"{COMMON_FORM}."))


@dataclass(frozen=True, slots=True)
class Exact:
    """A chunk that answers exactly: how well, 0 to 1, and the line of its text that does."""

    quality: float
    line: int


def by_score(chunks: Ints, scores: Floats, rows: Mapping[int, Candidate]) -> list[int]:
    """Return the chunks that have a row, best first, equal ones in the order of the rows.

    One that a snapshot a little behind still names may be gone.
    """
    places = {chunk: place for place, chunk in enumerate(rows)}
    kept = np.array([chunk in places for chunk in chunks.tolist()], dtype=bool)
    chunks, scores = chunks[kept], scores[kept]
    order = np.lexsort((np.array([places[chunk] for chunk in chunks.tolist()]), -np.round(scores, 9)))
    found: list[int] = chunks[order].tolist()
    return found


def leg_ranks(orders: Mapping[str, Iterable[int]], rows: Mapping[int, Candidate]) -> dict[Whole, dict[str, int]]:
    """Return for each procedure or object its rank in each leg."""
    ranks: dict[Whole, dict[str, int]] = {}
    for leg, order in orders.items():
        distinct = dict.fromkeys(rows[chunk].whole for chunk in order)
        for rank, whole in enumerate(distinct, start=1):
            ranks.setdefault(whole, {})[leg] = rank
    return ranks


def build_hits(
    catalog: Catalog,
    rows: Mapping[int, Candidate],
    order: Iterable[int],
    scores: Mapping[int, float],
    ranks: Mapping[Whole, dict[str, int]],
    terms: Sequence[str],
    top: int,
    lines: Mapping[int, int],
    translations: Mapping[str, str] | None = None,
) -> list[Hit]:
    """Return at most `top` hits for chunks in order, copies of one piece of code folded into the first.

    `lines` are the lines of the texts of chunks to show, where something better than the query's words tells one,
    `translations` terms that translate words of the query, with these words.
    """
    best: dict[Whole, int] = {}
    first_of: dict[bytes, Whole] = {}
    copies: dict[Whole, list[Candidate]] = {}
    for chunk in order:
        row = rows[chunk]
        key = row.whole
        if key in best:
            continue
        if row.kind in CODE_KINDS:
            original = first_of.setdefault(row.hash, key)
            if original != key:
                known = copies.setdefault(original, [])
                if key not in (one.whole for one in known):
                    known.append(row)
                continue
        best[key] = chunk
    snippets = Snippets(terms, translations)
    hits = []
    shown = list(best.items())[:top]
    chunks = [chunk for _, chunk in shown]
    whole_rows, texts = catalog.chunks(chunks), catalog.texts(chunks)
    for rank, (key, chunk) in enumerate(shown, start=1):
        whole, text = whole_rows[chunk], texts[chunk]
        if whole.kind in CODE_KINDS:
            hit = _code_hit(whole, text, snippets, lines.get(chunk))
        else:
            hit = _metadata_hit(whole, text, snippets)
        also = [Copy(copy.path, copy.name or copy.key, copy.line) for copy in copies.get(key, ())]
        score = round(scores.get(chunk, 0.0), 4)
        hits.append(replace(hit, rank=rank, score=score, ranks=ranks[key], also=also))
    return hits


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
    matches, translated = snippets.matched(snippet)
    return Hit(
        0, row.root, row.path, symbol, row.kind, row.line, row.end_line, 0.0, {}, row.owner, row.module, row.words,
        snippet, snippet_line, matches, 0, synonym, translated=translated,
    )  # fmt: skip
