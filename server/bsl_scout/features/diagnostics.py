"""What there is to tell about an index: its content, its age, its size and what is wrong; read without changing it."""

from __future__ import annotations

import os
import platform
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from bsl_scout import __version__
from bsl_scout.configuration.layout import Root
from bsl_scout.encoding.sentence_encoder import shown_name
from bsl_scout.index.catalog import FILE_NAME, Catalog, CatalogUnavailableError, DamagedCatalogError
from bsl_scout.index.catalog_file import SQLITE_VERSION, damage_told, file_identity
from bsl_scout.index.embedding import adapted_folder, present_encoder, waiting, wanted_encoder
from bsl_scout.index.indexer import OPTIONS
from bsl_scout.index.passes import passes_of, stored_problems
from bsl_scout.index.vectors import LAST
from bsl_scout.index.verify import damage_found

from .adaptation import Adaptation, adaptation_of
from .problems import KINDS, FoundProblem, found_problems

# whether an index can be read: READY, or why not
READY, NONE, OTHER_VERSION, DAMAGED, UNAVAILABLE = "ready", "none", "other-version", "damaged", "unavailable"
_PATIENCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class VectorFacts:
    """The vectors: how many there are, how many chunks wait for theirs, how long one is (0: there are none).

    `model` and `wanted` name the models that made them and that are asked for, empty for the BSL model; `adapted`
    tells whether that has learnt from the configuration.
    """

    count: int
    missing: int
    dimensions: int
    model: str
    wanted: str
    adapted: bool


@dataclass(frozen=True, slots=True)
class Content:
    """What an index holds. `created`, `refreshed` and `walked` are UTC in ISO 8601, None where that is not known.

    `refreshed` is the end of the last pass, also one over some files, `walked` of the last over all of them;
    `pending` counts the files that waited at the writer's last commit.
    """

    roots: list[Root]
    files: int
    procedures: int
    objects: int
    forms: int
    code_chunks: int
    metadata_chunks: int
    vectors: VectorFacts
    created: str | None
    refreshed: str | None
    walked: str | None
    pending: int
    adaptation: Adaptation | None
    problems: list[FoundProblem]


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """An index as it is: READY with its content, or the `state` that keeps it from being read and why.

    `bytes` are the sizes on disk of the catalog, of models adapted to it, of its Chroma files and of other files.
    """

    state: str
    problem: str
    bytes: dict[str, int]
    content: Content | None


@dataclass(frozen=True, slots=True)
class Versions:
    """What runs here, without names of machines or users."""

    server: str
    python: str
    sqlite: str
    system: str


def index_facts(folder: Path) -> IndexFacts:
    """Return what there is to tell about the index in a folder; never raises for what is wrong with it.

    The catalog is opened anew, so that one which others close, replace or delete meanwhile is no danger.
    """
    if file_identity(folder) is None:
        return IndexFacts(NONE, "", _sizes(folder), None)
    try:
        with damage_told(), closing(Catalog(folder, _PATIENCE_SECONDS)) as catalog, damage_found(catalog):
            version = catalog.version()
            if version != OPTIONS:
                state = NONE if version is None else OTHER_VERSION
                return IndexFacts(state, version or "", _sizes(folder), None)
            with catalog.reading():
                content = _content(catalog, folder)
    except DamagedCatalogError as error:
        return IndexFacts(DAMAGED, str(error), _sizes(folder), None)
    except CatalogUnavailableError as error:
        return IndexFacts(UNAVAILABLE, str(error), _sizes(folder), None)
    return IndexFacts(READY, "", _sizes(folder), content)


def _content(catalog: Catalog, folder: Path) -> Content:
    counts, passes = catalog.counts(), passes_of(catalog)
    chunks, missing = counts["code"] + counts["metadata"], waiting(catalog)
    size = catalog.rows("SELECT length(vector) FROM vectors LIMIT 1") if catalog.number(LAST) else []
    wanted, present = wanted_encoder(catalog), present_encoder(catalog)
    found = [one for problem in stored_problems(catalog) for one in found_problems(problem)]
    return Content(
        roots=catalog.roots(),
        files=counts["files"],
        procedures=counts["procedures"],
        objects=counts["objects"],
        forms=counts["forms"],
        code_chunks=counts["code"],
        metadata_chunks=counts["metadata"],
        vectors=VectorFacts(
            count=chunks - missing,
            missing=missing,
            dimensions=size[0][0] if size else 0,
            model=shown_name(present) if present else "",
            wanted=shown_name(wanted) if wanted else "",
            adapted=adapted_folder(catalog, folder) is not None,
        ),
        created=moment(passes.created),
        refreshed=moment(passes.refreshed),
        walked=moment(passes.walked),
        pending=catalog.number("pending"),
        adaptation=adaptation_of(catalog),
        problems=sorted(found, key=lambda one: (KINDS.index(one.kind), one.path, one.line or 0)),
    )


def moment(seconds: float | None) -> str | None:
    """Return a moment of the clock as UTC in ISO 8601 to the second, None for None."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")


def versions() -> Versions:
    """Return the versions of what answers."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}".strip()
    return Versions(__version__, platform.python_version(), SQLITE_VERSION, system)


def _sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of an index on disk by what they are of."""
    sizes = {"catalog": 0, "models": 0, "chroma": 0, "other": 0}
    for where, _, names in os.walk(folder):
        below = Path(where).relative_to(folder).parts
        for name in names:
            try:
                size = (Path(where) / name).stat().st_size
            except OSError:
                # the writer has removed it meanwhile
                continue
            first = below[0] if below else name
            known = {FILE_NAME: "catalog", "chroma": "chroma", "model": "models"}
            sizes[known.get(first.split("-")[0], "other")] += size
    return sizes
