"""Tells what a configuration has twice: full names and uuids must each be unique in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from .layout import Problem
from .model import MetadataObject

# root, path, full name, uuid
ObjectPlace = tuple[str, str, str, str | None]


def duplicate_objects(places: Iterable[ObjectPlace]) -> list[Problem]:
    """Return one problem for each object whose name or uuid another object of its root has too, in path order."""
    by_name: dict[tuple[str, str], str] = {}
    by_uuid: dict[tuple[str, str], str] = {}
    problems = []
    for root, path, full_name, uuid in sorted(places, key=lambda place: place[1]):
        first = by_name.setdefault((root, full_name.casefold()), path)
        if first != path:
            problems.append(Problem(path, f"is called {full_name} like {first}"))
        if uuid:
            first = by_uuid.setdefault((root, uuid.lower()), path)
            if first != path:
                problems.append(Problem(path, f"has the uuid {uuid} of {first}"))
    return problems


def place_of(item: MetadataObject) -> ObjectPlace:
    """Return what must be unique of an object."""
    return item.root, item.path, item.full_name, item.uuid


def own_problems(item: MetadataObject) -> Iterator[Problem]:
    """Yield what is wrong with the names and uuids of one object: its file's name, and fields alike."""
    stem = PurePosixPath(item.path).stem
    # macOS may spell a file's name with the breve of й apart
    if unicodedata.normalize("NFC", stem) != unicodedata.normalize("NFC", item.name):
        yield Problem(item.path, f"holds an object that is called {item.name}")
    names: set[tuple[str, str | None, str]] = set()
    uuids = {item.uuid}
    for part in item.fields:
        name = (part.kind, part.parent, part.name.casefold())
        if name in names:
            yield Problem(item.path, f"has two fields called {item.field_name(part)}")
        names.add(name)
        if part.uuid and part.uuid in uuids:
            yield Problem(item.path, f"has the uuid {part.uuid} twice")
        uuids.add(part.uuid)
