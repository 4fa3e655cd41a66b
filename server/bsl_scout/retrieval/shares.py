"""What the scores of code and of the kinds of metadata count for beside each other."""

from __future__ import annotations

from bsl_scout.index.schema import CODE, COLLECTIONS, only

from .titles import asks_for_metadata

# what a metadata score counts for beside code, when the query asks for metadata and when it does not: ADR 0004
_ASKED, _UNASKED = 1.2, 0.7
# what the score of a text that metadata holds counts for, and of the captions of a form
_TEXT = _CAPTIONS = 0.6


def shares_of(collection: str, query: str | None) -> tuple[float, ...]:
    """Return what the scores of code, of metadata, of its items, of the texts in it and of captions count for.

    All the same when nothing is asked in words.
    """
    if collection == "code":
        return only(CODE)
    if collection in ("metadata", "form"):
        return 0.0, 1.0, 1.0, _TEXT, _CAPTIONS
    if query is None:
        return only(*COLLECTIONS)
    metadata = _ASKED if asks_for_metadata(query) else _UNASKED
    return 1.0, metadata, metadata, _TEXT, _CAPTIONS
