"""Orders the best hits anew by a cross-encoder, which reads the query and each text together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source, passage

from .hits import CODE_KINDS, Hit

# how many hits are read: each costs about as much as embedding a chunk
CANDIDATES = 30
LEG = "rerank"

# gives the score of each text for a query, the higher the better; raises RerankUnavailableError
Score = Callable[[str, Sequence[str]], Sequence[float]]


class RerankUnavailableError(Exception):
    """The texts cannot be scored now; the text is one line for the user and names no path."""


def rerank(catalog: Catalog, query: str, hits: Sequence[Hit], score: Score) -> list[Hit]:
    """Return the hits with the best of them in the order of their scores, which become those of the hits.

    What answers exactly stays first: a title or message of the configuration that the query repeats proves more than
    any model. Hits beyond the candidates follow in their order. Raises RerankUnavailableError.
    """
    exact = [hit for hit in hits if is_exact(hit)]
    others = [hit for hit in hits if not is_exact(hit)]
    candidates, rest = others[:CANDIDATES], others[CANDIDATES:]
    scores = score(query, [_text(catalog, hit) for hit in candidates]) if candidates else []
    best = sorted(zip(candidates, scores, strict=True), key=lambda pair: -pair[1])
    read = [
        replace(hit, score=round(value, 4), ranks={**hit.ranks, LEG: place})
        for place, (hit, value) in enumerate(best, start=1)
    ]
    # scores of the model and of the legs stand side by side when several folders answer: those not read come after
    lowest = min((hit.score for hit in read), default=0.0)
    unread = [replace(hit, score=round(lowest - 1 / (1 + max(hit.score, 0.0)), 4)) for hit in rest]
    return [replace(hit, rank=rank) for rank, hit in enumerate([*exact, *read, *unread], start=1)]


def is_exact(hit: Hit) -> bool:
    """Return whether a hit is what the query says, word for word, or is called as the query abbreviates."""
    return bool({"message", "title", "name", "caption"} & hit.ranks.keys())


def _text(catalog: Catalog, hit: Hit) -> str:
    """Return what the model reads of a hit: what it is called and tells first, since the end may be cut off."""
    row = catalog.at_line(hit.path, hit.line) if hit.kind in CODE_KINDS else None
    if row is None:
        return "\n".join(filter(None, (hit.synonym, hit.symbol, hit.snippet)))
    file = catalog.file(row.path)
    context = (file.context if file else None) or ""
    return passage(Source(row.name, catalog.text(row.id), 0, row.line - row.text_line, context))
