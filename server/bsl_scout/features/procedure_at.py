"""Which procedure of the index a place in the text of a module is in."""

from __future__ import annotations

from bsl_scout.bsl.chunks import outline
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.schema import ChunkRow

PROCEDURES = ("procedure", "function")


def enclosing(catalog: Catalog, path: str, text: str, line: int) -> ChunkRow | None:
    """Return the procedure whose comment, header or body holds a 0-based line of a module's text.

    The text may be newer than the index: the procedure is known by its name, not by its line. None outside of
    procedures, and for one that the index does not have yet.
    """
    for chunk in outline(text):
        if chunk.kind in PROCEDURES and chunk.top_line <= line <= chunk.end_line:
            return next((row for row in catalog.procedures(path) if row.key == chunk.key), None)
    return None
