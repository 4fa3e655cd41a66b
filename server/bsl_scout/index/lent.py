"""What metadata objects name by uuid for each other, as the catalog keeps it beside their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from .catalog import Catalog
from .packing import to_json


@dataclass(frozen=True, slots=True)
class Lent:
    """What the object of a file names by uuid for others of its root, and the uuids it wants named itself."""

    path: str
    root: str
    names: Mapping[str, str]
    refs: frozenset[str]


def read_lent(catalog: Catalog) -> dict[int, Lent]:
    """Return what the objects name for each other, by file."""
    rows = catalog.rows("SELECT id, path, root, names, refs FROM files WHERE names IS NOT NULL")
    return {
        number: Lent(path, root, json.loads(names), frozenset(json.loads(refs)))
        for number, path, root, names, refs in rows
    }


def write_lent(catalog: Catalog, file: int, lent: Lent) -> None:
    """Store what the object of a file names and wants named."""
    values = (to_json(dict(lent.names)), to_json(sorted(lent.refs)), file)
    catalog.write("UPDATE files SET names = ?, refs = ? WHERE id = ?", [values])
