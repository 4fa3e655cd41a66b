"""The outline of a module: its procedures in their regions."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from bsl_scout.bsl.scanner import REGION, scan
from bsl_scout.bsl.text import LineIndex, lower

from .outline import Entry

# nobody nests regions so deep; an outline is walked by functions that call themselves
_DEEPEST = 50


@dataclass(slots=True)
class _Region:
    name: str
    line: int
    inner: list[Entry] = field(default_factory=list)


def module_outline(text: str) -> list[Entry]:
    """Return the procedures and regions of a module's text (line feeds only) in order.

    A region without an end goes on to the end of what is in it; those inside of procedures or too deep are left aside.
    """
    lines = LineIndex(text)
    procedures = scan(text, lines)
    marks: list[tuple[int, Entry | str | None]] = [
        (one.line, Entry(one.name, None, one.kind, one.line, end=one.end_line)) for one in procedures
    ]
    starts = [one.line for one in procedures]
    for match in REGION.finditer(lower(text)):
        line = lines.line(match.start())
        before = bisect_right(starts, line) - 1
        if before < 0 or line > procedures[before].end_line:
            marks.append((line, text[match.start(1) : match.end(1)] if match[1] else None))
    opened, too_deep = [_Region("", 0)], 0
    for line, mark in sorted(marks, key=lambda one: one[0]):
        if isinstance(mark, Entry):
            opened[-1].inner.append(mark)
        elif mark is not None and len(opened) > _DEEPEST:
            too_deep += 1
        elif mark is not None:
            opened.append(_Region(mark, line))
        elif too_deep:
            too_deep -= 1
        elif len(opened) > 1:
            _close(opened, line)
    while len(opened) > 1:
        _close(opened, max((one.end or one.line for one in opened[-1].inner), default=opened[-1].line))
    return opened[0].inner


def _close(opened: list[_Region], end: int) -> None:
    region = opened.pop()
    opened[-1].inner.append(Entry(region.name, None, "region", region.line, tuple(region.inner), end))
