"""What SQLite's errors mean for the catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .packing import DamagedCatalogError
from .schema import FILE_NAME


class CatalogUnavailableError(Exception):
    """The file is locked by another process, cannot be opened, or cannot be written; it may be whole."""


@contextmanager
def damage_told() -> Iterator[None]:
    """Turn SQLite's errors into DamagedCatalogError or, when the file may be whole, CatalogUnavailableError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # locked, disk full, not to be opened: the text of SQLite names no path
        raise CatalogUnavailableError(str(error)) from error
    except sqlite3.DatabaseError as error:
        if "malformed" in str(error) or "not a database" in str(error):
            raise DamagedCatalogError(str(error)) from error
        raise


def remove_catalog(folder: Path) -> None:
    """Delete the catalog file and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)
