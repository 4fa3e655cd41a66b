"""The names in the catalog, many at once: of procedures, functions, objects and fields.

Access restrictions, module headers and bodies are left out: they have no names of their own.
"""

from __future__ import annotations

from .catalog import Catalog

_NAMED = "c.part = 0 AND c.kind NOT IN ('header', 'body', 'restriction')"


def named_chunks(catalog: Catalog) -> list[tuple[int, str, str | None]]:
    """Return chunk, name and title of all that have a name, in path and line order; a title means metadata."""
    return catalog.rows(
        "SELECT c.id, c.name, c.title FROM chunks c JOIN files f ON f.id = c.file "
        f"WHERE {_NAMED} ORDER BY f.path, c.line"
    )


def names_above(catalog: Catalog, chunk: int) -> list[tuple[int, str, str | None]]:
    """Return the same of the chunks with numbers above one, in no order."""
    return catalog.chunk_rows(f"SELECT id, name, title FROM chunks c WHERE {_NAMED} AND id > ?", chunk)


def names_between(catalog: Catalog, above: int, last: int) -> list[tuple[int, str, int]]:
    """Return chunk, name and whether it is of code (0 or 1) of chunks with numbers above one up to another."""
    query = f"SELECT id, name, title IS NULL FROM chunks c WHERE {_NAMED} AND id > ? AND id <= ?"
    return catalog.chunk_rows(query, above, last)


def procedure_names(catalog: Catalog) -> list[tuple[int, str]]:
    """Return chunk and name of all procedures and functions."""
    return catalog.rows(
        "SELECT id, name FROM chunks WHERE (title IS NULL) = 1 AND part = 0 AND kind IN ('procedure', 'function')"
    )
