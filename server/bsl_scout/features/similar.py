"""Find similar: the procedures nearest in meaning to the one at a place of a module."""

from __future__ import annotations

from bsl_scout.index.vectors import VectorsUnavailableError
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Answer, Searcher
from bsl_scout.retrieval.similar import find_similar

from .procedure_at import enclosing


def similar_to(searcher: Searcher, path: str, text: str, line: int, top: int = 10) -> tuple[Answer, Route]:
    """Return what is similar to the procedure that holds a 0-based line of a module's text, or why nothing can be."""
    row = enclosing(searcher.catalog, path, text, line)
    if row is None:
        return _nothing("", "there is no procedure of the index at this place", "no-procedure")
    try:
        answer = find_similar(searcher, row, top)
    except VectorsUnavailableError as error:
        return _nothing(row.name, f"nothing to compare: {error}", "no-vectors")
    return answer, Route("vector", f"the nearest in meaning to {row.name}", 1.0, "similar")


def _nothing(name: str, reason: str, code: str) -> tuple[Answer, Route]:
    return Answer(name, "vector", (), False, 0.0), Route("vector", reason, 0.0, code)
