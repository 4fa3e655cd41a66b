"""What ordering needs to know of chunks: hundreds are looked at for each query, so it is little."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from .call_counts import call_targets
from .catalog import Catalog
from .laid_catalog import LaidCatalog

_MODULE = "ОбщийМодуль."
# a procedure or an object: its path and key; parts of a long one share it
Whole = tuple[str, str]


# not frozen: hundreds are made for each query, and a frozen one takes several times as long to make
@dataclass(slots=True)
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


class CallCountReader:
    """In how many chunks exported procedures of common modules are called.

    What was read is kept for as long as that state is searched: questions of one kind have many candidates in common.
    """

    def __init__(self, catalog: LaidCatalog) -> None:
        self._catalog = catalog
        self._state: tuple[int, int] | None = None
        self._known: dict[int, int] = {}

    def of(self, rows: Iterable[Candidate], state: tuple[int, int]) -> Mapping[int, int]:
        """Return the counts by chunk, of these chunks at least, in a state of the catalog that is searched.

        Call it inside `catalog.reading()`.
        """
        if self._state != state:
            self._state, self._known = state, {}
        known = self._known
        asked = [row for row in rows if row.export and row.id not in known and (row.owner or "").startswith(_MODULE)]
        if asked:
            # folded all at once: one by one takes as long as to read the counts
            targets = call_targets([f"{(row.owner or '')[len(_MODULE) :]}.{row.name}" for row in asked])
            counts = self._catalog.call_counts(targets)
            known.update({row.id: counts.get(target, 0) for row, target in zip(asked, targets, strict=True)})
        return known
