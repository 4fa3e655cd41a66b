"""The outline of an XML source of a metadata object."""

from __future__ import annotations

from dataclasses import dataclass

from bsl_scout.configuration.model import MetadataField, MetadataObject, shown
from bsl_scout.configuration.objects import object_of_text


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of an outline: its name, synonym, kind, 0-based line, what it holds, its last line where that is told."""

    name: str
    title: str | None
    kind: str
    line: int
    inner: tuple[Entry, ...] = ()
    end: int | None = None


def outline(text: str, path: str) -> Entry | None:
    """Return the outline of the text of an object's file, None when it holds no object or is not whole."""
    item = object_of_text(text, path)
    return None if item is None else Entry(item.name, shown(item.synonym), "object", item.line, _inner(item, None))


def _inner(item: MetadataObject, parent: str | None) -> tuple[Entry, ...]:
    return tuple(
        _entry(item, part)
        for part in item.fields
        if part.parent == parent and part.path is None and part.line is not None
    )


def _entry(item: MetadataObject, part: MetadataField) -> Entry:
    # fields are told apart by name and parent only one level deep, as deep as the platform nests them
    inner = _inner(item, part.name) if part.parent is None else ()
    return Entry(part.name, shown(part.synonym), part.kind, part.line or 0, inner)
