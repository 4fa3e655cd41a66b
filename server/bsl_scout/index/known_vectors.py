"""Vectors found by what they were made from: a renamed or copied file takes over those of the same text.

`source` is a digest of all that a vector depends on beside the model. It covers what a chunk belongs to in words of
people, so that a module which comes under another name gets vectors of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bsl_scout.bsl.text import content_hash

from .catalog import KEEP_GONE, Catalog
from .chunk_texts import Source
from .packing import to_json

# of removed chunks; their model, the number of those that are kept once all chunks have their vectors
GONE, GONE_MODEL, MOST_GONE = "gone_vectors", "gone_vector_model", 20_000
_COLUMNS = {"id", "source", "vector"}


def source_digest(chunk: Source) -> int:
    """Return a number of 64 bits that tells what a chunk's vector is made from."""
    # a part after the first has no lines above its header
    above = chunk.above if chunk.part == 0 else -1
    digest = content_hash(chunk.name, chunk.text, chunk.context, str(above), str(chunk.metadata))
    # as a number of SQLite; two of a million texts are the same once in some tens of millions of indexes
    return int.from_bytes(digest[:8], "big", signed=True)


def known_vectors(catalog: Catalog, table: str, sources: Iterable[int], gone: bool) -> dict[int, bytes]:
    """Return the vectors of a table, with `gone` those of removed chunks too, by what they were made from."""
    asked = to_json(list(sources))
    found: dict[int, bytes] = {}
    for one in (GONE, table) if gone else (table,):
        query = f"SELECT source, vector FROM {one} WHERE source IN (SELECT value FROM json_each(?)) GROUP BY source"
        found.update(catalog.rows(query, asked))
    return found


def take_back(catalog: Catalog, sources: Iterable[int]) -> None:
    """Forget the vectors of removed chunks that serve again."""
    catalog.write(f"DELETE FROM {GONE} WHERE source = ?", [(source,) for source in sources])


def begin_model(catalog: Catalog, model: str) -> None:
    """Forget the vectors of removed chunks that are of another model than those that serve now."""
    if catalog.meta(GONE_MODEL) != model:
        catalog.write(f"DELETE FROM {GONE} WHERE id > ?", [(-1,)])
        catalog.set_meta(GONE_MODEL, model)


def forget_oldest(catalog: Catalog) -> None:
    """Keep the vectors of the chunks that were removed last: another branch may be left for this one again."""
    catalog.write(f"DELETE FROM {GONE} WHERE id <= (SELECT max(id) FROM {GONE}) - ?", [(MOST_GONE,)])


def make_anew(catalog: Catalog, version: str, kept: Mapping[str, str]) -> None:
    """Empty a catalog and keep its vectors for the chunks that will say the same.

    `kept` are the keys of `meta` whose values stay, each with the one it goes under then. Of a catalog of another
    version whose vectors do not tell what they were made from none are kept.
    """
    with catalog.transaction():
        known = _columns(catalog, GONE) == _COLUMNS and "source" in _columns(catalog, "vectors")
        if known:
            catalog.rows(KEEP_GONE)
        values = {to: catalog.meta(key) for key, to in kept.items()} if catalog.version() else {}
        catalog.create(version, kept=(GONE,) if known else ())
        for key, value in values.items():
            if value is not None:
                catalog.set_meta(key, value)


def _columns(catalog: Catalog, table: str) -> set[str]:
    return {name for (name,) in catalog.rows("SELECT name FROM pragma_table_info(?)", table)}
