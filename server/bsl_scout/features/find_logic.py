"""Find Logic: from a query in words to the procedures that do it."""

from __future__ import annotations

from dataclasses import dataclass

from bsl_scout.retrieval.search import Answer, Searcher

MODES = ("auto", "hybrid", "lexical", "vector", "rerank")


@dataclass(frozen=True, slots=True)
class Route:
    """Which mode answered, why, and how sure the choice is (0 to 1)."""

    mode: str
    reason: str
    confidence: float


def find_logic(
    searcher: Searcher, query: str, mode: str = "auto", top: int = 10, collection: str = "all"
) -> tuple[Answer, Route]:
    """Return the answer to a query and the route it took. Raises ValueError for an unknown mode."""
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: one of {', '.join(MODES)}")
    reason = "asked for" if mode == "lexical" else "this index has words only, no vectors"
    return searcher.search(query, top, collection), Route("lexical", reason, 1.0)
