"""What a catalog keeps of the passes over its sources: when they were, what they found wrong beyond single files."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.configuration.duplicates import duplicate_objects
from bsl_scout.configuration.layout import Problem, Root
from bsl_scout.configuration.objects import absent_objects

from .catalog import Catalog
from .packing import to_json

# nanoseconds since 1970, the others are milliseconds
_CREATED = "created"
_REFRESHED, _WALKED = "refreshed", "walked"
_WALK_PROBLEMS, _VECTOR_PROBLEMS = "walk_problems", "vector_problems"


@dataclass(frozen=True, slots=True)
class Passes:
    """When the catalog was made, last brought up to date, and last compared with all sources: seconds since 1970.

    None where it is not known: the moment has not come, or an older version wrote the catalog.
    """

    created: float | None
    refreshed: float | None
    walked: float | None


def whole_problems(top: Path, roots: Sequence[Root], catalog: Catalog) -> list[Problem]:
    """Return what only a look at all objects tells: those that are listed but absent, and what is there twice."""
    problems: list[Problem] = []
    for root in roots:
        problems += absent_objects(top, root, catalog.object_names(root.id))
    objects = (row for row in catalog.files().values() if row.full_name)
    return problems + duplicate_objects((row.root, row.path, row.full_name or "", row.uuid) for row in objects)


def note_pass(catalog: Catalog, walk_problems: Sequence[Problem] | None, vector_problems: Sequence[Problem]) -> None:
    """Note the end of a pass with what it found wrong; `walk_problems` are None unless it saw all sources."""
    now = time.time_ns() // 1_000_000
    values: dict[str, int | str] = {_REFRESHED: now, _VECTOR_PROBLEMS: _stored(vector_problems)}
    if walk_problems is not None:
        values |= {_WALKED: now, _WALK_PROBLEMS: _stored(walk_problems)}
    with catalog.transaction():
        for key, value in values.items():
            # problems are mostly what they were, and there may be thousands
            if catalog.meta(key) != value:
                catalog.set_meta(key, value)


def passes_of(catalog: Catalog) -> Passes:
    """Return when the passes over the sources were."""
    created, refreshed, walked = (catalog.number(key) for key in (_CREATED, _REFRESHED, _WALKED))
    return Passes(created / 1e9 or None, refreshed / 1e3 or None, walked / 1e3 or None)


def stored_problems(catalog: Catalog) -> list[Problem]:
    """Return all that is wrong with the sources and the vectors by the last passes."""
    found = catalog.problems()
    for key in (_WALK_PROBLEMS, _VECTOR_PROBLEMS):
        found += [Problem(path, message) for path, message in json.loads(str(catalog.meta(key) or "[]"))]
    return found


def _stored(problems: Sequence[Problem]) -> str:
    return to_json([[problem.path, problem.message] for problem in problems])
