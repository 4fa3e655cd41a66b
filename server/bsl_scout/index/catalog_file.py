"""The file of the catalog: opened, removed, and SQLite's errors told as what they mean for the index."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .packing import DamagedCatalogError
from .schema import FILE_NAME

SQLITE_VERSION = sqlite3.sqlite_version
_DAMAGE = ("malformed", "not a database", "decode to UTF-8")
# 8 KB pages hold most chunks without overflow
_PRAGMAS = (
    "page_size = 8192",
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "cache_size = -32000",
    "wal_autocheckpoint = 4000",
    # an index that was made anew has passed through the log as a whole
    "journal_size_limit = 67108864",
)


class CatalogUnavailableError(Exception):
    """The file is locked by another process, cannot be opened, or cannot be written; it may be whole."""


@contextmanager
def damage_told() -> Iterator[None]:
    """Turn SQLite's errors into DamagedCatalogError or, when the file may be whole, CatalogUnavailableError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if any(words in str(error) for words in _DAMAGE):
            raise DamagedCatalogError(str(error)) from error
        if isinstance(error, sqlite3.OperationalError):
            # locked, disk full, not to be opened: the text of SQLite names no path
            raise CatalogUnavailableError(str(error)) from error
        raise


def connect(folder: Path, patience: float) -> sqlite3.Connection:
    """Return a connection to the catalog of a folder, which is made when there is none; raises sqlite3.DatabaseError.

    In a folder that cannot be written, not even by what SQLite keeps beside the file for its readers, a whole
    catalog is opened as it stands.
    """
    try:
        return _connect(str(folder / FILE_NAME), patience, _PRAGMAS)
    except sqlite3.OperationalError:
        if not _is_frozen(folder):
            raise
        place = (folder / FILE_NAME).absolute().as_uri()
        return _connect(f"{place}?mode=ro&immutable=1", patience, ())


def _connect(place: str, patience: float, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        place, isolation_level=None, check_same_thread=False, timeout=patience, uri=place.startswith("file:")
    )
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _is_frozen(folder: Path) -> bool:
    if os.access(folder, os.W_OK) or not (folder / FILE_NAME).is_file():
        return False
    log = folder / f"{FILE_NAME}-wal"
    # what was committed there last would be missed
    return not log.is_file() or not log.stat().st_size


def remove_catalog(folder: Path) -> None:
    """Delete the catalog file and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)


def file_identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells a catalog file from another one that was made in its place, None when there is none."""
    try:
        stat = (folder / FILE_NAME).stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
