"""Metadata objects by their full names, and by the names that stand in code and in XML sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.nearest import nearest
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name
from bsl_scout.configuration.model import MetadataField, MetadataObject
from bsl_scout.index.object_store import object_of_file, objects_named

from .changes import nearest_roots
from .symbols import SymbolTable

_DOTTED = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")
_PART = re.compile(r"\w+")
# the elements of XML sources whose text is the name of a procedure in the object's own module
_OWN_HANDLER = re.compile(r"<(?:Handler|handler|ProcedureName|procedureName)>\s*(\w+)\s*<")


@dataclass(frozen=True, slots=True)
class Dotted:
    """A dotted name in a line and which of its parts the cursor is on."""

    parts: tuple[str, ...]
    index: int


@dataclass(frozen=True, slots=True)
class Named:
    """What a name stands for: an object, one of its fields, or a procedure of its module."""

    item: MetadataObject
    part: MetadataField | None = None
    procedure: str | None = None


def named_objects(objects: Sequence[MetadataObject], name: str) -> list[MetadataObject]:
    """Return the objects with this full name, in any spelling; several roots may have it."""
    found = object_name(name.split("."))
    wanted = fold(found.full_name) if found and not found.rest else fold(name)
    return [item for item in objects if fold(item.full_name) == wanted]


def nearest_objects(objects: Sequence[MetadataObject], name: str) -> list[str]:
    """Return the full Russian names nearest to one that no object has."""
    found = object_name(name.split("."))
    russian = {item.full_name: item.russian_name for item in objects}
    return [russian[full] for full in nearest(found.full_name if found else name, russian)]


def dotted_at(line: str, column: int) -> Dotted | None:
    """Return the dotted name of a line that a column (0-based code point) is in or right behind."""
    for match in _DOTTED.finditer(line):
        if match.start() <= column <= match.end():
            parts = list(_PART.finditer(line, match.start(), match.end()))
            index = next(i for i, part in enumerate(parts) if column <= part.end())
            return Dotted(tuple(part[0] for part in parts), index)
    return None


def named_at(symbols: SymbolTable, path: str | None, lines: Sequence[str], line: int, column: int) -> list[Named]:
    """Return what the metadata name at a place stands for; several when several roots hold an object of the name.

    An object of the document's own root, or of the base of that, goes before those of the same name elsewhere.
    `path` is that of the document relative to the folder of the catalog. In an XML source a name that stands
    alone is one of the object that the file holds.
    """
    dotted = dotted_at(lines[line], column)
    if dotted is None:
        return []
    catalog = symbols.catalog
    name = object_name(dotted.parts)
    if name:
        rest = name.rest[: max(dotted.index - name.last, 0)]
        found = [_in_object(item, rest) for item in _near(symbols, path, name.full_name)]
        return [named for named in found if named]
    own = object_of_file(catalog, path) if path and not path.lower().endswith((".bsl", ".os")) else None
    if own:
        return _in_own_file(own, dotted, lines, line)
    if dotted.index == 0:
        return [Named(item) for item in _near(symbols, path, f"CommonModule.{dotted.parts[0]}")]
    return []


def _near(symbols: SymbolTable, path: str | None, full_name: str) -> list[MetadataObject]:
    """Return the objects with this name that a name in a document stands for."""
    found = objects_named(symbols.catalog, full_name)
    if len(found) < 2:
        return found
    file = symbols.catalog.file(path) if path else None
    near = nearest_roots(symbols.extensions, file.root if file else None, [item.root for item in found])
    return [item for item in found if item.root in near]


def _in_object(item: MetadataObject, rest: Sequence[str]) -> Named | None:
    if not rest:
        return Named(item)
    if item.kind == "CommonModule":
        return Named(item, procedure=rest[0]) if len(rest) == 1 else None
    part = field_named(item, rest)
    return Named(item, part) if part else None


def field_named(item: MetadataObject, names: Sequence[str]) -> MetadataField | None:
    """Return the field that stands behind the object's name as `Товары.Цена`, `Реквизит.Цена`, `Форма.Х`."""
    found: MetadataField | None = None
    for number, name in enumerate(names):
        parent = found.name if found else None
        inner = [part for part in item.fields if part.parent == parent and fold(part.name) == fold(name)]
        if inner:
            found = inner[0]
        elif number == len(names) - 1:
            # a word of a full name (`Реквизит`, `Attributes`) may stand before each name, never at the end
            return None
    return found


def _in_own_file(own: MetadataObject, dotted: Dotted, lines: Sequence[str], line: int) -> list[Named]:
    word = dotted.parts[dotted.index]
    handler = _OWN_HANDLER.search(lines[line])
    if handler and handler[1] == word:
        return [Named(own, procedure=word)]
    before = [part for part in own.fields if part.path is None and part.line is not None and part.line <= line]
    nearest = max(before, key=lambda part: part.line or 0, default=None)
    if nearest and fold(nearest.name) == fold(word):
        return [Named(own, nearest)]
    return [Named(own)] if fold(word) == fold(own.name) and nearest is None else []
