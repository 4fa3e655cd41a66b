"""Chooses the line of a chunk that is shown with a hit, and the words in it that answer the query."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from bsl_scout.bsl import names
from bsl_scout.bsl.text import fold, lower

_WORD = re.compile(r"\w+")
# what the platform and extensions say of a procedure; no words of its code. The argument of `&Вместо("Имя")` is one.
_DIRECTIVE = re.compile(
    r"^[^\S\n]*&[^\S\n]*(?:(?:на(?:клиенте|сервере))+(?:безконтекста)?|(?:at(?:client|server))+(?:nocontext)?"
    r"|перед|before|после|after|вместо|around|изменениеиконтроль|changeandvalidate)\b",
    re.IGNORECASE | re.MULTILINE,
)
# a line of an annotation and nothing else
_ANNOTATED = re.compile(r"^[^\S\n]*&[^\S\n]*\w+[^\S\n]*(?:\([^\n]*\))?[^\S\n]*$", re.MULTILINE)
# they stand in any line, so they neither choose one nor tell why it is shown
_SMALL_WORDS = """и в во на по с со к ко о об от из за для при до у не или а но как что это его их её ли же бы то так
если где когда кто чей какой который этот тот
a an the of in on at to by for from with and or not is are be as it its this that if do does did how what when
where which who why can could should i we my our you your"""
_SMALL = frozenset(names.stem(fold(word)) for word in _SMALL_WORDS.split())
# no rule of word forms changes the first three letters of a word
_STEM_START = 3
_MAX_CHARS = 160


class Snippets:
    """The snippets of one query's hits."""

    def __init__(self, terms: Collection[str], translations: Mapping[str, str] | None = None) -> None:
        """Take the query's terms, and other terms that translate words of it, with these words."""
        self._words = translations or {}
        self._translated = Snippets(self._words) if self._words else None
        # of a query that has nothing else the small words are what was asked for
        self._wanted = set(terms) - _SMALL or set(terms)
        long = [term for term in self._wanted if len(term) >= _STEM_START]
        # how many terms begin so; prepositions choose a line only when there is nothing else
        self._starts: dict[str, int] = {}
        for term in long or self._wanted:
            self._starts[term[:_STEM_START]] = self._starts.get(term[:_STEM_START], 0) + 1
        self._short = len(self._wanted) - len(long)
        # hits of one query are full of the same words
        self._terms_of: dict[str, frozenset[str]] = {}

    def best_line(self, text: str) -> int:
        """Return the offset in lines of the line that holds the most of the terms, else of the first with words.

        Without any of the terms it is the line with the most of their translations. Directives count as blanks:
        without an answer in words it is the comment or the signature that is shown.
        """
        whole, text = text, _undirected(text)
        line = self._line_with_most(text)
        if line is None and self._translated:
            line = self._translated._line_with_most(text)
        if line is not None:
            return line
        first = _WORD.search(_ANNOTATED.sub(_blank, whole)) or _WORD.search(text)
        return text.count("\n", 0, first.start()) if first else 0

    def _line_with_most(self, text: str) -> int | None:
        low = lower(text).replace("ё", "е")
        bounds = self._bounds(low)
        if bounds:
            lines = text.split("\n")
            most = best = 0
            for negative, line in sorted([(-bound, line) for line, bound in bounds.items()]):
                # only the lines that can still be the best are worth stemming
                bound = self._short - negative
                if bound < most:
                    break
                if bound > most or line < best:
                    held = len(frozenset().union(*map(self._answers, _WORD.findall(lines[line]))))
                    if held > most or (held == most and line < best):
                        most, best = held, line
            if most:
                return best
        return None

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

    def _answers(self, word: str) -> frozenset[str]:
        """Return the terms that a word of a text answers."""
        found = self._terms_of.get(word)
        if found is None:
            found = self._terms_of[word] = frozenset(self._wanted.intersection(names.identifier_terms(word)))
        return found

    def matched(self, snippet: str) -> tuple[list[tuple[int, int]], dict[str, str]]:
        """Return the spans of a snippet that answer the query, and the words of the query that are translated there:
        what a span holds, with them. Spans are words, and of longer names the parts that answer.
        """
        spans = self._spans(snippet)
        told: dict[str, str] = {}
        for begin, end in self._translated._spans(snippet) if self._translated else ():
            if any(begin < other_end and other_begin < end for other_begin, other_end in spans):
                continue
            own = names.identifier_terms(snippet[begin:end])
            told[snippet[begin:end]] = " ".join(dict.fromkeys(self._words[term] for term in own if term in self._words))
            spans.append((begin, end))
        return sorted(spans), told

    def _spans(self, snippet: str) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for match in _WORD.finditer(_undirected(snippet)):
            if not self._answers(match[0]):
                continue
            if fold(match[0]) in self._wanted:
                spans.append(match.span())
                continue
            end = match.start()
            for part in names.split_identifier(match[0]):
                begin = snippet.index(part, end)
                end = begin + len(part)
                if names.stem(fold(part)) not in self._wanted:
                    continue
                # what stands together in the name is one span
                joins = bool(spans) and spans[-1][1] == begin
                spans[-1:] = [(spans[-1][0], end)] if joins else [*spans[-1:], (begin, end)]
        return spans


def _undirected(text: str) -> str:
    """Return a text with blanks for what the platform and extensions say of a procedure."""
    return _DIRECTIVE.sub(_blank, text) if "&" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def shorten(line: str) -> str:
    """Return a line of at most 160 characters; a cut ends with an ellipsis."""
    return line if len(line) <= _MAX_CHARS else line[: _MAX_CHARS - 1] + "…"
