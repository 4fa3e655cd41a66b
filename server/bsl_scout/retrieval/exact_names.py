"""Recognises what code calls by its whole name: an object, or a member of one or of a common module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bsl_scout.bsl.names import is_keyword, words
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.object_store import objects_named
from bsl_scout.index.snapshot import Snapshot

from .expansion import AROUND
from .hits import Exact

# what stands before a name in code
_ASSIGNED = re.compile(r"\s*\w+\s*=\s*")
_AROUND = AROUND | {"тип", "type"}
DOTTED = re.compile(r"(?<![\w.@])[^\W\d]\w*(?:\.[^\W\d]\w*)+")


def called(catalog: Catalog, snapshot: Snapshot, query: str, shares: Sequence[float]) -> dict[int, Exact]:
    """Return the chunks that a query calls by their whole name, in any spelling, case and ё aside.

    `ОбщегоНазначения.СообщитьПользователю(` is that procedure, `СправочникСсылка.Валюты` and
    `РегистрыСведений.КурсыВалют.СоздатьНаборЗаписей()` are the objects. Beside other words, or other such names, it
    is a word among words. `shares`: what each collection counts for.
    """
    dotted = list(DOTTED.finditer(query))
    if len(dotted) != 1 or not _stands_alone(query[: dotted[0].start()], query[dotted[0].end() :]):
        return {}
    held = snapshot.collection
    return {
        chunk: Exact(1.0, 0)
        for chunk in _of_name(catalog, dotted[0][0].split("."))
        if chunk < len(held.alive) and held.alive[chunk] and shares[held.collections[chunk]] > 0
    }


def _stands_alone(before: str, after: str) -> bool:
    """Return whether there is nothing around a name but what a call, an assignment or a question has there."""
    assigned = _ASSIGNED.fullmatch(before) is not None
    called = after.lstrip().startswith("(")
    others = [*([] if assigned else words(before)), *([] if called else words(after))]
    return all(is_keyword(word) or fold(word) in _AROUND for word in others)


def _of_name(catalog: Catalog, parts: Sequence[str]) -> Iterator[int]:
    """Yield the chunks of the named member, of the object where it has none of that name."""
    name = object_name(parts) or object_name(["CommonModule", *parts])
    # more than one part is no member but a form or another part of the object, which its words find
    if name is None or len(name.rest) > 1:
        return
    member = fold(name.rest[0]) if name.rest else None
    for item in objects_named(catalog, name.full_name):
        rows = catalog.chunk_rows(
            "SELECT c.id, c.name, c.kind FROM files f JOIN chunks c ON c.file = f.id WHERE f.owner = ? AND f.root = ? "
            "AND c.part = 0",
            item.russian_name,
            item.root,
        )
        members = [chunk for chunk, own, kind in rows if kind != "object" and fold(own) == member]
        yield from members or (chunk for chunk, _, kind in rows if kind == "object")
