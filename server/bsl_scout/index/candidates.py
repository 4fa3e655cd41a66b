"""What ordering needs to know of chunks: hundreds are looked at for each query, so it is little."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from .catalog import Catalog

# a procedure or an object: its path and key; parts of a long one share it
Whole = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk as ordering sees it; `title` are the synonyms of a metadata chunk."""

    whole: Whole
    id: int
    path: str
    line: int
    part: int
    owner: str | None
    key: str
    name: str
    kind: str
    export: int
    regions: str
    title: str | None
    hash: bytes


def read_candidates(catalog: Catalog, ids: Sequence[int]) -> dict[int, Candidate]:
    """Return the chunks with these ids by id, in the order of path, line and part.

    Chunks with equal scores stand in that order, so that an index has one answer whatever its history.
    """
    rows = catalog.chunk_rows(
        "SELECT c.id, coalesce(c.path, f.path), c.line, c.part, f.owner, c.key, c.name, c.kind, c.export, c.regions, "
        "c.title, c.hash FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN (SELECT value FROM json_each(?))",
        json.dumps(list(ids)),
    )
    rows.sort(key=itemgetter(1, 2, 3))
    return {row[0]: Candidate((row[1], row[5].partition("/")[0]), *row) for row in rows}
