"""Chooses the forms that a question is about."""

from __future__ import annotations

from collections.abc import Sequence

from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import find_form
from bsl_scout.retrieval.search import Searcher

MOST_FORMS = 5
_HITS = 60


def forms_about(searcher: Searcher, places: Sequence[FormPlace], question: str) -> list[FormPlace]:
    """Return at most five forms whose modules or names answer a question, the best first."""
    by_path = {path: place for place in places for path in (place.path, place.module) if path}
    found: dict[str, FormPlace] = {}
    for hit in searcher.search(question, _HITS).hits:
        place = by_path.get(hit.path)
        if place is None and hit.is_form:
            place = find_form(places, hit.symbol)
        if place:
            found.setdefault(place.path, place)
    return list(found.values())[:MOST_FORMS]
