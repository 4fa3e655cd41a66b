"""Colours of BSL from our highlights query, for editors in which nothing else colours it."""

from __future__ import annotations

from functools import cache

from bsl_scout.bsl.grammars import grammar_file
from bsl_scout.bsl.parser import Query, compile_query, syntax_captures
from bsl_scout.bsl.text import LineIndex

# the token types of the protocol that our captures map to, in the order of the legend
TYPES = ("comment", "string", "number", "keyword", "function", "method", "parameter", "property", "type", "macro")
_TYPE_OF = {
    "attribute": "macro",
    "preproc": "macro",
    "constant.builtin": "keyword",
    "function": "function",
    "function.call": "method",
    "string.special": "number",
    "variable.parameter": "parameter",
}


@cache
def _query() -> Query:
    return compile_query(grammar_file("queries/highlights.scm").read_text(encoding="utf-8"))


def _type_of(capture: str) -> int | None:
    name = _TYPE_OF.get(capture) or capture.split(".")[0]
    return TYPES.index(name) if name in TYPES else None


def semantic_tokens(text: str) -> list[tuple[int, int, int, int]]:
    """Return (line, start, length, type) of each token in order: 0-based lines and code points, no overlaps.

    A token over several lines (a query text) becomes one for each line.
    """
    lines = LineIndex(text)
    found: list[tuple[int, int, int, int]] = []
    end_of_last = 0
    for capture, start, end in syntax_captures(text, _query()):
        kind = _type_of(capture)
        if kind is None or start < end_of_last:
            continue
        end_of_last = end
        line = lines.line(start)
        for piece in text[start:end].split("\n"):
            length = len(piece.rstrip("\r"))
            if length:
                found.append((line, start - lines.starts[line], length, kind))
            start += len(piece) + 1
            line += 1
    return found
