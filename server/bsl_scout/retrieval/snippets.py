"""Chooses the line of a chunk that is shown with a hit, and the words in it that answer the query."""

from __future__ import annotations

import re
from collections.abc import Collection

from bsl_scout.bsl import names
from bsl_scout.bsl.text import lower

_WORD = re.compile(r"\w+")
# no rule of word forms changes the first three letters of a word
_STEM_START = 3
_MAX_CHARS = 160


class Snippets:
    """The snippets of one query's hits."""

    def __init__(self, terms: Collection[str]) -> None:
        self._wanted = set(terms)
        long = [term for term in self._wanted if len(term) >= _STEM_START]
        # how many terms begin so; prepositions choose a line only when there is nothing else
        self._starts: dict[str, int] = {}
        for term in long or self._wanted:
            self._starts[term[:_STEM_START]] = self._starts.get(term[:_STEM_START], 0) + 1
        self._short = len(self._wanted) - len(long)

    def best_line(self, text: str) -> int:
        """Return the offset in lines of the line that holds the most of the terms, else of the first with text."""
        low = lower(text).replace("ё", "е")
        bounds = self._bounds(low)
        if bounds:
            lines, low_lines = text.split("\n"), low.split("\n")
            most = best = 0
            for negative, line in sorted([(-bound, line) for line, bound in bounds.items()]):
                # only the lines that can still be the best are worth stemming
                bound = self._short - negative
                if bound < most:
                    break
                if bound > most or line < best:
                    held = self._held(lines[line], low_lines[line])
                    if held > most or (held == most and line < best):
                        most, best = held, line
            if most:
                return best
        blank = text[: len(text) - len(text.lstrip())]
        return blank.count("\n")

    def _bounds(self, low: str) -> dict[int, int]:
        """Return per line how many of the long terms can be in it: a word that answers one has its first letters."""
        bounds: dict[int, int] = {}
        for start, count in self._starts.items():
            line = last = 0
            place = low.find(start)
            while place >= 0:
                line += low.count("\n", last, place)
                bounds[line] = bounds.get(line, 0) + count
                last = low.find("\n", place)
                place = low.find(start, last) if last >= 0 else -1
        return bounds

    def _held(self, line: str, low: str) -> int:
        """Return how many of the terms are in those words of a line that hold the first letters of any."""
        held: set[str] = set()
        for word, lowered in zip(_WORD.findall(line), _WORD.findall(low), strict=True):
            for start in self._starts:
                if start in lowered:
                    held.update(self._wanted.intersection(names.identifier_terms(word)))
                    break
        return len(held)

    def matched_spans(self, snippet: str) -> list[tuple[int, int]]:
        """Return the spans of the words of a snippet that answer the query."""
        return [
            match.span()
            for match in _WORD.finditer(snippet)
            if not self._wanted.isdisjoint(names.identifier_terms(match[0]))
        ]


def shorten(line: str) -> str:
    """Return a line of at most 160 characters; a cut ends with an ellipsis."""
    return line if len(line) <= _MAX_CHARS else line[: _MAX_CHARS - 1] + "…"
