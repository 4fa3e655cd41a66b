"""Recognises a query that is what people read on a form."""

from __future__ import annotations

from bsl_scout.configuration.contents import CAPTION_SEPARATOR
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import HEAD_ROWS
from bsl_scout.index.schema import CAPTIONS, only
from bsl_scout.index.snapshot import Scored, Snapshot

from .hits import Exact
from .messages import message_words
from .name_match import is_name

# one word names too much, and a longer text is no caption
_WORDS = range(2, 16)
# what more forms have tells of none of them, beside code and where only forms are asked for
_MOST_FORMS, _MOST_ALONE = 3, 20
_CANDIDATES = 30
# behind what is called so
_QUALITY = 0.9


def captioned(
    catalog: Catalog, snapshot: Snapshot, query: str, terms: int, scored: Scored, beside_code: bool
) -> dict[int, Exact]:
    """Return the scored chunks of the few forms that have a caption which the whole query is.

    Beside code a query that is a name in words is no caption: the procedure is meant. `terms`: how many it has.
    """
    words = message_words(query)
    if len(words) not in _WORDS or (beside_code and is_name(snapshot, words)):
        return {}
    most = _MOST_FORMS if beside_code else _MOST_ALONE
    best = snapshot.best(scored, _CANDIDATES, only(CAPTIONS), least_matched=terms)[:_CANDIDATES]
    # a snapshot that is a little behind may name one that is gone
    texts = catalog.texts([hit.chunk for hit in best])
    found = [chunk for chunk, text in texts.items() if any(_is(words, row) for row in text.split("\n")[HEAD_ROWS:])]
    return {chunk: Exact(_QUALITY, 0) for chunk in found} if len(found) <= most else {}


def _is(words: list[str], row: str) -> bool:
    return any(message_words(caption) == words for caption in row.split(CAPTION_SEPARATOR))
