"""What an index keeps of its Chroma store on disk: the record of what was copied, and the files of an embedded one."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from .vectors import VectorsUnavailableError

_PATIENCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Record:
    """What a collection was filled with: the epoch of the catalog, its chunks up to `last`, so many of them.

    While it is being filled `last` is 0. `name` is that of a collection on a server, or of a folder of files.
    """

    epoch: int
    url: str
    name: str
    last: int = 0
    count: int = 0


class ChromaFolder:
    """The folder `chroma` of an index. Embedded files belong to one process, because two lose each other's writes.

    While they are used a mark lies beside them: a damaged graph ends the whole process instead of raising, and the
    next one then finds the mark and deletes the files.
    """

    def __init__(self, path: Path, embedded: bool) -> None:
        self._path = path
        self._embedded = embedded
        # of the process, whichever of its threads takes it
        self._lock = FileLock(path / "owner.lock", thread_local=False)
        self._mark = path / "in-use"
        self._record = path / "record.json"
        self._using = 0
        self._left = False
        self._counting = threading.Lock()

    def take(self) -> None:
        """Become the owner; raises VectorsUnavailableError while another process is, OSError without access."""
        self._path.mkdir(parents=True, exist_ok=True)
        if not self._embedded or self._lock.is_locked:
            return
        try:
            self._lock.acquire(timeout=_PATIENCE_SECONDS)
        except Timeout as error:
            raise VectorsUnavailableError(
                "another window or command has the Chroma store of this index open"
            ) from error
        if self._mark.exists():
            self.clear()

    def release(self) -> None:
        """Let another process be the owner."""
        self._lock.release()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Mark the files as used for as long as the block takes."""
        if not self._embedded or self._left:
            yield
            return
        with self._counting:
            self._using += 1
            self._mark.touch()
        try:
            yield
        finally:
            with self._counting:
                self._using -= 1
                if not self._using:
                    self._mark.unlink(missing_ok=True)

    def leave(self) -> None:
        """Note that the process ends now of its own accord, whatever is under way."""
        self._left = True
        self._mark.unlink(missing_ok=True)

    def new_store(self) -> str:
        """Return the name of a new folder of files: chromadb may hold on to deleted ones."""
        return f"store-{time.time_ns()}"

    def store(self, name: str) -> Path:
        """Return a folder of files."""
        return self._path / name

    def clear(self) -> None:
        """Delete the record, and embedded files."""
        for path in (self._record, self._mark):
            path.unlink(missing_ok=True)
        if self._embedded:
            for path in self._path.glob("store-*"):
                shutil.rmtree(path, ignore_errors=True)

    def read(self) -> Record | None:
        """Return the record, None when there is none that can be read."""
        try:
            values: dict[str, Any] = json.loads(self._record.read_text(encoding="utf-8"))
            return Record(**values)
        except (OSError, ValueError, TypeError):
            # absent or torn: the collection is filled anew
            return None

    def write(self, record: Record) -> None:
        """Keep a record in place of the old one; raises OSError."""
        whole = self._record.with_suffix(".new")
        whole.write_text(json.dumps(asdict(record)), encoding="utf-8")
        whole.replace(self._record)
