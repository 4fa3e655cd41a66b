"""The lock that makes a process the only writer of an index."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

LOCK_NAME, OWNER_NAME = "writer.lock", "writer.json"


class IndexLockedError(RuntimeError):
    """Another process writes this index; the text tells which, without names of users or machines."""


class IndexFolderError(RuntimeError):
    """The folder of the index cannot be written."""


@contextmanager
def writing(folder: Path, patience: float = 10.0) -> Iterator[None]:
    """Let the block be the only writer of an index, whose folder is made when there is none.

    The operating system holds the lock and lets go of it with the process, however that ends. Raises
    IndexFolderError when the folder cannot be written, IndexLockedError when another process is still writing
    after `patience` seconds.
    """
    lock = FileLock(folder / LOCK_NAME)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise IndexLockedError(f"another process{_told_owner(folder)} is writing this index") from error
    except NotImplementedError as error:
        raise IndexFolderError("its file system has no locks") from error
    except OSError as error:
        raise IndexFolderError(error.strerror or type(error).__name__) from error
    try:
        _tell_owner(folder)
        yield
    finally:
        with suppress(OSError):
            (folder / OWNER_NAME).unlink()
        lock.release()


def _tell_owner(folder: Path) -> None:
    # only for the message to others: a disk that is full is told by what is written next
    with suppress(OSError):
        owner = {"pid": os.getpid(), "since": time.strftime("%H:%M:%S")}
        (folder / OWNER_NAME).write_text(json.dumps(owner), encoding="ascii")


def _told_owner(folder: Path) -> str:
    """Return who writes, in words; empty when the owner has not told yet."""
    try:
        owner = json.loads((folder / OWNER_NAME).read_bytes())
        return f" ({int(owner['pid'])}, since {owner['since']:.8})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
