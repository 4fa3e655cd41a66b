"""Lines of a form in the JSON of a v8unpack export, which is written one value a line (v8unpack.md 1.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.bsl.text import fold

from .model import FormPlace
from .v8_events import HANDLER_CLASS, managed_event

_SECTION = re.compile(r'^ {0,4}"(params|props|commands|tree|data)": [\[{]')
_NAME = re.compile(r'^\s*"name": "(.*)",?\s*$')
# the key of an element's data is its path in the tree
_KEY = re.compile(r'^\s*"((?:[^"\\]|\\.)*)": \{\s*$')
_LITERAL = re.compile(r'^\s*"\\"(\w+)\\"",?\s*$')
_EVENT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event whose identifier stands on a line, and the procedure on the line behind it."""

    event: str
    procedure: str


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file of an exported form: its path below the top of the sources, its lines."""

    path: str
    lines: Sequence[str]


def export_files(top: Path, place: FormPlace) -> tuple[ExportFile, ...]:
    """Return the two files of a v8unpack form, elements first; one that cannot be read has no lines.

    Of that a warning of the form itself tells.
    """
    found = []
    for ending in (".elem.json", ".json"):
        path = f"{place.path}/{place.container}{ending}"
        try:
            text = (top / path).read_bytes().decode("utf-8-sig", errors="replace")
        except OSError:
            text = ""
        found.append(ExportFile(path, text.split("\n")))
    return tuple(found)


def named_line(lines: Sequence[str], section: str, name: str) -> int | None:
    """Return the 0-based line on which a name stands in `props`, `commands` or `data`, None when it does not."""
    wanted = fold(name)
    current = ""
    for number, text in enumerate(lines):
        begun = _SECTION.match(text)
        if begun:
            current = begun[1]
        elif current == section:
            found = (_KEY if section == "data" else _NAME).match(text)
            if found and fold(found[1].rpartition("/")[2]) == wanted:
                return number
    return None


def section_at(lines: Sequence[str], line: int) -> str | None:
    """Return the part of the elem.json (`props`, `commands`, `data`, …) that a line is in, None above all of them."""
    found = (_SECTION.match(lines[number]) for number in range(min(line, len(lines) - 1), -1, -1))
    return next((match[1] for match in found if match), None)


def procedure_lines(lines: Sequence[str], procedure: str) -> list[int]:
    """Return the 0-based lines on which a procedure stands as the handler of an event.

    In a managed form the identifier of the event is on the line before, in an ordinary one the class of handlers
    (`HANDLER_CLASS, [3, "Procedure", …]`).
    """
    wanted = fold(procedure)
    found = []
    for number, text in enumerate(lines):
        literal = _LITERAL.match(text)
        if literal and fold(literal[1]) == wanted:
            event = _EVENT.search(lines[number - 1]) if number else None
            above = "".join(lines[max(number - 3, 0) : number])
            if (event and managed_event(event[0])) or HANDLER_CLASS in above:
                found.append(number)
    return found


def handler_at(lines: Sequence[str], line: int, column: int) -> EventLine | None:
    """Return the event whose identifier is under the cursor, None when it is none or no procedure stands behind it."""
    if line + 1 >= len(lines):
        return None
    for match in _EVENT.finditer(lines[line]):
        event = managed_event(match[0])
        behind = _LITERAL.match(lines[line + 1])
        if match.start() <= column <= match.end() and event and behind:
            return EventLine(event, behind[1])
    return None
