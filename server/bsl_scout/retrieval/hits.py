"""Turns ranked chunks into what the user sees: one hit per procedure or metadata object, with its snippet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bsl_scout.index.candidates import Candidate
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import HEAD_ROWS, RESTRICTION, TITLE_SEPARATOR
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
    `also` the places of its copies among the candidates.
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


@dataclass(frozen=True, slots=True)
class Exact:
    """A chunk that answers exactly: how well, 0 to 1, and the line of its text that does."""

    quality: float
    line: int


# a procedure: its path and key; parts of a long one share it
Whole = tuple[str, str]


def whole(row: Candidate | ChunkRow) -> Whole:
    """Return what the parts of one long procedure have in common."""
    return row.path, row.key.split("/")[0]


def place(row: Candidate | ChunkRow) -> tuple[str, int, int]:
    """Return by what chunks with equal scores are ordered, so that an index has one answer whatever its history."""
    return row.path, row.line, row.part


def by_score(scores: Mapping[int, float], rows: Mapping[int, Candidate]) -> list[int]:
    """Return the chunks that have a row, best first; one that a snapshot a little behind still names may be gone."""
    return sorted((c for c in scores if c in rows), key=lambda c: (-round(scores[c], 9), *place(rows[c])))


def leg_ranks(orders: Mapping[str, Iterable[int]], rows: Mapping[int, Candidate]) -> dict[Whole, dict[str, int]]:
    """Return for each procedure or object its rank in each leg."""
    ranks: dict[Whole, dict[str, int]] = {}
    for leg, order in orders.items():
        seen: set[Whole] = set()
        for chunk in order:
            key = whole(rows[chunk])
            if key not in seen:
                seen.add(key)
                ranks.setdefault(key, {})[leg] = len(seen)
    return ranks


def build_hits(
    catalog: Catalog,
    rows: Mapping[int, ChunkRow],
    order: Iterable[int],
    scores: Mapping[int, float],
    ranks: Mapping[Whole, dict[str, int]],
    terms: Sequence[str],
    top: int,
    lines: Mapping[int, int],
) -> list[Hit]:
    """Return at most `top` hits for chunks in order, copies of one piece of code folded into the first.

    `lines` are the lines of the texts of chunks to show, where something better than the query's words tells one.
    """
    best: dict[Whole, int] = {}
    first_of: dict[bytes, Whole] = {}
    copies: dict[Whole, list[ChunkRow]] = {}
    for chunk in order:
        row = rows.get(chunk)
        if row is None:
            continue
        key = whole(row)
        if key in best:
            continue
        if row.kind in CODE_KINDS:
            original = first_of.setdefault(row.hash, key)
            if original != key:
                known = copies.setdefault(original, [])
                if key not in map(whole, known):
                    known.append(row)
                continue
        best[key] = chunk
    snippets = Snippets(terms)
    hits = []
    for rank, (key, chunk) in enumerate(list(best.items())[:top], start=1):
        row, text = rows[chunk], catalog.text(chunk)
        if row.kind in CODE_KINDS:
            hit = _code_hit(row, text, snippets, lines.get(chunk))
        else:
            hit = _metadata_hit(row, text, snippets)
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
    return Hit(
        0, row.root, row.path, symbol, row.kind, row.line, row.end_line, 0.0, {}, row.owner, row.module, row.words,
        snippet, snippet_line, snippets.matched_spans(snippet), 0, synonym,
    )  # fmt: skip
