"""Finds the code that builds a message to the user from the message's text, also with values filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.names import MESSAGE
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import FIELDS, Ints, Scheme
from bsl_scout.index.schema import CODE, only
from bsl_scout.index.snapshot import Snapshot

from .hits import Exact
from .name_match import is_name

# the weight of the words that a chunk's notes share with the query, whatever their number and length
_NOTES_ONLY = Scheme(tuple(float(name == "notes") for name in FIELDS), k1=1e-9, b=(0.0,) * len(FIELDS), joint=True)
_CANDIDATES = 12
# of the best candidate's weight; those below hardly share a sentence with the query
_LEAST_SHARE = 0.7
_MIN_WORDS = 4
# fewer, but not one, are a message only as a whole, and a name rather than a message
_MIN_WHOLE = 2
# a template and a text that share fewer words have nothing to do with each other
_LEAST_COMMON = 3
_MAX_WORDS = 80
# so much of the template must stand in the text in order, or so much of the text in the template
_OF_TEMPLATE, _OF_TEXT = 0.8, 0.9

_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"%\d+|\[[^\]\n]*\]|%\w+%|#\w+#")


@dataclass(frozen=True, slots=True)
class MessageMatch:
    """How well a template fits, 0 to 1, and the line of the chunk's text where it stands."""

    quality: float
    line: int


def said(
    catalog: Catalog, snapshot: Snapshot, query: str, terms: Sequence[str], among: Ints | None
) -> dict[int, Exact]:
    """Return the chunks, among those that may answer, that build the message which a query quotes."""
    words = message_words(query)
    short = len(words) < _MIN_WORDS
    if len(words) < _MIN_WHOLE or (short and is_name(snapshot, words)):
        return {}
    best = snapshot.best(snapshot.score(terms, _NOTES_ONLY, among), _CANDIDATES, only(CODE))[:_CANDIDATES]
    near = [
        hit.chunk
        for hit in best
        if hit.score >= best[0].score * _LEAST_SHARE and hit.matched >= min(_LEAST_COMMON, len(words))
    ]
    texts = catalog.texts(near)
    # a snapshot that is a little behind may name one that is gone
    found = {chunk: match_message(words, texts.get(chunk, "")) for chunk in near}
    return {chunk: Exact(match.quality, match.line) for chunk, match in found.items() if match}


def message_words(text: str) -> list[str]:
    """Return the folded words of a message, at most the first 80."""
    return [fold(word) for word in _WORD.findall(text)[:_MAX_WORDS]]


def match_message(words: list[str], code: str) -> MessageMatch | None:
    """Return the best message template of a chunk's text that the words of a message come from, None without one."""
    best: MessageMatch | None = None
    for match in MESSAGE.finditer(code):
        template = message_words(_PLACEHOLDER.sub(" ", match[1]))
        if len(words) < _MIN_WORDS and template != words:
            continue
        common = _in_order(template, words)
        enough = common >= len(template) * _OF_TEMPLATE or common >= len(words) * _OF_TEXT
        if common < min(_LEAST_COMMON, len(words)) or not enough:
            continue
        quality = common / (len(template) + len(words) - common)
        if best is None or quality > best.quality:
            best = MessageMatch(quality, code.count("\n", 0, match.start()))
    return best


def _in_order(template: list[str], words: list[str]) -> int:
    """Return how many words of the template occur in the text in the template's order."""
    position = common = 0
    for word in template:
        try:
            position = words.index(word, position) + 1
        except ValueError:
            continue
        common += 1
    return common
