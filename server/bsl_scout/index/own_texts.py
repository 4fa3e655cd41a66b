"""Reads an index as the texts that the shipped model is adapted to: in an order of the content alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bsl_scout.bsl.text import content_hash
from bsl_scout.encoding.pairs import Procedure, Titled

from .catalog import Catalog
from .metadata import TITLE_SEPARATOR
from .packing import unpack

_BATCH = 500
_LEAST_BODY = 40
_PROCEDURES = """
SELECT c.id FROM chunks c JOIN files f ON f.id = c.file
WHERE c.title IS NULL AND c.part = 0 AND c.kind IN ('procedure', 'function') ORDER BY f.path, c.line, c.key
"""
_TEXTS = """
SELECT c.id, f.root, f.owner, f.module, f.path, c.name, c.parameters, c.regions, c.line - c.text_line, w.text
FROM chunks c JOIN files f ON f.id = c.file JOIN forward w ON w.chunk = c.id
WHERE c.id IN (SELECT value FROM json_each(?)) ORDER BY f.path, c.line, c.key
"""
_TITLED = """
SELECT c.title, c.name FROM chunks c JOIN files f ON f.id = c.file
WHERE c.title IS NOT NULL AND c.part = 0 AND c.kind != 'template' ORDER BY f.path, c.line, c.key
"""


def own_procedures(catalog: Catalog) -> Iterator[list[tuple[int, Procedure]]]:
    """Yield the procedures with the numbers of their chunks, some hundred at a time, in path and line order.

    Of a long procedure it has the first part: training looks at its beginning only.
    """
    chunks = [row[0] for row in catalog.rows(_PROCEDURES)]
    numbers: dict[str, int] = {}
    for first in range(0, len(chunks), _BATCH):
        found = []
        for chunk, root, owner, module, path, name, parameters, regions, above, packed in _batch(
            catalog, chunks[first : first + _BATCH]
        ):
            numbers[path] = numbers.get(path, 0) + 1
            lines = unpack(packed).split("\n", max(above, 0))
            code = lines[-1]
            if len(code) < _LEAST_BODY:
                continue
            doc = "\n".join(line.strip().lstrip("/").strip() for line in lines[:-1] if "//" in line)
            names = [part for part in (owner or "").split(".")[1:] if part not in ("Форма", "Команда")]
            procedure = Procedure(
                name,
                (*names, *(regions.split(",") if regions else ())),
                tuple(parameters.split(",")) if parameters else (),
                doc,
                code,
                (root, owner or path, module),
                numbers[path],
                content_hash(" ".join(code.split())),
            )
            found.append((chunk, procedure))
        yield found


def _batch(catalog: Catalog, chunks: list[int]) -> list[tuple[Any, ...]]:
    return catalog.rows(_TEXTS, "[" + ",".join(map(str, chunks)) + "]")


def own_titles(catalog: Catalog) -> list[Titled]:
    """Return what people call objects and fields beside their names, in path and line order."""
    found = []
    for title, name in catalog.rows(_TITLED):
        titles = [one for one in title.split(TITLE_SEPARATOR) if one != name]
        if titles:
            found.append(Titled(tuple(titles), (name,)))
    return found
