"""The only place that maps the server's paths, lines and offsets to those of the protocol."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, islice
from pathlib import Path, PurePath
from urllib.parse import unquote, urlparse

from lsprotocol import types

_LINE_END = re.compile(r"\r\n|\n|\r")
_DRIVE = re.compile(r"/[A-Za-z]:(/|$)")


def uri_of(path: PurePath) -> str:
    """Return the `file:` URI of an absolute path."""
    return path.as_uri()


def line_address(base: PurePath, path: str, line: int) -> str:
    """Return the address of a 0-based line of a file below a folder, for links."""
    return f"{uri_of(base / path)}#L{line + 1}"


def path_of(uri: str) -> Path | None:
    """Return the path of a `file:` URI, None for any other (an untitled document, a virtual folder)."""
    text = path_text(uri, os.name == "nt")
    return None if text is None else Path(text)


def path_text(uri: str, windows: bool) -> str | None:
    """Return the path of a `file:` URI as a system writes it (on Windows with `/`), None for any other URI."""
    try:
        parsed = urlparse(uri)
    except ValueError:
        return None
    if parsed.scheme != "file":
        return None
    path = unquote(parsed.path)
    if parsed.netloc:
        return f"//{unquote(parsed.netloc)}{path}"
    # VS Code writes the colon of a drive as %3A, which url2pathname does not take for a drive
    return path[1:] if windows and _DRIVE.match(path) else path


def line_range(line: int, end_line: int | None = None) -> types.Range:
    """Return the range from the beginning of a 0-based line to the beginning of another, or of itself."""
    end = line if end_line is None else end_line
    return types.Range(types.Position(line, 0), types.Position(end, 0))


def span_range(line: int, start: int, end: int, text: str) -> types.Range:
    """Return the range of a span of code points of a 0-based line with this text."""
    ((first, last),) = utf16_spans(text, [(start, end)])
    return types.Range(types.Position(line, first), types.Position(line, last))


def editor_lines(text: str) -> list[str]:
    """Return the lines of a text as the protocol counts them: other separators of Unicode do not end a line."""
    return _LINE_END.split(text)


def line_at(text: str, line: int) -> tuple[int, int]:
    """Return where a 0-based line of a text begins and ends, both at the end of a text that is not so long."""
    before = next(islice(_LINE_END.finditer(text), line - 1, None), None) if line > 0 else None
    start = before.end() if before else 0 if line <= 0 else len(text)
    end = _LINE_END.search(text, start)
    return start, end.start() if end else len(text)


def column_of(line: str, units: int) -> int:
    """Return the code point at an offset in UTF-16 units; inside a pair its beginning, beyond the line its end."""
    return bisect_right(utf16_offsets(line), max(units, 0)) - 1


def utf16_offsets(text: str) -> list[int]:
    """Return for each offset in code points, the end included, the offset in UTF-16 units, as clients count."""
    return [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]


def utf16_spans(text: str, spans: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return spans of code points as spans of UTF-16 units."""
    units = utf16_offsets(text)
    return [[units[start], units[end]] for start, end in spans]
