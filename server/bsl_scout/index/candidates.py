"""What ordering needs to know of chunks: hundreds are looked at for each query, so it is little."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .catalog import Catalog


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk as ordering sees it; `title` are the synonyms of a metadata chunk."""

    id: int
    path: str
    owner: str | None
    key: str
    part: int
    kind: str
    line: int
    export: int
    regions: str
    title: str | None


def read_candidates(catalog: Catalog, ids: Sequence[int]) -> dict[int, Candidate]:
    """Return the chunks with these ids, by id."""
    rows = catalog.rows(
        "SELECT c.id, coalesce(c.path, f.path), f.owner, c.key, c.part, c.kind, c.line, c.export, c.regions, c.title "
        "FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN (SELECT value FROM json_each(?))",
        json.dumps(list(ids)),
    )
    return {row[0]: Candidate(*row) for row in rows}
