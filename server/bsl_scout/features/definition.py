"""Where a name is defined, and where metadata names a procedure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.bsl.text import decode, fold
from bsl_scout.index.schema import ChunkRow

from .callers import callers_of
from .hover import callers_by_metadata, find_procedure, procedures_of
from .objects import Named, dotted_at, named_at
from .symbols import SymbolTable

_TAGS = re.compile(r"<(Handler|handler|MethodName|methodName|ProcedureName|procedureName)>([^<]*)<")


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a file: path relative to the folder of the index, 0-based line, columns in code points of its text."""

    path: str
    line: int
    start: int = 0
    end: int = 0
    text: str = ""


def procedure_at(
    symbols: SymbolTable, path: str | None, lines: Sequence[str], line: int, column: int
) -> ChunkRow | None:
    """Return the procedure that the name at a place of a module stands for, None when that is not certain.

    The name in an annotation of an extension (`&Вместо("Имя")`) stands for the base's procedure.
    """
    if not path or not path.lower().endswith((".bsl", ".os")):
        return None
    change = symbols.extensions.annotated(path, lines[line], line, column)
    if change:
        return symbols.procedure(change.base.path, change.base.name) if change.base else None
    dotted = dotted_at(lines[line], column)
    if dotted is None or dotted.index > 1:
        return None
    receiver = dotted.parts[0] if dotted.index else None
    return find_procedure(symbols, path, receiver, dotted.parts[dotted.index])


def hovered_procedure(
    symbols: SymbolTable, path: str | None, lines: Sequence[str], line: int, column: int
) -> ChunkRow | None:
    """Return the procedure to tell about at a place of a module.

    In an annotation whose procedure is not known it is the one that has the annotation: its card tells why.
    """
    row = procedure_at(symbols, path, lines, line, column)
    change = None if row else symbols.extensions.annotated(path, lines[line], line, column)
    return symbols.procedure(change.procedure.path, change.procedure.name) if change else row


def calls_procedure(symbols: SymbolTable, path: str | None, lines: Sequence[str], line: int, column: int) -> bool:
    """Return whether the name at a place of a module stands for a procedure by the rules of the language alone.

    In an annotation of an extension it does by what the configuration says.
    """
    if not procedure_at(symbols, path, lines, line, column):
        return False
    return not (path and symbols.extensions.annotated(path, lines[line], line, column))


def definitions(symbols: SymbolTable, path: str | None, lines: Sequence[str], line: int, column: int) -> list[Target]:
    """Return where the procedure, object or field at a place is defined; none when nothing is certain."""
    row = procedure_at(symbols, path, lines, line, column)
    if row:
        return [Target(row.path, row.line)]
    if symbols.extensions.annotated(path, lines[line], line, column):
        return []
    found = named_at(symbols, path, lines, line, column)
    return [target for named in found for target in _targets(symbols, named)]


def _targets(symbols: SymbolTable, named: Named) -> list[Target]:
    if named.procedure:
        return [Target(row.path, row.line) for row in procedures_of(symbols, named.item, named.procedure)]
    return [metadata_target(named)]


def metadata_target(named: Named) -> Target:
    """Return where an object or a field of it is defined."""
    part = named.part
    if part is None or part.line is None:
        return Target(named.item.path, named.item.line)
    return Target(part.path or named.item.path, part.line)


def references(
    symbols: SymbolTable,
    base: Path,
    path: str | None,
    lines: Sequence[str],
    line: int,
    column: int,
    calls: bool = True,
) -> list[Target]:
    """Return where subscriptions, jobs and services name the procedure at a place, what extensions change it, and
    with `calls` those of it that are proven.
    """
    row = procedure_at(symbols, path, lines, line, column)
    changes = symbols.extensions.links().made_to(row.path, row.name) if row else ()
    found = [Target(change.procedure.path, change.procedure.line) for change in changes]
    for item in callers_by_metadata(symbols, row) if row else ():
        try:
            text = decode((base / item.path).read_bytes()).text
        except OSError:
            # gone since it was indexed: the next refresh takes it out
            continue
        found += _handler_lines(item.path, text, row.name if row else "")
    calling = [one for one in callers_of(symbols, row).found if one.certain] if row and calls else []
    return found + [
        Target(one.row.path, place.line, place.start, place.end, place.text) for one in calling for place in one.places
    ]


def _handler_lines(path: str, text: str, procedure: str) -> list[Target]:
    return [
        Target(path, number, match.start(2), match.end(2), line)
        for number, line in enumerate(text.split("\n"))
        for match in _TAGS.finditer(line)
        if fold(match[2].strip().rpartition(".")[2]) == fold(procedure)
    ]
